//! Shares of a whole: in thousandths, in percent, and as a piece of a line.

use widgets::panel::{Datum, Phrase, Slice, Unit};

use super::{phrase::ours, value::plain};

/// A piece of a line with a total length of a thousand, as the attributes `stroke-dasharray` and `stroke-dashoffset`.
pub struct Dashes {
    /// The piece and the gap after it.
    pub array: Option<String>,
    /// Where it begins.
    pub offset: Option<String>,
}

impl Dashes {
    /// The whole line.
    pub const WHOLE: Self = Self { array: None, offset: None };

    /// A piece of it.
    pub fn piece(from: i64, length: i64) -> Self {
        // If the gap were only as long as the rest, rounding would close it.
        let array = Some([length.to_string().as_str(), " 2000"].concat());
        Self { array, offset: (from > 0).then(|| (-from).to_string()) }
    }
}

/// A share in thousandths, clamped to the whole.
pub fn per_mille(share: f64) -> i64 {
    // Clamped, so the cast is exact; NaN becomes zero.
    (share.clamp(0.0, 1.0) * 1000.0 + 0.5) as i64
}

/// A share as a percentage with at most one decimal.
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

/// The name of a share for screen readers.
pub fn share_label(words: &Phrase) -> String {
    if words.is_empty() { ours("Share").to_owned() } else { plain(words) }
}

/// The sum of the sizes of slices.
pub fn total(slices: &[Slice]) -> f64 {
    slices.iter().map(size).sum()
}

/// The size of a slice; an invalid size counts as zero.
pub fn size(slice: &Slice) -> f64 {
    if slice.size.is_finite() { slice.size.max(0.0) } else { 0.0 }
}

/// A size as a share of the whole, which may be nothing.
pub fn of_total(size: f64, total: f64) -> f64 {
    if total > 0.0 { size / total } else { 0.0 }
}

/// Where each slice begins and how long it is, in thousandths of the whole.
pub fn pieces(slices: &[Slice]) -> Vec<(i64, i64)> {
    let (total, mut sum) = (total(slices), 0.0);
    let piece = |slice: &Slice| {
        let from = per_mille(of_total(sum, total));
        sum += size(slice);
        (from, per_mille(of_total(sum, total)) - from)
    };
    slices.iter().map(piece).collect()
}
