//! Parts that list values: numbers with labels, facts, entries, tables.

use serde::{Deserialize, Serialize};

use super::{Datum, Phrase, Picture, SafeUrl, Slice, Sparkline, Style, Tone, is_default};
use crate::{Moment, option_types::Color};

/// A few numbers with labels, side by side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// The numbers, in order.
    pub stats: Vec<Stat>,
}

/// One number with its label.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Stat {
    /// What it is.
    pub label: Phrase,
    /// The value, large.
    pub value: Datum,
    /// What the value means.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// A second value below, smaller, with its own tone.
    #[serde(skip_serializing_if = "is_default")]
    pub more: Option<Cell>,
    /// Shown on hover.
    #[serde(skip_serializing_if = "is_default")]
    pub hint: Option<Phrase>,
    /// The last values at equal distances, oldest first, for a rate. Only tiles show them.
    #[serde(skip_serializing_if = "is_default")]
    pub course: Vec<f64>,
}

impl Stat {
    /// A number with its label.
    #[must_use]
    pub fn new(label: impl Into<Phrase>, value: impl Into<Datum>) -> Self {
        Self { label: label.into(), value: value.into(), ..Self::default() }
    }

    /// Sets the tone; a missing value has none.
    #[must_use]
    pub fn toned(mut self, tone: Tone) -> Self {
        self.tone = if self.value.is_missing() { Tone::Plain } else { tone };
        self
    }
}

/// Labels and values, one below the other. [`super::Panel::new`] folds them like other lists, unless they can be collapsed
/// already.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The rows, in order.
    pub facts: Vec<Fact>,
}

impl Facts {
    /// Only the rows that have a value.
    #[must_use]
    pub fn present(facts: impl IntoIterator<Item = Fact>) -> Self {
        Self { facts: facts.into_iter().filter(|fact| !fact.value.is_missing()).collect() }
    }
}

/// One label with its value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Fact {
    /// What it is.
    pub label: Phrase,
    /// The value.
    pub value: Datum,
    /// More values after the first: `3.4 m/s SW`, `27 of 43`.
    #[serde(skip_serializing_if = "is_default")]
    pub more: Vec<Datum>,
    /// What the value means.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// Shown on hover.
    #[serde(skip_serializing_if = "is_default")]
    pub hint: Option<Phrase>,
}

impl Fact {
    /// A label with its value.
    #[must_use]
    pub fn new(label: impl Into<Phrase>, value: impl Into<Datum>) -> Self {
        Self { label: label.into(), value: value.into(), ..Self::default() }
    }

    /// Sets the tone; a missing value has none.
    #[must_use]
    pub fn toned(mut self, tone: Tone) -> Self {
        self.tone = if self.value.is_missing() { Tone::Plain } else { tone };
        self
    }
}

/// Titles with links, texts, dates and pictures: posts, services, files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Entries {
    /// The entries, in order.
    pub entries: Vec<ListEntry>,
    /// How many entries are visible before "Show 4 more", set by [`super::Panel::new`]; `None` means all.
    #[serde(skip_serializing_if = "is_default")]
    pub folded_after: Option<usize>,
}

impl Entries {
    /// These entries.
    #[must_use]
    pub fn new(entries: Vec<ListEntry>) -> Self {
        Self { entries, folded_after: None }
    }
}

/// One entry of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ListEntry {
    /// The title.
    pub title: Phrase,
    /// Where a click on the title leads.
    #[serde(skip_serializing_if = "is_default")]
    pub url: Option<SafeUrl>,
    /// Whether a button copies the title.
    #[serde(skip_serializing_if = "is_default")]
    pub copyable: bool,
    /// Small text after the title, such as the site that it links to.
    #[serde(skip_serializing_if = "is_default")]
    pub source: Option<String>,
    /// The day or days that it is about, shown in a column before the titles, as in a calendar.
    #[serde(skip_serializing_if = "is_default")]
    pub day: Option<Datum>,
    /// Its state, next to the title, in the color and with the mark of the tone.
    #[serde(skip_serializing_if = "is_default")]
    pub state: Option<Phrase>,
    /// Shown on hover over the state.
    #[serde(skip_serializing_if = "is_default")]
    pub hint: Option<Phrase>,
    /// A few lines below the title.
    #[serde(skip_serializing_if = "is_default")]
    pub text: Option<Phrase>,
    /// Whether viewers can expand a long text; otherwise only its first lines are shown.
    #[serde(skip_serializing_if = "is_default")]
    pub opens: bool,
    /// Whether the text continues at `url`; a link at its end says so.
    #[serde(skip_serializing_if = "is_default")]
    pub goes_on: bool,
    /// Its date.
    #[serde(skip_serializing_if = "is_default")]
    pub date: Option<Moment>,
    /// How the date is shown.
    #[serde(skip_serializing_if = "is_usual")]
    pub date_style: Style,
    /// Who wrote it.
    #[serde(skip_serializing_if = "is_default")]
    pub author: Option<String>,
    /// The picture at its side.
    #[serde(skip_serializing_if = "is_default")]
    pub picture: Option<Picture>,
    /// The picture of the other side, for what has two, such as a game.
    #[serde(skip_serializing_if = "is_default")]
    pub opposite: Option<Picture>,
    /// Small values below the title: points, sizes, counts.
    #[serde(skip_serializing_if = "is_default")]
    pub values: Vec<Datum>,
    /// What it consists of, one after the other, such as the legs of a journey.
    #[serde(skip_serializing_if = "is_default")]
    pub steps: Vec<Step>,
    /// Short words in boxes: topics, states.
    #[serde(skip_serializing_if = "is_default")]
    pub tags: Vec<Phrase>,
    /// The action that a click on a tag requests, with the tag as its target.
    #[serde(skip_serializing_if = "is_default")]
    pub tag_action: Option<String>,
    /// The color of the mark before the title, or before the state if there is one.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// A mark in this color before the title, for things known by their color.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
    /// Whether it is highlighted, such as today's entry. A value or a tag says why.
    #[serde(skip_serializing_if = "is_default")]
    pub highlighted: bool,
    /// A button at the end.
    #[serde(skip_serializing_if = "is_default")]
    pub action: Option<super::ActionButton>,
}

fn is_usual(style: &Style) -> bool {
    *style == Style::default()
}

impl ListEntry {
    /// An entry with a title.
    #[must_use]
    pub fn new(title: impl Into<Phrase>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }
}

/// One of several steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Step {
    /// Its name.
    pub text: Phrase,
    /// Its color, if it is known by one.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
}

/// Rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with one cell per column.
    pub rows: Vec<Row>,
    /// How many rows are visible before "Show 4 more", set by [`super::Panel::new`]; `None` means all.
    #[serde(skip_serializing_if = "is_default")]
    pub folded_after: Option<usize>,
    /// Whether the header is hidden; screen readers still read it.
    #[serde(skip_serializing_if = "is_default")]
    pub headless: bool,
    /// Whether each row is kept to one line. Text that does not fit is cut, and shown on hover.
    #[serde(skip_serializing_if = "is_default")]
    pub one_line: bool,
}

/// One column of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Column {
    /// The text of its header.
    pub name: Phrase,
    /// Whether it has numbers: aligned to the end, with digits of equal width.
    #[serde(skip_serializing_if = "is_default")]
    pub numeric: bool,
    /// Whether a click on the header sorts by it.
    #[serde(skip_serializing_if = "is_default")]
    pub sortable: bool,
}

impl Column {
    /// A column of texts.
    #[must_use]
    pub fn text(name: impl Into<Phrase>) -> Self {
        Self { name: name.into(), sortable: true, ..Self::default() }
    }

    /// A column of numbers.
    #[must_use]
    pub fn number(name: impl Into<Phrase>) -> Self {
        Self { name: name.into(), sortable: true, numeric: true }
    }

    /// A column of sparklines, which cannot be sorted.
    #[must_use]
    pub fn lines(name: impl Into<Phrase>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

/// One row of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Row {
    /// The cells, one per column.
    pub cells: Vec<Cell>,
    /// The link that a click anywhere on the row follows. The cells then have no links of their own.
    #[serde(skip_serializing_if = "is_default")]
    pub url: Option<SafeUrl>,
    /// What the row means.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// A button at the end.
    #[serde(skip_serializing_if = "is_default")]
    pub action: Option<super::ActionButton>,
}

impl Row {
    /// A row of these values.
    #[must_use]
    pub fn new(cells: impl IntoIterator<Item = Datum>) -> Self {
        Self { cells: cells.into_iter().map(Cell::from).collect(), ..Self::default() }
    }
}

/// One value in a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Cell {
    /// The value.
    pub value: Datum,
    /// Its meaning.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// Whether the value is a change: an arrow and a color show its sign.
    #[serde(skip_serializing_if = "is_default")]
    pub change: bool,
    /// A sparkline instead of the value.
    #[serde(skip_serializing_if = "is_default")]
    pub line: Option<Sparkline>,
    /// A bar of shares instead of the value. Only `hint` says what it shows.
    #[serde(skip_serializing_if = "is_default")]
    pub shares: Vec<Slice>,
    /// The picture before the value.
    #[serde(skip_serializing_if = "is_default")]
    pub picture: Option<Picture>,
    /// Shown on hover.
    #[serde(skip_serializing_if = "is_default")]
    pub hint: Option<Phrase>,
}

impl Cell {
    /// A change: `↑ 1.23 %`.
    #[must_use]
    pub fn change(value: impl Into<Datum>) -> Self {
        Self { value: value.into(), change: true, ..Self::default() }
    }
}

impl From<Sparkline> for Cell {
    fn from(line: Sparkline) -> Self {
        Self { line: Some(line), ..Self::default() }
    }
}

impl From<Datum> for Cell {
    fn from(value: Datum) -> Self {
        Self { value, ..Self::default() }
    }
}
