//! OpenWeatherMap: weather with a key.

use crate::{
    FetchError, Request, Response, ViewerHints, WidgetContext,
    panel::{Link, Phrase, WeatherIcon},
};

/// The link to the service.
pub(crate) fn credit() -> Option<Link> {
    Link::parse(Phrase::foreign("OpenWeatherMap"), "https://openweathermap.org/")
}

/// A request below `/data/2.5`; `path` begins with a slash.
pub(crate) fn request(path: &str) -> Request {
    Request::get(format!("https://api.openweathermap.org/data/2.5{path}"))
}

/// Sends a request, and distinguishes the errors of this service. `place` is the requested place.
pub(crate) async fn send(context: &dyn WidgetContext, request: Request, place: &str) -> Result<Response, FetchError> {
    let reply = context.exchange(request).await?;
    // Use the status: the `cod` in the response is sometimes a number and sometimes a text.
    match reply.status {
        401 => Err(FetchError::login_refused(
            "The weather key was refused by OpenWeatherMap: check the option apiKey. A new key works only after up to \
                 two hours.",
        )),
        400 | 404 => Err(FetchError::message(format!(
            "Unknown city '{place}': OpenWeatherMap does not know it. Check the option city."
        ))),
        _ => reply.ok().cloned(),
    }
}

/// The service's code for the viewer's language; `None` if the language is unknown. It uses English for languages that
/// it does not support.
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

/// The icon for a code such as `10d`, and whether it is night.
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
