//! The weather of several days, with the bars of their temperatures on one scale.

use widgets::panel::{Datum, Forecast, ForecastDay};

use super::{datum, markup::Markup, phrase, symbols, text, weather, write_parts};

/// The days.
pub fn forecast(forecast: &Forecast, m: &mut Markup) {
    if forecast.days.is_empty() {
        return text::empty("Nothing to show", m);
    }
    let scale = Scale::of(&forecast.days);
    m.open("ul", "part part-forecast");
    for day in &forecast.days {
        m.open("li", "");
        if day.parts.is_empty() {
            m.open("div", "day");
            self::day(day, scale.as_ref(), m);
            m.close();
        } else {
            m.open("details", "");
            m.open("summary", "day");
            self::day(day, scale.as_ref(), m);
            m.trusted(symbols::CHEVRON);
            m.close();
            m.open("div", "details-parts");
            write_parts(&day.parts, m);
            m.close();
            m.close();
        }
        m.close();
    }
    m.close();
}

fn day(day: &ForecastDay, scale: Option<&Scale>, m: &mut Markup) {
    weather::sky(day.icon, false, m);
    m.open("span", "day-words");
    m.open("span", "day-label");
    datum::write(&day.label, m);
    m.close();
    if !day.description.is_empty() {
        m.open("span", "day-description");
        // There may be no room for all of it.
        m.attr("title", &phrase::plain(&day.description));
        phrase::write(&day.description, m);
        m.close();
    }
    m.close();
    if !day.rain.is_missing() {
        m.open("span", "day-rain");
        m.trusted(symbols::DROP);
        m.element("span", "visually-hidden", phrase::ours("Chance of rain "));
        datum::write(&day.rain, m);
        m.close();
    }
    m.open("span", "day-range");
    m.open("svg", "range");
    m.attr("aria-hidden", "true");
    if let (Some(scale), Some(lowest), Some(highest)) = (scale, number(&day.lowest), number(&day.highest)) {
        let (from, to) = (scale.per_mille(lowest.min(highest)), scale.per_mille(highest.max(lowest)));
        // A day that is no warmer than it is cold is a dot.
        let width = (to - from).max(SHORTEST);
        m.open("rect", "fill");
        m.attr("x", &percent(from.min(1000 - width)));
        m.attr("width", &percent(width));
        m.fixed(r#"height="100%" rx="3""#);
        m.close();
    }
    m.close();
    // A service may not know them yet for the last days.
    if !(day.highest.is_missing() && day.lowest.is_missing()) {
        m.open("span", "day-temperatures");
        temperature("highest", "highest ", &day.highest, m);
        m.element("span", "", " / ");
        temperature("lowest", "lowest ", &day.lowest, m);
        m.close();
    }
    m.close();
}

fn temperature(class: &'static str, word: &str, value: &Datum, m: &mut Markup) {
    m.open("span", class);
    m.element("span", "visually-hidden", phrase::ours(word));
    datum::write(value, m);
    m.close();
}

/// The shortest bar, in thousandths of the scale.
const SHORTEST: i64 = 40;

/// From the coldest to the warmest of all days.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(days: &[ForecastDay]) -> Option<Self> {
        let all = || days.iter().flat_map(|day| [&day.lowest, &day.highest]).filter_map(number);
        Some(Self { low: all().reduce(f64::min)?, high: all().reduce(f64::max)? })
    }

    fn per_mille(&self, value: f64) -> i64 {
        if self.high > self.low { super::meter::per_mille((value - self.low) / (self.high - self.low)) } else { 500 }
    }
}

fn number(datum: &Datum) -> Option<f64> {
    match datum {
        Datum::Number { value, .. } => Some(*value),
        _ => None,
    }
}

fn percent(mille: i64) -> String {
    format!("{}.{}%", mille / 10, mille % 10)
}
