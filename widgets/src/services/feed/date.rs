//! Dates as found in feeds: standard, almost standard, and in the authors' languages.

use jiff::civil::Date;

use crate::{Moment, services::calendar};

/// Seconds of half a day.
const HALF: i64 = 12 * 3600;

/// Parses a date. Without a zone it is UTC; without a time it is midnight.
pub(crate) fn parse(text: &str) -> Option<Moment> {
    let text = text.trim();
    Moment::parse_local(text, 0).or_else(|| by_words(text))
}

/// Parses a date with names, roughly in the order used in mail: `Sat, 21 Nov 2026 09:00 EST`.
fn by_words(text: &str) -> Option<Moment> {
    let (mut day, mut month, mut year, mut seconds, mut offset) = (None, None, None, 0, 0);
    let mut is_behind_time = false;
    let words = text.split(|character: char| character.is_whitespace() || character == ',');
    for word in words.map(|word| word.trim_matches(['.', '(', ')'])).filter(|word| !word.is_empty()) {
        let found_time = time(word);
        let was_behind_time = std::mem::replace(&mut is_behind_time, found_time.is_some());
        if let Some(found) = zone(word).filter(|_| year.is_some()) {
            offset = found;
        } else if let Some(is_afternoon) = half(word) {
            // In German, `am` precedes a date.
            if is_afternoon || was_behind_time {
                seconds = of_half(seconds, is_afternoon);
            }
        } else if let Some(found) = found_time {
            seconds = found;
        } else if let Ok(number) = word.parse::<u16>() {
            match (word.len(), day) {
                (1..=2, None) => day = Some(number),
                (4, _) => year = Some(number),
                // A two-digit year, as in RFC 822.
                (2, Some(_)) => year = Some(number + if number < 70 { 2000 } else { 1900 }),
                _ => return None,
            }
        } else if let Some(found) = month_of(word) {
            // The name of the weekday comes first, and may begin like a month, so the last match counts.
            month = Some(found);
        }
    }
    let date = Date::new(i16::try_from(year?).ok()?, month?, i8::try_from(day?).ok()?).ok()?;
    Some(Moment::from_seconds(calendar::midnight(date).seconds() + seconds - offset))
}

/// Whether a word such as `PM` or `p.m` means afternoon (true) or morning (false).
fn half(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "am" | "a.m" => Some(false),
        "pm" | "p.m" => Some(true),
        _ => None,
    }
}

/// The seconds since midnight of a time on a 12-hour clock. A time that cannot be on such a clock stays as it is.
fn of_half(seconds: i64, is_afternoon: bool) -> i64 {
    match (is_afternoon, seconds / 3600) {
        (true, 0..12) => seconds + HALF,
        (false, 12) => seconds - HALF,
        _ => seconds,
    }
}

/// Seconds since midnight: `9:00`, `09:00:00`, `09:00:00.5`, `9:00pm`.
fn time(word: &str) -> Option<i64> {
    let (word, half) = match word.split_at_checked(word.len().saturating_sub(2)) {
        Some((time, end)) if half(end).is_some() => (time, half(end)),
        _ => (word, None),
    };
    let mut parts = word.trim_end_matches('Z').split(':');
    let hours: i64 = parts.next()?.parse().ok()?;
    let minutes: i64 = parts.next()?.parse().ok()?;
    let seconds: f64 = parts.next().unwrap_or("0").parse().ok()?;
    let fits = (0..=24).contains(&hours) && (0..60).contains(&minutes) && (0.0..61.0).contains(&seconds);
    // Fractions of a second do not matter in feeds.
    let seconds = seconds as i64;
    let seconds = hours * 3600 + minutes * 60 + seconds;
    fits.then(|| half.map_or(seconds, |is_afternoon| of_half(seconds, is_afternoon)))
}

/// Seconds ahead of UTC: `+0100`, `-05:30`, `EST`, `GMT+1`.
fn zone(word: &str) -> Option<i64> {
    let hours = match word.to_ascii_uppercase().as_str() {
        "GMT" | "UT" | "UTC" | "Z" | "WET" => 0,
        "BST" | "CET" | "WEST" | "MEZ" => 1,
        "CEST" | "EET" | "MESZ" => 2,
        "EEST" | "MSK" => 3,
        "IST" => return Some(5 * 3600 + 1800),
        "JST" | "KST" => 9,
        "AEST" => 10,
        "AEDT" => 11,
        "EDT" => -4,
        "EST" | "CDT" => -5,
        "CST" | "MDT" => -6,
        "MST" | "PDT" => -7,
        "PST" => -8,
        _ => {
            let name = word.find(['+', '-'])?;
            let is_zero = ["", "GMT", "UTC"].iter().any(|zero| word[..name].eq_ignore_ascii_case(zero));
            return numbered_zone(&word[name..]).filter(|_| is_zero);
        }
    };
    Some(hours * 3600)
}

/// Seconds ahead of UTC: `+0100`, `-05:30`, `+1`.
fn numbered_zone(word: &str) -> Option<i64> {
    let (sign, digits) = match word.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, word.strip_prefix('-')?),
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let number = |digits: &str| {
        let is_number = digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<i64>().ok().filter(|_| is_number)
    };
    Some(sign * (number(hours)? * 3600 + number(minutes)? * 60))
}

/// The month by the first letters of its name in the major European languages.
fn month_of(word: &str) -> Option<i8> {
    let plain: String = word
        .to_lowercase()
        .chars()
        .map(|character| match character {
            'ä' | 'á' => 'a',
            'é' | 'è' => 'e',
            'û' => 'u',
            other => other,
        })
        .collect();
    if plain.starts_with("juil") {
        return Some(7);
    }
    let beginning: String = plain.chars().take(3).collect();
    Some(match beginning.as_str() {
        "jan" | "gen" | "ene" => 1,
        "feb" | "fev" => 2,
        "mar" | "mrz" | "maa" => 3,
        "apr" | "avr" | "abr" => 4,
        "may" | "mai" | "mag" | "mei" | "maj" => 5,
        "jun" | "giu" | "jui" => 6,
        "jul" | "lug" => 7,
        "aug" | "aou" | "ago" => 8,
        "sep" | "set" => 9,
        "oct" | "okt" | "ott" | "out" => 10,
        "nov" => 11,
        "dec" | "dez" | "dic" => 12,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        let nine = Moment::parse("2026-11-21T09:00:00Z");
        let midnight = Moment::parse("2026-11-21T00:00:00Z");
        let may = Moment::parse("2026-05-05T08:00:00Z");
        for (text, expected) in [
            ("2026-11-21T10:00:00+01:00", nine),
            ("2026-11-21 09:00:00", nine),
            ("2026-11-21", midnight),
            ("Sat, 21 Nov 2026 09:00:00 GMT", nine),
            ("Sat, 21 Nov 2026 04:00 EST", nine),
            ("21 Nov 26 09:00:00 +0000", nine),
            ("Sat, 21 Nov 2026", midnight),
            ("Saturday, November 21, 2026", midnight),
            ("Sat, 21 Nov 2026 11:00:00 CEST", nine),
            ("Sat, 21 Nov 2026 14:30:00 +05:30", nine),
            ("mar., 5 mai 2026 10:00:00 +0200", may),
            ("Di, 05 Mai 2026 10:00:00 +0200", may),
            ("mar, 05 mag 2026 08:00:00 GMT", may),
            ("Fri, 20 Nov 2026 24:00:00 GMT", midnight),
            ("Nov 21, 2026 9:00 AM", nine),
            ("Sat, 21 Nov 2026 12:00 a.m.", midnight),
            ("Sat, 21 Nov 2026 04:00 PM +0700", nine),
            ("November 21, 2026 12:30pm GMT+3:30", nine),
            ("Sat, 21 Nov 2026 10:00:00 GMT+1", nine),
            ("Sat, 21 Nov 2026 10:00:00 GMT +1", nine),
            ("Sat, 21 Nov 2026 10:00:00 utc+0100", nine),
            ("Sat, 21 Nov 2026 04:00:00 -5", nine),
            ("Sat, 21 Nov 2026 09:00:00 GMT+x", nine),
            ("Sat, 21 Nov 2026 09:00:00 é", nine),
            ("am 5. Mai 2026 um 08:00", may),
            ("um 14:00 am 21. November 2026", Moment::parse("2026-11-21T14:00:00Z")),
            ("um 12:15 Uhr am 21. November 2026", Moment::parse("2026-11-21T12:15:00Z")),
            ("Nov 21, 2026 12:15 AM", Moment::parse("2026-11-21T00:15:00Z")),
            ("Nov 21, 2026 12:15am", Moment::parse("2026-11-21T00:15:00Z")),
            ("31 Feb 2026", None),
            ("21/11/2026", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
