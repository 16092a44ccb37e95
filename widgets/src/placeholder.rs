//! Names of environment variables in options (docs/spec/widgets.md 5). Used only by the server, on the contents of its
//! own files.

use serde_json::{Map, Value};

use crate::OptionProblems;

/// The prefixes of variables that may be used. Other variables are out of reach.
const PREFIXES: [&str; 4] = ["VUE_APP_", "VITE_APP_", "DASHY_", "PORTICO_"];

/// Whether an environment variable with this name may be used in options.
#[must_use]
pub fn is_variable(name: &str) -> bool {
    next_name(name, 0) == Some((0, name.len()))
}

/// Whether a value of these options names an environment variable.
#[must_use]
pub fn names_variable(options: &Map<String, Value>) -> bool {
    options.values().any(any_name)
}

/// The name of an option in the style of environment variables: `apiKey` becomes `API_KEY`.
pub(crate) fn variable_name(option: &str) -> String {
    let mut name = String::new();
    for character in option.chars() {
        if character.is_ascii_uppercase() && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        name.push(if character.is_ascii_alphanumeric() { character.to_ascii_uppercase() } else { '_' });
    }
    name
}

/// Whether a text names an environment variable.
pub(crate) fn names_a_variable(text: &str) -> bool {
    next_name(text, 0).is_some()
}

fn any_name(value: &Value) -> bool {
    match value {
        Value::String(text) => names_a_variable(text),
        Value::Array(values) => values.iter().any(any_name),
        Value::Object(values) => values.values().any(any_name),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Replaces the names of environment variables in the values of these options, at any depth, if they are whole words. A
/// variable that is not set is reported as a problem, and its name stays. The values of variables are not searched
/// again.
pub fn resolve(
    options: &mut Map<String, Value>,
    lookup: &dyn Fn(&str) -> Option<String>,
    problems: &mut OptionProblems,
) {
    options.values_mut().for_each(|value| resolve_value(value, lookup, problems));
}

fn resolve_value(value: &mut Value, lookup: &dyn Fn(&str) -> Option<String>, problems: &mut OptionProblems) {
    match value {
        Value::String(text) => {
            if let Some(resolved) = resolve_text(text, lookup, problems) {
                *text = resolved;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| resolve_value(value, lookup, problems)),
        Value::Object(values) => values.values_mut().for_each(|value| resolve_value(value, lookup, problems)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn resolve_text(text: &str, lookup: &dyn Fn(&str) -> Option<String>, problems: &mut OptionProblems) -> Option<String> {
    let mut resolved = String::new();
    let mut done = 0;
    while let Some((start, end)) = next_name(text, done) {
        let name = &text[start..end];
        resolved.push_str(&text[done..start]);
        match lookup(name) {
            Some(value) => resolved.push_str(value.trim_end_matches(['\r', '\n'])),
            None => {
                problems.error(format!("The environment variable {name} is not set."));
                resolved.push_str(name);
            }
        }
        done = end;
    }
    (done > 0).then(|| resolved + &text[done..])
}

/// The start and end of the next name.
fn next_name(text: &str, from: usize) -> Option<(usize, usize)> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut at = from;
    loop {
        let rest = &text[at..];
        let start = at + PREFIXES.iter().filter_map(|prefix| rest.find(prefix)).min()?;
        let word = &text[start..];
        let end = start + word.find(|character| !is_word(character)).unwrap_or(word.len());
        let name = &text[start..end];
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && PREFIXES.iter().any(|prefix| name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty()));
        if is_name && !text[..start].ends_with(is_word) {
            return Some((start, end));
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lookup(name: &str) -> Option<String> {
        match name {
            "VUE_APP_KEY" => Some("k3y\r\n".to_owned()),
            "DASHY_HOST" => Some("nas.lan".to_owned()),
            "PORTICO_LOOP" => Some("VUE_APP_KEY".to_owned()),
            "HOME" => Some("never".to_owned()),
            _ => None,
        }
    }

    #[test]
    fn names_are_replaced_as_whole_words() {
        for (written, expected) in [
            ("VUE_APP_KEY", "k3y"),
            ("http://DASHY_HOST:8080/VUE_APP_KEY/x", "http://nas.lan:8080/k3y/x"),
            ("Bearer VUE_APP_KEY", "Bearer k3y"),
            ("PORTICO_LOOP", "VUE_APP_KEY"),
            ("MY_VUE_APP_KEY", "MY_VUE_APP_KEY"),
            ("XVUE_APP_KEY VUE_APP_KEY", "XVUE_APP_KEY k3y"),
            ("VUE_APP_ HOME", "VUE_APP_ HOME"),
            ("vue_app_key", "vue_app_key"),
            ("ÄVUE_APP_KEY", "ÄVUE_APP_KEY"),
        ] {
            let mut options = Map::from_iter([("a".to_owned(), json!([{ "b": written }]))]);
            let named = names_variable(&options);
            let mut problems = OptionProblems::default();
            resolve(&mut options, &lookup, &mut problems);
            assert_eq!(options["a"][0]["b"], expected, "{written}");
            assert_eq!(named, written != expected, "{written}");
            assert_eq!(problems, OptionProblems::default(), "{written}");
        }
    }

    #[test]
    fn a_name_that_is_not_set_is_an_error() {
        let mut options = Map::from_iter([("apiKey".to_owned(), json!("VITE_APP_NONE"))]);
        let mut problems = OptionProblems::default();
        resolve(&mut options, &lookup, &mut problems);
        assert_eq!(problems.errors(), ["The environment variable VITE_APP_NONE is not set."]);
        assert_eq!(options["apiKey"], "VITE_APP_NONE");
    }
}
