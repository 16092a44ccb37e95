//! When an event repeats within a few weeks (RFC 5545 section 3.3.10).
//!
//! Crates walk a rule from its first day, however long ago that was and however rarely it matches. Here only the
//! periods around the window are examined, and each examination costs a step of a budget, so that the time for a
//! document of thousands of rules is proportional to its length. Rules with a `COUNT` are walked from the beginning, at
//! the same cost.

use jiff::{
    SignedDuration, Span,
    civil::{Date, DateTime, Time},
};

use super::rule::{Frequency, RecurrenceRule};

/// Maximum number of times on one day.
const MAX_TIMES: usize = 48;

/// How many days may still be examined.
#[derive(Debug)]
pub(super) struct Budget(pub(super) usize);

impl Budget {
    fn take(&mut self, steps: usize) -> Option<()> {
        self.0 = self.0.checked_sub(steps)?;
        Some(())
    }
}

/// A rule with its start time, both local in the zone of the event.
pub(super) struct Recurrence<'a> {
    pub(super) rule: &'a RecurrenceRule,
    pub(super) start: DateTime,
    /// The last time to include.
    pub(super) until: Option<DateTime>,
}

impl Recurrence<'_> {
    /// The times between two days, in order. `None` if the rule repeats by the minute or the second, or if the budget
    /// runs out.
    pub(super) fn between(&self, from: Date, to: Date, budget: &mut Budget) -> Option<Vec<DateTime>> {
        if matches!(self.rule.frequency, Frequency::Minutely | Frequency::Secondly) {
            return None;
        }
        // Long lists make each examination more expensive.
        let weight = 1 + self.rule.numbers() / 8;
        let mut times = Vec::new();
        let mut left = self.rule.count.unwrap_or(u64::MAX);
        let mut index = if self.rule.count.is_some() { 0 } else { self.period_before(from) };
        // The start is an occurrence even if it does not match the rule.
        let mut is_first = index == 0;
        while let Some((first, days)) = self.period(index) {
            if first > to || self.until.is_some_and(|until| first > until.date()) {
                break;
            }
            budget.take(days.saturating_mul(weight))?;
            let mut found = self.of_period(first, days);
            found.retain(|time| *time >= self.start);
            if std::mem::take(&mut is_first) && found.first() != Some(&self.start) {
                found.insert(0, self.start);
            }
            for time in found {
                if left == 0 || time.date() > to || self.until.is_some_and(|until| time > until) {
                    return Some(times);
                }
                left -= 1;
                if time.date() >= from {
                    times.push(time);
                }
            }
            index += 1;
        }
        Some(times)
    }

    /// The first day of the period in which the rule begins.
    fn first_period(&self) -> Option<Date> {
        let date = self.start.date();
        match self.rule.frequency {
            Frequency::Yearly => Some(date.first_of_year()),
            Frequency::Monthly => Some(date.first_of_month()),
            Frequency::Weekly => plus_days(date, -i64::from(date.weekday().since(self.rule.week_start))),
            _ => Some(date),
        }
    }

    /// The period with this number: its first day, and its length in days. Hourly rules have one period per day.
    fn period(&self, index: i64) -> Option<(Date, usize)> {
        let first = self.first_period()?;
        let passed = index.checked_mul(self.rule.interval)?;
        let of_months = |months: i64| {
            let begin = plus_months(first, passed.checked_mul(months)?)?;
            Some((begin, days_between(begin, plus_months(begin, months)?)))
        };
        let (begin, days) = match self.rule.frequency {
            Frequency::Yearly => of_months(12)?,
            Frequency::Monthly => of_months(1)?,
            Frequency::Weekly => (plus_days(first, passed.checked_mul(7)?)?, 7),
            Frequency::Hourly => (plus_days(first, index)?, 1),
            _ => (plus_days(first, passed)?, 1),
        };
        Some((begin, usize::try_from(days).unwrap_or(1).max(1)))
    }

    /// The number of the last period that begins before this day, or of the first period.
    fn period_before(&self, day: Date) -> i64 {
        let Some(first) = self.first_period() else { return 0 };
        let months = (i64::from(day.year()) - i64::from(first.year())) * 12 + i64::from(day.month() - first.month());
        let periods = match self.rule.frequency {
            Frequency::Yearly => months / 12 / self.rule.interval,
            Frequency::Monthly => months / self.rule.interval,
            Frequency::Weekly => days_between(first, day) / 7 / self.rule.interval,
            Frequency::Hourly => days_between(first, day),
            _ => days_between(first, day) / self.rule.interval,
        };
        (periods - 1).max(0)
    }

    fn of_period(&self, first: Date, days: usize) -> Vec<DateTime> {
        let all_days = std::iter::successors(Some(first), |day| day.tomorrow().ok()).take(days);
        let times = all_days
            .filter(|day| self.fits(*day))
            .flat_map(|day| self.times(day).into_iter().map(move |time| day.to_datetime(time)));
        let times: Vec<DateTime> = times.collect();
        if self.rule.by_position.is_empty() {
            return times;
        }
        let position = |written: &i16| match usize::from(written.unsigned_abs()) {
            0 => None,
            back if *written < 0 => times.len().checked_sub(back),
            place => Some(place - 1),
        };
        let mut chosen: Vec<DateTime> =
            self.rule.by_position.iter().filter_map(|written| times.get(position(written)?).copied()).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// Whether the rule matches a day of a period that counts.
    fn fits(&self, day: Date) -> bool {
        let rule = self.rule;
        let start = self.start.date();
        let (of_month, days_in_month) = (i16::from(day.day()), i16::from(day.days_in_month()));
        let fits_listed = (rule.by_month.is_empty() || rule.by_month.contains(&day.month()))
            && (rule.by_month_day.is_empty() || is_listed(&rule.by_month_day, of_month, days_in_month))
            && (rule.by_year_day.is_empty() || is_listed(&rule.by_year_day, day.day_of_year(), day.days_in_year()))
            && (rule.by_week.is_empty() || is_week_listed(&rule.by_week, day))
            && (rule.by_day.is_empty() || self.fits_weekday(day));
        if !fits_listed {
            return false;
        }
        // Whatever the rule does not specify is taken from the first day.
        let has_days = !(rule.by_month_day.is_empty() && rule.by_year_day.is_empty() && rule.by_day.is_empty());
        match rule.frequency {
            Frequency::Weekly => has_days || day.weekday() == start.weekday(),
            Frequency::Monthly => has_days || day.day() == start.day(),
            Frequency::Yearly if has_days => true,
            Frequency::Yearly if !rule.by_week.is_empty() => day.weekday() == start.weekday(),
            Frequency::Yearly => {
                day.day() == start.day() && (!rule.by_month.is_empty() || day.month() == start.month())
            }
            _ => true,
        }
    }

    /// `MO`, or `2MO` for the second Monday of the month or of the year, `-1MO` for the last.
    fn fits_weekday(&self, day: Date) -> bool {
        let rule = self.rule;
        let in_month = (i16::from(day.day()), i16::from(day.days_in_month()));
        let counted_in = match rule.frequency {
            Frequency::Monthly => Some(in_month),
            Frequency::Yearly if !rule.by_month.is_empty() => Some(in_month),
            Frequency::Yearly => Some((day.day_of_year(), day.days_in_year())),
            _ => None,
        };
        rule.by_day.iter().any(|(number, weekday)| {
            let fits_number = match counted_in {
                Some((place, _)) if *number > 0 => (place - 1) / 7 + 1 == *number,
                Some((place, length)) if *number < 0 => (length - place) / 7 + 1 == -*number,
                _ => true,
            };
            fits_number && *weekday == day.weekday()
        })
    }

    fn times(&self, day: Date) -> Vec<Time> {
        let rule = self.rule;
        let start = self.start.time();
        let or = |written: &[i8], usual: i8| if written.is_empty() { vec![usual] } else { written.to_vec() };
        let hours: Vec<i8> = if rule.frequency == Frequency::Hourly {
            let passed = days_between(self.start.date(), day) * 24 - i64::from(start.hour());
            let fits = |hour: &i8| (passed + i64::from(*hour)) % rule.interval == 0;
            (0..24).filter(|hour| fits(hour) && (rule.by_hour.is_empty() || rule.by_hour.contains(hour))).collect()
        } else {
            or(&rule.by_hour, start.hour())
        };
        let (minutes, seconds) = (or(&rule.by_minute, start.minute()), or(&rule.by_second, start.second()));
        let mut times = Vec::new();
        for hour in hours {
            for minute in &minutes {
                for second in &seconds {
                    if times.len() == MAX_TIMES {
                        return times;
                    }
                    times.extend(Time::new(hour, *minute, *second, 0).ok());
                }
            }
        }
        times
    }
}

/// Whether a list contains a position, counted from the beginning or, if negative, from the end.
fn is_listed(numbers: &[i16], place: i16, length: i16) -> bool {
    numbers.contains(&place) || numbers.contains(&(place - length - 1))
}

fn is_week_listed(numbers: &[i16], day: Date) -> bool {
    let week = day.iso_week_date();
    is_listed(numbers, week.week().into(), if week.in_long_year() { 53 } else { 52 })
}

/// The day this many days later. `None` outside the supported calendar.
pub(super) fn plus_days(day: Date, days: i64) -> Option<Date> {
    day.checked_add(SignedDuration::from_hours(days.checked_mul(24)?)).ok()
}

/// Number of days between two dates.
pub(super) fn days_between(first: Date, last: Date) -> i64 {
    last.duration_since(first).as_hours() / 24
}

fn plus_months(day: Date, months: i64) -> Option<Date> {
    day.checked_add(Span::new().try_months(months).ok()?).ok()
}
