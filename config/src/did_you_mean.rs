//! Suggestions for mistyped keys and values.

use nearest::nearest;

/// The known word that was probably meant, as a question in brackets after a space; empty if none is similar. Case does not
/// count.
pub(crate) fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(written, known).map(|word| format!(" (did you mean `{word}`?)")).unwrap_or_default()
}
