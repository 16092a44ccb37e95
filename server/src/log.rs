//! The log: lines for people, or JSON for programs.

use std::{fmt, io, io::IsTerminal as _};

use tracing_subscriber::{
    EnvFilter,
    fmt::{format::Writer, time::FormatTime},
};

/// The local time of the time zone in `TZ`.
struct LocalTime;

impl FormatTime for LocalTime {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{}", jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%.3f%:z"))
    }
}

/// Starts logging. `level` is `LOG_LEVEL`: a word such as `debug`, or directives of `tracing_subscriber`'s
/// `EnvFilter`; `json` chooses one JSON object a line.
pub fn start(level: Option<&str>, json: bool) {
    let filter = level.and_then(|level| EnvFilter::try_new(level).ok()).unwrap_or_else(|| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_timer(LocalTime)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    // A second start, as in tests, keeps the first subscriber.
    _ = if json { builder.json().try_init() } else { builder.compact().try_init() };
}
