//! Which host a lookup contacted, and how that went: the detail line of an error (docs/spec/widgets.md 6). It names
//! hosts and statuses, never addresses.

use std::sync::{Mutex, PoisonError};

use widgets::{FetchError, Response};

/// A failed lookup.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The message for the viewer.
    pub error: FetchError,
    /// Type, host and status, as far as known.
    pub detail: Option<String>,
}

impl From<FetchError> for Failed {
    fn from(error: FetchError) -> Self {
        Self { error, detail: None }
    }
}

/// The last failed exchange; the last one if none failed.
#[derive(Debug, Default)]
pub struct Trouble(Mutex<Option<Met>>);

#[derive(Debug)]
struct Met {
    host: String,
    status: Option<u16>,
}

impl Met {
    fn is_wrong(&self) -> bool {
        self.status.is_none_or(|status| status >= 400)
    }
}

impl Trouble {
    /// Records the outcome of an exchange with a host.
    pub fn note(&self, host: String, outcome: &Result<Response, FetchError>) {
        let met = Met { host, status: outcome.as_ref().ok().map(|reply| reply.status) };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if met.is_wrong() || !known.as_ref().is_some_and(Met::is_wrong) {
            *known = Some(met);
        }
    }

    /// An error, with the exchanges of a widget of this type. Wrong options need no further detail.
    pub fn explain(&self, kind: &str, error: FetchError) -> Failed {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let met = known.as_ref().filter(|met| !met.host.is_empty() && !error.is_config());
        let detail = met.map(|Met { host, status }| {
            let status = status.map(|status| format!(" · {status}")).unwrap_or_default();
            format!("{kind} · {host}{status}")
        });
        Failed { error, detail }
    }
}

#[cfg(test)]
mod tests {
    use widgets::Moment;

    use super::*;

    fn responded(status: u16) -> Result<Response, FetchError> {
        let (headers, body, host) = (Vec::new(), Vec::new(), String::new());
        Ok(Response { status, headers, body, host, received: Moment::default() })
    }

    #[test]
    fn what_went_wrong_last_is_named() {
        let down = || Err(FetchError::Unreachable { host: "b.lan".to_owned(), reason: "no connection".to_owned() });
        for (met, expected) in [
            (vec![], None),
            (vec![("", down())], None),
            (vec![("a.lan", responded(200)), ("b.lan", responded(204))], Some("joke · b.lan · 204")),
            (vec![("a.lan", responded(503)), ("b.lan", responded(200))], Some("joke · a.lan · 503")),
            (vec![("a.lan", responded(503)), ("b.lan", down())], Some("joke · b.lan")),
        ] {
            let trouble = Trouble::default();
            for (host, outcome) in &met {
                trouble.note((*host).to_owned(), outcome);
            }
            assert_eq!(trouble.explain("joke", FetchError::told("No.")).detail.as_deref(), expected, "{met:?}");
            let config = FetchError::Config { problems: Vec::new() };
            assert_eq!(trouble.explain("joke", config).detail, None);
        }
    }
}
