//! How a language writes dates and times of day, for pages without scripts. The patterns are those of Unicode's CLDR, which
//! browsers use too; `tools/language-formats.mjs` writes them into the files of the languages.

use std::collections::HashMap;

use serde::Deserialize;

/// A moment on the calendar and the clocks of some place.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LocalTime {
    /// The year.
    pub year: i16,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
    /// The day of the week; 0 is Monday.
    pub weekday: u8,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The minute.
    pub minute: u8,
    /// The second.
    pub second: u8,
}

/// The patterns of a language, and the names that they use. Where it has several forms of a name, such as `Januar` and `Jan.`,
/// each has a list of its own; a pattern calls them `a`, `b` and so on.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Dates {
    months: Vec<Vec<String>>,
    /// From Monday.
    weekdays: Vec<Vec<String>>,
    /// Morning and afternoon. Each name follows the hour from which it counts.
    periods: Vec<Vec<String>>,
    /// From 0 to 9, where they are not those of English.
    digits: Option<String>,
    #[serde(flatten)]
    patterns: HashMap<String, String>,
}

impl Dates {
    /// A date or a time of day in one of the styles; none if the language has no pattern for it.
    pub(super) fn in_style(&self, style: &str, at: LocalTime) -> Option<String> {
        Some(self.filled(self.patterns.get(style)?, at))
    }

    /// A number in the digits of the language.
    pub(super) fn in_digits(&self, number: String) -> String {
        let Some(digits) = &self.digits else { return number };
        let own =
            |digit: char| digit.to_digit(10).and_then(|value| digits.chars().nth(value as usize)).unwrap_or(digit);
        number.chars().map(own).collect()
    }

    fn filled(&self, mut rest: &str, at: LocalTime) -> String {
        let mut text = String::new();
        while let Some((before, after)) = rest.split_once('{') {
            let (placeholder, after) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(before);
            text.push_str(&self.value(placeholder, at));
            rest = after;
        }
        text.push_str(rest);
        text
    }

    /// The value of a placeholder: `{day}`, `{day-2}` with at least two digits, or `{weekday-a}` from the first list of names.
    fn value(&self, placeholder: &str, at: LocalTime) -> String {
        let (kind, form) = placeholder.split_once('-').unwrap_or((placeholder, ""));
        let number = match kind {
            "year" => return self.in_digits(at.year.to_string()),
            "month" => at.month,
            "day" => at.day,
            "weekday" => at.weekday,
            "hour12" => (at.hour + 11) % 12 + 1,
            "minute" => at.minute,
            "second" => at.second,
            _ => at.hour,
        };
        match form.bytes().next() {
            None => self.in_digits(number.to_string()),
            Some(b'2') => self.in_digits(format!("{number:02}")),
            Some(letter) => {
                self.name(kind, usize::from(letter.wrapping_sub(b'a')), number).unwrap_or_default().to_owned()
            }
        }
    }

    fn name(&self, kind: &str, list: usize, number: u8) -> Option<&str> {
        match kind {
            "month" => self.months.get(list)?.get(usize::from(number).checked_sub(1)?).map(String::as_str),
            "weekday" => self.weekdays.get(list)?.get(usize::from(number)).map(String::as_str),
            _ => {
                let names = self.periods.get(list)?.iter().filter_map(|name| name.split_once(' '));
                names
                    .filter(|(from, _)| from.parse().is_ok_and(|from: u8| from <= number))
                    .map(|(_, name)| name)
                    .next_back()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Locale};

    /// Saturday, 21 November 2026.
    const AT: LocalTime = LocalTime { year: 2026, month: 11, day: 21, weekday: 5, hour: 14, minute: 5, second: 9 };

    fn written(code: &str, style: &str) -> String {
        Language::of_code(code).unwrap().date(style, AT).unwrap()
    }

    /// The texts of a browser. If its data change, `tools/language-formats.mjs` writes the patterns again.
    #[test]
    fn dates_are_in_the_order_and_the_words_of_the_language() {
        for (code, date, exact, month) in [
            ("en", "Saturday, Nov 21, 2026", "Nov 21, 2026, 2:05 PM", "Nov 2026"),
            ("en-GB", "Saturday, 21 Nov 2026", "21 Nov 2026, 14:05", "Nov 2026"),
            ("de", "Samstag, 21. Nov. 2026", "21.11.2026, 14:05", "Nov. 2026"),
            ("fr", "samedi 21 nov. 2026", "21 nov. 2026, 14:05", "nov. 2026"),
            ("cs", "sobota 21. lis 2026", "21. 11. 2026 14:05", "listopad 2026"),
            ("ja", "2026年11月21日土曜日", "2026/11/21 14:05", "2026年11月"),
            ("ko", "2026년 11월 21일 토요일", "2026. 11. 21. 오후 2:05", "2026년 11월"),
            ("zh-TW", "2026年11月21日星期六", "2026年11月21日 下午2:05", "2026年11月"),
            ("bn", "শনিবার, ২১ নভে, ২০২৬", "২১ নভে, ২০২৬, ২:০৫ PM", "নভে ২০২৬"),
            ("ar", "السبت، 21 نوفمبر 2026", "21\u{200f}/11\u{200f}/2026، 2:05 م", "نوفمبر 2026"),
            ("zz-pirate", "Saturday, Nov 21, 2026", "Nov 21, 2026, 2:05 PM", "Nov 2026"),
        ] {
            let texts = ["clock-date", "exact", "month"].map(|style| written(code, style).replace('\u{a0}', " "));
            assert_eq!(texts, [date, exact, month], "{code}");
        }
    }

    #[test]
    fn clocks_have_the_hours_of_the_language_or_their_own() {
        for (code, usual, twelve, twenty_four) in [
            ("en", "2:05:09 PM", "2:05 PM", "14:05:09"),
            ("de", "14:05:09", "2:05 PM", "14:05:09"),
            ("ja", "14:05:09", "午後2:05", "14:05:09"),
            ("ar", "2:05:09 م", "2:05 م", "14:05:09"),
            ("da", "14.05.09", "2.05 PM", "14.05.09"),
        ] {
            let texts = ["clock-seconds", "clock-h12", "clock-h23-seconds"].map(|style| written(code, style));
            assert_eq!(texts, [usual, twelve, twenty_four], "{code}");
        }
        let morning = |hour| Language::ENGLISH.date("clock-h12", LocalTime { hour, ..AT }).unwrap();
        assert_eq!([0, 11, 12].map(morning), ["12:05 AM", "11:05 AM", "12:05 PM"]);
        let dawn = LocalTime { hour: 6, ..AT };
        assert_eq!(Language::of_code("zh-TW").unwrap().date("time", dawn).unwrap(), "清晨6:05");
    }

    #[test]
    fn every_language_has_every_style() {
        let styles: Vec<_> = Language::ENGLISH.formats().dates.patterns.keys().collect();
        assert_eq!(styles.len(), 17);
        for language in Language::all() {
            for (style, month) in styles.iter().flat_map(|style| (1..=12).map(move |month| (style, month))) {
                let text = language.date(style, LocalTime { month, weekday: month % 7, ..AT }).unwrap();
                // It is written into an attribute.
                let is_plain = !text.contains(['<', '>', '&', '"', '{', '}']) && !text.is_empty();
                assert!(is_plain && text.trim() == text, "{}: {style}: {text}", language.code());
            }
        }
        assert_eq!(Language::ENGLISH.date("stardate", AT), None);
    }

    #[test]
    fn formats_follow_a_region_where_its_dates_differ() {
        let code = |tag| Locale::of_formats(tag).map(|locale| locale.language.code());
        for (tag, expected) in
            [("en-US", "en"), ("en-AU", "en-GB"), ("en-GB", "en-GB"), ("de-AT", "de"), ("pt-BR", "pt")]
        {
            assert_eq!(code(tag), Some(expected), "{tag}");
        }
        assert_eq!(code("fi-FI"), None);
    }
}
