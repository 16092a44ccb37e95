//! `api-response`: the response of any web address.

mod document;
mod field_path;
mod mapping;
mod request;
mod service_file;
mod value_format;
mod value_tree;

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, Method, OptionProblems, Panel, Reach, Response, Update, Widget, WidgetContext,
    context::is_too_much_json,
    option_types::{Bounded, Lenient, Number, Secret, Text},
    panel::{Notice, teaser},
};
pub use service_file::ServiceFile;
pub use value_tree::ValueNode;

use request::{Headers, Payload, SecretAddress, Verb};

/// Maximum number of characters shown of a service's own error message.
const MAX_REASON_LENGTH: usize = 200;

/// Shows the response of any web address, as text or as chosen fields of its JSON. The server sends the request, so
/// keys and the rest of the response stay there. With `useProxy: false` the browser sends it, which works only without
/// keys.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ApiResponse {
    /// The full address, such as {example}. It may contain names of environment variables.
    #[schemars(extend("x-required" = true, "x-example" = "https://api.example.com/status"))]
    #[schemars(with = "String")]
    url: SecretAddress,
    /// The HTTP method: `GET`, `POST`, `PUT`, `PATCH` or `HEAD`. Without it, `GET`.
    method: Text,
    /// Headers to send, as a mapping from names to values.
    #[schemars(with = "BTreeMap<String, String>", extend("writeOnly" = true))]
    headers: Headers,
    /// The body for `POST`, `PUT` and `PATCH`: a text, or a mapping that is sent as JSON. Without it, no body.
    #[schemars(with = "Value", extend("writeOnly" = true))]
    request_body: Payload,
    /// User name, together with `password`. Without it, none is sent.
    username: Text,
    /// Password, or the name of an environment variable. Without it, none is sent.
    password: Secret,
    /// How the response is read: `auto`, `text` or `json`.
    #[schemars(extend("default" = "auto"))]
    format: Lenient<ReadAs>,
    /// Which fields are shown: a list of mappings with `field` (such as {example}), `label`, and optionally
    /// `format` (`text`, `number`, `float`, `percent`, `bytes`, `bitrate`, `duration`, `size`, `date`, `relativeDate`),
    /// `scale`, `prefix`, `suffix`, `remap` and `additionalField`, which has its own `field`, `format` and `color`:
    /// `adaptive` (green above zero, red below), `green`, `red`, `yellow`, `blue`, `gray`, `black`, `white` or `theme`.
    /// For dates, `locale` is their language, such as `en-GB`. For `date`, `dateStyle` and `timeStyle` (`full`, `long`,
    /// `medium`, `short`) are the lengths of the date and of the time of day, which is shown only if it has one; for
    /// `relativeDate`, `style` (`long`, `short`, `narrow`) is the length of the words, and `numeric: auto` also writes
    /// "yesterday". For `dynamic-list` it is one mapping with `items`, `name`, `label`, and optionally `limit`, `format`
    /// and `target`.
    /// Without it, the whole response is shown.
    #[schemars(extend("x-example" = "locations.1.name"))]
    #[schemars(
        with = "Value",
        extend("type" = ["array", "object"], "items" = mapping::schema(), "properties" = mapping::schema()["properties"])
    )]
    mappings: Value,
    /// How the fields are shown: `block` as tiles, `list` as rows, `dynamic-list` with one row per entry of a list.
    #[schemars(extend("default" = "block"))]
    display: Lenient<Display>,
    /// Maximum number of characters of a text.
    max_length: Bounded<1, 5000, 100_000>,
    /// Milliseconds between two refreshes, at least 2,000. `updateInterval` takes precedence. Without it, a minute.
    refresh_interval: Lenient<Number>,
}

/// How a response is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum ReadAs {
    #[default]
    Auto,
    Text,
    Json,
}

/// How fields are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Display {
    #[default]
    Block,
    List,
    DynamicList,
}

/// What is shown of a JSON response.
enum Chosen {
    Everything,
    Tiles(mapping::Fields),
    Rows(mapping::Fields),
    Entries(Box<mapping::Entries>),
}

impl Widget for ApiResponse {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("body", "requestBody")];
    const REACH: Reach = Reach::ServerByDefault;
    const CATEGORY: Category = Category::OwnData;
    const USUAL_LINES: usize = 9;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        self.url.check(problems);
        problems.require(Verb::parse(&self.method).is_some(), "method must be GET, POST, PUT, PATCH or HEAD.");
        self.headers.check(problems);
        if self.request_body.is_set() && matches!(Verb::parse(&self.method), Some(Verb::Read(_))) {
            problems.note("requestBody is sent with POST, PUT and PATCH only.");
        }
        if self.username.is_set() != self.password.is_set() {
            problems.note("username and password are sent together only.");
        }
        problems.require(self.format.unknown().is_none(), "format must be auto, text or json.");
        problems.require(self.display.unknown().is_none(), "display must be block, list or dynamic-list.");
        match self.chosen() {
            Ok(chosen) => {
                let is_for_entries = self.display.or_default() == Display::DynamicList;
                mapping::check_names(&self.mappings, is_for_entries, problems);
                chosen.check(problems);
            }
            Err(problem) => problems.error(problem),
        }
        // `text` would show the whole response, but only the chosen fields may leave the server.
        let reads_fields = !self.has_mappings() || self.format.or_default() != ReadAs::Text;
        problems.require(reads_fields, "mappings choose fields of JSON; leave them out, or format: text.");
        self.max_length.check("maxLength", problems);
        if let Some(written) = self.refresh_interval.unknown() {
            problems.note(format!("refreshInterval '{written}' is not a number of milliseconds; a minute is used."));
        }
        if entry.refreshes_more_often_than(Duration::from_secs(5)) {
            problems.note("An updateInterval below 5 is a burden for most services.");
        } else if self.refresh() < Some(Duration::from_secs(5)) && entry.update == Update::Usual {
            problems.note("A refreshInterval below 5000 is a burden for most services.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        let written = self.refresh_interval.get().map_or(60.0, |millis| millis.get() / 1000.0);
        // The bounds of `updateInterval`.
        Some(Duration::from_secs_f64(written.clamp(2.0, 7200.0)))
    }

    fn origins(&self) -> Vec<String> {
        self.url.origin().into_iter().collect()
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let reply = self.reply(context).await?;
        let text = &*reply.text();
        if reply.status == 204 || text.trim().is_empty() {
            return Ok(Panel::empty("The response is empty"));
        }
        if !self.wants_json(&reply, text) {
            return Ok(Panel::new(vec![document::text(text, self.max_length.count())]));
        }
        if is_too_much_json(text.as_bytes()) {
            return Err(FetchError::TooLarge { host: reply.host });
        }
        match serde_json::from_str::<Value>(text) {
            Ok(body) => self.panel(&body, &reply),
            // People choose fields so that the rest is not shown, whatever the response contains.
            Err(_) if self.has_mappings() => {
                let is_page = text.trim_start().starts_with('<');
                Err(reply.unexpected(if is_page { "a web page in place of data" } else { "no JSON" }))
            }
            // Some template languages begin with a brace too, and the response was not declared as JSON.
            Err(_) if !self.is_said_to_be_json(&reply) => {
                Ok(Panel::new(vec![document::text(text, self.max_length.count())]))
            }
            Err(_) => Ok(Panel::new(vec![
                Notice::warning("not valid JSON").into(),
                document::text(text, self.max_length.count()),
            ])),
        }
    }
}

impl Chosen {
    /// Notes what is ignored.
    fn check(&self, problems: &mut OptionProblems) {
        match self {
            Self::Everything => {}
            Self::Tiles(fields) | Self::Rows(fields) => mapping::check(fields, problems),
            Self::Entries(entries) => entries.check(problems),
        }
    }
}

/// What a service responds, whole.
#[derive(Clone, Debug, PartialEq)]
pub enum ResponseContent {
    /// Valid JSON.
    Json(Value),
    /// Anything else.
    Text(String),
}

impl ApiResponse {
    /// What the service responds, for someone who chooses values of it.
    pub(super) async fn content(&self, context: &dyn WidgetContext) -> Result<ResponseContent, FetchError> {
        let reply = self.reply(context).await?;
        let text = &*reply.text();
        if is_too_much_json(text.as_bytes()) {
            return Err(FetchError::TooLarge { host: reply.host });
        }
        Ok(serde_json::from_str(text).map_or_else(|_| ResponseContent::Text(text.to_owned()), ResponseContent::Json))
    }

    /// The response, if it reports success.
    async fn reply(&self, context: &dyn WidgetContext) -> Result<Response, FetchError> {
        let verb = Verb::parse(&self.method).unwrap_or(Verb::Read(Method::Get));
        let access = (&self.username, &self.password);
        let request = request::request(verb, &self.url, &self.headers, &self.request_body, access);
        let reply = context.exchange(request).await?;
        if (200..=299).contains(&reply.status) { Ok(reply) } else { Err(self.failure(&reply)) }
    }

    fn has_mappings(&self) -> bool {
        !self.mappings.is_null() && self.mappings != "" && self.mappings.as_array().is_none_or(|list| !list.is_empty())
    }

    /// Whether the service or the options promise JSON.
    fn is_said_to_be_json(&self, reply: &Response) -> bool {
        let content_type = reply.header("content-type").unwrap_or_default();
        let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        self.format.or_default() == ReadAs::Json
            || kind == "application/json"
            || kind == "text/json"
            || kind.ends_with("+json")
    }

    fn wants_json(&self, reply: &Response, text: &str) -> bool {
        let looks_like_json = text.trim_start().starts_with(['{', '[']);
        let is_json = || self.has_mappings() || self.is_said_to_be_json(reply) || looks_like_json;
        self.format.or_default() != ReadAs::Text && is_json()
    }

    fn panel(&self, body: &Value, reply: &Response) -> Result<Panel, FetchError> {
        let is_empty = match body {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            Value::Array(values) => values.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            Value::Bool(_) | Value::Number(_) => false,
        };
        if is_empty {
            return Ok(Panel::empty("The response is empty"));
        }
        let max = self.max_length.count();
        let chosen = self.chosen().map_err(|problem| FetchError::Config { problems: vec![problem] })?;
        Ok(match chosen {
            Chosen::Everything => Panel::new(document::tree(body, max)),
            Chosen::Tiles(fields) => Panel::new(vec![mapping::tiles(&fields, body, max)]),
            Chosen::Rows(fields) => Panel::new(vec![mapping::rows(&fields, body, max)]),
            Chosen::Entries(entries) => {
                let table = entries.table(body, max).map_err(|what| reply.unexpected(what))?;
                if table.rows.is_empty() {
                    Panel::empty("The response is empty")
                } else {
                    Panel::new(vec![table.into()])
                }
            }
        })
    }

    /// What the options choose of a response, or a sentence about what is wrong with them.
    fn chosen(&self) -> Result<Chosen, String> {
        Ok(match self.display.or_default() {
            Display::DynamicList => Chosen::Entries(Box::new(mapping::entries(&self.mappings)?)),
            _ if !self.has_mappings() => Chosen::Everything,
            Display::Block => Chosen::Tiles(mapping::fields(&self.mappings)?),
            Display::List => Chosen::Rows(mapping::fields(&self.mappings)?),
        })
    }

    /// The service's own error message, if the response has one in a field meant for it.
    fn failure(&self, reply: &Response) -> FetchError {
        let body: Option<Value> = reply.any_json().ok();
        let fields = ["error", "message", "detail"].into_iter();
        let reason = fields.filter_map(|name| body.as_ref()?.get(name)?.as_str()).find(|text| !text.trim().is_empty());
        let reason = reason.filter(|text| !request::repeats_secret(text, &self.url, &self.headers, &self.password));
        let sentence = match reason {
            Some(reason) => {
                format!("{} answered {}: {}", reply.host, reply.status, teaser(reason.trim(), MAX_REASON_LENGTH))
            }
            None => format!("{} answered {}.", reply.host, reply.status),
        };
        let retry_at = reply.retry_at();
        match reply.status {
            401 | 403 => FetchError::LoginRefused { sentence, retry_at },
            _ => FetchError::Message { sentence, retry_at },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_sent_or_does_not_count_is_noted() {
        let together = "username and password are sent together only.";
        for (options, expected) in [
            (json!({ "requestBody": { "a": 1 } }), vec!["requestBody is sent with POST, PUT and PATCH only."]),
            (json!({ "requestBody": { "a": 1 }, "method": "put" }), vec![]),
            (json!({ "username": "anna" }), vec![together]),
            (json!({ "password": "p4ss" }), vec![together]),
            (json!({ "username": "anna", "password": "p4ss" }), vec![]),
            (json!({ "headers": { "Host": "other.lan" } }), vec!["headers: Host is never sent."]),
            (
                json!({ "refreshInterval": "often" }),
                vec!["refreshInterval 'often' is not a number of milliseconds; a minute is used."],
            ),
            (json!({ "refreshInterval": 1000 }), vec!["A refreshInterval below 5000 is a burden for most services."]),
            (json!({ "refreshInterval": 10_000 }), vec![]),
            (json!({ "maxLength": 0 }), vec!["maxLength must be between 1 and 100000; 1 is used."]),
        ] {
            let mut widget: ApiResponse = serde_json::from_value(options.clone()).unwrap();
            widget.url = serde_json::from_value(json!("http://nas.lan/")).unwrap();
            let mut problems = OptionProblems::default();
            widget.check(&Entry::default(), &mut problems);
            let notes: Vec<_> = problems.all().iter().map(|problem| problem.sentence.as_str()).collect();
            assert_eq!((problems.errors(), notes), (Vec::new(), expected), "{options}");
        }
    }

    #[test]
    fn the_interval_may_be_in_milliseconds() {
        for (written, expected) in
            [(json!(null), 60.0), (json!(90_500), 90.5), (json!("10000"), 10.0), (json!(1), 2.0), (json!(1e15), 7200.0)]
        {
            let widget: ApiResponse = serde_json::from_value(json!({ "refreshInterval": written })).unwrap();
            assert_eq!(widget.refresh(), Some(Duration::from_secs_f64(expected)), "{written}");
        }
    }
}
