//! The schema check. Its list of problems is what the validator prints and the editor shows, and it decides whether a
//! write may happen (docs/spec/config.md 1.3 and 14, docs/spec/api.md 8).

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::{
    did_you_mean::did_you_mean,
    document::{Document, first_invisible},
    effect::Effect,
    model::{
        Config,
        block::Block,
        brief, kind_of,
        shape::{BlockShape, Demand, FieldSpec, MANY, Need, Rule, Unset},
        without_effect,
    },
    problem::{Problem, ProblemKind, Severity, push_step},
    schema::preset,
};

/// All problems of a main config. Errors: what the schema forbids. Warnings: old fields, and values that reading could
/// not use. Notes: fields that are not in effect yet. In the order of the file where they have a position.
pub fn check(document: &Document) -> Vec<Problem> {
    match Config::read(document) {
        Ok(config) => check_read(document, &config),
        Err(_) => check_schema(document),
    }
}

/// Like [`check`], for a document that has already been read.
pub fn check_read(document: &Document, config: &Config) -> Vec<Problem> {
    with_read(check_schema(document), config)
}

/// The problems that reading has found, without duplicates: all there is to say about the file of a page.
pub fn check_page(page: &Config) -> Vec<Problem> {
    with_read(Vec::new(), page)
}

/// Warnings about what a file has that means nothing in the file of a page. Nothing else is checked there.
pub fn check_page_file(document: &Document) -> Vec<Problem> {
    document.value().as_object().map(|page| without_effect(page, None)).unwrap_or_default()
}

/// Adds what reading has found. Where the schema sees an error, reading stumbles over the same value.
fn with_read(mut problems: Vec<Problem>, config: &Config) -> Vec<Problem> {
    // Sets, because a file can have tens of thousands of problems.
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    let wrong: HashSet<_> = errors.map(|problem| problem.path.clone()).collect();
    let mut known: HashSet<_> = problems.iter().map(|problem| (problem.path.clone(), problem.kind)).collect();
    let read = config.problems.iter().filter(|problem| !wrong.contains(&problem.path));
    problems.extend(read.filter(|problem| known.insert((problem.path.clone(), problem.kind))).cloned());
    problems
}

/// What the schema alone says about a main config.
pub fn check_schema(document: &Document) -> Vec<Problem> {
    let mut checker = SchemaCheck { path: String::new(), problems: Vec::new() };
    match document.value() {
        Value::Object(mapping) => checker.mapping(mapping, Config::SHAPE),
        _ => checker.error(ProblemKind::WrongType, "the top level of the config is not a mapping", None),
    }
    checker.problems
}

/// The errors that a change has caused. An error is not new if an error of the same kind was there before at the same
/// path, or at a path that differs only because elements before it were added or removed.
pub fn new_errors(before: &[Problem], after: &[Problem]) -> Vec<Problem> {
    let errors = |list: &'_ [Problem]| -> Vec<Problem> {
        list.iter().filter(|problem| problem.severity == Severity::Error).cloned().collect()
    };
    let mut left: Vec<Problem> = errors(before);
    let mut unmatched = Vec::new();
    let mut positions: HashMap<(String, ProblemKind), usize> = HashMap::new();
    for problem in &left {
        *positions.entry((problem.path.clone(), problem.kind)).or_default() += 1;
    }
    for problem in errors(after) {
        match positions.get_mut(&(problem.path.clone(), problem.kind)).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => unmatched.push(problem),
        }
    }
    left.retain(|problem| match positions.get_mut(&(problem.path.clone(), problem.kind)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    });
    let mut moved: HashMap<(String, ProblemKind), usize> = HashMap::new();
    for problem in &left {
        *moved.entry((without_indexes(&problem.path), problem.kind)).or_default() += 1;
    }
    unmatched.retain(|problem| match moved.get_mut(&(without_indexes(&problem.path), problem.kind)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    unmatched
}

/// The errors that a draft of the editor has caused: those of [`new_errors`], with two exceptions. Unknown keys never
/// block a save: forms write none, and a backup or a deleted item must be restored complete. Copied errors do not block
/// it either, because duplicating an item duplicates its errors: an error is a copy if there already was one of its
/// kind about the same value in another element of the same lists.
pub fn new_errors_of_draft(before: &Document, after: &Document, problems: &[Problem]) -> Vec<Problem> {
    let known = check(before);
    let what = |document: &Document, path: &str| {
        let outer = path.rsplit_once('/').map_or("", |(outer, _)| outer);
        // A missing key has no value, so compare the mapping that lacks it.
        document.value().pointer(path).or_else(|| document.value().pointer(outer)).cloned()
    };
    let is_copy = |problem: &Problem| {
        let (path, value) = (without_indexes(&problem.path), what(after, &problem.path));
        let alike = |other: &&Problem| other.kind == problem.kind && without_indexes(&other.path) == path;
        known.iter().filter(alike).any(|other| what(before, &other.path) == value)
    };
    let blocks = |problem: &Problem| problem.kind != ProblemKind::UnknownKey && !is_copy(problem);
    new_errors(&known, problems).into_iter().filter(blocks).collect()
}

fn without_indexes(path: &str) -> String {
    let steps = path.split('/').map(|step| {
        let is_index = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
        if is_index { "*" } else { step }
    });
    steps.collect::<Vec<_>>().join("/")
}

/// The note about a field that is set but has no effect yet.
const NOT_IN_EFFECT: &str = "is not in effect yet: this version lacks the feature that it belongs to";

struct SchemaCheck {
    path: String,
    problems: Vec<Problem>,
}

impl SchemaCheck {
    /// An error; the effect is what happens with the value in a file that is in use, unless reading reports another one.
    fn error(&mut self, kind: ProblemKind, message: impl Into<String>, effect: impl Into<Option<Effect>>) {
        self.problem(kind, message, effect.into(), Severity::Error);
    }

    fn missing(&mut self, message: String) {
        self.error(ProblemKind::Missing, message, Effect::of_missing(&self.path));
    }

    fn warning(&mut self, message: impl Into<String>) {
        self.problem(ProblemKind::Legacy, message, None, Severity::Warning);
    }

    fn problem(&mut self, kind: ProblemKind, message: impl Into<String>, effect: Option<Effect>, severity: Severity) {
        self.problems.push(Problem { path: self.path.clone(), kind, message: message.into(), effect, severity });
    }

    fn wrong_type(&mut self, rule: Rule, value: &Value) {
        let effect = if value.is_null() {
            Effect::NotSet
        } else if rule.is_text() {
            Effect::UsedAsText
        } else if self.path.contains("/widgets/") {
            Effect::WidgetDecides
        } else {
            Effect::UsedAsItIs
        };
        let message = format!("must be {}, not {}", rule.wanted(), kind_of(value));
        self.error(ProblemKind::WrongType, message, effect);
    }

    /// Runs a check one step further down.
    fn at(&mut self, step: &str, check: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        push_step(&mut self.path, step);
        check(self);
        self.path.truncate(length);
    }

    fn mapping(&mut self, mapping: &Map<String, Value>, shape: &'static BlockShape) {
        for (key, value) in mapping {
            match shape.fields.iter().find(|field| field.key == key) {
                Some(field) => self.at(key, |checker| checker.field(value, field)),
                None => self.at(key, |checker| checker.other_key(key, shape)),
            }
        }
        for field in shape.fields.iter().filter(|field| matches!(field.need, Need::Required)) {
            if !mapping.contains_key(field.key) {
                let mut message = format!("{} needs `{}`", shape.name, field.key);
                if let Some(example) = field.examples.first() {
                    message.push_str(&format!(", such as `{example}`"));
                }
                self.at(field.key, |checker| checker.missing(message));
            }
        }
        for demand in shape.demands {
            self.demand(mapping, shape, demand);
        }
    }

    fn other_key(&mut self, key: &str, shape: &BlockShape) {
        if !shape.allows(key) {
            let message = match first_invisible(key) {
                Some((0, name)) => {
                    format!("this key begins with {name}, which is not indentation; replace it with a blank")
                }
                Some((_, name)) => format!("the key `{}` contains {name}; delete it", brief(key)),
                None => {
                    let meant = did_you_mean(key, shape.fields.iter().map(|field| field.key));
                    format!("{} has no key `{}`{meant}", shape.name, brief(key))
                }
            };
            self.error(ProblemKind::UnknownKey, message, Effect::Ignored);
        }
    }

    fn field(&mut self, value: &Value, field: &FieldSpec) {
        match field.need {
            Need::Nullable if value.is_null() => return,
            Need::Legacy => self.warning(format!("`{}` {}", field.key, field.about)),
            Need::Optional | Need::Nullable | Need::Required => {}
        }
        self.rule(value, field.rule);
        let is_default = matches!(field.unset, Unset::Like(default) if preset(default) == *value);
        if !field.in_effect && !is_default {
            self.problem(ProblemKind::NotInEffect, NOT_IN_EFFECT, None, Severity::Note);
        }
        let text = value.as_str().unwrap_or_default();
        if let Some((_, hint)) = field.old_forms.iter().find(|(form, _)| form.fits(text)) {
            self.warning(*hint);
        }
    }

    fn rule(&mut self, value: &Value, rule: Rule) {
        match (rule, value) {
            (Rule::Any, _) | (Rule::Text | Rule::Kind(_), Value::String(_)) | (Rule::Flag, Value::Bool(_)) => {}
            (Rule::NumberOrFlag, Value::Bool(_) | Value::Number(_)) => {}
            (Rule::Map, Value::Object(_)) => {}
            (Rule::Format(form), Value::String(text)) => {
                if !form.fits(text) {
                    self.error(ProblemKind::Malformed, form.must, Effect::of_malformed(&self.path));
                }
            }
            (Rule::Number(min, max), Value::Number(number)) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                if !(min..=max).contains(&number) {
                    let message = format!("must be from {min} to {max}, not {number}");
                    self.error(ProblemKind::OutOfRange, message, Effect::NotSet);
                }
            }
            (Rule::Word(words), Value::String(text)) => {
                let words = words();
                if !words.contains(&text.as_str()) {
                    let meant = did_you_mean(text, words.iter().copied());
                    let message = format!("`{}` is not one of {}{meant}", brief(text), words.join(", "));
                    self.error(ProblemKind::NotAllowed, message, Effect::NotSet);
                }
            }
            (Rule::Texts(max), Value::Array(elements)) => {
                self.count(elements.len(), max);
                self.each(elements, |checker, element| checker.rule(element, Rule::Text));
            }
            (Rule::TextMap, Value::Object(mapping)) => self.entries(mapping, Rule::Text),
            (Rule::MapOfMaps, Value::Object(mapping)) => self.entries(mapping, Rule::Map),
            (Rule::Shape(shape), Value::Object(mapping)) => self.mapping(mapping, shape),
            (Rule::Shapes(shape, max), Value::Array(elements)) => {
                self.count(elements.len(), max);
                self.each(elements, |checker, element| checker.rule(element, Rule::Shape(shape)));
            }
            (Rule::ShapeOrOldList(shape, ..), Value::Object(mapping)) => self.mapping(mapping, shape),
            (Rule::ShapeOrOldList(shape, element, key), Value::Array(_)) => {
                self.warning(format!("a list here is the old form; it belongs in `{}.{key}`", shape.name));
                self.rule(value, Rule::Shapes(element, MANY));
            }
            (rule, value) => self.wrong_type(rule, value),
        }
    }

    fn count(&mut self, count: usize, max: usize) {
        if count > max {
            let message = format!("has {count} elements; at most {max} are allowed");
            self.error(ProblemKind::TooMany, message, Effect::AllUsed);
        }
    }

    fn each(&mut self, elements: &[Value], check: impl Fn(&mut Self, &Value)) {
        for (index, element) in elements.iter().enumerate() {
            self.at(&index.to_string(), |checker| check(checker, element));
        }
    }

    fn entries(&mut self, mapping: &Map<String, Value>, rule: Rule) {
        for (key, value) in mapping {
            self.at(key, |checker| checker.rule(value, rule));
        }
    }

    fn demand(&mut self, mapping: &Map<String, Value>, shape: &BlockShape, demand: &Demand) {
        match *demand {
            Demand::OneOf(one, other) => match (mapping.contains_key(one), mapping.contains_key(other)) {
                (true, true) => {
                    let message = format!("{} has either `{one}` or `{other}`, not both", shape.name);
                    self.error(ProblemKind::Conflict, message, Effect::FirstUsed);
                }
                (false, false) => {
                    self.missing(format!("{} needs `{one}` or `{other}`", shape.name));
                }
                _ => {}
            },
            Demand::WhileOn { flag, block, keys } if mapping.get(flag) == Some(&Value::Bool(true)) => {
                self.needed_block(mapping, flag, block, keys);
            }
            Demand::WhileOn { .. } => {}
        }
    }

    fn needed_block(&mut self, mapping: &Map<String, Value>, flag: &str, block: &str, keys: &[&str]) {
        let Some(value) = mapping.get(block) else {
            return self.at(block, |checker| checker.missing(format!("`{flag}` needs `{block}`")));
        };
        for key in keys.iter().filter(|key| value.as_object().is_some_and(|block| !block.contains_key(**key))) {
            self.at(block, |checker| {
                checker.at(key, |checker| checker.missing(format!("`{block}` needs `{key}`")));
            });
        }
    }
}

impl Rule {
    /// Whether a value must be text.
    fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Kind(_) | Self::Format(_) | Self::Word(_))
    }

    /// What a value must be, for messages.
    fn wanted(self) -> &'static str {
        match self {
            Self::Any => "anything",
            Self::Text | Self::Kind(_) | Self::Format(_) | Self::Word(_) => "text",
            Self::Flag => "true or false",
            Self::Number(..) => "a number",
            Self::NumberOrFlag => "a number, or true or false",
            Self::Texts(_) => "a list of texts",
            Self::Shapes(..) => "a list",
            Self::TextMap => "a mapping of texts",
            Self::MapOfMaps => "a mapping of mappings",
            Self::Map | Self::Shape(_) | Self::ShapeOrOldList(..) => "a mapping",
        }
    }
}
