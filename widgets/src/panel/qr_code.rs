//! A text as a QR code.

use serde::{Deserialize, Serialize};

use super::Phrase;

/// A QR code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct QrCode {
    /// What it contains, for screen readers.
    pub label: Phrase,
    /// Its rows: `#` for dark, `.` for light.
    pub rows: Vec<String>,
}

#[cfg(feature = "server")]
impl QrCode {
    /// The code for a text. `None` if the text is too long.
    #[must_use]
    pub fn new(label: impl Into<Phrase>, text: &str) -> Option<Self> {
        let code = qrcode::QrCode::new(text).ok()?;
        let letter = |color: &qrcode::Color| if *color == qrcode::Color::Dark { '#' } else { '.' };
        let rows = code.to_colors().chunks(code.width()).map(|row| row.iter().map(letter).collect()).collect();
        Some(Self { label: label.into(), rows })
    }
}
