//! The text of a config file for people who may look and not write (config.md 10, behaviour.md 22).

use serde_json::{Map, Value, json};

use crate::{
    address::without_user,
    document::{Document, print},
    model::{
        ROOT,
        auth::AUTH,
        shape::{Rule, Shape},
        visibility_of,
    },
    viewer::Viewer,
};

/// What the names of options that hold secrets have in them, in lower case without dividers.
const SECRET_PARTS: [&str; 9] = ["token", "secret", "pass", "pwd", "key", "auth", "credential", "cookie", "bearer"];

/// What the names of options that hold secrets end with. Bodies of requests have keys among other things.
const SECRET_ENDINGS: [&str; 6] = ["pin", "headers", "body", "sid", "sig", "signature"];

/// Letters and digits in a row, mixed, that are more than an abbreviation.
const SHORTEST_KEY: usize = 8;

impl Document {
    /// The config as text for a viewer: without pages, sections and items that are hidden from them; and for those
    /// who are not admins without the users' passwords, secrets of widgets, headers of status checks and keys that the
    /// schema does not know, as nobody can tell what is in them. An admin gets everything; the server has the file's
    /// own bytes for them, with comments.
    pub fn text_for(&self, viewer: &Viewer) -> String {
        match viewer {
            Viewer::Admin(_) => self.print(),
            Viewer::Anonymous => print(&self.stripped()),
            Viewer::Guest | Viewer::User(_) => print(&filtered(self.value(), viewer)),
        }
    }

    /// The config as text for a browser that has yet to sign in (behaviour.md 19.4): how to sign in, and the title.
    /// `timestamp` counts milliseconds since 1970.
    pub fn bootstrap_text(&self, timestamp: u64) -> String {
        let mut value = self.stripped();
        if let Some(mapping) = value.as_object_mut() {
            mapping.insert("_bootstrap".to_owned(), json!({ "authenticated": false, "timestamp": timestamp }));
        }
        print(&value)
    }

    /// The value for a program that may read and not write (api.md 3.4): without the users' passwords, otherwise
    /// whole, so that indexes stay true.
    pub fn without_passwords(&self) -> Value {
        let mut value = self.to_json();
        remove_passwords(&mut value);
        value
    }

    fn stripped(&self) -> Value {
        let app = self.value().get("appConfig");
        let mut kept = Map::new();
        for key in ["auth", "enableServiceWorker", "enableAuthProxyCompat"] {
            let value = app.and_then(|app| app.get(key));
            if let Some(value) = value.filter(|value| key != "auth" || value.is_object()) {
                kept.insert(key.to_owned(), value.clone());
            }
        }
        if let Some(auth) = kept.get_mut("auth") {
            keep_known(auth, &AUTH);
            auth.as_object_mut().and_then(|auth| auth.shift_remove("users"));
        }
        let title = self.value().get("pageInfo").and_then(|info| info.get("title")).cloned().unwrap_or_default();
        json!({ "pageInfo": { "title": title }, "appConfig": kept })
    }
}

fn filtered(value: &Value, viewer: &Viewer) -> Value {
    let mut value = value.clone();
    keep_known(&mut value, &ROOT);
    keep_visible(value.get_mut("pages"), viewer);
    for page in elements(value.get_mut("pages")) {
        clean_address(page.get_mut("path"));
    }
    keep_visible(value.get_mut("sections"), viewer);
    for section in elements(value.get_mut("sections")) {
        keep_visible(section.get_mut("items"), viewer);
        // Copies of items that old editors left behind, also of hidden ones.
        section.as_object_mut().and_then(|section| section.shift_remove("filteredItems"));
        for item in elements(section.get_mut("items")) {
            elements(item.get_mut("subItems")).for_each(clean_status_check);
            clean_status_check(item);
        }
        // An entry's other keys are options too where people forgot to indent them.
        elements(section.get_mut("widgets")).for_each(remove_secrets);
    }
    remove_passwords(&mut value);
    value
}

/// Drops keys that the schema does not know, wherever it knows all that may be there.
fn keep_known(value: &mut Value, shape: &Shape) {
    let Some(mapping) = value.as_object_mut() else { return };
    mapping.retain(|key, _| shape.allows(key));
    for field in shape.fields {
        let Some(value) = mapping.get_mut(field.key) else { continue };
        match field.rule {
            Rule::Shape(inner) => keep_known(value, inner),
            Rule::Shapes(inner, _) => elements(Some(value)).for_each(|element| keep_known(element, inner)),
            Rule::ShapeOrOldList(inner, element_shape, _) => {
                keep_known(value, inner);
                elements(Some(value)).for_each(|element| keep_known(element, element_shape));
            }
            _ => {}
        }
    }
}

fn clean_status_check(item: &mut Value) {
    if let Some(item) = item.as_object_mut() {
        item.shift_remove("statusCheckHeaders");
        clean_address(item.get_mut("statusCheckUrl"));
    }
}

/// Takes out of an address what may be a secret.
fn clean_address(address: Option<&mut Value>) {
    if let Some(Value::String(address)) = address {
        *address = without_secret_parameters(&without_user(address));
    }
}

fn remove_passwords(value: &mut Value) {
    let auth = value.get_mut("appConfig").and_then(|app| app.get_mut("auth"));
    let users = auth.and_then(|auth| if auth.is_array() { Some(auth) } else { auth.get_mut("users") });
    for user in elements(users).filter_map(Value::as_object_mut) {
        user.shift_remove("hash");
        user.shift_remove("password");
    }
}

fn elements(list: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    list.and_then(Value::as_array_mut).into_iter().flatten()
}

/// Drops the entries that the viewer does not see. What is no mapping has no rules, and no use either.
fn keep_visible(list: Option<&mut Value>, viewer: &Viewer) {
    if let Some(list) = list.and_then(Value::as_array_mut) {
        list.retain(|entry| entry.is_object() && viewer.sees(&visibility_of(entry)));
    }
}

/// Drops what may be a secret, at any depth: rather too much than too little, as the page does not need it.
fn remove_secrets(value: &mut Value) {
    match value {
        Value::Object(mapping) => {
            mapping.retain(|key, _| !is_secret(key));
            mapping.values_mut().for_each(remove_secrets);
        }
        Value::Array(list) => list.iter_mut().for_each(remove_secrets),
        Value::String(_) => {
            clean_address(Some(value));
            if let Value::String(text) = value {
                *text = without_keys_in_path(text);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_secret(key: &str) -> bool {
    let key: String = key.chars().filter(|character| character.is_alphanumeric()).collect::<String>().to_lowercase();
    SECRET_PARTS.iter().any(|part| key.contains(part)) || SECRET_ENDINGS.iter().any(|ending| key.ends_with(ending))
}

/// An address without the values of query parameters that may be secrets.
fn without_secret_parameters(address: &str) -> String {
    let Some((path, query)) = address.split_once('?').filter(|(path, _)| path.contains("://")) else {
        return address.to_owned();
    };
    let parameters: Vec<String> = query
        .split('&')
        .map(|parameter| match parameter.split_once('=') {
            Some((name, _)) if is_secret(name) => format!("{name}="),
            _ => parameter.to_owned(),
        })
        .collect();
    format!("{path}?{}", parameters.join("&"))
}

/// An address without the steps of its path that may be keys: those that mix letters and digits as no word does.
fn without_keys_in_path(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let (path, query) = rest.split_at(end);
    let mut steps = path.split('/');
    let mut clean = format!("{scheme}://{}", steps.next().unwrap_or_default());
    for step in steps {
        clean.push('/');
        clean.push_str(if looks_made_up(step) { "***" } else { step });
    }
    clean + query
}

fn looks_made_up(step: &str) -> bool {
    step.split(|character: char| !character.is_ascii_alphanumeric()).any(|piece| {
        // A word may have a number behind it: `dashboard2026`, `v20`.
        let word = piece.trim_end_matches(|character: char| character.is_ascii_digit());
        piece.len() >= SHORTEST_KEY && word.bytes().any(|byte| byte.is_ascii_digit())
    })
}
