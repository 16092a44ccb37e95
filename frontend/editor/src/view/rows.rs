//! Lists of mappings, and mappings with free names, in a form: rows that can be added, filled in, moved and removed.

use std::collections::HashSet;

use app::built_view::{AnyView, IntoAny};
use leptos::{ev::MouseEvent, prelude::*};
use serde_json::{Value, json};
use web_sys::HtmlElement;

use super::{
    pieces::{chip, focus_later, with_code},
    place::{FieldView, Place},
};
use crate::{
    edits::ListDirection,
    form::Form,
    schema::{NAME, Rows, SchemaField, Shape},
    texts::{fill, t, within_sentence},
};

/// A row while the form is open. Its number identifies it while rows move.
#[derive(Clone, Copy)]
struct Row {
    number: usize,
    form: Form,
    is_new: bool,
}

/// What all rows of a list have in common.
#[derive(Clone)]
struct List {
    place: Place,
    /// Draws a field of a row.
    draw: FieldView,
    key: String,
    rows: Rows,
    shown: RwSignal<Vec<Row>>,
    changed: Callback<()>,
}

/// The rows of a field, at first `initial`. `place` is that of the field; `draw` draws a field of a row, `adopt` gets all rows with each change.
pub fn rows_view(
    place: Place,
    draw: FieldView,
    field: &SchemaField,
    rows: Rows,
    initial: Vec<Value>,
    adopt: impl Fn(Vec<Value>) + Send + Sync + 'static,
    problem: impl IntoView + 'static,
) -> AnyView {
    let count = StoredValue::new(initial.len());
    let shown = RwSignal::new(Vec::<Row>::new());
    let all = StoredValue::new(rows.clone());
    let changed = Callback::new(move |()| {
        let value = |row: &Row| {
            let value = row.form.value.get_untracked();
            if row.is_new { all.with_value(|rows| rows.ordered(&value)) } else { value }
        };
        adopt(shown.with_untracked(|rows| rows.iter().map(value).collect()));
    });
    let form = place.form;
    shown.set(
        initial
            .into_iter()
            .enumerate()
            .map(|(number, value)| Row { number, form: form.row(value, changed), is_new: false })
            .collect(),
    );
    // New rows must outlive the click that adds them.
    let owner = StoredValue::new(Owner::current().unwrap_or_default());
    let id = place.id.clone();
    let add = {
        let id = id.clone();
        let first = rows.fields.first().map(|field| field.key.clone()).unwrap_or_default();
        move |_| {
            let number = count.get_value();
            count.set_value(number + 1);
            let form = owner.get_value().with(|| form.row(json!({}), changed));
            shown.update(|rows| rows.push(Row { number, form, is_new: true }));
            changed.run(());
            focus_later(format!("#{id}-{number}-{first}"));
        }
    };
    let is_single = rows.shape == Shape::One;
    let adder = (!is_single).then(|| {
        view! { <button class="button" type="button" on:click=add>{fill("Add {name}", &[("name", &within_sentence(&rows.noun))])}</button> }
    });
    let list = List { place, draw, key: field.key.clone(), rows, shown, changed };
    view! {
        <fieldset class="edit-block edit-parts" id=id>
            <legend>{field.label.clone()}</legend>
            {(!field.described.is_empty()).then(|| view! { <p class="edit-about">{with_code(&field.described)}</p> })}
            <ol role="list">
                <For each=move || shown.get() key=|row| row.number children=move |row| row_view(&list, row)/>
            </ol>
            {problem}
            {adder}
        </fieldset>
    }
    .into_any()
}

fn row_view(
    List { place, draw, key, rows, shown, changed }: &List,
    Row { number, form, .. }: Row,
) -> impl IntoView + use<> {
    let (draw, shown, changed, shape) = (*draw, *shown, *changed, rows.shape);
    let at = move |rows: &Vec<Row>| rows.iter().position(|row| row.number == number).unwrap_or_default();
    let id = format!("{}-{number}", place.id);
    let list_pointer = place.pointer;
    let pointer = Signal::derive(move || match shape {
        Shape::List | Shape::OneOrMany => format!("{}/{}", list_pointer.get(), shown.with(at)),
        Shape::One => list_pointer.get(),
        // The list itself reports the problems of a value, which has no key of its own.
        Shape::Mapping => String::new(),
    });
    let own = Place { form, pointer, id: id.clone(), ..place.clone() };
    let mut fields = rows.fields.clone();
    // As on the page, colors have the dialog that offers those of the theme.
    if let [name, value] = fields.as_mut_slice()
        && key == "customColors"
        && name.key == NAME
    {
        inner_colors(value);
    }
    let (first, others): (Vec<_>, Vec<_>) = rows
        .order(key)
        .into_iter()
        .filter_map(|position| Some((position, fields.get(position)?.clone())))
        .partition(|(position, _)| form.value.with_untracked(|row| rows.shows(key, *position, row)));
    let with_path = |(_, field): (usize, SchemaField)| (vec![field.key.clone()], field);
    let others: Vec<_> = others.into_iter().map(with_path).collect();
    let shown_field = move |(path, field)| draw(&own, path, field);
    let first = first.into_iter().map(with_path).map(shown_field.clone()).collect_view();
    let asked_for = RwSignal::new(HashSet::<Vec<String>>::new());
    let further = {
        let others = others.clone();
        move || {
            let asked = asked_for.get();
            others.iter().filter(|(path, _)| asked.contains(path)).cloned().collect::<Vec<_>>()
        }
    };
    let chips = {
        let id = id.clone();
        move || {
            let asked = asked_for.get();
            let left: Vec<_> = others.iter().filter(|(path, _)| !asked.contains(path)).cloned().collect();
            let chips: Vec<_> = left.into_iter().map(chip(asked_for, &id)).collect();
            (!chips.is_empty()).then(|| view! { <div class="edit-row-chips">{chips}</div> })
        }
    };
    let shift = move |direction: ListDirection| {
        move |event: MouseEvent| {
            shown.update(|rows| {
                let from = at(rows);
                if let Some(to) = direction.next_to(from).filter(|to| *to < rows.len()) {
                    rows.swap(from, to);
                }
            });
            changed.run(());
            // Moving a row takes its focus away.
            let button = event_target::<HtmlElement>(&event);
            request_animation_frame(move || _ = button.focus());
        }
    };
    let adder = format!("#{} > .button", place.id);
    let prefix = format!("{id}-");
    let remove = move |_| {
        form.wrong.update(|wrong| wrong.retain(|id| !id.starts_with(&prefix)));
        shown.update(|rows| rows.retain(|row| row.number != number));
        changed.run(());
        focus_later(adder.clone());
    };
    let moves = (shape != Shape::Mapping).then(|| {
        view! {
            <button class="button" type="button" on:click=shift(ListDirection::Up)>{t("Up")}</button>
            <button class="button" type="button" on:click=shift(ListDirection::Down)>{t("Down")}</button>
        }
    });
    let buttons = (shape != Shape::One).then(|| {
        view! {
            <div class="edit-whole-buttons">
                {moves}
                <button class="button danger" type="button" on:click=remove>{t("Remove")}</button>
            </div>
        }
    });
    let noun = rows.noun.clone();
    let is_pair = shape == Shape::Mapping
        && !matches!(rows.fields.get(1), Some(SchemaField { input: crate::schema::Input::Rows(_), .. }));
    let class = if is_pair { "edit-part edit-pair" } else { "edit-part" };
    view! {
        <li>
            <fieldset class=class>
                <legend class:visually-hidden=is_pair || shape == Shape::One>{move || format!("{noun} {}", shown.with(at) + 1)}</legend>
                {first}
                <For each=further key=|(path, _)| path.clone() children=shown_field/>
                {chips}
                {buttons}
            </fieldset>
        </li>
    }
}

/// Gives the values of the variables of a theme the dialog for colors.
fn inner_colors(values: &mut SchemaField) {
    if let crate::schema::Input::Rows(rows) = &mut values.input
        && let [_, value] = rows.fields.as_mut_slice()
    {
        value.helper = Some("colors");
    }
}
