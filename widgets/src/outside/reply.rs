//! What a service answers, and what that means.

use std::{borrow::Cow, fmt, time::Duration};

use serde::de::DeserializeOwned;

use super::FetchError;
use crate::Moment;

/// The answer to a request, after redirects and decompression.
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// Headers by name and value. `Set-Cookie` is among them, for a login within one lookup.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The host that was asked, for messages.
    pub host: String,
    /// When the answer came.
    pub received: Moment,
}

impl Reply {
    /// The first header of this name, in any case.
    #[must_use]
    pub fn header<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.headers_named(name).next()
    }

    /// All headers of this name, in any case.
    pub fn headers_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.headers.iter().filter(move |(written, _)| written.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }

    /// The body as text; what is not UTF-8 is replaced.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// The reply itself if its status is one of success.
    ///
    /// # Errors
    ///
    /// The sentence that belongs to the status (widgets/_common.md section 6).
    pub fn ok(&self) -> Result<&Self, FetchError> {
        let host = self.host.clone();
        match self.status {
            200..=299 => Ok(self),
            401 | 403 => Err(FetchError::Refused { host }),
            404 => Err(FetchError::UnknownAddress { host }),
            429 => Err(FetchError::TooMany { host, retry_at: self.retry_at() }),
            500..=599 => Err(FetchError::Failed { host, status: self.status, retry_at: self.retry_at() }),
            status => Err(FetchError::Unexpected { host, what: format!("status {status}") }),
        }
    }

    /// The body as JSON, if the status is one of success.
    ///
    /// # Errors
    ///
    /// As [`Reply::ok`], and if the body is something else or has another shape.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, FetchError> {
        self.ok()?.any_json()
    }

    /// The body as JSON whatever the status is, for services that explain their errors.
    ///
    /// # Errors
    ///
    /// If the body is something else or has another shape.
    pub fn any_json<T: DeserializeOwned>(&self) -> Result<T, FetchError> {
        // Some programs begin their answers with a byte-order mark, which is no JSON.
        let body = self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body);
        serde_json::from_slice(body).map_err(|error| {
            let what = match body.trim_ascii_start().first() {
                None => "an empty answer",
                Some(b'<') => "a web page in place of data",
                Some(_) if error.is_data() => "data of another shape",
                Some(_) => "no JSON",
            };
            self.unexpected(what)
        })
    }

    /// The error that this host sent something else than it should.
    #[must_use]
    pub fn unexpected(&self, what: &str) -> FetchError {
        FetchError::Unexpected { host: self.host.clone(), what: what.to_owned() }
    }

    /// When the host wants to be asked again, by `Retry-After`.
    #[must_use]
    pub fn retry_at(&self) -> Option<Moment> {
        let written = self.header("retry-after")?.trim();
        if let Ok(seconds) = written.parse::<u32>() {
            return Some(self.received.after(Duration::from_secs(seconds.into())));
        }
        // Browsers hide this header from pages, so the form with a date matters on the server only.
        #[cfg(feature = "server")]
        return Moment::parse_mail(written);
        #[cfg(not(feature = "server"))]
        None
    }
}

/// Shows nothing of the answer but its status and size.
impl fmt::Debug for Reply {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Reply")
            .field("status", &self.status)
            .field("host", &self.host)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}
