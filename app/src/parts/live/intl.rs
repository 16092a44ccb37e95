//! Numbers and times in the viewer's language and zone, formatted by the browser.

use std::cell::RefCell;

use js_sys::{Array, Date, Function, Object, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;
use widgets::ViewerHints;

use super::dom::{self, all, property};
use crate::parts::number::{joined, plain_duration, plain_unit};

/// How many milliseconds around now a time of day needs no date: half a day.
const UNAMBIGUOUS: f64 = 43_200_000.0;

thread_local! {
    /// Formatters by their options: they are expensive to create, and a table needs the same one a thousand times.
    static FORMATTERS: RefCell<Vec<(String, Option<JsValue>)>> = const { RefCell::new(Vec::new()) };
}

/// Forgets all formatters, because the page may be in another language now.
pub fn forget_formatters() {
    FORMATTERS.with_borrow_mut(Vec::clear);
}

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

/// A formatter or a collator of the browser. `options` are pairs of names and values. `None` if the browser does not
/// support the zone, language or currency.
pub fn formatter(kind: &str, locale: Option<&str>, options: &[(&str, &str)]) -> Option<JsValue> {
    let mut key = String::from(kind);
    for text in options.iter().flat_map(|(name, value)| [*name, *value]).chain(locale) {
        key.push('|');
        key.push_str(text);
    }
    FORMATTERS.with_borrow_mut(|formatters| {
        if let Some((_, formatter)) = formatters.iter().find(|(known, _)| *known == key) {
            return formatter.clone();
        }
        let formatter = new_formatter(kind, locale, options);
        formatters.push((key, formatter.clone()));
        formatter
    })
}

fn new_formatter(kind: &str, locale: Option<&str>, options: &[(&str, &str)]) -> Option<JsValue> {
    let constructor: Function = property(&property(&js_sys::global(), "Intl"), kind).dyn_into().ok()?;
    let object = Object::new();
    for (name, value) in options {
        // Numbers of digits, and `true`, can be passed as text: the browser converts them.
        let value = JsValue::from_str(value);
        _ = Reflect::set(&object, &JsValue::from_str(name), &value);
    }
    let locale = locale.map_or_else(own_locale, JsValue::from_str);
    // An exception here means that the browser does not support it.
    Reflect::construct(&constructor, &Array::of2(&locale, &object)).ok()
}

/// The text of a formatter for a value.
pub fn format(formatter: &JsValue, value: &JsValue) -> Option<String> {
    call(formatter, "format", value, &JsValue::UNDEFINED)
}

/// The plural category of a number in the language of the page, such as `few`. Pirates count in English.
pub fn plural_category(count: usize) -> Option<String> {
    let locale = page_language().starts_with("zz").then_some("en");
    call(&formatter("PluralRules", locale, &[])?, "select", &count.into(), &JsValue::UNDEFINED)
}

/// A number in the digits of the page's language, without signs between its thousands; none for another text.
pub fn in_digits(number: &str) -> Option<String> {
    let value = dom::number(number);
    // An empty text stands for `false`.
    format(&formatter("NumberFormat", None, &[("useGrouping", "")])?, &value.into()).filter(|_| value.is_finite())
}

fn call(formatter: &JsValue, method: &str, value: &JsValue, second: &JsValue) -> Option<String> {
    let function: Function = property(formatter, method).dyn_into().ok()?;
    function.call2(formatter, value, second).ok()?.as_string()
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

/// The language of the page.
fn page_language() -> String {
    document().document_element().and_then(|root| root.get_attribute("lang")).unwrap_or_default()
}

/// Whether durations are in English: pirates count in English too.
fn is_english() -> bool {
    let page = page_language();
    page.starts_with("en") || page.starts_with("zz")
}

/// The language of the page, as the browser writes it: on a British page `en-AU` formats as people there do. Not so on an Arabic
/// page: half of the regions have digits of their own, and the server writes those of the language.
fn own_locale() -> JsValue {
    let page = page_language();
    let is_form = |own: &String| {
        page != "ar" && own.starts_with(&page)
            || page == "en-GB" && own.starts_with("en-") && !["en-US", "en-CA", "en-PH"].contains(&own.as_str())
    };
    window().navigator().language().filter(is_form).unwrap_or(page).into()
}

/// The viewer's language and time zone.
pub fn viewer_hints() -> ViewerHints {
    let resolved = formatter("DateTimeFormat", None, &[]).and_then(|formatter| {
        let function: Function = property(&formatter, "resolvedOptions").dyn_into().ok()?;
        function.call0(&formatter).ok()
    });
    let hint = |name: &str| property(resolved.as_ref()?, name).as_string();
    ViewerHints { locale: hint("locale"), time_zone: hint("timeZone") }
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
