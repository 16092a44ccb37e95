//! A cell of a table.

use leptos::prelude::*;
use widgets::panel::{self, Datum, Row, Tone};

use super::{
    PanelContext,
    change::Change,
    hint::{Hint, tab_index},
    image::Picture,
    markup::{classes, maybe_class},
    number::is_negative,
    share_bar::ShareBar,
    sparkline::CellSparkline,
    tone::{ValueSymbol, tone_class},
    value::{Linked, Value, plain_value},
};
use crate::any_view::{AnyView, IntoAny};

/// Shorter texts fit next to another one in any tile.
const LONG: usize = 12;

/// Longer words are not real words but addresses, digests and keys, which may not fit into any tile.
const LONG_WORD: usize = 40;

/// The cell at a position in a row.
#[component]
pub fn Cell<'a>(row: &'a Row, position: usize, table: &'a panel::Table, context: &'a PanelContext) -> AnyView {
    let cell = &row.cells[position];
    if let Some(sparkline) = &cell.line {
        return view! { <td class="lines"><CellSparkline sparkline/></td> }.into_any();
    }
    if !cell.shares.is_empty() {
        let hint = cell.hint.as_ref();
        return view! {
            <td class="shares" data-hinted=hint.is_some() tabindex=tab_index(hint)>
                <ShareBar slices=&cell.shares/>
                <Hint hint context/>
            </td>
        }
        .into_any();
    }
    let text = match cell.value {
        Datum::Text(_) | Datum::Strong { .. } | Datum::Words(_) | Datum::Link(_) | Datum::Toned { .. } => {
            plain_value(&cell.value)
        }
        _ if table.one_line => plain_value(&cell.value),
        _ => String::new(),
    };
    let cut = table.one_line && text.chars().count() > LONG;
    let has_long_word = text.split([' ', '\n', '-']).any(|word| word.chars().count() > LONG_WORD);
    let numeric = table.columns.get(position).is_some_and(|column| column.numeric);
    let class = classes([
        if numeric { "numeric" } else { "" },
        if cut { "cut" } else { "" },
        if has_long_word { "long-word" } else { "" },
    ]);
    let content = if cell.change {
        view! { <ChangeContent datum=&cell.value context/> }.into_any()
    } else {
        // The link gets its name from the first cell that has a value.
        let linked = row.cells.iter().position(|cell| !cell.value.is_missing()).unwrap_or_default();
        let url = row.url.as_ref().filter(|_| position == linked);
        let row_tone = if position == 0 { row.tone } else { Tone::Plain };
        let tone = if cell.tone == Tone::Plain { row_tone } else { cell.tone };
        let explained = if cut { text.clone() } else { String::new() };
        let content = view! { <CellContent cell tone explained context/> }.into_any();
        view! { <Linked url context content/> }.into_any()
    };
    // If the cell has a hint, its bubble already contains the whole text.
    let title = (cut && cell.hint.is_none()).then_some(text);
    view! { <td {maybe_class(class)} title=title>{content}</td> }.into_any()
}

/// A change of zero has no color.
#[component]
fn ChangeContent<'a>(datum: &'a Datum, context: &'a PanelContext) -> impl IntoView {
    let tone = match is_negative(datum) {
        Some(true) => Tone::Danger,
        Some(false) => Tone::Success,
        None => Tone::Neutral,
    };
    view! { <span class=classes(["change", tone_class(tone)])><Change datum context/></span> }
}

#[component]
fn CellContent<'a>(
    cell: &'a panel::Cell,
    tone: Tone,
    /// The whole text, if it may be cut off.
    explained: String,
    context: &'a PanelContext,
) -> AnyView {
    let hint = cell.hint.as_ref();
    let value = view! { <Value datum=&cell.value context/> };
    if tone == Tone::Plain && cell.picture.is_none() && hint.is_none() {
        return value.into_any();
    }
    view! {
        <span {maybe_class(classes([tone_class(tone)]))} data-hinted=hint.is_some() tabindex=tab_index(hint)>
            {cell.picture.as_ref().map(|picture| view! { <Picture picture class="cell-picture" context/> })}
            <ValueSymbol tone value=&cell.value/>
            {value}
            <Hint hint context explained/>
        </span>
    }
    .into_any()
}
