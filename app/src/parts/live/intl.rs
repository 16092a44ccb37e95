//! Numbers and times in the viewer's language and zone, formatted by the browser.

use js_sys::Date;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{
    dom::{self, all},
    formatters::{call, format, formatter, is_english},
};
use crate::parts::number::{joined, plain_duration, plain_unit};

/// How many milliseconds around now a time of day needs no date: half a day.
const UNAMBIGUOUS: f64 = 43_200_000.0;

/// Formats every number and every time inside an element.
pub fn fill(root: &Element) {
    for element in all(root, "data[data-digits], data[data-unit]") {
        if let Some(text) = number(&element) {
            set_text(&element, &text);
        }
        if element.get_attribute("data-unit").as_deref() == Some("seconds")
            && let Some(value) = element.get_attribute("value")
            && let Some(words) = duration(dom::number(&value), "long")
        {
            _ = element.set_attribute("title", &words);
        }
    }
    for element in all(root, "time[data-style]") {
        write_time(&element);
    }
}

/// Formats the times relative to now.
pub fn fill_relative(root: &Element) {
    for element in all(root, "time[data-style=relative]") {
        write_time(&element);
    }
}

/// Sets a text unless it is already there, which saves the browser a layout.
pub fn set_text(element: &Element, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

fn number(element: &Element) -> Option<String> {
    let attribute = |name: &str| element.get_attribute(name);
    let value = dom::number(&attribute("value")?);
    let unit = attribute("data-unit").unwrap_or_default();
    if unit == "seconds" {
        return if is_english() { Some(plain_duration(value)) } else { duration(value, "short") };
    }
    if unit == "days-ahead" {
        return ahead(value, "day", "long");
    }
    let divisor = attribute("data-divisor");
    let divisor = divisor.map_or(1.0, |text| dom::number(&text));
    let digits = attribute("data-digits").unwrap_or_default();
    let (min, max) = digits.split_once(' ')?;
    let mut options = vec![("minimumFractionDigits", min), ("maximumFractionDigits", max)];
    let mut scaled = value / divisor;
    match unit.as_str() {
        "" => {}
        "percent" => {
            options.push(("style", "percent"));
            scaled /= 100.0;
        }
        currency => options.extend([("style", "currency"), ("currency", currency)]),
    }
    let signed = attribute("data-signed");
    if let Some(signed) = &signed {
        options.push(("signDisplay", signed));
    }
    let mut text = format(&formatter("NumberFormat", None, &options)?, &scaled.into())?;
    text.push_str(&attribute("data-sign").unwrap_or_default());
    Some(text)
}

/// A duration with its units in short (`short`) or in words (`long`).
fn duration(seconds: f64, display: &str) -> Option<String> {
    joined(seconds, |count, unit| {
        let options = [("style", "unit"), ("unit", unit), ("unitDisplay", display)];
        // Far below 2^53. A unit stays on the line of its number.
        let text = format(&formatter("NumberFormat", None, &options)?, &(count as f64).into())?;
        Some(text.replace(' ', "\u{a0}"))
    })
}

/// A format that the config chooses.
struct ChosenFormat {
    locale: Option<String>,
    /// The options of the formatter, as `name value name value`.
    words: String,
}

impl ChosenFormat {
    fn options(&self) -> Vec<(&str, &str)> {
        let mut words = self.words.split(' ');
        std::iter::from_fn(|| Some((words.next()?, words.next()?))).collect()
    }
}

fn write_time(element: &Element) {
    let moment = |name: &str| Some(Date::new(&JsValue::from_str(&element.get_attribute(name)?)).get_time());
    let Some(at) = moment("datetime") else { return };
    let style = element.get_attribute("data-style").unwrap_or_default();
    let offset = element.get_attribute("data-offset");
    let chosen = element
        .get_attribute("data-format")
        .map(|words| ChosenFormat { locale: element.get_attribute("data-locale"), words });
    let text = if style == "relative" {
        if let Some(exact) = time(at, None, "exact", offset.as_deref()) {
            _ = element.set_attribute("title", &exact);
        }
        relative((at - Date::now()) / 1000.0, chosen.as_ref())
    } else if let Some(chosen) = &chosen {
        formatted(at, None, chosen.locale.as_deref(), chosen.options(), offset.as_deref())
    } else {
        time(at, moment("data-until"), &style, offset.as_deref())
    };
    if let Some(text) = text {
        set_text(element, &text);
    }
}

/// A time, or the time span up to another, in the parts given by the style. With an offset, it is the local time at a
/// place that many seconds ahead of UTC, which is formatted as UTC of another moment.
fn time(at: f64, until: Option<f64>, style: &str, offset: Option<&str>) -> Option<String> {
    let options: Vec<(&str, &str)> = match style {
        "date" => vec![("dateStyle", "long")],
        "short" => vec![("weekday", "short"), ("day", "numeric"), ("month", "short")],
        "time" => vec![("timeStyle", "short")],
        "since" if (Date::now() - at).abs() < UNAMBIGUOUS => vec![("timeStyle", "short")],
        "seconds" => vec![("timeStyle", "medium")],
        "precise" => vec![("dateStyle", "medium"), ("timeStyle", "medium")],
        "weekday" => vec![("weekday", "long")],
        "day" => vec![("day", "numeric"), ("month", "short")],
        "short-weekday" => vec![("weekday", "short")],
        "month" => vec![("month", "short"), ("year", "numeric")],
        _ => vec![("dateStyle", "medium"), ("timeStyle", "short")],
    };
    formatted(at, until, None, options, offset)
}

fn formatted<'a>(
    at: f64,
    until: Option<f64>,
    locale: Option<&str>,
    mut options: Vec<(&'a str, &'a str)>,
    offset: Option<&str>,
) -> Option<String> {
    let mut moved = 0.0;
    if let Some(offset) = offset {
        moved = dom::number(offset) * 1000.0;
        options.push(("timeZone", "UTC"));
    }
    let formatter = formatter("DateTimeFormat", locale, &options)?;
    let at = (at + moved).into();
    match until {
        Some(until) => call(&formatter, "formatRange", &at, &(until + moved).into()),
        None => format(&formatter, &at),
    }
}

/// A number of seconds from now, or ago, in the largest suitable unit.
fn relative(seconds: f64, chosen: Option<&ChosenFormat>) -> Option<String> {
    const UNITS: [(f64, &str); 6] = [
        (31_557_600.0, "year"),
        (2_629_800.0, "month"),
        (86_400.0, "day"),
        (3600.0, "hour"),
        (60.0, "minute"),
        (1.0, "second"),
    ];
    let (size, unit) = UNITS.into_iter().find(|(size, _)| seconds.abs() >= *size).unwrap_or((1.0, "second"));
    let count = (seconds / size).trunc();
    if let Some(chosen) = chosen {
        let formatter = formatter("RelativeTimeFormat", chosen.locale.as_deref(), &chosen.options())?;
        return call(&formatter, "format", &count.into(), &JsValue::from_str(unit));
    }
    if !is_english() {
        return ahead(count, unit, "short");
    }
    // English has "yesterday", but "2 hr. ago".
    if size > 3600.0 || count == 0.0 {
        return ahead(count, unit, "long");
    }
    let span = plain_unit(count.abs() as u64, unit);
    Some(if count < 0.0 { [&span, " ago"].concat() } else { ["in ", &span].concat() })
}

/// A number of whole units from now.
fn ahead(count: f64, unit: &str, style: &str) -> Option<String> {
    let formatter = formatter("RelativeTimeFormat", None, &[("numeric", "auto"), ("style", style)])?;
    call(&formatter, "format", &count.into(), &JsValue::from_str(unit))
}
