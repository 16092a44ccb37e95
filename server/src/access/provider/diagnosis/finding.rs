//! What the diagnosis finds.

/// The severity of a finding.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FindingSeverity {
    /// Correct.
    Good,
    /// Worth knowing; signing in may still work.
    Note,
    /// Signing in cannot work, or not for admins.
    Problem,
}

/// A finding.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// Its severity.
    pub severity: FindingSeverity,
    /// The finding in one sentence.
    pub text: String,
}

#[derive(Debug, Default)]
pub(super) struct Findings(pub(super) Vec<Finding>);

impl Findings {
    pub(super) fn good(&mut self, text: impl Into<String>) {
        self.0.push(Finding { severity: FindingSeverity::Good, text: text.into() });
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.0.push(Finding { severity: FindingSeverity::Note, text: text.into() });
    }

    pub(super) fn problem(&mut self, text: impl Into<String>) {
        self.0.push(Finding { severity: FindingSeverity::Problem, text: text.into() });
    }
}
