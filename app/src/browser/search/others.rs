//! The search in the items of other pages.

use std::cell::RefCell;

use config::{
    json::FromJson as _,
    search::{self, Entry, Query, Texts},
};
use gloo_net::http::Request;
use leptos::{prelude::*, task::spawn_local};
use web_sys::Event;

use crate::{
    backend::ElsewhereItem,
    browser::{JsJson, function, listen, local_addresses},
    page::PageSettings,
    search::web::encoded,
};

thread_local! {
    /// The search on the other pages.
    pub(super) static OTHERS: RefCell<Others> = RefCell::default();
}

/// The items of other pages; none until they have been fetched.
#[derive(Default)]
pub(super) struct Others {
    items: Vec<Other>,
    entries: Vec<Entry>,
    /// Whether they have been requested.
    is_requested: bool,
    /// Whether they may still arrive.
    pub is_pending: bool,
}

struct Other {
    item: ElsewhereItem,
    /// Whether this browser reaches its local address.
    is_local: bool,
}

impl Others {
    /// The items that match a text.
    pub(super) fn find(&self, text: &str, page_has_hits: bool) -> Vec<ElsewhereItem> {
        let page_of = |position: usize| self.items[position].item.page.as_str();
        let found = search::elsewhere(&self.entries, &Query::of(text), page_has_hits, page_of);
        let item = |position: usize| {
            let Other { item, is_local } = &self.items[position];
            let url = if *is_local { &item.local_url } else { &item.url };
            ElsewhereItem { url: url.clone(), ..item.clone() }
        };
        found.into_iter().map(item).collect()
    }
}

/// Requests the items at the first call. If that fails, they are not searched. Calls `changed` whenever the results may have
/// changed.
pub(super) fn request(settings: &PageSettings, changed: impl Fn() + Copy + 'static) {
    let is_first = OTHERS.with_borrow_mut(|others| !std::mem::replace(&mut others.is_requested, true));
    if !is_first || !settings.other_pages {
        return;
    }
    OTHERS.with_borrow_mut(|others| others.is_pending = true);
    let address = if settings.is_static {
        [&settings.base, "/search/", &encoded(&settings.slug), ".json"].concat()
    } else {
        [&function::address(&settings.base, "items-elsewhere"), "?slug=", &encoded(&settings.slug)].concat()
    };
    spawn_local(async move {
        let items = match function::send(Request::get(&address), None).await {
            Some((200, items)) => Vec::<ElsewhereItem>::from_json(&JsJson(items)).unwrap_or_default(),
            Some(_) => Vec::new(),
            None => {
                leptos::logging::warn!("the other pages cannot be searched");
                Vec::new()
            }
        };
        let entry = |(position, item): (usize, &ElsewhereItem)| {
            let texts = Texts { title: &item.title, url: Some(&item.url), others: &[&item.words], opened: 0 };
            Entry::new(position, None, texts)
        };
        let entries = items.iter().enumerate().map(entry).collect();
        let items = items.into_iter().map(|item| Other { item, is_local: false }).collect();
        OTHERS.set(Others { items, entries, is_requested: true, is_pending: false });
        changed();
        probe(changed);
        listen(&document(), "visibilitychange", false, move |_: Event| {
            if !document().hidden() {
                probe(changed);
            }
        });
    });
}

/// Items open at their local address if this browser reaches it.
fn probe(changed: impl Fn() + Copy + 'static) {
    let local = |(position, Other { item, .. }): (usize, &Other)| {
        (!item.local_url.is_empty()).then(|| (position, item.local_url.clone(), item.local_timeout))
    };
    let all: Vec<_> = OTHERS.with_borrow(|others| others.items.iter().enumerate().filter_map(local).collect());
    for (position, address, timeout) in all {
        spawn_local(async move {
            let is_local = local_addresses::is_reached(&address, timeout).await;
            OTHERS.with_borrow_mut(|others| others.items[position].is_local = is_local);
            changed();
        });
    }
}
