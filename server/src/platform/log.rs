//! The log: lines for people, or JSON for programs.
//!
//! Some logged text comes from elsewhere: names in configs, error messages of services, paths. Whatever it contains,
//! one event is one line, and nothing in it moves the cursor or changes the text direction.

use std::{
    borrow::Cow,
    fmt::{self, Write as _},
    io,
    io::{IsTerminal as _, Write},
};

use tracing_subscriber::{
    Layer as _,
    filter::{LevelFilter, Targets},
    fmt::{MakeWriter, format::Writer, time::FormatTime},
    layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

/// The local time of the time zone in `TZ`.
struct LogTimer;

impl FormatTime for LogTimer {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{}", jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%.3f%:z"))
    }
}

/// The format of lines.
#[derive(Clone, Copy, Debug)]
struct LogStyle {
    json: bool,
    /// Colors are escape sequences. Those in values have already been removed.
    is_colored: bool,
}

/// Creates writers that escape everything but plain text.
struct Lines<M> {
    style: LogStyle,
    to: M,
}

/// Escapes each line as it is written.
struct Escaping<W> {
    style: LogStyle,
    to: W,
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for Lines<M> {
    type Writer = Escaping<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        Escaping { style: self.style, to: self.to.make_writer() }
    }
}

impl<W: Write> Write for Escaping<W> {
    /// Accepts a whole line, as [`tracing_subscriber`] writes it.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.to.write_all(escaped(&String::from_utf8_lossy(line), self.style).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A line whose only line break is at its end, without invisible characters.
fn escaped(line: &str, style: LogStyle) -> Cow<'_, str> {
    let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
    let is_plain = |character: char| !is_unsafe(character) || style.is_colored && character == '\x1b';
    if text.chars().all(is_plain) {
        return line.into();
    }
    let mut escaped = String::with_capacity(line.len() + 16);
    for character in text.chars() {
        _ = match character {
            character if is_plain(character) => escaped.write_char(character),
            character if style.json => write!(escaped, "\\u{:04x}", u32::from(character)),
            character => write!(escaped, "{}", character.escape_default()),
        };
    }
    escaped.push_str(end);
    escaped.into()
}

/// Control characters, characters that change the text direction, and other kinds of line break. None is above U+FFFF.
fn is_unsafe(character: char) -> bool {
    let turns =
        matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// Starts logging. `level` is `LOG_LEVEL`: a word such as `debug`, or a list such as `info,server=debug` (that of
/// [`Targets`], which unlike `EnvFilter` needs no regular expressions); `json` chooses one JSON object a line.
pub fn start(level: Option<&str>, json: bool) {
    let (filter, unknown) = filter(level.unwrap_or_default());
    let is_colored = io::stderr().is_terminal() && !json;
    let style = LogStyle { json, is_colored };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(Lines { style, to: io::stderr })
        .with_timer(LogTimer)
        .with_ansi(is_colored)
        .with_target(false);
    // A second start, as in tests, keeps the first subscriber.
    let registry = tracing_subscriber::registry();
    _ = if json {
        registry.with(lines.json().with_filter(filter)).try_init()
    } else {
        registry.with(lines.compact().with_filter(filter)).try_init()
    };
    for word in unknown {
        tracing::warn!("LOG_LEVEL: `{word}` is not a level; write error, warn, info, debug or trace");
    }
}

/// What is logged, and the parts of the setting that are invalid. A level must not be lost because other programs spell
/// it differently, and a level's name must never be read as a module, because then only that module would be logged.
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

/// A level by its own name, its number, or its name in other programs.
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

    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use tracing_subscriber::{fmt::MakeWriter, layer::SubscriberExt as _};

    use super::{Lines, LogStyle, filter};

    /// Stores everything that is written.
    #[derive(Clone, Default)]
    struct LogBuffer(Arc<Mutex<Vec<u8>>>);

    impl io::Write for LogBuffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for LogBuffer {
        type Writer = Self;

        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    /// The log after an event with this text in its message and in a field.
    fn logged(text: &str, style: LogStyle) -> String {
        let kept = LogBuffer::default();
        let layer = tracing_subscriber::fmt::layer()
            .with_writer(Lines { style, to: kept.clone() })
            .without_time()
            .with_ansi(style.is_colored);
        let event = || tracing::warn!(field = text, "says {text}");
        if style.json {
            tracing::subscriber::with_default(tracing_subscriber::registry().with(layer.json()), event);
        } else {
            tracing::subscriber::with_default(tracing_subscriber::registry().with(layer.compact()), event);
        }
        let bytes = kept.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn an_event_is_one_line_of_plain_text() {
        let hostile = "a\nINFO b\r\x1b[2K\x07\x08\x7f\u{9b}31m\u{85}\u{202e}gpj\u{2066}\u{200f}\u{2028}\t\0z";
        for (json, is_colored) in [(false, false), (false, true), (true, false)] {
            let line = logged(hostile, LogStyle { json, is_colored });
            let text = line.strip_suffix('\n').unwrap();
            // Our own colors stay, and no other escape sequences.
            let text = if is_colored { text.replace("\x1b[", "[") } else { text.to_owned() };
            let odd: Vec<char> = text.chars().filter(|character| super::is_unsafe(*character)).collect();
            assert!(odd.is_empty() && !text.contains("\x1b"), "{odd:?} in {line:?}");
            assert!(!line.contains("\x1b[2K"), "{line:?}");
            assert!(text.contains("INFO b") && text.contains("202e"), "{line:?}");
            if json {
                let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!(value["fields"]["field"], hostile);
            }
        }
        let plain = "Größe 日本 👨\u{200d}👩 \\ \"quoted\"";
        assert!(logged(plain, LogStyle { json: false, is_colored: false }).contains(&format!("says {plain}")));
    }

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
