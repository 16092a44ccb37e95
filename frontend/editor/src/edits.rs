//! What a person does to a config, as changes of the document and in words.

use config::{Change, Document, ValuePath};
use serde_json::{Value, json};

/// A list of things that have forms.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum List {
    /// The sections of the page.
    Sections,
    /// The items of a section, by its position in the file.
    Items(usize),
    /// The widgets of a section, by its position in the file.
    Widgets(usize),
    /// The further pages of the dashboard.
    Pages,
}

/// A block of the config that stands there once.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Block {
    /// `pageInfo`.
    PageInfo,
    /// `appConfig`.
    AppConfig,
}

impl Block {
    /// Its key in the file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::PageInfo => "pageInfo",
            Self::AppConfig => "appConfig",
        }
    }

    /// What it is called.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::PageInfo => "page info",
            Self::AppConfig => "settings",
        }
    }
}

/// One thing of a list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Spot {
    /// Where it is.
    pub list: List,
    /// Its position there.
    pub index: usize,
}

/// Something that a person did.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// What it was, in words: `Move “Jellyfin” to Media`.
    pub words: String,
    /// The changes, one after the other.
    pub changes: Vec<Change>,
    /// Where the thing is afterwards, if it still is.
    pub spot: Option<Spot>,
}

impl List {
    /// The place of the list.
    #[must_use]
    pub fn place(self) -> ValuePath {
        match self {
            Self::Sections => ValuePath::top().key("sections"),
            Self::Items(section) => ValuePath::section(section).key("items"),
            Self::Widgets(section) => ValuePath::section(section).key("widgets"),
            Self::Pages => ValuePath::top().key("pages"),
        }
    }

    /// The mapping that the list belongs to, and its key there.
    pub(crate) fn owner(self) -> (ValuePath, &'static str) {
        match self {
            Self::Sections => (ValuePath::top(), "sections"),
            Self::Items(section) => (ValuePath::section(section), "items"),
            Self::Widgets(section) => (ValuePath::section(section), "widgets"),
            Self::Pages => (ValuePath::top(), "pages"),
        }
    }

    /// How many things are in it.
    #[must_use]
    pub fn len(self, document: &Document) -> usize {
        document.at(&self.place()).and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// What one of its things is called.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Sections => "section",
            Self::Items(_) => "item",
            Self::Widgets(_) => "widget",
            Self::Pages => "page",
        }
    }
}

impl Spot {
    /// A spot from the `data-edit` or the id of an element: `section-2`, `widget-2-5`, `i-2-5`, `i-2-5-1`.
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
            "i" => Self { list: List::Items(first), index: number()? },
            _ => return None,
        })
    }

    /// The place of the thing.
    #[must_use]
    pub fn place(self) -> ValuePath {
        self.list.place().index(self.index)
    }

    /// A CSS selector of the element that stands for it in a page in edit mode.
    #[must_use]
    pub fn selector(self) -> String {
        match self.list {
            List::Sections => format!("[data-edit=\"section-{}\"]", self.index),
            List::Items(section) => format!("#i-{section}-{}", self.index),
            List::Widgets(section) => format!("[data-edit=\"widget-{section}-{}\"]", self.index),
            // Pages have no place of their own on the page.
            List::Pages => "[data-pages]".to_owned(),
        }
    }

    /// What the thing is called in the document.
    #[must_use]
    pub fn name(self, document: &Document) -> String {
        document.at(&self.place()).map(|value| name_of(self.list, value)).unwrap_or_default()
    }
}

/// What a thing is called.
pub(crate) fn name_of(list: List, value: &Value) -> String {
    let keys: &[&str] = match list {
        List::Sections => &["name"],
        List::Items(_) => &["title", "url"],
        List::Widgets(_) => &["label", "type"],
        List::Pages => &["name", "path"],
    };
    let text = keys.iter().find_map(|key| match value.get(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    });
    text.unwrap_or_else(|| format!("unnamed {}", list.noun()))
}

/// Adds a thing at the end of a list.
#[must_use]
pub fn add(document: &Document, list: List, value: Value) -> Edit {
    let words = format!("Add {} “{}”", list.noun(), name_of(list, &value));
    let index = list.len(document);
    Edit { words, changes: vec![insertion(document, list, index, value)], spot: Some(Spot { list, index }) }
}

/// Gives a thing another value; none if it has this one.
#[must_use]
pub fn replace(document: &Document, spot: Spot, value: Value) -> Option<Edit> {
    let at = spot.place();
    let old = document.at(&at)?;
    if *old == value {
        return None;
    }
    let words = format!("Edit {} “{}”", spot.list.noun(), name_of(spot.list, &value));
    Some(Edit { words, changes: vec![Change::Replace { at, value }], spot: Some(spot) })
}

/// Gives `pageInfo` or `appConfig` another value; none if it has this one.
#[must_use]
pub fn replace_block(document: &Document, block: Block, value: Value) -> Option<Edit> {
    let at = ValuePath::top().key(block.key());
    let change = match document.at(&at) {
        Some(old) if *old == value => return None,
        Some(_) => Change::Replace { at, value },
        None if value.as_object().is_some_and(serde_json::Map::is_empty) => return None,
        None => with_key(document, ValuePath::top(), block.key(), value),
    };
    Some(Edit { words: format!("Edit {}", block.noun()), changes: vec![change], spot: None })
}

/// Takes a thing out.
#[must_use]
pub fn delete(document: &Document, spot: Spot) -> Edit {
    let words = format!("Delete {} “{}”", spot.list.noun(), spot.name(document));
    let left = spot.list.len(document).saturating_sub(1);
    let next = (left > 0).then(|| Spot { index: spot.index.min(left - 1), ..spot });
    Edit { words, changes: vec![Change::Remove { list: spot.list.place(), index: spot.index }], spot: next }
}

/// Puts a copy of a thing behind it.
#[must_use]
pub fn duplicate(document: &Document, spot: Spot) -> Option<Edit> {
    let mut value = document.at(&spot.place())?.clone();
    let words = format!("Duplicate {} “{}”", spot.list.noun(), name_of(spot.list, &value));
    // The address of a section is made of its name.
    if let (List::Sections, Some(Value::String(name))) = (spot.list, value.get_mut("name")) {
        name.push_str(" (copy)");
    }
    let index = spot.index + 1;
    let change = Change::Insert { list: spot.list.place(), index, value };
    Some(Edit { words, changes: vec![change], spot: Some(Spot { index, ..spot }) })
}

/// Moves a thing within its list; none at its ends.
#[must_use]
pub fn shift(document: &Document, spot: Spot, later: bool) -> Option<Edit> {
    let index = if later { spot.index + 1 } else { spot.index.checked_sub(1)? };
    if index >= spot.list.len(document) {
        return None;
    }
    let words = format!("Move “{}” {}", spot.name(document), if later { "down" } else { "up" });
    move_to(document, spot, Spot { index, ..spot }, words)
}

/// Moves an item or a widget to another section, at the end or before one of its things.
#[must_use]
pub fn carry(document: &Document, spot: Spot, section: usize, before: Option<usize>) -> Option<Edit> {
    let list = match spot.list {
        List::Sections | List::Pages => return None,
        List::Items(_) => List::Items(section),
        List::Widgets(_) => List::Widgets(section),
    };
    let name = Spot { list: List::Sections, index: section }.name(document);
    let index = if list == spot.list {
        let index = before.unwrap_or_else(|| list.len(document));
        if index > spot.index { index - 1 } else { index }
    } else {
        before.unwrap_or_else(|| list.len(document))
    };
    let words = format!("Move “{}” to {name}", spot.name(document));
    move_to(document, spot, Spot { list, index }, words)
}

/// Moves a thing to a position that is counted without it.
pub(crate) fn move_to(document: &Document, from: Spot, to: Spot, words: String) -> Option<Edit> {
    if from == to {
        return None;
    }
    let value = document.at(&from.place())?.clone();
    let removal = Change::Remove { list: from.list.place(), index: from.index };
    let changes = if from.list == to.list {
        vec![removal, Change::Insert { list: to.list.place(), index: to.index, value }]
    } else {
        vec![insertion(document, to.list, to.index, value), removal]
    };
    Some(Edit { words, changes, spot: Some(to) })
}

/// A further element of a list that may not be there yet.
pub(crate) fn insertion(document: &Document, list: List, index: usize, value: Value) -> Change {
    match document.at(&list.place()) {
        Some(Value::Array(_)) => Change::Insert { list: list.place(), index, value },
        _ => {
            let (owner, key) = list.owner();
            with_key(document, owner, key, json!([value]))
        }
    }
}

/// A key more, or another value of it, in the mapping at a place.
pub(crate) fn with_key(document: &Document, owner: ValuePath, key: &str, value: Value) -> Change {
    let mut mapping = document.at(&owner).cloned().unwrap_or_else(|| json!({}));
    if !mapping.is_object() {
        mapping = json!({});
    }
    mapping[key] = value;
    Change::Replace { at: owner, value: mapping }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Draft;

    const CONF: &str = "\
x-mine: kept
pageInfo:
  title: Home
sections:
  - name: Media
    x-note: kept
    items:
      - title: Jellyfin
        url: http://nas.example:8096
        x-own: 1
      - title: Navidrome
  - name: Empty
";

    fn document() -> Document {
        Document::parse(CONF.as_bytes()).unwrap()
    }

    fn item(section: usize, index: usize) -> Spot {
        Spot { list: List::Items(section), index }
    }

    fn titles(document: &Document, section: usize) -> Vec<String> {
        (0..List::Items(section).len(document)).map(|index| item(section, index).name(document)).collect()
    }

    #[test]
    fn spots_are_read_from_the_page() {
        assert_eq!(Spot::parse("section-2"), Some(Spot { list: List::Sections, index: 2 }));
        assert_eq!(Spot::parse("widget-2-5"), Some(Spot { list: List::Widgets(2), index: 5 }));
        assert_eq!(Spot::parse("i-2-5-1"), Some(item(2, 5)));
        for text in ["", "i-2", "section-x", "add-item-2", "page", "page-x"] {
            assert_eq!(Spot::parse(text), None, "{text}");
        }
    }

    #[test]
    fn each_edit_says_what_it_did_and_can_be_taken_back() {
        let new = json!({ "title": "Added" });
        let edits: Vec<(Edit, &str, Vec<&str>, Vec<&str>)> = vec![
            (
                add(&document(), List::Items(0), new.clone()),
                "Add item “Added”",
                vec!["Jellyfin", "Navidrome", "Added"],
                vec![],
            ),
            (add(&document(), List::Items(1), new), "Add item “Added”", vec!["Jellyfin", "Navidrome"], vec!["Added"]),
            (delete(&document(), item(0, 0)), "Delete item “Jellyfin”", vec!["Navidrome"], vec![]),
            (
                duplicate(&document(), item(0, 0)).unwrap(),
                "Duplicate item “Jellyfin”",
                vec!["Jellyfin", "Jellyfin", "Navidrome"],
                vec![],
            ),
            (
                shift(&document(), item(0, 0), true).unwrap(),
                "Move “Jellyfin” down",
                vec!["Navidrome", "Jellyfin"],
                vec![],
            ),
            (
                shift(&document(), item(0, 1), false).unwrap(),
                "Move “Navidrome” up",
                vec!["Navidrome", "Jellyfin"],
                vec![],
            ),
            (
                carry(&document(), item(0, 0), 1, None).unwrap(),
                "Move “Jellyfin” to Empty",
                vec!["Navidrome"],
                vec!["Jellyfin"],
            ),
            (
                carry(&document(), item(0, 0), 0, None).unwrap(),
                "Move “Jellyfin” to Media",
                vec!["Navidrome", "Jellyfin"],
                vec![],
            ),
            (
                replace(&document(), item(0, 1), json!({ "title": "Other" })).unwrap(),
                "Edit item “Other”",
                vec!["Jellyfin", "Other"],
                vec![],
            ),
        ];
        for (edit, words, first, second) in edits {
            assert_eq!(edit.words, words);
            let mut draft = Draft::new(document());
            draft.make(edit).unwrap();
            assert_eq!(titles(draft.document(), 0), first, "{words}");
            assert_eq!(titles(draft.document(), 1), second, "{words}");
            let printed = draft.document().print();
            assert_eq!(printed.matches("kept").count(), 2, "{printed}");
            assert_eq!(draft.undo().as_deref(), Some(words));
            assert_eq!(draft.document().print(), document().print());
            draft.redo().unwrap();
            assert_eq!(draft.document().print(), printed);
        }
    }

    #[test]
    fn nothing_to_do_is_no_edit() {
        assert_eq!(shift(&document(), item(0, 0), false), None);
        assert_eq!(shift(&document(), item(0, 1), true), None);
        assert_eq!(replace(&document(), item(0, 1), json!({ "title": "Navidrome" })), None);
        assert_eq!(replace_block(&document(), Block::PageInfo, json!({ "title": "Home" })), None);
        assert_eq!(replace_block(&document(), Block::AppConfig, json!({})), None);
        assert_eq!(carry(&document(), item(0, 1), 0, None), None);
    }

    #[test]
    fn pages_and_settings_are_edited_like_everything_else() {
        let mut draft = Draft::new(document());
        draft.make(replace_block(&document(), Block::AppConfig, json!({ "layout": "masonry" })).unwrap()).unwrap();
        let page = json!({ "name": "Work", "path": "work.yml" });
        let edit = add(draft.document(), List::Pages, page);
        assert_eq!(edit.words, "Add page “Work”");
        draft.make(edit).unwrap();
        let printed = draft.document().print();
        assert!(printed.contains("appConfig:\n  layout: masonry\n"), "{printed}");
        assert!(printed.contains("pages:\n  - name: Work\n    path: work.yml\n"), "{printed}");
        assert_eq!(Spot::parse("page-0"), Some(Spot { list: List::Pages, index: 0 }));
        assert_eq!(carry(draft.document(), Spot { list: List::Pages, index: 0 }, 0, None), None);
        draft.undo();
        assert_eq!(draft.undo().as_deref(), Some("Edit settings"));
        assert_eq!(draft.document().print(), document().print());
    }

    #[test]
    fn an_empty_file_gets_its_first_section() {
        let empty = Document::parse(b"pageInfo: { title: New }\n").unwrap();
        let mut draft = Draft::new(empty.clone());
        draft.make(add(&empty, List::Sections, json!({ "name": "First" }))).unwrap();
        assert_eq!(draft.document().print(), "pageInfo:\n  title: New\nsections:\n  - name: First\n");
        let document = draft.document().clone();
        draft.make(add(&document, List::Widgets(0), json!({ "type": "clock" }))).unwrap();
        assert!(draft.document().print().contains("widgets:"));
        draft.undo();
        draft.undo();
        assert_eq!(draft.document().value(), empty.value());
    }
}
