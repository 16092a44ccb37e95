//! Which services are down, which targets have a message about it, and which messages are still to be sent (docs/spec/behavior.md 11.3). No network and no
//! clock of its own.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::Duration,
};

use config::model::QuietHours;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::store::RecordVersion;

/// How long a message waits for others that come at the same time.
pub(super) const GATHER: Duration = Duration::from_secs(1);
/// The longest time between two messages, however long the interval of the checks is.
const MAX_PAUSE: Duration = Duration::from_secs(300);
/// How long to wait after a message could not be delivered; then twice as long, and so on up to [`MAX_PAUSE`].
const FIRST_RETRY: Duration = Duration::from_secs(15);
/// Maximum number of recoveries that wait for a target.
const MAX_RECOVERIES: usize = 1000;

/// Identifies a check, also after a restart.
pub(super) type CheckKey = String;
/// Identifies a target, also after a restart.
pub(super) type TargetKey = String;

/// The service of an item, as far as messages are about it.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Service {
    /// The title of the item.
    pub name: String,
    /// The name of its section.
    pub section: String,
}

/// A service that is down.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Outage {
    #[serde(default)]
    version: RecordVersion,
    #[serde(flatten)]
    pub service: Service,
    /// When the first check failed, in seconds since 1970.
    pub since: u64,
    /// Why the last check failed, in English.
    #[serde(skip)]
    pub reason: String,
    /// The targets that got a message about it.
    announced: BTreeSet<TargetKey>,
    /// Time between two checks.
    #[serde(skip)]
    interval: Duration,
}

/// A service that is up again.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Recovery {
    pub service: Service,
    /// When the first check failed, in seconds since 1970.
    pub since: u64,
    /// When a check succeeded again, in seconds since 1970.
    pub until: u64,
    interval: Duration,
}

/// The contents of one message.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Batch {
    pub down: Vec<Outage>,
    pub up: Vec<Recovery>,
    /// The checks of `down`.
    keys: Vec<CheckKey>,
}

/// When a target wants messages.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Wish {
    /// After how many failures in a row.
    pub failures: u32,
    pub quiet_hours: Option<QuietHours>,
}

/// What is known of a check.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Seen {
    /// The service is up, at a time in seconds since 1970.
    Up { now: u64 },
    /// So many checks in a row have failed, the first at a time in seconds since 1970.
    Down { failures: u32, since: u64, reason: String },
}

/// What waits for a target.
#[derive(Debug, Default)]
struct Waiting {
    down: BTreeSet<CheckKey>,
    up: Vec<Recovery>,
    /// When the first of them came.
    since: Option<Instant>,
    /// When the last message was sent.
    sent: Option<Instant>,
    /// A message is on its way.
    is_sending: bool,
    /// How many attempts in a row have failed, and when to try again.
    retry: Option<(u32, Instant)>,
}

/// All outages.
#[derive(Debug, Default)]
pub(super) struct Outages {
    all: BTreeMap<CheckKey, Outage>,
    waiting: HashMap<TargetKey, Waiting>,
    has_changed: bool,
}

impl Outages {
    /// Continues with outages that were saved.
    pub fn restored(all: BTreeMap<CheckKey, Outage>) -> Self {
        Self { all, ..Self::default() }
    }

    /// The outages to save, if they have changed since the last call: those that a target knows.
    pub fn take_unsaved(&mut self) -> Option<BTreeMap<CheckKey, Outage>> {
        if !std::mem::take(&mut self.has_changed) {
            return None;
        }
        let known = self.all.iter().filter(|(_, outage)| !outage.announced.is_empty());
        Some(known.map(|(key, outage)| (key.clone(), outage.clone())).collect())
    }

    /// Forgets checks and targets that no longer exist, without a message.
    pub fn keep_only(&mut self, checks: &BTreeSet<&CheckKey>, targets: &BTreeSet<&TargetKey>) {
        let before = self.all.len();
        self.all.retain(|key, _| checks.contains(key));
        self.has_changed |= before != self.all.len();
        self.waiting.retain(|key, _| targets.contains(key));
        for waiting in self.waiting.values_mut() {
            waiting.down.retain(|key| checks.contains(key));
        }
    }

    /// Takes note of the state of a check.
    pub fn note(
        &mut self,
        key: &CheckKey,
        service: &Service,
        interval: Duration,
        seen: Seen,
        targets: &[(TargetKey, Wish)],
        now: Instant,
    ) {
        match seen {
            Seen::Up { now: until } => {
                let Some(outage) = self.all.remove(key) else { return };
                self.has_changed |= !outage.announced.is_empty();
                for (target, _) in targets {
                    let waiting = self.waiting.entry(target.clone()).or_default();
                    let was_waiting = waiting.down.remove(key);
                    if (was_waiting || outage.announced.contains(target)) && waiting.up.len() < MAX_RECOVERIES {
                        let (service, since) = (service.clone(), outage.since);
                        waiting.up.push(Recovery { service, since, until, interval });
                        waiting.since.get_or_insert(now);
                    }
                }
            }
            Seen::Down { failures, since, reason } => {
                let outage = self.all.entry(key.clone()).or_insert_with(|| Outage {
                    version: RecordVersion,
                    service: service.clone(),
                    since,
                    reason: String::new(),
                    announced: BTreeSet::new(),
                    interval,
                });
                outage.service = service.clone();
                (outage.reason, outage.interval) = (reason, interval);
                for (target, wish) in targets {
                    if failures >= wish.failures && !outage.announced.contains(target) {
                        let waiting = self.waiting.entry(target.clone()).or_default();
                        if waiting.down.insert(key.clone()) {
                            waiting.since.get_or_insert(now);
                        }
                    }
                }
            }
        }
    }

    /// When the next message of a target is due; `None` if nothing waits. `minute` is that of the day now.
    pub fn due(&self, target: &TargetKey, wish: Wish, now: Instant, minute: u16) -> Option<Instant> {
        let waiting = self.waiting.get(target)?;
        if waiting.is_sending || (waiting.down.is_empty() && waiting.up.is_empty()) {
            return None;
        }
        let intervals = waiting.down.iter().filter_map(|key| Some(self.all.get(key)?.interval));
        let shortest = intervals.chain(waiting.up.iter().map(|up| up.interval)).min().unwrap_or_default();
        let mut due = waiting.since.unwrap_or(now) + GATHER;
        if let Some(sent) = waiting.sent {
            due = due.max(sent + shortest.min(MAX_PAUSE));
        }
        if let Some((_, again)) = waiting.retry {
            due = due.max(again);
        }
        if let Some(left) = wish.quiet_hours.and_then(|hours| hours.left(minute)) {
            due = due.max(now + Duration::from_secs(60) * u32::from(left));
        }
        Some(due)
    }

    /// Takes the contents of the next message of a target, which is then on its way.
    pub fn take(&mut self, target: &TargetKey) -> Batch {
        let Some(waiting) = self.waiting.get_mut(target) else { return Batch::default() };
        waiting.is_sending = true;
        let known = waiting.down.iter().filter_map(|key| Some((key.clone(), self.all.get(key)?.clone())));
        let (keys, down) = known.unzip();
        Batch { down, up: waiting.up.clone(), keys }
    }

    /// A message has arrived, or not.
    pub fn sent(&mut self, target: &TargetKey, batch: &Batch, has_arrived: bool, now: Instant) {
        let Some(waiting) = self.waiting.get_mut(target) else { return };
        waiting.is_sending = false;
        if !has_arrived {
            let count = waiting.retry.map_or(0, |(count, _)| count);
            let pause = (FIRST_RETRY * 2_u32.saturating_pow(count.min(10))).min(MAX_PAUSE);
            waiting.retry = Some((count + 1, now + pause));
            return;
        }
        waiting.retry = None;
        waiting.sent = Some(now);
        waiting.up.drain(..batch.up.len().min(waiting.up.len()));
        for key in &batch.keys {
            waiting.down.remove(key);
            match self.all.get_mut(key) {
                Some(outage) => {
                    outage.announced.insert(target.clone());
                }
                // It has recovered while the message was on its way; `note` has added the recovery.
                None => continue,
            }
        }
        self.has_changed = true;
        waiting.since = (!waiting.down.is_empty() || !waiting.up.is_empty()).then_some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: u16 = 12 * 60;
    const MINUTE: Duration = Duration::from_secs(60);

    /// Outages with one target, at a time that only the test moves.
    struct World {
        outages: Outages,
        wish: Wish,
        start: Instant,
        now: Duration,
        minute: u16,
    }

    impl World {
        fn new(failures: u32) -> Self {
            let wish = Wish { failures, quiet_hours: None };
            let outages = Outages::default();
            Self { outages, wish, start: Instant::now(), now: Duration::ZERO, minute: NOON }
        }

        fn note(&mut self, name: &str, seen: Seen) {
            let service = Service { name: name.to_owned(), section: "Home".to_owned() };
            let targets = [("t".to_owned(), self.wish)];
            self.outages.note(&name.to_owned(), &service, MINUTE, seen, &targets, self.start + self.now);
        }

        fn down(&mut self, name: &str, failures: u32) {
            let reason = "connection refused".to_owned();
            let since = self.now.as_secs() - u64::from(failures - 1) * 60;
            self.note(name, Seen::Down { failures, since, reason });
        }

        fn up(&mut self, name: &str) {
            self.note(name, Seen::Up { now: self.now.as_secs() });
        }

        fn after(&mut self, seconds: u64) -> &mut Self {
            self.now += Duration::from_secs(seconds);
            self
        }

        /// The seconds until the next message.
        fn due(&self) -> Option<u64> {
            let now = self.start + self.now;
            let due = self.outages.due(&"t".to_owned(), self.wish, now, self.minute)?;
            Some(due.saturating_duration_since(now).as_secs())
        }

        /// Sends the message that is due: the names of services that are down, and of those that are up again with the length of
        /// their outage.
        fn send(&mut self) -> (Vec<String>, Vec<(String, u64)>) {
            assert_eq!(self.due(), Some(0));
            let batch = self.outages.take(&"t".to_owned());
            assert_eq!(self.due(), None);
            self.outages.sent(&"t".to_owned(), &batch, true, self.start + self.now);
            let down = batch.down.iter().map(|outage| outage.service.name.clone()).collect();
            let up = batch.up.iter().map(|up| (up.service.name.clone(), up.until - up.since)).collect();
            (down, up)
        }
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn an_outage_is_announced_once_after_enough_failures_and_ends_with_its_length() {
        let mut world = World::new(3);
        world.after(600);
        for failures in [1, 2] {
            world.down("a", failures);
            assert_eq!(world.due(), None);
            world.after(60);
        }
        world.down("a", 3);
        assert_eq!(world.due(), Some(1));
        assert_eq!(world.after(1).send(), (names(&["a"]), vec![]));
        for failures in 4..20 {
            world.after(60).down("a", failures);
            assert_eq!(world.due(), None);
        }
        world.after(60).up("a");
        assert_eq!(world.after(1).send(), (vec![], vec![("a".to_owned(), 1141)]));
        world.after(60).up("a");
        assert_eq!(world.due(), None);
    }

    #[test]
    fn a_short_failure_is_no_outage() {
        let mut world = World::new(3);
        world.after(600).down("a", 2);
        world.after(60).up("a");
        assert_eq!(world.due(), None);
    }

    #[test]
    fn what_fails_at_the_same_time_is_one_message_and_the_rest_of_the_interval_another() {
        let mut world = World::new(1);
        world.after(600);
        (0..10).for_each(|number| world.down(&format!("a{number}"), 1));
        assert_eq!(world.after(1).send().0.len(), 10);
        for number in 0..20 {
            world.after(2).down(&format!("b{number:02}"), 1);
        }
        // Within one interval of the first of them.
        assert_eq!(world.due(), Some(20));
        assert_eq!(world.after(20).send().0.len(), 20);
    }

    #[test]
    fn quiet_hours_postpone_messages_and_an_outage_that_is_over_by_then_is_mentioned() {
        let mut world = World::new(1);
        world.wish.quiet_hours = QuietHours::parse("22:00-07:00");
        world.minute = 6 * 60;
        world.after(600).down("a", 1);
        world.down("b", 1);
        assert_eq!(world.due(), Some(3600));
        world.after(120).up("a");
        world.minute = 7 * 60;
        assert_eq!(world.after(3480).send(), (names(&["b"]), vec![("a".to_owned(), 120)]));
    }

    #[test]
    fn a_message_that_does_not_arrive_is_sent_again_later() {
        let mut world = World::new(1);
        world.after(600).down("a", 1);
        world.after(1);
        for pause in [15, 30, 60, 120, 240, 300, 300] {
            let batch = world.outages.take(&"t".to_owned());
            world.outages.sent(&"t".to_owned(), &batch, false, world.start + world.now);
            assert_eq!(world.due(), Some(pause));
            world.after(pause);
        }
        assert_eq!(world.send(), (names(&["a"]), vec![]));
    }

    #[test]
    fn a_recovery_during_a_delivery_is_the_next_message() {
        let mut world = World::new(1);
        world.after(600).down("a", 1);
        let batch = world.after(1).outages.take(&"t".to_owned());
        world.after(5).up("a");
        world.outages.sent(&"t".to_owned(), &batch, true, world.start + world.now);
        assert_eq!(world.after(60).send(), (vec![], vec![("a".to_owned(), 6)]));
    }

    #[test]
    fn an_outage_survives_a_restart() {
        let mut world = World::new(2);
        world.after(600).down("a", 2);
        world.after(1).send();
        let saved = serde_json::to_string(&world.outages.take_unsaved().unwrap()).unwrap();
        assert!(world.outages.take_unsaved().is_none());
        let mut again = World::new(2);
        again.outages = Outages::restored(serde_json::from_str(&saved).unwrap());
        // The counts begin again; the outage does not.
        again.after(700).down("a", 1);
        again.after(60).down("a", 2);
        assert_eq!(again.due(), None);
        again.after(60).up("a");
        assert_eq!(again.after(1).send(), (vec![], vec![("a".to_owned(), 820 - 540)]));
        assert_eq!(again.outages.take_unsaved(), Some(BTreeMap::new()));
    }

    #[test]
    fn removed_services_are_forgotten_without_a_message() {
        let mut world = World::new(1);
        world.after(600).down("a", 1);
        world.down("b", 1);
        let (check, target) = ("b".to_owned(), "t".to_owned());
        world.outages.keep_only(&BTreeSet::from([&check]), &BTreeSet::from([&target]));
        assert_eq!(world.after(1).send(), (names(&["b"]), vec![]));
        world.outages.keep_only(&BTreeSet::new(), &BTreeSet::from([&target]));
        world.after(60).up("b");
        assert_eq!(world.due(), None);
    }
}
