//! The items of a group (`subItems`) in its form: they can be added, edited, moved and removed.

use leptos::{
    ev::{Event, MouseEvent},
    prelude::*,
};
use serde_json::{Value, json};
use web_sys::HtmlElement;

use super::{bar::with_code, focus_later, helper::helped};
use crate::{
    edits::Direction,
    schema::{self, Input},
    sub_items::{self, FIELDS},
};

/// An item while the form is open. Its number identifies it while items move.
#[derive(Clone)]
struct Row {
    number: usize,
    value: ArcRwSignal<Value>,
}

/// The list of items, at first `initial`. `set` gets the new value with each change.
pub fn sub_items_view(
    about: &str,
    initial: Vec<Value>,
    set: impl Fn(Option<Value>) + Send + Sync + 'static,
    problem: impl IntoView + 'static,
) -> AnyView {
    let count = StoredValue::new(initial.len());
    let row = |(number, value)| Row { number, value: ArcRwSignal::new(value) };
    let rows = RwSignal::new(initial.into_iter().enumerate().map(row).collect::<Vec<_>>());
    let changed = Callback::new(move |()| {
        let values: Vec<Value> = rows.with_untracked(|rows| rows.iter().map(|row| row.value.get_untracked()).collect());
        set((!values.is_empty()).then(|| values.into()));
    });
    let add = move |_| {
        let number = count.get_value();
        count.set_value(number + 1);
        rows.update(|rows| rows.push(Row { number, value: ArcRwSignal::new(json!({ "title": "" })) }));
        changed.run(());
        focus_later(format!("#part-{number}-title"));
    };
    view! {
        <fieldset class="edit-block edit-parts">
            <legend>"Sub-items"</legend>
            <p class="edit-about">{with_code(about)}</p>
            <ol role="list">
                <For each=move || rows.get() key=|row| row.number children=move |row| row_view(rows, row, changed)/>
            </ol>
            {problem}
            <button class="button" type="button" on:click=add>"Add sub-item"</button>
        </fieldset>
    }
    .into_any()
}

fn row_view(rows: RwSignal<Vec<Row>>, Row { number, value }: Row, changed: Callback<()>) -> impl IntoView {
    let at = move |rows: &Vec<Row>| rows.iter().position(|row| row.number == number).unwrap_or_default();
    let position = move || rows.with(at);
    let inputs = FIELDS.map(|(key, label)| {
        let text = value.with_untracked(|value| schema::to_text(&Input::Text, value.get(key)));
        let value = value.clone();
        let typed = move |event: Event| {
            let new = schema::parse(&Input::Text, &event_target_value(&event)).ok().flatten();
            value.update(|value| schema::set(value, &[key.to_owned()], new));
            changed.run(());
        };
        let line = view! {
            <label class="field">
                <span>{label}</span>
                <input type="text" id=format!("part-{number}-{key}") value=text spellcheck="false" autocomplete="off" on:input=typed/>
            </label>
        };
        if key == "icon" { helped("icons", label, line.into_any()) } else { line.into_any() }
    });
    let others = value.with_untracked(|value| schema::to_text(&Input::Yaml, sub_items::others(value).as_ref()));
    let wrong = RwSignal::new(None::<String>);
    let typed = move |event: Event| match schema::parse(&Input::Yaml, &event_target_value(&event)) {
        Ok(new @ (None | Some(Value::Object(_)))) => {
            wrong.set(None);
            value.update(|value| sub_items::set_others(value, new));
            changed.run(());
        }
        Ok(Some(_)) => wrong.set(Some("Write keys with their values, such as `target: modal`.".to_owned())),
        Err(sentence) => wrong.set(Some(sentence)),
    };
    let shift = move |direction: Direction| {
        move |event: MouseEvent| {
            rows.update(|rows| {
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
    let remove = move |_| {
        rows.update(|rows| rows.retain(|row| row.number != number));
        changed.run(());
        focus_later(".edit-parts > .button".to_owned());
    };
    view! {
        <li>
            <fieldset class="edit-part">
                <legend>{move || format!("Sub-item {}", position() + 1)}</legend>
                {inputs.into_iter().collect_view()}
                <details>
                    <summary>"More fields"</summary>
                    <label class="field">
                        <span>"Other fields, in YAML"</span>
                        <textarea rows="3" spellcheck="false" on:input=typed>{others}</textarea>
                    </label>
                    {move || wrong.get().map(|text| view! { <p class="edit-problem" role="alert">{with_code(&text)}</p> })}
                </details>
                <div class="edit-whole-buttons">
                    <button class="button" type="button" on:click=shift(Direction::Up)>"Up"</button>
                    <button class="button" type="button" on:click=shift(Direction::Down)>"Down"</button>
                    <button class="button danger" type="button" on:click=remove>"Remove"</button>
                </div>
            </fieldset>
        </li>
    }
}
