//! What the weather of one day is like, and how it is shown.

use chrono::NaiveDate;

use super::Units;
use crate::{
    Moment,
    panel::{Datum, Decimals, Details, Fact, Facts, Paragraph, Part, Phrase, Style, Unit, WeatherIcon, WeatherSummary},
    services::calendar,
};

/// The weather of one day. Temperatures, speeds and amounts are in the measures that were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Day {
    /// The day in the calendar of the place.
    pub(super) date: NaiveDate,
    pub(super) icon: WeatherIcon,
    pub(super) description: Phrase,
    pub(super) lowest: Option<f64>,
    pub(super) highest: Option<f64>,
    pub(super) feels_like: Option<f64>,
    /// hPa.
    pub(super) pressure: Option<f64>,
    /// Percent.
    pub(super) humidity: Option<f64>,
    /// The strongest wind of the day.
    pub(super) wind: Option<f64>,
    /// Degrees, clockwise from north: where it comes from.
    pub(super) wind_direction: Option<f64>,
    pub(super) gusts: Option<f64>,
    /// Percent.
    pub(super) clouds: Option<f64>,
    /// Percent.
    pub(super) rain_chance: Option<f64>,
    pub(super) rain: Option<f64>,
    pub(super) snow: Option<f64>,
    pub(super) sunrise: Option<Moment>,
    pub(super) sunset: Option<Moment>,
    /// Seconds before UTC.
    pub(super) offset: i32,
}

impl Day {
    /// The day as one card. `today` is the day that it is at the place.
    pub(super) fn parts(&self, today: Option<NaiveDate>, units: Units, with_details: bool) -> Vec<Part> {
        let label = if today == Some(self.date) {
            Phrase::from("Today").into()
        } else {
            calendar::day(self.date, Style::ShortDate)
        };
        let summary = WeatherSummary {
            icon: self.icon,
            night: false,
            temperature: degrees(self.highest, units),
            lowest: Some(degrees(self.lowest, units)).filter(|lowest| !lowest.is_missing()),
            description: self.description.clone(),
            label,
        };
        let mut parts: Vec<Part> = vec![summary.into()];
        if let Some(chance) = self.rain_chance.map(f64::round).filter(|chance| *chance > 0.0) {
            let chance = Datum::percent(chance).decimals(Decimals::Exactly(0));
            let text = Phrase::from("Chance of rain {chance}").with("chance", chance);
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        let facts = self.facts(units);
        if with_details && !facts.facts.is_empty() {
            parts.push(Details { parts: vec![facts.into()], ..Details::default() }.into());
        }
        parts
    }

    fn facts(&self, units: Units) -> Facts {
        let number = |value: Option<f64>, unit: Unit| value.map_or(Datum::Missing, |value| Datum::number(value, unit));
        let whole = |value: Option<f64>, unit: Unit| number(value.map(f64::round), unit).decimals(Decimals::Exactly(0));
        let (speed, amount) = match units {
            Units::Metric => (Unit::MetersPerSecond, Unit::Millimeters),
            Units::Imperial => (Unit::MilesPerHour, Unit::Inches),
        };
        let fallen = |value: Option<f64>| {
            let fallen = value.map(|value| rounded(value, 100.0)).filter(|value| *value > 0.0);
            number(fallen, amount.clone())
        };
        let sun = |at: Option<Moment>| {
            at.map_or(Datum::Missing, |at| Datum::Time { at, style: Style::Time, offset: Some(self.offset) })
        };
        let wind = Fact {
            more: self.wind_direction.map(|degrees| Datum::number(degrees, Unit::Bearing)).into_iter().collect(),
            ..Fact::new("Wind", number(self.wind.map(|value| rounded(value, 10.0)), speed.clone()))
        };
        Facts::present([
            Fact::new("Minimum", degrees(self.lowest, units)),
            Fact::new("Maximum", degrees(self.highest, units)),
            Fact::new("Feels like", degrees(self.feels_like, units)),
            Fact::new("Pressure", whole(self.pressure, Unit::Hectopascal)),
            Fact::new("Humidity", whole(self.humidity, Unit::Percent)),
            wind,
            Fact::new("Gusts", number(self.gusts.map(|value| rounded(value, 10.0)), speed)),
            Fact::new("Clouds", whole(self.clouds, Unit::Percent)),
            Fact::new("Rain", fallen(self.rain)),
            Fact::new("Snow", fallen(self.snow)),
            Fact::new("Sunrise", sun(self.sunrise)),
            Fact::new("Sunset", sun(self.sunset)),
        ])
    }
}

fn degrees(value: Option<f64>, units: Units) -> Datum {
    let unit = match units {
        Units::Metric => Unit::Celsius,
        Units::Imperial => Unit::Fahrenheit,
    };
    value.map_or(Datum::Missing, |value| Datum::number(value.round(), unit).decimals(Decimals::Exactly(0)))
}

/// A value to the tenth or to the hundredth.
fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}
