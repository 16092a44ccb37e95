//! What happens instead of a wrong value: a sentence for the author of the file, shown with the problem.

use std::fmt::{self, Display, Formatter};

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
    /// All access is denied.
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
