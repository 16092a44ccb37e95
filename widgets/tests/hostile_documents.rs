//! Documents that are made to cost a server its memory or its time: whatever they hold, reading one costs no more than
//! its length. One test, since the whole program has one count of its memory.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on must stop")]

use async_trait::async_trait;
use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use peak_alloc::PeakAlloc;
use serde_json::json;
use widgets::{
    Entry, FetchError, Kind, Moment, OptionProblems, Request, Response, Side, ViewerHints, WidgetContext,
    panel::{PlainText, RichText},
};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Most bytes that one byte of a document may take while it is read, and that are needed for none at all. A whole
/// document of 5 MB, the most that a feed may have, must fit into a container with 256 MB.
const MAX_PER_BYTE: usize = 24;
const MAX_AT_ALL: usize = 6 * 1024 * 1024;
/// How much longer a document that is four times as long may take; one that takes the square takes 16 times as long.
const MAX_RATIO: f64 = 9.0;
const SHORT: usize = 32 * 1024;

/// A world in which every address answers the same.
struct Says<'a>(&'a [u8], ViewerHints);

#[async_trait]
impl WidgetContext for Says<'_> {
    async fn exchange(&self, request: Request) -> Result<Response, FetchError> {
        let (host, body) = (request.host().to_owned(), self.0.to_vec());
        Ok(Response { status: 200, headers: Vec::new(), body, host, received: Moment::default() })
    }

    fn now(&self) -> Moment {
        Moment::default()
    }

    fn side(&self) -> Side {
        Side::Server
    }

    fn viewer(&self) -> &ViewerHints {
        &self.1
    }
}

fn show(kind: Kind, options: serde_json::Value, document: &[u8]) {
    let entry = Entry::read(&json!({ "options": options }), false, &mut OptionProblems::default());
    let context = Says(document, ViewerHints::default());
    let mut fetch = pin!(kind.fetch(&entry, &context));
    let outcome = fetch.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(outcome, Poll::Ready(_)));
}

fn feed(document: &[u8]) {
    show(Kind::RssFeed, json!({ "rssUrl": "http://nas.lan/feed", "parseLocally": true, "limit": 500 }), document);
}

fn any_json(document: &[u8]) {
    show(Kind::ApiResponse, json!({ "url": "http://nas.lan/" }), document);
}

fn list(document: &[u8]) {
    show(Kind::CustomList, json!({ "url": "http://nas.lan/", "file": "http://nas.lan/" }), document);
}

fn calendar(document: &[u8]) {
    show(Kind::Calendar, json!({ "calendars": "http://nas.lan/c.ics" }), document);
}

/// The document stands in an event that repeats.
fn event(document: &[u8]) {
    let before = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:19700101T000000Z\nRRULE:FREQ=DAILY\n".as_bytes();
    calendar(&[before, document, b"\nEND:VEVENT\nEND:VCALENDAR\n"].concat());
}

fn plain(document: &[u8]) {
    _ = PlainText::read(&String::from_utf8_lossy(document));
}

fn rich(document: &[u8]) {
    _ = RichText::clean(&String::from_utf8_lossy(document));
}

/// The time that this thread has spent on a processor: other programs have no part in it.
fn cpu_time() -> Duration {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(counts.split(' ').next().and_then(|spent| spent.parse().ok()).unwrap_or_default())
}

fn time(read: fn(&[u8]), document: &[u8]) -> Duration {
    let began = cpu_time();
    read(document);
    cpu_time() - began
}

/// Reads a document that is made of one piece many times.
fn check(read: fn(&[u8]), before: &str, piece: &str, between: usize) {
    let document = |bytes: usize| {
        let mut document = before.to_owned();
        let mut number = 0_usize;
        while document.len() < bytes {
            document.push_str(&piece.replace('#', &number.to_string()));
            number += between;
        }
        document.into_bytes()
    };
    let (short, long) = (document(SHORT), document(4 * SHORT));
    let at_first = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let slow = time(read, &long);
    let used = MEMORY.peak_usage().saturating_sub(at_first);
    let name = &piece[..piece.len().min(60)];
    assert!(used <= MAX_AT_ALL + MAX_PER_BYTE * long.len(), "{before}{name}: {used} bytes for {}", long.len());
    // Times near zero cannot be compared. Most documents take so little that one time is enough.
    let limit = |quick: Duration| quick.max(Duration::from_millis(10)).mul_f64(MAX_RATIO);
    if slow <= limit(Duration::ZERO) {
        return;
    }
    let quick = time(read, &short).min(time(read, &short));
    let slow = if slow <= limit(quick) { slow } else { slow.min(time(read, &long)) };
    assert!(slow <= limit(quick), "{before}{name}: {quick:?}, {slow:?}");
}

#[test]
fn no_document_costs_more_than_its_length() {
    let markup = [
        "<b>",
        "</b>",
        "</p>",
        "<p>",
        "<p><b>",
        "<a href=x>",
        "<table><tr><td>",
        "<li>",
        "<svg>",
        "<form>",
        "<!--",
        "<!",
        "<script>",
        "<b a#=1>",
        " a#=1",
        "&",
        "&lt;",
        "&amp;amp;",
        "<![CDATA[",
        "<",
        "\0",
        "<b></i>",
        "<i></b></b>",
        "<select><option>",
        "<template>",
        "<a href='http://a.example/'>",
        "é",
    ];
    for piece in markup {
        check(plain, "<p>", piece, 1);
        check(rich, "<p>", piece, 1);
        check(feed, "<rss><channel><item><description>", &piece.replace('&', "&amp;").replace('<', "&lt;"), 1);
        check(feed, "<rss><channel><item><description><![CDATA[", piece, 1);
        check(feed, "<feed><entry><content type='xhtml'>", piece, 1);
        check(feed, "<rss><channel><item>", &format!("<title>{piece}"), 1);
    }
    for piece in ["<b ", "<b a='", "<b a=1 ", "<b a=", "\"", "'"] {
        check(plain, "<p ", piece, 1);
        check(rich, "<p ", piece, 1);
    }
    let item = "<item><title>#</title><link>#</link></item>";
    for (before, piece) in [
        ("<rss><channel>", item),
        ("<rss><channel>", "<item/>"),
        ("<rss><channel>", "<item>"),
        ("<rss><channel>", "<item><title>a"),
        ("<rss><channel>", "</item>"),
        ("<rss><channel><item>", "<author>#</author>"),
        ("<rss><channel><item>", "<media:content url='#'/>"),
        ("<rss><channel>", "<a></b>"),
        ("<rss><channel>", "<a xmlns:a#='http://a.example/#'/>"),
        ("<rss><channel>", "<a xml:base='#/'>"),
        ("<rss", " a#='1'"),
        ("<rss", " xmlns:a#='urn:#'"),
        ("<rss><channel><item", " a='1'"),
        ("<!DOCTYPE rss [", "<!ENTITY a# '&a;&a;&a;&a;&a;'>"),
        ("<!DOCTYPE rss [", "["),
        ("<!DOCTYPE rss ", "<"),
        ("", "<?xml "),
        ("", "<!-- "),
        ("<feed xml:base='http://a.example/'>", "<entry xml:base='#/'><link href='#'/><id>#</id></entry>"),
        ("<feed><entry>", "<link href='#'/>"),
        ("<feed><link href='/x'/>", "<entry><title>a</title></entry>"),
        ("<rdf:RDF>", item),
    ] {
        check(feed, before, piece, 1);
    }
    let event_of = |lines: &str| format!("BEGIN:VEVENT\nUID:#\n{lines}\nEND:VEVENT\n");
    for lines in [
        "DTSTART;VALUE=DATE:19700105",
        "DTSTART;VALUE=DATE:19700105\nRRULE:FREQ=DAILY",
        "DTSTART:19000105T000000Z\nRRULE:FREQ=HOURLY;COUNT=4000000",
        "DTSTART:19700105T000000Z\nRRULE:FREQ=SECONDLY",
        "DTSTART:00010105T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=9",
        "DTSTART;TZID=#:19700105T000000\nRECURRENCE-ID:19700105T000000Z",
    ] {
        check(calendar, "BEGIN:VCALENDAR\n", &event_of(lines), 1);
    }
    for piece in
        ["BEGIN:VEVENT\n", "END:VEVENT\n", "BEGIN:VTIMEZONE\nTZID:#\nEND:VTIMEZONE\n", "\n", " ", "BEGIN:VCALENDAR\n"]
    {
        check(calendar, "BEGIN:VCALENDAR\n", piece, 1);
    }
    for piece in [
        "X-#:a\n",
        "BEGIN:VALARM\n",
        "END:VALARM\n",
        "X;A=#",
        "EXDATE:19700102T000000Z\n",
        "RDATE:197001##T000000Z\n",
        "RRULE:FREQ=DAILY\n",
        "SUMMARY:a\n b",
        "\n ",
        ":",
        ";",
        "\"",
        ",",
        "=",
        "\\",
    ] {
        check(event, "", piece, 1);
        check(event, "RDATE:", piece, 1);
        check(event, "RRULE:FREQ=DAILY;BYDAY=MO", piece, 1);
    }
    for list in ["MO,", "19700102T000000Z,", "1,"] {
        check(event, "RDATE:", list, 1);
        check(event, "RRULE:FREQ=DAILY;COUNT=99999;BYDAY=", list, 1);
        check(event, "RRULE:FREQ=YEARLY;COUNT=99999;BYYEARDAY=", list, 1);
    }
    let long = "a/".repeat(SHORT / 4);
    check(
        feed,
        &format!("<feed xml:base='http://a.example/{long}'>"),
        "<entry xml:base='a/'><link href='b'/></entry>",
        1,
    );
    check(feed, &format!("<rss><channel><link>http://a.example/{long}</link>"), item, 1);
    let version = "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[0";
    for (before, piece) in [
        (version, ",{}"),
        (version, ",{\"title\":\"#\"}"),
        (version, ",{\"content_html\":\"<b>\"}"),
        (version, ",{\"authors\":[[[["),
        (version, ",{\"authors\":[{},{}]}"),
    ] {
        check(feed, before, piece, 1);
    }
    for read in [any_json, list] {
        for (before, piece) in [
            ("[0", ",0"),
            ("[", "["),
            ("[[]", ",[]"),
            ("[{}", ",{}"),
            ("{\"a\":0", ",\"a#\":0"),
            ("{\"a\":0", ",\"a\":0"),
            ("", "{\"a\":"),
            ("[\"", "\\u0000"),
            ("[\"", ","),
            ("[1", "0"),
            ("[1e", "9"),
        ] {
            check(read, before, piece, 1);
        }
    }
}
