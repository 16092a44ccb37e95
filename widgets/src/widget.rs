//! The trait of all widgets.

use std::{fmt::Debug, time::Duration};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Category, Entry, FetchError, Panel, Request, WidgetContext};

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

/// The action of a button in a panel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// The widget's word for it, such as `disable`.
    pub name: String,
    /// The target of the action, if there are several.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub target: String,
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

/// The problems of one widget's options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionProblems {
    all: Vec<OptionProblem>,
    /// The missing options, each with the position of its problem, whose sentence has no example yet.
    missing: Vec<(usize, &'static str)>,
}

/// One problem of a widget's options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionProblem {
    /// How bad it is.
    pub severity: OptionSeverity,
    /// The problem, for the author of the options. Never contains a secret.
    pub sentence: String,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OptionSeverity {
    /// The widget works, but something could be done better; shown in edit mode.
    Advice,
    /// The widget works without the wrong option; shown in edit mode.
    Note,
    /// The widget cannot work.
    Error,
}

impl OptionProblems {
    /// Changes the sentence of each problem, for example to remove secrets.
    pub fn change(&mut self, change: impl Fn(&mut String)) {
        self.all.iter_mut().for_each(|problem| change(&mut problem.sentence));
    }

    /// Adds an error: the widget cannot work.
    pub fn error(&mut self, sentence: impl Into<String>) {
        self.all.push(OptionProblem { severity: OptionSeverity::Error, sentence: sentence.into() });
    }

    /// Adds advice: the widget works as it is.
    pub fn advise(&mut self, sentence: impl Into<String>) {
        self.all.push(OptionProblem { severity: OptionSeverity::Advice, sentence: sentence.into() });
    }

    /// Adds a note: the widget works without the wrong option.
    pub fn note(&mut self, sentence: impl Into<String>) {
        self.all.push(OptionProblem { severity: OptionSeverity::Note, sentence: sentence.into() });
    }

    /// Adds an error with this sentence, unless the condition holds.
    pub fn require(&mut self, condition: bool, sentence: &str) {
        if !condition {
            self.error(sentence);
        }
    }

    /// Adds an error, unless this option is set. `purpose` continues "Set the option `{name}` to"; an example from the
    /// description of the option follows (`Kind::example`).
    pub fn require_option(&mut self, is_set: bool, name: &'static str, purpose: &str) {
        if !is_set {
            self.missing.push((self.all.len(), name));
            self.error(format!("Set the option `{name}` to {purpose}."));
        }
    }

    /// Ends the sentences about missing options with what `example` returns for their names.
    #[cfg(feature = "server")]
    pub(crate) fn add_examples(&mut self, example: impl Fn(&str) -> String) {
        for (position, name) in std::mem::take(&mut self.missing) {
            if let Some(OptionProblem { sentence, .. }) = self.all.get_mut(position) {
                *sentence = format!("{}{}.", sentence.trim_end_matches('.'), example(name));
            }
        }
    }

    /// Adds a problem that was found elsewhere.
    pub fn add(&mut self, problem: OptionProblem) {
        self.all.push(problem);
    }

    /// All problems, in the order in which they were found.
    #[must_use]
    pub fn all(&self) -> &[OptionProblem] {
        &self.all
    }

    /// The sentences of the errors.
    #[must_use]
    pub fn errors(&self) -> Vec<String> {
        let errors = self.all.iter().filter(|problem| problem.severity == OptionSeverity::Error);
        errors.map(|problem| problem.sentence.clone()).collect()
    }
}
