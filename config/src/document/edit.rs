//! The changes that the REST API makes: top-level keys, sections, items (docs/spec/api.md 5 and 6).

use serde_json::{Map, Value};

use super::{Document, EditError, TopLevelKey};
use crate::selector::Selector;

impl Document {
    /// The value of a top-level key.
    ///
    /// # Errors
    /// The top level is not a mapping, or the key is missing.
    pub fn key(&self, key: TopLevelKey) -> Result<&Value, EditError> {
        self.mapping()?.get(key.word()).ok_or(EditError::KeyNotFound(key))
    }

    /// Replaces the value of a top-level key, or adds it at the end.
    ///
    /// # Errors
    /// The top level is not a mapping.
    pub fn set_key(&mut self, key: TopLevelKey, value: Value) -> Result<(), EditError> {
        self.mapping_mut()?.insert(key.word().to_owned(), value);
        self.changed();
        Ok(())
    }

    /// The sections; a missing list is an empty one.
    ///
    /// # Errors
    /// The top level is not a mapping, or `sections` is not a list.
    pub fn sections(&self) -> Result<&[Value], EditError> {
        list(self.mapping()?.get("sections"), || "`sections`".to_owned())
    }

    /// A section and its index. An element that is not a mapping is returned unchanged.
    ///
    /// # Errors
    /// As for [`Document::sections`], or there is no such section.
    pub fn section(&self, address: &Selector) -> Result<(usize, &Value), EditError> {
        let sections = self.sections()?;
        let index =
            address.find(sections, "name").ok_or_else(|| EditError::SectionNotFound { address: address.clone() })?;
        Ok((index, &sections[index]))
    }

    /// Appends a section, creating the list if necessary, and returns its index.
    ///
    /// # Errors
    /// The top level is not a mapping, the section has no name, or `sections` is not a list.
    pub fn add_section(&mut self, section: Map<String, Value>) -> Result<usize, EditError> {
        self.mapping()?;
        named(&section, "name", EditError::NameMissing)?;
        let sections = self.sections_mut()?;
        sections.push(Value::Object(section));
        let index = sections.len() - 1;
        self.changed();
        Ok(index)
    }

    /// Merges fields into a section, replacing nested values as a whole, and returns the section's index.
    ///
    /// # Errors
    /// The top level is not a mapping, the new name is not valid, or there is no such section.
    pub fn patch_section(&mut self, address: &Selector, fields: Map<String, Value>) -> Result<usize, EditError> {
        self.mapping()?;
        patched_name(&fields, "name", EditError::NameMissing)?;
        let (index, _) = self.section(address)?;
        let sections = self.sections_mut()?;
        merge(&mut sections[index], fields, || format!("section `{address}`"))?;
        self.changed();
        Ok(index)
    }

    /// Removes a section; later ones move up.
    ///
    /// # Errors
    /// As for [`Document::section`].
    pub fn delete_section(&mut self, address: &Selector) -> Result<Value, EditError> {
        let (index, _) = self.section(address)?;
        let removed = self.sections_mut()?.remove(index);
        self.changed();
        Ok(removed)
    }

    /// The items of a section; a missing list is an empty one.
    ///
    /// # Errors
    /// As for [`Document::section`]; or the section is not a mapping, or its `items` are not a list.
    pub fn items(&self, section: &Selector) -> Result<&[Value], EditError> {
        let (_, value) = self.section(section)?;
        let fields = value.as_object().ok_or_else(|| broken_section(section))?;
        list(fields.get("items"), || items_of(section))
    }

    /// An item and its index. An element that is not a mapping is returned unchanged.
    ///
    /// # Errors
    /// As for [`Document::items`], or there is no such item.
    pub fn item(&self, section: &Selector, address: &Selector) -> Result<(usize, &Value), EditError> {
        let items = self.items(section)?;
        let index = address
            .find(items, "title")
            .ok_or_else(|| EditError::ItemNotFound { section: section.clone(), address: address.clone() })?;
        Ok((index, &items[index]))
    }

    /// Appends an item to a section, creating the list if necessary, and returns its index.
    ///
    /// # Errors
    /// The top level is not a mapping, the item has no title (checked before the section), there is no such section, or
    /// its `items` are not a list.
    pub fn add_item(&mut self, section: &Selector, item: Map<String, Value>) -> Result<usize, EditError> {
        self.mapping()?;
        named(&item, "title", EditError::TitleMissing)?;
        let items = self.items_mut(section)?;
        items.push(Value::Object(item));
        let index = items.len() - 1;
        self.changed();
        Ok(index)
    }

    /// Merges fields into an item, replacing nested values as a whole, and returns the item's index.
    ///
    /// # Errors
    /// The top level is not a mapping, the new title is not valid, or there is no such section or item.
    pub fn patch_item(
        &mut self,
        section: &Selector,
        address: &Selector,
        fields: Map<String, Value>,
    ) -> Result<usize, EditError> {
        self.mapping()?;
        patched_name(&fields, "title", EditError::TitleMissing)?;
        let (index, _) = self.item(section, address)?;
        let items = self.items_mut(section)?;
        merge(&mut items[index], fields, || format!("item `{address}` of section `{section}`"))?;
        self.changed();
        Ok(index)
    }

    /// Removes an item; later ones move up.
    ///
    /// # Errors
    /// As for [`Document::item`].
    pub fn delete_item(&mut self, section: &Selector, address: &Selector) -> Result<Value, EditError> {
        let (index, _) = self.item(section, address)?;
        let removed = self.items_mut(section)?.remove(index);
        self.changed();
        Ok(removed)
    }

    /// Removes keys that older software left in the file (docs/spec/config.md 14).
    pub(super) fn drop_leftovers(&mut self) {
        let sections = self.value.get_mut("sections").and_then(Value::as_array_mut);
        for section in sections.into_iter().flatten().filter_map(Value::as_object_mut) {
            section.shift_remove("filteredItems");
        }
    }

    fn changed(&mut self) {
        self.source = None;
        self.drop_leftovers();
    }

    fn mapping_mut(&mut self) -> Result<&mut Map<String, Value>, EditError> {
        self.value.as_object_mut().ok_or(EditError::NotAMapping)
    }

    fn sections_mut(&mut self) -> Result<&mut Vec<Value>, EditError> {
        list_mut(self.mapping_mut()?, "sections", || "`sections`".to_owned())
    }

    fn items_mut(&mut self, section: &Selector) -> Result<&mut Vec<Value>, EditError> {
        let (index, _) = self.section(section)?;
        let fields = self
            .value
            .get_mut("sections")
            .and_then(|sections| sections.get_mut(index))
            .and_then(Value::as_object_mut)
            .ok_or_else(|| broken_section(section))?;
        list_mut(fields, "items", || items_of(section))
    }
}

fn list(value: Option<&Value>, what: impl FnOnce() -> String) -> Result<&[Value], EditError> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(elements)) => Ok(elements),
        Some(_) => Err(EditError::NotAList { what: what() }),
    }
}

fn list_mut<'a>(
    fields: &'a mut Map<String, Value>,
    key: &str,
    what: impl FnOnce() -> String,
) -> Result<&'a mut Vec<Value>, EditError> {
    let value = fields.entry(key).or_insert(Value::Null);
    if value.is_null() {
        *value = Value::Array(Vec::new());
    }
    value.as_array_mut().ok_or_else(|| EditError::NotAList { what: what() })
}

fn merge(element: &mut Value, fields: Map<String, Value>, what: impl FnOnce() -> String) -> Result<(), EditError> {
    let stored = element.as_object_mut().ok_or_else(|| EditError::BrokenElement { what: what() })?;
    stored.extend(fields);
    Ok(())
}

fn named(fields: &Map<String, Value>, key: &str, error: EditError) -> Result<(), EditError> {
    match fields.get(key) {
        Some(Value::String(name)) if !name.is_empty() => Ok(()),
        _ => Err(error),
    }
}

fn patched_name(fields: &Map<String, Value>, key: &str, error: EditError) -> Result<(), EditError> {
    if fields.contains_key(key) { named(fields, key, error) } else { Ok(()) }
}

fn broken_section(section: &Selector) -> EditError {
    EditError::BrokenElement { what: format!("section `{section}`") }
}

fn items_of(section: &Selector) -> String {
    format!("`items` of section `{section}`")
}
