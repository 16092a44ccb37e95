//! The text of a config file for people who may look and not write (config.md 10, behaviour.md 22).

use serde_json::{Map, Value, json};

use crate::{
    address::without_user,
    document::{Document, print},
    model::visibility_of,
    viewer::Viewer,
};

/// What the names of options that hold secrets have in them, in lower case without dividers.
const SECRET_PARTS: [&str; 8] = ["token", "secret", "passw", "pwd", "authorization", "credential", "cookie", "bearer"];

/// What the names of options that hold secrets end with.
const SECRET_ENDINGS: [&str; 5] = ["key", "pass", "auth", "pin", "headers"];

impl Document {
    /// The config as text for a viewer: without pages, sections and items that are hidden from them; and for those
    /// who are not admins without the users' passwords, secrets of widgets and headers of status checks. An admin
    /// gets everything; the server has the file's own bytes for them, with comments.
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
        if let Some(auth) = kept.get_mut("auth").and_then(Value::as_object_mut) {
            auth.shift_remove("users");
        }
        let title = self.value().get("pageInfo").and_then(|info| info.get("title")).cloned().unwrap_or_default();
        json!({ "pageInfo": { "title": title }, "appConfig": kept })
    }
}

fn filtered(value: &Value, viewer: &Viewer) -> Value {
    let mut value = value.clone();
    keep_visible(value.get_mut("pages"), viewer);
    keep_visible(value.get_mut("sections"), viewer);
    for section in elements(value.get_mut("sections")) {
        keep_visible(section.get_mut("items"), viewer);
        for item in elements(section.get_mut("items")).filter_map(Value::as_object_mut) {
            item.shift_remove("statusCheckHeaders");
            if let Some(Value::String(url)) = item.get_mut("statusCheckUrl") {
                *url = without_user(url);
            }
        }
        // An entry's other keys are options too where people forgot to indent them.
        elements(section.get_mut("widgets")).for_each(remove_secrets);
    }
    remove_passwords(&mut value);
    value
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
        Value::String(text) => *text = without_secret_parameters(&without_user(text)),
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
