//! Which request checks whether the service behind an item responds (docs/spec/config.md 8).

use super::{Config, Item};
use crate::address::is_web;

/// The status check of one item, with the defaults of the config applied.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StatusTarget {
    /// The address to request, `http` or `https`.
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
}

impl Config {
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
        let url = own.and_then(|own| own.url.as_ref()).or(item.url.as_ref()).filter(|url| is_web(url))?;
        let interval = own.and_then(|own| own.interval).unwrap_or(self.app.status_check_interval);
        let own = own.cloned().unwrap_or_default();
        Some(StatusTarget {
            url: url.clone(),
            headers: own.headers,
            allow_insecure: own.allow_insecure,
            accept_codes: own.accept_codes,
            max_redirects: own.max_redirects,
            interval,
        })
    }
}

/// Parses codes separated by commas or spaces: `401`, `2xx`, `200-299`. Returns the inclusive ranges, and the parts
/// that are not codes. Stray quotes are stripped.
pub fn accept_codes(text: &str) -> (Vec<(u16, u16)>, Vec<String>) {
    let text = text.replace(['\'', '"'], "");
    let mut wrong = Vec::new();
    let parts = text.split([',', ' ', ';']).filter(|part| !part.is_empty());
    let codes = parts
        .filter_map(|part| {
            let code = accept_code(part);
            if code.is_none() {
                wrong.push(part.to_owned());
            }
            code
        })
        .collect();
    (codes, wrong)
}

fn accept_code(part: &str) -> Option<(u16, u16)> {
    let code = |text: &str| text.parse().ok().filter(|code| (100..=999).contains(code));
    if let Some(class) = part.strip_suffix("xx").or_else(|| part.strip_suffix("XX")) {
        let first = class.parse::<u16>().ok().filter(|class| (1..=9).contains(class))? * 100;
        return Some((first, first + 99));
    }
    match part.split_once('-') {
        Some((from, to)) => Some((code(from)?, code(to)?)),
        None => Some((code(part)?, code(part)?)),
    }
}
