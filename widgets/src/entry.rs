//! A widget's entry in a section: its options, and the fields that all widgets share (docs/spec/widgets.md 1).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{OptionProblems, option_types::truth};

/// Maximum number of characters of a label.
const MAX_LABEL_LENGTH: usize = 200;
/// Minimum, default and maximum of the timeout in milliseconds.
const TIMEOUT: (u64, u64, u64) = (100, 10_000, 60_000);
/// Minimum and maximum of the interval in seconds.
const INTERVAL: (f64, f64) = (2.0, 7200.0);

/// A note for people who set `insecure`.
const INSECURE: &str =
    "insecure: true accepts any certificate, so that others in the network can read and change what the service says.";

/// One entry in the list of widgets of a section.
///
/// Existing files have the shared fields next to `options` or inside; the inner one takes precedence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The options of the type, without keys that are `null`.
    pub options: Map<String, Value>,
    /// Whether the server sends the requests, not the browser.
    pub use_proxy: bool,
    /// Whether `useProxy: false` is set: the browser sends the requests if the type allows both.
    pub by_browser: bool,
    /// When it refreshes.
    pub update: Update,
    /// The timeout of one request.
    pub timeout: Duration,
    /// Whether every certificate is accepted.
    pub insecure: bool,
    /// The caption above the widget; at most 200 characters.
    pub label: Option<String>,
    /// Whether errors are hidden.
    pub ignore_errors: bool,
    /// Whether the refresh button is hidden.
    pub hide_controls: bool,
    /// Additional CSS classes, each a plain word.
    pub classes: Vec<String>,
    /// The requested id for its element, as written.
    pub id: Option<String>,
}

/// When a widget refreshes automatically.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Update {
    /// Not set: uses the default of its type.
    #[default]
    Usual,
    /// Never, even if its type refreshes by default.
    Never,
    /// At this interval, from 2 seconds to 2 hours.
    Every(Duration),
}

impl Default for Entry {
    fn default() -> Self {
        Self {
            options: Map::new(),
            use_proxy: false,
            by_browser: false,
            update: Update::default(),
            timeout: Duration::from_millis(TIMEOUT.1),
            insecure: false,
            label: None,
            ignore_errors: false,
            hide_controls: false,
            classes: Vec::new(),
            id: None,
        }
    }
}

impl Entry {
    /// Reads an entry as written in the file. `always_proxy` is `appConfig.widgetsAlwaysUseProxy`. A value that cannot
    /// be used is reported, and counts as not set.
    #[must_use]
    pub fn read(written: &Value, always_proxy: bool, problems: &mut OptionProblems) -> Self {
        let options = match written.get("options") {
            Some(Value::Object(options)) => options.clone(),
            None | Some(Value::Null) => Map::new(),
            Some(_) => {
                problems.error("options must be a mapping of names and values.");
                Map::new()
            }
        };
        let mut fields = Fields { written, options: &options, problems };
        let written_proxy = fields.flag("useProxy");
        let use_proxy = written_proxy.unwrap_or_default() || always_proxy;
        let by_browser = written_proxy == Some(false) && !always_proxy;
        let update = fields.update();
        let timeout = fields.timeout();
        // Existing files call it `allowInsecure`.
        let insecure = fields.flag("insecure").or_else(|| fields.flag("allowInsecure")).unwrap_or_default();
        if insecure {
            fields.problems.note(INSECURE);
        }
        let label = fields.text("label").map(|label| label.chars().take(MAX_LABEL_LENGTH).collect());
        let ignore_errors = fields.flag("ignoreErrors").unwrap_or_default();
        let classes = fields.classes();
        // Existing files have this field only next to `options`.
        let hide_controls = fields.outer_flag("hideControls").unwrap_or_default();
        let id = match written.get("id") {
            Some(Value::String(text)) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let options = options.into_iter().filter(|(_, value)| !value.is_null()).collect();
        Self {
            options,
            use_proxy,
            by_browser,
            update,
            timeout,
            insecure,
            label,
            ignore_errors,
            hide_controls,
            classes,
            id,
        }
    }

    /// Whether it is set to refresh more often than this.
    #[must_use]
    pub fn refreshes_more_often_than(&self, interval: Duration) -> bool {
        matches!(self.update, Update::Every(written) if written < interval)
    }
}

/// The fields of one entry, and its problems.
struct Fields<'a> {
    written: &'a Value,
    options: &'a Map<String, Value>,
    problems: &'a mut OptionProblems,
}

impl<'a> Fields<'a> {
    /// The inner field if there is one, otherwise the outer one.
    fn get(&self, name: &str) -> Option<&'a Value> {
        let is_set = |value: &&Value| !value.is_null();
        self.options.get(name).filter(is_set).or_else(|| self.written.get(name).filter(is_set))
    }

    fn flag(&mut self, name: &str) -> Option<bool> {
        let value = self.get(name)?;
        self.truth_of(name, value)
    }

    /// A flag that is only read next to `options`.
    fn outer_flag(&mut self, name: &str) -> Option<bool> {
        let value = self.written.get(name).filter(|value| !value.is_null())?;
        self.truth_of(name, value)
    }

    fn truth_of(&mut self, name: &str, value: &Value) -> Option<bool> {
        let flag = truth(value);
        if flag.is_none() {
            self.problems.error(format!("{name} must be true or false."));
        }
        flag
    }

    fn text(&mut self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            _ => {
                self.problems.error(format!("{name} must be text."));
                None
            }
        }
    }

    fn update(&mut self) -> Update {
        let Some(value) = self.get("updateInterval") else { return Update::Usual };
        match (value, number(value)) {
            (Value::Bool(true), _) => Update::Every(Duration::from_secs(30)),
            (Value::Bool(false), _) => Update::Never,
            (_, Some(0.0)) => Update::Never,
            (_, Some(seconds)) => {
                if !(INTERVAL.0..=INTERVAL.1).contains(&seconds) {
                    self.problems.note("updateInterval must be 2 to 7200 seconds; the nearest value is used.");
                }
                Update::Every(Duration::from_secs_f64(seconds.clamp(INTERVAL.0, INTERVAL.1)))
            }
            (value, None) => match truth(value) {
                Some(true) => Update::Every(Duration::from_secs(30)),
                Some(false) => Update::Never,
                None => {
                    self.problems.error("updateInterval must be a number of seconds, or true or false.");
                    Update::Usual
                }
            },
        }
    }

    fn timeout(&mut self) -> Duration {
        let (min, usual, max) = TIMEOUT;
        let usual = Duration::from_millis(usual);
        let Some(value) = self.get("timeout") else { return usual };
        let Some(millis) = number(value) else {
            self.problems.error("timeout must be a number of milliseconds.");
            return usual;
        };
        let (min, max) = (Duration::from_millis(min), Duration::from_millis(max));
        // Clamped before the conversion too, because a `Duration` cannot hold every number.
        Duration::from_secs_f64((millis / 1000.0).clamp(0.0, 3600.0)).clamp(min, max)
    }

    fn classes(&mut self) -> Vec<String> {
        let text = self.text("class").unwrap_or_default();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        text.split_whitespace().filter(|class| class.bytes().all(is_plain)).map(str::to_owned).collect()
    }
}

/// A number, possibly in quotes.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(written: Value) -> (Entry, Vec<String>) {
        let mut problems = OptionProblems::default();
        let entry = Entry::read(&written, false, &mut problems);
        (entry, problems.all().iter().map(|problem| problem.sentence.clone()).collect())
    }

    #[test]
    fn the_inner_field_wins() {
        let (entry, problems) = read(json!({
            "type": "weather", "useProxy": true, "timeout": 500, "label": "outer", "ignoreErrors": "true",
            "hideControls": true, "class": "wide <b> x_1", "id": 7,
            "options": { "useProxy": "false", "timeout": "2000", "label": "inner", "city": "Rome", "units": null },
        }));
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(
            entry,
            Entry {
                options: serde_json::from_value(
                    json!({ "useProxy": "false", "timeout": "2000", "label": "inner", "city": "Rome" })
                )
                .unwrap(),
                by_browser: true,
                timeout: Duration::from_secs(2),
                label: Some("inner".to_owned()),
                ignore_errors: true,
                hide_controls: true,
                classes: vec!["wide".to_owned(), "x_1".to_owned()],
                id: Some("7".to_owned()),
                ..Entry::default()
            }
        );
    }

    #[test]
    fn intervals_have_bounds() {
        let every = |seconds| Update::Every(Duration::from_secs(seconds));
        for (written, expected) in [
            (json!(null), Update::Usual),
            (json!(true), every(30)),
            (json!("true"), every(30)),
            (json!(false), Update::Never),
            (json!(0), Update::Never),
            (json!("0"), Update::Never),
            (json!("60"), every(60)),
            (json!(1), every(2)),
            (json!(-5), every(2)),
            (json!(1e12), every(7200)),
        ] {
            assert_eq!(read(json!({ "updateInterval": written })).0.update, expected, "{written}");
        }
        assert_eq!(read(json!({ "updateInterval": 1 })).1.len(), 1);
        assert_eq!(
            read(json!({ "updateInterval": "often" })).1,
            ["updateInterval must be a number of seconds, or true or false."]
        );
    }

    #[test]
    fn unchecked_certificates_are_reported() {
        let (entry, problems) = read(json!({ "insecure": true }));
        assert_eq!((entry.insecure, problems.as_slice()), (true, &[INSECURE.to_owned()][..]));
        assert_eq!(read(json!({ "insecure": false, "allowInsecure": true })).1, Vec::<String>::new());
        for written in [json!({ "allowInsecure": true }), json!({ "options": { "allowInsecure": "true" } })] {
            let (entry, problems) = read(written);
            assert_eq!((entry.insecure, problems.as_slice()), (true, &[INSECURE.to_owned()][..]));
        }
    }

    #[test]
    fn limits_have_bounds() {
        for (written, expected) in
            [(json!(500), 500), (json!(1), 100), (json!(1e300), 60_000), (json!("2500"), 2500), (json!(null), 10_000)]
        {
            assert_eq!(read(json!({ "timeout": written })).0.timeout, Duration::from_millis(expected), "{written}");
        }
    }

    #[test]
    fn wrong_types_cost_this_widget_only() {
        let (entry, problems) = read(json!({ "options": ["a"], "useProxy": {}, "label": [1], "timeout": "soon" }));
        assert_eq!(entry, Entry::default());
        assert_eq!(
            problems,
            [
                "options must be a mapping of names and values.",
                "useProxy must be true or false.",
                "timeout must be a number of milliseconds.",
                "label must be text.",
            ]
        );
        let mut problems = OptionProblems::default();
        assert!(Entry::read(&json!({ "useProxy": false }), true, &mut problems).use_proxy);
    }
}
