//! What the lookups of each widget take, for admins who look for slow ones: the last hour, in minutes. Counted where the metrics are.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::plans::PanelKey;

/// Minutes that are remembered.
const MINUTES: usize = 60;
const MINUTE: u64 = 60;
/// Maximum number of widgets.
const MAX: usize = 4096;

/// The lookups of all widgets.
#[derive(Debug)]
pub struct Usage {
    start: Instant,
    all: Mutex<HashMap<PanelKey, LastHour>>,
}

/// The lookups of one widget.
#[derive(Debug)]
struct LastHour {
    minutes: [Minute; MINUTES],
    /// When the last successful one ended.
    succeeded: Option<Instant>,
    last: Instant,
}

/// The lookups that ended in a minute.
#[derive(Clone, Copy, Debug, Default)]
struct Minute {
    /// Its number since the start; the place in the ring may hold an older one.
    number: u64,
    count: u32,
    failures: u32,
    took: Duration,
}

/// The lookups of a widget in the last hour.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct WidgetUsage {
    /// How many there were.
    pub count: u32,
    /// How many of them failed.
    pub failures: u32,
    /// Their mean time; `None` without lookups.
    pub mean: Option<Duration>,
    /// How long ago the last success was, also before that hour.
    pub age: Option<Duration>,
}

impl Default for Usage {
    fn default() -> Self {
        Self { start: Instant::now(), all: Mutex::default() }
    }
}

impl Usage {
    /// Counts a lookup.
    pub fn add(&self, key: PanelKey, is_ok: bool, took: Duration) {
        let now = Instant::now();
        let number = self.minute(now);
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX && !all.contains_key(&key) {
            all.retain(|_, hour| now.duration_since(hour.last) < Duration::from_secs(MINUTE * MINUTES as u64));
            if all.len() >= MAX {
                return;
            }
        }
        let hour = all.entry(key).or_insert_with(|| LastHour {
            minutes: [Minute::default(); MINUTES],
            succeeded: None,
            last: now,
        });
        hour.last = now;
        if is_ok {
            hour.succeeded = Some(now);
        }
        let minute = &mut hour.minutes[place(number)];
        if minute.number != number {
            *minute = Minute { number, ..Minute::default() };
        }
        minute.count += 1;
        minute.failures += u32::from(!is_ok);
        minute.took += took;
    }

    /// The lookups of a widget.
    pub fn of(&self, key: &PanelKey) -> WidgetUsage {
        let now = Instant::now();
        let number = self.minute(now);
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(hour) = all.get(key) else { return WidgetUsage::default() };
        let recent = hour.minutes.iter().filter(|minute| minute.number + MINUTES as u64 > number);
        let (mut usage, mut took) = (WidgetUsage::default(), Duration::ZERO);
        for minute in recent {
            usage.count += minute.count;
            usage.failures += minute.failures;
            took += minute.took;
        }
        usage.mean = (usage.count > 0).then(|| took / usage.count.max(1));
        usage.age = hour.succeeded.map(|at| now.duration_since(at));
        usage
    }

    fn minute(&self, now: Instant) -> u64 {
        now.duration_since(self.start).as_secs() / MINUTE
    }
}

fn place(number: u64) -> usize {
    usize::try_from(number % MINUTES as u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_last_hour_counts() {
        let (usage, key) = (Usage::default(), PanelKey::default());
        assert_eq!(usage.of(&key), WidgetUsage::default());
        usage.add(key, true, Duration::from_millis(100));
        usage.add(key, false, Duration::from_millis(300));
        tokio::time::advance(Duration::from_secs(50 * 60)).await;
        usage.add(key, false, Duration::from_millis(500));
        let age = Some(Duration::from_secs(50 * 60));
        let expected = WidgetUsage { count: 3, failures: 2, mean: Some(Duration::from_millis(300)), age };
        assert_eq!(usage.of(&key), expected);
        tokio::time::advance(Duration::from_secs(15 * 60)).await;
        let age = Some(Duration::from_secs(65 * 60));
        let expected = WidgetUsage { count: 1, failures: 1, mean: Some(Duration::from_millis(500)), age };
        assert_eq!(usage.of(&key), expected);
        tokio::time::advance(Duration::from_secs(60 * 60)).await;
        assert_eq!((usage.of(&key).count, usage.of(&key).mean), (0, None));
    }

    #[tokio::test(start_paused = true)]
    async fn there_are_never_too_many() {
        let usage = Usage::default();
        let key = |number: usize| PanelKey::default().with(&[&number.to_string()]);
        for number in 0..MAX + 10 {
            usage.add(key(number), true, Duration::ZERO);
        }
        assert_eq!((usage.of(&key(MAX - 1)).count, usage.of(&key(MAX)).count), (1, 0));
        tokio::time::advance(Duration::from_secs(2 * 3600)).await;
        usage.add(key(MAX), true, Duration::ZERO);
        assert_eq!((usage.of(&key(0)).age, usage.of(&key(MAX)).count), (None, 1));
    }
}
