//! The address of a service from labels of caddy-docker-proxy: `caddy: app.example`, or `caddy_0`, `caddy_1`, ….

use std::collections::BTreeMap;

use super::{is_host, is_path};

/// The first address that the labels define, and that a browser can open. Snippets, wildcards and templates give none.
pub fn address(labels: &BTreeMap<String, String>) -> Option<String> {
    let mut sites: Vec<(usize, &str, &str)> = labels
        .iter()
        .filter_map(|(name, value)| {
            let number = match name.strip_prefix("caddy")? {
                "" => 0,
                rest => rest.strip_prefix('_')?.parse::<usize>().ok()?.checked_add(1)?,
            };
            Some((number, name.as_str(), value.as_str()))
        })
        .collect();
    sites.sort_unstable();
    sites.into_iter().find_map(|(_, name, value)| {
        let site = value.split([',', ' ', '\n']).filter(|site| !site.is_empty()).find_map(site)?;
        Some(format!("{site}{}", path(labels, name).unwrap_or_default()))
    })
}

/// A site's address: Caddy serves a name with HTTPS, unless it says `http://` or port 80.
fn site(site: &str) -> Option<String> {
    let (scheme, rest) = match site.split_once("://") {
        Some((scheme @ ("http" | "https"), rest)) => (Some(scheme), rest),
        Some(_) => return None,
        None => (None, site),
    };
    let (host, port) = match rest.split_once(':') {
        Some((host, port)) => (host, Some(port.parse::<u16>().ok()?)),
        None => (rest, None),
    };
    if !is_host(host) {
        return None;
    }
    let scheme = scheme.unwrap_or(if port == Some(80) { "http" } else { "https" });
    let usual = if scheme == "http" { 80 } else { 443 };
    let port = port.filter(|port| *port != usual).map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{scheme}://{}{port}", host.to_ascii_lowercase()))
}

/// The path of the only `handle` or `handle_path` of the site, such as `/app/` for `caddy.handle_path: /app/*`.
fn path(labels: &BTreeMap<String, String>, site: &str) -> Option<String> {
    let is_handle = |name: &str| {
        let directive = name.strip_prefix(site).and_then(|rest| rest.strip_prefix('.'))?;
        // A number before the name gives the order, one after it tells several apart.
        let bare = directive.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start_matches('_');
        let bare = bare.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim_end_matches('_');
        matches!(bare, "handle" | "handle_path").then_some(())
    };
    let mut handles = labels.iter().filter(|(name, _)| is_handle(name).is_some()).map(|(_, value)| value.trim());
    let only = handles.next().filter(|_| handles.next().is_none())?;
    let path = only.trim_end_matches('*');
    (is_path(path) && path != "/").then(|| path.to_owned())
}
