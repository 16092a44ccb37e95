//! Where the files of themes come from.

use std::{borrow::Cow, sync::OnceLock};

/// Finds a file below `style/`, such as `themes/nord.toml`.
pub type Source = fn(&str) -> Option<String>;

/// See [`read_from`].
static SOURCE: OnceLock<Source> = OnceLock::new();

/// Reads themes and traits from `source` where it has them, and not from the program. For development: a changed theme is seen
/// without compiling. Has no effect once a theme has been used.
pub fn read_from(source: Source) {
    _ = SOURCE.set(source);
}

/// The text of a file below `style/`: the given one, or that of [`read_from`].
pub(crate) fn text_of(path: &str, built_in: &'static str) -> Cow<'static, str> {
    SOURCE.get().and_then(|source| source(path)).map_or(Cow::Borrowed(built_in), Cow::Owned)
}
