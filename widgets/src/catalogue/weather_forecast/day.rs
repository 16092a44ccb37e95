//! How the weather of one day is shown.

use jiff::civil::Date;

use crate::{
    panel::{Datum, Decimals, Fact, Facts, ForecastDay, Phrase, Style, Unit},
    services::{
        calendar,
        weather::{Day, Units, time_there, whole},
    },
};

impl Day {
    /// The day as shown. `today` is the current date at the place.
    pub(super) fn forecast_day(&self, today: Option<Date>, units: Units, with_details: bool) -> ForecastDay {
        let label = if today == Some(self.date) {
            Phrase::from("Today").into()
        } else {
            calendar::day(self.date, Style::ShortDate)
        };
        let rain = self.rain_chance.map(f64::round).filter(|chance| *chance > 0.0);
        let facts = self.facts(units);
        ForecastDay {
            label,
            icon: self.icon,
            description: self.description.clone(),
            // The details name the unit.
            lowest: whole(self.lowest, Unit::Sign("°".to_owned())),
            highest: whole(self.highest, Unit::Sign("°".to_owned())),
            rain: rain.map(|chance| Datum::percent(chance).decimals(Decimals::Exactly(0))).into(),
            parts: if with_details && !facts.facts.is_empty() { vec![facts.into()] } else { Vec::new() },
        }
    }

    fn facts(&self, units: Units) -> Facts {
        Facts::present([
            Fact::new("Minimum", units.degrees(self.lowest)),
            Fact::new("Maximum", units.degrees(self.highest)),
            Fact::new("Feels like", units.degrees(self.feels_like)),
            Fact::new("Pressure", whole(self.pressure, Unit::Hectopascal)),
            Fact::new("Humidity", whole(self.humidity, Unit::Percent)),
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
