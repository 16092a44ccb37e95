//! The typed reading of a document, with its defaults (config.md 2 to 9 and 14).
//!
//! Reading is lenient: what is wrong falls back to the default and becomes a [`Problem`]. No struct of these is ever
//! written back; changes are made to the [`Document`]. Beside each struct stands the table of what the schema allows.

pub mod app_config;
pub mod auth;
mod cursor;
pub mod display_data;
pub mod item;
pub mod page;
pub mod page_info;
pub mod section;
pub(crate) mod shape;
pub mod style;
mod user;
pub mod web_search;
pub mod widget;

use serde_json::{Map, Value};

use self::cursor::{Cursor, Problems};
pub(crate) use self::cursor::{brief, kind_of};
pub use self::{
    app_config::{AppConfig, Permissions},
    auth::{Auth, SignIn},
    display_data::DisplayData,
    item::Item,
    page::{Page, PageSource},
    page_info::PageInfo,
    section::Section,
    widget::Widget,
};
use crate::{
    document::{Document, EditError},
    problem::{Problem, ProblemKind, Severity},
    slug::page_slug,
    viewer::{Viewer, Visibility},
};
use shape::{MANY, Others, Rule, Shape, list, optional, required};

/// Name of the file that holds the root config.
pub const MAIN_FILE: &str = "conf.yml";

/// What a config file means: of the root, or of a page with the root's values below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Title, header links, footer.
    pub page_info: PageInfo,
    /// Behaviour, look, sign-in.
    pub app: AppConfig,
    /// Extra pages; always those of the root config.
    pub pages: Vec<Page>,
    /// Content.
    pub sections: Vec<Section>,
    /// What was wrong in this file, as warnings.
    pub problems: Vec<Problem>,
}

pub(crate) const ROOT: Shape = Shape {
    title: "Config",
    name: "the config",
    about: "The main config file, `conf.yml`.",
    fields: &[
        optional("pageInfo", Rule::Shape(&page_info::PAGE_INFO), "Title, header links, footer and logo of the page."),
        optional(
            "appConfig",
            Rule::Shape(&app_config::APP_CONFIG),
            "How the dashboard behaves and looks, and who may sign in.",
        ),
        required(
            "sections",
            Rule::Shapes(&section::SECTION, MANY),
            "What the page shows: groups of items and widgets, in this order. An empty list shows a note instead.",
        ),
        list(
            "pages",
            Rule::Shapes(&page::PAGE, MANY),
            "More pages, each with a file of its own. Only the list in the main file counts.",
        ),
    ],
    others: Others::Refused,
    demands: &[],
};

impl Config {
    /// Reads the root config.
    ///
    /// # Errors
    /// [`EditError::NotAMapping`]; nothing else is fatal (config.md 1.2).
    pub fn read(root: &Document) -> Result<Self, EditError> {
        root.mapping()?;
        Ok(Self::read_value(root.value(), root.value()))
    }

    /// Reads the config of a page: its `pageInfo` and `appConfig` are laid key by key over the root's, its sections
    /// replace; `pages` and `auth` are the root's (config.md 1.4). Keys that are null inherit. The problems are those
    /// of the page's file, and of what it inherits.
    ///
    /// # Errors
    /// [`EditError::NotAMapping`] if one of the two is none.
    pub fn read_page(root: &Document, page: &Document) -> Result<Self, EditError> {
        let (root_mapping, page_mapping) = (root.mapping()?, page.mapping()?);
        let mut merged = Map::new();
        let mut dropped = Vec::new();
        for key in ["pageInfo", "appConfig"] {
            let own = page_mapping.get(key).filter(|own| !own.is_object() && !own.is_null());
            dropped.extend(own.map(|own| Problem {
                path: format!("/{key}"),
                kind: ProblemKind::WrongType,
                message: format!("must be a mapping, is {}; ignored", kind_of(own)),
                severity: Severity::Warning,
            }));
            let [below, above] = [root_mapping, page_mapping].map(|layer| layer.get(key).and_then(Value::as_object));
            merged.insert(key.to_owned(), Value::Object(overlaid(below, above)));
        }
        let sections = page_mapping.get("sections").cloned().unwrap_or_default();
        merged.insert("sections".to_owned(), sections);
        let mut config = Self::read_value(&Value::Object(merged), root.value());
        config.problems.extend(dropped);
        Ok(config)
    }

    /// `own` is what is shown, `root` is where sign-in and pages come from.
    fn read_value(own: &Value, root: &Value) -> Self {
        let problems = Problems::default();
        let outer = Problems::default();
        let is_root = std::ptr::eq(own, root);
        let cursor = Cursor::new(own, "", &problems);
        // A page is not to blame for the problems of the root's part.
        let root = Cursor::new(root, "", if is_root { &problems } else { &outer });
        let auth = Auth::of_root(&root);
        let config = Self {
            page_info: PageInfo::read(&cursor.key("pageInfo")),
            app: AppConfig::read(&cursor.key("appConfig"), auth),
            pages: read_pages(&root.key("pages")),
            sections: cursor
                .key("sections")
                .mappings("a section")
                .map(|(index, section)| Section::read(index, &section))
                .collect(),
            problems: Vec::new(),
        };
        Self { problems: problems.into_list(), ..config }
    }

    /// The page with a slug, if the viewer may see it. The parameter is slugged first, so an address may be sloppy.
    pub fn page(&self, name: &str, viewer: &Viewer) -> Option<&Page> {
        let slug = page_slug(name);
        let page = self.pages.iter().find(|page| page.slug == slug)?;
        viewer.sees(&page.visibility).then_some(page)
    }
}

/// A key of a page, and keys of the root's that it makes void: the same field under its old or new name, and for a
/// theme the root's themes by day and night, which would otherwise win over it.
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

/// The pages; of two with the same slug the first wins.
fn read_pages(cursor: &Cursor<'_>) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    for (index, entry) in cursor.mappings("a page") {
        let page = Page::read(index, &entry);
        if pages.iter().any(|other| other.slug == page.slug) {
            entry.warn(
                ProblemKind::Conflict,
                format!("another page before it has the address `{}` too", brief(&page.slug)),
            );
        } else {
            pages.push(page);
        }
    }
    pages
}

/// The rules that a raw page, section or item sets up about who sees it.
pub(crate) fn visibility_of(entry: &Value) -> Visibility {
    let problems = Problems::default();
    display_data::read_own_visibility(&Cursor::new(entry, "", &problems))
}
