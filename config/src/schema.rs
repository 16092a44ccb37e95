//! The JSON Schema of `conf.yml` (draft 2020-12), generated from the tables that [`crate::check`] applies: both refuse
//! the same documents.

use serde_json::{Map, Value, json};

use crate::model::{
    Config,
    block::Block,
    shape::{BlockShape, Demand, FieldSpec, MANY, Need, Preset, ReadLimit, Rule, TextKind, UnknownKeys, Unset},
};

/// The mark on fields that have no effect yet.
pub(crate) const NOT_IN_EFFECT: &str = "Not in effect yet.";

/// The dialect of the schema.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The JSON Schema of `conf.yml` (docs/spec/config.md 1.3 and 2 to 9), for editors and other programs. A widget's
/// `options` may be any mapping.
pub fn json_schema() -> Value {
    json_schema_with(Value::Null)
}

/// The JSON Schema of `conf.yml` with the options of widgets: `widgets` maps each name of a type, as people may write
/// it, to the JSON Schema of its `options`. Names with the same schema are grouped; a schema may have its own `$defs`.
/// Types that are not in it stay allowed, with any options; so is everything if `widgets` is not a mapping.
pub fn json_schema_with(widgets: Value) -> Value {
    let mut definitions = Definitions::default();
    let mut root = json!({ "$schema": DIALECT });
    extend(&mut root, definitions.mapping(Config::SHAPE));
    if let Value::Object(widgets) = widgets {
        definitions.add_options(widgets);
    }
    extend(&mut root, json!({ "title": "Portico conf.yml", "$defs": definitions.0 }));
    root
}

/// A default as it would be written in the file.
pub(crate) fn preset(preset: Preset) -> Value {
    match preset {
        Preset::Flag(flag) => flag.into(),
        Preset::Number(number) => number.into(),
        Preset::Text(text) => text.into(),
        Preset::Word(word) => word().into(),
        Preset::EmptyList => json!([]),
        Preset::EmptyMapping => json!({}),
    }
}

/// The description of a field: its meaning, its limits, a default that no value expresses, and old forms. Editors show
/// nothing else.
pub(crate) fn description(field: &FieldSpec) -> String {
    if field.need == Need::Legacy {
        return format!("Old: `{}` {}.", field.key, field.about);
    }
    let mut text = meaning(field);
    if let Some(limits) = limits(field) {
        text.push_str(&format!(" {limits}."));
    }
    if let Unset::Means(words) = field.unset {
        text.push_str(&format!(" Default: {words}."));
    }
    text
}

/// What a field does, whether it has an effect yet, and what became of old forms.
pub(crate) fn meaning(field: &FieldSpec) -> String {
    let mut text = if field.in_effect { String::new() } else { format!("{NOT_IN_EFFECT} ") };
    text.push_str(field.about);
    if let ReadLimit::Clamped((min, max)) = field.limit {
        text.push_str(&format!(" Below {min} it acts as {min}, above {max} as {max}."));
    }
    for (_, hint) in field.old_forms {
        text.push_str(&format!(" {hint}."));
    }
    if let Some(about) = old_list(field.rule) {
        text.push_str(&format!(" {about}"));
    }
    text
}

/// The limits of a value or its length, as a phrase.
pub(crate) fn limits(field: &FieldSpec) -> Option<String> {
    match (field.rule, field.limit) {
        (Rule::Number(min, max), _) if min.is_finite() => Some(format!("From {min} to {max}")),
        (Rule::Texts(max) | Rule::Shapes(_, max), _) if max != MANY => Some(format!("At most {max}")),
        (_, ReadLimit::Characters(max)) => Some(format!("At most {max} characters")),
        _ => None,
    }
}

/// The description of a list in place of a mapping.
fn old_list(rule: Rule) -> Option<String> {
    match rule {
        Rule::ShapeOrOldList(shape, _, key) => {
            Some(format!("A list here is the old form; it belongs in `{}.{key}`.", shape.name))
        }
        _ => None,
    }
}

/// The `$defs`; each is added when something first refers to it.
#[derive(Default)]
struct Definitions(Map<String, Value>);

impl Definitions {
    /// The schema of a mapping with known keys.
    fn mapping(&mut self, shape: &BlockShape) -> Value {
        let properties: Map<String, Value> =
            shape.fields.iter().map(|field| (field.key.to_owned(), self.field(field))).collect();
        let required: Vec<_> =
            shape.fields.iter().filter(|field| field.need == Need::Required).map(|field| field.key).collect();
        let mut schema = json!({
            "title": shape.title,
            "description": shape.about,
            "type": "object",
            "properties": properties,
        });
        if !required.is_empty() {
            extend(&mut schema, json!({ "required": required }));
        }
        if let UnknownKeys::Prefixed(prefix) = shape.others {
            extend(&mut schema, json!({ "patternProperties": { format!("^{prefix}"): {} } }));
        }
        extend(&mut schema, json!({ "additionalProperties": matches!(shape.others, UnknownKeys::Allowed) }));
        let demands: Vec<_> = shape.demands.iter().map(demand).collect();
        if !demands.is_empty() {
            extend(&mut schema, json!({ "allOf": demands }));
        }
        schema
    }

    fn field(&mut self, field: &FieldSpec) -> Value {
        let mut schema = self.rule(field.rule);
        if field.need == Need::Nullable {
            schema = nullable(schema);
        }
        extend(&mut schema, json!({ "description": description(field) }));
        if let Unset::Like(value) = field.unset {
            extend(&mut schema, json!({ "default": preset(value) }));
        }
        if !field.examples.is_empty() {
            extend(&mut schema, json!({ "examples": field.examples }));
        }
        if field.need == Need::Legacy {
            // `deprecated` is the standard; editors show `deprecationMessage`.
            extend(&mut schema, json!({ "deprecated": true, "deprecationMessage": description(field) }));
        }
        schema
    }

    fn rule(&mut self, rule: Rule) -> Value {
        match rule {
            Rule::Any => json!({}),
            Rule::Text => json!({ "type": "string" }),
            Rule::Kind(kind) => self.kind(kind),
            Rule::Format(form) => json!({ "type": "string", "pattern": form.expression() }),
            Rule::Flag => json!({ "type": "boolean" }),
            Rule::Number(min, max) => ranged(json!("number"), min, max),
            Rule::NumberOrFlag => json!({ "type": ["number", "boolean"] }),
            Rule::Word(words) => json!({ "type": "string", "enum": words() }),
            Rule::Texts(max) => list(json!({ "type": "string" }), max),
            Rule::TextMap => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            Rule::MapOfMaps => json!({ "type": "object", "additionalProperties": { "type": "object" } }),
            Rule::Map => json!({ "type": "object" }),
            Rule::Shape(shape) => self.shape(shape),
            Rule::Shapes(shape, max) => list(self.shape(shape), max),
            Rule::ShapeOrOldList(shape, element, _) => {
                let mut old = list(self.shape(element), MANY);
                let about = old_list(rule);
                extend(&mut old, json!({ "description": about, "deprecated": true, "deprecationMessage": about }));
                json!({ "anyOf": [self.shape(shape), old] })
            }
        }
    }

    /// A reference to the definition of a mapping.
    fn shape(&mut self, shape: &BlockShape) -> Value {
        if !self.0.contains_key(shape.title) {
            // Reserves the position, so that definitions come in the order of their first use.
            self.0.insert(shape.title.to_owned(), Value::Null);
            let definition = self.mapping(shape);
            self.0.insert(shape.title.to_owned(), definition);
        }
        reference(shape.title)
    }

    /// A reference to the definition of a kind of text.
    fn kind(&mut self, kind: &TextKind) -> Value {
        let definition = || {
            json!({
                "title": kind.title,
                "description": kind.about,
                "type": "string",
                "examples": kind.examples,
            })
        };
        self.0.entry(kind.title).or_insert_with(definition);
        reference(kind.title)
    }

    /// Adds the options of each type of widget.
    fn add_options(&mut self, widgets: Map<String, Value>) {
        let mut groups: Vec<(Vec<String>, Value)> = Vec::new();
        for (name, schema) in widgets {
            match groups.iter_mut().find(|(_, known)| *known == schema) {
                Some((names, _)) => names.push(name),
                None => groups.push((vec![name], schema)),
            }
        }
        // Offer each name only once in editors: the first spelling.
        let mut names: Vec<String> = Vec::new();
        for name in groups.iter().flat_map(|(names, _)| names) {
            if !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                names.push(name.clone());
            }
        }
        let mut rules = Vec::new();
        for (names, schema) in groups {
            let title = format!("widget-{}", names[0]);
            self.adopt(&title, schema);
            rules.push(json!({
                "if": { "properties": { "type": { "enum": names } }, "required": ["type"] },
                "then": { "properties": { "options": nullable(reference(&title)) } },
            }));
        }
        if let Some(widget) = self.0.get_mut("Widget") {
            widget["properties"]["type"]["anyOf"] = json!([{ "enum": names }, { "type": "string" }]);
            widget["allOf"] = rules.into();
        }
    }

    /// Adds a schema from elsewhere. Its own definitions become siblings of ours, and its references are changed
    /// accordingly.
    fn adopt(&mut self, title: &str, mut schema: Value) {
        if let Some(mapping) = schema.as_object_mut() {
            mapping.shift_remove("$schema");
            if let Some(Value::Object(inner)) = mapping.shift_remove("$defs") {
                for (name, definition) in inner {
                    self.adopt_part(title, format!("{title}.{name}"), definition);
                }
            }
        }
        self.adopt_part(title, title.to_owned(), schema);
    }

    fn adopt_part(&mut self, title: &str, name: String, mut schema: Value) {
        redirect(&mut schema, title);
        self.0.insert(name, schema);
    }
}

/// Changes the references of a schema to the new locations of its definitions.
fn redirect(schema: &mut Value, title: &str) {
    match schema {
        Value::Object(mapping) => {
            for (key, value) in mapping {
                match value {
                    Value::String(target) if key == "$ref" => {
                        if let Some(name) = target.strip_prefix("#/$defs/") {
                            *target = format!("#/$defs/{title}.{name}");
                        } else if target == "#" {
                            *target = format!("#/$defs/{title}");
                        }
                    }
                    value => redirect(value, title),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| redirect(element, title)),
        _ => {}
    }
}

fn demand(demand: &Demand) -> Value {
    match *demand {
        Demand::OneOf(one, other) => json!({ "oneOf": [{ "required": [one] }, { "required": [other] }] }),
        Demand::WhileOn { flag, block, keys } => json!({
            "if": { "properties": { flag: { "const": true } }, "required": [flag] },
            "then": { "required": [block], "properties": { block: { "required": keys } } },
        }),
    }
}

fn reference(title: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{title}") })
}

/// The schema, extended to allow null.
fn nullable(mut schema: Value) -> Value {
    if schema.get("$ref").is_some() {
        return json!({ "anyOf": [schema, { "type": "null" }] });
    }
    if let Some(kind) = schema.get("type").cloned() {
        extend(&mut schema, json!({ "type": [kind, "null"] }));
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    schema
}

fn list(elements: Value, max: usize) -> Value {
    let mut schema = json!({ "type": "array", "items": elements });
    if max != MANY {
        extend(&mut schema, json!({ "maxItems": max }));
    }
    schema
}

fn ranged(kind: Value, min: f64, max: f64) -> Value {
    let mut schema = json!({ "type": kind });
    for (key, bound) in [("minimum", min), ("maximum", max)] {
        if bound.is_finite() {
            extend(&mut schema, json!({ key: whole(bound) }));
        }
    }
    schema
}

/// A bound, written as an integer if it has no fraction.
fn whole(bound: f64) -> Value {
    // All bounds of the tables are small.
    if bound.fract() == 0.0 { json!(bound as i64) } else { json!(bound) }
}

/// Adds the keys of one schema to another.
fn extend(schema: &mut Value, more: Value) {
    if let (Value::Object(schema), Value::Object(more)) = (schema, more) {
        schema.extend(more);
    }
}
