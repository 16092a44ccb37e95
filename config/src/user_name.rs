//! When two user names mean the same user.

use caseless::Caseless as _;
use unicode_normalization::UnicodeNormalization as _;

/// A user name in the form in which names are compared: without differences of case, width and ligatures (Unicode 3.13,
/// compatibility caseless matching, with the composed forms). `Karl` with the Kelvin sign is `karl`, and `STRASSE` is
/// `straße`.
pub fn folded_name(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let fold = |text: &str| text.nfkc().default_case_fold().nfkc().collect::<String>();
    // Composing can make another letter that folds.
    fold(&fold(name))
}
