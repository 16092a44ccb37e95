//! Documents generated from the tables, so that no field can be forgotten.

use serde_json::{Map, Value, json};

use crate::model::{
    Config,
    block::Block,
    shape::{BlockShape, Demand, FieldSpec, MANY, Need, Pattern, Rule, TextFormat},
};

/// A valid document in which every field of every table is set, including legacy fields.
pub(super) fn document() -> Value {
    mapping(Config::SHAPE, true)
}

/// A valid mapping with all its fields, or only with required ones.
pub(super) fn mapping(shape: &BlockShape, with_all: bool) -> Value {
    let not_both = |field: &FieldSpec| {
        shape.demands.iter().any(|demand| matches!(demand, Demand::OneOf(_, other) if *other == field.key))
    };
    let wanted = |field: &&FieldSpec| {
        let one_of = shape.demands.iter().any(|demand| matches!(demand, Demand::OneOf(one, _) if *one == field.key));
        (with_all && !not_both(field)) || field.need == Need::Required || one_of
    };
    let fields = shape.fields.iter().filter(wanted);
    Value::Object(fields.map(|field| (field.key.to_owned(), value(field.rule, with_all))).collect::<Map<_, _>>())
}

/// A valid value.
pub(super) fn value(rule: Rule, with_all: bool) -> Value {
    match rule {
        Rule::Any | Rule::Text | Rule::Kind(_) => json!("text"),
        Rule::Format(form) => text(form).into(),
        Rule::Flag | Rule::NumberOrFlag => json!(true),
        Rule::Number(min, _) => json!(if min.is_finite() { min } else { -1.5 }),
        Rule::Word(words) => words()[0].into(),
        Rule::Texts(_) => json!(["a", "b"]),
        Rule::TextMap => json!({ "a": "b" }),
        Rule::MapOfMaps => json!({ "a": { "b": [1] } }),
        Rule::Map => json!({ "a": [1, { "b": null }] }),
        Rule::Shape(shape) | Rule::ShapeOrOldList(shape, ..) => mapping(shape, with_all),
        Rule::Shapes(shape, _) => json!([mapping(shape, with_all), mapping(shape, false)]),
    }
}

/// A text of a form.
fn text(form: &TextFormat) -> String {
    match form.patterns[0] {
        Pattern::Exactly(whole) => whole.to_owned(),
        Pattern::Begins(start) => format!("{start}x"),
        Pattern::Characters(count, ranges) => ranges[0].0.to_string().repeat(count),
    }
}

/// Calls back for each field of each table, with a valid document in which the field can be set at the JSON pointer.
pub(super) fn for_each(visit: &mut dyn FnMut(&Value, &str, &BlockShape, &FieldSpec)) {
    let mut place = ValuePath { document: mapping(Config::SHAPE, false), pointer: String::new() };
    place.walk(Config::SHAPE, visit);
}

struct ValuePath {
    document: Value,
    pointer: String,
}

impl ValuePath {
    fn walk(&mut self, shape: &BlockShape, visit: &mut dyn FnMut(&Value, &str, &BlockShape, &FieldSpec)) {
        for field in shape.fields {
            let outer = self.pointer.clone();
            let pointer = format!("{outer}/{}", field.key);
            let before = self.document.clone();
            for demand in shape.demands {
                // The field replaces the one that it excludes.
                if let Demand::OneOf(one, other) = demand
                    && *other == field.key
                    && let Some(mapping) = self.document.pointer_mut(&outer).and_then(Value::as_object_mut)
                {
                    mapping.shift_remove(*one);
                }
            }
            visit(&self.document, &pointer, shape, field);
            let inner = match field.rule {
                Rule::Shape(inner) | Rule::ShapeOrOldList(inner, ..) => {
                    put(&mut self.document, &pointer, mapping(inner, false));
                    self.pointer = pointer;
                    Some(inner)
                }
                Rule::Shapes(inner, _) => {
                    put(&mut self.document, &pointer, json!([mapping(inner, false)]));
                    self.pointer = format!("{pointer}/0");
                    Some(inner)
                }
                _ => None,
            };
            if let Some(inner) = inner {
                self.walk(inner, visit);
            }
            self.document = before;
            self.pointer = outer;
        }
    }
}

/// Sets the key at the end of a JSON pointer, in an existing mapping.
pub(super) fn put(document: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    document.pointer_mut(parent).unwrap()[key] = value;
}

/// Values of which a rule refuses at least one, unless it allows everything.
pub(super) fn wrong(rule: Rule) -> Vec<Value> {
    let mut wrong = match rule {
        Rule::Any => return Vec::new(),
        Rule::Text | Rule::Kind(_) | Rule::Format(_) | Rule::Word(_) => vec![json!(1), json!(["a"]), json!({})],
        Rule::Flag => vec![json!("true"), json!(1), json!("yes")],
        Rule::Number(..) => vec![json!("2"), json!(true), json!([2])],
        Rule::NumberOrFlag => vec![json!("2"), json!("true"), json!([2])],
        Rule::Texts(_) => vec![json!("a"), json!([1]), json!([null]), json!({ "0": "a" })],
        Rule::TextMap => vec![json!("a: b"), json!({ "a": 1 }), json!([{ "a": "b" }])],
        Rule::MapOfMaps => vec![json!({ "a": "b" }), json!({ "a": null }), json!([{}])],
        Rule::Map | Rule::Shape(_) => vec![json!([]), json!("a"), json!(true)],
        Rule::Shapes(..) => vec![json!({}), json!("a"), json!([1]), json!([null]), json!([[]])],
        Rule::ShapeOrOldList(..) => vec![json!("a"), json!([1]), json!(false)],
    };
    wrong.extend(match rule {
        Rule::Format(_) => vec![json!(""), json!("!"), json!("\n")],
        Rule::Word(_) => vec![json!(""), json!("no such word")],
        Rule::Number(min, max) => [min - 1.0, min - 0.001, max + 0.001, max + 1.0]
            .into_iter()
            .filter(|number| number.is_finite())
            .map(Value::from)
            .collect(),
        Rule::Texts(max) if max != MANY => vec![json!(vec!["a"; max + 1])],
        Rule::Shapes(shape, max) if max != MANY => vec![json!(vec![mapping(shape, false); max + 1])],
        _ => Vec::new(),
    });
    wrong
}
