//! Times. Only the browser knows the viewer's zone and language, so [`super::live`] fills in the text.

use leptos::prelude::*;
use widgets::{
    Moment,
    panel::{TimeFormat, TimeParts},
};

/// A time; empty until the viewer's zone is known.
#[component]
pub fn Time(
    at: Moment,
    /// How it is shown, as a word that [`super::live`] knows.
    style: &'static str,
    /// The zone in which it is shown, in seconds ahead of UTC; `None` means the viewer's.
    #[prop(optional_no_strip)]
    offset: Option<i32>,
) -> impl IntoView {
    view! { <time datetime=iso(at) data-style=style data-offset=offset.map(|offset| offset.to_string())></time> }
}

/// A time in a format of its own; empty until the viewer's zone is known. The options of the browser's formatter are
/// an attribute, as `name value name value`.
#[component]
pub fn FormattedTime<'a>(at: Moment, format: &'a TimeFormat, offset: Option<i32>) -> impl IntoView {
    let style = if matches!(format.parts, TimeParts::Relative { .. }) { "relative" } else { "date" };
    let words: Vec<&str> = format.options().into_iter().flat_map(|(name, value)| [name, value]).collect();
    view! {
        <time
            datetime=iso(at)
            data-style=style
            data-offset=offset.map(|offset| offset.to_string())
            data-locale=format.locale.clone()
            data-format=words.join(" ")
        ></time>
    }
}

/// A range of days; empty until the viewer's language is known.
#[component]
pub fn Days(first: Moment, last: Moment) -> impl IntoView {
    view! { <time datetime=iso(first) data-until=iso(last) data-style="day" data-offset="0"></time> }
}

/// The time in UTC in machine-readable form, `2026-11-21T09:00:00Z`.
pub fn iso(at: Moment) -> String {
    let (days, seconds) = (at.seconds().div_euclid(86_400), at.seconds().rem_euclid(86_400));
    // Days are counted from 1 March of year zero, so that a leap day is the last of its year.
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
