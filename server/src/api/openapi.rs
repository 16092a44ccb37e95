//! The description of the API in OpenAPI 3.1, made from the list of endpoints: it cannot say anything else than what
//! is routed.

use http::Method;
use serde_json::{Map, Value, json};

use super::{
    answer::Answer,
    endpoint::{Action, Call, ENDPOINTS, Endpoint, parameter},
};
use crate::{auth::Reader, error::ApiError};

pub(super) async fn get(_: Reader, call: Call) -> Result<Answer, ApiError> {
    Ok(Answer::value(description(&call.portico.settings.base)))
}

/// The description for a server below this path prefix.
pub fn description(base: &str) -> Value {
    let mut paths = Map::new();
    for endpoint in &ENDPOINTS {
        let path = paths.entry(format!("/api{}", endpoint.path)).or_insert_with(|| path_item(endpoint.path));
        path[endpoint.method.as_str().to_lowercase()] = operation(endpoint);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Portico",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Reads and writes config files as JSON. It is off until ENABLE_API=true is set.",
        },
        "servers": [{ "url": if base.is_empty() { "/" } else { base } }],
        // Any of them; none of them where no kind of sign-in is configured.
        "security": [{ "token": [] }, { "basic": [] }, {}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "The value of API_TOKEN." },
                "basic": { "type": "http", "scheme": "basic", "description": "An account of the dashboard." },
            },
            "schemas": schemas(),
            "responses": { "Failure": {
                "description": "The request was refused or failed; the message says why.",
                "content": content("Failure"),
            } },
        },
    })
}

fn path_item(path: &str) -> Value {
    let parameters: Vec<Value> = path.split('/').filter_map(parameter).map(parameter_of).collect();
    if parameters.is_empty() { json!({}) } else { json!({ "parameters": parameters }) }
}

fn parameter_of(name: &str) -> Value {
    let (description, schema) = match name {
        "filename" => (
            "Name of a config file in the user-data directory, such as `conf.yml`.",
            json!({ "type": "string", "maxLength": 255, "pattern": "^[^./\\\\][^/\\\\]*\\.[yY][aA]?[mM][lL]$" }),
        ),
        "key" => ("A top-level key.", json!({ "type": "string", "enum": config::Key::ALL.map(config::Key::word) })),
        "sid" => ("Zero-based index or exact name of a section; the first match wins.", json!({ "type": "string" })),
        _ => ("Zero-based index or exact title of an item; the first match wins.", json!({ "type": "string" })),
    };
    json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
}

fn operation(endpoint: &Endpoint) -> Value {
    let is_read = matches!(endpoint.action, Action::Read(_));
    let status = if endpoint.method == Method::POST { "201" } else { "200" };
    let access = if is_read { "For whoever may sign in." } else { "For admins." };
    let mut operation = json!({
        "operationId": operation_id(endpoint),
        "summary": endpoint.summary,
        "description": access,
        "responses": {
            status: { "description": "Success.", "content": content(endpoint.response) },
            "default": { "$ref": "#/components/responses/Failure" },
        },
    });
    if let Some(schema) = endpoint.request {
        operation["requestBody"] = json!({ "required": true, "content": content(schema) });
    }
    operation
}

/// Such as `patchSection`: the method, and what the path leads to.
fn operation_id(endpoint: &Endpoint) -> String {
    let last = endpoint.path.rsplit('/').next().unwrap_or_default();
    let thing = match last {
        "config" => "Files",
        "{filename}" => "File",
        "{key}" => "Key",
        "sections" => "Section",
        "{sid}" => "Section",
        "items" if endpoint.method == Method::GET => "Items",
        "items" | "{iid}" => "Item",
        _ => "Description",
    };
    format!("{}{thing}", endpoint.method.as_str().to_lowercase())
}

fn content(schema: &str) -> Value {
    json!({ "application/json": { "schema": { "$ref": format!("#/components/schemas/{schema}") } } })
}

fn schemas() -> Value {
    let written = |part: Option<(&str, Value)>, with_index: bool| {
        let mut properties = json!({
            "success": { "const": true },
            "message": { "type": "string" },
            "backup": { "type": ["string", "null"], "description": "Name of the backup of the file before the change." },
            "warnings": { "$ref": "#/components/schemas/Problems", "description": "What was wrong before and still is." },
            "restartRequired": { "const": true, "description": "The way to sign in changes with the next start." },
        });
        let mut required = vec!["success", "message", "backup"];
        if with_index {
            properties["index"] = json!({ "type": "integer", "minimum": 0 });
            required.push("index");
        }
        if let Some((name, schema)) = part {
            properties[name] = schema;
            required.push(name);
        }
        json!({ "type": "object", "required": required, "properties": properties })
    };
    let section = || Some(("section", json!({ "$ref": "#/components/schemas/Section" })));
    let item = || Some(("item", json!({ "$ref": "#/components/schemas/Item" })));
    let items = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Item" } });
    let named = |key: &str| json!({ "type": "object", "required": [key], "properties": { key: { "type": "string", "minLength": 1 } } });
    json!({
        "Config": {
            "type": "object",
            "description": "A whole config file.",
            "properties": {
                "pageInfo": { "type": "object" },
                "appConfig": { "type": "object" },
                "sections": { "type": "array", "items": { "$ref": "#/components/schemas/Section" } },
                "pages": { "type": "array", "items": { "type": "object" } },
            },
        },
        "Value": { "type": ["object", "array"], "description": "The value of a top-level key." },
        "Section": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "hideForGuests": { "type": "boolean" },
                "items": items,
            },
        },
        "NewSection": { "allOf": [{ "$ref": "#/components/schemas/Section" }, named("name")] },
        "Items": items,
        "Item": {
            "type": "object",
            "properties": {
                "title": { "type": "string" },
                "url": { "type": "string" },
                "icon": { "type": "string" },
                "hideForGuests": { "type": "boolean" },
            },
        },
        "NewItem": { "allOf": [{ "$ref": "#/components/schemas/Item" }, named("title")] },
        "Files": {
            "type": "object",
            "required": ["success", "files"],
            "properties": {
                "success": { "const": true },
                "files": { "type": "array", "items": { "type": "string" } },
            },
        },
        "Written": written(None, false),
        "SectionWritten": written(section(), false),
        "SectionCreated": written(section(), true),
        "ItemWritten": written(item(), false),
        "ItemCreated": written(item(), true),
        "Problems": {
            "type": "array",
            "maxItems": crate::error::MOST_PROBLEMS,
            "items": {
                "type": "object",
                "required": ["path", "message"],
                "properties": {
                    "path": { "type": "string", "description": "A JSON pointer into the config." },
                    "message": { "type": "string" },
                },
            },
        },
        "Failure": {
            "type": "object",
            "required": ["success", "message"],
            "properties": {
                "success": { "const": false },
                "message": { "type": "string" },
                "errors": { "$ref": "#/components/schemas/Problems", "description": "What the schema forbids." },
            },
        },
        "Description": { "type": "object", "description": "An OpenAPI document." },
    })
}
