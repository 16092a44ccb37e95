//! What each widget makes of responses in which one field is missing or has another type. The snapshot lists the fields
//! without which there is no panel: only what a widget cannot do without belongs there.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
};

use futures_util::FutureExt;
use serde_json::{Value, json};

use super::{
    Kind,
    tests::{cases, folder},
};
use crate::{Case, Panel};

/// Most members of an object, and most fields of a response, that are changed.
const MAX_MEMBERS: usize = 40;
const MAX_FIELDS: usize = 250;

/// The first word of a loss that must never happen.
const PANICS: &str = "panics";

/// The way to a value in a document.
type Path = Vec<Segment>;

#[derive(Clone, Debug, PartialEq)]
enum Segment {
    Member(String),
    /// An entry of a list, and the number of entries.
    Entry(usize, usize),
}

/// What happens to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mutation {
    Removed,
    Null,
    AnotherType,
    /// A number far out of any range, or a text without letters.
    Extreme,
}

const CHANGES: [Mutation; 4] = [Mutation::Removed, Mutation::Null, Mutation::AnotherType, Mutation::Extreme];

#[test]
fn one_wrong_field_costs_no_more_than_itself() {
    let mut needed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut costly = Vec::new();
    for kind in Kind::ALL.iter().copied() {
        let is_good = |(name, case): &(String, Case)| name == "example" && case.action.is_none();
        let Some((_, mut case)) = cases(kind).into_iter().find(is_good) else { continue };
        read_bodies(kind, &mut case);
        for exchange in 0..case.exchanges.len() {
            let Some(body) = case.exchanges[exchange].response.body.clone().filter(|body| !body.is_string()) else {
                continue;
            };
            let mut paths = Vec::new();
            find_paths(&body, &mut Vec::new(), &mut paths);
            paths.truncate(MAX_FIELDS);
            for path in paths {
                for change in CHANGES {
                    let mut changed = case.clone();
                    let mut body = body.clone();
                    if !apply(change, &path, &mut body) {
                        continue;
                    }
                    changed.exchanges[exchange].response.body = Some(body);
                    let place = format!("{} {} {change:?}", kind.name(), display_path(&path));
                    let Some(sentence) = loss(kind, &changed) else { continue };
                    let url = &case.exchanges[exchange].request.url;
                    let is_one_of_many = matches!(path.last(), Some(Segment::Entry(_, count)) if *count > 1);
                    if is_one_of_many || sentence.starts_with(PANICS) {
                        costly.push(format!("{place}: {sentence}"));
                    }
                    let address = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
                    let field = format!(
                        "{} {}: {sentence}",
                        address.split('?').next().unwrap_or_default(),
                        display_path(&path)
                    );
                    needed.entry(kind.name().to_owned()).or_default().insert(field);
                }
            }
        }
    }
    insta::assert_yaml_snapshot!(needed);
    assert_eq!(costly, Vec::<String>::new(), "one entry of a list costs the whole panel, or the widget panics");
}

/// Turns the bodies that are JSON in a text or in a file into values.
fn read_bodies(kind: Kind, case: &mut Case) {
    for response in case.exchanges.iter_mut().map(|exchange| &mut exchange.response) {
        let text = match (&response.body, &response.body_file) {
            (Some(Value::String(text)), _) => text.clone(),
            (None, Some(name)) => String::from_utf8_lossy(&fs::read(folder(kind).join(name)).unwrap()).into_owned(),
            _ => continue,
        };
        if let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(&text) {
            response.body = Some(value);
            response.body_file = None;
        }
    }
}

/// The fields of a document: of lists the first and the last entry.
fn find_paths(value: &Value, path: &mut Path, found: &mut Vec<Path>) {
    let mut visit = |step: Segment, inner: &Value| {
        path.push(step);
        found.push(path.clone());
        find_paths(inner, path, found);
        path.pop();
    };
    match value {
        Value::Object(members) => {
            for (name, inner) in members.iter().take(MAX_MEMBERS) {
                visit(Segment::Member(name.clone()), inner);
            }
        }
        Value::Array(entries) => {
            let ends = BTreeSet::from([0, entries.len().saturating_sub(1)]);
            for (at, inner) in ends.into_iter().filter_map(|at| Some((at, entries.get(at)?))) {
                visit(Segment::Entry(at, entries.len()), inner);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Changes the field at this path. Returns whether that makes a difference.
fn apply(change: Mutation, path: &[Segment], document: &mut Value) -> bool {
    let Some((last, before)) = path.split_last() else { return false };
    let parent = before.iter().try_fold(document, |value, step| match step {
        Segment::Member(name) => value.get_mut(name),
        Segment::Entry(at, _) => value.get_mut(*at),
    });
    let Some(parent) = parent else { return false };
    if change == Mutation::Removed {
        match (last, parent) {
            (Segment::Member(name), Value::Object(members)) => _ = members.remove(name),
            (Segment::Entry(at, _), Value::Array(entries)) => _ = entries.remove(*at),
            _ => return false,
        }
        return true;
    }
    let field = match last {
        Segment::Member(name) => parent.get_mut(name),
        Segment::Entry(at, _) => parent.get_mut(*at),
    };
    let Some(field) = field else { return false };
    let other = match (change, &*field) {
        (Mutation::Null, _) => Value::Null,
        (Mutation::AnotherType, Value::Array(_) | Value::Object(_)) => json!("odd"),
        (Mutation::AnotherType, _) => json!({ "odd": [1] }),
        (Mutation::Extreme, Value::Number(number)) if number.as_f64().is_some_and(|number| number > 1e3) => {
            json!(-1e300)
        }
        (Mutation::Extreme, Value::Number(_)) => json!(1e300),
        (Mutation::Extreme, Value::String(_)) => json!(" "),
        _ => return false,
    };
    let is_other = *field != other;
    *field = other;
    is_other
}

/// Why there is no panel. What leads to a request that is not recorded is no loss.
fn loss(kind: Kind, case: &Case) -> Option<String> {
    let (entry, _) = case.entry();
    let recorded = case.recorded(|file| fs::read(folder(kind).join(file))).unwrap();
    let fetch = || kind.fetch(&entry, &recorded).now_or_never().expect("recordings answer at once");
    let Ok(result) = catch_unwind(AssertUnwindSafe(fetch)) else { return Some(PANICS.to_owned()) };
    match result {
        Ok(panel) => {
            let text = serde_json::to_string(&panel).unwrap();
            serde_json::from_str::<Panel>(&text).err().map(|error| format!("{PANICS} in the browser: {error}"))
        }
        Err(error) => Some(error.to_string()).filter(|sentence| !sentence.contains("is not recorded")),
    }
}

/// A path without the positions of entries: `data.items[].name`.
fn display_path(path: &[Segment]) -> String {
    path.iter().fold(String::new(), |shown, step| match step {
        Segment::Member(name) if shown.is_empty() => name.clone(),
        Segment::Member(name) => format!("{shown}.{name}"),
        Segment::Entry(..) => format!("{shown}[]"),
    })
}
