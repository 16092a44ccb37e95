//! The parts of a page that change while it is open.

use config::dashboard::{Layout, TileSize};
use leptos::prelude::*;

use super::PageSettings;
use crate::{backend::ElsewhereItem, search::Found};

/// A page in the pop-up.
#[derive(Clone, Debug, PartialEq)]
pub struct PopUp {
    /// Title of the item.
    pub title: String,
    /// Address of the frame.
    pub url: String,
}

/// A toast that stays for as long as its reason does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LastingToast {
    /// The server of the dashboard does not respond.
    Unreachable,
    /// A message of the server about the whole page.
    Message(String),
}

/// The signals of one page. Their first values come only from its [`PageSettings`], so that the first render is the
/// same on both sides; stored choices are applied after hydration.
#[derive(Clone, Copy, Debug)]
pub struct PageState {
    /// Text in the search box.
    pub query: RwSignal<String>,
    /// Whether the key `/` led to the empty search box. It is not typed, unless it makes a bang of the first word.
    pub by_slash: StoredValue<bool>,
    /// How often the sections have changed since the page was loaded.
    pub changes: RwSignal<u32>,
    /// The results on the page; `None` while there is no text.
    pub found: RwSignal<Option<Found>>,
    /// The items of other pages that match the text.
    pub found_elsewhere: RwSignal<Vec<ElsewhereItem>>,
    /// Placement of sections.
    pub layout: RwSignal<Layout>,
    /// Size of tiles.
    pub size: RwSignal<TileSize>,
    /// A short message at the bottom of the page.
    pub toast: RwSignal<Option<String>>,
    /// A message that stays at the bottom of the page.
    pub lasting_toast: RwSignal<Option<LastingToast>>,
    /// The page in the pop-up.
    pub frame: RwSignal<Option<PopUp>>,
    /// Whether the list of keys is open.
    pub keys_shown: RwSignal<bool>,
}

impl PageState {
    /// The state of a page that has just been rendered.
    pub fn new(settings: &PageSettings) -> Self {
        Self {
            query: RwSignal::new(String::new()),
            by_slash: StoredValue::new(false),
            changes: RwSignal::new(0),
            found: RwSignal::new(None),
            found_elsewhere: RwSignal::new(Vec::new()),
            layout: RwSignal::new(settings.look.layout),
            size: RwSignal::new(settings.look.icon_size),
            toast: RwSignal::new(None),
            lasting_toast: RwSignal::new(None),
            frame: RwSignal::new(None),
            keys_shown: RwSignal::new(false),
        }
    }

    /// Empties the search box.
    pub fn clear_query(&self) {
        self.by_slash.set_value(false);
        self.query.set(String::new());
    }
}
