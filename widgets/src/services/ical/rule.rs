//! Recurrence rules as written in the file (RFC 5545 section 3.3.10).

use std::str::FromStr;

use jiff::civil::Weekday;

/// How often a rule can match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frequency {
    Secondly,
    Minutely,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// A rule. Lists hold each number once, and only valid numbers, so none is longer than a few hundred.
#[derive(Debug)]
pub(super) struct RecurrenceRule {
    pub(super) frequency: Frequency,
    /// At least 1.
    pub(super) interval: i64,
    pub(super) count: Option<u64>,
    /// The last day or time, as written in the file.
    pub(super) until: Option<String>,
    pub(super) by_month: Vec<i8>,
    pub(super) by_month_day: Vec<i16>,
    pub(super) by_year_day: Vec<i16>,
    pub(super) by_week: Vec<i16>,
    /// Days of the week with their number in the month or the year; 0 means all of them.
    pub(super) by_day: Vec<(i16, Weekday)>,
    pub(super) by_hour: Vec<i8>,
    pub(super) by_minute: Vec<i8>,
    pub(super) by_second: Vec<i8>,
    pub(super) by_position: Vec<i16>,
    pub(super) week_start: Weekday,
    /// Whether all of it was understood.
    pub(super) is_complete: bool,
}

impl RecurrenceRule {
    /// Parses a rule; `None` if it is not understood.
    pub(super) fn parse(written: &str) -> Option<Self> {
        let mut rule = Self {
            frequency: Frequency::Yearly,
            interval: 1,
            count: None,
            until: None,
            by_month: Vec::new(),
            by_month_day: Vec::new(),
            by_year_day: Vec::new(),
            by_week: Vec::new(),
            by_day: Vec::new(),
            by_hour: Vec::new(),
            by_minute: Vec::new(),
            by_second: Vec::new(),
            by_position: Vec::new(),
            week_start: Weekday::Monday,
            is_complete: true,
        };
        let mut has_frequency = false;
        let is_complete = &mut rule.is_complete;
        for (name, value) in written.split(';').filter_map(|part| part.split_once('=')) {
            match name.trim().to_ascii_uppercase().as_str() {
                "FREQ" => {
                    rule.frequency = frequency(value)?;
                    has_frequency = true;
                }
                "INTERVAL" => rule.interval = value.trim().parse::<u16>().map_or(1, i64::from).max(1),
                "COUNT" => rule.count = Some(value.trim().parse().ok()?),
                "UNTIL" => rule.until = Some(value.trim().to_owned()),
                "BYMONTH" => rule.by_month = numbers(value, is_complete, 1, 12),
                "BYMONTHDAY" => rule.by_month_day = numbers(value, is_complete, -31, 31),
                "BYYEARDAY" => rule.by_year_day = numbers(value, is_complete, -366, 366),
                "BYWEEKNO" => rule.by_week = numbers(value, is_complete, -53, 53),
                "BYDAY" => rule.by_day = days(value, is_complete),
                "BYHOUR" => rule.by_hour = numbers(value, is_complete, 0, 23),
                "BYMINUTE" => rule.by_minute = numbers(value, is_complete, 0, 59),
                "BYSECOND" => rule.by_second = numbers(value, is_complete, 0, 59),
                "BYSETPOS" => rule.by_position = numbers(value, is_complete, -366, 366),
                "WKST" => rule.week_start = weekday(value.trim()).unwrap_or(Weekday::Monday),
                _ => {}
            }
        }
        has_frequency.then_some(rule)
    }

    /// The total number of numbers in its lists.
    pub(super) fn numbers(&self) -> usize {
        let of_days = self.by_day.len() + self.by_month_day.len() + self.by_year_day.len() + self.by_week.len();
        let of_times = self.by_hour.len() + self.by_minute.len() + self.by_second.len();
        of_days + of_times + self.by_month.len() + self.by_position.len()
    }
}

fn frequency(written: &str) -> Option<Frequency> {
    Some(match written.trim().to_ascii_uppercase().as_str() {
        "SECONDLY" => Frequency::Secondly,
        "MINUTELY" => Frequency::Minutely,
        "HOURLY" => Frequency::Hourly,
        "DAILY" => Frequency::Daily,
        "WEEKLY" => Frequency::Weekly,
        "MONTHLY" => Frequency::Monthly,
        "YEARLY" => Frequency::Yearly,
        _ => return None,
    })
}

/// The numbers of a list that are in a range, without duplicates. Clears the flag if there are others.
fn numbers<T: FromStr + Ord + Copy>(written: &str, is_complete: &mut bool, lowest: T, highest: T) -> Vec<T> {
    let number = |text: &str| {
        let number = text.trim().trim_start_matches('+').parse::<T>().ok();
        number.filter(|number| (lowest..=highest).contains(number))
    };
    let mut numbers = read_all(written, is_complete, number);
    numbers.sort_unstable();
    numbers.dedup();
    numbers.shrink_to_fit();
    numbers
}

/// `MO,2TU,-1FR`. Clears the flag if there is something else.
fn days(written: &str, is_complete: &mut bool) -> Vec<(i16, Weekday)> {
    let day = |text: &str| {
        let text = text.trim();
        let (number, name) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let number = match number.trim_start_matches('+') {
            "" => 0,
            number => number.parse::<i16>().ok().filter(|number| (-53..=53).contains(number))?,
        };
        Some((number, weekday(name)?))
    };
    let mut days = read_all(written, is_complete, day);
    days.sort_unstable_by_key(|(number, day)| (*number, day.to_monday_zero_offset()));
    days.dedup();
    days.shrink_to_fit();
    days
}

/// The values of a list that can be read. Clears the flag if there are others.
fn read_all<T>(written: &str, is_complete: &mut bool, read: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let written = written.split(',').filter(|text| !text.trim().is_empty());
    let values = written.map(|text| {
        let value = read(text);
        *is_complete &= value.is_some();
        value
    });
    values.flatten().collect()
}

fn weekday(name: &str) -> Option<Weekday> {
    Some(match name.to_ascii_uppercase().as_str() {
        "MO" => Weekday::Monday,
        "TU" => Weekday::Tuesday,
        "WE" => Weekday::Wednesday,
        "TH" => Weekday::Thursday,
        "FR" => Weekday::Friday,
        "SA" => Weekday::Saturday,
        "SU" => Weekday::Sunday,
        _ => return None,
    })
}
