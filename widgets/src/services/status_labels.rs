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
    pub(crate) up: Lenient<Text>,
    pub(crate) down: Lenient<Text>,
    pub(crate) pending: Lenient<Text>,
    pub(crate) maintenance: Lenient<Text>,
    pub(crate) unknown: Lenient<Text>,
}

impl StatusLabels {
    /// Reports what is wrong with the option.
    pub(crate) fn check(option: &Lenient<Self>, problems: &mut OptionProblems) {
        if option.unknown().is_some() {
            problems.note("statusLabels must be a mapping such as { up: Online }; the usual words are used.");
        }
        let Some(labels) = option.get() else { return };
        for (state, word) in [
            ("up", &labels.up),
            ("down", &labels.down),
            ("pending", &labels.pending),
            ("maintenance", &labels.maintenance),
            ("unknown", &labels.unknown),
        ] {
            if word.unknown().is_some() {
                problems.note(format!("statusLabels: {state} must be text; the usual word is used."));
            }
        }
    }
}

/// The custom word for a state, or the usual one.
pub(crate) fn word(own: &Lenient<Text>, usual: &'static str) -> Phrase {
    own.get().and_then(Text::get).map_or_else(|| usual.into(), Phrase::foreign)
}
