//! What a value means.

use serde::{Deserialize, Serialize};

/// The meaning of a value, which determines its color (`--success`, `--warning`, ... of docs/spec/widgets.md 8).
///
/// There is one tone between good and bad, not a yellow and an orange one: themes define one such color, and in many of
/// them two could not be told apart. If the degree matters, the value names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Tone {
    /// No particular meaning.
    #[default]
    Plain,
    /// Good.
    Success,
    /// Not good yet.
    Warning,
    /// Bad.
    Danger,
    /// Worth knowing.
    Info,
    /// Off or unknown.
    Neutral,
    /// Black, because the config says so; no meaning.
    Black,
    /// White, because the config says so; no meaning.
    White,
}

/// Omits defaults from the data sent to a browser.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
