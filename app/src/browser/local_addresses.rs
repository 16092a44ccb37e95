//! Items with a second address for the local network: the link switches to it once this browser has reached it.

use gloo_net::http::Request;
use leptos::{prelude::*, task::spawn_local};
use web_sys::{Event, HtmlElement, RequestMode};

use super::{elements, listen};

/// Probes all local addresses now, and again whenever the tab comes back to the front.
pub(super) fn probe_all() {
    let tiles = elements("a[data-local]");
    if tiles.is_empty() {
        return;
    }
    let addresses: Vec<(HtmlElement, String, String)> = tiles
        .into_iter()
        .filter_map(|tile| {
            let local = tile.get_attribute("data-local")?;
            let public = tile.get_attribute("href")?;
            Some((tile, local, public))
        })
        .collect();
    probe(&addresses);
    listen(&document(), "visibilitychange", false, move |_: Event| {
        if !document().hidden() {
            probe(&addresses);
        }
    });
}

fn probe(addresses: &[(HtmlElement, String, String)]) {
    for (tile, local, public) in addresses {
        let (tile, local, public) = (tile.clone(), local.clone(), public.clone());
        spawn_local(async move {
            // The answer is opaque and not read: that it came is all there is to know.
            let reached = Request::get(&local).mode(RequestMode::NoCors).send().await.is_ok();
            _ = tile.set_attribute("href", if reached { &local } else { &public });
        });
    }
}
