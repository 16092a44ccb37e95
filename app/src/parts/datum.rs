//! Values as markup. What depends on a language or a zone carries its value in attributes, from which [`super::live`]
//! writes it after hydration.

use widgets::{
    Moment,
    panel::{Datum, Decimals, Link, SafeUrl, Style, Unit},
};

use super::{
    markup::Markup,
    number::{self, Kind, Scale},
    phrase, symbols,
};

/// Stands for a value that is missing.
pub const DASH: &str = "–";

/// Writes a value.
pub fn write(datum: &Datum, m: &mut Markup) {
    match datum {
        Datum::Missing => m.element("span", "missing", DASH),
        Datum::Text(text) => m.text(text),
        Datum::Words(words) => phrase::write(words, m),
        Datum::Number { value, unit, decimals, signed } => write_number(*value, unit, *decimals, *signed, m),
        Datum::Time { at, style, offset } => write_time(*at, style_word(*style), *offset, m),
        Datum::Days { first, last } => write_days(*first, *last, m),
        Datum::Flag(yes) => {
            m.trusted(if *yes { symbols::CHECK } else { symbols::CROSS });
            m.element("span", "visually-hidden", phrase::ours(if *yes { "Yes" } else { "No" }));
        }
        Datum::Link(Link { text, url }) => {
            open_link(url, "", m);
            phrase::write(text, m);
            m.close();
        }
    }
}

/// Writes some values with a space between them.
pub fn write_all<'a>(data: impl IntoIterator<Item = &'a Datum>, m: &mut Markup) {
    for datum in data {
        m.text(" ");
        write(datum, m);
    }
}

/// Opens a link in a new tab, which does not learn where it was clicked.
pub fn open_link(url: &SafeUrl, class: &str, m: &mut Markup) {
    let href = address(url, m);
    m.open("a", class);
    m.attr("href", &href);
    m.fixed(r#"target="_blank" rel="noopener noreferrer""#);
}

/// An address as the page needs it: a path of this server is below the page's base.
pub fn address(url: &SafeUrl, m: &Markup) -> String {
    let mut address = String::new();
    if !url.is_remote() && url.as_str().starts_with('/') {
        address.push_str(&m.surroundings.base);
    }
    address.push_str(url.as_str());
    address
}

/// Writes a number.
pub fn write_number(value: f64, unit: &Unit, decimals: Decimals, signed: bool, m: &mut Markup) {
    match unit {
        Unit::Bearing => return m.text(phrase::ours(compass(value))),
        Unit::Seconds => {
            m.open("data", "");
            m.attr("value", &number::exact(value));
            m.attr("data-unit", "seconds");
            let both = matches!(decimals, Decimals::Exactly(_));
            if both {
                m.fixed("data-both");
            }
            m.text(&plain_duration(value, both));
        }
        Unit::DaysAhead => {
            m.open("data", "");
            m.attr("value", &number::exact(value));
            m.attr("data-unit", "days-ahead");
            m.text(&plain_days(value));
        }
        _ => return write_scaled(value, &Scale::of(value, unit), decimals, signed, m),
    }
    m.close();
}

/// Writes a change: an arrow in the place of its sign.
#[cfg(feature = "ssr")]
pub fn write_change(datum: &Datum, m: &mut Markup) {
    let Datum::Number { value, unit, decimals, .. } = datum else { return write(datum, m) };
    let (arrow, word) = match is_negative(datum) {
        Some(true) => (symbols::DOWN, "fallen by "),
        Some(false) => (symbols::UP, "risen by "),
        None => ("", ""),
    };
    m.trusted(arrow);
    if !word.is_empty() {
        m.element("span", "visually-hidden", phrase::ours(word));
    }
    let scale = Scale::of(*value, unit);
    open_number(*value, &scale, *decimals, m);
    m.attr("data-signed", "never");
    m.text(&scale.neutral(value.abs(), *decimals, false));
    m.close();
}

/// Writes a number on a scale that was chosen for several.
pub fn write_scaled(value: f64, scale: &Scale, decimals: Decimals, signed: bool, m: &mut Markup) {
    open_number(value, scale, decimals, m);
    if signed {
        m.attr("data-signed", "exceptZero");
    }
    m.text(&scale.neutral(value, decimals, signed));
    m.close();
}

/// Opens the element of a number, with what the browser needs to write it.
fn open_number(value: f64, scale: &Scale, decimals: Decimals, m: &mut Markup) {
    let (least, most) = scale.digits(value / scale.divisor, decimals);
    let mut digits = least.to_string();
    digits.push(' ');
    digits.push_str(&most.to_string());
    m.open("data", "");
    m.attr("value", &number::exact(value));
    m.attr("data-digits", &digits);
    if scale.divisor > 1.0 {
        m.attr("data-divisor", &number::exact(scale.divisor));
    }
    match &scale.kind {
        Kind::Plain if scale.sign.is_empty() => {}
        Kind::Plain => m.attr("data-sign", &scale.sign),
        Kind::Percent => m.attr("data-unit", "percent"),
        Kind::Currency(code) => m.attr("data-unit", code),
    }
}

/// Writes a time; empty until the viewer's zone is known.
pub fn write_time(at: Moment, style: &'static str, offset: Option<i32>, m: &mut Markup) {
    open_time(at, style, offset, m);
    m.close();
}

/// Opens the element of a time. What stands in it gives way as soon as the viewer's zone is known.
pub fn open_time(at: Moment, style: &'static str, offset: Option<i32>, m: &mut Markup) {
    m.open("time", "");
    m.attr("datetime", &iso(at));
    m.attr("data-style", style);
    if let Some(offset) = offset {
        m.number_attr("data-offset", offset.into());
    }
}

/// Writes the days from one to another; empty until the viewer's language is known.
fn write_days(first: Moment, last: Moment, m: &mut Markup) {
    m.open("time", "");
    m.attr("datetime", &iso(first));
    m.attr("data-until", &iso(last));
    m.attr("data-style", "day");
    m.number_attr("data-offset", 0);
    m.close();
}

/// A value as text without markup, for attributes.
#[cfg(feature = "ssr")]
pub fn plain(datum: &Datum) -> String {
    match datum {
        Datum::Missing => DASH.to_owned(),
        Datum::Text(text) => text.clone(),
        Datum::Words(words) => phrase::plain(words),
        Datum::Number { value, unit: Unit::Seconds, decimals, .. } => {
            plain_duration(*value, matches!(decimals, Decimals::Exactly(_)))
        }
        Datum::Number { value, unit: Unit::DaysAhead, .. } => plain_days(*value),
        Datum::Number { value, unit: Unit::Bearing, .. } => phrase::ours(compass(*value)).to_owned(),
        Datum::Number { value, unit, decimals, signed } => Scale::of(*value, unit).neutral(*value, *decimals, *signed),
        Datum::Time { at, .. } => iso(*at),
        Datum::Days { first, last } => [iso(*first), iso(*last)].join(DASH),
        Datum::Flag(yes) => phrase::ours(if *yes { "Yes" } else { "No" }).to_owned(),
        Datum::Link(Link { text, .. }) => phrase::plain(text),
    }
}

/// Whether a value has a sign, and which.
pub fn is_negative(datum: &Datum) -> Option<bool> {
    match datum {
        Datum::Number { value, .. } if *value != 0.0 => Some(*value < 0.0),
        _ => None,
    }
}

fn style_word(style: Style) -> &'static str {
    match style {
        Style::Date => "date",
        Style::ShortDate => "short",
        Style::Time => "time",
        Style::DateTime => "exact",
        Style::Weekday => "weekday",
        Style::Relative => "relative",
    }
}

fn plain_days(days: f64) -> String {
    match number::digits(days, 0, 0).as_str() {
        "0" => phrase::ours("today").to_owned(),
        "1" => phrase::ours("tomorrow").to_owned(),
        days => [phrase::ours("in "), days, phrase::ours(" days")].concat(),
    }
}

fn plain_duration(seconds: f64, both: bool) -> String {
    let mut text = String::new();
    if seconds < -0.5 {
        text.push('-');
    }
    for (position, (count, unit)) in number::duration(seconds, both).into_iter().enumerate() {
        if position > 0 {
            text.push_str(", ");
        }
        text.push_str(&count.to_string());
        text.push('\u{a0}');
        text.push_str(unit);
        if count != 1 {
            text.push('s');
        }
    }
    text
}

fn compass(angle: f64) -> &'static str {
    const POINTS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    #[allow(clippy::cast_possible_truncation)]
    let position = (angle / 45.0 + 0.5).floor() as i64;
    POINTS[usize::try_from(position.rem_euclid(8)).unwrap_or_default()]
}

/// The time in UTC as machines read it, `2026-11-21T09:00:00Z`.
pub fn iso(at: Moment) -> String {
    let (days, seconds) = (at.seconds().div_euclid(86_400), at.seconds().rem_euclid(86_400));
    // Days are counted from 1 March of the year zero, so that a leap day is the last of its year.
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);

    let mut text = String::new();
    let pieces = [(year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (seconds / 3600, 2, ":")];
    for (value, width, end) in pieces.into_iter().chain([(seconds / 60 % 60, 2, ":"), (seconds % 60, 2, "Z")]) {
        let digits = value.to_string();
        for _ in digits.len()..width {
            text.push('0');
        }
        text.push_str(&digits);
        text.push_str(end);
    }
    text
}
