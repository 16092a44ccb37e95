//! One status check: the request, and what its response means (docs/spec/behavior.md 11.2).

use std::{
    fmt,
    sync::Once,
    time::{Duration, Instant},
};

use config::model::{CheckTarget, PingTarget, StatusTarget};
use http::StatusCode;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use url::{Position, Url};

use super::{
    containers::Containers,
    outcome::{Failure, Outcome},
};
use crate::http_client::{
    BlockReason, DirectTarget, HttpClient, HttpClientError, HttpRequest, PingError, PrivateReach, Purpose, plain_host,
};

/// How long a service may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How many redirects are followed by default.
const MAX_REDIRECTS: u32 = 5;
/// The most that an item can set.
const REDIRECTS_LIMIT: u32 = 20;
/// Seconds in a day.
const SECONDS_PER_DAY: i64 = 86_400;
/// Why nothing is sent.
const BLOCKED: Failure = Failure { code: "EBLOCKED", sentence: "this address may not be contacted" };
/// Status codes that count as up for every item.
const UP: std::ops::RangeInclusive<u16> = 200..=302;

/// The request of a check. Items with equal requests share one check.
#[derive(Clone, Eq, Hash, PartialEq)]
pub struct Check {
    kind: CheckKind,
    /// Whether the host that it names may be in the private network.
    may_be_private: bool,
}

/// What a check does.
#[derive(Clone, Eq, Hash, PartialEq)]
enum CheckKind {
    /// A request over HTTP, or, to a `tcp` address, a connection.
    Request {
        url: String,
        headers: Vec<(String, String)>,
        allow_insecure: bool,
        accept_codes: Vec<(u16, u16)>,
        max_redirects: u32,
        /// From how many days before its end a certificate is a warning; 0 for never.
        certificate_days: u32,
    },
    /// A ping.
    Ping { host: String, count: u16, timeout: Duration },
    /// A look at what the container engines say.
    Container { name: String },
}

/// Prints nothing that may be secret: neither the path nor headers.
impl fmt::Debug for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Check").field("host", &self.host()).finish_non_exhaustive()
    }
}

impl Check {
    /// One of the checks of an item. `page_host` is the host of the page that contains it, if that is not ours: such a
    /// page may check no private host but its own, and sends no headers of its own.
    pub fn of(target: &CheckTarget, page_host: Option<&str>) -> Self {
        match target {
            CheckTarget::Status(target) => Self::new(target, page_host),
            CheckTarget::Ping(target) => Self::ping(target, page_host),
            // A page from elsewhere learns nothing about the containers here.
            CheckTarget::Container(name) => {
                Self { kind: CheckKind::Container { name: name.clone() }, may_be_private: page_host.is_none() }
            }
        }
    }

    /// The name of the container whose state it is, as an item of our own pages gives it.
    pub fn container(&self) -> Option<&str> {
        match &self.kind {
            CheckKind::Container { name } if self.may_be_private => Some(name),
            _ => None,
        }
    }

    /// The request to the service of an item.
    pub fn new(target: &StatusTarget, page_host: Option<&str>) -> Self {
        let kind = CheckKind::Request {
            url: target.url.clone(),
            headers: if page_host.is_none() { target.headers.clone() } else { Vec::new() },
            allow_insecure: target.allow_insecure,
            accept_codes: target.accept_codes.clone(),
            max_redirects: target.max_redirects.unwrap_or(MAX_REDIRECTS).min(REDIRECTS_LIMIT),
            certificate_days: target.certificate_days,
        };
        Self { kind, may_be_private: false }.for_page_of(page_host)
    }

    /// The ping of the host of an item.
    pub fn ping(target: &PingTarget, page_host: Option<&str>) -> Self {
        let kind = CheckKind::Ping {
            host: plain_host(target.host.trim_matches(['[', ']'])),
            count: u16::try_from(target.count).unwrap_or(u16::MAX),
            timeout: Duration::from_secs(target.timeout.into()),
        };
        Self { kind, may_be_private: false }.for_page_of(page_host)
    }

    fn for_page_of(self, page_host: Option<&str>) -> Self {
        let is_own = |page_host| self.host().as_deref() == Some(&plain_host(page_host));
        let may_be_private = page_host.is_none_or(is_own);
        Self { may_be_private, ..self }
    }

    /// Identifies what is checked, also after a restart, without revealing it.
    pub fn fingerprint(&self) -> String {
        let subject = match &self.kind {
            CheckKind::Request { url, .. } => format!("request\0{url}"),
            CheckKind::Ping { host, .. } => format!("ping\0{host}"),
            CheckKind::Container { name } => format!("container\0{name}"),
        };
        hex::encode(&Sha256::digest(subject)[..16])
    }

    /// The state of the container, if it checks one and its state is known.
    pub(super) fn look(&self, containers: &Containers) -> Option<Outcome> {
        match &self.kind {
            CheckKind::Container { name } if self.may_be_private => containers.outcome(name),
            CheckKind::Container { .. } => Some(Outcome::failed(BLOCKED)),
            CheckKind::Request { .. } | CheckKind::Ping { .. } => None,
        }
    }

    /// Whether it sends something.
    pub(super) fn is_request(&self) -> bool {
        !matches!(self.kind, CheckKind::Container { .. })
    }

    /// Runs the check once.
    pub(super) async fn run(&self, http_client: &HttpClient, containers: &Containers) -> Outcome {
        match &self.kind {
            CheckKind::Container { name } if self.may_be_private => containers.known_outcome(name).await,
            CheckKind::Container { .. } => Outcome::failed(BLOCKED),
            CheckKind::Ping { host, count, timeout } => self.send_ping(http_client, host, *count, *timeout).await,
            CheckKind::Request { url, .. } => match Url::parse(url).ok().filter(|url| url.scheme() == "tcp") {
                Some(url) => self.connect(http_client, &url).await,
                None => self.request(http_client).await,
            },
        }
    }

    async fn connect(&self, http_client: &HttpClient, url: &Url) -> Outcome {
        let (Some(host), Some(port)) = (url.host_str(), url.port()) else {
            return Outcome::failed(Failure { code: "EINVAL", sentence: "Missing or Malformed URL" });
        };
        match http_client.knock(self.direct(host), port, TIMEOUT).await {
            Ok(took) => Outcome::connected(took),
            Err(error) => Outcome::failed(failure(&error)),
        }
    }

    async fn send_ping(&self, http_client: &HttpClient, host: &str, count: u16, timeout: Duration) -> Outcome {
        match http_client.ping(self.direct(host), count, timeout).await {
            Ok(echoes) => Outcome::echoes(echoes.received, echoes.sent, echoes.mean),
            Err(PingError::Failed(error)) => Outcome::failed(failure(&error)),
            Err(PingError::NotPermitted) => {
                static TOLD: Once = Once::new();
                TOLD.call_once(|| {
                    tracing::warn!(
                        "the system lets this program send no pings. On Linux, set the group of its user in \
                         `net.ipv4.ping_group_range`, for example: sysctl -w net.ipv4.ping_group_range=\"0 2147483647\" \
                         (for a container: --sysctl)"
                    );
                });
                Outcome::failed(Failure { code: "EPERM", sentence: "the system allows no pings, see the server's log" })
            }
        }
    }

    fn direct(&self, host: &str) -> DirectTarget {
        DirectTarget { host: host.to_owned(), may_be_private: self.may_be_private }
    }

    async fn request(&self, http_client: &HttpClient) -> Outcome {
        let CheckKind::Request { url, headers, allow_insecure, max_redirects, certificate_days, .. } = &self.kind
        else {
            return Outcome::broken();
        };
        let request = HttpRequest {
            headers: headers.clone(),
            timeout: TIMEOUT,
            max_redirects: *max_redirects,
            accept_invalid_certs: *allow_insecure,
            private_reach: if self.may_be_private { PrivateReach::OwnHost } else { PrivateReach::Nowhere },
            ..HttpRequest::get(Purpose::Configured, url)
        };
        let began = Instant::now();
        match http_client.send_headers_only(request).await {
            Ok(reply) => {
                let name = reply.final_url.domain().filter(|_| reply.final_url.scheme() == "https");
                Outcome::responded(self.is_up(reply.status), reply.status, reply.elapsed)
                    .with_server_name(name.map(str::to_owned))
                    .with_certificate_days(days_left(reply.certificate_end, *certificate_days))
            }
            // A service that redirects to a sign-in elsewhere in the private network does respond.
            Err(HttpClientError::Blocked { host, reason: BlockReason::NotNamed }) if !self.is_at(&host) => {
                Outcome::responded(true, StatusCode::FOUND, began.elapsed())
            }
            Err(error @ HttpClientError::Protocol { .. }) => match self.status_of_stream(http_client, url).await {
                Some((status, took)) => Outcome::responded(self.is_up(status), status, took),
                None => Outcome::failed(failure(&error)),
            },
            Err(error) => Outcome::failed(failure(&error)),
        }
    }

    /// The status of a server that speaks nearly HTTP: streams of radios begin with `ICY 200 OK`, which browsers play.
    async fn status_of_stream(&self, http_client: &HttpClient, url: &str) -> Option<(StatusCode, Duration)> {
        let url = Url::parse(url).ok().filter(|url| url.scheme() == "http")?;
        let (host, port) = (url.host_str()?, url.port_or_known_default()?);
        let target = &url[Position::BeforePath..Position::AfterQuery];
        let request = format!(
            "GET {target} HTTP/1.0\r\nHost: {}\r\nAccept: */*\r\n\r\n",
            &url[Position::BeforeHost..Position::AfterPort],
        );
        let began = Instant::now();
        let line = http_client.first_line(self.direct(host), port, request, TIMEOUT).await.ok()?;
        let status = line.strip_prefix("ICY ")?.split(' ').next()?.parse().ok()?;
        Some((StatusCode::from_u16(status).ok()?, began.elapsed()))
    }

    fn host(&self) -> Option<String> {
        match &self.kind {
            CheckKind::Request { url, .. } => Url::parse(url).ok()?.host_str().map(plain_host),
            CheckKind::Ping { host, .. } => Some(host.clone()),
            CheckKind::Container { .. } => None,
        }
    }

    fn is_at(&self, host: &str) -> bool {
        self.host() == Some(plain_host(host))
    }

    fn is_up(&self, status: StatusCode) -> bool {
        let code = status.as_u16();
        let CheckKind::Request { accept_codes, .. } = &self.kind else { return false };
        UP.contains(&code) || accept_codes.iter().any(|(from, to)| (*from..=*to).contains(&code))
    }
}

/// Whole days until a certificate ends; negative if it has ended. `None` if there are more than `warned` left, or none
/// are to be counted.
fn days_left(end: Option<Timestamp>, warned: u32) -> Option<i64> {
    let left = end?.duration_since(Timestamp::now()).as_secs().div_euclid(SECONDS_PER_DAY);
    (warned > 0 && left < i64::from(warned)).then_some(left)
}

/// Why there was no response, without naming the address.
fn failure(error: &HttpClientError) -> Failure {
    let (code, sentence) = match error {
        HttpClientError::Blocked { .. } => return BLOCKED,
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
