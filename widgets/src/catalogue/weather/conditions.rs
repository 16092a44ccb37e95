//! How the current weather is shown.

use crate::{
    Moment, Panel,
    panel::{Datum, Details, Fact, Facts, Part, Unit, WeatherDay, WeatherSummary},
    services::weather::{Conditions, Units, WeatherOptions, time_there, whole},
};

const SECONDS_OF_A_DAY: i64 = 86_400;

impl Conditions {
    pub(super) fn panel(self, units: Units, with_details: bool) -> Panel {
        let summary = WeatherSummary {
            icon: self.icon,
            night: self.night,
            temperature: units.degrees(self.temperature),
            lowest: None,
            description: self.description.clone(),
            label: Datum::text(&self.place),
            day: self.day(),
        };
        let mut parts: Vec<Part> = vec![summary.into()];
        parts.extend(WeatherOptions::unmatched_notice(&self.unmatched));
        let facts = self.facts(units);
        if with_details && !facts.facts.is_empty() {
            parts.push(Details { parts: vec![facts.into()], ..Details::default() }.into());
        }
        Panel::new(parts)
    }

    /// The whole day, in columns of two hours.
    fn day(&self) -> Option<WeatherDay> {
        let share = |at: Moment| {
            let seconds = (at.seconds() + i64::from(self.offset)).rem_euclid(SECONDS_OF_A_DAY);
            // A day has fewer seconds than a float can count.
            let share = seconds as f64 / SECONDS_OF_A_DAY as f64;
            (share * 1000.0).round() / 1000.0
        };
        let temperatures: Vec<_> =
            self.hours.chunks(2).map(|pair| pair.iter().copied().flatten().reduce(f64::max)).collect();
        let is_whole = self.hours.len() == 24 && temperatures.iter().flatten().count() > 1;
        let now = share(self.at.filter(|_| is_whole)?);
        Some(WeatherDay {
            temperatures,
            now,
            sun: self.sunrise.zip(self.sunset).map(|(rise, set)| (share(rise), share(set))),
        })
    }

    fn facts(&self, units: Units) -> Facts {
        Facts::present([
            Fact::new("Minimum", units.degrees(self.lowest)),
            Fact::new("Maximum", units.degrees(self.highest)),
            Fact::new("Feels like", units.degrees(self.feels_like)),
            Fact::new("Pressure", whole(self.pressure, Unit::Hectopascal)),
            Fact::new("Humidity", whole(self.humidity, Unit::Percent)),
            Fact::new("Visibility", units.distance(self.visibility_meters)),
            units.wind(self.wind, self.wind_direction),
            Fact::new("Gusts", units.speed(self.gusts)),
            Fact::new("Clouds", whole(self.clouds, Unit::Percent)),
            Fact::new("Rain", units.fallen(self.rain)),
            Fact::new("Snow", units.fallen(self.snow)),
            Fact::new("Sunrise", time_there(self.sunrise, self.offset)),
            Fact::new("Sunset", time_there(self.sunset, self.offset)),
        ])
    }
}
