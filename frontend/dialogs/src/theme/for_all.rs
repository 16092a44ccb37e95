//! The same dialog for a field of the editor: each choice goes into the field, and so onto the page, at once.

use app::built_view::IntoAny;
use leptos::{html, prelude::*};
use wasm_bindgen::JsValue;
use web_sys::{Event, HtmlElement, HtmlInputElement};

use super::{Card, Choice, Filter, Themes, current, editor_place, keep_keys, show_dialog};
use crate::{
    dialog::{Mounted, button, mount},
    texts::{self, t},
};

/// Opens the dialog for a field, whose id says whether it is the theme, or that by day or by night.
///
/// # Errors
///
/// A file that it needs cannot be loaded.
pub async fn choose_for(field: HtmlInputElement) -> Result<(), JsValue> {
    let themes = Themes::load().await?;
    texts::load().await;
    let id = field.id();
    let [by_day, by_night] = ["-dayTheme", "-nightTheme"].map(|end| id.ends_with(end));
    let by_time = by_day || by_night;
    let dark = by_night || !by_day && current::is_dark();
    let system = |name: &str, label: String, about: String| Choice {
        name: name.to_owned(),
        label,
        about,
        swatch: themes.swatch("default", dark),
        hues: Vec::new(),
    };
    let about = t("Follows the system by day and night");
    let mut choices = if by_time {
        let unset = system("", t("As by day and night"), t("The theme of the field “Theme”"));
        vec![unset, system("default", t("System"), about)]
    } else {
        vec![system("", t("System"), about)]
    };
    choices.extend(themes.own(&t("A theme of the config"), dark));
    choices.extend(themes.product(dark));
    let Some(place) = editor_place() else { return Ok(()) };
    show_dialog(mount(place, move |mounted| view! { <ForAll choices field by_time mounted/> }));
    Ok(())
}

#[component]
fn ForAll(choices: Vec<Choice>, field: HtmlInputElement, by_time: bool, mounted: Mounted) -> impl IntoView {
    let before = field.value();
    let written = match before.trim() {
        "default" if !by_time => String::new(),
        written => written.to_owned(),
    };
    let chosen = RwSignal::new(written);
    let filter = RwSignal::new(String::new());
    let note = RwSignal::new(String::new());
    let node = NodeRef::<html::Dialog>::new();
    let notes: Vec<_> = choices.iter().map(|choice| (choice.name.clone(), choice.about.clone())).collect();
    let field = StoredValue::new_local(field);
    let set = move |value: &str| {
        field.with_value(|field| {
            if field.value() == value {
                return;
            }
            field.set_value(value);
            if let Ok(event) = bubbling("input") {
                _ = field.dispatch_event(&event);
            }
        });
    };
    let choose = Callback::new(move |name: String| {
        let about = notes.iter().find(|(known, _)| *known == name).map(|(_, about)| about.clone());
        note.set(about.unwrap_or_default());
        set(&name);
        chosen.set(name);
    });
    let close = move || {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    let before = StoredValue::new(before);
    let go_back = move || {
        set(&before.get_value());
        close();
    };
    let ended = move |_| {
        field.with_value(|field: &HtmlInputElement| {
            let field: &HtmlElement = field;
            _ = field.focus();
        });
        mounted.remove();
    };
    let cards = choices
        .into_iter()
        .map(|choice| view! { <Card choice group="theme-for-all" chosen filter choose/> }.into_any());
    let cards: Vec<_> = cards.collect();
    view! {
        <dialog
            node_ref=node class="theme-dialog" aria-labelledby="theme-for-all-title"
            on:keydown=keep_keys on:cancel=move |event: Event| { event.prevent_default(); go_back() } on:close=ended
        >
            <div class="dialog-header">
                <h2 id="theme-for-all-title">{t("Theme for everybody")}</h2>
                {button(t("Cancel"), "button", go_back)}
                {button(t("Done"), "button primary", close)}
            </div>
            <Filter filter label=t("Find a theme")/>
            <fieldset class="theme-list">
                <legend class="visually-hidden">{t("Theme")}</legend>
                {cards}
            </fieldset>
            <p class="theme-about" aria-live="polite">{note}</p>
        </dialog>
    }
}

/// An event that bubbles.
fn bubbling(name: &str) -> Result<Event, JsValue> {
    let event = Event::new(name)?;
    event.init_event_with_bubbles(name, true);
    Ok(event)
}
