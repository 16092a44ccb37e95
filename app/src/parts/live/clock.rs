//! Everything that changes with time: clocks, and times relative to now.

use std::{cell::RefCell, time::Duration};

use js_sys::Date;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{
    dom::{all, property},
    formatters, intl,
};
use crate::parts::clock::city_of;

thread_local! {
    static TIMER: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
}

/// Updates all clocks and relative times, and schedules itself for the next change, if there will be one.
pub fn run() {
    if let Some(timer) = TIMER.take() {
        timer.clear();
    }
    let Some(page) = document().document_element() else { return };
    let now = Date::now();
    let clocks = all(&page, ".panel .part-clock");
    let mut second = false;
    for clock in &clocks {
        second |= clock.has_attribute("data-seconds");
        draw(clock, now);
    }
    // Once a minute is often enough for texts in minutes.
    intl::fill_relative(&page);
    let has_relative = page.query_selector(".panel time[data-style=relative]").ok().flatten().is_some();
    if clocks.is_empty() && !has_relative {
        return;
    }
    let period = if second { 1000 } else { 60_000 };
    // Aligned to the clock and computed each time, so it does not drift. Times since 1970 are positive.
    let wait = period - now as u64 % period + 1;
    TIMER.set(set_timeout_with_handle(run, Duration::from_millis(wait)).ok());
}

/// Writes the current time into the clocks inside an element.
pub fn write(panels: &Element) {
    for clock in all(panels, ".part-clock") {
        draw(&clock, Date::now());
    }
}

fn draw(clock: &Element, now: f64) {
    let attribute = |name: &str| clock.get_attribute(name);
    let (zone, locale, cycle) = (attribute("data-zone"), attribute("data-locale"), attribute("data-cycle"));
    let mut options = vec![("hour", "numeric"), ("minute", "numeric")];
    if clock.has_attribute("data-seconds") {
        options.push(("second", "numeric"));
    }
    if let Some(cycle) = &cycle {
        options.push(("hourCycle", cycle));
    }
    let mut date = vec![("weekday", "long"), ("day", "numeric"), ("month", "short"), ("year", "numeric")];
    if let Some(zone) = &zone {
        options.push(("timeZone", zone));
        date.push(("timeZone", zone));
    }
    for (selector, options) in [(".clock-time", options), (".clock-date", date)] {
        let Ok(Some(element)) = clock.query_selector(selector) else { continue };
        let Some(formatter) = formatters::formatter("DateTimeFormat", locale.as_deref(), &options) else { continue };
        if let Some(text) = formatters::format(&formatter, &now.into()) {
            intl::set_text(&element, &text);
        }
        if selector == ".clock-time" {
            let iso = String::from(Date::new(&JsValue::from_f64(now)).to_iso_string());
            _ = element.set_attribute("datetime", &iso);
        } else if let Ok(Some(city)) = clock.query_selector(".clock-city")
            && city.text_content().is_none_or(|text| text.is_empty())
        {
            city.set_text_content(own_city(&formatter).as_deref());
        }
    }
}

/// The city of the browser's own zone.
fn own_city(formatter: &JsValue) -> Option<String> {
    let function: js_sys::Function = wasm_bindgen::JsCast::dyn_into(property(formatter, "resolvedOptions")).ok()?;
    let options = function.call0(formatter).ok()?;
    property(&options, "timeZone").as_string().map(|zone| city_of(&zone))
}
