//! Rows and columns, sorted by a click on the header.

use leptos::prelude::*;
use widgets::panel::{self, Column, Row};

use super::{
    PanelContext,
    action::ActionControl,
    cell::Cell,
    fold::{Fold, FoldButton},
    markup::{classes, maybe_class},
    notice::Empty,
    phrase::ours,
    symbols::{self, Symbol},
    tone::tone_class,
    value::Words,
};
use crate::any_view::{AnyView, IntoAny};

/// From this number of columns on, a table may be wider than a narrow section; it can then be scrolled with the
/// keyboard.
const SCROLLED: usize = 3;
/// From this number of columns on, it certainly is wider, and its columns need not be narrow.
const WIDE: usize = 4;

/// The table.
#[component]
pub fn Table<'a>(table: &'a panel::Table, context: &'a PanelContext) -> AnyView {
    if table.rows.is_empty() {
        return view! { <Empty sentence="Nothing to show"/> }.into_any();
    }
    let fold = Fold::new(table.folded_after, table.rows.len());
    let is_line: Vec<bool> = (0..table.columns.len()).map(|position| has_lines(table, position)).collect();
    let wide = is_line.iter().filter(|is_line| !**is_line).count() >= WIDE;
    let scrolls = table.columns.len() >= SCROLLED;
    let actions = table.rows.iter().any(|row| row.action.is_some());
    let can_sort = !table.headless && table.rows.len() > 1;
    let head = |(column, is_line): (&'a Column, &bool)| view! { <Head column is_line=*is_line can_sort context/> };
    let row = |(position, row)| view! { <TableRow row table fold=fold.class(position) actions context/> };
    let actions_head = actions.then(|| {
        view! { <th scope="col"><span class="visually-hidden">{ours("Actions")}</span></th> }
    });
    view! {
        <div class=classes(["part part-table", if table.one_line { "one-line" } else { "" }])>
            <div
                class=if wide { "scroller wide" } else { "scroller" }
                tabindex=scrolls.then_some("0")
                role=scrolls.then_some("group")
                aria-label=scrolls.then(|| ours("Table"))
            >
                <table>
                    <thead {maybe_class(classes([if table.headless { "visually-hidden" } else { "" }]))}>
                        <tr>{table.columns.iter().zip(&is_line).map(head).collect_view()}{actions_head}</tr>
                    </thead>
                    <tbody data-fold=fold.attribute()>{table.rows.iter().enumerate().map(row).collect_view()}</tbody>
                </table>
            </div>
            <FoldButton fold/>
        </div>
    }
    .into_any()
}

/// Whether a column contains sparklines.
fn has_lines(table: &panel::Table, position: usize) -> bool {
    table.rows.iter().any(|row| row.cells.get(position).is_some_and(|cell| cell.line.is_some()))
}

#[component]
fn Head<'a>(column: &'a Column, is_line: bool, can_sort: bool, context: &'a PanelContext) -> AnyView {
    let class = classes([if column.numeric { "numeric" } else { "" }, if is_line { "lines" } else { "" }]);
    let words = view! { <Words phrase=&column.name context/> };
    if can_sort && column.sortable && !column.name.is_empty() {
        view! {
            <th {maybe_class(class)} scope="col" aria-sort="none">
                <button type="button" data-sort>{words}<Symbol shape=symbols::SORT/></button>
            </th>
        }
        .into_any()
    } else {
        view! { <th {maybe_class(class)} scope="col">{words}</th> }.into_any()
    }
}

#[component]
fn TableRow<'a>(
    row: &'a Row,
    table: &'a panel::Table,
    fold: &'static str,
    /// Whether any row has a button.
    actions: bool,
    context: &'a PanelContext,
) -> impl IntoView {
    let cell = |position| view! { <Cell row position table context/> };
    let button = || row.action.as_ref().map(|button| view! { <ActionControl button context/> });
    view! {
        <tr {maybe_class(classes([fold, tone_class(row.tone)]))} data-linked=row.url.is_some()>
            {(0..row.cells.len()).map(cell).collect_view()}
            {actions.then(|| view! { <td>{button()}</td> })}
        </tr>
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use widgets::panel::Datum;

    use super::*;
    use crate::parts::markup::markup;

    #[test]
    fn only_what_is_no_word_may_be_broken_anywhere() {
        let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";
        for (text, one_line, expected) in [
            (digest, false, "<td>"),
            (&*format!("{digest}0"), false, r#"<td class="long-word">"#),
            (&format!("sha256 {digest}0"), false, r#"<td class="long-word">"#),
            (&format!("{digest}0"), true, r#"<td class="cut long-word" title="#),
            (&"Donaudampfschifffahrtsgesellschaft and ".repeat(9), false, "<td>"),
            ("9f86d081-884c-7d65-9a2f-eaa0c55ad015-a3bf4f1b", false, "<td>"),
        ] {
            let rows = vec![Row::new([Datum::text(text)])];
            let table = &panel::Table { columns: vec![Column::text("")], rows, one_line, ..panel::Table::default() };
            let context = &PanelContext::default();
            let html = markup(view! { <Table table context/> });
            assert!(html.contains(expected), "{expected} is not in {html}");
        }
    }
}
