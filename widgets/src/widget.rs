//! What a widget is.

use std::{fmt::Debug, time::Duration};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Entry, FetchError, Outside, Panel};

/// The options of one type of widget, and what is done with them.
///
/// The options struct is the widget: its doc comments are the user's reference, its types hold defaults and bounds.
/// All fields have a default; unknown keys and `null` are ignored before a widget sees them.
pub trait Widget: Debug + Default + Serialize + DeserializeOwned {
    /// Who asks the service, unless the entry says otherwise.
    const REACH: Reach;

    /// Other names of options that existing files use, each with the option that is meant.
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[];

    /// The option in which it keeps what people change by buttons of the panel, if there is one: see
    /// [`Widget::rewrite`].
    const KEEPS: Option<&'static str> = None;

    /// Whose panel it is: decides how long and for whom the server keeps it.
    const AUDIENCE: Audience = Audience::Everyone;

    /// Whose panel it is with these options.
    fn audience(&self) -> Audience {
        Self::AUDIENCE
    }

    /// Says what is wrong with the options, in sentences for the person who wrote them. A problem that is an error keeps
    /// the widget from asking anyone; see [`OptionProblems`].
    fn check(&self, _entry: &Entry, _problems: &mut OptionProblems) {}

    /// How often it looks again when the entry does not say; never by default.
    fn refresh(&self) -> Option<Duration> {
        None
    }

    /// The origins that a browser asks, such as `https://api.example.com`, for the page's policy. Only for widgets that
    /// a browser may run.
    fn origins(&self) -> Vec<String> {
        Vec::new()
    }

    /// Looks, and says what to show.
    ///
    /// # Errors
    ///
    /// What a viewer is told in place of the panel.
    fn fetch(&self, outside: &dyn Outside) -> impl Future<Output = Result<Panel, FetchError>>;

    /// Does what a button of the panel promises ([`crate::panel::ActionButton`]), by the server only. The action comes
    /// from a browser, so nothing about it can be trusted.
    ///
    /// # Errors
    ///
    /// What a viewer is told; by default that there is no such action.
    fn act(&self, action: &Action, _outside: &dyn Outside) -> impl Future<Output = Result<ActionOutcome, FetchError>> {
        let refused = FetchError::told(format!("There is no action {}.", action.name));
        async { Err(refused) }
    }

    /// What [`Widget::KEEPS`] says after a button was pressed. `written` is its text in the file at this moment. The
    /// caller writes it, and has checked who asks; nothing about the action can be trusted.
    ///
    /// # Errors
    ///
    /// What whoever pressed it is told; by default that there is no such action.
    fn rewrite(action: &Action, _written: &str) -> Result<String, FetchError> {
        Err(FetchError::told(format!("There is no action {}.", action.name)))
    }
}

/// Who asks the service (docs/spec/widgets.md 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The browser; the server with `useProxy`, or when the entry holds a secret.
    Direct,
    /// The server; the browser with `useProxy: false`, unless the entry holds a secret.
    Either,
    /// The server, always.
    ViaServer,
    /// Nobody: the panel follows from the options alone.
    Local,
}

/// Whose panel a panel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The same for all viewers.
    Everyone,
    /// The same for all viewers of one language and time zone.
    Language,
    /// One viewer's: never kept for another.
    Viewer,
}

/// What a button of a panel asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// The widget's word for it, such as `disable`.
    pub name: String,
    /// What it is done to, where there are several.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub target: String,
}

/// What came of an action.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionOutcome {
    /// Something has changed: the panel is fetched again, for all viewers.
    Changed,
    /// What whoever pressed the button sees until the next refresh, such as another page of a list. Others see what they
    /// saw before.
    Shown(Box<Panel>),
}

/// What is wrong with the options of one widget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionProblems(Vec<OptionProblem>);

/// One thing that is wrong with the options of a widget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionProblem {
    /// How bad it is.
    pub severity: OptionSeverity,
    /// What it is, for the person who wrote the options. Never holds a secret.
    pub sentence: String,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OptionSeverity {
    /// The widget does without what is wrong; shown in edit mode.
    Note,
    /// The widget cannot work.
    Error,
}

impl OptionProblems {
    /// Changes the sentence of each, as to take out of it what nobody shall read.
    pub fn change(&mut self, change: impl Fn(&mut String)) {
        self.0.iter_mut().for_each(|problem| change(&mut problem.sentence));
    }

    /// The widget cannot work.
    pub fn error(&mut self, sentence: impl Into<String>) {
        self.0.push(OptionProblem { severity: OptionSeverity::Error, sentence: sentence.into() });
    }

    /// The widget does without what is wrong.
    pub fn note(&mut self, sentence: impl Into<String>) {
        self.0.push(OptionProblem { severity: OptionSeverity::Note, sentence: sentence.into() });
    }

    /// An error with this sentence, unless the condition holds.
    pub fn require(&mut self, condition: bool, sentence: &str) {
        if !condition {
            self.error(sentence);
        }
    }

    /// One that was found elsewhere.
    pub fn add(&mut self, problem: OptionProblem) {
        self.0.push(problem);
    }

    /// All of them, in the order in which they were found.
    #[must_use]
    pub fn all(&self) -> &[OptionProblem] {
        &self.0
    }

    /// The sentences of those that keep the widget from working.
    #[must_use]
    pub fn errors(&self) -> Vec<String> {
        let errors = self.0.iter().filter(|problem| problem.severity == OptionSeverity::Error);
        errors.map(|problem| problem.sentence.clone()).collect()
    }
}
