//! The sheet of the month, and with which day weeks begin.

use jiff::{Span, civil::Date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Event;
use crate::{
    Moment,
    panel::{Month, MonthDay, MonthEvent},
    services::calendar::midnight,
};

/// So many events of a day are named; the others are counted.
const MAX_EVENTS: usize = 8;

/// Where weeks begin on Sunday, and where on Saturday (Unicode CLDR, `weekData`); elsewhere they begin on Monday.
const SUNDAY: &str = "AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI \
                      NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW";
const SATURDAY: &str = "AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";
/// The countries of languages that are written without one, as far as weeks begin on another day than Monday there.
const COUNTRIES: [(&str, &str); 14] = [
    ("am", "ET"),
    ("ar", "EG"),
    ("bn", "BD"),
    ("en", "US"),
    ("fa", "IR"),
    ("he", "IL"),
    ("hi", "IN"),
    ("id", "ID"),
    ("ja", "JP"),
    ("km", "KH"),
    ("ko", "KR"),
    ("ne", "NP"),
    ("pt", "BR"),
    ("th", "TH"),
];

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Weekday {
    const fn of_calendar(self) -> jiff::civil::Weekday {
        match self {
            Self::Monday => jiff::civil::Weekday::Monday,
            Self::Tuesday => jiff::civil::Weekday::Tuesday,
            Self::Wednesday => jiff::civil::Weekday::Wednesday,
            Self::Thursday => jiff::civil::Weekday::Thursday,
            Self::Friday => jiff::civil::Weekday::Friday,
            Self::Saturday => jiff::civil::Weekday::Saturday,
            Self::Sunday => jiff::civil::Weekday::Sunday,
        }
    }
}

/// With which day weeks begin where this language is spoken. `locale` is a BCP 47 tag, such as `de-AT`.
pub(super) fn first_weekday(locale: Option<&str>) -> Weekday {
    let mut subtags = locale.unwrap_or_default().split(['-', '_']);
    let language = subtags.next().unwrap_or_default().to_ascii_lowercase();
    let is_country = |tag: &&str| tag.len() == 2 && tag.bytes().all(|byte| byte.is_ascii_alphabetic());
    let written = subtags.find(is_country).map(str::to_ascii_uppercase);
    let usual = || COUNTRIES.iter().find(|(known, _)| *known == language).map(|(_, country)| (*country).to_owned());
    let Some(country) = written.or_else(usual) else { return Weekday::Monday };
    let is_in = |list: &str| list.split_whitespace().any(|known| known == country);
    match country.as_str() {
        "MV" => Weekday::Friday,
        _ if is_in(SUNDAY) => Weekday::Sunday,
        _ if is_in(SATURDAY) => Weekday::Saturday,
        _ => Weekday::Monday,
    }
}

/// The weeks of the month of a day.
pub(super) struct Sheet {
    /// The first day of the month.
    month: Date,
    /// The first and the last day of the weeks.
    pub(super) first: Date,
    pub(super) last: Date,
}

impl Sheet {
    pub(super) fn of(day: Date, first_day: Weekday) -> Self {
        let first_day = first_day.of_calendar();
        let (month, end) = (day.first_of_month(), day.last_of_month());
        let plus = |day: Date, days: i8| day.checked_add(Span::new().days(days)).unwrap_or(day);
        let before = month.weekday().since(first_day);
        let after = 6 - end.weekday().since(first_day);
        Self { month, first: plus(month, -before), last: plus(end, after) }
    }

    /// The sheet with what happens.
    pub(super) fn part(&self, today: Date, events: &[Event<'_>], offset: &dyn Fn(Moment) -> Option<i32>) -> Month {
        let all_days = std::iter::successors(Some(self.first), |day| day.tomorrow().ok());
        let mut days: Vec<MonthDay> = all_days
            .take_while(|day| *day <= self.last)
            .map(|day| MonthDay {
                day: midnight(day),
                number: u32::from(day.day().unsigned_abs()),
                outside: day.month() != self.month.month(),
                today: day == today,
                ..MonthDay::default()
            })
            .collect();
        for event in events {
            let (first, last) = (midnight(event.occurrence.first), midnight(event.occurrence.last));
            for day in days.iter_mut().filter(|day| first <= day.day && day.day <= last) {
                if day.events.len() >= MAX_EVENTS {
                    day.more += 1;
                    continue;
                }
                // On its further days an event goes on.
                let at = event.occurrence.times.map(|(begin, _)| begin).filter(|_| day.day == first);
                day.events.push(MonthEvent {
                    title: event.title(),
                    at,
                    offset: at.and_then(offset),
                    color: Some(event.color.clone()),
                });
            }
        }
        let weeks = days.chunks(7).map(<[MonthDay]>::to_vec).collect();
        Month { month: midnight(self.month), weeks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_as_people_are_used_to() {
        for (locale, expected) in [
            (Some("en-GB"), Weekday::Monday),
            (Some("en-US"), Weekday::Sunday),
            (Some("en"), Weekday::Sunday),
            (Some("de-AT"), Weekday::Monday),
            (Some("pt-PT"), Weekday::Sunday),
            (Some("ar"), Weekday::Saturday),
            (Some("zh-Hant-TW"), Weekday::Sunday),
            (Some("dv-MV"), Weekday::Friday),
            (None, Weekday::Monday),
        ] {
            assert_eq!(first_weekday(locale), expected, "{locale:?}");
        }
    }

    #[test]
    fn a_sheet_has_whole_weeks() {
        let day = |year, month, day| Date::new(year, month, day).unwrap();
        let span = |today, first_day| {
            let sheet = Sheet::of(today, first_day);
            (sheet.first, sheet.last)
        };
        assert_eq!(span(day(2026, 11, 21), Weekday::Monday), (day(2026, 10, 26), day(2026, 12, 6)));
        assert_eq!(span(day(2026, 11, 21), Weekday::Sunday), (day(2026, 11, 1), day(2026, 12, 5)));
        assert_eq!(span(day(2027, 2, 1), Weekday::Monday), (day(2027, 2, 1), day(2027, 2, 28)));
        assert_eq!(span(day(2024, 12, 31), Weekday::Saturday), (day(2024, 11, 30), day(2025, 1, 3)));
    }
}
