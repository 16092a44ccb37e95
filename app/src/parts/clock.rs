//! A running clock. The server writes its frame; the time comes from the browser.

#[cfg(feature = "ssr")]
use widgets::panel::Clock;

#[cfg(feature = "ssr")]
use super::markup::Markup;

/// The clock.
#[cfg(feature = "ssr")]
pub fn clock(clock: &Clock, m: &mut Markup) {
    m.open("div", "part part-clock");
    for (name, value) in [("data-zone", &clock.time_zone), ("data-locale", &clock.locale)] {
        if let Some(value) = value {
            m.attr(name, value);
        }
    }
    if let Some(twelve) = clock.twelve_hours {
        m.attr("data-cycle", if twelve { "h12" } else { "h23" });
    }
    if !clock.hide_seconds {
        m.attr("data-seconds", "");
    }
    if !clock.hide_date {
        m.open("p", "clock-line");
        m.open("span", "clock-city");
        m.attr("dir", "auto");
        let zone = clock.time_zone.as_deref().unwrap_or_default();
        match &clock.city {
            Some(city) => m.text(city),
            None => m.text(&city_of(zone)),
        }
        m.close();
        m.open("span", "clock-date");
        m.attr("dir", "auto");
        m.close();
        m.close();
    }
    m.open("time", "clock-time");
    m.attr("dir", "auto");
    m.close();
    m.close();
}

/// The place that gives a zone its name: `Buenos Aires` for `America/Argentina/Buenos_Aires`.
pub fn city_of(zone: &str) -> String {
    zone.rsplit('/').next().unwrap_or_default().replace('_', " ")
}
