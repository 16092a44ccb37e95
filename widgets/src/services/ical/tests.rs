//! What calendars show, and what they cannot do.

use super::agenda::MAX_OCCURRENCES;
use super::*;
use crate::Moment;
use jiff::{civil::Date, tz::TimeZone};

const VIENNA: &str = "Europe/Vienna";

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

/// Reads a calendar that a service has sent.
fn read(document: impl Into<Vec<u8>>, window: &Window) -> Option<Agenda> {
    let (body, host) = (document.into(), "cal.example".to_owned());
    super::read(&Response { status: 200, headers: Vec::new(), body, host, received: Moment::default() }, window)
}

fn vienna(first: &str, last: &str) -> Window {
    Window { first: day(first), last: day(last), zone: zone(VIENNA).unwrap() }
}

/// The events between two days, as `first..last time title`; the time is that of Vienna.
fn shown(events: &str, first: &str, last: &str) -> Vec<String> {
    let document = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n");
    let zone = zone(VIENNA).unwrap();
    let mut occurrences = read(document, &vienna(first, last)).unwrap().occurrences;
    occurrences.sort_by_key(|occurrence| (occurrence.first, occurrence.times));
    let line = |occurrence: Occurrence| {
        let last = if occurrence.last == occurrence.first { String::new() } else { format!("..{}", occurrence.last) };
        let time = occurrence.times.map(|(begin, _)| local(begin, &zone).unwrap().strftime(" %H:%M").to_string());
        format!("{}{last}{} {}", occurrence.first, time.unwrap_or_default(), occurrence.title)
    };
    occurrences.into_iter().map(line).collect()
}

fn event(lines: &[&str]) -> String {
    format!("BEGIN:VEVENT\r\n{}\r\nEND:VEVENT\r\n", lines.join("\r\n"))
}

/// The days on which a rule matches, for an event that begins on this day.
fn days(start: &str, rule: &str, first: &str, last: &str) -> Vec<String> {
    let rule = format!("RRULE:{rule}");
    let start = format!("DTSTART;VALUE=DATE:{}", start.replace('-', ""));
    shown(&event(&["UID:1", &start, &rule, "SUMMARY:x"]), first, last)
        .into_iter()
        .map(|line| line.trim_end_matches(" x").to_owned())
        .collect()
}

#[test]
fn events_have_days_or_times() {
    let events = [
        event(&["SUMMARY:One day", "DTSTART;VALUE=DATE:20261121"]),
        event(&["SUMMARY:Trip", "DTSTART;VALUE=DATE:20261120", "DTEND;VALUE=DATE:20261123"]),
        event(&["SUMMARY:In UTC", "DTSTART:20261121T083000Z", "DTEND:20261121T093000Z"]),
        event(&["SUMMARY:There", "DTSTART;TZID=America/New_York:20261121T200000", "DURATION:PT1H"]),
        event(&["SUMMARY:Here", "DTSTART:20261121T180000", "DTEND:20261122T000000"]),
        event(&["SUMMARY:Night", "DTSTART:20261121T220000", "DTEND:20261122T010000"]),
        event(&["SUMMARY:Folded and\\, esc", " aped", "DTSTART:20261122T070000Z"]),
        event(&["SUMMARY:Before", "DTSTART;VALUE=DATE:20261119"]),
        event(&["SUMMARY:Off", "STATUS:CANCELLED", "DTSTART;VALUE=DATE:20261121"]),
        event(&["SUMMARY:Without a time"]),
    ];
    assert_eq!(
        shown(&events.concat(), "2026-11-21", "2026-11-22"),
        [
            "2026-11-20..2026-11-22 Trip",
            "2026-11-21 One day",
            "2026-11-21 09:30 In UTC",
            "2026-11-21 18:00 Here",
            "2026-11-21..2026-11-22 22:00 Night",
            "2026-11-22 02:00 There",
            "2026-11-22 08:00 Folded and, escaped",
        ]
    );
}

#[test]
fn rules_fit_the_days_of_the_standard() {
    // The examples of RFC 5545 section 3.8.5.3, with our own dates.
    for (start, rule, first, last, expected) in [
        (
            "2026-11-20",
            "FREQ=DAILY;COUNT=3",
            "2026-11-01",
            "2026-12-31",
            &["2026-11-20", "2026-11-21", "2026-11-22"][..],
        ),
        ("2020-01-01", "FREQ=DAILY;INTERVAL=10", "2026-11-20", "2026-12-06", &["2026-11-25", "2026-12-05"]),
        (
            "2026-11-02",
            "FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261111",
            "2026-11-01",
            "2026-12-31",
            &["2026-11-02", "2026-11-04", "2026-11-09", "2026-11-11"],
        ),
        (
            "2026-11-03",
            "FREQ=WEEKLY;INTERVAL=2",
            "2026-11-01",
            "2026-12-05",
            &["2026-11-03", "2026-11-17", "2026-12-01"],
        ),
        (
            "1997-08-05",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            "1997-08-01",
            "1997-12-31",
            &["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"],
        ),
        (
            "1997-08-05",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            "1997-08-01",
            "1997-12-31",
            &["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"],
        ),
        ("2026-01-31", "FREQ=MONTHLY", "2026-01-01", "2026-05-31", &["2026-01-31", "2026-03-31", "2026-05-31"]),
        ("2026-01-09", "FREQ=MONTHLY;BYDAY=2FR", "2026-11-01", "2026-12-31", &["2026-11-13", "2026-12-11"]),
        ("2026-01-30", "FREQ=MONTHLY;BYDAY=-1FR", "2026-11-01", "2026-12-31", &["2026-11-27", "2026-12-25"]),
        (
            "2026-01-30",
            "FREQ=MONTHLY;BYMONTHDAY=-1",
            "2026-01-31",
            "2026-03-31",
            &["2026-01-31", "2026-02-28", "2026-03-31"],
        ),
        (
            "2026-01-30",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "2026-05-01",
            "2026-06-30",
            &["2026-05-29", "2026-06-30"],
        ),
        ("2024-02-29", "FREQ=YEARLY", "2025-01-01", "2028-12-31", &["2028-02-29"]),
        ("1990-11-21", "FREQ=YEARLY", "2026-11-01", "2026-11-30", &["2026-11-21"]),
        (
            "1997-11-06",
            "FREQ=YEARLY;BYMONTH=11;BYDAY=TH;BYMONTHDAY=22,23,24,25,26,27,28",
            "2026-01-01",
            "2026-12-31",
            &["2026-11-26"],
        ),
        ("2026-01-01", "FREQ=YEARLY;BYDAY=20MO", "2026-02-01", "2027-12-31", &["2026-05-18", "2027-05-17"]),
        ("2026-01-01", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "2026-02-01", "2026-12-31", &["2026-05-11"]),
        ("2026-01-01", "FREQ=YEARLY;BYYEARDAY=-1", "2026-02-01", "2027-12-31", &["2026-12-31", "2027-12-31"]),
        ("2026-01-01", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-02-01", "2027-12-31", &[]),
    ] {
        assert_eq!(days(start, rule, first, last), expected, "{rule}");
    }
}

#[test]
fn repeated_events_keep_their_time_of_day() {
    let events = event(&[
        "UID:1",
        "SUMMARY:Yoga",
        "DTSTART;TZID=Europe/Vienna:20261020T190000",
        "DTEND;TZID=Europe/Vienna:20261020T200000",
        "RRULE:FREQ=WEEKLY",
        "EXDATE;TZID=Europe/Vienna:20261103T190000",
    ]);
    // Clocks go back on 25 October.
    assert_eq!(
        shown(&events, "2026-10-19", "2026-11-12"),
        ["2026-10-20 19:00 Yoga", "2026-10-27 19:00 Yoga", "2026-11-10 19:00 Yoga"]
    );
    let hourly = event(&["UID:2", "SUMMARY:Pill", "DTSTART:20261121T080000", "RRULE:FREQ=HOURLY;INTERVAL=8;COUNT=4"]);
    assert_eq!(
        shown(&hourly, "2026-11-21", "2026-11-30"),
        ["2026-11-21 08:00 Pill", "2026-11-21 16:00 Pill", "2026-11-22 00:00 Pill", "2026-11-22 08:00 Pill"]
    );
}

#[test]
fn single_events_of_a_series_are_moved_added_and_left_out() {
    let events = [
        event(&[
            "UID:s",
            "SUMMARY:Class",
            "DTSTART:20261102T090000Z",
            "DTEND:20261102T100000Z",
            "RRULE:FREQ=WEEKLY;UNTIL=20261130T090000Z",
            "RDATE:20261105T090000Z",
            "EXDATE:20261109T090000Z",
        ]),
        event(&["UID:s", "SUMMARY:Class (moved)", "RECURRENCE-ID:20261116T090000Z", "DTSTART:20261117T120000Z"]),
        event(&["UID:s", "STATUS:CANCELLED", "RECURRENCE-ID:20261123T090000Z", "DTSTART:20261123T090000Z"]),
        event(&["UID:other", "SUMMARY:Other", "DTSTART:20261116T090000Z", "RRULE:FREQ=DAILY;COUNT=1"]),
    ];
    assert_eq!(
        shown(&events.concat(), "2026-11-01", "2026-12-31"),
        [
            "2026-11-02 10:00 Class",
            "2026-11-05 10:00 Class",
            "2026-11-16 10:00 Other",
            "2026-11-17 13:00 Class (moved)",
            "2026-11-30 10:00 Class",
        ]
    );
}

#[test]
fn zones_may_have_names_of_their_own() {
    let zones = "BEGIN:VTIMEZONE\r\nTZID:Our office\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0530\r\n\
                 TZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VTIMEZONE\r\nTZID:Custom\r\n\
                 X-LIC-LOCATION:America/New_York\r\nEND:VTIMEZONE\r\n\
                 BEGIN:VTIMEZONE\r\nTZID:Customized Time Zone\r\n\
                 BEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0300\r\nTZOFFSETTO:+0200\r\n\
                 RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\n\
                 BEGIN:DAYLIGHT\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0300\r\n\
                 RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n";
    let events = [
        event(&["SUMMARY:Windows", "DTSTART;TZID=Eastern Standard Time:20261121T060000"]),
        event(&["SUMMARY:Located", "DTSTART;TZID=Custom:20261121T070000"]),
        event(&["SUMMARY:Fixed", "DTSTART;TZID=Our office:20261121T200000"]),
        event(&["SUMMARY:Unknown", "DTSTART;TZID=Nowhere:20261121T170000"]),
        event(&["SUMMARY:Winter", "DTSTART;TZID=\"Customized Time Zone\":20261121T090000"]),
        event(&["SUMMARY:Summer", "DTSTART;TZID=Customized Time Zone:20260701T090000"]),
        event(&["SUMMARY:Prefixed", "DTSTART;TZID=/example.org/2025_1/Europe/London:20261121T100000"]),
    ];
    let document = zones.to_owned() + &events.concat();
    assert_eq!(shown(&document, "2026-07-01", "2026-07-01"), ["2026-07-01 08:00 Summer"]);
    assert_eq!(
        shown(&document, "2026-11-21", "2026-11-21"),
        [
            "2026-11-21 08:00 Winter",
            "2026-11-21 11:00 Prefixed",
            "2026-11-21 12:00 Windows",
            "2026-11-21 13:00 Located",
            "2026-11-21 15:30 Fixed",
            "2026-11-21 17:00 Unknown",
        ]
    );
}

#[test]
fn what_is_too_much_is_cut() {
    let window = Window { first: day("2026-11-01"), last: day("2026-11-30"), zone: TimeZone::UTC };
    let calendar = |events: &str| read(format!("BEGIN:VCALENDAR\n{events}END:VCALENDAR\n"), &window);
    let often = event(&["UID:1", "DTSTART:20261101T000000Z", "RRULE:FREQ=SECONDLY"]);
    let agenda = calendar(&often).unwrap();
    assert!(agenda.is_cut && agenda.occurrences.is_empty());
    let many = event(&["UID:1", "DTSTART;VALUE=DATE:20261101"]).repeat(MAX_OCCURRENCES + 1);
    let agenda = calendar(&many).unwrap();
    assert_eq!((agenda.is_cut, agenda.occurrences.len()), (true, MAX_OCCURRENCES));
    let counted = event(&["UID:1", "DTSTART;VALUE=DATE:00010101", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=9"]);
    assert!(calendar(&counted.repeat(20)).unwrap().is_cut, "the budget is one for the whole calendar");
    let deep = "BEGIN:VALARM\n".repeat(100_000);
    let nested = format!("BEGIN:VEVENT\nDTSTART;VALUE=DATE:20261101\n{deep}SUMMARY:not its own\nEND:VEVENT\n");
    let agenda = calendar(&format!("{deep}{nested}{nested}")).unwrap();
    assert_eq!(agenda.occurrences.iter().map(|found| found.title.as_str()).collect::<Vec<_>>(), ["", ""]);
    assert!(read("<html>no calendar</html>", &window).is_none());
    assert!(calendar("").is_some_and(|agenda| agenda.occurrences.is_empty()));
}

#[test]
fn a_calendar_has_a_name_and_a_color() {
    let window = Window { first: day("2026-11-01"), last: day("2026-11-30"), zone: TimeZone::UTC };
    let document = "BEGIN:VCALENDAR\nX-WR-CALNAME:Rot\\, wei\u{df}\nX-APPLE-CALENDAR-COLOR:#FF2968FF\nBEGIN:VEVENT\n\
                    X-WR-CALNAME:other\nEND:VEVENT\nEND:VCALENDAR\n";
    let agenda = read(document, &window).unwrap();
    assert_eq!(agenda.name.as_deref(), Some("Rot, wei\u{df}"));
    assert_eq!(agenda.color, Color::parse("#FF2968FF"));
    let plain = read("BEGIN:VCALENDAR\nCOLOR:url(x)\nEND:VCALENDAR\n", &window).unwrap();
    assert_eq!((plain.name, plain.color), (None, None));
}

#[test]
fn names_of_zones_may_hold_colons_and_state_their_offsets() {
    for (parameter, expected) in [
        ("TZID=tzone://Microsoft/Utc", "13:00"),
        ("TZID=\"tzone://Microsoft/Utc\"", "13:00"),
        ("TZID=\"tzone://Microsoft/Utc", "13:00"),
        ("X-A=\"b\";TZID=tzone://Microsoft/Utc;VALUE=DATE-TIME", "13:00"),
        ("TZID=GMT+01:00", "12:00"),
        ("TZID=\"GMT+01:00\"", "12:00"),
        ("TZID=GMT+0100", "12:00"),
        ("TZID=GMT-5", "18:00"),
        ("TZID=utc +2", "11:00"),
        ("TZID=UTC\u{2212}03:30", "16:30"),
        ("TZID=+05:45", "07:15"),
        ("TZID=UTC", "13:00"),
        ("TZID=(UTC) Coordinated Universal Time", "13:00"),
        ("TZID=(GMT+09:00) Nowhere, Tokyo", "04:00"),
        ("TZID=(UTC-05:00) Eastern Time (US & Canada)", "18:00"),
        ("TZID=(UTC+01:00) Amsterdam, Berlin, Bern", "12:00"),
        ("TZID=(UTC+03:00) Somewhere", "10:00"),
        ("TZID=/example.org/EST5EDT", "18:00"),
    ] {
        let events = event(&["SUMMARY:x", &format!("DTSTART;{parameter}:20261124T120000")]);
        assert_eq!(shown(&events, "2026-11-24", "2026-11-24"), [format!("2026-11-24 {expected} x")], "{parameter}");
    }
    // A place has summer time, an offset has none.
    let july = |zone: &str| event(&["SUMMARY:x", &format!("DTSTART;TZID={zone}:20260701T120000")]);
    let at = |zone: &str| shown(&july(zone), "2026-07-01", "2026-07-01").concat();
    assert_eq!(at("(UTC+01:00) Amsterdam, Berlin, Bern"), "2026-07-01 12:00 x");
    assert_eq!(at("(UTC-05:00) Eastern Time (US & Canada)"), "2026-07-01 18:00 x");
    assert_eq!(at("(UTC+01:00) Nowhere"), "2026-07-01 13:00 x");
    assert_eq!(at("(UTC+02:00) Berlin"), "2026-07-01 12:00 x");
    assert_eq!(at("(UTC+07:00) Berlin"), "2026-07-01 07:00 x");
}

#[test]
fn exceptions_may_be_in_zones_whose_names_hold_colons() {
    let events = event(&[
        "UID:w",
        "SUMMARY:Weekly",
        "DTSTART;TZID=tzone://Microsoft/Utc:20261103T140000",
        "RRULE:FREQ=WEEKLY;COUNT=5",
        "EXDATE;TZID=tzone://Microsoft/Utc:20261110T140000,20261117T140000",
        "RDATE;VALUE=PERIOD;TZID=GMT+01:00:20261119T150000/PT1H",
    ]);
    assert_eq!(
        shown(&events, "2026-11-01", "2026-11-30"),
        ["2026-11-03 15:00 Weekly", "2026-11-19 15:00 Weekly", "2026-11-24 15:00 Weekly"]
    );
}

#[test]
fn addresses_in_parameters_need_no_quotes() {
    let events = event(&[
        "SUMMARY;X-SEE=https://a.example/1:Talk: part 1\\, more",
        "DTSTART;VALUE=DATE:20261124",
        "URL;VALUE=URI:https://a.example/2",
    ]);
    let agenda = read(format!("BEGIN:VCALENDAR\n{events}END:VCALENDAR\n"), &vienna("2026-11-24", "2026-11-24"));
    let found = agenda.unwrap().occurrences.remove(0);
    assert_eq!((found.title.as_str(), found.url.as_deref()), ("Talk: part 1, more", Some("https://a.example/2")));
}

#[test]
fn times_are_read_in_the_forms_that_programs_write() {
    for (written, expected) in [
        ("20261124T120000+0100", "2026-11-24 12:00 x"),
        ("2026-11-24T12:00:00-05:00", "2026-11-24 18:00 x"),
        ("2026-11-24T12:00:00Z", "2026-11-24 13:00 x"),
        ("2026-11-24T12:00:00", "2026-11-24 12:00 x"),
        ("2026-11-24", "2026-11-24 x"),
        ("20261124T1200", "2026-11-24 12:00 x"),
        ("20261123T240000", "2026-11-24 00:00 x"),
    ] {
        let events = event(&["SUMMARY:x", &format!("DTSTART:{written}")]);
        assert_eq!(shown(&events, "2026-11-24", "2026-11-24"), [expected], "{written}");
    }
}

#[test]
fn lines_are_joined_before_characters_are_read() {
    let window = vienna("2026-11-24", "2026-11-24");
    let title = |document: Vec<u8>, content_type: &str| {
        let headers = vec![("Content-Type".to_owned(), content_type.to_owned())];
        let host = "cal.example".to_owned();
        let reply = Response { status: 200, headers, body: document, host, received: Moment::default() };
        super::read(&reply, &window).unwrap().occurrences.remove(0).title
    };
    let document = |title: &[u8]| {
        let before = &b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20261124T110000Z\r\nSUMMARY:"[..];
        [before, title, b"\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"].concat()
    };
    assert_eq!(title(document(b"T1 \xc3\r\n \x9cbung"), "text/calendar"), "T1 Übung");
    assert_eq!(title(document(b"T1 \xc3\n\t\x9cb\r\n \r\n ung"), "text/calendar; charset=UTF-8"), "T1 Übung");
    assert_eq!(title(document(b"T1 \xdcb\r\n ung"), "text/calendar; charset=iso-8859-1"), "T1 Übung");
    assert_eq!(title(document("T1 Übung".as_bytes()), "text/calendar; charset=iso-8859-1"), "T1 Übung");
    let wide = String::from_utf8(document("T1 Üb\r\n ung".as_bytes())).unwrap();
    let wide = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(title(wide, "text/calendar"), "T1 Übung");
}

#[test]
fn what_is_not_shown_is_counted() {
    let window = vienna("2026-11-01", "2026-11-30");
    let agenda = |events: &str| read(format!("BEGIN:VCALENDAR\n{events}END:VCALENDAR\n"), &window).unwrap();
    for lines in [
        &["SUMMARY:Lost"][..],
        &["SUMMARY:Lost", "DTSTART:tomorrow"],
        &["SUMMARY:Lost", "DTSTART;TZID=a:b:c"],
        &["SUMMARY:Lost", "DTSTART:20261399T000000"],
        &["SUMMARY:Lost", "DTSTART:", "RECURRENCE-ID:20261124T110000Z"],
    ] {
        let found = agenda(&(event(lines) + &event(&["SUMMARY:Off", "STATUS:CANCELLED"])));
        assert_eq!((found.unreadable, found.first_unreadable.as_str()), (1, "Lost"), "{lines:?}");
        assert!(found.occurrences.is_empty() && !found.is_cut, "{lines:?}");
    }
    let long = format!("RDATE:{}20261124T110000Z", "20260101T110000Z,".repeat(5000));
    for more in ["RRULE:FREQ=SOMETIMES", "RRULE:FREQ=WEEKLY;BYDAY=MO,XX", "RDATE:soon", "RDATE:20261124,soon", &long] {
        assert!(agenda(&event(&["UID:1", "DTSTART:20261101T000000Z", more])).is_cut, "{more}");
    }
    let daily = event(&["UID:1", "DTSTART:20261101T000000Z", "RRULE:FREQ=DAILY"]);
    let twice = daily.replace("RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY\nRRULE:FREQ=YEARLY");
    assert!(!agenda(&daily).is_cut && agenda(&twice).is_cut);

    let unknown = agenda(&event(&["DTSTART;TZID=Atlantis:20261124T110000"]));
    assert_eq!((unknown.unknown_zone.as_deref(), unknown.occurrences.len()), (Some("Atlantis"), 1));
    assert_eq!(agenda(&event(&["DTSTART;TZID=GMT+3:20261124T110000"])).unknown_zone, None);
}

#[test]
fn a_document_that_breaks_off_keeps_its_last_event() {
    let window = vienna("2026-11-01", "2026-11-30");
    let (one, two) = ("BEGIN:VEVENT\nSUMMARY:One\nDTSTART:20261124T110000Z\n", "DTSTART:20261125T110000Z\nSUMMARY:Two");
    for (document, is_cut) in [
        (format!("BEGIN:VCALENDAR\n{one}BEGIN:VEVENT\n{two}"), true),
        (format!("BEGIN:VCALENDAR\n{one}END:VEVENT\nBEGIN:VEVENT\n{two}\nEND:VEVENT\n"), true),
        (format!("BEGIN:VCALENDAR\n{one}BEGIN:VEVENT\n{two}\nEND:VEVENT\nEND:VCALENDAR\n\n"), false),
    ] {
        let agenda = read(document.clone(), &window).unwrap();
        let titles: Vec<&str> = agenda.occurrences.iter().map(|found| found.title.as_str()).collect();
        assert_eq!((titles.as_slice(), agenda.is_cut), (&["One", "Two"][..], is_cut), "{document}");
    }
}

#[test]
fn an_event_of_years_is_shown_to_its_end() {
    let events = event(&["SUMMARY:Studies", "DTSTART;VALUE=DATE:20231001", "DTEND;VALUE=DATE:20270701"]);
    assert_eq!(shown(&events, "2026-11-24", "2026-11-24"), ["2023-10-01..2027-06-30 Studies"]);
}
