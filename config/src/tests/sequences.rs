//! Arbitrary changes, one after the other: a document behaves like a plain list of lists, and after each change its
//! text reads back the same.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{Document, Selector, TopLevelKey};

/// One change, with addresses as in the path of a request.
#[derive(Clone, Debug)]
enum Change {
    AddSection(Map<String, Value>),
    PatchSection(String, Map<String, Value>),
    DeleteSection(String),
    AddItem(String, Map<String, Value>),
    PatchItem(String, String, Map<String, Value>),
    DeleteItem(String, String),
    SetKey(TopLevelKey, Value),
}

/// Only a few names, so that they are found and occur twice; some look like indexes and numbers.
fn name() -> impl Strategy<Value = String> {
    let names = ["A", "B", "a", "0", "2", "-1", "1.5", "00", "A/B & C", "Größe 日本", " A", "99999999999999999999"];
    prop_oneof![9 => prop::sample::select(names.to_vec()).prop_map(str::to_owned), 1 => any::<String>()]
}

/// What somebody may have written by hand in place of a name.
fn written_name() -> impl Strategy<Value = Value> {
    prop_oneof![6 => name().prop_map(Value::from), 1 => Just(json!(-1)), 1 => Just(json!(1.5)), 1 => Just(Value::Null)]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), any::<String>().prop_map(Value::from)];
    leaf.prop_recursive(2, 6, 3, |inner| prop::collection::vec(inner, 0..3).prop_map(Value::from))
}

fn fields(key: &'static str) -> impl Strategy<Value = Map<String, Value>> {
    let known = prop::sample::select(vec!["icon", "tags", "own"]).prop_map(str::to_owned);
    let pair = prop_oneof![4 => (known, value()), 1 => (any::<String>(), value())];
    (prop::collection::vec(pair, 0..4), prop::option::of(written_name())).prop_map(move |(pairs, name)| {
        let mut fields: Map<String, Value> = pairs.into_iter().filter(|(key, _)| key != "filteredItems").collect();
        fields.extend(name.map(|name| (key.to_owned(), name)));
        fields
    })
}

fn change() -> impl Strategy<Value = Change> {
    let keys = prop::sample::select(TopLevelKey::ALL.to_vec());
    prop_oneof![
        3 => fields("name").prop_map(Change::AddSection),
        2 => (name(), fields("name")).prop_map(|(section, fields)| Change::PatchSection(section, fields)),
        1 => name().prop_map(Change::DeleteSection),
        3 => (name(), fields("title")).prop_map(|(section, fields)| Change::AddItem(section, fields)),
        2 => (name(), name(), fields("title")).prop_map(|(section, item, fields)| Change::PatchItem(section, item, fields)),
        1 => (name(), name()).prop_map(|(section, item)| Change::DeleteItem(section, item)),
        1 => (keys, value()).prop_map(|(key, value)| Change::SetKey(key, value)),
    ]
}

fn start() -> impl Strategy<Value = Value> {
    let item = prop_oneof![5 => fields("title").prop_map(Value::from), 1 => Just(json!(5))];
    let items = prop_oneof![4 => prop::collection::vec(item, 0..4).prop_map(Value::from), 1 => Just(json!("text"))];
    let section = (fields("name"), prop::option::of(items)).prop_map(|(mut fields, items)| {
        fields.extend(items.map(|items| ("items".to_owned(), items)));
        Value::from(fields)
    });
    let section = prop_oneof![6 => section, 1 => Just(json!([1]))];
    let sections =
        prop_oneof![6 => prop::collection::vec(section, 0..5).prop_map(Value::from), 1 => Just(json!("text"))];
    prop::option::of(sections).prop_map(|sections| {
        let mut top = Map::from_iter([("madeUp".to_owned(), json!({ "a": [1] }))]);
        top.extend(sections.map(|sections| ("sections".to_owned(), sections)));
        top.into()
    })
}

/// The position that an address means, following the wording of the contract.
fn position(list: &[Value], key: &str, address: &str) -> Option<usize> {
    if !address.is_empty() && address.chars().all(|character| character.is_ascii_digit()) {
        return address.parse::<usize>().ok().filter(|index| *index < list.len());
    }
    (0..list.len()).find(|index| match &list[*index][key] {
        Value::String(name) => name == address,
        Value::Number(number) => address == number.to_string().as_str(),
        _ => false,
    })
}

fn is_named(fields: &Map<String, Value>, key: &str) -> bool {
    fields.get(key).and_then(Value::as_str).is_some_and(|name| !name.is_empty())
}

/// The list at a key, created if it is missing.
fn list<'a>(owner: &'a mut Value, key: &str) -> Option<&'a mut Vec<Value>> {
    let owner = owner.as_object_mut()?;
    if owner.get(key).is_none_or(Value::is_null) {
        owner.insert(key.to_owned(), json!([]));
    }
    owner[key].as_array_mut()
}

/// Makes the change in the plain value; `None` if it must be refused.
fn model(mut top: Value, change: Change) -> Option<Value> {
    if let Change::SetKey(key, value) = change {
        top[key.word()] = value;
        return Some(top);
    }
    let sections = list(&mut top, "sections");
    match change {
        Change::AddSection(fields) => {
            is_named(&fields, "name").then_some(())?;
            sections?.push(fields.into());
        }
        Change::PatchSection(address, fields) => {
            (is_named(&fields, "name") || !fields.contains_key("name")).then_some(())?;
            let sections = sections?;
            let index = position(sections, "name", &address)?;
            sections[index].as_object_mut()?.extend(fields);
        }
        Change::DeleteSection(address) => {
            let sections = sections?;
            sections.remove(position(sections, "name", &address)?);
        }
        Change::AddItem(address, fields) => {
            is_named(&fields, "title").then_some(())?;
            let sections = sections?;
            let index = position(sections, "name", &address)?;
            list(&mut sections[index], "items")?.push(fields.into());
        }
        Change::PatchItem(address, title, fields) => {
            (is_named(&fields, "title") || !fields.contains_key("title")).then_some(())?;
            let sections = sections?;
            let index = position(sections, "name", &address)?;
            let items = list(&mut sections[index], "items")?;
            let index = position(items, "title", &title)?;
            items[index].as_object_mut()?.extend(fields);
        }
        Change::DeleteItem(address, title) => {
            let sections = sections?;
            let index = position(sections, "name", &address)?;
            let items = list(&mut sections[index], "items")?;
            items.remove(position(items, "title", &title)?);
        }
        Change::SetKey(..) => {}
    }
    Some(top)
}

fn edit(document: &mut Document, change: Change) -> bool {
    let at = |address: &str| Selector::parse(address);
    match change {
        Change::AddSection(fields) => document.add_section(fields).is_ok(),
        Change::PatchSection(section, fields) => document.patch_section(&at(&section), fields).is_ok(),
        Change::DeleteSection(section) => document.delete_section(&at(&section)).is_ok(),
        Change::AddItem(section, fields) => document.add_item(&at(&section), fields).is_ok(),
        Change::PatchItem(section, item, fields) => document.patch_item(&at(&section), &at(&item), fields).is_ok(),
        Change::DeleteItem(section, item) => document.delete_item(&at(&section), &at(&item)).is_ok(),
        Change::SetKey(key, value) => document.set_key(key, value).is_ok(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changes_do_what_they_say(start in start(), changes in prop::collection::vec(change(), 1..12)) {
        let mut expected = start.clone();
        let mut document = Document::from_json(start);
        for change in changes {
            let mut changed = document.clone();
            let done = edit(&mut changed, change.clone());
            let wanted = model(expected.clone(), change.clone());
            prop_assert_eq!(done, wanted.is_some(), "{:?}", change);
            // The changed copy is discarded after a rejection, as on the server.
            let Some(wanted) = wanted else { continue };
            expected = wanted;
            document = Document::parse(changed.print().as_bytes()).unwrap();
            // Compared as text, because the order of the keys counts too.
            prop_assert_eq!(document.value().to_string(), expected.to_string(), "{:?}", change);
        }
    }

    #[test]
    fn selectors_find_what_the_contract_says(
        names in prop::collection::vec(written_name(), 0..8),
        address in prop_oneof![name(), any::<String>(), "[0-9]{1,22}"],
    ) {
        let list: Vec<Value> = names.into_iter().map(|name| json!({ "name": name })).collect();
        prop_assert_eq!(Selector::parse(&address).find(&list, "name"), position(&list, "name", &address));
        // In messages, a selector shows what was requested.
        if let Selector::Name(name) = Selector::parse(&address) {
            prop_assert_eq!(name, address);
        }
    }
}
