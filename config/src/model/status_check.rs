//! Which requests check whether the service behind an item responds (docs/spec/config.md 8).

use super::{Config, Item};
use crate::address::{host, is_web};

/// How many packets a ping sends if the config does not say.
const USUAL_COUNT: u32 = 3;
/// How long it waits for the reply to each, in seconds.
const USUAL_TIMEOUT: u32 = 2;

/// One check of an item.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CheckTarget {
    /// A request to its service.
    Status(StatusTarget),
    /// A ping of its host.
    Ping(PingTarget),
    /// The state of its container, by the name of the container, after that of its source and a slash if the source is named.
    Container(String),
}

/// Seconds between two looks at the state of a container. Changes are noticed at once; this only counts how long it is up.
const CONTAINER_INTERVAL: u32 = 60;

impl CheckTarget {
    /// Seconds between two checks; 0 means once per page load.
    pub fn interval(&self) -> u32 {
        match self {
            Self::Status(target) => target.interval,
            Self::Ping(target) => target.interval,
            Self::Container(_) => CONTAINER_INTERVAL,
        }
    }
}

/// The ping of one item, with the defaults of the config applied.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PingTarget {
    /// A name or an address.
    pub host: String,
    /// How many packets are sent.
    pub count: u32,
    /// Seconds to wait for the reply to each.
    pub timeout: u32,
    /// Seconds between two pings; 0 means once per page load.
    pub interval: u32,
}

impl PingTarget {
    /// A ping of a host; 0 means the usual number of packets and the usual time.
    pub fn new(host: &str, count: u32, timeout: u32, interval: u32) -> Self {
        let or_usual = |value: u32, usual| if value == 0 { usual } else { value };
        Self {
            host: host.to_owned(),
            count: or_usual(count, USUAL_COUNT).min(5),
            timeout: or_usual(timeout, USUAL_TIMEOUT).min(10),
            interval,
        }
    }
}

/// The status check of one item, with the defaults of the config applied.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StatusTarget {
    /// The address to request, `http`, `https` or `tcp`.
    pub url: String,
    /// Additional headers of the request.
    pub headers: Vec<(String, String)>,
    /// Whether any TLS certificate is accepted.
    pub allow_insecure: bool,
    /// HTTP codes that count as up besides the usual ones, as inclusive ranges.
    pub accept_codes: Vec<(u16, u16)>,
    /// Maximum number of redirects to follow; `None` means the usual number.
    pub max_redirects: Option<u32>,
    /// Seconds between two checks; 0 means once per page load.
    pub interval: u32,
    /// From how many days before its end a TLS certificate is a warning; 0 means never.
    pub certificate_days: u32,
}

impl Config {
    /// The checks whose results an item shows, in the order of their dots: the request to its service or the state of its
    /// container, then the ping.
    pub fn checks(&self, item: &Item) -> impl Iterator<Item = CheckTarget> + use<> {
        let first = match self.container(item) {
            Some(name) => Some(CheckTarget::Container(name.to_owned())),
            None => self.status_target(item).map(CheckTarget::Status),
        };
        let is_removed = item.found.as_ref().is_some_and(|found| found.is_removed);
        let all = first.into_iter().chain(self.ping_target(item).map(CheckTarget::Ping));
        all.filter(move |_| !is_removed)
    }

    /// The container whose state an item shows; `None` for a group, and if its own `statusCheck` is on.
    fn container<'a>(&self, item: &'a Item) -> Option<&'a str> {
        let is_checked = item.status.as_deref().and_then(|own| own.enabled) == Some(true);
        let name = item.container.as_deref().map(str::trim).filter(|name| !name.is_empty())?;
        (item.sub_items.is_empty() && !is_checked).then_some(name)
    }

    /// The ping of an item; `None` if pings are off, it is a group, or no host is known.
    pub fn ping_target(&self, item: &Item) -> Option<PingTarget> {
        let own = item.ping.as_deref().and_then(|own| own.enabled);
        if own.unwrap_or(self.app.ping_check_enabled) { self.ping_request(item) } else { None }
    }

    /// The ping that would check an item, whether or not pings are on.
    pub fn ping_request(&self, item: &Item) -> Option<PingTarget> {
        if !item.sub_items.is_empty() {
            return None;
        }
        let own = item.ping.as_deref();
        let written = own.and_then(|own| own.host.as_deref()).map(str::trim).filter(|host| !host.is_empty());
        // People write the address of the service.
        let host = match written {
            Some(written) if written.contains("://") => host(written)?,
            Some(written) => written,
            None => item.url.as_deref().and_then(host)?,
        };
        let app = &self.app;
        Some(PingTarget::new(
            host,
            own.and_then(|own| own.count).unwrap_or(app.ping_check_count),
            own.and_then(|own| own.timeout).unwrap_or(app.ping_check_timeout),
            own.and_then(|own| own.interval).unwrap_or(app.ping_check_interval),
        ))
    }

    /// The status check of an item; `None` for an item without a dot: checks are off, it is a group, or its address is
    /// not an HTTP address.
    pub fn status_target(&self, item: &Item) -> Option<StatusTarget> {
        let own = item.status.as_deref().and_then(|own| own.enabled);
        if own.unwrap_or(self.app.status_check) { self.status_request(item) } else { None }
    }

    /// The request that would check an item, whether or not checks are on.
    pub fn status_request(&self, item: &Item) -> Option<StatusTarget> {
        if !item.sub_items.is_empty() {
            return None;
        }
        let own = item.status.as_deref();
        let url =
            own.and_then(|own| own.url.as_ref()).or(item.url.as_ref()).filter(|url| is_web(url) || is_tcp(url))?;
        let interval = own.and_then(|own| own.interval).unwrap_or(self.app.status_check_interval);
        let certificate_days =
            own.and_then(|own| own.certificate_days).unwrap_or(self.app.status_check_certificate_days);
        let own = own.cloned().unwrap_or_default();
        Some(StatusTarget {
            url: url.clone(),
            headers: own.headers,
            allow_insecure: own.allow_insecure,
            accept_codes: own.accept_codes,
            max_redirects: own.max_redirects,
            interval,
            certificate_days,
        })
    }
}

/// Whether an address names a TCP port.
fn is_tcp(address: &str) -> bool {
    address.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("tcp://"))
}
