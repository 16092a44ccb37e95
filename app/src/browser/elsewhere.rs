//! Fetches the items of the other pages when the first search begins.

use leptos::{prelude::*, task::spawn_local};

use crate::{
    backend::items_elsewhere,
    page::{PageSettings, PageState},
};

/// Asks the server once; a failure only means that other pages are not searched.
pub(super) fn follow(state: PageState, settings: &PageSettings) {
    if !settings.other_pages {
        return;
    }
    let slug = settings.slug.clone();
    Effect::new(move |asked: Option<bool>| {
        if asked == Some(true) || state.query.with(|query| query.trim().is_empty()) {
            return asked.unwrap_or_default();
        }
        let slug = slug.clone();
        spawn_local(async move {
            match items_elsewhere(slug).await {
                Ok(items) => state.elsewhere.set(Some(items)),
                Err(error) => leptos::logging::warn!("the other pages cannot be searched: {error}"),
            }
        });
        true
    });
}
