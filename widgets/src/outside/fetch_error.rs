//! Why a widget has nothing to show, in the sentences of docs/spec/widgets.md 6.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Moment;

/// Why a widget has nothing to show. It is sent to the page, which may translate it; `Display` is the English sentence.
///
/// No variant contains an address, a secret, or text of a response.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FetchError {
    /// Options are missing or wrong. No request was sent, and retrying is pointless.
    #[error("{}", problems.join(" "))]
    Config {
        /// One sentence for each problem.
        problems: Vec<String>,
    },
    /// The request timed out.
    #[error("{host} did not answer within {} s. Check that it is running, or raise the option timeout.", after.as_secs_f64())]
    TimedOut {
        /// The host of the request.
        host: String,
        /// The timeout.
        after: Duration,
    },
    /// Name not found, connection refused, no route.
    #[error("{host} could not be reached ({reason}).")]
    Unreachable {
        /// The host of the request.
        host: String,
        /// The reason, such as `connection refused`.
        reason: String,
    },
    /// The certificate is not trusted.
    #[error("{host} uses a certificate that is not trusted.")]
    Untrusted {
        /// The host of the request.
        host: String,
    },
    /// The browser blocked the request or its response.
    #[error("{host} does not allow calls from the browser. Set useProxy to true.")]
    CallBlocked {
        /// The host of the request.
        host: String,
    },
    /// Status 401 or 403.
    #[error("{host} refused the key or password.")]
    Refused {
        /// The host that responded.
        host: String,
    },
    /// Status 404.
    #[error("{host} does not know this address; check the address and the version of the service.")]
    UnknownAddress {
        /// The host that responded.
        host: String,
    },
    /// Status 429.
    #[error("{host} allows no more requests for now{}.", next_try(*retry_at, utc))]
    TooMany {
        /// The host that responded.
        host: String,
        /// When to retry, if the host says so.
        retry_at: Option<Moment>,
    },
    /// Status 500 and above.
    #[error("{host} has a problem ({status}).")]
    Failed {
        /// The host that responded.
        host: String,
        /// The status.
        status: u16,
        /// When to retry, if the host says so.
        retry_at: Option<Moment>,
    },
    /// The response is not as expected.
    #[error("{host} sent something unexpected ({what}).")]
    Unexpected {
        /// The host that responded.
        host: String,
        /// What it sent, in our words.
        what: String,
    },
    /// The response exceeds the limit.
    #[error("The response from {host} is too large.")]
    TooLarge {
        /// The host that responded.
        host: String,
    },
    /// The server's guards refuse the address.
    #[error("This address may not be called (cloud metadata or forbidden by the administrator).")]
    Forbidden,
    /// A widget's own sentence for an error that it understands.
    #[error("{sentence}")]
    Told {
        /// The sentence, in our words.
        sentence: String,
        /// When to retry, if that is known.
        retry_at: Option<Moment>,
    },
    /// A widget's own sentence for a login or a key that the service rejects.
    #[error("{sentence}")]
    LoginRefused {
        /// The sentence, in our words.
        sentence: String,
        /// When a retry does no harm, if that is known.
        retry_at: Option<Moment>,
    },
    /// The browser was asked to run a widget that only the server can run.
    #[error("Only the server can fetch this widget.")]
    NeedsServer,
}

impl FetchError {
    /// A widget's own sentence.
    #[must_use]
    pub fn told(sentence: impl Into<String>) -> Self {
        Self::Told { sentence: sentence.into(), retry_at: None }
    }

    /// A widget's own sentence for a login or a key that the service rejects.
    #[must_use]
    pub fn login_refused(sentence: impl Into<String>) -> Self {
        Self::LoginRefused { sentence: sentence.into(), retry_at: None }
    }

    /// The sentence, with times formatted by `clock`. The error's own text has them in UTC.
    #[must_use]
    pub fn sentence(&self, clock: impl Fn(Moment) -> String) -> String {
        match self {
            Self::TooMany { host, retry_at } => {
                format!("{host} allows no more requests for now{}.", next_try(*retry_at, clock))
            }
            _ => self.to_string(),
        }
    }

    /// The time before which a retry is pointless, if the service said so.
    #[must_use]
    pub fn retry_at(&self) -> Option<Moment> {
        match self {
            Self::TooMany { retry_at, .. }
            | Self::Failed { retry_at, .. }
            | Self::Told { retry_at, .. }
            | Self::LoginRefused { retry_at, .. } => *retry_at,
            _ => None,
        }
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
            | Self::Told { .. }
            | Self::LoginRefused { .. }
            | Self::NeedsServer => false,
        }
    }

    /// Whether the service rejects the key, the password or the account.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::LoginRefused { .. })
    }

    /// Whether the options are the cause: a yellow box without "Retry".
    #[must_use]
    pub fn is_config(&self) -> bool {
        matches!(self, Self::Config { .. })
    }
}

fn next_try(at: Option<Moment>, clock: impl Fn(Moment) -> String) -> String {
    at.map(|at| format!("; next try at {}", clock(at))).unwrap_or_default()
}

fn utc(at: Moment) -> String {
    format!("{} UTC", at.utc_clock())
}
