//! Names of config files (docs/spec/api.md 5.1).

use std::fmt::{self, Display, Formatter};

/// Longest name in bytes.
const LONGEST: usize = 255;

/// A name that can only be a config file directly in the user-data directory.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FileName(String);

/// The text is not the name of a config file.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error(
    "invalid file name: it must be a bare name of at most 255 bytes that ends with .yml or .yaml and does not begin \
     with a dot"
)]
pub struct FileNameError;

impl FileName {
    /// Parses a percent-decoded name.
    ///
    /// # Errors
    ///
    /// [`FileNameError`] for everything that names a directory, a hidden file, or another kind of file.
    pub fn parse(text: &str) -> Result<Self, FileNameError> {
        let lower = text.to_ascii_lowercase();
        let valid = (1..=LONGEST).contains(&text.len())
            && !text.starts_with('.')
            && !text.chars().any(|character| matches!(character, '/' | '\\') || character.is_control())
            && (lower.ends_with(".yml") || lower.ends_with(".yaml"));
        if valid { Ok(Self(text.to_owned())) } else { Err(FileNameError) }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for FileName {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
