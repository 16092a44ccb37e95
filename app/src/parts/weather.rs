//! The weather at a glance, with a picture of the sky.

use leptos::prelude::*;
use widgets::panel::{WeatherIcon, WeatherSummary};

use super::{
    PanelContext,
    phrase::ours,
    value::{Value, Words},
    weather_day::Day,
};

const SUN: &str = "<g class=\"sun\"><circle cx=\"32\" cy=\"32\" r=\"12\"/><path d=\"M32 8v6M32 50v6M8 32h6M50 32h6\
                   M15 15l4.3 4.300M44.7 44.700l4.3 4.300M15 49l4.3-4.300M44.7 19.300l4.3-4.3\"/></g>";
const MOON: &str = "<path class=\"moon\" d=\"M38 10a22 22 0 1 0 16 33a18 18 0 0 1-16-33z\"/>";
/// Sun and moon behind a cloud.
const SMALL_SUN: &str = "<g class=\"sun\"><circle cx=\"42\" cy=\"22\" r=\"9\"/><path d=\"M42 4v4M60 22h-4\
                         M29.3 9.300l2.8 2.800M54.7 9.300l-2.8 2.800M54.7 34.700l-2.8-2.8\"/></g>";
const SMALL_MOON: &str = "<path class=\"moon\" d=\"M46 6a15 15 0 1 0 12 22a13 13 0 0 1-12-22z\"/>";
const CLOUD: &str =
    "<path class=\"cloud\" d=\"M19 50a11 11 0 0 1-1.5-21.900a14.5 14.5 0 0 1 28-2.400a12.2 12.2 0 0 1 .5 24.300z\"/>";
const CLOUD_BEHIND: &str =
    "<path class=\"cloud behind\" d=\"M33 36a9 9 0 0 1 0-18a11 11 0 0 1 21-1a9.5 9.5 0 0 1 1 19z\"/>";
const HIGH_CLOUD: &str =
    "<path class=\"cloud\" d=\"M19 41a10.5 10.5 0 0 1-1.5-20.900a14 14 0 0 1 27-2.300a11.7 11.7 0 0 1 .5 23.200z\"/>";
const DRIZZLE: &str = "<path class=\"rain\" d=\"M23 48v1M32 51v1M41 48v1M27.5 56v1M36.5 56v1\"/>";
const RAIN: &str = "<path class=\"rain\" d=\"M23 47l-3 10M32 47l-3 10M41 47l-3 10\"/>";
const SHOWERS: &str = "<path class=\"rain\" d=\"M20 47l-2 6M28 47l-4 12M36 47l-2 6M44 47l-4 12\"/>";
const SNOW: &str = "<path class=\"snow\" d=\"M22 47v8M18.5 49l7 4M25.5 49l-7 4M42 47v8M38.5 49l7 4M45.5 49l-7 4\
                    M32 51v8M28.5 53l7 4M35.5 53l-7 4\"/>";
const FREEZING: &str = "<path class=\"rain\" d=\"M23 47l-3 10M43 47l-3 10\"/><path class=\"snow\" d=\"M32 48v8M28.5 50l7 4M35.5 50l-7 4\"/>";
const BOLT: &str = "<path class=\"bolt\" d=\"M34 42l-9 11h6l-3 9 10-12h-6.500l4.5-8z\"/>";
const FOG: &str = "<path class=\"fog\" d=\"M12 47h34M20 54h34\"/>";
const UNKNOWN: &str = "<path class=\"fog\" d=\"M24 26a8 8 0 1 1 11 7.500q-3 1.5-3 5.500M32 46v.1\"/>";

/// The summary.
#[component]
pub fn Weather<'a>(summary: &'a WeatherSummary, context: &'a PanelContext) -> impl IntoView {
    let label = &summary.label;
    let description = &summary.description;
    let lowest = summary.lowest.as_ref().map(|datum| {
        view! {
            " "
            <span class="lowest">
                <span class="visually-hidden">{[ours("lowest"), " "].concat()}</span>
                <Value datum context/>
            </span>
        }
    });
    view! {
        <div class="part part-weather">
            <Sky icon=summary.icon night=summary.night/>
            <div class="weather-words">
                {(!label.is_missing()).then(|| view! { <p class="weather-label"><Value datum=label context/></p> })}
                <p class="weather-temperature"><Value datum=&summary.temperature context/>{lowest}</p>
                {(!description.is_empty()).then(|| view! {
                    <p class="weather-description"><Words phrase=description context/></p>
                })}
            </div>
        </div>
        {summary.day.as_ref().map(|day| view! { <Day day/> })}
    }
}

/// The picture of the sky.
#[component]
pub fn Sky(icon: WeatherIcon, #[prop(optional)] night: bool) -> impl IntoView {
    view! { <svg class="sky" viewBox="0 0 64 64" aria-hidden="true" inner_html=pieces(icon, night).concat()></svg> }
}

/// The pieces of the picture, from back to front.
fn pieces(icon: WeatherIcon, night: bool) -> [&'static str; 3] {
    let small = if night { SMALL_MOON } else { SMALL_SUN };
    match icon {
        WeatherIcon::Clear => [if night { MOON } else { SUN }, "", ""],
        WeatherIcon::FewClouds => [small, CLOUD, ""],
        WeatherIcon::Clouds => [CLOUD_BEHIND, CLOUD, ""],
        WeatherIcon::Overcast => [CLOUD, "", ""],
        WeatherIcon::Fog => [HIGH_CLOUD, FOG, ""],
        WeatherIcon::Drizzle => [HIGH_CLOUD, DRIZZLE, ""],
        WeatherIcon::Showers => [small, HIGH_CLOUD, SHOWERS],
        WeatherIcon::Rain => [HIGH_CLOUD, RAIN, ""],
        WeatherIcon::FreezingRain => [HIGH_CLOUD, FREEZING, ""],
        WeatherIcon::Snow => [HIGH_CLOUD, SNOW, ""],
        WeatherIcon::Thunderstorm => [HIGH_CLOUD, BOLT, ""],
        WeatherIcon::Unknown => [UNKNOWN, "", ""],
    }
}
