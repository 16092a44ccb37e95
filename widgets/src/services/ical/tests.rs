//! What calendars show, and what they cannot do.

use super::*;

const VIENNA: &str = "Europe/Vienna";

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

/// The events between two days, as `first..last time title`; the time is that of Vienna.
fn shown(events: &str, first: &str, last: &str) -> Vec<String> {
    let document = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n");
    let zone = zone(VIENNA).unwrap();
    let mut occurrences =
        read(&document, &Window { first: day(first), last: day(last), zone: zone.clone() }).unwrap().occurrences;
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
    let calendar = |events: &str| read(&format!("BEGIN:VCALENDAR\n{events}END:VCALENDAR\n"), &window);
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
