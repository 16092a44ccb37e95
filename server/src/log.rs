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
    let filter = level.and_then(|level| level.parse().ok());
    let filter: Targets = filter.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
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
}
