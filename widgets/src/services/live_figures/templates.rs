//! The values of placeholders in paths, headers and bodies.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::Inquiry;
use crate::{Moment, address};

const DAY: Duration = Duration::from_secs(86_400);
/// A peer of WireGuard that is connected shakes hands every two minutes.
const RECENTLY: Duration = Duration::from_secs(180);
const WEEK: Duration = Duration::from_secs(7 * 86_400);

/// What placeholders stand for in one request.
pub(super) struct Names<'a> {
    pub(super) inquiry: &'a Inquiry<'a>,
    pub(super) token: Option<&'a str>,
    /// The value of an earlier answer for which the request is sent.
    pub(super) each: Option<&'a Value>,
    pub(super) now: Moment,
}

impl Names<'_> {
    fn value(&self, name: &str) -> Option<String> {
        let options = &self.inquiry.options;
        let option = |name: &str| options.get(name).cloned().unwrap_or_default();
        Some(match name {
            "url" => self.inquiry.address.public(),
            "basic" => STANDARD.encode(format!("{}:{}", option("username"), option("password"))),
            "token" => self.token?.to_owned(),
            "now" => seconds(self.now).to_string(),
            "day-ago" => seconds(self.now.before(DAY)).to_string(),
            "key" | "username" | "password" => option(name),
            _ => {
                if let Some(path) = name.strip_prefix("each") {
                    let pointer = path.replace('.', "/");
                    return match self.each?.pointer(&pointer)? {
                        Value::String(text) => Some(text.clone()),
                        Value::Null | Value::Array(_) | Value::Object(_) => None,
                        value => Some(value.to_string()),
                    };
                }
                options.get(name)?.clone()
            }
        })
    }

    /// A text with its placeholders filled in. It becomes a header, so it has no line breaks.
    pub(super) fn plain(&self, text: &str) -> String {
        figures::fill(text, &|name| self.value(name)).replace(['\r', '\n'], "")
    }

    /// A path whose placeholders are encoded as a part of an address.
    pub(super) fn in_address(&self, path: &str) -> String {
        figures::fill(path, &|name| self.value(name).map(|value| address::encode(&value)))
    }

    /// A JSON document with the placeholders in its texts filled in.
    pub(super) fn in_json(&self, document: &Value) -> Value {
        match document {
            Value::String(text) => figures::fill(text, &|name| self.value(name)).into(),
            Value::Array(values) => values.iter().map(|value| self.in_json(value)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| (name.clone(), self.in_json(value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            value => value.clone(),
        }
    }
}

/// The times to which expressions can compare those of answers.
pub(super) fn times(now: Moment) -> Value {
    let date = |at: Moment| format!("{}T00:00:00Z", at.utc_date());
    json!({
        "now": seconds(now),
        "dayAgo": seconds(now.before(DAY)),
        // RFC 3339 texts of one form can be compared.
        "recently": format!("{}T{}:00Z", now.before(RECENTLY).utc_date(), now.before(RECENTLY).utc_clock()),
        "today": date(now),
        "nextWeek": date(now.after(WEEK)),
    })
}

fn seconds(at: Moment) -> i64 {
    at.millis().div_euclid(1000)
}
