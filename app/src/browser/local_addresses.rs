//! Items with a second address for the local network: the link switches to it once this browser has reached it.

use gloo_net::http::Request;
use leptos::{prelude::*, task::spawn_local};
use web_sys::{Event, RequestMode};

use super::{elements, listen};

/// The attribute that keeps the public address of a link, once the link has been probed.
const PUBLIC: &str = "data-public";

/// Probes all local addresses now, and again whenever the tab comes back to the front.
pub(super) fn follow() {
    probe_all();
    listen(&document(), "visibilitychange", false, move |_: Event| {
        if !document().hidden() {
            probe_all();
        }
    });
}

/// Probes all local addresses of the page's tiles.
pub(super) fn probe_all() {
    for tile in elements("#content a[data-local]") {
        let Some(local) = tile.get_attribute("data-local") else { continue };
        spawn_local(async move {
            let is_reached = is_reached(&local).await;
            // The page may have changed in the meantime, so read the tile again.
            if tile.get_attribute("data-local").as_ref() != Some(&local) {
                return;
            }
            let Some(public) = tile.get_attribute(PUBLIC).or_else(|| tile.get_attribute("href")) else { return };
            _ = tile.set_attribute(PUBLIC, &public);
            _ = tile.set_attribute("href", if is_reached { &local } else { &public });
        });
    }
}

/// Whether this browser reaches an address. The response is opaque, but its arrival is enough.
async fn is_reached(local: &str) -> bool {
    Request::get(local).mode(RequestMode::NoCors).send().await.is_ok()
}
