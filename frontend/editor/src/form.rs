//! An open form: what it edits, its fields, and their values.

use std::collections::BTreeSet;

use config::{Change, Document, ValuePath};
use leptos::prelude::*;
use serde_json::{Value, json};

use crate::{
    edits::{self, ConfigBlock, Edit, List, Spot},
    mappings, page_files,
    schema::{self, Input, Schema, SchemaField},
    sub_items,
    texts::{fill, t, within_sentence},
};

/// The beginning of the ids of the fields of a form.
pub const ID: &str = "edit";

/// What a form edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An existing element.
    Existing(Spot),
    /// A new element of a list.
    New(List),
    /// `pageInfo` or `appConfig`.
    Block(ConfigBlock),
}

/// A form.
#[derive(Clone, Copy)]
pub struct Form {
    /// What it edits.
    pub subject: Subject,
    /// The value as it is entered.
    pub value: RwSignal<Value>,
    /// The value at the start.
    pub before: StoredValue<Value>,
    /// Whether anything was typed. Before, nothing that is missing is reported.
    pub touched: RwSignal<bool>,
    /// The ids of the inputs whose text cannot be understood, and is not in the value.
    pub wrong: RwSignal<BTreeSet<String>>,
    /// The required field that was empty when the person was done.
    pub blank: RwSignal<Option<Vec<String>>>,
    /// How many passwords are being hashed.
    pub waiting: RwSignal<usize>,
    /// How often a value was replaced by something else than its field, which is drawn again then.
    pub replaced: RwSignal<usize>,
    /// For a row of a list in another form: adopts a change of its value there.
    pub row_changed: Option<Callback<()>>,
}

/// The fields that are always shown, even without a value.
fn usual(subject: Subject) -> &'static [&'static str] {
    match list_of(subject) {
        Ok(List::Items(_)) => &["title", "url", "icon", "description", "target"],
        Ok(List::SubItems(..)) => &["title", "url", "icon", "description"],
        Ok(List::Sections) => &["name", "icon"],
        Ok(List::Widgets(_)) => &["label"],
        Ok(List::Pages) => &["name", "path"],
        Err(ConfigBlock::PageInfo) => &["title", "description", "logo", "footer"],
        Err(ConfigBlock::AppConfig) => &["theme", "layout", "iconSize"],
    }
}

/// The list of the element that a form edits, or the block.
fn list_of(subject: Subject) -> Result<List, ConfigBlock> {
    match subject {
        Subject::Existing(spot) => Ok(spot.list),
        Subject::New(list) => Ok(list),
        Subject::Block(block) => Err(block),
    }
}

impl Form {
    fn of(subject: Subject, value: Value) -> Self {
        let before = StoredValue::new(value.clone());
        Self {
            subject,
            value: RwSignal::new(value),
            before,
            touched: RwSignal::new(false),
            wrong: RwSignal::default(),
            blank: RwSignal::default(),
            waiting: RwSignal::new(0),
            replaced: RwSignal::new(0),
            row_changed: None,
        }
    }

    /// The form of a row of a list in this form.
    pub fn row(self, value: Value, changed: Callback<()>) -> Self {
        let before = StoredValue::new(value.clone());
        Self { value: RwSignal::new(value), before, blank: RwSignal::default(), row_changed: Some(changed), ..self }
    }

    /// The form of an existing element.
    pub fn existing(spot: Spot, value: Value) -> Self {
        Self::of(Subject::Existing(spot), value)
    }

    /// The form for a new element.
    pub fn new(list: List, value: Value) -> Self {
        Self::of(Subject::New(list), value)
    }

    /// The form of `pageInfo` or `appConfig`.
    pub fn block(block: ConfigBlock, value: Value) -> Self {
        Self::of(Subject::Block(block), value)
    }

    /// Sets or removes the option `mappings` of a widget, whatever its field contains.
    pub fn set_mappings(&self, new: Option<Value>) {
        let path = mappings::path();
        self.value.update(|value| schema::set(value, &path, new));
        let field = format!("{ID}-{}", path.join("-"));
        self.wrong.update(|wrong| wrong.retain(|id| !id.starts_with(&field)));
        self.replaced.update(|count| *count += 1);
        self.touched.set(true);
    }

    /// The title of the dialog. `kind` is the type of a widget.
    pub fn title(&self, kind: &str) -> String {
        match self.subject {
            Subject::Block(ConfigBlock::PageInfo) => t("Page info"),
            Subject::Block(ConfigBlock::AppConfig) => t("Settings"),
            Subject::New(List::Widgets(_)) => fill("Add widget “{name}”", &[("name", kind)]),
            Subject::New(list) => t(list.texts().new),
            Subject::Existing(Spot { list: List::Widgets(_), .. }) if !kind.is_empty() => {
                fill("Edit widget “{name}”", &[("name", kind)])
            }
            Subject::Existing(spot) => t(spot.list.texts().form),
        }
    }

    /// Whether it edits a widget.
    pub fn is_widget(&self) -> bool {
        matches!(list_of(self.subject), Ok(List::Widgets(_)))
    }

    /// Whether it edits an item or a sub-item.
    pub fn is_item(&self) -> bool {
        self.row_changed.is_none() && matches!(list_of(self.subject), Ok(List::Items(_) | List::SubItems(..)))
    }

    /// The type of a widget, tracked; empty if it has none.
    pub fn kind(&self) -> String {
        self.value.with(kind_of)
    }

    /// Changes the type of a widget. Its options stay, whether the new type knows them or not.
    pub fn change_kind(&self, kind: &str) {
        self.value.update(|value| edits::set_kind(value, kind));
        self.touched.set(true);
    }

    /// Its fields, each with the path of its value, in the order in which people fill them in: what is required, then what is
    /// usual, and keys after the other options of a widget.
    pub fn fields(&self, all: &Schema) -> Vec<(Vec<String>, SchemaField)> {
        let usual = usual(self.subject);
        let mut fields = self.unordered_fields(all);
        fields.sort_by_key(|(path, field)| {
            let is_usual = usual.iter().position(|known| path.len() == 1 && *known == field.key);
            match is_usual {
                _ if field.is_needed() && !self.is_widget() => (0, is_usual.unwrap_or(usual.len())),
                _ if field.is_needed() => (0, 0),
                Some(position) => (1, position),
                None if path[0] == "options" && !matches!(field.input, Input::Secret | Input::SecretList) => (2, 0),
                None if path[0] == "options" => (3, 0),
                None => (4, 0),
            }
        });
        fields
    }

    fn unordered_fields(&self, all: &Schema) -> Vec<(Vec<String>, SchemaField)> {
        let own = |fields: Vec<SchemaField>, left_out: &'static [&'static str]| {
            let fields = fields.into_iter().filter(|field| !left_out.contains(&field.key.as_str()));
            fields.map(|field| (vec![field.key.clone()], field)).collect::<Vec<_>>()
        };
        match list_of(self.subject) {
            Err(ConfigBlock::PageInfo) => own(all.fields("PageInfo"), &[]),
            Err(ConfigBlock::AppConfig) => {
                let mut fields = own(all.fields("AppConfig"), &[]);
                // In the old format it is a list of accounts.
                if self.value.with_untracked(|value| value["auth"].is_array())
                    && let Some(accounts) = all.accounts()
                    && let Some((_, auth)) = fields.iter_mut().find(|(_, field)| field.key == "auth")
                {
                    *auth = accounts;
                }
                fields
            }
            Ok(List::Pages) => {
                let mut fields = own(all.fields("Page"), &[]);
                // Without a path, a new page gets a file of its own.
                if let (Subject::New(_), Some((_, path))) =
                    (self.subject, fields.iter_mut().find(|(_, field)| field.key == "path"))
                {
                    path.required = false;
                }
                fields
            }
            Ok(List::Sections) => own(all.fields("Section"), &["items", "widgets"]),
            Ok(List::Items(_)) => own(all.fields("Item"), &[]),
            Ok(List::SubItems(..)) => own(all.fields("SubItem"), &[]),
            Ok(List::Widgets(_)) => {
                let mut fields = own(all.fields("Widget"), &["type", "options"]);
                let options = all.options(&self.value.with_untracked(kind_of));
                let options = if options.is_empty() { vec![any_options()] } else { options };
                let place = |field: SchemaField| match field.input {
                    Input::Yaml if field.key == "options" => (vec!["options".to_owned()], field),
                    _ => (vec!["options".to_owned(), field.key.clone()], field),
                };
                fields.extend(options.into_iter().map(place));
                fields
            }
        }
    }

    /// Whether a field is shown from the start.
    pub fn shows(&self, path: &[String], field: &SchemaField) -> bool {
        let is_usual = path.len() == 1 && usual(self.subject).contains(&field.key.as_str());
        let is_option = path.len() == 2;
        is_usual || is_option || field.required || self.before.with_value(|value| schema::get(value, path).is_some())
    }

    /// The path of its value in the document.
    pub fn path(&self, document: &Document) -> ValuePath {
        match self.subject {
            Subject::Existing(spot) => spot.path(),
            Subject::New(list) => Spot { list, index: list.len(document) }.path(),
            Subject::Block(block) => ValuePath::top().key(block.key()),
        }
    }

    /// The edit that it makes; `None` if nothing has changed. `main` is the name of the main config.
    pub fn edit(&self, document: &Document, main: &str) -> Option<Edit> {
        self.edit_to(document, main, self.value.get_untracked())
    }

    fn edit_to(&self, document: &Document, main: &str, value: Value) -> Option<Edit> {
        match self.subject {
            Subject::Existing(spot) => edits::replace(document, spot, value),
            Subject::New(List::Pages) => {
                Some(edits::add(document, List::Pages, page_files::with_file(document, main, value)))
            }
            Subject::New(list) => Some(edits::add(document, list, value)),
            Subject::Block(block) => edits::replace_block(document, block, value),
        }
    }

    /// The changes of its edit, for a preview. Invisible sub-items are left out.
    pub fn changes(&self, document: &Document, main: &str) -> Vec<Change> {
        if matches!(list_of(self.subject), Ok(List::SubItems(..))) && self.missing().is_some() {
            return Vec::new();
        }
        let mut value = self.value.get_untracked();
        sub_items::remove_blank(&mut value);
        self.edit_to(document, main, value).map(|edit| edit.changes).unwrap_or_default()
    }

    /// What has to be filled in first, in these fields too, if anything.
    pub fn missing_in(&self, fields: &[(Vec<String>, SchemaField)]) -> Option<String> {
        let in_rows = || {
            let before = self.before.get_value();
            self.value.with_untracked(|value| schema::missing_in_rows(fields, &before, value))
        };
        let in_words = |key| match key {
            SUB_ITEM_TITLE => t(key),
            key => within_sentence(&schema::label(key)).into_owned(),
        };
        self.missing().map(in_words).or_else(in_rows)
    }

    /// What has to be filled in first, if anything.
    pub fn missing(&self) -> Option<&'static str> {
        let key = match list_of(self.subject) {
            Err(ConfigBlock::AppConfig) => return None,
            // In the file, a sub-item may be an icon alone.
            Ok(List::SubItems(..)) if matches!(self.subject, Subject::Existing(_)) => {
                return self.value.with_untracked(sub_items::is_blank).then_some("title");
            }
            Err(ConfigBlock::PageInfo) | Ok(List::Items(_) | List::SubItems(..)) => "title",
            Ok(List::Sections | List::Pages) => "name",
            Ok(List::Widgets(_)) => "type",
        };
        self.value.with_untracked(|value| {
            if !schema::is_given(value.get(key)) {
                return Some(key);
            }
            sub_items::has_blank(value).then_some(SUB_ITEM_TITLE)
        })
    }
}

/// What is missing in a group with an invisible item.
const SUB_ITEM_TITLE: &str = "title of each sub-item";

/// The type of a widget; empty if it has none.
fn kind_of(widget: &Value) -> String {
    widget["type"].as_str().unwrap_or_default().to_owned()
}

/// The options of a type that has none, or of an unknown type.
fn any_options() -> SchemaField {
    SchemaField {
        key: "options".to_owned(),
        label: t("Options"),
        about: String::new(),
        described: t("This type of widget has no options of its own."),
        required: false,
        default: Some(json!({})),
        input: Input::Yaml,
        helper: None,
    }
}
