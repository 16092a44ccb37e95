//! How long a machine has been running, as monitors write it.

use std::time::Duration;

use serde_json::Value;

/// Parses `19 days, 16:54:43`, `1 day, 1:00:00`, `9:51:24`, or a number of seconds.
pub(crate) fn read(written: &Value) -> Option<Duration> {
    match written {
        Value::Number(seconds) => Duration::try_from_secs_f64(seconds.as_f64()?).ok(),
        Value::String(text) => of_text(text.trim()),
        _ => None,
    }
}

fn of_text(text: &str) -> Option<Duration> {
    let (days, clock) = match text.split_once(',') {
        Some((days, clock)) => (days.trim().trim_end_matches("days").trim_end_matches("day").trim(), clock.trim()),
        None => ("0", text),
    };
    let mut pieces = clock.split(':').map(|piece| piece.parse::<u64>().ok());
    let (hours, minutes, seconds) = (pieces.next()??, pieces.next()??, pieces.next()??);
    let seconds = days
        .parse::<u64>()
        .ok()?
        .checked_mul(86_400)?
        .checked_add(hours.checked_mul(3600)?)?
        .checked_add(minutes.checked_mul(60)?)?
        .checked_add(seconds)?;
    pieces.next().is_none().then(|| Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn days_are_optional() {
        for (written, expected) in [
            (json!("19 days, 16:54:43"), Some(19 * 86_400 + 16 * 3600 + 54 * 60 + 43)),
            (json!("1 day, 1:00:00"), Some(90_000)),
            (json!("9:51:24"), Some(35_484)),
            (json!("0:00:17"), Some(17)),
            (json!(1_051_449), Some(1_051_449)),
            (json!(-3), None),
            (json!("since Monday"), None),
            (json!("1:2"), None),
            (json!("1:2:3:4"), None),
            (json!("99999999999999999999 days, 1:00:00"), None),
            (json!({}), None),
            (json!(null), None),
        ] {
            assert_eq!(read(&written), expected.map(Duration::from_secs), "{written}");
        }
    }
}
