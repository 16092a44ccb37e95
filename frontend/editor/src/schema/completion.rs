//! Completions and hints for a position in the text of a config.
//!
//! The position is resolved by indentation, line by line, because a text that is being typed is rarely valid YAML. There are no
//! completions or hints inside flow style (`{ … }`, `[ … ]`).

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::Value;

use super::Schema;
use crate::texts::{field_text, fill, t};

/// Schemas refer to each other; no real path is longer.
const MAX_DEPTH: usize = 12;
/// A hint lists the values of a key only if there are no more than these.
const MAX_VALUES: usize = 20;

/// What can be typed at a position.
#[derive(Debug, PartialEq, Eq)]
pub struct Completions {
    /// Where the word at the position begins: a column in bytes.
    pub from: usize,
    /// What fits there.
    pub options: Vec<Completion>,
}

/// A key or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The key or the value.
    pub label: String,
    /// What the list says beside it.
    pub detail: Option<String>,
    /// What it means.
    pub info: Option<String>,
    /// What is inserted, in the form that YAML reads.
    pub apply: String,
}

/// What a key means.
#[derive(Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where the key begins: a column in bytes.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The lines of the hint.
    pub lines: Vec<String>,
}

impl Schema {
    /// Completions at a position: keys where a key begins, values after a key or a dash. `row` counts from zero, `column` is in
    /// bytes.
    #[must_use]
    pub fn completions(&self, lines: &[&str], row: usize, column: usize) -> Option<Completions> {
        let before = lines.get(row)?.get(..column)?;
        if is_comment(before) {
            return None;
        }
        let dashes = before_key(before);
        if let Some((key, typed)) = key_before(&before[dashes..]) {
            let mut path = ancestors(lines, row, dashes);
            path.push(Token { row, column: dashes, key: Some(Key { name: key, width: 0, value: "" }) });
            let nodes = self.values_of_path(lines, &path);
            return Some(Completions { from: column - typed.len(), options: values(&nodes) });
        }
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        if !before[dashes..].chars().all(is_word) {
            return None;
        }
        let known = siblings(lines, row, dashes);
        let kind = type_in(&known);
        let path = ancestors(lines, row, dashes);
        let nodes: Vec<_> =
            self.nodes(lines, &path).into_iter().flat_map(|node| self.expanded(node, &kind, 0)).collect();
        let keys = nodes.iter().filter_map(|node| node["properties"].as_object()).flatten();
        let new = keys.filter(|(key, node)| !known.contains_key(key.as_str()) && node["deprecated"] != true);
        let mut options: Vec<_> = new.map(|(key, node)| self.key_completion(key, node)).collect();
        if before[..dashes].contains('-') {
            options.extend(values(&nodes));
        }
        Some(Completions { from: dashes, options })
    }

    fn key_completion(&self, key: &str, node: &Value) -> Completion {
        let all = self.expanded(node, "", 0);
        let is_block = all.iter().any(|part| part["properties"].is_object() || !part["items"].is_null());
        Completion {
            label: key.to_owned(),
            detail: None,
            info: all.iter().find_map(|part| part["description"].as_str()).map(field_text),
            apply: if is_block { format!("{key}:") } else { format!("{key}: ") },
        }
    }

    /// The hint for the key at a position; `None` elsewhere. `row` counts from zero, `column` is in bytes.
    #[must_use]
    pub fn hint(&self, lines: &[&str], row: usize, column: usize) -> Option<Hint> {
        let token = tokens(lines.get(row)?, row).pop()?;
        let width = token.key.as_ref()?.width;
        let (from, to) = (token.column, token.column + width);
        if !(from..=to).contains(&column) {
            return None;
        }
        let mut path = ancestors(lines, row, from);
        path.push(token);
        let nodes = self.values_of_path(lines, &path);
        let about = nodes.iter().find_map(|node| node["description"].as_str())?;
        let mut hint = vec![field_text(about)];
        let words: Vec<_> = values(&nodes).into_iter().map(|value| value.label).collect();
        if (1..=MAX_VALUES).contains(&words.len()) {
            hint.push(fill("Values: {values}.", &[("values", &words.join(", "))]));
        }
        let preset = nodes.iter().map(|node| &node["default"]).find(|value| !value.is_null());
        if let Some(preset) = preset.map(word).filter(|word| !word.is_empty()) {
            hint.push(fill("Default: {value}.", &[("value", &preset)]));
        }
        Some(Hint { from, to, lines: hint })
    }

    /// What the schema says about the value at the end of a path.
    fn values_of_path<'a>(&'a self, lines: &[&str], path: &[Token]) -> Vec<&'a Value> {
        self.nodes(lines, path).into_iter().flat_map(|node| self.expanded(node, "", 0)).collect()
    }

    /// The schemas for the end of a path: for the value of a key, or for the elements of a list.
    fn nodes<'a>(&'a self, lines: &[&str], path: &[Token]) -> Vec<&'a Value> {
        let mut nodes = vec![&self.0];
        for token in path {
            let kind = type_in(&siblings(lines, token.row, token.column));
            let inside = |node: &'a Value| match &token.key {
                None => Some(&node["items"]).filter(|items| !items.is_null()),
                Some(key) => {
                    let others = &node["additionalProperties"];
                    node["properties"].get(key.name).or_else(|| Some(others).filter(|others| others.is_object()))
                }
            };
            nodes = nodes.into_iter().flat_map(|node| self.expanded(node, &kind, 0)).filter_map(inside).collect();
        }
        nodes
    }

    /// A schema and all schemas that it refers to. Its conditions depend on the type of the widget.
    fn expanded<'a>(&'a self, node: &'a Value, kind: &str, depth: usize) -> Vec<&'a Value> {
        if !node.is_object() || depth > MAX_DEPTH {
            return Vec::new();
        }
        let mut all = vec![node];
        if let Some(name) = node["$ref"].as_str() {
            all.extend(self.expanded(&self.0["$defs"][name.trim_start_matches("#/$defs/")], kind, depth + 1));
        }
        for part in ["anyOf", "oneOf", "allOf"].iter().filter_map(|list| node[list].as_array()).flatten() {
            let part = match &part["if"] {
                Value::Null => part,
                condition => {
                    let types = condition["properties"]["type"]["enum"].as_array();
                    let is_type = |name: &Value| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case(kind));
                    if types.is_some_and(|types| types.iter().any(is_type)) { &part["then"] } else { continue }
                }
            };
            all.extend(self.expanded(part, kind, depth + 1));
        }
        all
    }
}

/// A key, or the dash of an element of a list.
#[derive(Debug)]
struct Token<'a> {
    row: usize,
    column: usize,
    /// `None` for a dash.
    key: Option<Key<'a>>,
}

#[derive(Debug)]
struct Key<'a> {
    name: &'a str,
    /// Its width as it is written, with quotes.
    width: usize,
    /// What follows it on its line.
    value: &'a str,
}

/// The dashes and the key of a line.
fn tokens(line: &str, row: usize) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while let Some(after) = rest.strip_prefix('-').filter(|after| ends_here(after)) {
        found.push(Token { row, column: line.len() - rest.len(), key: None });
        rest = after.trim_start();
    }
    if let Some(key) = key_of(rest) {
        found.push(Token { row, column: line.len() - rest.len(), key: Some(key) });
    }
    found
}

/// Whether a sign before this text stands alone.
fn ends_here(after: &str) -> bool {
    after.is_empty() || after.starts_with(char::is_whitespace)
}

fn key_of(text: &str) -> Option<Key<'_>> {
    let (name, width) = match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = end_of_quoted(text, quote)?;
            (&text[1..end], end + 1)
        }
        '[' | ']' | '{' | '}' | ',' | '#' | '&' | '*' | '!' | '|' | '>' | '%' | '@' | '`' | '-' | ':' => return None,
        _ => {
            let name = text[..text.find([':', '#'])?].trim_end();
            (name, name.len())
        }
    };
    let value = text[width..].trim_start().strip_prefix(':').filter(|value| ends_here(value))?;
    Some(Key { name, width, value: value.trim() })
}

/// The position of the quote that ends a quoted text. In double quotes, a backslash precedes any sign; in single quotes, a quote
/// is written twice.
fn end_of_quoted(text: &str, quote: char) -> Option<usize> {
    let mut signs = text.char_indices().skip(1).peekable();
    while let Some((position, sign)) = signs.next() {
        if sign == '\\' && quote == '"' {
            signs.next();
        } else if sign == quote {
            match signs.next_if(|(_, next)| quote == '\'' && *next == quote) {
                Some(_) => {}
                None => return Some(position),
            }
        }
    }
    None
}

/// The keys and dashes that contain a position, from the outermost to the innermost.
fn ancestors<'a>(lines: &[&'a str], row: usize, column: usize) -> Vec<Token<'a>> {
    let mut path = Vec::new();
    let (mut inner, mut is_inner_dash) = (column, false);
    for at in (0..=row).rev() {
        if inner == 0 && !is_inner_dash {
            break;
        }
        for token in tokens(lines[at], at).into_iter().rev() {
            if at == row && token.column >= column {
                continue;
            }
            let is_dash = token.key.is_none();
            // A list may begin in the column of its key.
            if token.column < inner || is_inner_dash && !is_dash && token.column == inner {
                (inner, is_inner_dash) = (token.column, is_dash);
                path.push(token);
            }
        }
    }
    path.reverse();
    path
}

/// The keys and values of the mapping around a row whose keys begin in a column.
fn siblings<'a>(lines: &[&'a str], row: usize, column: usize) -> BTreeMap<&'a str, &'a str> {
    let mut found = BTreeMap::new();
    // Collects the keys of a row. Returns whether the mapping goes on beyond it.
    let mut collect = |at: usize, upwards: bool| {
        let line = tokens(lines[at], at);
        let begins = line.iter().any(|token| token.column < column);
        for token in line {
            if let Some(key) = token.key.filter(|_| token.column == column && (upwards || !begins)) {
                found.insert(key.name, key.value);
            }
        }
        !begins
    };
    (0..=row).rev().all(|at| collect(at, true));
    (row + 1..lines.len()).all(|at| collect(at, false));
    found
}

/// The type of the widget that has these keys, in small letters.
fn type_in(keys: &BTreeMap<&str, &str>) -> String {
    let value = keys.get("type").copied().unwrap_or_default();
    let comment = value.match_indices('#').find(|(at, _)| value[..*at].ends_with(char::is_whitespace));
    let value = value[..comment.map_or(value.len(), |(at, _)| at)].trim_end();
    let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    quoted.unwrap_or(value).to_lowercase()
}

/// Whether a position is in a comment, given its line up to there.
fn is_comment(before: &str) -> bool {
    before.match_indices('#').any(|(at, _)| at == 0 || before[..at].ends_with(char::is_whitespace))
}

/// The width of the spaces and dashes before a key.
fn before_key(line: &str) -> usize {
    let mut rest = line.trim_start();
    while let Some(after) = rest.strip_prefix('-').filter(|after| after.starts_with(char::is_whitespace)) {
        rest = after.trim_start();
    }
    line.len() - rest.len()
}

/// The key before a value that is being typed, and the value.
fn key_before(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(':')?;
    let key = key.trim_end();
    let is_plain = !key.is_empty() && !key.starts_with(['"', '\'', '[', ']', '{', '}', '-']) && !key.contains('#');
    let typed = value.trim_start();
    let is_value = typed.len() < value.len() && !typed.contains(char::is_whitespace);
    (is_plain && is_value).then_some((key, typed))
}

/// The values that schemas name.
fn values(nodes: &[&Value]) -> Vec<Completion> {
    let mut found: Vec<Completion> = Vec::new();
    let mut add = |value: &Value, detail: Option<String>| {
        let label = word(value);
        if !found.iter().any(|known| known.label == label) {
            let apply = if value.is_string() { scalar(&label).into_owned() } else { label.clone() };
            found.push(Completion { label, detail, info: None, apply });
        }
    };
    for node in nodes {
        let constant = node.get("const");
        for value in node["enum"].as_array().into_iter().flatten().chain(constant) {
            add(value, None);
        }
        let kind = &node["type"];
        if kind == "boolean" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "boolean")) {
            add(&true.into(), None);
            add(&false.into(), None);
        }
    }
    for value in nodes.iter().filter_map(|node| node["examples"].as_array()).flatten() {
        if value.is_string() || value.is_number() || value.is_boolean() {
            add(value, Some(t("example")));
        }
    }
    found
}

/// A text, a number or a truth value as a person reads it; empty for anything else.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
        value => value.to_string(),
    }
}

/// A text as a YAML scalar, quoted if it has to be.
fn scalar(text: &str) -> Cow<'_, str> {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "_./:@ -".contains(sign);
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/')
        && text.chars().all(is_sign)
        && !text.contains(": ")
        && !text.ends_with([':', ' '])
        && !["true", "false", "null", "yes", "no", "on", "off"].iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_plain { text.into() } else { Value::from(text).to_string().into() }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::schema, *};

    /// The lines without the mark, and the position of the mark.
    fn marked(text: &str) -> (String, usize, usize) {
        let before = text.split('¦').next().unwrap();
        let column = before.rsplit('\n').next().unwrap().len();
        (text.replace('¦', ""), before.matches('\n').count(), column)
    }

    fn completions(text: &str) -> Vec<Completion> {
        let (text, row, column) = marked(text);
        let lines: Vec<_> = text.split('\n').collect();
        schema().completions(&lines, row, column).map(|found| found.options).unwrap_or_default()
    }

    fn offered(text: &str) -> Vec<String> {
        completions(text).into_iter().map(|option| option.label).collect()
    }

    fn hint(text: &str) -> Option<String> {
        let (text, row, column) = marked(text);
        let lines: Vec<_> = text.split('\n').collect();
        schema().hint(&lines, row, column).map(|hint| hint.lines.join("\n"))
    }

    #[test]
    fn keys_are_offered_where_they_fit() {
        let cases: [(&str, &[&str], &str); 9] = [
            ("¦", &["pageInfo", "appConfig", "sections", "pages"], "title"),
            ("pageInfo:\n  title: A\n  ¦", &["description", "navLinks", "logo"], "title"),
            ("sections:\n- name: A\n  ¦", &["items", "widgets", "icon"], "name"),
            (
                "sections:\n  - name: A\n    items:\n      - title: B\n        u¦\n      - title: C",
                &["url", "icon", "tags"],
                "title",
            ),
            ("sections:\n  - name: A\n    items:\n      - ¦", &["title", "url"], "name"),
            ("sections:\n  - name: A\n    items:\n    - title: B\n      ¦", &["url", "statusCheck"], "items"),
            ("appConfig:\n  webSearch:\n    ¦\n  theme: nord\n", &["searchEngine", "openingMethod"], "theme"),
            (
                "sections:\n  - widgets:\n      - type: Clock\n        options:\n          ¦",
                &["timeZone", "hideDate"],
                "label",
            ),
            (
                "sections:\n  - widgets:\n      - options:\n          ¦\n        type: clock\n      - type: joke",
                &["timeZone"],
                "label",
            ),
        ];
        for (text, fits, not) in cases {
            let found = offered(text);
            for key in fits {
                assert!(found.iter().any(|one| one == key), "{key} in {text}: {found:?}");
            }
            assert!(!found.iter().any(|one| one == not), "{not} in {text}");
        }
    }

    #[test]
    fn old_keys_and_unknown_places_give_no_completions() {
        assert!(!offered("sections:\n  - ¦").contains(&"filteredItems".to_owned()));
        for text in ["nobody:\n  knows:\n    ¦", "# pageInfo: ¦", "pageInfo: { ti¦ }"] {
            assert_eq!(offered(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn values_are_offered_after_their_key_as_yaml_reads_them() {
        assert!(offered("appConfig:\n  layout: ¦").contains(&"masonry".to_owned()));
        assert_eq!(offered("appConfig:\n  disableConfiguration: ¦"), ["true", "false"]);
        assert!(offered("sections:\n  - widgets:\n      - type: cl¦").contains(&"clock".to_owned()));
        let colors = completions("pageInfo:\n  color: ¦");
        assert_eq!(colors.iter().find(|color| color.label == "#0b3a4a").unwrap().apply, "\"#0b3a4a\"");
        assert_eq!(
            ["on", "a: b", "a:", "Off", "-1", ""].map(scalar),
            ["on", "a: b", "a:", "Off", "-1", ""].map(|text| format!("{text:?}"))
        );
        assert_eq!(["/x y", "nord-frost", "ab:cd"].map(scalar), ["/x y", "nord-frost", "ab:cd"]);
    }

    #[test]
    fn keys_are_explained_with_their_values_and_their_default() {
        let layout = hint("appConfig:\n  lay¦out: auto").unwrap();
        let (about, rest) = layout.split_once("Values: auto, horizontal").unwrap();
        assert!(about.contains("placed on the home view") && rest.contains("Default: auto."), "{layout}");
        let seconds =
            hint("sections:\n  - widgets:\n      - type: clock\n        options:\n          hide¦Seconds: true");
        assert!(seconds.unwrap().contains("Hides the seconds"));
        for text in ["\"page¦Info\":\n  title: A", "'pageInfo'¦ :\n", "¦pageInfo :"] {
            assert!(hint(text).unwrap().contains("Title, header links"), "{text}");
        }
        for text in ["pageInfo:\n  title: A¦bc", "nobody: 1\nkno¦ws: 2", "pageInfo:¦", "  ¦", "it's¦: 1"] {
            assert_eq!(hint(text), None, "{text}");
        }
    }

    #[test]
    fn block_text_and_comments_do_not_mislead() {
        assert!(offered("pageInfo:\n  # about: it\n\n  title: A\n  ¦").contains(&"footer".to_owned()));
        let commented =
            "sections:\n  - name: A\n\n    # widgets\n    widgets:\n      # one\n      - type: clock # it\n        ¦";
        assert!(offered(commented).contains(&"label".to_owned()));
        let typed = "sections:\n  - widgets:\n      - type: 'Clock' # it\n        options:\n          ¦";
        assert!(offered(typed).contains(&"timeZone".to_owned()));
    }

    #[test]
    fn texts_in_other_scripts_have_positions_too() {
        let (text, row, column) = marked("pageInfo:\n  title: Größe ✓\n  ¦");
        let lines: Vec<_> = text.split('\n').collect();
        assert_eq!(schema().completions(&lines, row, column).unwrap().from, 2);
        // Not at the border of a letter.
        assert_eq!(schema().completions(&["ß"], 0, 1), None);
        assert_eq!(schema().hint(&["ß"], 3, 1), None);
    }
}
