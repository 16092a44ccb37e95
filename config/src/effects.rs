//! The effects of problems: what the schema expects, and what reading did.

use std::collections::HashMap;

use crate::{
    effect::Effect,
    model::Config,
    problem::{Problem, Severity},
};

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
