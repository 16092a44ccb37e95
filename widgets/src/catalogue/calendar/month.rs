//! The grid of a month.

use jiff::{
    Span,
    civil::{self, Date},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Moment,
    option_types::Color,
    panel::{Month, MonthDay, MonthEvent},
    services::{calendar::midnight, ical::Occurrence},
};

/// How many events of a day are named; the others are only counted.
const MAX_EVENTS: usize = 8;

/// An event with its calendar.
pub(super) struct Event<'a> {
    pub(super) occurrence: Occurrence,
    /// The name of the calendar.
    pub(super) calendar: Option<&'a str>,
    pub(super) color: &'a Color,
}

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
    pub(super) const fn of_calendar(self) -> civil::Weekday {
        match self {
            Self::Monday => civil::Weekday::Monday,
            Self::Tuesday => civil::Weekday::Tuesday,
            Self::Wednesday => civil::Weekday::Wednesday,
            Self::Thursday => civil::Weekday::Thursday,
            Self::Friday => civil::Weekday::Friday,
            Self::Saturday => civil::Weekday::Saturday,
            Self::Sunday => civil::Weekday::Sunday,
        }
    }
}

/// The weeks of the month that a day is in.
pub(super) struct MonthGrid {
    /// The first day of the month.
    month: Date,
    /// The first day of the first week, and the last day of the last one.
    pub(super) first: Date,
    pub(super) last: Date,
}

impl MonthGrid {
    pub(super) fn of(day: Date, first_day: civil::Weekday) -> Self {
        let (month, end) = (day.first_of_month(), day.last_of_month());
        let plus = |day: Date, days: i8| day.checked_add(Span::new().days(days)).unwrap_or(day);
        let before = month.weekday().since(first_day);
        let after = 6 - end.weekday().since(first_day);
        Self { month, first: plus(month, -before), last: plus(end, after) }
    }

    /// The grid with the events.
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
                // On later days, an event continues.
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
    fn a_sheet_has_whole_weeks() {
        let day = |year, month, day| Date::new(year, month, day).unwrap();
        let span = |today, first_day| {
            let sheet = MonthGrid::of(today, first_day);
            (sheet.first, sheet.last)
        };
        assert_eq!(span(day(2026, 11, 21), civil::Weekday::Monday), (day(2026, 10, 26), day(2026, 12, 6)));
        assert_eq!(span(day(2026, 11, 21), civil::Weekday::Sunday), (day(2026, 11, 1), day(2026, 12, 5)));
        assert_eq!(span(day(2027, 2, 1), civil::Weekday::Monday), (day(2027, 2, 1), day(2027, 2, 28)));
        assert_eq!(span(day(2024, 12, 31), civil::Weekday::Saturday), (day(2024, 11, 30), day(2025, 1, 3)));
    }
}
