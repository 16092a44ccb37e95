//! Why a widget has nothing to show, with the messages of docs/spec/widgets.md 6.

use std::{borrow::Cow, error::Error, fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::Moment;

/// Why a widget has nothing to show. It is sent to the page, which may translate it; `Display` is the English sentence.
///
/// No variant contains an address, a secret, or text of a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FetchError {
    /// Options are missing or wrong. No request was sent, and retrying is pointless.
    Config {
        /// One sentence for each problem.
        problems: Vec<String>,
    },
    /// The request timed out.
    TimedOut {
        /// The host of the request.
        host: String,
        /// The timeout.
        after: Duration,
    },
    /// Name not found, connection refused, no route.
    Unreachable {
        /// The host of the request.
        host: String,
        /// The reason, such as `connection refused`.
        reason: String,
    },
    /// The certificate is not trusted.
    Untrusted {
        /// The host of the request.
        host: String,
    },
    /// The browser blocked the request or its response.
    CallBlocked {
        /// The host of the request.
        host: String,
    },
    /// Status 401 or 403.
    Refused {
        /// The host that responded.
        host: String,
    },
    /// Status 404.
    UnknownAddress {
        /// The host that responded.
        host: String,
    },
    /// Status 429.
    TooMany {
        /// The host that responded.
        host: String,
        /// When to retry, if the host says so.
        retry_at: Option<Moment>,
    },
    /// Status 500 and above.
    Failed {
        /// The host that responded.
        host: String,
        /// The status.
        status: u16,
        /// When to retry, if the host says so.
        retry_at: Option<Moment>,
    },
    /// The response is not as expected.
    Unexpected {
        /// The host that responded.
        host: String,
        /// What is wrong with it, in our words.
        what: String,
    },
    /// The response exceeds the limit.
    TooLarge {
        /// The host that responded.
        host: String,
    },
    /// The server's guards refuse the address.
    Forbidden,
    /// A message that a widget words itself, for an error it understands.
    Message {
        /// The sentence, in our words. `{time}` stands for the time of `retry_at`.
        sentence: String,
        /// When to retry, if that is known.
        retry_at: Option<Moment>,
    },
    /// A widget's own message for a login or a key that the service rejects.
    LoginRefused {
        /// The sentence, in our words. `{time}` stands for the time of `retry_at`.
        sentence: String,
        /// The earliest time for a harmless retry, if that is known.
        retry_at: Option<Moment>,
    },
    /// The browser was asked to run a widget that only the server can run.
    NeedsServer,
}

impl FetchError {
    /// A widget's own message.
    #[must_use]
    pub fn message(sentence: impl Into<String>) -> Self {
        Self::Message { sentence: sentence.into(), retry_at: None }
    }

    /// A widget's own message for a login or a key that the service rejects.
    #[must_use]
    pub fn login_refused(sentence: impl Into<String>) -> Self {
        Self::LoginRefused { sentence: sentence.into(), retry_at: None }
    }

    /// The message, with `{name}` for values, and these values. Times are formatted by `clock`.
    #[must_use]
    pub fn words(&self, clock: impl Fn(Moment) -> String) -> (Cow<'_, str>, Vec<(&'static str, String)>) {
        let with_host = |words: &'static str, host: &String| (words.into(), vec![("host", host.clone())]);
        match self {
            Self::Config { problems } => (problems.join(" ").into(), Vec::new()),
            Self::TimedOut { host, after } => (
                "{host} did not answer within {seconds} s. Check that it is running, or raise the option timeout."
                    .into(),
                vec![("host", host.clone()), ("seconds", after.as_secs_f64().to_string())],
            ),
            Self::Unreachable { host, reason } => (
                "{host} could not be reached ({reason}).".into(),
                vec![("host", host.clone()), ("reason", reason.clone())],
            ),
            Self::Untrusted { host } => with_host("{host} uses a certificate that is not trusted.", host),
            Self::CallBlocked { host } => {
                with_host("{host} does not allow calls from the browser. Set useProxy to true.", host)
            }
            Self::Refused { host } => with_host("{host} refused the key or password.", host),
            Self::UnknownAddress { host } => {
                with_host("{host} does not know this address; check the address and the version of the service.", host)
            }
            Self::TooMany { host, retry_at: None } => with_host("{host} allows no more requests for now.", host),
            Self::TooMany { host, retry_at: Some(at) } => (
                "{host} allows no more requests for now; next try at {time}.".into(),
                vec![("host", host.clone()), ("time", clock(*at))],
            ),
            Self::Failed { host, status, .. } => (
                "{host} has a problem ({status}).".into(),
                vec![("host", host.clone()), ("status", status.to_string())],
            ),
            Self::Unexpected { host, what } => (
                "{host} sent something unexpected ({reason}).".into(),
                vec![("host", host.clone()), ("reason", what.clone())],
            ),
            Self::TooLarge { host } => with_host("The response from {host} is too large.", host),
            Self::Forbidden => (
                "This address may not be called (cloud metadata or forbidden by the administrator).".into(),
                Vec::new(),
            ),
            Self::Message { sentence, retry_at } | Self::LoginRefused { sentence, retry_at } => {
                (sentence.into(), retry_at.map(|at| ("time", clock(at))).into_iter().collect())
            }
            Self::NeedsServer => ("Only the server can fetch this widget.".into(), Vec::new()),
        }
    }

    /// The time before which a retry is pointless, if the service gave one.
    #[must_use]
    pub fn retry_at(&self) -> Option<Moment> {
        match self {
            Self::TooMany { retry_at, .. }
            | Self::Failed { retry_at, .. }
            | Self::Message { retry_at, .. }
            | Self::LoginRefused { retry_at, .. } => *retry_at,
            _ => None,
        }
    }

    /// The same error with another time for the next try, if it has one: the time at which that happens.
    #[must_use]
    pub fn retried_at(mut self, at: Moment) -> Self {
        if let Self::TooMany { retry_at: Some(time), .. }
        | Self::Failed { retry_at: Some(time), .. }
        | Self::Message { retry_at: Some(time), .. }
        | Self::LoginRefused { retry_at: Some(time), .. } = &mut self
        {
            *time = at;
        }
        self
    }

    /// Whether the service is down or refuses all requests at the moment, so that another service may be tried instead.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        match self {
            Self::TimedOut { .. }
            | Self::Unreachable { .. }
            | Self::Untrusted { .. }
            | Self::Refused { .. }
            | Self::UnknownAddress { .. }
            | Self::TooMany { .. }
            | Self::Failed { .. }
            | Self::Unexpected { .. } => true,
            Self::Config { .. }
            | Self::CallBlocked { .. }
            | Self::TooLarge { .. }
            | Self::Forbidden
            | Self::Message { .. }
            | Self::LoginRefused { .. }
            | Self::NeedsServer => false,
        }
    }

    /// Whether the service rejects the key, the password or the account.
    #[must_use]
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::LoginRefused { .. })
    }

    /// Whether the options are the cause. Such errors are shown in a yellow box without "Retry".
    #[must_use]
    pub fn is_config(&self) -> bool {
        matches!(self, Self::Config { .. })
    }
}

/// The English sentence, with times in UTC.
impl fmt::Display for FetchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, values) = self.words(|at| format!("{} UTC", at.utc_clock()));
        let mut rest = &*words;
        for (name, value) in values {
            let Some((before, after)) = rest.split_once(&format!("{{{name}}}")) else { continue };
            write!(formatter, "{before}{value}")?;
            rest = after;
        }
        formatter.write_str(rest)
    }
}

impl Error for FetchError {}
