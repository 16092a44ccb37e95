//! Dates as they are found in feeds: by the standards, nearly so, and in the languages of their authors.

use chrono::NaiveDate;

use crate::Moment;

/// Reads a date. Without a zone it is taken for UTC, without a time for midnight.
pub(super) fn parse(text: &str) -> Option<Moment> {
    let text = text.trim();
    Moment::parse_local(text, 0).or_else(|| by_words(text))
}

/// Reads a date of words in about the order of mails: `Sat, 21 Nov 2026 09:00 EST`.
fn by_words(text: &str) -> Option<Moment> {
    let (mut day, mut month, mut year, mut seconds, mut offset) = (None, None, None, 0, 0);
    let words = text.split(|character: char| character.is_whitespace() || character == ',');
    for word in words.map(|word| word.trim_matches(['.', '(', ')'])).filter(|word| !word.is_empty()) {
        if let Some(found) = zone(word).filter(|_| year.is_some()) {
            offset = found;
        } else if let Some(found) = time(word) {
            seconds = found;
        } else if let Ok(number) = word.parse::<u16>() {
            match (word.len(), day) {
                (1..=2, None) => day = Some(number),
                (4, _) => year = Some(i32::from(number)),
                // Two digits of a year, as RFC 822 had them.
                (2, Some(_)) => year = Some(i32::from(number) + if number < 70 { 2000 } else { 1900 }),
                _ => return None,
            }
        } else if let Some(found) = month_of(word) {
            // Names of days come first and some begin like a month, so the last one counts.
            month = Some(found);
        }
    }
    let date = NaiveDate::from_ymd_opt(year?, month?, u32::from(day?))?;
    let midnight = date.and_hms_opt(0, 0, 0)?.and_utc().timestamp();
    Some(Moment::from_seconds(midnight + seconds - offset))
}

/// Seconds since midnight: `9:00`, `09:00:00`, `09:00:00.5`.
fn time(word: &str) -> Option<i64> {
    let mut parts = word.trim_end_matches('Z').split(':');
    let hours: i64 = parts.next()?.parse().ok()?;
    let minutes: i64 = parts.next()?.parse().ok()?;
    let seconds: f64 = parts.next().unwrap_or("0").parse().ok()?;
    let fits = (0..=24).contains(&hours) && (0..60).contains(&minutes) && (0.0..61.0).contains(&seconds);
    // Feeds do not care about fractions of a second.
    let seconds = seconds as i64;
    fits.then_some(hours * 3600 + minutes * 60 + seconds)
}

/// Seconds before UTC: `+0100`, `-05:30`, `EST`.
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
            let sign = match word.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let digits: String = word[1..].chars().filter(|character| *character != ':').collect();
            let number: i64 = digits.parse().ok().filter(|_| digits.len() == 4)?;
            return Some(sign * (number / 100 * 3600 + number % 100 * 60));
        }
    };
    Some(hours * 3600)
}

/// The month by the beginning of its name in the larger European languages.
fn month_of(word: &str) -> Option<u32> {
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
            ("31 Feb 2026", None),
            ("21/11/2026", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
