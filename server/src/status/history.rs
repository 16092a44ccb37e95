//! The last 24 hours of one check, in a few kilobytes however often it runs: the latest results individually, all
//! others in buckets of five minutes.

use std::collections::VecDeque;

use super::outcome::Outcome;

/// Length of a bucket in seconds.
const BUCKET_SECONDS: u64 = 300;
/// How many buckets are kept: 24 hours.
const MAX_BUCKETS: u64 = 288;
/// How many results are kept individually, for the bars in a tooltip.
pub const MAX_SAMPLES: usize = 30;

/// The results of one check.
#[derive(Clone, Debug, Default)]
pub struct History {
    buckets: VecDeque<TimeBucket>,
    samples: VecDeque<Option<u32>>,
}

/// Five minutes.
#[derive(Clone, Copy, Debug, Default)]
struct TimeBucket {
    /// Its number since 1970.
    number: u32,
    up: u16,
    down: u16,
    /// The total response time of the checks that were up.
    millis: u32,
}

/// A summary of 24 hours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// How many checks there were.
    pub checks: u32,
    /// The share of them that succeeded, 0 to 1; `None` without checks.
    pub uptime: Option<f64>,
    /// The mean response time of those that succeeded, in milliseconds.
    pub millis: Option<f64>,
    /// The mean response time of each hour, oldest first, from the first hour with checks; `None` for hours without a
    /// successful check.
    pub hours: Vec<Option<f64>>,
}

impl History {
    /// Adds a result. The time is in seconds since 1970.
    pub fn add(&mut self, outcome: &Outcome, now: u64) {
        let number = bucket_number(now);
        if self.buckets.back().is_none_or(|last| last.number < number) {
            self.buckets.push_back(TimeBucket { number, ..TimeBucket::default() });
        }
        self.forget(now);
        let millis = outcome.millis().filter(|_| outcome.is_up);
        if let Some(bucket) = self.buckets.back_mut() {
            let count = if outcome.is_up { &mut bucket.up } else { &mut bucket.down };
            *count = count.saturating_add(1);
            bucket.millis = bucket.millis.saturating_add(millis.unwrap_or_default());
        }
        if self.samples.len() == MAX_SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(millis);
    }

    fn forget(&mut self, now: u64) {
        while self
            .buckets
            .front()
            .is_some_and(|bucket| u64::from(bucket.number) + MAX_BUCKETS <= u64::from(bucket_number(now)))
        {
            self.buckets.pop_front();
        }
    }

    /// The response times of the latest results in milliseconds, oldest first; `None` for failed checks.
    pub fn samples(&self) -> Vec<Option<u32>> {
        self.samples.iter().copied().collect()
    }

    /// A summary of the last 24 hours. The time is in seconds since 1970.
    pub fn summary(&self, now: u64) -> Summary {
        let current = bucket_number(now);
        let oldest = u64::from(current).saturating_sub(MAX_BUCKETS - 1);
        let buckets: Vec<&TimeBucket> =
            self.buckets.iter().filter(|bucket| u64::from(bucket.number) >= oldest).collect();
        let mean = |buckets: &[&TimeBucket]| {
            let up: u32 = buckets.iter().map(|bucket| u32::from(bucket.up)).sum();
            let millis: f64 = buckets.iter().map(|bucket| f64::from(bucket.millis)).sum();
            (up > 0).then(|| millis / f64::from(up))
        };
        let up: u32 = buckets.iter().map(|bucket| u32::from(bucket.up)).sum();
        let checks = up + buckets.iter().map(|bucket| u32::from(bucket.down)).sum::<u32>();
        let hour = |number: u32| number / 12;
        let hours = buckets.first().map(|first| hour(first.number)..=hour(current));
        Summary {
            checks,
            uptime: (checks > 0).then(|| f64::from(up) / f64::from(checks)),
            millis: mean(&buckets),
            hours: hours
                .into_iter()
                .flatten()
                .map(|wanted| {
                    let own: Vec<&TimeBucket> =
                        buckets.iter().filter(|bucket| hour(bucket.number) == wanted).copied().collect();
                    mean(&own)
                })
                .collect(),
        }
    }
}

fn bucket_number(now: u64) -> u32 {
    u32::try_from(now / BUCKET_SECONDS).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http::StatusCode;

    use super::*;
    use crate::status::Outcome;

    fn up(millis: u64) -> Outcome {
        Outcome::responded(true, StatusCode::OK, Duration::from_millis(millis))
    }

    #[test]
    fn a_day_of_many_checks_stays_small() {
        let mut history = History::default();
        for number in 0..40_000 {
            history.add(&up(40), 1_000_000_000 + number * 5);
        }
        assert!(history.buckets.len() <= 289, "{}", history.buckets.len());
        assert_eq!(history.samples().len(), MAX_SAMPLES);
        let summary = history.summary(1_000_000_000 + 40_000 * 5);
        assert_eq!((summary.uptime, summary.millis), (Some(1.0), Some(40.0)));
        assert!(summary.checks <= 17_280 && summary.hours.len() <= 25, "{} {}", summary.checks, summary.hours.len());
    }

    #[test]
    fn failures_count_and_old_ones_are_forgotten() {
        let mut history = History::default();
        let noon = 1_000_000_800;
        history.add(&Outcome::broken(), noon);
        history.add(&up(10), noon + 7200);
        history.add(&up(30), noon + 7200);
        assert_eq!(history.samples(), [None, Some(10), Some(30)]);
        let summary = history.summary(noon + 7200);
        assert_eq!((summary.checks, summary.millis), (3, Some(20.0)));
        assert!(summary.uptime.is_some_and(|uptime| (uptime - 2.0 / 3.0).abs() < 1e-9));
        assert_eq!(summary.hours, [None, None, Some(20.0)]);
        assert_eq!(history.summary(noon + 86_400 + 300).uptime, Some(1.0));
        assert_eq!(history.summary(noon + 2 * 86_400), Summary::default());
    }
}
