//! The order in which people expect names: `Disk 2` before `Disk 10`, regardless of case.

use std::cmp::Ordering;

/// Compares two names.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    let (lower_one, lower_other) = (one.to_lowercase(), other.to_lowercase());
    let (mut left, mut right) = (lower_one.as_str(), lower_other.as_str());
    while let (Some(a), Some(b)) = (left.chars().next(), right.chars().next()) {
        let order = if a.is_ascii_digit() && b.is_ascii_digit() {
            let (number_a, rest_a) = split_number(left);
            let (number_b, rest_b) = split_number(right);
            (left, right) = (rest_a, rest_b);
            number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b))
        } else {
            (left, right) = (&left[a.len_utf8()..], &right[b.len_utf8()..]);
            a.cmp(&b)
        };
        if order.is_ne() {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| one.cmp(other))
}

/// The number at the beginning, without leading zeros, and what follows.
fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].trim_start_matches('0'), &text[end..])
}
