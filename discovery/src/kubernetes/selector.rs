//! Label selectors, as `kubectl get --selector` takes them (Kubernetes, "Labels and Selectors").

use std::{
    collections::BTreeMap,
    fmt::{self, Display, Formatter},
};

/// Maximum number of requirements of a selector.
const MAX_REQUIREMENTS: usize = 50;

/// What the labels of an object must be. Without requirements it selects everything.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Selector(Vec<Requirement>);

#[derive(Clone, Debug, Eq, PartialEq)]
struct Requirement {
    label: String,
    condition: Condition,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Condition {
    In(Vec<String>),
    NotIn(Vec<String>),
    Exists,
    Missing,
}

/// Pods of a namespace.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PodGroup {
    /// Their namespace.
    pub namespace: String,
    /// Which of its pods are meant.
    pub selector: Selector,
}

impl Selector {
    /// Reads a text such as `app=films,tier in (web, api),!test`.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, as the rest of a sentence.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let parts = split(text)?;
        if parts.len() > MAX_REQUIREMENTS {
            return Err("has too many requirements");
        }
        parts.into_iter().map(requirement).collect::<Result<_, _>>().map(Self)
    }

    /// Selects what has all of these labels.
    pub fn of(labels: &BTreeMap<String, String>) -> Self {
        let equal = |(label, value): (&String, &String)| Requirement {
            label: label.clone(),
            condition: Condition::In(vec![value.clone()]),
        };
        Self(labels.iter().map(equal).collect())
    }

    /// Whether it selects what has these labels.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.0.iter().all(|Requirement { label, condition }| match (condition, labels.get(label)) {
            (Condition::In(values), value) => value.is_some_and(|value| values.contains(value)),
            (Condition::NotIn(values), value) => value.is_none_or(|value| !values.contains(value)),
            (Condition::Exists, value) => value.is_some(),
            (Condition::Missing, value) => value.is_none(),
        })
    }
}

/// The text that [`Selector::parse`] reads, and the parameter `labelSelector` of the API.
impl Display for Selector {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for (at, Requirement { label, condition }) in self.0.iter().enumerate() {
            if at > 0 {
                formatter.write_str(",")?;
            }
            match condition {
                // Only this form may have an empty value.
                Condition::In(values) if values.len() == 1 => write!(formatter, "{label}={}", values.concat())?,
                Condition::NotIn(values) if values.len() == 1 => write!(formatter, "{label}!={}", values.concat())?,
                Condition::In(values) => write!(formatter, "{label} in ({})", values.join(","))?,
                Condition::NotIn(values) => write!(formatter, "{label} notin ({})", values.join(","))?,
                Condition::Exists => formatter.write_str(label)?,
                Condition::Missing => write!(formatter, "!{label}")?,
            }
        }
        Ok(())
    }
}

/// The parts between commas that are not in parentheses.
fn split(text: &str) -> Result<Vec<&str>, &'static str> {
    let (mut parts, mut start, mut is_inside) = (Vec::new(), 0, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' if is_inside => return Err("has an opening parenthesis too much"),
            '(' => is_inside = true,
            ')' if !is_inside => return Err("has a closing parenthesis too much"),
            ')' => is_inside = false,
            ',' if !is_inside => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if is_inside {
        return Err("lacks a closing parenthesis");
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    Ok(parts)
}

fn requirement(part: &str) -> Result<Requirement, &'static str> {
    let make = |label: &str, condition: Condition| {
        let label = label.trim();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
        if label.is_empty() || !label.chars().all(is_part) {
            return Err("has a label with a name that no label has");
        }
        Ok(Requirement { label: label.to_owned(), condition })
    };
    let one = |value: &str| vec![value.trim().to_owned()];
    if let Some((label, value)) = part.split_once("!=") {
        return make(label, Condition::NotIn(one(value)));
    }
    if let Some((label, value)) = part.split_once("==").or_else(|| part.split_once('=')) {
        return make(label, Condition::In(one(value)));
    }
    if let Some((words, values)) = part.split_once('(') {
        let values = values.trim_end().strip_suffix(')').ok_or("has something after a closing parenthesis")?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        return match words.split_whitespace().collect::<Vec<_>>()[..] {
            [label, "in"] => make(label, Condition::In(values)),
            [label, "notin"] => make(label, Condition::NotIn(values)),
            _ => Err("has neither `in` nor `notin` before a parenthesis"),
        };
    }
    match part.trim().strip_prefix('!') {
        Some(label) => make(label, Condition::Missing),
        None => make(part, Condition::Exists),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_select_as_those_of_kubernetes() {
        let labels: BTreeMap<String, String> =
            [("app", "films"), ("tier", "web")].map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        for (text, expected) in [
            ("", true),
            ("app=films", true),
            ("app == films , tier!=db", true),
            ("app=songs", false),
            ("app=", false),
            ("other!=", true),
            ("app in (songs, films),tier in (web)", true),
            ("app\n notin (\n songs,\n maps\n)", true),
            ("app notin (films)", false),
            ("other notin (films),other!=x", true),
            ("tier", true),
            ("!tier", false),
            ("!other,app", true),
            ("other", false),
        ] {
            let selector = Selector::parse(text);
            assert_eq!(selector.as_ref().map(|selector| selector.matches(&labels)), Ok(expected), "{text}");
            let written = selector.as_ref().map(Selector::to_string).unwrap_or_default();
            assert_eq!(Selector::parse(&written), selector, "{written}");
        }
        for wrong in ["app in (a", "app)", "app of (a)", "a b", "app in (a) b", "=x", "((a))"] {
            assert!(Selector::parse(wrong).is_err(), "{wrong}");
        }
    }
}
