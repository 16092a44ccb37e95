//! The OpenAPI 3.1 description of the API, generated from the list of endpoints, so that it always matches what
//! is routed.

use std::sync::Arc;

use axum::extract::State;
use config::TopLevelKey;
use http::Method;
use serde_json::{Map, Value, json};

use super::{
    endpoint::{ENDPOINTS, Endpoint, parameter},
    response::ApiSuccess,
    schemas::schemas,
};
use crate::{
    access::{Accepted, AccessControl, Reader},
    routes::error::ApiError,
    settings::Settings,
    store::Store,
};

pub(super) async fn get(
    _: Reader,
    State(access_control): State<Arc<AccessControl>>,
    State(store): State<Arc<Store>>,
    State(settings): State<Arc<Settings>>,
) -> Result<ApiSuccess, ApiError> {
    ApiSuccess::value(&description(&settings.base, access_control.accepted(&store.site())))
}

/// The description for a server below this path prefix that accepts these credentials.
pub fn description(base: &str, accepted: Accepted) -> Value {
    let mut paths = Map::new();
    for endpoint in &ENDPOINTS {
        for path in endpoint.paths() {
            let item = paths.entry(format!("/api{path}")).or_insert_with(|| path_item(path));
            item[endpoint.method.as_str().to_lowercase()] = operation(endpoint, path);
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": app::PRODUCT,
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Reads and writes config files as JSON. It is off until ENABLE_API=true is set.",
        },
        "servers": [{ "url": if base.is_empty() { "/" } else { base } }],
        "security": security(accepted),
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "The value of API_TOKEN." },
                "basic": { "type": "http", "scheme": "basic", "description": "An account of the dashboard." },
            },
            "schemas": schemas(),
            "responses": failures(),
        },
    })
}

/// Any of them.
fn security(accepted: Accepted) -> Value {
    let ways = [
        (accepted.token, json!({ "token": [] })),
        (accepted.basic, json!({ "basic": [] })),
        (accepted.nothing, json!({})),
    ];
    ways.into_iter().filter_map(|(counts, way)| counts.then_some(way)).collect()
}

fn path_item(path: &str) -> Value {
    let parameters: Vec<Value> = path.split('/').filter_map(parameter).map(parameter_of).collect();
    if parameters.is_empty() { json!({}) } else { json!({ "parameters": parameters }) }
}

fn parameter_of(name: &str) -> Value {
    // Sections have their own path.
    let keys = [TopLevelKey::PageInfo, TopLevelKey::AppConfig, TopLevelKey::Pages].map(TopLevelKey::word);
    let selector = json!({ "type": "string", "minLength": 1 });
    let (description, example, schema) = match name {
        "filename" => (
            "Name of a config file in the user-data directory; at most 255 bytes of UTF-8.",
            "conf.yml",
            // No directories, hidden files or control characters.
            json!({
                "type": "string",
                "maxLength": 255,
                "pattern": r"^[^./\\\u0000-\u001f\u007f-\u009f][^/\\\u0000-\u001f\u007f-\u009f]*\.[yY][aA]?[mM][lL]$",
            }),
        ),
        "key" => ("A top-level key.", "pageInfo", json!({ "type": "string", "enum": keys })),
        "sid" => ("Zero-based index or exact name of a section; the first match wins.", "0", selector),
        _ => ("Zero-based index or exact title of an item; the first match wins.", "0", selector),
    };
    json!({
        "name": name,
        "in": "path",
        "required": true,
        "description": description,
        "example": example,
        "schema": schema,
    })
}

fn operation(endpoint: &Endpoint, path: &str) -> Value {
    let access = if endpoint.is_read() { "For all signed-in users." } else { "For admins." };
    let mut operation = json!({
        "operationId": operation_id(endpoint, path),
        "summary": endpoint.summary,
        "description": access,
        "responses": responses(endpoint),
    });
    if let Some(schema) = endpoint.request {
        operation["requestBody"] = json!({ "required": true, "content": content(schema) });
    }
    operation
}

fn responses(endpoint: &Endpoint) -> Value {
    let mut responses = Map::new();
    let mut success = json!({ "description": "Success.", "content": content(endpoint.response) });
    if endpoint.method == Method::POST {
        success["headers"] = json!({ "Location": {
            "description": "Address of the new element, by its index.",
            "required": true,
            "schema": { "type": "string" },
        } });
        success["links"] = links(endpoint);
        responses.insert("201".to_owned(), success);
    } else {
        responses.insert("200".to_owned(), success);
    }
    let has_body = endpoint.request.is_some();
    for (status, name, counts) in [
        ("400", "BadRequest", true),
        ("401", "Unauthorized", true),
        ("403", "Forbidden", !endpoint.is_read()),
        ("404", "NotFound", true),
        ("413", "TooLarge", has_body),
        ("415", "UnsupportedType", has_body),
        ("500", "Broken", endpoint.path.starts_with("/config")),
    ] {
        if counts {
            responses.insert(status.to_owned(), json!({ "$ref": format!("#/components/responses/{name}") }));
        }
    }
    responses.into()
}

/// What can be done with an added element.
fn links(added: &Endpoint) -> Value {
    let item = added.path.ends_with("/items");
    let (thing, own) = if item { ("Item", "iid") } else { ("Section", "sid") };
    let mut parameters = json!({ "filename": "$request.path.filename", own: "$response.body#/index" });
    if item {
        parameters["sid"] = json!("$request.path.sid");
    }
    let mut links = Map::new();
    for method in ["get", "patch", "delete"] {
        let id = format!("{method}{thing}");
        links.insert(id.clone(), json!({ "operationId": id, "parameters": parameters.clone() }));
    }
    if !item {
        links.insert("postItem".to_owned(), json!({ "operationId": "postItem", "parameters": parameters }));
    }
    links.into()
}

/// Such as `patchSection`: the method, and the kind of element.
fn operation_id(endpoint: &Endpoint, path: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or_default();
    let thing = match last {
        "config" => "Files",
        "{filename}" => "File",
        "{key}" => "Key",
        "sections" if endpoint.method != Method::POST => "Sections",
        "sections" | "{sid}" => "Section",
        "items" if endpoint.method == Method::GET => "Items",
        "items" | "{iid}" => "Item",
        _ => "Description",
    };
    format!("{}{thing}", endpoint.method.as_str().to_lowercase())
}

fn content(schema: &str) -> Value {
    json!({ "application/json": { "schema": { "$ref": format!("#/components/schemas/{schema}") } } })
}

/// The failures, which all have the same body.
fn failures() -> Value {
    let mut failures = Map::new();
    for (name, description) in [
        (
            "BadRequest",
            "The body is no JSON or has the wrong shape, the file name or the key is not valid, the stored file has \
             another shape, or the result does not fit the schema or is larger than 256 KB.",
        ),
        ("Unauthorized", "Credentials are missing or wrong."),
        ("Forbidden", "Only admins may write, and pages of other sites may not."),
        ("NotFound", "The API is off, or there is no such file, key, section or item."),
        ("TooLarge", "The body is larger than 1 MB."),
        ("UnsupportedType", "The body is not application/json, or is compressed."),
        ("Broken", "The stored file is not valid YAML, or it cannot be backed up or written."),
    ] {
        let mut failure = json!({ "description": description, "content": content("Failure") });
        if name == "Unauthorized" {
            failure["headers"] = json!({ "WWW-Authenticate": {
                "description": "The accepted kinds of credentials.",
                "schema": { "type": "string" },
            } });
        }
        failures.insert(name.to_owned(), failure);
    }
    failures.into()
}
