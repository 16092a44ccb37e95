//! What an `api-response` shows, as the file of a service for live figures (docs/figures.md), which people can share.

use std::{collections::BTreeMap, fmt::Write as _};

use figures::{MAX_LABEL, Service, own_names};
use serde_json::{Map, Value};
use url::Url;

use super::{field_path::FieldPath, value_tree::words};

const NO_VALUES: &str = "Choose the values for the file first.";
const OTHER_REQUEST: &str = "A service file can only send GET, or POST with JSON.";
const NO_ADDRESS: &str = "url must begin with http:// or https://, for example https://api.example.com/status.";

/// Parts of the names of headers and parameters with a key.
const CREDENTIALS: [&str; 7] = ["auth", "cookie", "key", "pass", "secret", "session", "token"];
/// Options of a mapping that a figure does not have.
const LEFT_OUT: [&str; 3] = ["prefix", "suffix", "additionalField"];
/// The name of the only request.
const REQUEST: &str = "response";

/// The file of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceFile {
    /// Its name, such as `nas.toml`. Without the extension it is the type of the service.
    pub name: String,
    /// Its text, in TOML.
    pub text: String,
}

impl ServiceFile {
    /// The file for the entry of an `api-response`, as it is written in the config. Neither the host nor a key of the entry is in
    /// it: they become options of the service.
    ///
    /// # Errors
    ///
    /// Why there can be none, as a sentence.
    pub fn of(entry: &Value) -> Result<Self, String> {
        let options = &entry["options"];
        let written = text(&options["url"]);
        let url = Url::parse(written.trim()).ok().filter(|url| url.has_host()).ok_or(NO_ADDRESS)?;
        let figures = figures(&options["mappings"]).ok_or(NO_VALUES)?;
        let label = Some(text(&entry["label"]).trim()).filter(|label| !label.is_empty());
        let host_name = || url.domain().and_then(|domain| domain.split('.').next());
        let title = label.or_else(host_name).unwrap_or("Service");
        let mut kind = slug(title, '-');
        if kind.is_empty() {
            "service".clone_into(&mut kind);
        }
        if own_names().any(|name| name == kind) {
            kind.insert_str(0, "my-");
        }

        let mut credentials = Credentials::default();
        let path = path(&url, &mut credentials);
        let headers = headers(&options["headers"], &mut credentials);
        credentials.add_password(options, &url);
        let body = body(options, &mut credentials)?;

        let mut file = format!(
            "# Save this file as `user-data/services/{kind}.toml`, and restart Portico. An item shows the figures with:\n\
             # figures: {{ type: {kind}, url: \"https://…\"{} }}\n\
             name = {}\nicon = {}\n",
            credentials.needs.iter().map(|name| format!(", {name}: …")).collect::<String>(),
            quoted(title),
            quoted(&kind),
        );
        file.push_str(&credentials.section());
        _ = write!(file, "\n[[request]]\nname = {}\npath = {}\n", quoted(REQUEST), quoted(&path));
        if !headers.is_empty() {
            _ = writeln!(file, "headers = {}", table(&headers));
        }
        if let Some(body) = body {
            _ = writeln!(file, "json = {}", toml(&body));
        }
        file.push_str(&figures);
        // A brace in an address or a header would be a placeholder.
        Service::parse(&file).map_err(|_| OTHER_REQUEST)?;
        Ok(Self { name: format!("{kind}.toml"), text: file })
    }
}

/// The ways to sign in that the request uses.
#[derive(Default)]
struct Credentials {
    needs: Vec<&'static str>,
    headers: BTreeMap<String, String>,
    query: BTreeMap<String, String>,
}

impl Credentials {
    fn need(&mut self, name: &'static str) {
        if !self.needs.contains(&name) {
            self.needs.push(name);
        }
    }

    fn add_password(&mut self, options: &Value, url: &Url) {
        let is_set = |name: &str| !text(&options[name]).trim().is_empty();
        let has_password = is_set("username") && is_set("password") || !url.username().is_empty();
        if has_password && self.headers.is_empty() {
            self.need("username");
            self.need("password");
            self.headers.insert("Authorization".to_owned(), "Basic {basic}".to_owned());
        }
    }

    fn section(&self) -> String {
        if self.needs.is_empty() {
            return String::new();
        }
        let needs: Vec<_> = self.needs.iter().map(|name| quoted(name)).collect();
        let mut section = format!("\n[[sign-in]]\nneeds = [{}]\n", needs.join(", "));
        for (name, entries) in [("headers", &self.headers), ("query", &self.query)] {
            if !entries.is_empty() {
                _ = writeln!(section, "{name} = {}", table(entries));
            }
        }
        section
    }
}

/// Path and query, without parameters that are keys.
fn path(url: &Url, credentials: &mut Credentials) -> String {
    let parameters = url.query().unwrap_or_default().split('&').filter(|parameter| !parameter.is_empty());
    let mut kept = Vec::new();
    for parameter in parameters {
        let name = parameter.split('=').next().unwrap_or_default();
        if is_credential(name) {
            credentials.need("key");
            credentials.query.insert(name.to_owned(), "{key}".to_owned());
        } else {
            kept.push(parameter);
        }
    }
    if kept.is_empty() { url.path().to_owned() } else { format!("{}?{}", url.path(), kept.join("&")) }
}

/// The headers of the request, without those that are keys.
fn headers(written: &Value, credentials: &mut Credentials) -> BTreeMap<String, String> {
    let mut kept = BTreeMap::new();
    for (name, value) in written.as_object().into_iter().flatten() {
        let value = text(value).trim();
        if !is_credential(name) {
            kept.insert(name.clone(), value.to_owned());
            continue;
        }
        let scheme = value.split_once(' ').map(|(scheme, _)| scheme);
        let scheme = scheme.filter(|scheme| scheme.bytes().all(|byte| byte.is_ascii_alphabetic()));
        let is_password = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("basic"));
        let filled = match scheme {
            Some(_) if is_password => "Basic {basic}".to_owned(),
            Some(scheme) => format!("{scheme} {{key}}"),
            None => "{key}".to_owned(),
        };
        let needs: &[&str] = if is_password { &["username", "password"] } else { &["key"] };
        needs.iter().for_each(|name| credentials.need(name));
        credentials.headers.insert(name.clone(), filled);
    }
    kept
}

fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "sid" || CREDENTIALS.iter().any(|part| name.contains(part))
}

/// The JSON document that is sent.
fn body(options: &Value, credentials: &mut Credentials) -> Result<Option<Value>, String> {
    let body = match &options["requestBody"] {
        Value::Null => &options["body"],
        body => body,
    };
    let body = match body {
        Value::String(written) => serde_json::from_str(written).ok(),
        other => Some(other.clone()),
    };
    match text(&options["method"]).to_ascii_uppercase().as_str() {
        "" | "GET" => Ok(None),
        "POST" => {
            let body = body.filter(Value::is_object).ok_or(OTHER_REQUEST)?;
            Ok(Some(without_keys(body, credentials)))
        }
        _ => Err(OTHER_REQUEST.to_owned()),
    }
}

/// Values whose name says that they are keys become the option `key`.
fn without_keys(body: Value, credentials: &mut Credentials) -> Value {
    match body {
        Value::Object(fields) => {
            let replaced = fields.into_iter().map(|(name, value)| {
                let is_key = matches!(value, Value::String(_) | Value::Number(_)) && is_credential(&name);
                if is_key {
                    credentials.need("key");
                    return (name, "{key}".into());
                }
                (name, without_keys(value, credentials))
            });
            Value::Object(replaced.collect())
        }
        Value::Array(values) => values.into_iter().map(|value| without_keys(value, credentials)).collect(),
        value => value,
    }
}

/// The figures for the option `mappings`; `None` if it chooses no values.
fn figures(mappings: &Value) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    let mut figures = String::new();
    for mapping in mappings.as_array()?.iter().filter_map(Value::as_object) {
        let Ok(path) = serde_json::from_value::<FieldPath>(mapping.get("field").cloned().unwrap_or_default()) else {
            continue;
        };
        let written = Some(text(mapping.get("label").unwrap_or(&Value::Null)).trim()).filter(|label| !label.is_empty());
        let label = written.map_or_else(|| words(path.last().unwrap_or(REQUEST)), str::to_owned);
        let short: String = label.chars().take(MAX_LABEL).collect();
        let base = Some(slug(&label, '_')).filter(|name| !name.is_empty()).unwrap_or_else(|| "value".to_owned());
        let name = (1..).map(|number| if number == 1 { base.clone() } else { format!("{base}_{number}") });
        let name = name.into_iter().find(|name| !names.contains(name))?;
        let left_out: Vec<_> = LEFT_OUT.into_iter().filter(|option| mapping.contains_key(*option)).collect();
        figures.push('\n');
        if !left_out.is_empty() {
            _ = writeln!(figures, "# Left out: {}.", left_out.join(", "));
        }
        _ = write!(
            figures,
            "[[figure]]\nname = {}\nlabel = {}\nvalue = {}\n",
            quoted(&name),
            quoted(short.trim_end()),
            quoted(&value(&path, mapping)),
        );
        if let Some(unit) = unit(mapping) {
            _ = writeln!(figures, "unit = {}", quoted(unit));
        }
        let replaced = replacements(mapping);
        if !replaced.is_empty() {
            _ = writeln!(figures, "words = {}", table(&replaced));
        }
        names.push(name);
    }
    (!names.is_empty()).then_some(figures)
}

/// The expression of a value.
fn value(path: &FieldPath, mapping: &Map<String, Value>) -> String {
    let mut expression = format!("$.{REQUEST}");
    for step in path.steps() {
        let is_name = step.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && step.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if is_name {
            _ = write!(expression, ".{step}");
        } else if step.parse::<u32>().is_ok() {
            // The position in a list, not a name of digits.
            _ = write!(expression, "[{step}]");
        } else {
            _ = write!(expression, "['{}']", step.replace('\\', r"\\").replace('\'', r"\'"));
        }
    }
    if mapping.get("format").is_some_and(|format| format == "size") {
        expression = format!("size({expression})");
    }
    match mapping.get("scale").map(|scale| scale.as_str().map_or_else(|| scale.to_string(), str::to_owned)) {
        Some(scale) if scale.split('/').all(|number| number.trim().parse::<f64>().is_ok()) => {
            format!("{expression} * {}", scale.replace('/', " / "))
        }
        _ => expression,
    }
}

/// The unit for a format; `None` for the usual one, a count.
fn unit(mapping: &Map<String, Value>) -> Option<&'static str> {
    match mapping.get("format").and_then(Value::as_str).unwrap_or("text") {
        "number" | "size" => None,
        "float" => Some("number"),
        "percent" => Some("percent"),
        "bytes" => Some("bytes"),
        "bitrate" => Some("bits-per-second"),
        "duration" => Some("seconds"),
        "date" | "relativeDate" | "relativedate" => Some("age"),
        _ => Some("text"),
    }
}

/// The words for some values, from the option `remap`.
fn replacements(mapping: &Map<String, Value>) -> BTreeMap<String, String> {
    let rules = mapping.get("remap").and_then(Value::as_array).into_iter().flatten();
    let words = rules.filter_map(|rule| {
        let value = match rule.get("value")? {
            Value::String(value) => value.clone(),
            value @ (Value::Bool(_) | Value::Number(_)) => value.to_string(),
            _ => return None,
        };
        Some((value, text(rule.get("to")?).to_owned()))
    });
    words.collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A name of letters and digits for a text.
fn slug(text: &str, divider: char) -> String {
    let mut slug = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with(divider) {
            slug.push(divider);
        }
    }
    slug.trim_end_matches(divider).to_owned()
}

/// A text in TOML, whose escapes are those of JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

fn table(entries: &BTreeMap<String, String>) -> String {
    let entries = entries.iter().map(|(name, text)| (name.clone(), Value::from(text.as_str())));
    toml(&Value::Object(entries.collect()))
}

/// A value in TOML, which knows no `null`.
fn toml(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(values) => format!("[{}]", values.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let is_bare = |name: &str| {
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
            };
            let key = |name: &str| if is_bare(name) { name.to_owned() } else { quoted(name) };
            let entries = fields.iter().filter(|(_, value)| !value.is_null());
            let entries: Vec<_> = entries.map(|(name, value)| format!("{} = {}", key(name), toml(value))).collect();
            if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file(label: &str, options: Value) -> Result<ServiceFile, String> {
        ServiceFile::of(&json!({ "type": "api-response", "label": label, "options": options }))
    }

    #[test]
    fn chosen_values_become_figures() {
        let file = file(
            "My NAS",
            json!({
                "url": "https://nas.lan:8443/api/state?full=1&apikey=abcdef",
                "headers": { "Accept": "application/json", "Authorization": "Bearer hidden" },
                "mappings": [
                    { "field": "uptime_seconds", "label": "Uptime seconds", "format": "duration" },
                    { "field": "disks.0.free", "label": "Free", "format": "bytes", "scale": "1/1024", "suffix": "left" },
                    { "field": ["a.b", "it's"], "label": "Free" },
                    { "field": "on", "remap": [{ "value": true, "to": "running" }, { "any": true, "to": "?" }] },
                    { "field": "jobs", "label": "Jobs that are waiting", "format": "size" },
                ],
            }),
        )
        .unwrap();
        assert_eq!(file.name, "my-nas.toml");
        assert_eq!(
            file.text,
            r##"# Save this file as `user-data/services/my-nas.toml`, and restart Portico. An item shows the figures with:
# figures: { type: my-nas, url: "https://…", key: … }
name = "My NAS"
icon = "my-nas"

[[sign-in]]
needs = ["key"]
headers = { Authorization = "Bearer {key}" }
query = { apikey = "{key}" }

[[request]]
name = "response"
path = "/api/state?full=1"
headers = { Accept = "application/json" }

[[figure]]
name = "uptime_seconds"
label = "Uptime seconds"
value = "$.response.uptime_seconds"
unit = "seconds"

# Left out: suffix.
[[figure]]
name = "free"
label = "Free"
value = "$.response.disks[0].free * 1 / 1024"
unit = "bytes"

[[figure]]
name = "free_2"
label = "Free"
value = "$.response['a.b']['it\\'s']"
unit = "text"

[[figure]]
name = "on"
label = "On"
value = "$.response.on"
unit = "text"
words = { true = "running" }

[[figure]]
name = "jobs_that_are_waiting"
label = "Jobs that are"
value = "size($.response.jobs)"
"##
        );
        let service = Service::parse(&file.text).unwrap();
        let answers = json!({ "response": {
            "uptime_seconds": 5, "disks": [{ "free": 2048 }], "a.b": { "it's": "x" }, "on": true, "jobs": [1, 2],
        } });
        let values: Vec<_> = service.figures.iter().map(|figure| figure.value.value(&answers).unwrap()).collect();
        assert_eq!(values, [json!(5), json!(2.0), json!("x"), json!(true), json!(2)]);
    }

    #[test]
    fn keys_and_hosts_stay_here() {
        let mappings = json!([{ "field": "a" }]);
        let requests = [
            json!({ "url": "https://hidden.lan/a", "username": "hidden", "password": "hidden" }),
            json!({ "url": "https://hidden.lan/a?token=hidden&access_key=hidden&sid=hidden" }),
            json!({ "url": "https://hidden.lan/a", "headers": { "X-Api-Key": "hidden", "Cookie": "a=hidden" } }),
            json!({ "url": "https://hidden.lan/a", "headers": { "authorization": "Basic hidden" } }),
            json!({ "url": "https://user:hidden@hidden.lan/a" }),
            json!({
                "url": "https://hidden.lan/a", "method": "post",
                "requestBody": "{\"auth\": \"hidden\", \"in\": [{\"apiToken\": \"hidden\"}], \"a\": [null, 1]}",
            }),
        ];
        for mut options in requests {
            options["mappings"] = mappings.clone();
            let file = file("State", options.clone()).unwrap();
            assert!(!file.text.contains("hidden"), "{}", file.text);
            // They are options, which the first lines name.
            assert!(file.text.contains("[[sign-in]]") && file.text.contains(": …"), "{}", file.text);
        }
    }

    #[test]
    fn names_never_collide_with_those_of_the_product() {
        let options = json!({ "url": "https://a.lan", "mappings": [{ "field": "" }] });
        assert_eq!(file("Gotify", options.clone()).unwrap().name, "my-gotify.toml");
        assert_eq!(file("  ", options.clone()).unwrap().name, "a.toml");
        assert_eq!(file("Größe", options.clone()).unwrap().name, "gr-e.toml");
        assert_eq!(file("状態", options).unwrap().name, "service.toml");
        let by_number = json!({ "url": "https://10.0.0.2", "mappings": [{ "field": "" }] });
        assert_eq!(file("", by_number).unwrap().name, "service.toml");
    }

    #[test]
    fn what_does_not_fit_is_refused_with_a_reason() {
        let chosen = json!([{ "field": "a" }]);
        for (options, expected) in [
            (json!({ "url": "nas.lan", "mappings": chosen }), NO_ADDRESS),
            (json!({ "url": "https://nas.lan" }), NO_VALUES),
            (json!({ "url": "https://nas.lan", "mappings": [] }), NO_VALUES),
            (json!({ "url": "https://nas.lan", "mappings": chosen, "method": "PUT" }), OTHER_REQUEST),
            (json!({ "url": "https://nas.lan", "mappings": chosen, "method": "POST" }), OTHER_REQUEST),
            (
                json!({ "url": "https://nas.lan", "mappings": chosen, "method": "POST", "requestBody": "a=b" }),
                OTHER_REQUEST,
            ),
            (json!({ "url": "https://nas.lan", "mappings": chosen, "headers": { "X-A": "{place}" } }), OTHER_REQUEST),
        ] {
            assert_eq!(file("NAS", options.clone()), Err(expected.to_owned()), "{options}");
        }
    }
}
