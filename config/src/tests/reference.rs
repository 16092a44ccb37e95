//! Generates `docs/config.md`, the reference for users, from the tables. A test fails if it is stale; `UPDATE_DOCS=1
//! cargo test -p config` regenerates it. `docs/schema.json` also has the options of widgets, so the server generates
//! it.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use crate::{
    model::{
        Config,
        block::Block,
        shape::{BlockShape, Demand, FieldSpec, MANY, Need, ReadLimit, Rule, TextKind, UnknownKeys, Unset},
    },
    schema::{self, preset},
};

const START: &str = "\
# The config file

Everything that `conf.yml` may contain. This page and [schema.json](schema.json) are generated from the declarations
with which the program reads and checks the file, so they always agree with it.

## Help from your editor

Write this as the first line of the file, with the address of your own dashboard:

```yaml
# yaml-language-server: $schema=http://localhost:8080/schema.json
```

Editors with the YAML language server (Visual Studio Code with the extension *YAML*, Neovim, Helix, Zed, Emacs and
others) then complete keys and values, explain what is under the cursor, and mark mistakes. Instead of an address you can
write a path, such as `$schema=./schema.json` for a copy beside the file.

`portico validate conf.yml` prints the same mistakes with line and column. It also prints values that are allowed but will
not work, such as an invalid color, an address that no browser can open, or an icon that does not exist.

## How mistakes are treated

- Reading is lenient: a mistake never takes the page down. An unknown key is ignored and kept, an invalid value is
  treated as missing, and both are listed as problems.
- Saving through the API is strict: a change that introduces a mistake is refused. Mistakes that were already in the file
  do not block it.
- *Old* fields still work, and are listed as warnings.
- Only `conf.yml` is checked against the schema. The files of other pages may contain `pageInfo`, `appConfig` and `sections`.

";

const NOT_IN_EFFECT: &str = "\
Fields marked *not in effect yet* are read and checked, but this version does nothing with them. `portico validate` says
so for those that are set.

";

/// One part of the reference.
struct Part {
    shape: &'static BlockShape,
    level: usize,
    places: Vec<String>,
}

/// All parts in the order of the file, and the kinds of text they refer to.
#[derive(Default)]
struct Reference {
    parts: Vec<Part>,
    kinds: Vec<&'static TextKind>,
}

impl Reference {
    fn collect(&mut self, shape: &'static BlockShape, path: &str, level: usize) {
        if let Some(part) = self.parts.iter_mut().find(|part| part.shape.title == shape.title) {
            part.places.push(path.to_owned());
            return;
        }
        self.parts.push(Part { shape, level, places: vec![path.to_owned()] });
        for field in shape.fields {
            let path = if path.is_empty() { field.key.to_owned() } else { format!("{path}.{}", field.key) };
            match field.rule {
                Rule::Shape(inner) | Rule::ShapeOrOldList(inner, ..) => self.collect(inner, &path, level + 1),
                Rule::Shapes(inner, _) => self.collect(inner, &format!("{path}[]"), level + 1),
                Rule::Kind(kind) if !self.kinds.iter().any(|known| known.title == kind.title) => self.kinds.push(kind),
                _ => {}
            }
        }
    }

    fn print(&self) -> String {
        let mut text = START.to_owned();
        if self.parts.iter().any(|part| part.shape.fields.iter().any(|field| !field.in_effect)) {
            text.push_str(NOT_IN_EFFECT);
        }
        text.push_str("## Contents\n\n");
        for part in &self.parts {
            let indent = "  ".repeat(part.level);
            let place = part.places.first().filter(|place| !place.is_empty()).map(|place| format!(": `{place}`"));
            writeln!(text, "{indent}- {}{}", link(part.shape.title), place.unwrap_or_default()).unwrap();
        }
        for kind in &self.kinds {
            writeln!(text, "- {}: a kind of text", link(kind.title)).unwrap();
        }
        self.parts.iter().for_each(|part| print_part(&mut text, part));
        self.kinds.iter().for_each(|kind| print_kind(&mut text, kind));
        text
    }
}

fn print_part(text: &mut String, Part { shape, level, places }: &Part) {
    let level = "#".repeat((level + 2).min(4));
    writeln!(text, "\n{level} {}\n\n{}", shape.title, shape.about).unwrap();
    let places: Vec<_> = places.iter().filter(|place| !place.is_empty()).map(|place| format!("`{place}`")).collect();
    if !places.is_empty() {
        writeln!(text, "\nIn {}.", places.join(", ")).unwrap();
    }
    let rows = shape.fields.iter().filter(|field| field.need != Need::Legacy);
    text.push_str("\n| Field | Type | Default | Meaning |\n|---|---|---|---|\n");
    for field in rows {
        let needed = if field.need == Need::Required { " **required**" } else { "" };
        let meaning = cell(&meaning(field));
        writeln!(text, "| `{}`{needed} | {} | {} | {meaning} |", field.key, type_of(field), cell(&default(field)))
            .unwrap();
    }
    for demand in shape.demands {
        match demand {
            Demand::OneOf(one, other) => {
                writeln!(text, "\nExactly one of `{one}` and `{other}` is required.").unwrap();
            }
            Demand::WhileOn { flag, block, keys } => {
                let keys: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
                writeln!(text, "\nIf `{flag}` is true, `{block}` is required, with {}.", keys.join(", ")).unwrap();
            }
        }
    }
    match shape.others {
        UnknownKeys::Refused => {}
        UnknownKeys::Allowed => text.push_str("\nOther keys are allowed and have no effect.\n"),
        UnknownKeys::Prefixed(prefix) => {
            writeln!(text, "\nOther keys that begin with `{prefix}` are allowed and have no effect.").unwrap();
        }
    }
    if shape.title == "Widget" {
        text.push_str(
            "\nThe types and the options of each are in [widgets.md](widgets.md); the schema knows them too, so editors\n\
             complete them. Invalid options are marked there, but they do not block saving.\n",
        );
    }
    let old: Vec<_> = shape.fields.iter().filter(|field| field.need == Need::Legacy).collect();
    if !old.is_empty() {
        text.push_str("\nOld fields:\n\n");
        for field in old {
            writeln!(text, "- `{}` {}.", field.key, field.about).unwrap();
        }
    }
}

fn print_kind(text: &mut String, kind: &TextKind) {
    let examples: Vec<_> = kind.examples.iter().map(|example| format!("`{example}`")).collect();
    writeln!(text, "\n## {}\n\n{}\n\nExamples: {}.", kind.title, kind.about, wrapped(&examples)).unwrap();
}

/// Examples separated by commas, wrapped into readable lines.
fn wrapped(examples: &[String]) -> String {
    let mut text = String::new();
    let mut width = "Examples: ".len();
    for (index, example) in examples.iter().enumerate() {
        let more = if index == 0 { example.clone() } else { format!(", {example}") };
        if width + more.chars().count() > 118 {
            text.push_str(",\n");
            width = example.chars().count();
            text.push_str(example);
        } else {
            width += more.chars().count();
            text.push_str(&more);
        }
    }
    text
}

/// What a field does, with its examples. Type, limits and default have their own columns.
fn meaning(field: &FieldSpec) -> String {
    let mut text = schema::meaning(field).replace(schema::NOT_IN_EFFECT, &format!("*{}*", schema::NOT_IN_EFFECT));
    if !field.examples.is_empty() {
        let examples: Vec<_> = field.examples.iter().map(|example| format!("`{example}`")).collect();
        write!(text, " For example {}.", examples.join(", ")).unwrap();
    }
    text
}

fn default(field: &FieldSpec) -> String {
    match field.unset {
        Unset::Nothing => String::new(),
        Unset::Means(words) => words.to_owned(),
        Unset::Like(value) => match preset(value).as_str() {
            Some(text) => format!("`{text}`"),
            None => format!("`{}`", preset(value)),
        },
    }
}

fn type_of(field: &FieldSpec) -> String {
    let words = match field.rule {
        Rule::Any => "anything".to_owned(),
        Rule::Text | Rule::Format(_) => match field.limit {
            ReadLimit::Characters(max) => format!("text, at most {max} characters"),
            _ => "text".to_owned(),
        },
        Rule::Kind(kind) => link(kind.title),
        Rule::Flag => "true or false".to_owned(),
        Rule::Number(min, max) if min.is_finite() => format!("number, {min} to {max}"),
        Rule::Number(..) => match field.limit {
            ReadLimit::Clamped((min, max)) => format!("number, {min} to {max}"),
            _ => "number".to_owned(),
        },
        Rule::NumberOrFlag => "number, or true or false".to_owned(),
        Rule::Word(words) => words().iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" "),
        Rule::Texts(MANY) => "list of texts".to_owned(),
        Rule::Texts(max) => format!("list of texts, at most {max}"),
        Rule::TextMap => "mapping of texts".to_owned(),
        Rule::MapOfMaps => "mapping of mappings".to_owned(),
        Rule::Map => "mapping".to_owned(),
        Rule::Shape(shape) | Rule::ShapeOrOldList(shape, ..) => link(shape.title),
        Rule::Shapes(shape, MANY) => format!("list of {}", link(shape.title)),
        Rule::Shapes(shape, max) => format!("list of {}, at most {max}", link(shape.title)),
    };
    if field.need == Need::Nullable { format!("{words} or null") } else { words }
}

fn link(title: &str) -> String {
    format!("[{title}](#{})", title.to_lowercase())
}

/// A text inside of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn check_is_fresh(name: &str, text: &str) {
    let file = docs().join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    let stored = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(stored == text, "docs/{name} is stale; `UPDATE_DOCS=1 cargo test -p config` regenerates it");
}

#[test]
fn the_reference_is_fresh() {
    let mut reference = Reference::default();
    reference.collect(Config::SHAPE, "", 0);
    check_is_fresh("config.md", &reference.print());
}
