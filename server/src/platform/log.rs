//! The log: lines for people, or JSON for programs.
//!
//! Some logged text comes from elsewhere: names in configs, error messages of services, paths. Whatever it contains,
//! one event is one line, and nothing in it moves the cursor or changes the text direction.

use std::{
    borrow::Cow,
    collections::HashMap,
    fmt::{self, Write as _},
    io,
    io::{IsTerminal as _, Write},
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use jiff::Timestamp;
use tracing::{Level, Metadata, callsite::Identifier};
use tracing_subscriber::{
    Layer as _,
    filter::{LevelFilter, Targets},
    fmt::{MakeWriter, format::Writer, time::FormatTime},
    layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

use super::{peers::person, time_zone};

/// The local time of the time zone in `TZ`.
struct LogTimer;

impl FormatTime for LogTimer {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{}", Timestamp::now().to_zoned(time_zone::own()).strftime("%Y-%m-%dT%H:%M:%S%.3f%:z"))
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
    repeats: Repeats,
}

/// Escapes each line as it is written.
struct Escaping<W> {
    style: LogStyle,
    /// `None` for a line that is left out.
    to: Option<W>,
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for Lines<M> {
    type Writer = Escaping<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        Escaping { style: self.style, to: Some(self.to.make_writer()) }
    }

    fn make_writer_for(&'a self, kind: &Metadata<'_>) -> Self::Writer {
        let to = self.repeats.admits(kind).then(|| self.to.make_writer_for(kind));
        Escaping { style: self.style, to }
    }
}

impl<W: Write> Write for Escaping<W> {
    /// Accepts a whole line, as [`tracing_subscriber`] writes it.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Some(to) = &mut self.to {
            to.write_all(escaped(&String::from_utf8_lossy(line), self.style).as_bytes())?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.as_mut().map_or(Ok(()), Write::flush)
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

tokio::task_local! {
    /// Who sent the request that this task handles.
    static SENDER: IpAddr;
}

/// Handles a request of a sender, whose repeated messages are left out of the log.
pub async fn on_behalf_of<F: Future>(sender: Option<IpAddr>, request: F) -> F::Output {
    match sender {
        Some(sender) => SENDER.scope(person(sender), request).await,
        None => request.await,
    }
}

/// Leaves out messages that a sender causes again and again, so that nobody can fill the disk. What no request causes is
/// always logged.
#[derive(Default)]
struct Repeats(Mutex<HashMap<(Identifier, IpAddr), Repeated>>);

/// How often a sender has caused a kind of message.
struct Repeated {
    since: Instant,
    count: usize,
}

impl Repeats {
    /// The time in which messages are counted.
    const PERIOD: Duration = Duration::from_secs(60);
    /// Maximum number of senders and kinds that are counted.
    const MAX: usize = 1024;
    /// Stands for all senders.
    const ALL: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

    /// How many messages of a kind are logged within the period: of one sender, and of all. What people do is worth more lines
    /// than what goes wrong.
    fn max(level: Level) -> [usize; 2] {
        if level <= Level::WARN { [5, 50] } else { [60, 600] }
    }

    /// Whether a message is logged, and whether it is the first that is not.
    fn count(&self, kind: &Metadata<'_>, sender: IpAddr, now: Instant) -> (bool, bool) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= Self::MAX {
            counts.retain(|_, repeated| now.duration_since(repeated.since) < Self::PERIOD);
        }
        let is_full = counts.len() >= Self::MAX;
        let mut logged = true;
        let mut first = false;
        for (sender, max) in [sender, Self::ALL].into_iter().zip(Self::max(*kind.level())) {
            let key = (kind.callsite(), sender);
            // Those who come last are counted together.
            if is_full && sender != Self::ALL && !counts.contains_key(&key) {
                continue;
            }
            let repeated = counts.entry(key).or_insert(Repeated { since: now, count: 0 });
            if now.duration_since(repeated.since) >= Self::PERIOD {
                *repeated = Repeated { since: now, count: 0 };
            }
            repeated.count += 1;
            logged &= repeated.count <= max;
            first |= repeated.count == max + 1;
            if !logged {
                break;
            }
        }
        (logged, first)
    }
}

impl Repeats {
    /// Whether a message of this kind is logged now.
    fn admits(&self, kind: &Metadata<'_>) -> bool {
        // A level below the default shows everything.
        if *kind.level() > Level::INFO {
            return true;
        }
        let Ok(sender) = SENDER.try_with(|sender| *sender) else { return true };
        let (logged, is_first) = self.count(kind, sender, Instant::now());
        if is_first {
            let target = kind.target().to_owned();
            // Not from here: this is a part of logging. A thread without a request is not limited either.
            std::thread::spawn(move || {
                tracing::warn!("one of the messages of `{target}` repeats; more of them are left out for a minute");
            });
        }
        logged
    }
}

/// Starts logging. `level` is `LOG_LEVEL`: a word such as `debug`, or a list such as `info,server=debug` (that of
/// [`Targets`], which unlike `EnvFilter` needs no regular expressions); `json` chooses one JSON object a line.
pub fn start(level: Option<&str>, json: bool) {
    let (filter, unknown) = filter(level.unwrap_or_default());
    let is_colored = io::stderr().is_terminal() && !json;
    let style = LogStyle { json, is_colored };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(Lines { style, to: io::stderr, repeats: Repeats::default() })
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

    use super::{Lines, LogStyle, Repeats, filter};

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
            .with_writer(Lines { style, to: kept.clone(), repeats: Repeats::default() })
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

    #[tokio::test]
    async fn one_sender_does_not_fill_the_log() {
        let kept = LogBuffer::default();
        let style = LogStyle { json: false, is_colored: false };
        let lines = Lines { style, to: kept.clone(), repeats: Repeats::default() };
        let lines = tracing_subscriber::fmt::layer().with_writer(lines);
        let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(lines));
        let fail = async |sender: &str, count: usize| {
            let sender = sender.parse().ok();
            let failing = async {
                for _ in 0..count {
                    tracing::warn!("a sign-in failed");
                }
            };
            super::on_behalf_of(sender, failing).await;
            String::from_utf8(kept.0.lock().unwrap().clone()).unwrap().matches("a sign-in failed").count()
        };
        assert_eq!(fail("192.0.2.1", 1000).await, 5);
        assert_eq!(fail("192.0.2.2", 1).await, 6);
        for network in 0..1000 {
            fail(&format!("2001:db8:0:{network:x}::1"), 1).await;
        }
        assert_eq!(fail("192.0.2.3", 1).await, 50);
        assert_eq!(fail("", 10).await, 60, "what no request causes is always logged");
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
