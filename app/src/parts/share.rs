//! Shares of a whole, for what is partly full: in thousandths, in percent, as a piece of a line.

use widgets::panel::{Datum, Phrase, Unit};

use super::phrase::{ours, plain};

/// A piece of a line whose whole length is a thousand, as the attributes `stroke-dasharray` and `stroke-dashoffset`.
pub struct Dashes {
    /// The piece and what follows it.
    pub array: Option<String>,
    /// Where it begins.
    pub offset: Option<String>,
}

impl Dashes {
    /// The whole line.
    pub const WHOLE: Self = Self { array: None, offset: None };

    /// A piece of it.
    pub fn piece(from: i64, length: i64) -> Self {
        // A gap as long as the rest would be closed by rounding.
        let array = Some([length.to_string().as_str(), " 2000"].concat());
        Self { array, offset: (from > 0).then(|| (-from).to_string()) }
    }
}

/// A share of a whole in thousandths, within the whole.
pub fn per_mille(share: f64) -> i64 {
    // Clamped, so nothing is lost; what is not a number is nothing.
    #[allow(clippy::cast_possible_truncation)]
    let mille = (share.clamp(0.0, 1.0) * 1000.0 + 0.5) as i64;
    mille
}

/// A share as a percentage with one decimal at most.
pub fn percent(share: f64) -> Datum {
    Datum::number((share * 1000.0 + 0.5).floor() / 10.0, Unit::Percent)
}

/// Thousandths as a percentage, for attributes.
pub fn tenths(mille: i64) -> String {
    let mut text = (mille / 10).to_string();
    if mille % 10 > 0 {
        text.push('.');
        text.push_str(&(mille % 10).to_string());
    }
    text
}

/// What is read aloud as the name of a share.
pub fn share_label(words: &Phrase) -> String {
    if words.is_empty() { ours("Share").to_owned() } else { plain(words) }
}
