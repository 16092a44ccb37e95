//! Config files, and pages of other hosts, made to exhaust a server's memory or time: whatever they contain, the cost
//! of reading one is proportional to its length. One test, since the memory is counted for the whole program.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on must stop")]

use std::time::Duration;

use config::{Config, Document};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Maximum number of bytes of memory per byte of a document while it is read, and fixed overhead.
const MAX_PER_BYTE: usize = 250;
const MAX_AT_ALL: usize = 4 * 1024 * 1024;
/// Maximum ratio of the times for a document and one four times as long; a quadratic cost would make it 16.
const MAX_RATIO: f64 = 9.0;
const SHORT: usize = 32 * 1024;

/// Reads a document as the root config, and as a page on top of another.
fn read(document: &[u8]) {
    let root = Document::parse(b"appConfig: { theme: dracula }\n").unwrap();
    if let Ok(document) = Document::parse(document) {
        _ = Config::read(&document);
        _ = Config::read_page(&root, &document);
    }
}

/// The processor time of this thread: other programs do not affect it.
fn cpu_time() -> Duration {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(counts.split(' ').next().and_then(|spent| spent.parse().ok()).unwrap_or_default())
}

fn time(document: &[u8]) -> Duration {
    let began = cpu_time();
    read(document);
    cpu_time() - began
}

/// Reads a document composed of many copies of one piece. `#` in the piece is replaced by its number.
fn check(before: &str, piece: &str, after: &str) {
    let document = |bytes: usize| {
        let mut document = before.to_owned();
        let mut number = 0_usize;
        while document.len() < bytes {
            document.push_str(&piece.replace('#', &number.to_string()));
            number += 1;
        }
        document.push_str(after);
        document.into_bytes()
    };
    let (short, long) = (document(SHORT), document(4 * SHORT));
    let at_first = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let slow = time(&long);
    let used = MEMORY.peak_usage().saturating_sub(at_first);
    assert!(used <= MAX_AT_ALL + MAX_PER_BYTE * long.len(), "{before}{piece}: {used} bytes for {}", long.len());
    // Times near zero cannot be compared. Most documents take so little that one time is enough.
    let limit = |quick: Duration| quick.max(Duration::from_millis(10)).mul_f64(MAX_RATIO);
    if slow <= limit(Duration::ZERO) {
        return;
    }
    let quick = time(&short).min(time(&short));
    let slow = if slow <= limit(quick) { slow } else { slow.min(time(&long)) };
    assert!(slow <= limit(quick), "{before}{piece}: {quick:?}, {slow:?}");
}

#[test]
fn no_document_costs_more_than_its_length() {
    for (before, piece, after) in [
        ("", "- ", ""),
        ("", "- a\n", ""),
        ("", "- - - a\n", ""),
        ("", "a#: b\n", ""),
        ("", "a: b\n", ""),
        ("", "[", ""),
        ("", "{", ""),
        ("", "{a: ", ""),
        ("[", "a, ", "]"),
        ("[", "{}, ", "]"),
        ("[", "[], ", "]"),
        ("{", "a#: b, ", "}"),
        ("", "? ", ""),
        ("", "? a#\n: b\n", ""),
        ("", "&a# ", ""),
        ("", "- &a# x\n", ""),
        ("a: &a x\nb: [", "*a, ", "]"),
        ("a: &a [x, x, x, x]\nb: [", "*a, ", "]"),
        ("a: &a {b: c}\n", "d#: { <<: *a }\n", ""),
        ("a: &a {b: c}\nd: { <<: [", "*a, ", "] }"),
        ("", "!!str ", ""),
        ("- ", "!a# ", ""),
        ("", "# c\n", ""),
        ("", "---\n", ""),
        ("", "...\n", ""),
        ("", "\n", ""),
        ("", "\r", ""),
        ("", "\t", ""),
        ("'", "''", "'"),
        ("\"", "\\u0000", "\""),
        ("\"", "\\", ""),
        ("\"", "\n ", "\""),
        ("|\n", " a\n", ""),
        (">\n", " a\n\n", ""),
        ("|", "9", ""),
        ("a", ": b", ""),
        ("", "%TAG ! a#\n", ""),
        ("", "é", ""),
        ("", "\u{feff}", ""),
        ("sections: [", "{ name: A, items: [ { title: B, url: c, icon: d } ] }, ", "]"),
        ("sections: [", "{}, ", "]"),
        ("sections: [", "{ name: A# }, ", "]"),
        ("sections: [ { name: A, items: [", "{ title: B#, subItems: [ {} ] }, ", "] } ]"),
        ("sections: [ { name: A, items: [", "{ title: B, tags: [a#] }, ", "] } ]"),
        ("sections: [ { name: A, widgets: [", "{ type: clock, options: { a#: 1 } }, ", "] } ]"),
        ("pages: [", "{ name: A#, path: a#.yml }, ", "]"),
        ("pages: [", "{ name: A, path: a.yml }, ", "]"),
        ("appConfig: { customCss: \"", "a{b:c}", "\" }"),
        ("appConfig: { customColors: { a: { ", "b#: red, ", "} } }"),
        ("appConfig: { hotKeys: [", "a, ", "] }"),
        ("pageInfo: { navLinks: [", "{ title: A, path: b }, ", "] }"),
        ("pageInfo: { footer: \"", "<p><b>", "\" }"),
        ("appConfig: { auth: { users: [", "{ user: a#, hash: b }, ", "] } }"),
    ] {
        check(before, piece, after);
    }
}
