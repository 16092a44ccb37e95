//! Items with a second address for the local network: the link switches to it once this browser has reached it.

use std::time::Duration;

use gloo_net::http::Request;
use leptos::{prelude::*, task::spawn_local};
use web_sys::{AbortSignal, Event, HtmlElement, RequestMode};

use super::{elements, listen};

/// The attribute that keeps the public address of a link, once the link has been probed.
const PUBLIC: &str = "data-public";

/// The attribute that counts the probes of a link. It tells whether a newer one has begun.
const PROBES: &str = "data-probes";

/// How long a probe takes at most if the item does not say so, in milliseconds.
const TIMEOUT: u32 = 1_500;

/// Probes all local addresses now, and again whenever the tab comes back to the front.
pub(super) fn install() {
    probe_all();
    listen(&document(), "visibilitychange", false, move |_: Event| {
        if !document().hidden() {
            probe_all();
        }
    });
}

/// Probes all local addresses of the page's tiles.
pub(super) fn probe_all() {
    elements("#content a[data-local]").into_iter().for_each(probe);
}

/// Probes the local address of a tile, and again after its interval. A newer probe of the same tile replaces this one.
fn probe(tile: HtmlElement) {
    let Some(local) = tile.get_attribute("data-local") else { return };
    let number = |name: &str| tile.get_attribute(name).and_then(|text| text.parse::<u32>().ok());
    let timeout = number("data-local-timeout");
    let interval = number("data-local-interval");
    let count = number(PROBES).unwrap_or_default().wrapping_add(1).to_string();
    _ = tile.set_attribute(PROBES, &count);
    spawn_local(async move {
        let is_reached = is_reached(&local, timeout).await;
        // The page may have changed in the meantime, so read the tile again.
        let is_current = move |tile: &HtmlElement, local: &str, count: &str| {
            tile.is_connected()
                && tile.get_attribute("data-local").as_deref() == Some(local)
                && tile.get_attribute(PROBES).as_deref() == Some(count)
        };
        if !is_current(&tile, &local, &count) {
            return;
        }
        let Some(public) = tile.get_attribute(PUBLIC).or_else(|| tile.get_attribute("href")) else { return };
        _ = tile.set_attribute(PUBLIC, &public);
        _ = tile.set_attribute("href", if is_reached { &local } else { &public });
        let Some(interval) = interval else { return };
        let again = move || {
            if !document().hidden() && is_current(&tile, &local, &count) {
                probe(tile);
            }
        };
        set_timeout(again, Duration::from_secs(interval.into()));
    });
}

/// Whether this browser reaches an address within a time in milliseconds. The response is opaque, but its arrival is enough.
pub(super) async fn is_reached(local: &str, timeout: Option<u32>) -> bool {
    let signal = AbortSignal::timeout_with_u32(timeout.unwrap_or(TIMEOUT));
    Request::get(local).mode(RequestMode::NoCors).abort_signal(Some(&signal)).send().await.is_ok()
}
