//! The log: lines for people, or JSON for programs.

use std::{fmt, io, io::IsTerminal as _};

use tracing_subscriber::{
    Layer as _,
    filter::{LevelFilter, Targets},
    fmt::{format::Writer, time::FormatTime},
    layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

/// The local time of the time zone in `TZ`.
struct LocalTime;

impl FormatTime for LocalTime {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{}", jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%.3f%:z"))
    }
}

/// Starts logging. `level` is `LOG_LEVEL`: a word such as `debug`, or a list such as `info,server=debug` (that of
/// [`Targets`], which unlike `EnvFilter` needs no regular expressions); `json` chooses one JSON object a line.
pub fn start(level: Option<&str>, json: bool) {
    let (filter, unknown) = filter(level.unwrap_or_default());
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_timer(LocalTime)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    // A second start, as in tests, keeps the first subscriber.
    let registry = tracing_subscriber::registry();
    _ = if json {
        registry.with(lines.json().with_filter(filter)).try_init()
    } else {
        registry.with(lines.compact().with_filter(filter)).try_init()
    };
    for word in unknown {
        tracing::warn!("LOG_LEVEL: `{word}` is no level; write error, warn, info, debug or trace");
    }
}

/// What is logged, and the parts of the text that say nothing. A level must not be lost because it has another name
/// elsewhere, and least of all may a name be taken for a module of which alone everything is logged.
fn filter(text: &str) -> (Targets, Vec<&str>) {
    let mut targets = Targets::new().with_default(LevelFilter::INFO);
    let mut unknown = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match part.rsplit_once('=') {
            Some((module, word)) if !module.trim().is_empty() => match level(word) {
                Some(level) => targets = targets.with_target(module.trim(), level),
                None => unknown.push(part),
            },
            _ => match level(part) {
                Some(level) => targets = targets.with_default(level),
                None => unknown.push(part),
            },
        }
    }
    (targets, unknown)
}

/// A level by its own name, its number, or what other programs call it.
fn level(word: &str) -> Option<LevelFilter> {
    let word = word.trim().to_ascii_lowercase();
    match word.as_str() {
        "warning" => Some(LevelFilter::WARN),
        "fatal" | "critical" => Some(LevelFilter::ERROR),
        "verbose" => Some(LevelFilter::DEBUG),
        "silly" | "all" => Some(LevelFilter::TRACE),
        "none" | "silent" => Some(LevelFilter::OFF),
        known => known.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::filter::LevelFilter;

    use super::filter;

    #[test]
    fn levels_have_many_names_and_never_silence_the_log() {
        for (text, expected, unknown) in [
            ("", LevelFilter::INFO, 0),
            ("debug", LevelFilter::DEBUG, 0),
            ("WARN", LevelFilter::WARN, 0),
            ("warning", LevelFilter::WARN, 0),
            ("Verbose", LevelFilter::DEBUG, 0),
            ("off", LevelFilter::OFF, 0),
            ("4", LevelFilter::DEBUG, 0),
            ("loud", LevelFilter::INFO, 1),
            ("error, loud", LevelFilter::ERROR, 1),
            ("=debug", LevelFilter::INFO, 1),
            ("server=loud", LevelFilter::INFO, 1),
        ] {
            let (targets, wrong) = filter(text);
            assert_eq!((targets.default_level(), wrong.len()), (Some(expected), unknown), "{text}");
        }
        let (targets, _) = filter("warn,server=debug");
        assert!(targets.would_enable("server::pages", &tracing::Level::DEBUG));
        assert!(!targets.would_enable("hyper", &tracing::Level::INFO));
    }
}
