//! The values of a service's response, below its address in the form of an `api-response`. Those that are pressed are shown by the
//! widget.

use app::{
    browser::download_text,
    editing::{ResponseValue, ResponseValues, ServiceFile},
    viewer_hints,
};
use leptos::{ev::MouseEvent, html, prelude::*, task::spawn_local};
use serde_json::{Value, json};
use web_sys::Element;

use super::{grid::cells, pieces::with_code};
use crate::{
    calls::call,
    dom::{closest, target, wait},
    editor::Editor,
    form::Form,
    mappings,
    texts::{t, t_count},
    widget_preview::PAUSE,
};

/// The id of what the button opens.
const BODY: &str = "edit-values";
/// The attribute of a value with the mapping that shows it, and the buttons that have it.
const MAPPING: &str = "data-mapping";
const BUTTON: &str = "[data-mapping]";
/// Lists and objects with more values are folded at first, with all inside them.
const MAX_UNFOLDED: usize = 12;
/// How many levels are unfolded at first.
const UNFOLDED_LEVELS: usize = 2;

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
    let place = NodeRef::<html::Div>::new();
    let chosen = Memo::new(move |_| form.value.with(mappings::chosen));
    Effect::new(move |_| {
        if let Some(place) = place.get() {
            shown.with(|found| draw(&place, found.as_ref()));
            chosen.with_untracked(|chosen| mark(&place, chosen));
        }
    });
    Effect::new(move |_| {
        chosen.with(|chosen| _ = place.get_untracked().map(|place| mark(&place, chosen)));
    });
    let press = move |event: MouseEvent| {
        if let Some(mapping) = target(&event).and_then(|pressed| mapping(&closest(&pressed, BUTTON)?)) {
            form.set_mappings(form.value.with_untracked(|value| mappings::toggled(value, &mapping)));
            editor.show_after_typing(form);
        }
    };
    let download = move |_| {
        let place = editor.entry_page();
        let arguments = json!({ "page": place.page, "entry": form.value.with_untracked(Value::to_string) });
        spawn_local(async move {
            let said = match call::<ServiceFile>(&place.base, "editor-service-file", &arguments).await {
                Ok(file) => {
                    download_text(&file.name, &file.text);
                    t(
                        "Put the file into `user-data/services` and restart the server. Items can then show these values.",
                    )
                }
                Err(rejection) => rejection.message,
            };
            status.set(said);
        });
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
                <div class="edit-values-tree" node_ref=place on:click=press></div>
                <button class="button" type="button" hidden=move || chosen.with(Vec::is_empty) on:click=download>
                    {t("Download as a service")}
                </button>
            </div>
        </div>
    }
}

/// Draws the values. They are many, and alike, so components would be of no use.
fn draw(place: &Element, found: Option<&ResponseValues>) {
    place.set_inner_html("");
    let Some(ResponseValues { tree, text, .. }) = found else { return };
    match tree {
        Some(tree) if tree.mapping.is_none() => _ = list(place, tree, UNFOLDED_LEVELS),
        // The whole response is a single value.
        Some(tree) => _ = add(place, "ul", "").and_then(|list| entry(&list, tree, UNFOLDED_LEVELS)),
        None => {}
    }
    if let Some(text) = text {
        _ = add(place, "pre", text).map(|text| text.set_attribute("dir", "auto"));
    }
}

fn list(place: &Element, node: &ResponseValue, unfolded: usize) -> Option<()> {
    let list = add(place, "ul", "")?;
    list.set_attribute("role", "list").ok()?;
    for inner in &node.nodes {
        entry(&list, inner, unfolded)?;
    }
    if node.more > 0 {
        let text = t_count("1 more", "{count} more", node.more, &[]);
        add(&list, "li", &["… ", &text].concat())?.set_class_name("edit-muted");
    }
    Some(())
}

fn entry(place: &Element, node: &ResponseValue, unfolded: usize) -> Option<()> {
    let ResponseValue { name, text, mapping, nodes, more } = node;
    let place = add(place, "li", "")?;
    if nodes.is_empty() && *more == 0 {
        let words = add(&place, if mapping.is_some() { "button" } else { "p" }, "")?;
        if let Some(mapping) = mapping {
            words.set_attribute("type", "button").ok()?;
            words.set_attribute(MAPPING, mapping).ok()?;
        }
        if !name.is_empty() {
            add(&words, "bdi", name)?;
            words.append_with_str_1(": ").ok()?;
        }
        return add(&words, "bdi", text).map(drop);
    }
    let details = add(&place, "details", "")?;
    let is_open = unfolded > 0 && nodes.len() <= MAX_UNFOLDED;
    if is_open {
        details.set_attribute("open", "").ok()?;
    }
    let summary = add(&details, "summary", "")?;
    add(&summary, "bdi", name)?;
    summary.append_with_str_1(" ").ok()?;
    add(&summary, "span", text)?;
    list(&details, node, if is_open { unfolded - 1 } else { 0 })
}

/// Adds an element with a text.
fn add(place: &Element, tag: &str, text: &str) -> Option<Element> {
    let element = document().create_element(tag).ok()?;
    element.set_text_content(Some(text));
    place.append_child(&element).ok()?;
    Some(element)
}

/// Marks the values that are chosen.
fn mark(place: &Element, chosen: &[Vec<String>]) {
    for button in cells(place, BUTTON) {
        let steps = mapping(&button).and_then(|mapping| mappings::steps(&mapping));
        let is_chosen = steps.is_some_and(|steps| chosen.contains(&steps));
        _ = button.set_attribute("aria-pressed", if is_chosen { "true" } else { "false" });
    }
}

/// The mapping of a button.
fn mapping(button: &Element) -> Option<Value> {
    serde_json::from_str(&button.get_attribute(MAPPING)?).ok()
}
