//! The detail line of an error (docs/spec/widgets.md 6): the host and the status behind it. The line adds to the sentence of
//! the error; it never repeats or contradicts it. It names hosts and statuses, never addresses.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use widgets::{FetchError, Response};

/// A failed lookup.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Failed {
    /// The message for the viewer.
    pub error: FetchError,
    /// What the message leaves open: host and status, as far as known.
    pub detail: Option<String>,
}

impl From<FetchError> for Failed {
    fn from(error: FetchError) -> Self {
        Self { error, detail: None }
    }
}

/// The exchanges of one lookup, the newest last, each only once.
#[derive(Debug, Default)]
pub struct ExchangeLog(Mutex<Vec<Exchanged>>);

/// How an exchange with a host ended: with a status, or without a response.
#[derive(Debug, PartialEq, Eq)]
struct Exchanged {
    host: String,
    status: Option<u16>,
}

impl Exchanged {
    fn has_failed(&self) -> bool {
        self.status.is_none_or(|status| status >= 400)
    }

    /// Whether an error may be due to this exchange, and leaves something open about it.
    fn may_cause(&self, error: &FetchError) -> bool {
        let (is_status, host) = match error {
            FetchError::Refused { host } => (matches!(self.status, Some(401 | 403)), Some(host)),
            FetchError::UnknownAddress { host } => (self.status == Some(404), Some(host)),
            // Some services use another status for it.
            FetchError::TooMany { host, .. } => (self.status.is_some_and(|status| status >= 400), Some(host)),
            FetchError::Unexpected { host, .. } => (self.status.is_some(), Some(host)),
            FetchError::Forbidden => (self.status.is_none(), None),
            FetchError::Message { .. } | FetchError::LoginRefused { .. } => (true, None),
            // The sentences of these say everything.
            FetchError::Config { .. }
            | FetchError::TimedOut { .. }
            | FetchError::Unreachable { .. }
            | FetchError::Untrusted { .. }
            | FetchError::CallBlocked { .. }
            | FetchError::Failed { .. }
            | FetchError::TooLarge { .. }
            | FetchError::NeedsServer => (false, None),
        };
        is_status && !self.host.is_empty() && host.is_none_or(|host| *host == self.host)
    }

    /// The facts that a sentence does not mention. The status of a success says nothing.
    fn beyond(&self, sentence: &str) -> Option<String> {
        let host = Some(self.host.clone()).filter(|host| !mentions(sentence, host));
        let status = self.status.filter(|status| *status >= 400 && !mentions(sentence, &status.to_string()));
        let facts: Vec<_> = host.into_iter().chain(status.map(|status| format!("HTTP {status}"))).collect();
        (!facts.is_empty()).then(|| facts.join(" · "))
    }
}

impl ExchangeLog {
    /// Records the outcome of an exchange with a host.
    pub fn note(&self, host: String, outcome: &Result<Response, FetchError>) {
        let exchanged = Exchanged { host, status: outcome.as_ref().ok().map(|reply| reply.status) };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|before| *before != exchanged);
        known.push(exchanged);
    }

    /// An error, with what its sentence leaves open.
    pub fn explain(&self, error: FetchError) -> Failed {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sentence = error.to_string();
        let detail = cause(&known, &error, &sentence).and_then(|cause| cause.beyond(&sentence));
        Failed { error, detail }
    }
}

/// The exchange that caused an error; `None` if it may have been one of several.
fn cause<'a>(known: &'a [Exchanged], error: &FetchError, sentence: &str) -> Option<&'a Exchanged> {
    let mut possible: Vec<_> = known.iter().filter(|exchanged| exchanged.may_cause(error)).collect();
    if possible.iter().any(|exchanged| mentions(sentence, &exchanged.host)) {
        possible.retain(|exchanged| mentions(sentence, &exchanged.host));
    }
    if matches!(error, FetchError::Unexpected { .. }) {
        // The widget coped with earlier failures.
        return possible.pop();
    }
    if possible.iter().any(|exchanged| exchanged.has_failed()) {
        possible.retain(|exchanged| exchanged.has_failed());
    }
    match possible.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// Whether a sentence contains a host or a number as a word of its own.
fn mentions(sentence: &str, word: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || "-_".contains(character);
    let (sentence, word) = (sentence.to_lowercase(), word.to_lowercase());
    sentence.match_indices(&word).any(|(start, _)| {
        let before = sentence[..start].chars().next_back();
        // A point ends a sentence, or is part of a longer name.
        let after = sentence[start + word.len()..].trim_start_matches('.').chars().next();
        !before.is_some_and(|before| is_part(before) || before == '.') && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use widgets::Moment;

    use super::*;

    fn responded(status: u16) -> Result<Response, FetchError> {
        let (headers, body, host) = (Vec::new(), Vec::new(), String::new());
        Ok(Response { status, headers, body, host, received: Moment::default() })
    }

    fn down() -> Result<Response, FetchError> {
        Err(FetchError::Unreachable { host: "b.lan".to_owned(), reason: "no connection".to_owned() })
    }

    fn explained(exchanges: &[(&str, Result<Response, FetchError>)], error: FetchError) -> Option<String> {
        let log = ExchangeLog::default();
        for (host, outcome) in exchanges {
            log.note((*host).to_owned(), outcome);
        }
        log.explain(error).detail
    }

    /// All kinds of errors, about `a.lan`.
    fn errors() -> Vec<FetchError> {
        let host = || "a.lan".to_owned();
        let retry_at = Some(Moment::from_seconds(1_000_000));
        let told = |sentence: &str| [FetchError::message(sentence), FetchError::login_refused(sentence)];
        let mut errors = vec![
            FetchError::Config { problems: vec!["url is required.".to_owned()] },
            FetchError::TimedOut { host: host(), after: Duration::from_secs(10) },
            FetchError::Unreachable { host: host(), reason: "connection refused".to_owned() },
            FetchError::Unreachable { host: host(), reason: "name not found".to_owned() },
            FetchError::Untrusted { host: host() },
            FetchError::CallBlocked { host: host() },
            FetchError::Refused { host: host() },
            FetchError::UnknownAddress { host: host() },
            FetchError::TooMany { host: host(), retry_at: None },
            FetchError::TooMany { host: host(), retry_at },
            FetchError::Failed { host: host(), status: 503, retry_at },
            FetchError::Unexpected { host: host(), what: "no JSON".to_owned() },
            FetchError::Unexpected { host: host(), what: "status 418".to_owned() },
            FetchError::TooLarge { host: host() },
            FetchError::Forbidden,
            FetchError::NeedsServer,
        ];
        let sentences =
            ["No.", "a.lan answered 503.", "A.lan:8080 has no chart cpu (404): it runs another system.", "Ask b.lan."];
        errors.extend(sentences.into_iter().flat_map(told));
        errors
    }

    /// The statuses that an error of this kind can have; `None` for no response.
    fn can_have(error: &FetchError, status: Option<u16>) -> bool {
        match error {
            FetchError::Refused { .. } => matches!(status, Some(401 | 403)),
            FetchError::UnknownAddress { .. } => status == Some(404),
            FetchError::TooMany { .. } => status.is_some_and(|status| status >= 400),
            FetchError::Failed { status: own, .. } => status == Some(*own),
            FetchError::Unexpected { .. } => status.is_some(),
            FetchError::Message { .. } | FetchError::LoginRefused { .. } => true,
            _ => status.is_none(),
        }
    }

    #[test]
    fn the_line_never_repeats_or_contradicts_the_sentence() {
        const STATUSES: [Option<u16>; 9] =
            [None, Some(200), Some(401), Some(403), Some(404), Some(418), Some(429), Some(500), Some(503)];
        let outcome = |status: Option<u16>| status.map_or_else(down, responded);
        let mut lines = 0;
        for error in errors() {
            let sentence = error.to_string().to_lowercase();
            for (first, last) in STATUSES.iter().flat_map(|first| STATUSES.map(|last| (*first, last))) {
                for (one, other) in [("a.lan", "a.lan"), ("a.lan", "b.lan"), ("b.lan", "a.lan"), ("", "a.lan")] {
                    let known = [(one, outcome(first)), (other, outcome(last))];
                    let Some(line) = explained(&known, error.clone()) else { continue };
                    let context = format!("{sentence} / {line} after {one} {first:?}, {other} {last:?}");
                    lines += 1;
                    for fact in line.split(" · ") {
                        let fact = fact.trim_start_matches("HTTP ");
                        let words = sentence.split([' ', ':', '(', ')']).map(|word| word.trim_end_matches('.'));
                        assert!(!words.into_iter().any(|word| word == fact), "repeated: {context}");
                        if let Ok(status) = fact.parse() {
                            assert!(can_have(&error, Some(status)), "contradicted: {context}");
                        } else {
                            let is_free = matches!(
                                error,
                                FetchError::Forbidden | FetchError::Message { .. } | FetchError::LoginRefused { .. }
                            );
                            assert!(is_free, "another host: {context}");
                        }
                    }
                }
            }
        }
        assert!(lines > 100, "{lines}");
    }

    #[test]
    fn the_line_says_what_the_sentence_leaves_open() {
        let host = || "a.lan".to_owned();
        let no = || FetchError::message("No.");
        let refused = FetchError::Refused { host: host() };
        let unexpected = FetchError::Unexpected { host: host(), what: "a web page in place of data".to_owned() };
        let busy = FetchError::TooMany { host: host(), retry_at: None };
        for (known, error, expected) in [
            (vec![], no(), None),
            (vec![("", down())], no(), None),
            (vec![("a.lan", responded(200))], no(), Some("a.lan")),
            (vec![("a.lan", responded(503)), ("b.lan", responded(200))], no(), Some("a.lan · HTTP 503")),
            (vec![("b.lan", down())], FetchError::Forbidden, Some("b.lan")),
            (vec![("a.lan", responded(401))], refused.clone(), Some("HTTP 401")),
            (vec![("a.lan", responded(403))], busy, Some("HTTP 403")),
            (vec![("a.lan", responded(502))], unexpected.clone(), Some("HTTP 502")),
            // The widget went on after the first response.
            (vec![("a.lan", responded(401)), ("a.lan", responded(200))], unexpected, None),
            // It may have been either.
            (vec![("a.lan", responded(503)), ("b.lan", down())], no(), None),
            (vec![("a.lan", responded(200)), ("b.lan", responded(204))], no(), None),
            (vec![("a.lan", responded(401)), ("a.lan", responded(403))], refused, None),
            (vec![("data.lan", responded(404))], FetchError::message("a.lan is gone."), Some("data.lan · HTTP 404")),
            (vec![("/run/docker.sock", down())], FetchError::message("There is no socket /run/docker.sock."), None),
            (vec![("a.lan", responded(404))], FetchError::message("A.lan:8080 has no view (4040)."), Some("HTTP 404")),
        ] {
            let context = format!("{known:?} {error}");
            assert_eq!(explained(&known, error).as_deref(), expected, "{context}");
        }
    }
}
