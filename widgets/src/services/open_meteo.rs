//! Open-Meteo: weather without a key.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    FetchError, Request, WidgetContext,
    panel::{Link, WeatherIcon},
};

/// How long the position of a place is remembered: places do not move.
const PLACE_LIFE: Duration = Duration::from_secs(7 * 86_400);

/// A place on the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MapPlace {
    pub(crate) name: String,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    #[serde(default)]
    pub(crate) country_code: String,
    #[serde(default)]
    pub(crate) country: String,
    /// The region, and the smaller ones in it.
    #[serde(default)]
    regions: Vec<String>,
    /// The parts of the wanted name that match nothing here.
    #[serde(default)]
    pub(crate) unmatched: Vec<String>,
}

#[derive(Deserialize)]
struct PlacesReply {
    // Missing if there are no results.
    #[serde(default)]
    results: Vec<PlaceReply>,
}

#[derive(Deserialize)]
struct PlaceReply {
    name: Option<String>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    country_code: Option<String>,
    country: Option<String>,
    admin1: Option<String>,
    admin2: Option<String>,
    admin3: Option<String>,
    admin4: Option<String>,
}

/// The request for a forecast, without the variables.
pub(crate) fn forecast(latitude: f64, longitude: f64) -> Request {
    Request::get("https://api.open-meteo.com/v1/forecast")
        .query("latitude", latitude)
        .query("longitude", longitude)
        .query("timezone", "auto")
}

/// The credit that its license requires.
pub(crate) fn credit() -> Option<Link> {
    Link::parse("Weather data by Open-Meteo.com", "https://open-meteo.com/")
}

/// Finds a place by a name such as `London`, `London,GB` or `Portland,Oregon,US`. Parts of the name that match nothing are
/// in [`MapPlace::unmatched`].
///
/// # Errors
///
/// The service does not respond, or does not know the place.
pub(crate) async fn find(context: &dyn WidgetContext, city: &str) -> Result<MapPlace, FetchError> {
    let key = format!("open-meteo/place/{}", city.to_lowercase());
    let found = context.kept(&key, PLACE_LIFE, async {
        let name = city.split(',').next().unwrap_or_default().trim();
        let request = Request::get("https://geocoding-api.open-meteo.com/v1/search")
            .query("name", name)
            .query("count", 20)
            .query("language", "en")
            .query("format", "json");
        let places: PlacesReply = context.exchange(request).await?.json()?;
        let places: Vec<MapPlace> = places.results.into_iter().filter_map(PlaceReply::into_place).collect();
        Ok(json!(choose(places, city).ok_or_else(|| unknown(city))?))
    });
    serde_json::from_value(found.await?).map_err(|_| unknown(city))
}

/// Finds a place by its number at GeoNames, which OpenWeatherMap uses too.
///
/// # Errors
///
/// The service does not respond, or does not know the place.
pub(crate) async fn find_by_id(context: &dyn WidgetContext, id: &str) -> Result<MapPlace, FetchError> {
    let unknown =
        || FetchError::message(format!("Unknown cityId {id}: Open-Meteo does not know it. Check the option cityId."));
    let key = format!("open-meteo/place/{id}");
    let found = context.kept(&key, PLACE_LIFE, async {
        let request =
            Request::get("https://geocoding-api.open-meteo.com/v1/get").query("id", id).query("language", "en");
        let reply = context.exchange(request).await?;
        if matches!(reply.status, 400 | 404) {
            return Err(unknown());
        }
        Ok(json!(reply.json::<PlaceReply>()?.into_place().ok_or_else(unknown)?))
    });
    serde_json::from_value(found.await?).map_err(|_| unknown())
}

fn unknown(city: &str) -> FetchError {
    FetchError::message(format!("Unknown city '{city}': Open-Meteo does not know it. Check the option city."))
}

impl PlaceReply {
    fn into_place(self) -> Option<MapPlace> {
        Some(MapPlace {
            name: self.name?,
            latitude: self.latitude?,
            longitude: self.longitude?,
            country_code: self.country_code.unwrap_or_default(),
            country: self.country.unwrap_or_default(),
            regions: [self.admin1, self.admin2, self.admin3, self.admin4].into_iter().flatten().collect(),
            unmatched: Vec::new(),
        })
    }
}

impl MapPlace {
    fn is_in_country(&self, name: &str) -> bool {
        // People write UK, the standard says GB.
        let name = if name == "uk" { "gb" } else { name };
        self.country_code.to_lowercase() == name || self.country.to_lowercase() == name
    }

    fn is_in_region(&self, name: &str) -> bool {
        let state = state_of(&self.country_code, name).unwrap_or(name);
        self.regions.iter().any(|region| region.to_lowercase() == state)
    }
}

/// The place that most of the parts after the name match: countries, regions, and codes of both. Of several, one whose
/// country is the last part, or else the first.
fn choose(places: Vec<MapPlace>, city: &str) -> Option<MapPlace> {
    let parts: Vec<&str> = city.split(',').skip(1).map(str::trim).filter(|part| !part.is_empty()).collect();
    let lower: Vec<String> = parts.iter().map(|part| part.to_lowercase()).collect();
    let rank = |place: &MapPlace| {
        let matching = lower.iter().filter(|part| place.is_in_country(part) || place.is_in_region(part)).count();
        (matching, lower.last().is_some_and(|last| place.is_in_country(last)))
    };
    // Of equal ones, `max_by_key` would return the last.
    let mut place = places.into_iter().rev().max_by_key(rank)?;
    let is_unmatched = |part: &&str| {
        let part = part.to_lowercase();
        !place.is_in_country(&part) && !place.is_in_region(&part)
    };
    place.unmatched = parts.into_iter().filter(is_unmatched).map(str::to_owned).collect();
    Some(place)
}

/// The name of a state or province by its code, both in lower case, in the countries where people write such codes.
fn state_of(country: &str, code: &str) -> Option<&'static str> {
    let states: &[(&str, &str)] = match country.to_ascii_uppercase().as_str() {
        "US" => &STATES,
        "CA" => &PROVINCES,
        "AU" => &AUSTRALIAN_STATES,
        _ => return None,
    };
    states.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
}

const STATES: [(&str, &str); 51] = [
    ("al", "alabama"),
    ("ak", "alaska"),
    ("az", "arizona"),
    ("ar", "arkansas"),
    ("ca", "california"),
    ("co", "colorado"),
    ("ct", "connecticut"),
    ("de", "delaware"),
    ("dc", "district of columbia"),
    ("fl", "florida"),
    ("ga", "georgia"),
    ("hi", "hawaii"),
    ("id", "idaho"),
    ("il", "illinois"),
    ("in", "indiana"),
    ("ia", "iowa"),
    ("ks", "kansas"),
    ("ky", "kentucky"),
    ("la", "louisiana"),
    ("me", "maine"),
    ("md", "maryland"),
    ("ma", "massachusetts"),
    ("mi", "michigan"),
    ("mn", "minnesota"),
    ("ms", "mississippi"),
    ("mo", "missouri"),
    ("mt", "montana"),
    ("ne", "nebraska"),
    ("nv", "nevada"),
    ("nh", "new hampshire"),
    ("nj", "new jersey"),
    ("nm", "new mexico"),
    ("ny", "new york"),
    ("nc", "north carolina"),
    ("nd", "north dakota"),
    ("oh", "ohio"),
    ("ok", "oklahoma"),
    ("or", "oregon"),
    ("pa", "pennsylvania"),
    ("ri", "rhode island"),
    ("sc", "south carolina"),
    ("sd", "south dakota"),
    ("tn", "tennessee"),
    ("tx", "texas"),
    ("ut", "utah"),
    ("vt", "vermont"),
    ("va", "virginia"),
    ("wa", "washington"),
    ("wv", "west virginia"),
    ("wi", "wisconsin"),
    ("wy", "wyoming"),
];

/// The provinces and territories of Canada.
const PROVINCES: [(&str, &str); 13] = [
    ("ab", "alberta"),
    ("bc", "british columbia"),
    ("mb", "manitoba"),
    ("nb", "new brunswick"),
    ("nl", "newfoundland and labrador"),
    ("ns", "nova scotia"),
    ("nt", "northwest territories"),
    ("nu", "nunavut"),
    ("on", "ontario"),
    ("pe", "prince edward island"),
    ("qc", "quebec"),
    ("sk", "saskatchewan"),
    ("yt", "yukon"),
];

const AUSTRALIAN_STATES: [(&str, &str); 8] = [
    ("act", "australian capital territory"),
    ("nsw", "new south wales"),
    ("nt", "northern territory"),
    ("qld", "queensland"),
    ("sa", "south australia"),
    ("tas", "tasmania"),
    ("vic", "victoria"),
    ("wa", "western australia"),
];

/// The meaning of a WMO code; empty for unknown codes.
pub(crate) fn condition(code: Option<i64>) -> (WeatherIcon, &'static str) {
    match code {
        Some(0) => (WeatherIcon::Clear, "Clear sky"),
        Some(1) => (WeatherIcon::FewClouds, "Mainly clear"),
        Some(2) => (WeatherIcon::Clouds, "Partly cloudy"),
        Some(3) => (WeatherIcon::Overcast, "Overcast"),
        Some(45) => (WeatherIcon::Fog, "Fog"),
        Some(48) => (WeatherIcon::Fog, "Rime fog"),
        Some(51) => (WeatherIcon::Drizzle, "Light drizzle"),
        Some(53) => (WeatherIcon::Drizzle, "Moderate drizzle"),
        Some(55) => (WeatherIcon::Drizzle, "Dense drizzle"),
        Some(56 | 57) => (WeatherIcon::FreezingRain, "Freezing drizzle"),
        Some(61) => (WeatherIcon::Rain, "Light rain"),
        Some(63) => (WeatherIcon::Rain, "Moderate rain"),
        Some(65) => (WeatherIcon::Rain, "Heavy rain"),
        Some(66 | 67) => (WeatherIcon::FreezingRain, "Freezing rain"),
        Some(71) => (WeatherIcon::Snow, "Light snow"),
        Some(73) => (WeatherIcon::Snow, "Moderate snow"),
        Some(75) => (WeatherIcon::Snow, "Heavy snow"),
        Some(77) => (WeatherIcon::Snow, "Snow grains"),
        Some(80) => (WeatherIcon::Showers, "Light showers"),
        Some(81) => (WeatherIcon::Showers, "Moderate showers"),
        Some(82) => (WeatherIcon::Showers, "Violent showers"),
        Some(85 | 86) => (WeatherIcon::Snow, "Snow showers"),
        Some(95) => (WeatherIcon::Thunderstorm, "Thunderstorm"),
        Some(96 | 99) => (WeatherIcon::Thunderstorm, "Thunderstorm with hail"),
        _ => (WeatherIcon::Unknown, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_country_and_the_state_decide() {
        let place = |name: &str, region: &str, country_code: &str, country: &str| MapPlace {
            name: name.to_owned(),
            latitude: 0.0,
            longitude: 0.0,
            country_code: country_code.to_owned(),
            country: country.to_owned(),
            regions: region.split('/').map(str::to_owned).collect(),
            unmatched: Vec::new(),
        };
        let places = || {
            vec![
                place("a", "Oregon/Multnomah", "US", "United States"),
                place("b", "Maine", "US", "United States"),
                place("c", "England", "GB", "United Kingdom"),
                place("d", "Victoria", "AU", "Australia"),
                place("e", "Ontario", "CA", "Canada"),
                place("f", "British Columbia", "CA", "Canada"),
                place("g", "Western Australia", "AU", "Australia"),
                place("h", "California", "US", "United States"),
            ]
        };
        for (city, expected, unmatched) in [
            ("Portland", "a", ""),
            ("Portland,", "a", ""),
            ("Portland,UK", "c", ""),
            ("Portland, gb", "c", ""),
            ("Portland,Australia", "d", ""),
            ("Portland,ME,US", "b", ""),
            ("Portland,Maine,US", "b", ""),
            ("Portland,ME", "b", ""),
            ("Portland, Maine", "b", ""),
            ("Portland, Ontario", "e", ""),
            ("Portland, Multnomah", "a", ""),
            ("Portland, Multnomah, OR, US", "a", ""),
            // Canada, not California.
            ("Portland,CA", "e", ""),
            ("Portland,CA,US", "h", ""),
            ("Portland,BC,CA", "f", ""),
            ("Portland,ON,Canada", "e", ""),
            ("Portland,WA,AU", "g", ""),
            ("Portland,XX,US", "a", "XX"),
            ("Portland,Narnia", "a", "Narnia"),
            ("Portland,Narnia,ME", "b", "Narnia"),
            ("Portland,Narnia,Deutschland", "a", "Narnia,Deutschland"),
            // Ontario is in Canada; one of the two is wrong.
            ("Portland,ON,GB", "c", "ON"),
        ] {
            let found = choose(places(), city).unwrap();
            assert_eq!((found.name.as_str(), found.unmatched.join(",").as_str()), (expected, unmatched), "{city}");
        }
        assert_eq!(choose(Vec::new(), "Portland"), None);
    }
}
