//! What is wrong with the options of a widget.

use serde::{Deserialize, Serialize};

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
