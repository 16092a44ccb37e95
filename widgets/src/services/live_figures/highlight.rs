//! Rules that color figures, as Homepage's users write them.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use crate::panel::Tone;

/// The rules by the names of figures. The first rule that matches determines the color.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Highlight {
    rules: BTreeMap<String, Vec<Rule>>,
    #[serde(skip)]
    problems: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Rule {
    tone: Tone,
    test: Test,
    negate: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
enum Test {
    Above(f64),
    AtLeast(f64),
    Below(f64),
    AtMost(f64),
    Equal(f64),
    Between(f64, f64),
    TextEquals(String, bool),
    TextIncludes(String, bool),
    TextStarts(String, bool),
    TextEnds(String, bool),
}

impl Highlight {
    /// The color of a figure with this value.
    pub(crate) fn tone(&self, name: &str, value: &Value) -> Tone {
        let rules = self.rules.iter().find(|(written, _)| written.eq_ignore_ascii_case(name)).map(|(_, rules)| rules);
        let matching = rules.into_iter().flatten().find(|rule| rule.test.holds(value) != rule.negate);
        matching.filter(|_| !value.is_null()).map_or(Tone::Plain, |rule| rule.tone)
    }

    /// What is wrong with the rules, as sentences.
    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }

    /// The names of the figures that have rules.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.rules.keys().map(String::as_str)
    }

    fn read(written: &serde_json::Map<String, Value>) -> Self {
        let mut highlight = Self::default();
        for (name, rules) in written {
            // `valueOnly` says whether the label has the color too; here it never has.
            let lists = ["numeric", "string"].into_iter().filter_map(|kind| Some((kind, rules.get(kind)?)));
            let mut read = Vec::new();
            for (kind, list) in lists {
                let list = match list {
                    Value::Array(list) => list.as_slice(),
                    single => std::slice::from_ref(single),
                };
                for rule in list {
                    match Rule::read(kind, rule) {
                        Ok(rule) => read.push(rule),
                        Err(problem) => highlight.problems.push(format!("highlight: a rule of {name} {problem}.")),
                    }
                }
            }
            highlight.rules.insert(name.clone(), read);
        }
        highlight
    }
}

impl Rule {
    fn read(kind: &str, written: &Value) -> Result<Self, String> {
        let word = |name: &str| written.get(name).and_then(Value::as_str).unwrap_or_default();
        let flag = |name: &str| written.get(name).and_then(Value::as_bool).unwrap_or_default();
        let tone = match word("level") {
            "good" => Tone::Success,
            "warn" => Tone::Warning,
            "danger" => Tone::Danger,
            _ => return Err("needs a level: good, warn or danger".to_owned()),
        };
        let value = written.get("value").unwrap_or(&Value::Null);
        let when = word("when");
        let test = if kind == "numeric" {
            let number = |value: &Value| number(value).ok_or("needs a number as value");
            match when {
                "gt" => Test::Above(number(value)?),
                "gte" => Test::AtLeast(number(value)?),
                "lt" => Test::Below(number(value)?),
                "lte" => Test::AtMost(number(value)?),
                "eq" | "ne" => Test::Equal(number(value)?),
                "between" | "outside" => Test::Between(number(&value["min"])?, number(&value["max"])?),
                _ => return Err("needs a condition: gt, gte, lt, lte, eq, ne, between or outside".to_owned()),
            }
        } else {
            let exact = flag("caseSensitive");
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                _ => return Err("needs a text as value".to_owned()),
            };
            let text = if exact { text } else { text.to_lowercase() };
            match when {
                "equals" => Test::TextEquals(text, exact),
                "includes" => Test::TextIncludes(text, exact),
                "startsWith" => Test::TextStarts(text, exact),
                "endsWith" => Test::TextEnds(text, exact),
                "regex" => {
                    return Err("has a regular expression; use equals, includes, startsWith or endsWith".to_owned());
                }
                _ => return Err("needs a condition: equals, includes, startsWith or endsWith".to_owned()),
            }
        };
        Ok(Self { tone, test, negate: flag("negate") != matches!(when, "ne" | "outside") })
    }
}

impl Test {
    fn holds(&self, value: &Value) -> bool {
        let is = |test: &dyn Fn(f64) -> bool| number(value).is_some_and(test);
        let has = |exact: bool, test: &dyn Fn(&str) -> bool| {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Null => return false,
                value => value.to_string(),
            };
            test(&if exact { text } else { text.to_lowercase() })
        };
        match self {
            Self::Above(limit) => is(&|number| number > *limit),
            Self::AtLeast(limit) => is(&|number| number >= *limit),
            Self::Below(limit) => is(&|number| number < *limit),
            Self::AtMost(limit) => is(&|number| number <= *limit),
            Self::Equal(wanted) => is(&|number| number == *wanted),
            Self::Between(min, max) => is(&|number| (*min..=*max).contains(&number)),
            Self::TextEquals(wanted, exact) => has(*exact, &|text| text == wanted),
            Self::TextIncludes(wanted, exact) => has(*exact, &|text| text.contains(wanted.as_str())),
            Self::TextStarts(wanted, exact) => has(*exact, &|text| text.starts_with(wanted.as_str())),
            Self::TextEnds(wanted, exact) => has(*exact, &|text| text.ends_with(wanted.as_str())),
        }
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Highlight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Null => Ok(Self::default()),
            Value::Object(written) => Ok(Self::read(&written)),
            _ => Err(de::Error::custom("must be a mapping of figures and rules")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_rule_that_matches_determines_the_color() {
        let highlight: Highlight = serde_json::from_value(json!({
            "queued": { "numeric": [
                { "level": "danger", "when": "gte", "value": 20 },
                { "level": "warn", "when": "between", "value": { "min": 5, "max": 19 } },
                { "level": "good", "when": "ne", "value": 1 },
            ] },
            "state": { "string": { "level": "danger", "when": "includes", "value": "Batt", "negate": true } },
        }))
        .unwrap();
        for (name, value, expected) in [
            ("queued", json!(25), Tone::Danger),
            ("Queued", json!("7"), Tone::Warning),
            ("queued", json!(0), Tone::Success),
            ("queued", json!(1), Tone::Plain),
            ("queued", json!(null), Tone::Plain),
            ("state", json!("Online"), Tone::Danger),
            ("state", json!("on battery"), Tone::Plain),
            ("other", json!(1), Tone::Plain),
        ] {
            assert_eq!(highlight.tone(name, &value), expected, "{name}: {value}");
        }
        assert_eq!(highlight.problems(), Vec::<String>::new());
    }

    #[test]
    fn a_wrong_rule_costs_itself() {
        let highlight: Highlight = serde_json::from_value(json!({ "queued": { "numeric": [
            { "level": "bad", "when": "gt", "value": 1 },
            { "level": "warn", "when": "above", "value": 1 },
            { "level": "warn", "when": "gt", "value": "much" },
            { "level": "good", "when": "gt", "value": 0 },
        ], "string": [{ "level": "warn", "when": "regex", "value": "a.*" }] } }))
        .unwrap();
        assert_eq!(highlight.tone("queued", &json!(3)), Tone::Success);
        assert_eq!(
            highlight.problems(),
            [
                "highlight: a rule of queued needs a level: good, warn or danger.",
                "highlight: a rule of queued needs a condition: gt, gte, lt, lte, eq, ne, between or outside.",
                "highlight: a rule of queued needs a number as value.",
                "highlight: a rule of queued has a regular expression; use equals, includes, startsWith or endsWith.",
            ]
        );
    }
}
