//! Large counts in few digits. The browser formats them like other numbers ([`super::live`]).

use leptos::{either::Either, prelude::*};
use widgets::panel::{Decimals, Unit};

use super::{
    number::Number,
    scale::{Scale, digits, exact},
};
use crate::words::in_digits;

/// A count of at most four digits, such as "1.2 M", with the whole number as its title.
#[component]
pub fn ShortNumber(value: f64, signed: bool) -> impl IntoView {
    let scale = Scale::short(value);
    if scale.divisor <= 1.0 {
        let number = view! { <Number value unit=&Unit::None decimals=Decimals::Usual signed/> };
        return Either::Left(number);
    }
    let scaled = value / scale.divisor;
    let max = if scaled.abs() < 10.0 { 2 } else { 1 };
    let plus = if signed && value > 0.0 { "+" } else { "" };
    let text = in_digits([plus, &digits(scaled, 0, max), &scale.sign].concat());
    Either::Right(view! {
        <data
            value=exact(value)
            data-digits=["0 ", &max.to_string()].concat()
            data-divisor=exact(scale.divisor)
            data-sign=scale.sign
            data-signed=signed.then_some("exceptZero")
            title=in_digits(grouped(value))
        >
            {text}
        </data>
    })
}

/// A whole number with narrow spaces between its thousands, which people of every language understand.
fn grouped(value: f64) -> String {
    let digits = digits(value, 0, 0);
    let mut text = String::new();
    for (position, digit) in digits.char_indices() {
        let is_between = (digits.len() - position).is_multiple_of(3);
        if is_between && text.ends_with(|last: char| last.is_ascii_digit()) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}
