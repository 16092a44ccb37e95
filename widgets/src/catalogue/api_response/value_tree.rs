//! The values of a response as a tree from which people choose.

use serde_json::{Value, json};

use super::{
    document::{brackets, cut, members},
    field_path::FieldPath,
    value_format::is_date,
};

/// How many entries of each list are in the tree: the most with which it is small enough.
const MAX_ENTRIES: [usize; 5] = [50, 20, 10, 5, 2];
/// Maximum number of members of an object.
const MAX_MEMBERS: usize = 200;
/// Levels below this one are left out.
const MAX_DEPTH: usize = 12;
/// Maximum size of the tree, in bytes of texts.
const MAX_BYTES: usize = 192 * 1024;
/// About what a value takes besides its texts.
const BYTES_OF_VALUE: usize = 64;
/// Maximum number of characters of a name or a value.
const MAX_TEXT: usize = 80;
/// Values at longer paths cannot be chosen.
const MAX_PATH: usize = 400;
/// Words that are written in capitals.
const ABBREVIATIONS: [&str; 12] = ["api", "cpu", "dns", "gpu", "id", "ip", "os", "ram", "ssl", "ui", "url", "vpn"];

/// A value of a response, with those inside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueNode {
    /// Its name, or its position in a list; empty for the whole response.
    pub name: String,
    /// The value; for an object or a list, brackets with the number of values inside.
    pub text: String,
    /// The entry of the option `mappings` that shows it, if it can be chosen.
    pub mapping: Option<Value>,
    /// The values inside.
    pub nodes: Vec<Self>,
    /// How many values inside are left out.
    pub more: usize,
}

impl ValueNode {
    /// The tree of a response, as much of it as a page can show.
    #[must_use]
    pub fn of(root: &Value) -> Self {
        let mut tree = Self::default();
        for max_entries in MAX_ENTRIES {
            let mut builder = Builder { max_entries, left: MAX_BYTES, path: Vec::new() };
            tree = builder.node(root, &Place::default());
            if builder.left > 0 {
                break;
            }
        }
        tree
    }
}

/// Where a value is, in words.
#[derive(Default)]
struct Place<'a> {
    /// The name of the member that it is, or that the list with it is.
    name: &'a str,
    /// The numbers of the entries that it is in: `2` or `2.1`.
    numbers: String,
}

impl Place<'_> {
    /// The name for the page: `uptime_seconds` is “Uptime seconds”.
    fn label(&self) -> String {
        let words = words(self.name);
        [words.as_str(), &self.numbers].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

struct Builder {
    max_entries: usize,
    /// How many bytes the rest may have.
    left: usize,
    /// The steps to the current value.
    path: Vec<String>,
}

impl Builder {
    fn node(&mut self, value: &Value, place: &Place<'_>) -> ValueNode {
        let name = cut(self.path.last().map_or("", String::as_str), MAX_TEXT).into_owned();
        let node = match members(value) {
            None => ValueNode { name, text: shown(value), mapping: self.mapping(value, place), ..ValueNode::default() },
            Some(members) => {
                let text = brackets(value, members.len());
                self.take(name.len() + text.len());
                let max = match value {
                    _ if self.path.len() >= MAX_DEPTH => 0,
                    Value::Array(_) => self.max_entries,
                    _ => MAX_MEMBERS,
                };
                let mut nodes = Vec::new();
                for (index, (step, inner)) in members.iter().take(max).enumerate() {
                    if self.left == 0 {
                        break;
                    }
                    let place = match value {
                        Value::Array(_) if place.numbers.is_empty() => {
                            Place { name: place.name, numbers: (index + 1).to_string() }
                        }
                        Value::Array(_) => {
                            Place { name: place.name, numbers: format!("{}.{}", place.numbers, index + 1) }
                        }
                        _ => Place { name: step, numbers: place.numbers.clone() },
                    };
                    self.path.push(step.clone());
                    nodes.push(self.node(inner, &place));
                    self.path.pop();
                }
                let more = members.len() - nodes.len();
                return ValueNode { name, text, mapping: None, nodes, more };
            }
        };
        let mapping = node.mapping.as_ref().map_or(0, |mapping| mapping.to_string().len());
        self.take(node.name.len() + node.text.len() + mapping);
        node
    }

    fn take(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes + BYTES_OF_VALUE);
    }

    /// The mapping that shows a value; `None` for a list or an object, which is empty.
    fn mapping(&self, value: &Value, place: &Place<'_>) -> Option<Value> {
        let length: usize = self.path.iter().map(|step| step.len() + 1).sum();
        if length > MAX_PATH || value.is_array() || value.is_object() {
            return None;
        }
        let mut mapping = json!({ "field": written(&self.path) });
        let label = place.label();
        if !label.is_empty() {
            mapping["label"] = label.into();
        }
        if let Some(format) = format(place.name, value) {
            mapping["format"] = format.into();
        }
        Some(mapping)
    }
}

/// A path as people write it: with dots, or as a list if a name does not allow that.
fn written(path: &[String]) -> Value {
    let dotted = path.join(".");
    if FieldPath::dotted(&dotted) == FieldPath::of(path) { dotted.into() } else { path.into() }
}

/// A value in one line.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.trim().is_empty() => "\"\"".to_owned(),
        Value::String(text) => cut(text.trim(), MAX_TEXT).into_owned(),
        value => value.to_string(),
    }
}

/// The format of a value, where its name or the value leave no doubt.
fn format(name: &str, value: &Value) -> Option<&'static str> {
    match value {
        Value::String(_) => is_date(value).then_some("date"),
        Value::Number(number) => {
            let words = words(name).to_lowercase();
            match words.rsplit(' ').next().unwrap_or_default() {
                "percent" | "percentage" | "pct" => Some("percent"),
                "bytes" => Some("bytes"),
                "seconds" | "secs" => Some("duration"),
                "timestamp" if number.as_f64().is_some_and(|number| number >= 1e9) => Some("date"),
                _ => number.is_f64().then_some("float"),
            }
        }
        _ => None,
    }
}

/// The words of a name, whether they are divided by signs or by capitals: `diskFree` and `disk_free` are “Disk free”.
pub(super) fn words(name: &str) -> String {
    let mut words = vec![String::new()];
    let mut letters = name.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let is_sign = letter.is_whitespace() || "_-.:/".contains(letter);
        let ends_capitals = before.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase());
        if is_sign || letter.is_uppercase() && (before.is_lowercase() || before.is_numeric() || ends_capitals) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| !is_sign) {
            word.push(letter);
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    let written = |(index, word): (usize, &String)| {
        let lower = word.to_lowercase();
        let is_capitals = word.chars().count() > 1 && !word.chars().any(char::is_lowercase);
        if ABBREVIATIONS.contains(&lower.as_str()) {
            lower.to_uppercase()
        } else if is_capitals {
            word.clone()
        } else if index == 0 {
            let mut letters = lower.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
        } else {
            lower
        }
    };
    words.iter().enumerate().map(written).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::from_value;

    use super::*;

    /// The mappings of all values, with the values that they find.
    fn chosen<'a>(node: &ValueNode, root: &'a Value, found: &mut Vec<(Value, &'a Value)>) {
        if let Some(mapping) = &node.mapping {
            let path: FieldPath = from_value(mapping["field"].clone()).unwrap();
            found.push((mapping.clone(), path.reach(root).unwrap()));
        }
        node.nodes.iter().for_each(|inner| chosen(inner, root, found));
    }

    fn size(node: &ValueNode) -> usize {
        1 + node.nodes.iter().map(size).sum::<usize>()
    }

    #[test]
    fn each_value_has_the_mapping_that_finds_it() {
        let root = json!({
            "uptime_seconds": 86_400,
            "disks": [{ "free": 7, "tags": ["a", "b"] }, { "free": 9 }],
            "a.b": { " c": "x", "": null },
            "0": true,
        });
        let mut found = Vec::new();
        chosen(&ValueNode::of(&root), &root, &mut found);
        let expected = [
            (json!({ "field": "uptime_seconds", "label": "Uptime seconds", "format": "duration" }), json!(86_400)),
            (json!({ "field": "disks.0.free", "label": "Free 1" }), json!(7)),
            (json!({ "field": "disks.0.tags.0", "label": "Tags 1.1" }), json!("a")),
            (json!({ "field": "disks.0.tags.1", "label": "Tags 1.2" }), json!("b")),
            (json!({ "field": "disks.1.free", "label": "Free 2" }), json!(9)),
            (json!({ "field": ["a.b", " c"], "label": "C" }), json!("x")),
            (json!({ "field": ["a.b", ""] }), json!(null)),
            (json!({ "field": "0", "label": "0" }), json!(true)),
        ];
        let found: Vec<_> = found.into_iter().map(|(mapping, value)| (mapping, value.clone())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn names_become_labels() {
        for (name, expected) in [
            ("uptime_seconds", "Uptime seconds"),
            ("diskFree", "Disk free"),
            ("IPAddress", "IP address"),
            ("cpu-load", "CPU load"),
            ("user_id", "User ID"),
            ("HTTPServer2Port", "HTTP server2 port"),
            ("_links", "Links"),
            ("größe", "Größe"),
            ("Already written", "Already written"),
            ("", ""),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn only_what_is_obvious_gets_a_format() {
        for (name, value, expected) in [
            ("uptimeSeconds", json!(5), Some("duration")),
            ("used_percent", json!(12.5), Some("percent")),
            ("sizeBytes", json!(5), Some("bytes")),
            ("timestamp", json!(1_795_251_600), Some("date")),
            ("timestamp", json!(5), None),
            ("load", json!(0.25), Some("float")),
            ("port", json!(8080), None),
            ("seconds", json!("5"), None),
            ("at", json!("2026-11-21T09:00:00Z"), Some("date")),
            ("at", json!("2026-11-21"), Some("date")),
            ("number", json!("20261121"), None),
            ("version", json!("2026-11 or so"), None),
            ("is_on", json!(true), None),
            ("nothing", json!(null), None),
        ] {
            assert_eq!(format(name, &value), expected, "{name}: {value}");
        }
    }

    #[test]
    fn what_is_long_is_cut_and_says_how_much_is_left_out() {
        let root = json!({
            "list": (0..1000).collect::<Vec<_>>(),
            "text": "x".repeat(1000),
            "empty": [],
            "blank": "",
            ("x".repeat(500)): 1,
        });
        let tree = ValueNode::of(&root);
        assert_eq!((tree.text.as_str(), tree.more), ("{5}", 0));
        let [list, text, empty, blank, long] = tree.nodes.as_slice() else { panic!("{tree:?}") };
        assert_eq!((list.text.as_str(), list.nodes.len(), list.more), ("[1000]", 50, 950));
        assert_eq!(text.text, format!("{}…", "x".repeat(80)));
        assert_eq!((empty.text.as_str(), &empty.mapping, blank.text.as_str()), ("[]", &None, "\"\""));
        assert!(blank.mapping.is_some() && long.mapping.is_none());
    }

    #[test]
    fn a_large_response_keeps_what_comes_last() {
        let entry: Value = (0..150).map(|number| (format!("name {number}"), Value::from("x".repeat(60)))).collect();
        let root = json!({ "entries": vec![entry; 60], "total": 60 });
        let tree = ValueNode::of(&root);
        let [entries, total] = tree.nodes.as_slice() else { panic!("{tree:?}") };
        assert_eq!((entries.nodes.len(), entries.more, total.text.as_str()), (5, 55, "60"));
        // More names than fit.
        let deep: Value = (0..200).map(|number| (number.to_string(), entry_of(200))).collect();
        let tree = ValueNode::of(&deep);
        assert!(tree.more > 0 && size(&tree) < 5000, "{} of {}", tree.more, size(&tree));
    }

    fn entry_of(count: usize) -> Value {
        (0..count).map(|number| (number.to_string(), Value::from("y".repeat(60)))).collect()
    }

    #[test]
    fn levels_end_somewhere() {
        let root = (0..60).fold(json!(1), |inner, _| json!({ "a": inner }));
        let tree = ValueNode::of(&root);
        assert_eq!(size(&tree), MAX_DEPTH + 1);
        let mapping = Some(json!({ "field": "" }));
        assert_eq!(ValueNode::of(&json!(5)), ValueNode { text: "5".to_owned(), mapping, ..ValueNode::default() });
    }
}
