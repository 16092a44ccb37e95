//! The values of a service's response, below its address in the form of an `api-response`. Those that are pressed are shown by the
//! widget.

use app::{
    built_view::{AnyView, IntoAny},
    editing::{ResponseValue, ResponseValues},
    viewer_hints,
};
use leptos::{prelude::*, task::spawn_local};
use serde_json::{Value, json};

use super::pieces::with_code;
use crate::{
    calls::call,
    dom::wait,
    editor::Editor,
    form::Form,
    mappings,
    texts::{t, t_count},
    widget_preview::PAUSE,
};

/// The id of what the button opens.
const BODY: &str = "edit-values";
/// Lists and objects with more values are folded at first, with all inside them.
const MAX_UNFOLDED: usize = 12;
/// How many levels are unfolded at first.
const UNFOLDED_LEVELS: usize = 2;

/// What is chosen, and how to change that.
#[derive(Clone, Copy)]
struct Choice {
    chosen: Memo<Vec<Vec<String>>>,
    press: Callback<Value>,
}

/// The button and the values.
#[component]
pub fn Values(editor: Editor, form: Form) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let shown = RwSignal::new(None::<ResponseValues>);
    let status = RwSignal::new(String::new());
    let asked = Memo::new(move |_| form.value.with(mappings::asked));
    // Answers to older questions are dropped.
    let newest = StoredValue::new(0_u32);
    Effect::new(move |before: Option<bool>| {
        let entry = asked.get().filter(|_| is_open.get());
        let number = newest.get_value() + 1;
        newest.set_value(number);
        let Some(entry) = entry else {
            shown.set(None);
            return false;
        };
        status.set(t("Waiting for the service…"));
        spawn_local(async move {
            if before == Some(true) {
                wait(PAUSE).await;
            }
            let is_current = || newest.try_get_value() == Some(number);
            if !is_current() {
                return;
            }
            let (place, viewer) = (editor.entry_page(), viewer_hints());
            let arguments = json!({
                "page": place.page, "entry": entry.to_string(), "locale": viewer.locale, "zone": viewer.time_zone,
            });
            let answer = call::<ResponseValues>(&place.base, "editor-values", &arguments).await;
            if !is_current() {
                return;
            }
            let about = match &answer {
                Ok(ResponseValues { note: Some(note), .. }) => note.clone(),
                Ok(_) => t("Click a value to show it in the widget. Click it again to remove it."),
                Err(rejection) => rejection.message.clone(),
            };
            status.set(about);
            shown.set(answer.ok());
        });
        true
    });
    let choice = Choice {
        chosen: Memo::new(move |_| form.value.with(mappings::chosen)),
        press: Callback::new(move |mapping: Value| {
            let new = form.value.with_untracked(|value| mappings::toggled(value, &mapping));
            form.set_mappings(new);
            editor.show_after_typing(form);
        }),
    };
    let values = move || {
        let ResponseValues { tree, text, .. } = shown.get()?;
        let tree = tree.map(|tree| match tree.mapping {
            Some(_) => view! { <ul role="list">{entry(tree, UNFOLDED_LEVELS, choice)}</ul> }.into_any(),
            None => list(tree.nodes, tree.more, UNFOLDED_LEVELS, choice),
        });
        let text = text.map(|text| view! { <pre dir="auto">{text}</pre> });
        Some(view! { {tree}{text} })
    };
    view! {
        <div class="edit-values" hidden=move || asked.with(Option::is_none)>
            <button
                class="button" type="button" aria-controls=BODY aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
            >
                {t("Choose values")}
            </button>
            <div id=BODY hidden=move || !is_open.get()>
                <p class="edit-about" role="status">{move || with_code(&status.get())}</p>
                {values}
            </div>
        </div>
    }
}

fn list(nodes: Vec<ResponseValue>, more: usize, unfolded: usize, choice: Choice) -> AnyView {
    let entries = nodes.into_iter().map(|node| entry(node, unfolded, choice)).collect::<Vec<_>>();
    let rest =
        (more > 0).then(|| view! { <li class="edit-muted">"… "{t_count("1 more", "{count} more", more, &[])}</li> });
    view! { <ul role="list">{entries}{rest}</ul> }.into_any()
}

fn entry(node: ResponseValue, unfolded: usize, choice: Choice) -> AnyView {
    let ResponseValue { name, text, mapping, nodes, more } = node;
    if nodes.is_empty() && more == 0 {
        let name = (!name.is_empty()).then(|| view! { <bdi>{name}</bdi> ": " });
        let words = view! { {name} <bdi>{text}</bdi> };
        let Some(mapping) = mapping.and_then(|mapping| serde_json::from_str::<Value>(&mapping).ok()) else {
            return view! { <li><p>{words}</p></li> }.into_any();
        };
        let steps = mappings::steps(&mapping).unwrap_or_default();
        let is_chosen = move || choice.chosen.with(|chosen| chosen.contains(&steps)).to_string();
        let press = move |_| choice.press.run(mapping.clone());
        return view! { <li><button type="button" aria-pressed=is_chosen on:click=press>{words}</button></li> }
            .into_any();
    }
    let is_open = unfolded > 0 && nodes.len() <= MAX_UNFOLDED;
    let unfolded = if is_open { unfolded - 1 } else { 0 };
    // What nobody opens is not drawn.
    let is_drawn = RwSignal::new(is_open);
    let inside = StoredValue::new(nodes);
    let draw = move |_| {
        if !is_drawn.get_untracked() {
            is_drawn.set(true);
        }
    };
    let values = move || is_drawn.get().then(|| list(inside.get_value(), more, unfolded, choice));
    view! {
        <li>
            <details open=is_open on:toggle=draw>
                <summary><bdi>{name}</bdi> " " <span>{text}</span></summary>
                {values}
            </details>
        </li>
    }
    .into_any()
}
