//! What changes on a page while it is looked at.

use std::sync::{Arc, Mutex, PoisonError};

use config::dashboard::{Layout, TileSize};
use leptos::prelude::*;

use super::PageSettings;
use crate::{
    backend::ElsewhereItem,
    search::matching::{Hits, Index},
};

/// A page in the pop-up.
#[derive(Clone, Debug, PartialEq)]
pub struct PopUp {
    /// Title of the item.
    pub title: String,
    /// Address of the frame.
    pub url: String,
}

/// What the person has to know as long as it lasts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageNotice {
    /// The server of the dashboard does not answer.
    Unreachable,
    /// What the server says about the page as a whole.
    Told(String),
}

/// The signals of one page. Their first values come from its [`PageSettings`] alone, so that the first render is the
/// same on both sides; what the browser remembers is applied after hydration.
#[derive(Clone, Copy, Debug)]
pub struct PageState {
    /// Text in the search box.
    pub query: RwSignal<String>,
    /// How often the sections have changed since the page was loaded.
    pub changes: RwSignal<u32>,
    /// Items that match the text; none while there is no text.
    pub found: Memo<Option<Arc<Hits>>>,
    /// Items of the other pages, once a search has asked for them.
    pub elsewhere: RwSignal<Option<Vec<ElsewhereItem>>>,
    /// Placement of sections.
    pub layout: RwSignal<Layout>,
    /// Size of tiles.
    pub size: RwSignal<TileSize>,
    /// A short message at the bottom of the page.
    pub toast: RwSignal<Option<String>>,
    /// Stays at the bottom of the page.
    pub notice: RwSignal<Option<PageNotice>>,
    /// The page in the pop-up.
    pub frame: RwSignal<Option<PopUp>>,
    /// Whether the list of keys is open.
    pub keys_shown: RwSignal<bool>,
}

impl PageState {
    /// The state of a page that has just been rendered. `index` gives the searchable texts when the first search
    /// begins, and again when the sections have changed.
    pub fn new(settings: &PageSettings, index: impl Fn() -> Index + Send + Sync + 'static) -> Self {
        let query = RwSignal::new(String::new());
        let changes = RwSignal::new(0);
        let known = Mutex::new((0, None));
        let found = Memo::new(move |_| {
            let change = changes.get();
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            if known.0 != change {
                *known = (change, None);
            }
            query
                .with(|text| (!text.trim().is_empty()).then(|| Arc::new(known.1.get_or_insert_with(&index).find(text))))
        });
        Self {
            query,
            changes,
            found,
            elsewhere: RwSignal::new(None),
            layout: RwSignal::new(settings.look.layout),
            size: RwSignal::new(settings.look.icon_size),
            toast: RwSignal::new(None),
            notice: RwSignal::new(None),
            frame: RwSignal::new(None),
            keys_shown: RwSignal::new(false),
        }
    }
}
