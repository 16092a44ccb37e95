//! Which fields of an answer are shown.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    field_path::FieldPath,
    look::{Look, number, plain},
};
use crate::{
    address::encode,
    option_types::{Bounded, Text},
    panel::{Cell, Column, Datum, Fact, Facts, Part, Phrase, Row, SafeUrl, Stat, Stats, Table, Tone},
};

/// Most rows that a page gets.
const MOST_ROWS: usize = 500;
/// More rows than these are folded away.
const FOLDED_AFTER: usize = 20;

/// One field, with its label.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Field {
    field: FieldPath,
    label: Text,
    #[serde(flatten)]
    look: Look,
    additional_field: Option<Additional>,
}

/// A second field beside a first one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Additional {
    field: FieldPath,
    color: Text,
    #[serde(flatten)]
    look: Look,
}

/// What is shown of each entry of a list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Entries {
    items: FieldPath,
    name: FieldPath,
    label: FieldPath,
    limit: Option<Bounded<1, 20, 500>>,
    #[serde(flatten)]
    look: Look,
    target: Text,
}

/// Reads the option `mappings` as a list of fields.
///
/// # Errors
///
/// A sentence that says what is wrong.
pub(super) fn fields(written: &Value) -> Result<Vec<Field>, String> {
    let Value::Array(entries) = written else { return Err("mappings must be a list of fields.".to_owned()) };
    let numbered = entries.iter().enumerate();
    let read = |(index, entry): (usize, &Value)| {
        let place = format!("Entry {} of mappings", index + 1);
        let field: Field = understood(entry, &place)?;
        let additional = field.additional_field.as_ref().and_then(|additional| additional.look.problem());
        match field.look.problem().or(additional) {
            Some(problem) => Err(format!("{place}: {problem}.")),
            None => Ok(field),
        }
    };
    numbered.map(read).collect()
}

/// Reads the option `mappings` as the fields of each entry of a list.
///
/// # Errors
///
/// A sentence that says what is wrong.
pub(super) fn entries(written: &Value) -> Result<Entries, String> {
    if !written.is_object() {
        return Err("mappings must hold name and label for a dynamic-list.".to_owned());
    }
    let entries: Entries = understood(written, "mappings")?;
    entries.look.problem().map_or(Ok(entries), |problem| Err(format!("mappings: {problem}.")))
}

fn understood<T: DeserializeOwned>(written: &Value, place: &str) -> Result<T, String> {
    let Value::Object(fields) = written else { return Err(format!("{place} must be a mapping of names and values.")) };
    // As everywhere, null is as good as nothing.
    let fields = fields.iter().filter(|(_, value)| !value.is_null());
    let fields = fields.map(|(name, value)| (name.clone(), value.clone())).collect();
    serde_json::from_value(Value::Object(fields)).map_err(|error| format!("{place} cannot be read: {error}."))
}

/// The fields as tiles.
pub(super) fn tiles(fields: &[Field], answer: &Value) -> Part {
    let stats = fields.iter().map(|field| {
        let more = field.additional(answer).filter(|more| !more.value.is_missing());
        Stat { more, ..Stat::new(field.name(), field.value(answer)) }
    });
    Stats { stats: stats.collect() }.into()
}

/// The fields as rows; as a table where there are second ones, because these have colours of their own.
pub(super) fn rows(fields: &[Field], answer: &Value) -> Part {
    if fields.iter().all(|field| field.additional_field.is_none()) {
        let facts = fields.iter().map(|field| Fact::new(field.name(), field.value(answer)));
        return Facts { facts: facts.collect() }.into();
    }
    let rows = fields.iter().map(|field| Row {
        cells: vec![
            Cell::from(Datum::Words(field.name())),
            Cell::from(field.value(answer)),
            field.additional(answer).unwrap_or_else(|| Cell::from(Datum::Text(String::new()))),
        ],
        ..Row::default()
    });
    let columns = vec![plain_column("Name"), plain_column("Value"), plain_column("More")];
    Table { columns, rows: rows.collect(), headless: true, ..Table::default() }.into()
}

fn plain_column(name: &'static str) -> Column {
    Column { name: name.into(), ..Column::default() }
}

impl Field {
    fn name(&self) -> Phrase {
        Phrase::foreign(&*self.label)
    }

    fn value(&self, answer: &Value) -> Datum {
        self.look.write(self.field.find(answer))
    }

    fn additional(&self, answer: &Value) -> Option<Cell> {
        let additional = self.additional_field.as_ref()?;
        let value = additional.field.find(answer);
        let tone = match additional.color.to_ascii_lowercase().as_str() {
            "adaptive" => match value.and_then(number) {
                Some(number) if number > 0.0 => Tone::Success,
                Some(number) if number < 0.0 => Tone::Danger,
                _ => Tone::Plain,
            },
            "green" | "success" => Tone::Success,
            "red" | "danger" => Tone::Danger,
            "yellow" | "orange" | "warning" => Tone::Warning,
            "blue" | "info" => Tone::Info,
            "gray" | "grey" | "neutral" => Tone::Neutral,
            _ => Tone::Plain,
        };
        Some(Cell { tone, ..Cell::from(additional.look.write(value)) })
    }
}

impl Entries {
    /// The entries as rows; none if there is no list where it should be.
    pub(super) fn table(&self, answer: &Value) -> Option<Table> {
        let entries = self.items.find(answer)?.as_array()?;
        let most = self.limit.map_or(MOST_ROWS, Bounded::count);
        let rows = entries.iter().take(most).map(|entry| {
            let name = Datum::text(&self.name.find(entry).map(plain).unwrap_or_default());
            Row { url: self.link(entry), ..Row::new([name, self.look.write(self.label.find(entry))]) }
        });
        let columns = vec![plain_column("Name"), plain_column("Value")];
        let rows = rows.collect();
        Some(Table { columns, rows, folded_after: Some(FOLDED_AFTER), headless: true, ..Table::default() })
    }

    /// Where an entry leads: the target with its fields filled in. A target that is one field and nothing else is an
    /// address already; everywhere else the fields are parts of one, and are encoded.
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
                    filled.push_str(&encode(&field(name)?));
                    filled.push_str(rest);
                }
                filled
            }
        };
        SafeUrl::parse(&filled).filter(SafeUrl::is_remote)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn targets_are_filled_in_and_only_lead_to_web_pages() {
        let entry =
            json!({ "id": "a/b c", "url": "https://example.com/?x=1", "bad": "javascript:alert(1)", "none": null });
        for (target, expected) in [
            ("https://nas.lan/{id}/edit?n={id}", Some("https://nas.lan/a%2Fb%20c/edit?n=a%2Fb%20c")),
            ("{url}", Some("https://example.com/?x=1")),
            ("{bad}", None),
            ("{bad}{id}", None),
            ("https://nas.lan/{none}", None),
            ("https://nas.lan/{id", None),
            ("/local/{id}", None),
            ("", None),
        ] {
            let entries = entries(&json!({ "target": target })).unwrap();
            assert_eq!(entries.link(&entry).as_ref().map(SafeUrl::as_str), expected, "{target}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_by_its_position() {
        for (written, expected) in [
            (json!("name"), "mappings must be a list of fields."),
            (json!([{}, { "format": "foo" }]), "Entry 2 of mappings: unknown format foo."),
            (json!([{ "additionalField": { "format": "bar" } }]), "Entry 1 of mappings: unknown format bar."),
            (json!(["name"]), "Entry 1 of mappings must be a mapping of names and values."),
        ] {
            assert_eq!(fields(&written).unwrap_err(), expected, "{written}");
        }
        assert_eq!(entries(&json!([])).unwrap_err(), "mappings must hold name and label for a dynamic-list.");
        assert!(fields(&json!([{ "field": null, "label": "All" }])).is_ok());
    }
}
