//! The texts of times and clocks for browsers without scripts. A browser with scripts knows the viewer's time zone and
//! language, and writes its own texts. So ours are in an attribute, which the style sheet shows only without scripts.
//!
//! The time zone is that of the time or clock, or else that of this machine.

use jiff::{
    Timestamp, Zoned,
    tz::{Offset, TimeZone},
};

/// Marks the element of a clock; see `app::parts::clock`.
const CLOCK: &str = "class=\"part part-clock clock\"";

/// Whether a page has a clock, so that it looks different every minute.
pub(super) fn has_clock(html: &str) -> bool {
    html.contains(CLOCK)
}

/// The page with the texts of its empty times. `now` is in seconds since 1970.
pub(super) fn with_texts(html: &str, now: u64) -> String {
    const TIME: &str = "<time ";
    let mut parts = html.split(TIME);
    let mut before = parts.next().unwrap_or_default();
    let mut filled = String::with_capacity(html.len());
    filled.push_str(before);
    let mut clock = "";
    for part in parts {
        filled.push_str(TIME);
        clock = clock_in(before).unwrap_or(clock);
        let text = part.split_once('>').filter(|(_, rest)| is_empty(rest)).and_then(|(tag, _)| text(tag, clock, now));
        if let Some(text) = text {
            filled.push_str("data-text=\"");
            filled.push_str(&text);
            filled.push_str("\" ");
        }
        filled.push_str(part);
        before = part;
    }
    filled
}

/// The tag of the last clock in some markup.
fn clock_in(html: &str) -> Option<&str> {
    let at = html.rfind(CLOCK)?;
    html[html[..at].rfind('<')?..].split('>').next()
}

/// Whether an element is empty, by what follows its opening tag. Our renderer puts a comment in place of a missing text.
fn is_empty(rest: &str) -> bool {
    rest.trim_start_matches("<!>").starts_with("</time>")
}

/// The text of a time, or of a part of a clock.
fn text(tag: &str, clock: &str, now: u64) -> Option<String> {
    if let Some(at) = attribute(tag, "datetime") {
        return time(tag, at.parse().ok()?);
    }
    let zone = match attribute(clock, "data-zone") {
        Some(name) => TimeZone::get(name).ok()?,
        None => TimeZone::system(),
    };
    let now = Timestamp::from_second(i64::try_from(now).ok()?).ok()?.to_zoned(zone);
    let format = match attribute(tag, "class")? {
        "clock-date" => "%A, %b %-d, %Y",
        "clock-time" if attribute(clock, "data-cycle") == Some("h12") => "%-I:%M %p",
        "clock-time" => "%H:%M",
        _ => return None,
    };
    Some(now.strftime(format).to_string())
}

/// The text of a time in its style, as `app/src/parts/live/intl.rs` writes it in the browser.
fn time(tag: &str, at: Timestamp) -> Option<String> {
    let offset = attribute(tag, "data-offset").and_then(|seconds| Offset::from_seconds(seconds.parse().ok()?).ok());
    let in_zone = |at: Timestamp| -> Zoned { at.to_zoned(offset.map_or_else(TimeZone::system, TimeZone::fixed)) };
    let format = match attribute(tag, "data-style")? {
        "date" => "%B %-d, %Y",
        "short" => "%a, %b %-d",
        "time" => "%H:%M",
        "seconds" => "%H:%M:%S",
        "weekday" => "%A",
        "day" => "%b %-d",
        "short-weekday" => "%a",
        "month" => "%b %Y",
        // Also for relative times: a page may be cached for a while.
        _ if offset.is_some() => "%b %-d, %Y, %H:%M",
        _ => "%b %-d, %Y, %H:%M %Z",
    };
    let text = in_zone(at).strftime(format).to_string();
    let until = attribute(tag, "data-until").and_then(|until| until.parse().ok());
    match until.map(|until| in_zone(until).strftime(format).to_string()) {
        Some(until) if until != text => Some(format!("{text} – {until}")),
        _ => Some(text),
    }
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!("{name}=\""))?;
    rest.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-21 09:30 UTC.
    const NOW: u64 = 1_795_253_400;

    fn text_of(html: &str) -> String {
        let filled = with_texts(html, NOW);
        filled.split_once("data-text=\"").map_or("", |(_, rest)| rest.split('"').next().unwrap_or_default()).to_owned()
    }

    #[test]
    fn empty_times_have_a_text() {
        for (attributes, expected) in [
            ("data-style=\"weekday\" data-offset=\"0\"", "Saturday"),
            ("data-style=\"time\" data-offset=\"3600\"", "10:30"),
            ("data-style=\"short\" data-offset=\"0\"", "Sat, Nov 21"),
            ("data-style=\"month\" data-offset=\"0\"", "Nov 2026"),
            ("data-style=\"exact\" data-offset=\"-7200\"", "Nov 21, 2026, 07:30"),
            ("data-until=\"2026-11-23T09:30:00Z\" data-style=\"day\" data-offset=\"0\"", "Nov 21 – Nov 23"),
            ("data-until=\"2026-11-21T10:30:00Z\" data-style=\"day\" data-offset=\"0\"", "Nov 21"),
        ] {
            let html = format!("<p><time datetime=\"2026-11-21T09:30:00Z\" {attributes}></time></p>");
            assert_eq!(text_of(&html), expected, "{attributes}");
        }
        assert!(text_of("<time datetime=\"2026-11-21T09:30:00Z\" data-style=\"relative\"><!></time>").contains("2026"));
    }

    #[test]
    fn everything_else_stays() {
        for html in [
            "<time datetime=\"2026-11-21T09:30:00Z\" data-style=\"exact\">noon</time>",
            "<time datetime=\"soon\" data-style=\"exact\"></time>",
            "<time ",
            "<p>&lt;time </p>",
        ] {
            assert_eq!(with_texts(html, NOW), html);
        }
    }

    #[test]
    fn clocks_say_the_time_of_their_place() {
        let clock = |attributes: &str, element: &str| {
            text_of(&format!("<div {attributes} {CLOCK}><p><time class=\"{element}\" dir=\"auto\"></time></p></div>"))
        };
        assert_eq!(clock("data-zone=\"UTC\"", "clock-time"), "09:30");
        assert_eq!(clock("data-zone=\"UTC\" data-cycle=\"h12\"", "clock-time"), "9:30 AM");
        assert_eq!(clock("data-zone=\"UTC\"", "clock-date"), "Saturday, Nov 21, 2026");
        assert_eq!(clock("data-zone=\"No/Where\"", "clock-time"), "");
        assert!(has_clock(&format!("<div {CLOCK}>")) && !has_clock("<div>"));
    }
}
