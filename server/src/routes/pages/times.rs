//! The texts of times and clocks for browsers without scripts. A browser with scripts knows the viewer's time zone and
//! region, and writes its own texts. So ours are in an attribute, which the style sheet shows only without scripts.
//!
//! The time zone is that of the time or clock, or else that of this machine. The language is that of the page, unless a clock
//! names another one.

use jiff::{
    Timestamp, Zoned,
    tz::{Offset, TimeZone},
};
use languages::Locale;

use crate::platform::time_zone;

/// Marks the element of a clock; see `app::parts::clock`.
const CLOCK: &str = "class=\"part part-clock clock\"";

/// After how many seconds a page with clocks looks different; none if it has no clock.
pub(super) fn clock_period(html: &str) -> Option<u64> {
    let clocks = html.match_indices(CLOCK).filter_map(|(at, _)| tag_at(html, at));
    clocks.map(|clock| if has_seconds(clock) { 1 } else { 60 }).min()
}

/// The page with the texts of its empty times. `now` is in seconds since 1970.
pub(super) fn with_texts(html: &str, now: u64, locale: &Locale) -> String {
    const TIME: &str = "<time ";
    let locale = Locale::of_formats(&locale.tag).unwrap_or_else(|| locale.clone());
    let mut parts = html.split(TIME);
    let mut before = parts.next().unwrap_or_default();
    let mut filled = String::with_capacity(html.len());
    filled.push_str(before);
    let mut clock = "";
    for part in parts {
        filled.push_str(TIME);
        clock = clock_in(before).unwrap_or(clock);
        let text =
            part.split_once('>').filter(|(_, rest)| is_empty(rest)).and_then(|(tag, _)| text(tag, clock, now, &locale));
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
    tag_at(html, html.rfind(CLOCK)?)
}

/// The opening tag around a position.
fn tag_at(html: &str, at: usize) -> Option<&str> {
    html[html[..at].rfind('<')?..].split('>').next()
}

fn has_seconds(clock: &str) -> bool {
    clock.contains(" data-seconds ")
}

/// Whether an element is empty, by what follows its opening tag. Our renderer puts a comment in place of a missing text.
fn is_empty(rest: &str) -> bool {
    rest.trim_start_matches("<!>").starts_with("</time>")
}

/// The text of a time, or of a part of a clock.
fn text(tag: &str, clock: &str, now: u64, locale: &Locale) -> Option<String> {
    if let Some(at) = attribute(tag, "datetime") {
        return time(tag, at.parse().ok()?, locale);
    }
    let zone = match attribute(clock, "data-zone") {
        Some(name) => TimeZone::get(name).ok()?,
        None => time_zone::own(),
    };
    let now = Timestamp::from_second(i64::try_from(now).ok()?).ok()?.to_zoned(zone);
    let style = match attribute(tag, "class")? {
        "clock-date" => "clock-date".to_owned(),
        "clock-time" => {
            let cycle = attribute(clock, "data-cycle").map(|cycle| format!("-{cycle}")).unwrap_or_default();
            format!("clock{cycle}{}", if has_seconds(clock) { "-seconds" } else { "" })
        }
        _ => return None,
    };
    let own = attribute(clock, "data-locale").and_then(Locale::of_formats);
    own.as_ref().unwrap_or(locale).date(&style, time_zone::local(&now))
}

/// The text of a time in its style, as `app/src/parts/live/intl.rs` writes it in the browser.
fn time(tag: &str, at: Timestamp, locale: &Locale) -> Option<String> {
    let offset = attribute(tag, "data-offset").and_then(|seconds| Offset::from_seconds(seconds.parse().ok()?).ok());
    let in_zone = |at: Timestamp| -> Zoned { at.to_zoned(offset.map_or_else(time_zone::own, TimeZone::fixed)) };
    let style = match attribute(tag, "data-style")? {
        // A page may be cached for a while.
        "relative" | "since" => "exact",
        style => style,
    };
    let written = |at: Timestamp| -> Option<String> {
        let at = in_zone(at);
        let mut text =
            locale.date(style, time_zone::local(&at)).or_else(|| locale.date("exact", time_zone::local(&at)))?;
        // Without an offset, this is the server's own time zone, so name it.
        if offset.is_none() && matches!(style, "exact" | "precise") {
            text.push_str(&at.strftime(" %Z").to_string());
        }
        Some(text)
    };
    let text = written(at)?;
    let until = attribute(tag, "data-until").and_then(|until| until.parse().ok()).and_then(written);
    match until {
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
    use languages::Language;

    use super::*;

    /// 2026-11-21 09:30 UTC.
    const NOW: u64 = 1_795_253_400;

    fn text_in(code: &str, html: &str) -> String {
        let filled = with_texts(html, NOW, &Language::of_code(code).unwrap().into());
        filled.split_once("data-text=\"").map_or("", |(_, rest)| rest.split('"').next().unwrap_or_default()).to_owned()
    }

    fn text_of(html: &str) -> String {
        text_in("en", html)
    }

    fn time(attributes: &str) -> String {
        format!("<p><time datetime=\"2026-11-21T09:30:00Z\" {attributes}></time></p>")
    }

    fn clock(attributes: &str, element: &str) -> String {
        format!("<div {attributes} {CLOCK}><p><time class=\"{element}\" dir=\"auto\"></time></p></div>")
    }

    #[test]
    fn empty_times_have_a_text() {
        for (attributes, expected) in [
            ("data-style=\"weekday\" data-offset=\"0\"", "Saturday"),
            ("data-style=\"time\" data-offset=\"3600\"", "10:30 AM"),
            ("data-style=\"short\" data-offset=\"0\"", "Sat, Nov 21"),
            ("data-style=\"month\" data-offset=\"0\"", "Nov 2026"),
            ("data-style=\"exact\" data-offset=\"-7200\"", "Nov 21, 2026, 7:30 AM"),
            ("data-style=\"since\" data-offset=\"-7200\"", "Nov 21, 2026, 7:30 AM"),
            ("data-style=\"precise\" data-offset=\"0\"", "Nov 21, 2026, 9:30:00 AM"),
            ("data-until=\"2026-11-23T09:30:00Z\" data-style=\"day\" data-offset=\"0\"", "Nov 21 – Nov 23"),
            ("data-until=\"2026-11-21T10:30:00Z\" data-style=\"day\" data-offset=\"0\"", "Nov 21"),
        ] {
            assert_eq!(text_of(&time(attributes)), expected, "{attributes}");
        }
        assert!(text_of("<time datetime=\"2026-11-21T09:30:00Z\" data-style=\"relative\"><!></time>").contains("2026"));
    }

    #[test]
    fn times_are_in_the_language_of_the_page() {
        for (code, exact, short, day) in [
            ("de", "21.11.2026, 10:30", "Sa., 21. Nov.", "21. Nov. – 23. Nov."),
            ("fr", "21 nov. 2026, 10:30", "sam. 21 nov.", "21 nov. – 23 nov."),
            ("ja", "2026/11/21 10:30", "11月21日(土)", "11月21日 – 11月23日"),
            ("ar", "21\u{200f}/11\u{200f}/2026، 10:30 ص", "السبت، 21 نوفمبر", "21 نوفمبر – 23 نوفمبر"),
        ] {
            let written = |attributes: &str| text_in(code, &time(&format!("{attributes} data-offset=\"3600\"")));
            let texts = [
                written("data-style=\"exact\""),
                written("data-style=\"short\""),
                written("data-until=\"2026-11-23T09:30:00Z\" data-style=\"day\""),
            ];
            assert_eq!(texts.map(|text| text.replace('\u{a0}', " ")), [exact, short, day], "{code}");
        }
    }

    #[test]
    fn everything_else_stays() {
        for html in [
            "<time datetime=\"2026-11-21T09:30:00Z\" data-style=\"exact\">noon</time>",
            "<time datetime=\"soon\" data-style=\"exact\"></time>",
            "<time ",
            "<p>&lt;time </p>",
        ] {
            assert_eq!(with_texts(html, NOW, &Locale::default()), html);
        }
    }

    #[test]
    fn clocks_say_the_time_of_their_place() {
        for (code, attributes, time, date) in [
            ("en", "data-zone=\"UTC\"", "9:30 AM", "Saturday, Nov 21, 2026"),
            ("en", "data-zone=\"UTC\" data-cycle=\"h23\"", "09:30", "Saturday, Nov 21, 2026"),
            ("en", "data-zone=\"Asia/Tokyo\" data-seconds", "6:30:00 PM", "Saturday, Nov 21, 2026"),
            ("en", "data-zone=\"UTC\" data-locale=\"en-AU\"", "09:30", "Saturday, 21 Nov 2026"),
            ("de", "data-zone=\"UTC\" data-seconds", "09:30:00", "Samstag, 21. Nov. 2026"),
            ("de", "data-zone=\"UTC\" data-cycle=\"h12\"", "9:30 AM", "Samstag, 21. Nov. 2026"),
            ("de", "data-zone=\"UTC\" data-locale=\"ja-JP\" data-cycle=\"h12\"", "午前9:30", "2026年11月21日土曜日"),
            ("fr", "data-zone=\"UTC\" data-locale=\"fi-FI\"", "09:30", "samedi 21 nov. 2026"),
            ("ar", "data-zone=\"UTC\"", "9:30 ص", "السبت، 21 نوفمبر 2026"),
            ("en", "data-zone=\"No/Where\"", "", ""),
        ] {
            let texts = ["clock-time", "clock-date"].map(|element| text_in(code, &clock(attributes, element)));
            assert_eq!(texts, [time, date], "{code}, {attributes}");
        }
    }

    #[test]
    fn a_page_with_clocks_changes_as_often_as_the_quickest() {
        let (calm, quick) = (clock("", "clock-time"), clock("data-seconds", "clock-time"));
        assert_eq!(clock_period(&time("data-seconds")), None);
        assert_eq!(clock_period(&calm), Some(60));
        assert_eq!(clock_period(&[calm, quick].concat()), Some(1));
    }
}
