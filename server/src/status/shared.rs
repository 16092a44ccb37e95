//! Checks that several servers share through their database: one of them runs each, and all show the result.

use std::{
    collections::HashSet,
    hash::{Hash as _, Hasher},
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use http::StatusCode;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::{
    check::Check,
    inner::Inner,
    outcome::{Answer, Failure, Outcome},
    wanted::{RegularCheck, SHARED},
};
use crate::database::{Database, News, Turn};

/// What the keys of checks begin with.
const PREFIX: &str = "check/";
/// More different texts of failures than there are.
const MAX_TEXTS: usize = 256;

/// An outcome as servers send it to each other.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct SharedOutcome {
    is_up: bool,
    answer: SharedAnswer,
    took: Duration,
    server_name: Option<String>,
    certificate_days: Option<i64>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
enum SharedAnswer {
    Status(u16),
    Connected,
    Echoes { received: u16, sent: u16 },
    Failure { code: String, sentence: String },
}

impl Inner {
    /// Remembers under which keys these checks are shared.
    pub(super) fn share(&self, wanted: &[RegularCheck]) {
        if self.database.is_some() {
            let mut shared = self.shared_ids.lock().unwrap_or_else(PoisonError::into_inner);
            // Each server follows the container engines itself.
            let requests = wanted.iter().filter(|one| one.check.is_request());
            shared.extend(requests.map(|one| (key_of(&one.check), one.id)));
        }
    }
}

/// Runs a check, unless another server has done so within its interval. Also returns whether it was another one.
pub(super) async fn run(
    database: &Arc<Database>,
    check: Arc<Check>,
    interval: Option<Duration>,
    work: impl AsyncFnOnce(Arc<Check>) -> Outcome,
) -> (Outcome, bool) {
    // A little less than the interval: servers do not start it at the same moment.
    let max_age = interval.map_or(SHARED, |interval| interval * 9 / 10);
    let turn = database.turn(&key_of(&check), max_age).await;
    if let Turn::Theirs(value, _) = &turn
        && let Some(outcome) = read(value)
    {
        return (outcome, true);
    }
    let outcome = work(check).await;
    if let Turn::Ours(lease) = turn
        && let Some(value) = written(&outcome)
    {
        lease.finish(&value, false).await;
    }
    (outcome, false)
}

/// Shows what other servers find out.
pub(super) async fn follow(inner: Weak<Inner>, mut news: Receiver<News>) {
    loop {
        match news.recv().await {
            Ok(News { key, value: Some(value) }) if key.starts_with(PREFIX) => {
                let Some(inner) = inner.upgrade() else { return };
                let id = inner.shared_ids.lock().unwrap_or_else(PoisonError::into_inner).get(&*key).copied();
                let Some((id, outcome)) = id.zip(read(&value)) else { continue };
                // A check that waits for it gets it anyway.
                if !inner.queue().is_running(id) {
                    inner.finish(id, outcome, true);
                }
            }
            // What is missed is read when the check is due.
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

/// The key under which servers share a check. It tells nothing of its address.
fn key_of(check: &Check) -> String {
    struct Digest(Sha256);

    impl Hasher for Digest {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }

        fn finish(&self) -> u64 {
            0
        }
    }

    let mut digest = Digest(Sha256::new());
    check.hash(&mut digest);
    format!("{PREFIX}{}", hex::encode(digest.0.finalize()))
}

/// `None` for the state of a container, which is not shared.
fn written(outcome: &Outcome) -> Option<String> {
    let answer = match outcome.answer {
        Ok(Answer::Status(status)) => SharedAnswer::Status(status.as_u16()),
        Ok(Answer::Connected) => SharedAnswer::Connected,
        Ok(Answer::Echoes { received, sent }) => SharedAnswer::Echoes { received, sent },
        Ok(Answer::Container(_)) => return None,
        Err(Failure { code, sentence }) => {
            SharedAnswer::Failure { code: code.to_owned(), sentence: sentence.to_owned() }
        }
    };
    let Outcome { is_up, took, ref server_name, certificate_days, .. } = *outcome;
    let shared = SharedOutcome { is_up, answer, took, server_name: server_name.clone(), certificate_days };
    serde_json::to_string(&shared).ok()
}

/// An outcome of another server; `None` if this version cannot read it.
fn read(value: &str) -> Option<Outcome> {
    let shared: SharedOutcome = serde_json::from_str(value).ok()?;
    let answer = match shared.answer {
        SharedAnswer::Status(status) => Ok(Answer::Status(StatusCode::from_u16(status).ok()?)),
        SharedAnswer::Connected => Ok(Answer::Connected),
        SharedAnswer::Echoes { received, sent } => Ok(Answer::Echoes { received, sent }),
        SharedAnswer::Failure { code, sentence } => Err(Failure { code: lasting(code)?, sentence: lasting(sentence)? }),
    };
    let SharedOutcome { is_up, took, server_name, certificate_days, .. } = shared;
    Some(Outcome { is_up, answer, took, server_name, certificate_days })
}

/// The same text for as long as the program runs: there are only a few, which this program has too.
fn lasting(text: String) -> Option<&'static str> {
    static TEXTS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_with(HashSet::new);
    if let Some(known) = texts.get(text.as_str()) {
        return Some(known);
    }
    if texts.len() >= MAX_TEXTS {
        return None;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    texts.insert(text);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_survive_the_way_to_another_server() {
        let took = Duration::from_micros(12_345);
        for outcome in [
            Outcome::responded(true, StatusCode::OK, took).with_server_name(Some("nas.lan".to_owned())),
            Outcome::responded(true, StatusCode::OK, took).with_certificate_days(Some(-3)),
            Outcome::responded(false, StatusCode::BAD_GATEWAY, took),
            Outcome::connected(took),
            Outcome::echoes(2, 3, took),
            Outcome::broken(),
        ] {
            assert_eq!(read(&written(&outcome).unwrap()).unwrap(), outcome);
        }
        assert_eq!(read("{\"isUp\": 3}"), None);
    }
}
