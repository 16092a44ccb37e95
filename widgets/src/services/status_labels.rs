//! Custom words for the states of monitored services, shared by the widgets of one uptime checker.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    OptionProblems,
    option_types::{Lenient, Text},
    panel::Phrase,
};

/// Custom words for states.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct StatusLabels {
    pub(crate) up: Text,
    pub(crate) down: Text,
    pub(crate) pending: Text,
    pub(crate) maintenance: Text,
    pub(crate) unknown: Text,
}

impl StatusLabels {
    /// Reports what is wrong with the option.
    pub(crate) fn check(option: &Lenient<Self>, problems: &mut OptionProblems) {
        if option.unknown().is_some() {
            problems.note("statusLabels must be a mapping such as { up: Online }; the usual words are used.");
        }
    }
}

/// The custom word for a state, or the usual one.
pub(crate) fn word(own: &Text, usual: &'static str) -> Phrase {
    own.get().map_or_else(|| usual.into(), Phrase::foreign)
}
