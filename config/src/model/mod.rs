//! The typed reading of a document, with its defaults (docs/spec/config.md 2 to 9 and 14).
//!
//! Reading is lenient: a wrong value falls back to the default and becomes a [`Problem`]. These structs are never
//! written back; changes are made to the [`Document`]. Each struct here is the one declaration of a block of the file:
//! see [`block`] for how to add a field.

mod accept_codes;
pub mod alerts;
pub mod app_config;
pub mod auth;
pub(crate) mod block;
mod config;
pub(crate) mod cursor;
pub mod discovery;
pub mod display_data;
pub mod figures;
pub mod item;
pub(crate) mod membership;
pub mod page;
pub mod page_info;
pub mod section;
pub(crate) mod shape;
pub mod status_check;
pub mod style;
mod user;
pub mod web_search;
pub mod widget;
pub(crate) mod words;

use std::collections::HashSet;

use serde_json::{Map, Value};

use self::cursor::{Cursor, Problems};
pub(crate) use self::cursor::{brief, kind_of};
pub use self::{
    accept_codes::accept_codes,
    alerts::{AlertKind, AlertTarget, QuietHours},
    app_config::{AppConfig, Permissions},
    auth::{Auth, SignIn},
    config::{Config, MAIN_FILE},
    discovery::{AddMode, ClusterAccess, DiscoveryRule, DiscoverySource, DiscoveryTls, EngineAddress, LabelFamily},
    display_data::DisplayData,
    item::{FoundItem, Item},
    page::{Page, PageSource},
    page_info::PageInfo,
    section::Section,
    status_check::{CheckTarget, PingTarget, StatusTarget},
    widget::WidgetEntry,
};
use crate::{
    document::{Document, EditError},
    effect::Effect,
    problem::{Problem, ProblemKind, Severity, push_step},
    slug::page_slug,
    viewer::{Viewer, Visibility},
};
use block::Block;

impl Config {
    /// Reads the root config.
    ///
    /// # Errors
    /// [`EditError::NotAMapping`]; nothing else is fatal (docs/spec/config.md 1.2).
    pub fn read(root: &Document) -> Result<Self, EditError> {
        root.mapping()?;
        Ok(Self::read_value(root.value(), root.value()))
    }

    /// Reads the config of a page. Its `pageInfo` and `appConfig` override the root's key by key, its sections replace
    /// the root's; `pages` and `auth` are the root's (docs/spec/config.md 1.4). Keys that are null inherit. The
    /// problems are those of the page's file, and of what it inherits.
    ///
    /// # Errors
    /// [`EditError::NotAMapping`] if one of the two documents is not a mapping.
    pub fn read_page(root: &Document, page: &Document) -> Result<Self, EditError> {
        let (root_mapping, page_mapping) = (root.mapping()?, page.mapping()?);
        let mut merged = Map::new();
        let mut dropped = Vec::new();
        for key in ["pageInfo", "appConfig"] {
            let own = page_mapping.get(key).filter(|own| !own.is_object() && !own.is_null());
            dropped.extend(own.map(|own| Problem {
                path: format!("/{key}"),
                kind: ProblemKind::WrongType,
                message: format!("must be a mapping, not {}", kind_of(own)),
                effect: Some(Effect::Ignored),
                severity: Severity::Warning,
            }));
            let [below, above] = [root_mapping, page_mapping].map(|layer| layer.get(key).and_then(Value::as_object));
            merged.insert(key.to_owned(), Value::Object(overlaid(below, above)));
        }
        let sections = page_mapping.get("sections").cloned().unwrap_or_default();
        merged.insert("sections".to_owned(), sections);
        let mut config = Self::read_value(&Value::Object(merged), root.value());
        config.problems.extend(dropped);
        config.problems.extend(without_effect(page_mapping, Some(root_mapping)));
        Ok(config)
    }

    /// Reads `own` for what is shown, and `root` for sign-in and pages.
    fn read_value(own: &Value, root: &Value) -> Self {
        let problems = Problems::default();
        let outer = Problems::default();
        let is_root = std::ptr::eq(own, root);
        let cursor = Cursor::new(own, "", &problems);
        // A page is not responsible for problems in the root's part.
        let root = Cursor::new(root, "", if is_root { &problems } else { &outer });
        let mut config = <Self as Block>::read(&cursor);
        config.app.auth = Auth::of_root(&root);
        config.pages = read_pages(&root.key("pages"));
        config.problems = problems.into_list();
        config.of_main_file(MAIN_FILE)
    }

    /// The same config where the root config is in a file of another name than [`MAIN_FILE`].
    #[must_use]
    pub fn of_main_file(mut self, name: &str) -> Self {
        for page in &mut self.pages {
            page.is_main = matches!(&page.source, PageSource::File(file) if file == name);
        }
        name.clone_into(&mut self.main_file);
        self
    }

    /// The addresses that items open, in the form of [`comparable_address`].
    pub fn opened_addresses(&self) -> HashSet<String> {
        let items = self.sections.iter().flat_map(|section| &section.items);
        let urls = items.flat_map(|item| {
            item.url.iter().chain(&item.local_url).chain(item.sub_items.iter().filter_map(|entry| entry.url.as_ref()))
        });
        urls.map(|url| comparable_address(url).to_owned()).collect()
    }

    /// Adds items that are not in a file: to the section of the same name after its own items, or in a new section at the end.
    /// Without those whose address an item opens already.
    pub fn add_sections(&mut self, added: &[Section]) {
        if added.is_empty() {
            return;
        }
        let mut known = self.opened_addresses();
        for added in added {
            let is_new =
                |item: &&Item| item.url.as_ref().is_none_or(|url| known.insert(comparable_address(url).to_owned()));
            let mut items: Vec<_> = added.items.iter().filter(is_new).cloned().collect();
            if items.is_empty() {
                continue;
            }
            let name = added.name.trim().to_lowercase();
            let next = self.sections.last().map_or(0, |section| section.index + 1);
            let section = match self.sections.iter().position(|section| section.name.trim().to_lowercase() == name) {
                Some(position) => &mut self.sections[position],
                None => {
                    self.sections.push(Section { index: next, items: Vec::new(), ..added.clone() });
                    let last = self.sections.len() - 1;
                    &mut self.sections[last]
                }
            };
            let first = section.items.last().map_or(0, |item| item.index + 1);
            items.iter_mut().enumerate().for_each(|(at, item)| item.index = first + at);
            section.items.append(&mut items);
        }
    }

    /// The page with a slug, if the viewer may see it. `name` is turned into a slug first, so it need not be exact.
    pub fn page(&self, name: &str, viewer: &Viewer) -> Option<&Page> {
        let slug = page_slug(name);
        let page = self.pages.iter().find(|page| page.slug == slug)?;
        viewer.sees(&page.visibility).then_some(page)
    }
}

/// An address without the slashes at its end, which make no difference to a person.
pub fn comparable_address(url: &str) -> &str {
    url.trim_end_matches('/')
}

/// Keys of `appConfig` that count in the root config only.
const ROOT_ONLY: [&str; 13] = [
    "alerts",
    "allowConfigEdit",
    "auth",
    "backupEndpoint",
    "disableConfiguration",
    "disableConfigurationForNonAdmin",
    "disableUpdateChecks",
    "discovery",
    "enableAuthProxyCompat",
    "enableServiceWorker",
    "preventLocalSave",
    "preventWriteToDisk",
    "startingView",
];

/// Warnings about what means nothing in the file of a page: it is kept, and has no effect. Copies of the root's settings
/// are not worth a word, except for sign-in: whoever wrote it there may believe that the page is closed.
pub(crate) fn without_effect(page: &Map<String, Value>, root: Option<&Map<String, Value>>) -> Vec<Problem> {
    let warning = |path: String, message: String| Problem {
        path,
        kind: ProblemKind::NotInEffect,
        message,
        effect: None,
        severity: Severity::Warning,
    };
    let mut found = Vec::new();
    for (key, _) in page.iter().filter(|(_, value)| !value.is_null()) {
        let mut path = String::new();
        push_step(&mut path, key);
        if key == "pages" {
            found
                .push(warning(path, "has no effect in the file of a page: the main config lists the pages".to_owned()));
        } else if !Config::SHAPE.allows(key) {
            found.push(warning(path, format!("the file of a page has no key `{}`; it has no effect", brief(key))));
        }
    }
    let app = page.get("appConfig").and_then(Value::as_object);
    for (key, value) in
        app.into_iter().flatten().filter(|(key, value)| ROOT_ONLY.contains(&key.as_str()) && !value.is_null())
    {
        let same = root.and_then(|root| root.get("appConfig")?.get(key)) == Some(value);
        let message = match key.as_str() {
            "auth" => {
                "has no effect in the file of a page: it neither closes nor opens anything. Sign-in belongs in the main config"
            }
            _ if same => continue,
            _ => "has no effect in the file of a page: it belongs in the main config",
        };
        found.push(warning(format!("/appConfig/{key}"), message.to_owned()));
    }
    found
}

/// A key of a page, and the root's keys that it overrides: the same field under its old or new name, and for a theme
/// also the root's themes for light and dark, which would otherwise win over it.
const REPLACES: [(&str, &[&str]); 4] = [
    ("footer", &["footerText"]),
    ("footerText", &["footer"]),
    ("openingMethod", &["defaultOpeningMethod"]),
    ("theme", &["dayTheme", "nightTheme"]),
];

fn overlaid(below: Option<&Map<String, Value>>, above: Option<&Map<String, Value>>) -> Map<String, Value> {
    let mut merged = below.cloned().unwrap_or_default();
    let set: Vec<_> = above.into_iter().flatten().filter(|(_, value)| !value.is_null()).collect();
    for (_, void) in REPLACES.iter().filter(|(key, _)| set.iter().any(|(own, _)| own == key)) {
        for key in *void {
            merged.shift_remove(*key);
        }
    }
    merged.extend(set.into_iter().map(|(key, value)| (key.clone(), value.clone())));
    merged
}

/// The pages; if two have the same slug, the first wins.
fn read_pages(cursor: &Cursor<'_>) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    for (_, entry) in cursor.mappings(Page::SHAPE.name) {
        let page = Page::read(&entry);
        if page.source.is_missing() {
            let message = "is missing: name the file of the page, such as `media.yml`";
            entry.key("path").warn(ProblemKind::Missing, message, Effect::PageCannotBeShown);
        }
        if pages.iter().any(|other| other.slug == page.slug) {
            let message = format!("an earlier page already has the address `{}`", brief(&page.slug));
            entry.warn(ProblemKind::Conflict, message, Effect::Ignored);
        } else {
            pages.push(page);
        }
    }
    pages
}

/// The rules of a raw page, section or item about who sees it.
pub(crate) fn visibility_of(entry: &Value) -> Visibility {
    let problems = Problems::default();
    display_data::read_own_visibility(&Cursor::new(entry, "", &problems))
}
