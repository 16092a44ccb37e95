//! OpenWeatherMap: weather with a key.

use crate::{FetchError, Outside, Reply, Request, panel::WeatherIcon};

/// A request below `/data/2.5`; `path` begins with a slash.
pub(crate) fn request(path: &str) -> Request {
    Request::get(format!("https://api.openweathermap.org/data/2.5{path}"))
}

/// Asks, and tells the errors of this service apart. `place` is what was asked for.
pub(crate) async fn ask(outside: &impl Outside, request: Request, place: &str) -> Result<Reply, FetchError> {
    let reply = outside.exchange(request).await?;
    // The status decides: the `cod` in the answer is now a number and now a text.
    match reply.status {
        401 => Err(FetchError::told("The weather key was refused. A new key works only after up to two hours.")),
        400 | 404 => Err(FetchError::told(format!("Unknown city '{place}'."))),
        _ => reply.ok().cloned(),
    }
}

/// The icon of a code such as `10d`, and whether it is night.
pub(crate) fn icon(code: &str) -> (WeatherIcon, bool) {
    let icon = match code.get(..2) {
        Some("01") => WeatherIcon::Clear,
        Some("02") => WeatherIcon::FewClouds,
        Some("03") => WeatherIcon::Clouds,
        Some("04") => WeatherIcon::Overcast,
        Some("09") => WeatherIcon::Showers,
        Some("10") => WeatherIcon::Rain,
        Some("11") => WeatherIcon::Thunderstorm,
        Some("13") => WeatherIcon::Snow,
        Some("50") => WeatherIcon::Fog,
        _ => WeatherIcon::Unknown,
    };
    (icon, code.ends_with('n'))
}
