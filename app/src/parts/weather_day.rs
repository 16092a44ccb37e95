//! The temperatures of a day as columns, with the light of the day behind them.

use std::{cmp::Ordering, fmt::Write as _};

use leptos::prelude::*;
use widgets::panel::WeatherDay;

use super::{
    phrase::ours,
    share::{per_mille, tenths},
};

/// Where the columns stand, in pixels from the top, and how high the lowest and the highest of them are. The width of the
/// drawing is that of the panel.
const GROUND: i64 = 82;
const LOWEST: i64 = 8;
const HIGHEST: i64 = 58;
/// What part of its room a column takes, in thousandths.
const COLUMN: i64 = 620;
/// Hours that are written below the columns.
const HOURS: [i64; 3] = [6, 12, 18];

/// The day; nothing if no temperature is known.
#[component]
pub fn Day<'a>(day: &'a WeatherDay) -> impl IntoView {
    drawing(day).map(|drawing| {
        let label = ours("The temperatures of the day");
        view! { <svg class="weather-day" width="100%" height="104" role="img" aria-label=label inner_html=drawing></svg> }
    })
}

/// The light, the columns with some of their numbers, and the hours.
fn drawing(day: &WeatherDay) -> Option<String> {
    let temperatures = &day.temperatures;
    let known = || temperatures.iter().flatten().copied().filter(|value| value.is_finite());
    let (low, high) = (known().reduce(f64::min)?, known().reduce(f64::max)?);
    let count = i64::try_from(temperatures.len()).ok()?;
    let now = (per_mille(day.now) * count / 1000).min(count - 1);
    let labeled = labeled(temperatures, now, low, high);
    let mut svg = String::from("<g fill=\"currentColor\" font-size=\"12\" text-anchor=\"middle\">");
    if let Some((rise, set)) = day.sun.filter(|(rise, set)| rise < set) {
        let (rise, set) = (per_mille(rise), per_mille(set));
        let (x, width) = (tenths(rise), tenths(set - rise));
        _ = write!(svg, "<rect x=\"{x}%\" width=\"{width}%\" height=\"{GROUND}\" class=\"daylight\"/>");
    }
    for (position, temperature) in (0..).zip(temperatures) {
        let Some(temperature) = temperature.filter(|value| value.is_finite()) else { continue };
        let share = if high > low { (temperature - low) / (high - low) } else { 0.5 };
        let height = LOWEST + per_mille(share) * (HIGHEST - LOWEST) / 1000;
        let top = GROUND - height;
        let (x, width) = (place(position * 1000 + (1000 - COLUMN) / 2, count), place(COLUMN, count));
        let class = match position.cmp(&now) {
            Ordering::Less => "past",
            Ordering::Equal => "now",
            Ordering::Greater => "ahead",
        };
        _ = write!(svg, "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" class=\"{class}\"/>");
        if labeled.contains(&position) {
            let (x, y) = (place(position * 1000 + 500, count), top - 6);
            let weight = if position == now { "600" } else { "400" };
            // Negative zero has no sign.
            let degrees = temperature.round() + 0.0;
            _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" font-weight=\"{weight}\">{degrees}°</text>");
        }
    }
    for hour in HOURS {
        _ = write!(svg, "<text x=\"{}\" y=\"99\" opacity=\".75\">{hour}</text>", place(hour * 1000, 24));
    }
    svg.push_str("</g>");
    Some(svg)
}

/// The columns with numbers: now, and the first highest and lowest if they are not beside it or each other.
fn labeled(temperatures: &[Option<f64>], now: i64, low: f64, high: f64) -> Vec<i64> {
    let mut labeled = vec![now];
    for wanted in [high, low] {
        let found = (0..).zip(temperatures).find(|(_, temperature)| **temperature == Some(wanted));
        if let Some((position, _)) = found
            && labeled.iter().all(|other: &i64| (other - position).abs() > 1)
        {
            labeled.push(position);
        }
    }
    labeled
}

/// A place in thousandths of a column, where there are `count` columns, as an attribute.
fn place(thousandths: i64, count: i64) -> String {
    tenths(thousandths / count) + "%"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(temperatures: &[f64], now: f64) -> WeatherDay {
        WeatherDay { temperatures: temperatures.iter().copied().map(Some).collect(), now, sun: Some((0.25, 0.75)) }
    }

    #[test]
    fn a_day_has_a_column_for_each_piece_and_marks_the_present() {
        let svg = drawing(&day(&[1.0, -0.4, 2.0, 5.4, 3.0, 2.0], 0.0)).unwrap();
        // One of them is the light of the day.
        assert_eq!(svg.matches("<rect").count(), 7, "{svg}");
        assert_eq!(
            ["now", "past", "ahead"].map(|class| svg.matches(&format!("class=\"{class}\"")).count()),
            [1, 0, 5],
            "{svg}"
        );
        assert!(svg.contains("<rect x=\"25%\" width=\"50%\""), "{svg}");
        // The lowest is beside the present, so only the highest has a number too.
        for text in ["font-weight=\"600\">1°<", "font-weight=\"400\">5°<", ">6<", ">12<", ">18<"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert!(!svg.contains("0°"), "{svg}");
    }

    #[test]
    fn a_day_without_temperatures_is_not_drawn() {
        assert_eq!(drawing(&day(&[], 0.5)), None);
        assert_eq!(drawing(&WeatherDay { temperatures: vec![None, Some(f64::NAN)], ..WeatherDay::default() }), None);
        assert!(drawing(&day(&[3.0, 3.0], 1.0)).unwrap().contains("class=\"now\""));
    }
}
