//! The color editor: the colors and fonts of the current theme. Each change is visible at once. They are stored in this browser,
//! or become part of the draft in edit mode.

mod editing;
mod pixels;
mod row;

use std::collections::BTreeSet;

use app::{
    browser::{first, listen, root, storage::CUSTOM_COLORS},
    built_view::IntoAny,
};
use js_sys::Object;
use leptos::{html, prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, HtmlElement};

use self::{
    editing::{BASE, DRAFT, Editing, FONTS, draft, measured, of_draft, stop_timer},
    pixels::resolved,
    row::{Row, head_buttons},
};
use crate::{
    dialog::{Mounted, acting_button, button, copy, focus_in, hide_options, mount, place},
    host::{self, Editor},
    own_colors::{Colors, current_theme, object, of_theme, paint, store, stored, with_theme},
    style_sheets,
    texts::{self, fill, t},
    theme::{Filter, keep_keys, own_rules},
    yaml,
};

const FAMILIES: [&str; 5] = [
    "system-ui, sans-serif",
    "Georgia, serif",
    "ui-monospace, monospace",
    "ui-rounded, system-ui, sans-serif",
    "Figtree, sans-serif",
];

/// The variables of the page's style sheets beside the usual ones, without their hyphens.
fn further_variables() -> Vec<String> {
    let mut found = BTreeSet::new();
    for (selector, style) in own_rules() {
        if selector != ":root" {
            continue;
        }
        let names = (0..style.length()).map(|at| style.item(at));
        found.extend(names.filter_map(|name| Some(name.strip_prefix("--")?.to_owned())));
    }
    let is_usual = |name: &str| BASE.contains(&name) || FONTS.contains(&name) || name.starts_with("theme-");
    found.into_iter().filter(|name| !is_usual(name)).collect()
}

/// Opens the colors of this browser, or those of a draft. On closing, the focus returns to `opener`.
///
/// # Errors
///
/// A file that it needs cannot be loaded.
pub async fn open(edited: Option<Editor>, opener: Option<HtmlElement>) -> Result<(), JsValue> {
    style_sheets::load(&["theme-chooser", "theme-colors"]).await?;
    texts::load().await;
    let Some(place) = place(edited.is_some()) else { return Ok(()) };
    DRAFT.set(edited);
    // The dialog itself stays readable with any colors of the page.
    let own: Vec<_> = BASE.into_iter().chain(FONTS).map(str::to_owned).chain(further_variables()).collect();
    let own: Vec<_> = own.iter().map(|name| (name, resolved(name))).collect();
    let scheme = window().get_computed_style(&root()).ok().flatten();
    let scheme = scheme.and_then(|style| style.get_property_value("color-scheme").ok()).unwrap_or_default();
    hide_options();
    let Some(dialog) = mount(place, move |mounted| view! { <ColorEditor opener mounted/> }) else { return Ok(()) };
    let style = HtmlElement::style(&dialog);
    for (name, value) in own {
        _ = style.set_property(&["--", name].concat(), &value);
    }
    _ = style.set_property("color-scheme", &scheme);
    _ = dialog.show_modal();
    focus_in(&dialog, "input[type=text]");
    Ok(())
}

#[component]
fn ColorEditor(opener: Option<HtmlElement>, mounted: Mounted) -> impl IntoView {
    let is_draft = draft().is_some();
    let theme = current_theme();
    let mine = stored();
    let all = draft().map_or_else(|| mine.clone(), |draft| of_draft(&draft));
    let before = of_theme(&all, &theme);
    let mine = StoredValue::new_local(mine);
    let editing = Editing::new(theme.clone(), before.clone());
    let before = StoredValue::new(before);
    let node = NodeRef::<html::Dialog>::new();
    let code = NodeRef::<html::Pre>::new();
    let is_ended = StoredValue::new(false);

    // What this browser shows without the dialog; a draft has no colors of this browser.
    let paint_stored = move || {
        let colors = mine.with_value(|mine| of_theme(mine, &editing.theme.get_value()));
        paint(&if is_draft { Colors::new() } else { colors });
    };
    let with_values = move |all: &Object| with_theme(all, &editing.theme.get_value(), &editing.values.get_untracked());
    let end = move || {
        is_ended.set_value(true);
        stop_timer();
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    let take_back = move || {
        paint_stored();
        if let Some(draft) = draft() {
            let all = with_theme(&of_draft(&draft), &editing.theme.get_value(), &before.get_value());
            draft.change_setting(CUSTOM_COLORS, &all, None);
        }
    };
    let go_back = move || {
        end();
        take_back();
    };
    let keep = move || {
        end();
        match draft() {
            None => store(&mine.with_value(with_values)),
            Some(draft) => {
                // Until the server has rendered the page with them.
                once_changed(|| paint(&Colors::new()));
                let label = fill(&t("Colors of the theme “{name}”"), &[("name", &editing.theme.get_value())]);
                draft.change_setting(CUSTOM_COLORS, &with_values(&of_draft(&draft)), Some(&label));
            }
        }
    };
    let to_config = move || {
        let (theme, values) = (editing.theme.get_value(), editing.values.get_untracked());
        let (all, own) = (mine.with_value(with_values), mine.with_value(|mine| of_theme(mine, &theme)));
        end();
        spawn_local(async move {
            let editor = host::editor().await;
            if let Some(editor) = &editor {
                _ = editor.begin(None).await;
            }
            match editor.filter(Editor::is_running) {
                Some(editor) => {
                    // If the draft is not saved, this browser still has them.
                    store(&all);
                    editor.take_colors(&theme, &object(&values));
                }
                None => paint(&own),
            }
        });
    };
    let closed = move |_| {
        // With a click beside it.
        if !is_ended.get_value() {
            go_back();
        }
        if let Some(opener) = &opener {
            _ = opener.focus();
        }
        mounted.remove();
    };

    let lines = move || {
        editing.values.with(|values| match values.is_empty() {
            true => String::new(),
            false => yaml::lines(&editing.theme.get_value(), values),
        })
    };
    let is_empty = Signal::derive(move || editing.values.with(Vec::is_empty));
    let rows = |names: &[&str]| {
        names.iter().map(|&name| view! { <Row name=name.to_owned() editing/> }.into_any()).collect::<Vec<_>>()
    };
    let more = RwSignal::new(Vec::new());
    let filter = RwSignal::new(String::new());
    let on_toggle = move |_: Event| {
        if more.with_untracked(Vec::is_empty) {
            let names = further_variables();
            editing.rows.update(|rows| rows.extend(names.clone()));
            editing.measures.set(editing.rows.with_untracked(|rows| measured(rows)));
            more.set(names);
        }
    };
    let further = move || {
        let row = |name| view! { <Row name editing filter/> }.into_any();
        more.get().into_iter().map(row).collect::<Vec<_>>()
    };
    let families = FAMILIES.map(|family| view! { <option value=family></option> }).collect_view();
    let copy_lines = move || copy(lines(), code.get_untracked().map(|code| code.unchecked_into()));
    let take =
        (!is_draft && first(".edit-button").is_some()).then(|| button(t("Take into the config"), "button", to_config));
    let about = match is_draft {
        true => t("They become part of the draft, for everybody with this theme."),
        false => t("They are stored in this browser, for you only."),
    };
    view! {
        <dialog
            node_ref=node class="theme-dialog colors-dialog" aria-labelledby="colors-title"
            on:keydown=keep_keys on:cancel=move |event: Event| { event.prevent_default(); go_back() } on:close=closed
        >
            <div class="dialog-header">
                <h2 id="colors-title">{fill(&t("Colors: {theme}"), &[("theme", &theme)])}</h2>
                {head_buttons(go_back, keep, is_draft)}
            </div>
            <div class="colors-body">
                <p class="colors-about">{about}</p>
                <div>{rows(&BASE)}</div>
                <details>
                    <summary>{t("Fonts")}</summary>
                    {rows(&FONTS)}
                    <datalist id="colors-families">{families}</datalist>
                </details>
                <details on:toggle=on_toggle>
                    <summary>{t("All variables")}</summary>
                    <Filter filter label=t("Find a variable")/>
                    <div>{further}</div>
                </details>
                <div class="colors-actions">
                    {acting_button(t("Copy as YAML"), is_empty, copy_lines)}
                    <button type="button" class="button" disabled=is_empty on:click=move |_| editing.reset()>{t("Reset all")}</button>
                    {take}
                </div>
                <pre node_ref=code class="colors-code" tabindex="0" aria-label=t("Lines of a config") hidden=is_empty>{lines}</pre>
            </div>
        </dialog>
    }
}

/// Does something when the page has been changed next.
fn once_changed(action: impl FnOnce() + 'static) {
    let mut action = Some(action);
    listen(&document(), "portico:changed", false, move |_: Event| {
        if let Some(action) = action.take() {
            action();
        }
    });
}
