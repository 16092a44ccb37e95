//! A running clock. Only its frame is rendered here; the browser fills in the time, and the server where there are no scripts.

use leptos::prelude::*;
use widgets::panel;

use super::markup::text;

/// The clock. Custom styles of people who come from Dashy name `.clock p.time` and the like (docs/spec/config.md 12).
#[component]
pub fn Clock<'a>(clock: &'a panel::Clock) -> impl IntoView {
    let city = || match &clock.city {
        Some(city) => text(city),
        None => text(&city_of(clock.time_zone.as_deref().unwrap_or_default())),
    };
    view! {
        <div
            class="part part-clock clock"
            data-zone=clock.time_zone.clone()
            data-locale=clock.locale.clone()
            data-cycle=clock.twelve_hours.map(|twelve| if twelve { "h12" } else { "h23" })
            data-seconds=!clock.hide_seconds
        >
            {(!clock.hide_date).then(|| view! {
                <p class="clock-line upper">
                    <span class="clock-city city" dir="auto">{city()}</span>
                    <time class="clock-date" dir="auto"></time>
                </p>
            })}
            <p class="time"><time class="clock-time" dir="auto"></time></p>
        </div>
    }
}

/// The city in the name of a zone: `Buenos Aires` for `America/Argentina/Buenos_Aires`.
pub fn city_of(zone: &str) -> String {
    zone.rsplit('/').next().unwrap_or_default().replace('_', " ")
}
