//! One status check: the request, and what its response means (docs/spec/behaviour.md 11.2).

use std::{
    fmt,
    time::{Duration, Instant},
};

use config::model::StatusTarget;
use http::StatusCode;
use url::Url;

use super::outcome::{Failure, Outcome};
use crate::http_client::{BlockReason, HttpClient, HttpClientError, HttpRequest, PrivateReach, Purpose, plain_host};

/// How long a service may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How many redirects are followed by default.
const MAX_REDIRECTS: u32 = 5;
/// The most that an item can set.
const REDIRECTS_LIMIT: u32 = 20;
/// Status codes that count as up for every item.
const UP: std::ops::RangeInclusive<u16> = 200..=302;

/// The request of a check. Items with equal requests share one check.
#[derive(Clone, Eq, Hash, PartialEq)]
pub struct Check {
    url: String,
    headers: Vec<(String, String)>,
    allow_insecure: bool,
    accept_codes: Vec<(u16, u16)>,
    max_redirects: u32,
    /// Whether the host in the address may be in the private network.
    may_be_private: bool,
}

/// Prints nothing that may be secret: neither the path nor headers.
impl fmt::Debug for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Check").field("host", &self.host()).finish_non_exhaustive()
    }
}

impl Check {
    /// The check of an item. `page_host` is the host of the page that contains it, if that is not ours: such a page may
    /// check no private host but its own, and sends no headers of its own.
    pub fn new(target: &StatusTarget, page_host: Option<&str>) -> Self {
        let host = Url::parse(&target.url).ok().and_then(|url| url.host_str().map(plain_host));
        let is_own = page_host.is_none_or(|page_host| host.as_deref() == Some(&plain_host(page_host)));
        Self {
            url: target.url.clone(),
            headers: if page_host.is_none() { target.headers.clone() } else { Vec::new() },
            allow_insecure: target.allow_insecure,
            accept_codes: target.accept_codes.clone(),
            max_redirects: target.max_redirects.unwrap_or(MAX_REDIRECTS).min(REDIRECTS_LIMIT),
            may_be_private: is_own,
        }
    }

    /// Sends the request once.
    pub async fn run(&self, http_client: &HttpClient) -> Outcome {
        let request = HttpRequest {
            headers: self.headers.clone(),
            timeout: TIMEOUT,
            max_redirects: self.max_redirects,
            accept_invalid_certs: self.allow_insecure,
            private_reach: if self.may_be_private { PrivateReach::OwnHost } else { PrivateReach::Nowhere },
            ..HttpRequest::get(Purpose::Configured, &self.url)
        };
        let began = Instant::now();
        match http_client.send_headers_only(request).await {
            Ok(reply) => {
                let name = reply.final_url.domain().filter(|_| reply.final_url.scheme() == "https");
                Outcome::responded(self.is_up(reply.status), reply.status, reply.elapsed)
                    .with_server_name(name.map(str::to_owned))
            }
            // A service that redirects to a sign-in elsewhere in the private network does respond.
            Err(HttpClientError::Blocked { host, reason: BlockReason::NotNamed }) if !self.is_at(&host) => {
                Outcome::responded(true, StatusCode::FOUND, began.elapsed())
            }
            Err(error) => Outcome::failed(failure(&error)),
        }
    }

    fn host(&self) -> Option<String> {
        Url::parse(&self.url).ok()?.host_str().map(plain_host)
    }

    fn is_at(&self, host: &str) -> bool {
        self.host() == Some(plain_host(host))
    }

    fn is_up(&self, status: StatusCode) -> bool {
        let code = status.as_u16();
        UP.contains(&code) || self.accept_codes.iter().any(|(from, to)| (*from..=*to).contains(&code))
    }
}

/// Why there was no response, without naming the address.
fn failure(error: &HttpClientError) -> Failure {
    let (code, sentence) = match error {
        HttpClientError::Blocked { .. } => ("EBLOCKED", "this address may not be contacted"),
        HttpClientError::NameNotFound { .. } => ("ENOTFOUND", "name not found"),
        HttpClientError::Refused { .. } => ("ECONNREFUSED", "connection refused"),
        HttpClientError::Unreachable { .. }
        | HttpClientError::NoSocket { .. }
        | HttpClientError::SocketDenied { .. } => ("EHOSTUNREACH", "no connection"),
        HttpClientError::Tls { .. } => ("ETLS", "no encrypted connection that can be trusted"),
        HttpClientError::TimedOut { .. } => ("ETIMEDOUT", "no answer within 10 s"),
        HttpClientError::TooManyRedirects { .. } => ("EREDIRECTS", "too many redirects"),
        HttpClientError::BadAddress { .. } => ("EINVAL", "Missing or Malformed URL"),
        HttpClientError::BadHeader { .. } => ("EINVAL", "a header cannot be sent"),
        HttpClientError::TooLarge { .. } | HttpClientError::Protocol { .. } => ("EPROTO", "an invalid HTTP response"),
    };
    Failure { code, sentence }
}
