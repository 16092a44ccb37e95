//! OpenWeatherMap: weather with a key.

use crate::{FetchError, Outside, Request, Response, ViewerHints, panel::WeatherIcon};

/// A request below `/data/2.5`; `path` begins with a slash.
pub(crate) fn request(path: &str) -> Request {
    Request::get(format!("https://api.openweathermap.org/data/2.5{path}"))
}

/// Asks, and tells the errors of this service apart. `place` is what was asked for.
pub(crate) async fn ask(outside: &dyn Outside, request: Request, place: &str) -> Result<Response, FetchError> {
    let reply = outside.exchange(request).await?;
    // The status decides: the `cod` in the answer is now a number and now a text.
    match reply.status {
        401 => {
            Err(FetchError::login_refused("The weather key was refused. A new key works only after up to two hours."))
        }
        400 | 404 => Err(FetchError::told(format!("Unknown city '{place}'."))),
        _ => reply.ok().cloned(),
    }
}

/// The viewer's language as the service calls it; nothing if none is known. It writes English in languages that it does
/// not know.
pub(crate) fn language(viewer: &ViewerHints) -> Option<&str> {
    let tag = viewer.locale.as_deref()?;
    Some(match viewer.language() {
        "cs" => "cz",
        "ko" => "kr",
        "nb" | "nn" => "no",
        "pt" if tag.to_ascii_lowercase().ends_with("br") => "pt_br",
        "sq" => "al",
        "zh" if ["tw", "hk", "hant"].iter().any(|place| tag.to_ascii_lowercase().contains(place)) => "zh_tw",
        "zh" => "zh_cn",
        language => language,
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_the_names_of_the_service() {
        for (locale, expected) in [
            (None, None),
            (Some("de-AT"), Some("de")),
            (Some("cs"), Some("cz")),
            (Some("pt-BR"), Some("pt_br")),
            (Some("pt-PT"), Some("pt")),
            (Some("zh-Hant-HK"), Some("zh_tw")),
            (Some("zh-CN"), Some("zh_cn")),
            (Some("nb-NO"), Some("no")),
            (Some("?"), Some("en")),
        ] {
            let viewer = ViewerHints { locale: locale.map(str::to_owned), time_zone: None };
            assert_eq!(language(&viewer), expected, "{locale:?}");
        }
    }
}
