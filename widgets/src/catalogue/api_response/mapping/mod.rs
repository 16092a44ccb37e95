//! Which fields of a response are shown.

#[cfg(test)]
mod tests;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use super::{
    field_path::FieldPath,
    value_format::{ValueFormat, number, plain},
};
use crate::{
    OptionProblems,
    address::encode,
    option_types::{Bounded, Lenient, Text},
    panel::{Cell, Column, Datum, Fact, Facts, Part, Phrase, Row, SafeUrl, Stat, Stats, Table, Tone},
};

/// The keys of every mapping that describe how the value is shown.
const FORMAT_NAMES: [&str; 10] =
    ["format", "scale", "prefix", "suffix", "remap", "locale", "dateStyle", "timeStyle", "style", "numeric"];
/// The other keys of a mapping for a field, and for a list.
const FIELD_NAMES: [&str; 3] = ["field", "label", "additionalField"];
const ENTRY_NAMES: [&str; 5] = ["items", "name", "label", "limit", "target"];
/// Maximum number of rows sent to a page.
const MAX_ROWS: usize = 500;

/// One field, with its label.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct MappedField {
    field: FieldPath,
    label: Text,
    #[serde(flatten)]
    value_format: ValueFormat,
    #[serde(skip)]
    additional: Option<Additional>,
    /// Its number in the option, from one.
    #[serde(skip)]
    number: usize,
}

/// The fields that can be shown.
#[derive(Debug)]
pub(super) struct Fields {
    list: Vec<MappedField>,
    /// What is wrong with the others, a sentence for each.
    faults: Vec<String>,
}

/// A second field next to the first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Additional {
    field: FieldPath,
    color: Lenient<Paint>,
    #[serde(flatten)]
    value_format: ValueFormat,
}

/// The color of a second field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Paint {
    #[default]
    Theme,
    Black,
    White,
    /// By the sign of the number.
    Adaptive,
    #[serde(alias = "success")]
    Green,
    #[serde(alias = "danger")]
    Red,
    #[serde(alias = "orange", alias = "warning")]
    Yellow,
    #[serde(alias = "info")]
    Blue,
    #[serde(alias = "grey", alias = "neutral")]
    Gray,
}

/// What is shown of each entry in a list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Entries {
    items: FieldPath,
    name: FieldPath,
    label: FieldPath,
    limit: Option<Bounded<1, 20, 500>>,
    #[serde(flatten)]
    value_format: ValueFormat,
    target: Text,
}

/// The schema of a mapping, for forms: the keys of fields, and those for the entries of a list.
pub(super) fn schema() -> Value {
    let text = |about: &str| json!({ "type": ["string", "number", "boolean"], "description": about });
    let value_format = |mut properties: Value| {
        properties["format"] = json!({
            "enum": ["text", "number", "float", "percent", "bytes", "bitrate", "duration", "size", "date", "relativeDate"],
            "description": "How the value is shown.",
        });
        properties["scale"] = json!({ "description": "A factor for numbers, such as `0.001` or `1/16`." });
        let lengths = json!(["full", "long", "medium", "short"]);
        properties["locale"] =
            text("For dates: their language, such as `en-GB`. Without it, the language of the page.");
        properties["dateStyle"] = json!({ "enum": lengths, "description": "For `date`: the length of the date." });
        properties["timeStyle"] = json!({
            "enum": lengths,
            "description": "For `date`: the length of the time of day, which is shown only if this is set.",
        });
        properties["style"] = json!({
            "enum": ["long", "short", "narrow"],
            "description": "For `relativeDate`: the length of its words.",
        });
        properties["numeric"] = json!({
            "enum": ["always", "auto"],
            "description": "For `relativeDate`: `auto` also writes \"yesterday\", `always` writes \"1 day ago\".",
        });
        properties["prefix"] = text("Text before the value.");
        properties["suffix"] = text("Text after the value.");
        properties["remap"] = json!({
            "type": "array",
            "description": "Texts in place of some values. The first that matches is used.",
            "items": { "type": "object", "properties": {
                "value": { "description": "The value." },
                "any": { "type": "boolean", "description": "Whether every value is replaced." },
                "to": text("What is shown in its place."),
            } },
        });
        properties
    };
    let color = json!({
        "enum": ["theme", "adaptive", "green", "red", "yellow", "blue", "gray", "black", "white"],
        "description": "Its color. `adaptive` is green above zero and red below.",
    });
    let additional = value_format(json!({ "field": text("Its place in the response."), "color": color }));
    let mut properties = value_format(json!({
        "field": text("Its place in the response, such as `locations.1.name`."),
        "label": text("The text beside the value. For `dynamic-list`, the place of the value in an entry."),
    }));
    properties["additionalField"] =
        json!({ "type": "object", "properties": additional, "description": "A second field beside the first." });
    properties["items"] = text("For `dynamic-list`: the place of the list.");
    properties["name"] = text("For `dynamic-list`: the place of the name in an entry.");
    properties["limit"] = json!({
        "type": ["integer", "string"], "minimum": 1, "maximum": 500,
        "description": "For `dynamic-list`: the maximum number of entries.",
    });
    properties["target"] = text("For `dynamic-list`: the address that an entry leads to, with fields in braces.");
    json!({ "type": "object", "properties": properties })
}

/// Reads the option `mappings` as a list of fields. An entry that cannot be read is left out, if there are others.
///
/// # Errors
///
/// What is wrong, in sentences.
pub(super) fn fields(written: &Value) -> Result<Fields, String> {
    let Value::Array(entries) = written else { return Err("mappings must be a list of fields.".to_owned()) };
    let mut fields = Fields { list: Vec::new(), faults: Vec::new() };
    let read = |(entry, number): (&Value, usize)| {
        let place = format!("Entry {number} of mappings");
        let mut members = members(entry).ok_or_else(|| format!("{place} must be a mapping of names and values."))?;
        let additional = members.remove("additionalField").map(|written| additional(&written, &place)).transpose()?;
        let field: MappedField = understood(members, &place)?;
        match field.value_format.problem() {
            Some(problem) => Err(format!("{place}: {problem}.")),
            None => Ok(MappedField { additional, number, ..field }),
        }
    };
    for entry in entries.iter().zip(1..) {
        match read(entry) {
            Ok(field) => fields.list.push(field),
            Err(fault) => fields.faults.push(fault),
        }
    }
    if fields.list.is_empty() && !fields.faults.is_empty() { Err(fields.faults.join(" ")) } else { Ok(fields) }
}

fn additional(written: &Value, place: &str) -> Result<Additional, String> {
    let members = members(written).ok_or_else(|| {
        format!("{place}: additionalField must be a mapping such as {{ field: change, color: adaptive }}.")
    })?;
    let place = format!("{place}, additionalField");
    let additional: Additional = understood(members, &place)?;
    additional.value_format.problem().map_or(Ok(additional), |problem| Err(format!("{place}: {problem}.")))
}

/// Notes unknown keys in mappings, those of a `dynamic-list` if `is_for_entries`. For example, `path` instead of `field` would
/// show the whole response.
pub(super) fn check_names(written: &Value, is_for_entries: bool, problems: &mut OptionProblems) {
    let mut check = |place: &str, written: &Value, names: &[&str]| {
        let names: Vec<&str> = names.iter().chain(&FORMAT_NAMES).copied().collect();
        for name in written.as_object().into_iter().flat_map(Map::keys).filter(|name| !names.contains(&name.as_str())) {
            let name = name.escape_debug();
            problems.note(format!("{place}: '{name}' has no effect; the names are {}.", names.join(", ")));
        }
    };
    let own: &[&str] = if is_for_entries { &ENTRY_NAMES } else { &FIELD_NAMES };
    check("mappings", written, own);
    for (index, entry) in written.as_array().into_iter().flatten().enumerate() {
        check(&format!("Entry {} of mappings", index + 1), entry, own);
    }
}

/// Notes the fields, and the parts of them, that are not understood.
pub(super) fn check(fields: &Fields, problems: &mut OptionProblems) {
    fields.faults.iter().for_each(|fault| problems.note(fault));
    for field in &fields.list {
        let place = format!("Entry {} of mappings", field.number);
        field.value_format.notes().iter().for_each(|note| problems.note(format!("{place}: {note}.")));
        for note in field.additional.iter().flat_map(|additional| additional.value_format.notes()) {
            problems.note(format!("{place}, additionalField: {note}."));
        }
        if let Some(written) = field.additional.as_ref().and_then(|additional| additional.color.unknown()) {
            let known = "adaptive, green, red, yellow, blue, gray, black, white and theme";
            problems.note(format!("{place}: '{written}' has no effect; the colors are {known}."));
        }
    }
}

/// Reads the option `mappings` as the fields of each entry of a list.
///
/// # Errors
///
/// A sentence about what is wrong.
pub(super) fn entries(written: &Value) -> Result<Entries, String> {
    // Forms write lists.
    let written = written.as_array().filter(|all| all.len() == 1).and_then(|all| all.first()).unwrap_or(written);
    // An empty path means the whole entry, but people who leave it out do not want that.
    let members = members(written).filter(|members| members.contains_key("name") && members.contains_key("label"));
    let members = members.ok_or("mappings must have name and label for a dynamic-list.")?;
    let entries: Entries = understood(members, "mappings")?;
    entries.value_format.problem().map_or(Ok(entries), |problem| Err(format!("mappings: {problem}.")))
}

/// The members of a mapping. As everywhere, null counts as missing.
fn members(written: &Value) -> Option<Map<String, Value>> {
    let members = written.as_object()?.iter().filter(|(_, value)| !value.is_null());
    Some(members.map(|(name, value)| (name.clone(), value.clone())).collect())
}

fn understood<T: DeserializeOwned>(written: Map<String, Value>, place: &str) -> Result<T, String> {
    let written = Value::Object(written);
    T::deserialize(&written).map_err(|error| {
        // Try each alone, since the error does not say which member it is about.
        let alone =
            |(name, value): (&String, &Value)| Some((name.clone(), T::deserialize(json!({ name: value })).err()?));
        match written.as_object().into_iter().flatten().find_map(alone) {
            Some((name, error)) => format!("{place}: {name} {error}."),
            None => format!("{place}: {error}."),
        }
    })
}

/// The fields as tiles; texts are cut after `most` characters.
pub(super) fn tiles(Fields { list: fields, .. }: &Fields, body: &Value, max: usize) -> Part {
    let stats = fields.iter().map(|field| {
        let more = field.additional(body, max).filter(|more| !more.value.is_missing());
        Stat { more, ..Stat::new(field.name(), field.value(body, max)) }
    });
    Stats { stats: stats.collect() }.into()
}

/// The fields as rows; texts are cut after `most` characters. As a table if there are second fields, because these have
/// their own colors.
pub(super) fn rows(Fields { list: fields, .. }: &Fields, body: &Value, max: usize) -> Part {
    if fields.iter().all(|field| field.additional.is_none()) {
        let facts = fields.iter().map(|field| Fact::new(field.name(), field.value(body, max)));
        return Facts { facts: facts.collect() }.into();
    }
    let rows = fields.iter().map(|field| Row {
        cells: vec![
            Cell::from(Datum::Words(field.name())),
            Cell::from(field.value(body, max)),
            field.additional(body, max).unwrap_or_else(|| Cell::from(Datum::Text(String::new()))),
        ],
        ..Row::default()
    });
    let columns = vec![column("Name", false), column("Value", true), column("More", true)];
    Table { columns, rows: rows.collect(), headless: true, ..Table::default() }.into()
}

/// A column that cannot be sorted. Values are on the right, as in facts.
fn column(name: &'static str, is_value: bool) -> Column {
    Column { name: name.into(), numeric: is_value, ..Column::default() }
}

impl MappedField {
    /// Its name; without a label, the one in the response.
    fn name(&self) -> Phrase {
        self.label.get().or(self.field.last()).map_or("Answer".into(), Phrase::foreign)
    }

    fn value(&self, body: &Value, max: usize) -> Datum {
        self.value_format.write(self.field.find(body), max)
    }

    fn additional(&self, body: &Value, max: usize) -> Option<Cell> {
        let additional = self.additional.as_ref()?;
        let value = additional.field.find(body);
        let tone = match additional.color.or_default() {
            Paint::Theme => Tone::Plain,
            Paint::Black => Tone::Black,
            Paint::White => Tone::White,
            Paint::Adaptive => match value.and_then(number) {
                Some(number) if number > 0.0 => Tone::Success,
                Some(number) if number < 0.0 => Tone::Danger,
                _ => Tone::Plain,
            },
            Paint::Green => Tone::Success,
            Paint::Red => Tone::Danger,
            Paint::Yellow => Tone::Warning,
            Paint::Blue => Tone::Info,
            Paint::Gray => Tone::Neutral,
        };
        Some(Cell { tone, ..Cell::from(additional.value_format.write(value, max)) })
    }
}

impl Entries {
    /// Notes what is written but has no effect.
    pub(super) fn check(&self, problems: &mut OptionProblems) {
        if let Some(limit) = self.limit {
            limit.check("limit in mappings", problems);
        }
        self.value_format.notes().iter().for_each(|note| problems.note(format!("mappings: {note}.")));
        let target = self.target.to_ascii_lowercase();
        let leads_somewhere = ["http://", "https://", "{"].iter().any(|start| target.starts_with(start));
        if !target.is_empty() && !leads_somewhere {
            problems.note("target in mappings must begin with http:// or https://; the entries are not links.");
        }
    }

    /// The entries as rows; texts are cut after `most` characters. Some programs send `null` for an empty list.
    ///
    /// # Errors
    ///
    /// What the value is, if it is not a list.
    pub(super) fn table(&self, body: &Value, max: usize) -> Result<Table, &'static str> {
        let entries = match self.items.reach(body) {
            Some(Value::Array(entries)) => entries.as_slice(),
            Some(Value::Null) => &[],
            _ if self.items.last().is_none() => return Err("no list"),
            _ => return Err("no list at the path items"),
        };
        let rows = entries.iter().take(self.limit.map_or(MAX_ROWS, Bounded::count)).map(|entry| {
            let name = ValueFormat::default().write(self.name.find(entry), max);
            let value = self.value_format.write(self.label.find(entry), max);
            Row { url: self.link(entry), ..Row::new([name, value]) }
        });
        let columns = vec![column("Name", false), column("Value", true)];
        let rows = rows.collect();
        Ok(Table { columns, rows, headless: true, ..Table::default() })
    }

    /// The link of an entry: the target with its fields filled in. If the target is a single field and nothing else,
    /// its value is the whole address; otherwise fields are parts of an address, and are encoded.
    fn link(&self, entry: &Value) -> Option<SafeUrl> {
        let target = self.target.get()?;
        let field = |name: &str| FieldPath::dotted(name).find(entry).map(plain);
        let whole = target.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).filter(|name| !name.contains('}'));
        let filled = match whole {
            Some(name) => field(name)?,
            None => {
                let mut pieces = target.split('{');
                let mut filled = pieces.next().unwrap_or_default().to_owned();
                for piece in pieces {
                    let (name, rest) = piece.split_once('}')?;
                    // Browsers read these as the parent folder, however they are encoded.
                    let part = field(name).filter(|part| ![".", ".."].contains(&part.as_str()))?;
                    filled.push_str(&encode(&part));
                    filled.push_str(rest);
                }
                filled
            }
        };
        SafeUrl::parse(&filled).filter(SafeUrl::is_remote)
    }
}
