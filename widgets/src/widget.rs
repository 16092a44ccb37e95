//! The trait of all widgets.

use std::{fmt::Debug, time::Duration};

use serde::{Serialize, de::DeserializeOwned};

use crate::{Action, Category, Entry, FetchError, OptionProblems, Panel, Request, WidgetContext};

/// The height of a widget that does not say otherwise, and of unknown ones, in lines.
pub const USUAL_LINES: usize = 6;

/// The options of one type of widget, and its behavior.
///
/// The options struct is the widget: its doc comments are the user's reference, its types hold defaults and bounds. All
/// fields have a default; unknown keys and `null` are dropped before a widget sees them.
pub trait Widget: Debug + Default + Serialize + DeserializeOwned {
    /// Which side sends the requests, unless the entry says otherwise.
    const REACH: Reach;

    /// What it is about.
    const CATEGORY: Category;

    /// About how many lines of 22 px (`style/_widget-frame.scss`) its content has: those of its example in the gallery, in
    /// a card of the usual width. Until the first panel arrives, a placeholder of this height keeps its place.
    const USUAL_LINES: usize = USUAL_LINES;

    /// Other names of options that existing files use, each with the name of the option.
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[];

    /// The option that stores what people change with buttons of the panel, if there is one: see [`Widget::rewrite`].
    const WRITABLE_OPTION: Option<&'static str> = None;

    /// Who shares the panel: determines for how long and for whom the server keeps it.
    const AUDIENCE: Audience = Audience::Everyone;

    /// Who shares the panel with these options.
    fn audience(&self) -> Audience {
        Self::AUDIENCE
    }

    /// Reports what is wrong with the options, in sentences for the author of the config. If one is an error, the
    /// widget sends no requests; see [`OptionProblems`].
    fn check(&self, _entry: &Entry, _problems: &mut OptionProblems) {}

    /// The refresh interval if the entry does not set one; by default it never refreshes.
    fn refresh(&self) -> Option<Duration> {
        None
    }

    /// The origins to which a browser sends requests, such as `https://api.example.com`, for the page's policy. Only
    /// for widgets that may run in a browser.
    fn origins(&self) -> Vec<String> {
        Vec::new()
    }

    /// Fetches the data and returns the panel.
    ///
    /// # Errors
    ///
    /// The error that is shown instead of the panel.
    fn fetch(&self, context: &dyn WidgetContext) -> impl Future<Output = Result<Panel, FetchError>>;

    /// A request whose response goes on for as long as the service has news. It starts with the news since it was sent, and
    /// each line of it that [`Widget::is_news`] accepts means that the panel is outdated. The server keeps it open while a
    /// page with the widget is; the panel refreshes at its interval as well.
    fn follow(&self) -> Option<Request> {
        None
    }

    /// Whether a line of the response to [`Widget::follow`] means that the panel is outdated.
    fn is_news(_line: &str) -> bool {
        true
    }

    /// Carries out the action of a button ([`crate::panel::ActionButton`]); runs only on the server. The action comes
    /// from a browser, so it cannot be trusted.
    ///
    /// # Errors
    ///
    /// The error that the viewer sees; by default, that there is no such action.
    fn act(
        &self,
        action: &Action,
        _context: &dyn WidgetContext,
    ) -> impl Future<Output = Result<ActionOutcome, FetchError>> {
        let refused = FetchError::message(format!("There is no action {}.", action.name));
        async { Err(refused) }
    }

    /// The new value of the option [`Widget::WRITABLE_OPTION`] after a button was pressed. `written` is its current text in the
    /// file. The caller has checked the viewer's rights and writes the file; the action itself cannot be trusted.
    ///
    /// # Errors
    ///
    /// The error for the user who pressed it; by default, that there is no such action.
    fn rewrite(action: &Action, _written: &str) -> Result<String, FetchError> {
        Err(FetchError::message(format!("There is no action {}.", action.name)))
    }
}

/// Which side sends the requests (docs/spec/widgets.md 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The browser; the server with `useProxy`, or if the entry contains a secret.
    BrowserByDefault,
    /// The server; the browser with `useProxy: false`, unless the entry contains a secret.
    ServerByDefault,
    /// The server, always.
    ViaServer,
    /// Neither: the panel depends only on the options.
    Local,
}

/// Who shares a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// All viewers.
    Everyone,
    /// All viewers with the same language and time zone.
    Language,
    /// Only one viewer: it is never kept for another.
    Viewer,
}

/// The result of an action.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionOutcome {
    /// Something has changed: the panel is fetched again, for all viewers.
    Changed,
    /// A panel for the user who pressed the button, until the next refresh, such as another page of a list. Others
    /// still see the previous panel.
    Shown(Box<Panel>),
}
