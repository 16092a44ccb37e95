//! Reading a service's file, and whether its parts fit together.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use thiserror::Error;

use super::{OneOrMany, Service};
use crate::template::names;

/// Maximum length of a service's file in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Names that stand for something everywhere.
const COMMON: [&str; 8] = ["key", "username", "password", "url", "basic", "token", "now", "day-ago"];
/// Members of the answers that are no requests.
const OWN_MEMBERS: [&str; 2] = ["options", "time"];
/// Maximum number of characters of a label: more does not fit into a tile.
pub const MAX_LABEL: usize = 14;

/// Why a file describes no service.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// It is not TOML, or a field is unknown, missing or malformed.
    #[error("{0}")]
    Malformed(String),
    /// Its parts do not fit together.
    #[error("{0}")]
    Inconsistent(String),
}

impl Service {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ServiceError> {
        if text.len() > MAX_BYTES {
            return Err(ServiceError::Malformed(format!("the file is larger than {MAX_BYTES} bytes")));
        }
        let service: Self =
            toml::from_str(text).map_err(|error| ServiceError::Malformed(error.to_string().trim().to_owned()))?;
        match service.editions().iter().find_map(|edition| problem(edition)) {
            Some(problem) => Err(ServiceError::Inconsistent(problem)),
            None => Ok(service),
        }
    }
}

/// The first problem of a service.
fn problem(service: &Service) -> Option<String> {
    let options: HashSet<&str> = service.options.iter().map(|option| option.name.as_str()).collect();
    for text in texts(service) {
        for name in names(&text) {
            let is_known = COMMON.contains(&name) || options.contains(name) || name.split('.').next() == Some("each");
            if !is_known {
                return Some(format!("`{{{name}}}` in `{text}` is no option"));
            }
        }
    }
    for path in paths(service) {
        if !path.starts_with('/') {
            return Some(format!("the path `{path}` must begin with a slash"));
        }
    }
    let mut calls = service.requests.iter().filter(|request| request.call.is_some());
    if let Some(first) = calls.next()
        && calls.any(|request| !request.path.iter().eq(first.path.iter()))
    {
        return Some("all calls must have the same path".to_owned());
    }
    let mut known: Vec<&str> = OWN_MEMBERS.to_vec();
    for request in &service.requests {
        let sources = request.each.iter().flat_map(|each| each.sources());
        if let Some(source) = sources.into_iter().find(|source| !known.contains(&source.as_str())) {
            return Some(format!("the request `{}` needs `{source}`, which no earlier request has", request.name));
        }
        if known.contains(&request.name.as_str()) {
            return Some(format!("two requests have the name `{}`", request.name));
        }
        known.push(&request.name);
    }
    let mut used: HashSet<String> =
        service.requests.iter().flat_map(|request| &request.each).flat_map(|each| each.sources()).collect();
    let mut figures = HashSet::new();
    for figure in &service.figures {
        let sources: Vec<String> =
            std::iter::once(&figure.value).chain(&figure.of).flat_map(|expression| expression.sources()).collect();
        if let Some(source) = sources.iter().find(|source| !known.contains(&source.as_str())) {
            return Some(format!("the figure `{}` needs `{source}`, which no request has", figure.name));
        }
        if service.needed_by(figure).is_empty() {
            return Some(format!("the figure `{}` needs no request", figure.name));
        }
        if figure.label.chars().count() > MAX_LABEL {
            return Some(format!("the label `{}` has more than {MAX_LABEL} characters", figure.label));
        }
        if !figures.insert(figure.name.to_ascii_lowercase()) {
            return Some(format!("two figures have the name `{}`", figure.name));
        }
        used.extend(sources);
    }
    if service.figures.is_empty() {
        return Some("it has no figures".to_owned());
    }
    let unused = service.requests.iter().find(|request| !used.contains(&request.name));
    if let Some(request) = unused {
        return Some(format!("no figure needs the request `{}`", request.name));
    }
    for sign_in in &service.sign_in {
        let unknown =
            sign_in.needs.iter().find(|name| !COMMON[..3].contains(&name.as_str()) && !options.contains(name.as_str()));
        if let Some(name) = unknown {
            return Some(format!("a sign-in needs `{name}`, which is no option"));
        }
        let uses_token = sign_in.headers.values().chain(sign_in.query.values()).any(|text| text.contains("{token}"));
        let has_token = sign_in.session.as_ref().is_some_and(|login| login.token.is_some() || login.header.is_some());
        if uses_token != has_token {
            return Some("a session needs a token, and a header or a parameter that sends it".to_owned());
        }
    }
    None
}

fn paths(service: &Service) -> Vec<&str> {
    let logins = service.sign_in.iter().filter_map(|sign_in| sign_in.session.as_ref());
    let requests = service.requests.iter().map(|request| &request.path);
    logins.map(|login| &login.path).chain(requests).flat_map(OneOrMany::iter).collect()
}

/// All texts with placeholders.
fn texts(service: &Service) -> Vec<String> {
    let mut texts: Vec<String> = paths(service).into_iter().map(str::to_owned).collect();
    for sign_in in &service.sign_in {
        texts.extend(sign_in.headers.values().chain(sign_in.query.values()).cloned());
        if let Some(call) = &sign_in.call {
            json_texts(&call.params, &mut texts);
        }
        if let Some(login) = &sign_in.session {
            texts.extend(login.headers.values().cloned());
            body_texts(login.json.as_ref(), &login.form, &mut texts);
        }
    }
    for request in &service.requests {
        texts.extend(request.headers.values().cloned());
        body_texts(request.json.as_ref(), &request.form, &mut texts);
    }
    texts
}

fn body_texts(json: Option<&Value>, form: &BTreeMap<String, String>, texts: &mut Vec<String>) {
    texts.extend(form.values().cloned());
    if let Some(json) = json {
        json_texts(json, texts);
    }
}

fn json_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| json_texts(value, texts)),
        Value::Object(fields) => fields.values().for_each(|value| json_texts(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
