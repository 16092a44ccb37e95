//! What happens with a value that is wrong: what the author of a file is told beside the problem.

use std::{
    collections::HashMap,
    fmt::{self, Display, Formatter},
};

use crate::{
    model::Config,
    problem::{Problem, Severity},
};

/// What happens instead of what a value asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effect {
    /// The value is left out.
    Ignored,
    /// The element of a list is left out.
    Skipped,
    /// The value counts as the one of the right type that it plainly means.
    Converted,
    /// The value counts as text.
    UsedAsText,
    /// The text counts as the name and the value of one header.
    UsedAsOneHeader,
    /// Nothing is done about it.
    UsedAsItIs,
    /// The nearest number that is allowed counts.
    NearestUsed,
    /// Elements beyond the maximum count like the others.
    AllUsed,
    /// The first of two that exclude each other counts.
    FirstUsed,
    /// As if the key were not there.
    NotSet,
    /// The default theme is shown.
    DefaultTheme,
    /// The search bar cannot search the web.
    WebSearchFails,
    /// The user cannot sign in.
    UserCannotSignIn,
    /// Nobody gets in.
    DashboardCloses,
    /// The page has no content to show.
    PageCannotBeShown,
    /// The page has a button without a text.
    PageWithoutName,
    /// The page has no sections.
    PageEmpty,
    /// The entry is shown without a title.
    NoTitle,
    /// The link leads to the start page.
    LinkToStart,
    /// The box of the widget says what is wrong.
    WidgetSaysSo,
    /// The widget reads the value itself, and says in its box if it cannot use it.
    WidgetDecides,
}

impl Display for Effect {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ignored => "ignored",
            Self::Skipped => "skipped",
            Self::Converted => "converted",
            Self::UsedAsText => "used as text",
            Self::UsedAsOneHeader => "used as one header",
            Self::UsedAsItIs => "used as it is",
            Self::NearestUsed => "the nearest is used",
            Self::AllUsed => "all are used",
            Self::FirstUsed => "the first is used",
            Self::NotSet => "counts as not set",
            Self::DefaultTheme => "the default one is shown",
            Self::WebSearchFails => "searching the web fails",
            Self::UserCannotSignIn => "the user cannot sign in",
            Self::DashboardCloses => "the dashboard stays closed",
            Self::PageCannotBeShown => "the page cannot be shown",
            Self::PageWithoutName => "the page has no name",
            Self::PageEmpty => "the page is empty",
            Self::NoTitle => "shown without one",
            Self::LinkToStart => "the link leads to the start page",
            Self::WidgetSaysSo => "the widget says so in its box",
            Self::WidgetDecides => "the widget says so if it cannot use it",
        })
    }
}

impl Effect {
    /// What happens without a required key.
    pub(crate) fn of_missing(path: &str) -> Self {
        let list = path.rsplit('/').nth(2).unwrap_or_default();
        let key = path.rsplit('/').next().unwrap_or_default();
        match (list, key) {
            _ if is_of_user(path) => Self::UserCannotSignIn,
            _ if path.starts_with("/appConfig/auth/") => Self::DashboardCloses,
            ("pages", "path") => Self::PageCannotBeShown,
            ("pages", _) => Self::PageWithoutName,
            ("widgets", "type") => Self::WidgetSaysSo,
            ("navLinks", "path") => Self::LinkToStart,
            (_, "sections") => Self::PageEmpty,
            (_, "title" | "name") => Self::NoTitle,
            _ => Self::NotSet,
        }
    }

    /// What happens to a text without the form that its field needs, if reading does not say otherwise.
    pub(crate) fn of_malformed(path: &str) -> Self {
        if is_of_user(path) { Self::UserCannotSignIn } else { Self::UsedAsItIs }
    }
}

fn is_of_user(path: &str) -> bool {
    path.starts_with("/appConfig/auth/users/")
}

/// What reading a config did about its problems, by their paths.
#[derive(Debug)]
pub struct Effects<'a>(HashMap<&'a str, Effect>);

impl<'a> Effects<'a> {
    /// The effects of the problems that reading has found.
    #[must_use]
    pub fn of(config: &'a Config) -> Self {
        let mut effects = HashMap::new();
        for problem in &config.problems {
            if let Some(effect) = problem.effect {
                effects.entry(problem.path.as_str()).or_insert(effect);
            }
        }
        Self(effects)
    }

    /// A problem in a sentence that says what happens instead, for the author of a file that is in use. What reading did
    /// counts more than what the schema expects.
    #[must_use]
    pub fn tell(&self, problem: &Problem) -> String {
        if problem.severity != Severity::Error {
            return problem.to_string();
        }
        match self.0.get(problem.path.as_str()).copied().or(problem.effect) {
            Some(effect) => format!("{problem}; {effect}"),
            None => problem.to_string(),
        }
    }
}
