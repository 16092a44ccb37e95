//! What the weather widgets share in their options: the place, the units and the provider.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    data::{Conditions, Forecast},
    openweathermap_parts,
    values::Units,
};
use crate::{
    Audience, Entry, FetchError, OptionProblems, WidgetContext,
    option_types::{Lenient, Number, Secret, Text},
    panel::{Link, Notice, Part, Phrase},
    services,
};

/// How often the services have new data, at best.
const SHORTEST_UPDATE: Duration = Duration::from_secs(600);

/// The place, the units, and the provider. Flattened into the options of the widgets.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct WeatherOptions {
    /// Key for OpenWeatherMap; a free one covers 5 days. Without it, Open-Meteo is used, which needs none.
    pub(super) api_key: Secret,
    /// The place, such as {example}, `London,GB` or `Portland,OR,US`. Required without `cityId`, or `lat` and `lon`.
    #[schemars(extend("x-example" = "London"))]
    pub(super) city: Text,
    /// The number of the place at OpenWeatherMap, such as {example} for London. It takes precedence over `city`, which then is
    /// only the displayed name. Optional.
    #[schemars(extend("x-example" = "2643743"))]
    pub(super) city_id: Text,
    /// `metric`, the default, for °C and m/s, `imperial` for °F and mph.
    pub(super) units: Lenient<Units>,
    /// Latitude. With `lon`, takes precedence over `city`, which then is only the displayed name. Optional.
    pub(super) lat: Option<Number>,
    /// Longitude. Optional.
    pub(super) lon: Option<Number>,
    /// The weather service. Without it, OpenWeatherMap if there is a key, else Open-Meteo.
    pub(super) provider: Lenient<Provider>,
    /// Language of the descriptions from OpenWeatherMap, such as {example}. Without it, the viewer's.
    #[schemars(extend("x-example" = "de"))]
    pub(super) lang: Text,
}

/// The weather service to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Provider {
    Openweathermap,
    #[serde(rename = "open-meteo")]
    OpenMeteo,
}

/// Where a place is, and its name if known.
pub(crate) struct Position {
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    pub(crate) name: Option<String>,
    /// The parts of the option `city` that match nothing.
    pub(crate) unmatched: Vec<String>,
}

/// A source of weather.
pub(crate) trait WeatherSource {
    /// The current weather.
    ///
    /// # Errors
    ///
    /// The source does not know the place, has no weather, or rejects its key.
    fn current(&self, context: &dyn WidgetContext) -> impl Future<Output = Result<Conditions, FetchError>>;

    /// The weather of so many days, today included, or of fewer if the source has no more.
    ///
    /// # Errors
    ///
    /// The source does not know the place, or rejects its key.
    fn forecast(&self, days: usize, context: &dyn WidgetContext) -> impl Future<Output = Result<Forecast, FetchError>>;
}

impl WeatherOptions {
    /// Reports what is wrong with these options.
    pub(crate) fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require(self.units.unknown().is_none(), "units must be metric or imperial.");
        if let Some(written) = self.provider.unknown() {
            problems.note(format!("provider '{written}' is unknown. Use openweathermap or open-meteo."));
        }
        if self.lat.is_some() != self.lon.is_some() {
            problems.note("lat and lon count only together, so city is used.");
        }
        let has_place = self.city.is_set() || self.city_id.is_set() || self.position().is_some();
        problems.require_option(has_place, "city", "a place (or set lat and lon)");
        let is_number = self.city_id.bytes().all(|byte| byte.is_ascii_digit());
        problems.require(is_number, "cityId must be a number, for example 2643743.");
        if let Some((latitude, longitude)) = self.position() {
            problems.require((-90.0..=90.0).contains(&latitude), "lat must be between -90 and 90.");
            problems.require((-180.0..=180.0).contains(&longitude), "lon must be between -180 and 180.");
        }
        if self.provider() == Provider::Openweathermap {
            let purpose = "a key of OpenWeatherMap (or set provider: open-meteo)";
            problems.require_option(self.api_key.is_set(), "apiKey", purpose);
        }
        if entry.refreshes_more_often_than(SHORTEST_UPDATE) {
            problems.note(
                "The weather services have new data every 10 minutes: an updateInterval below 600 brings nothing new.",
            );
        }
    }

    /// The weather service to use.
    pub(crate) fn provider(&self) -> Provider {
        let usual = if self.api_key.is_set() { Provider::Openweathermap } else { Provider::OpenMeteo };
        self.provider.get().copied().unwrap_or(usual)
    }

    /// The units to use.
    pub(crate) fn units(&self) -> Units {
        self.units.or_default()
    }

    /// The source, which is credited below the panel.
    pub(crate) fn credit(&self) -> Option<Link> {
        match self.provider() {
            Provider::OpenMeteo => services::open_meteo::credit(),
            Provider::Openweathermap => services::openweathermap::credit(),
        }
    }

    /// Says which parts of the option `city` match nothing, so that this may be another place.
    pub(crate) fn unmatched_notice(unmatched: &[String]) -> Option<Part> {
        let text = Phrase::from("Nothing is called {part} there: this may be another place. Check the option city.");
        let parts = unmatched.join(", ");
        (!parts.is_empty()).then(|| Notice::warning(text.with("part", parts)).into())
    }

    /// The coordinates: both or none; zero is valid.
    pub(super) fn position(&self) -> Option<(f64, f64)> {
        Some((self.lat?.get(), self.lon?.get()))
    }

    /// The coordinates as text; empty without them.
    pub(crate) fn coordinates(&self) -> String {
        self.position().map(|(latitude, longitude)| format!("{latitude}, {longitude}")).unwrap_or_default()
    }

    /// The user's own name for the place, if something else determines it.
    pub(crate) fn own_name(&self) -> Option<String> {
        let is_determined = self.position().is_some() || self.city_id.is_set();
        self.city.get().filter(|_| is_determined).map(str::to_owned)
    }

    /// Who shares the panel: OpenWeatherMap describes the weather in the viewer's language, unless the options name
    /// one.
    pub(crate) fn audience(&self) -> Audience {
        let is_described = self.provider() == Provider::Openweathermap && !self.lang.is_set();
        if is_described { Audience::Language } else { Audience::Everyone }
    }

    /// The position of the place, for services that accept only coordinates.
    ///
    /// # Errors
    ///
    /// The place is unknown, or the geocoding service does not respond.
    pub(crate) async fn locate(&self, context: &dyn WidgetContext) -> Result<Position, FetchError> {
        if let Some((latitude, longitude)) = self.position() {
            return Ok(Position { latitude, longitude, name: self.own_name(), unmatched: Vec::new() });
        }
        let found = match self.city_id.get() {
            Some(id) => services::open_meteo::find_by_id(context, id).await?,
            None => services::open_meteo::find(context, &self.city).await?,
        };
        let name = Some(openweathermap_parts::place(&found.name, &found.country_code)).filter(|name| !name.is_empty());
        let (name, unmatched) = (self.own_name().or(name), found.unmatched);
        Ok(Position { latitude: found.latitude, longitude: found.longitude, name, unmatched })
    }
}
