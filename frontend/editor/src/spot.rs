//! The parts of a config that can be edited: lists, their elements, and blocks.

use config::{Document, ValuePath};
use serde_json::Value;

use crate::texts::t;

/// A list of elements, each of which has a form.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum List {
    /// The sections of the page.
    Sections,
    /// The items of a section, by its position in the file.
    Items(usize),
    /// The widgets of a section, by its position in the file.
    Widgets(usize),
    /// The sub-items of a group: the positions of its section, and of the item there.
    SubItems(usize, usize),
    /// The further pages of the dashboard.
    Pages,
}

/// A block that is in a config at most once.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ConfigBlock {
    /// `pageInfo`.
    PageInfo,
    /// `appConfig`.
    AppConfig,
}

impl ConfigBlock {
    /// Its key in the file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::PageInfo => "pageInfo",
            Self::AppConfig => "appConfig",
        }
    }

    /// A step of the history that changes it.
    pub(crate) fn edit_text(self) -> &'static str {
        match self {
            Self::PageInfo => "Edit page info",
            Self::AppConfig => "Edit settings",
        }
    }
}

/// The position of an element: a section, an item, a sub-item, a widget or a page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Spot {
    /// Its list.
    pub list: List,
    /// Its index there.
    pub index: usize,
}

impl List {
    /// The path of the list.
    #[must_use]
    pub fn path(self) -> ValuePath {
        match self {
            Self::Sections => ValuePath::top().key("sections"),
            Self::Items(section) => ValuePath::section(section).key("items"),
            Self::Widgets(section) => ValuePath::section(section).key("widgets"),
            Self::SubItems(section, item) => ValuePath::section(section).key("items").index(item).key("subItems"),
            Self::Pages => ValuePath::top().key("pages"),
        }
    }

    /// The mapping that the list belongs to, and its key there.
    pub(crate) fn owner(self) -> (ValuePath, &'static str) {
        match self {
            Self::Sections => (ValuePath::top(), "sections"),
            Self::Items(section) => (ValuePath::section(section), "items"),
            Self::Widgets(section) => (ValuePath::section(section), "widgets"),
            Self::SubItems(section, item) => (ValuePath::section(section).key("items").index(item), "subItems"),
            Self::Pages => (ValuePath::top(), "pages"),
        }
    }

    /// The number of elements.
    #[must_use]
    pub fn len(self, document: &Document) -> usize {
        document.at(&self.path()).and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// The element that the list belongs to: a section or a group. `None` for the lists of the file.
    #[must_use]
    pub fn parent(self) -> Option<Spot> {
        match self {
            Self::Sections | Self::Pages => None,
            Self::Items(index) | Self::Widgets(index) => Some(Spot { list: Self::Sections, index }),
            Self::SubItems(section, index) => Some(Spot { list: Self::Items(section), index }),
        }
    }

    /// The list of the same kind in another section; `None` for lists that are not in one.
    #[must_use]
    pub fn in_section(self, section: usize) -> Option<Self> {
        match self {
            Self::Items(_) => Some(Self::Items(section)),
            Self::Widgets(_) => Some(Self::Widgets(section)),
            Self::Sections | Self::SubItems(..) | Self::Pages => None,
        }
    }

    /// The lists of the sub-items of all groups, in order.
    #[must_use]
    pub fn groups(document: &Document) -> Vec<Self> {
        let items = |section| (0..Self::Items(section).len(document)).map(move |item| Self::SubItems(section, item));
        let all = (0..Self::Sections.len(document)).flat_map(items);
        all.filter(|list| list.len(document) > 0).collect()
    }
}

/// Texts about an element of a list. Each is a sentence of its own, because the word for the element changes others around it in
/// many languages.
pub struct ElementTexts {
    /// For a step of the history, as the next four.
    pub add: &'static str,
    /// See above.
    pub edit: &'static str,
    /// See above.
    pub delete: &'static str,
    /// See above.
    pub duplicate: &'static str,
    /// See above.
    pub rename: &'static str,
    /// The title of the form of a new one.
    pub new: &'static str,
    /// The title of the form of one.
    pub form: &'static str,
    /// Stands for a name.
    pub unnamed: &'static str,
    /// Above what can be done with one.
    pub whole: &'static str,
    /// What differs between two versions of a list.
    pub order: &'static str,
}

impl List {
    /// The texts about its elements.
    #[must_use]
    pub fn texts(self) -> &'static ElementTexts {
        match self {
            Self::Sections => &ElementTexts {
                add: "Add section “{name}”",
                edit: "Edit section “{name}”",
                delete: "Delete section “{name}”",
                duplicate: "Duplicate section “{name}”",
                rename: "Rename section “{name}” to “{new}”",
                new: "Add section",
                form: "Edit section",
                unnamed: "unnamed section",
                whole: "The section as a whole",
                order: "order of the sections",
            },
            Self::Items(_) => &ElementTexts {
                add: "Add item “{name}”",
                edit: "Edit item “{name}”",
                delete: "Delete item “{name}”",
                duplicate: "Duplicate item “{name}”",
                rename: "Rename item “{name}” to “{new}”",
                new: "Add item",
                form: "Edit item",
                unnamed: "unnamed item",
                whole: "The item as a whole",
                order: "order of the items",
            },
            Self::Widgets(_) => &ElementTexts {
                add: "Add widget “{name}”",
                edit: "Edit widget “{name}”",
                delete: "Delete widget “{name}”",
                duplicate: "Duplicate widget “{name}”",
                rename: "Rename widget “{name}” to “{new}”",
                new: "Add widget",
                form: "Edit widget",
                unnamed: "unnamed widget",
                whole: "The widget as a whole",
                order: "order of the widgets",
            },
            Self::SubItems(..) => &ElementTexts {
                add: "Add sub-item “{name}”",
                edit: "Edit sub-item “{name}”",
                delete: "Delete sub-item “{name}”",
                duplicate: "Duplicate sub-item “{name}”",
                rename: "Rename sub-item “{name}” to “{new}”",
                new: "Add sub-item",
                form: "Edit sub-item",
                unnamed: "unnamed sub-item",
                whole: "The sub-item as a whole",
                order: "order of the sub-items",
            },
            Self::Pages => &ElementTexts {
                add: "Add page “{name}”",
                edit: "Edit page “{name}”",
                delete: "Delete page “{name}”",
                duplicate: "Duplicate page “{name}”",
                rename: "Rename page “{name}” to “{new}”",
                new: "Add page",
                form: "Edit page",
                unnamed: "unnamed page",
                whole: "The page as a whole",
                order: "order of the pages",
            },
        }
    }
}

impl Spot {
    /// Parses the `data-edit` or the id of a DOM element: `section-2`, `widget-2-5`, `i-2-5`, or `i-2-5-1` for a sub-item.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let kind = parts.next()?;
        let mut number = || parts.next()?.parse::<usize>().ok();
        let first = number()?;
        Some(match kind {
            "section" => Self { list: List::Sections, index: first },
            "widget" => Self { list: List::Widgets(first), index: number()? },
            "page" => Self { list: List::Pages, index: first },
            "i" => {
                let item = number()?;
                match number() {
                    Some(index) => Self { list: List::SubItems(first, item), index },
                    None => Self { list: List::Items(first), index: item },
                }
            }
            _ => return None,
        })
    }

    /// The element that a JSON pointer leads into.
    #[must_use]
    pub fn of_pointer(pointer: &str) -> Option<Self> {
        let mut steps = pointer.split('/').skip(1);
        let (top, first) = (steps.next()?, steps.next()?);
        if top == "pages" {
            return Some(Self { list: List::Pages, index: first.parse().ok()? });
        }
        let id = match (top, steps.next(), steps.next(), steps.next(), steps.next()) {
            ("sections", Some("items"), Some(item), Some("subItems"), Some(index)) => {
                format!("i-{first}-{item}-{index}")
            }
            ("sections", Some("items"), Some(index), ..) => format!("i-{first}-{index}"),
            ("sections", Some("widgets"), Some(index), ..) => format!("widget-{first}-{index}"),
            ("sections", ..) => format!("section-{first}"),
            _ => return None,
        };
        Self::parse(&id)
    }

    /// The path of the element.
    #[must_use]
    pub fn path(self) -> ValuePath {
        self.list.path().index(self.index)
    }

    /// The CSS selector of its DOM element in edit mode.
    #[must_use]
    pub fn selector(self) -> String {
        match self.list {
            List::Sections => format!("[data-edit=\"section-{}\"]", self.index),
            List::Items(section) => format!("#i-{section}-{}", self.index),
            List::Widgets(section) => format!("[data-edit=\"widget-{section}-{}\"]", self.index),
            List::SubItems(section, item) => format!("#i-{section}-{item}-{}", self.index),
            // Pages are not on the page; the button of their list is.
            List::Pages => "[data-pages]".to_owned(),
        }
    }

    /// The name of the element in a document.
    #[must_use]
    pub fn name(self, document: &Document) -> String {
        document.at(&self.path()).map(|value| name_of(self.list, value)).unwrap_or_default()
    }
}

/// The name of an element.
pub(crate) fn name_of(list: List, value: &Value) -> String {
    let keys: &[&str] = match list {
        List::Sections => &["name"],
        List::Items(_) | List::SubItems(..) => &["title", "url"],
        List::Widgets(_) => &["label", "type"],
        List::Pages => &["name", "path"],
    };
    let text = keys.iter().find_map(|key| match value.get(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    });
    text.unwrap_or_else(|| t(list.texts().unnamed))
}
