//! The bodies of the API as JSON Schema, for its description.

use serde_json::{Value, json};

use crate::routes::error::MAX_PROBLEMS;

/// All of them, by name. They state only what holds for every file: only `conf.yml` is checked against the schema of
/// configs; any other file may contain any JSON.
pub(super) fn schemas() -> Value {
    json!({
        "Config": {
            "type": "object",
            "description": "A whole config file. `conf.yml` must match /schema.json and be no larger than 256 KB.",
            "properties": {
                "pageInfo": { "description": "Title, description and links of the page." },
                "appConfig": { "description": "Settings of the dashboard." },
                "sections": { "description": "The sections, a list." },
                "pages": { "description": "Additional pages, a list." },
            },
        },
        "Value": {
            "description": "The new value of a top-level key.",
            "anyOf": [{ "type": "object" }, { "type": "array" }],
        },
        "StoredValue": stored("Value"),
        "Section": {
            "type": "object",
            "description": "Fields of a section.",
            "properties": {
                "name": { "type": "string", "minLength": 1 },
                "icon": { "description": "An icon of any kind." },
                "displayData": { "description": "How the section looks." },
                "items": { "description": "Its items, a list; replaced as a whole." },
                "widgets": { "description": "Its widgets, a list; replaced as a whole." },
            },
        },
        "NewSection": named("Section", "name"),
        "StoredSection": stored("Section"),
        "Item": {
            "type": "object",
            "description": "Fields of an item.",
            "properties": {
                "title": { "type": "string", "minLength": 1 },
                "description": { "description": "A few words." },
                "url": { "description": "Where it leads." },
                "icon": { "description": "An icon of any kind." },
                "tags": { "description": "Words to find it by, a list." },
            },
        },
        "NewItem": named("Item", "title"),
        "StoredItem": stored("Item"),
        "StoredItems": { "type": "array", "items": { "$ref": "#/components/schemas/StoredItem" } },
        "Files": {
            "type": "object",
            "required": ["success", "files"],
            "properties": {
                "success": { "const": true },
                "files": { "type": "array", "uniqueItems": true, "items": { "type": "string" } },
            },
        },
        "Written": written(None, false),
        "SectionWritten": written(Some(("section", json!({ "type": "object" }))), false),
        "SectionCreated": written(Some(("section", reference("NewSection"))), true),
        "ItemWritten": written(Some(("item", json!({ "type": "object" }))), false),
        "ItemCreated": written(Some(("item", reference("NewItem"))), true),
        "Problems": {
            "type": "array",
            "maxItems": MAX_PROBLEMS,
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
            "additionalProperties": false,
            "properties": {
                "success": { "const": false },
                "message": { "type": "string", "minLength": 1 },
                "errors": { "$ref": "#/components/schemas/Problems", "description": "What the schema forbids." },
            },
        },
        "Description": {
            "type": "object",
            "description": "An OpenAPI document.",
            "required": ["openapi", "info", "paths"],
        },
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A schema that requires a field.
fn named(schema: &str, field: &str) -> Value {
    json!({ "allOf": [reference(schema), { "type": "object", "required": [field] }] })
}

/// The result of a read: usually this schema, but a file written by hand may contain anything in its place.
fn stored(schema: &str) -> Value {
    json!({
        "description": "As stored; parts written by hand may have another shape.",
        "anyOf": [reference(schema), {}],
    })
}

/// The response to a write, with what was written.
fn written(part: Option<(&str, Value)>, with_index: bool) -> Value {
    let mut properties = json!({
        "success": { "const": true },
        "message": { "type": "string" },
        "backup": { "type": ["string", "null"], "description": "Name of the backup of the file before the change." },
        "warnings": { "$ref": "#/components/schemas/Problems", "description": "Problems that the file had before and still has." },
        "restartRequired": { "const": true, "description": "The change to the sign-in takes effect at the next start." },
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
    // Any other field would be undocumented.
    json!({ "type": "object", "required": required, "properties": properties, "additionalProperties": false })
}
