//! The picker for a field with several colors: ready-made palettes, or single colors in any order.

use leptos::{html, prelude::*};

use super::{
    field_picker::FieldPicker,
    swatch::{fixed, swatch},
};
use crate::{
    editor::{Editor, Field},
    schema::lists,
    texts::{fill, t},
    view::grid,
};

/// Colors that can be told apart beside each other, and shades of one.
fn palettes() -> [(String, &'static [&'static str]); 6] {
    [
        (t("Clear"), &["#2563eb", "#ea580c", "#16a34a", "#9333ea", "#dc2626", "#0891b2", "#ca8a04", "#db2777"]),
        (t("For all eyes"), &["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]),
        (t("Soft"), &["#8ab4f8", "#f6b26b", "#93c47d", "#c6a0f6", "#f28b82", "#76c7c0"]),
        (t("Blue"), &["#1e3a8a", "#1d4ed8", "#3b82f6", "#60a5fa", "#93c5fd"]),
        (t("Green"), &["#14532d", "#15803d", "#22c55e", "#4ade80", "#86efac"]),
        (t("Warm"), &["#7f1d1d", "#b91c1c", "#ea580c", "#f59e0b", "#fcd34d"]),
    ]
}

/// The dialog.
#[component]
pub fn Palette(editor: Editor, field: Field) -> impl IntoView {
    let colors = RwSignal::new(lists::read(&field.value()));
    let stored = StoredValue::new(field.clone());
    let set = move |new: Vec<String>| {
        let texts: Vec<&str> = new.iter().map(String::as_str).collect();
        if let Some(line) = lists::write(&texts) {
            stored.get_value().fill(&line);
            colors.set(new);
        }
    };
    let add = move |color: String| {
        let mut new = colors.get_untracked();
        new.push(color);
        set(new);
    };
    let chosen = NodeRef::<html::Div>::new();
    let any = NodeRef::<html::Input>::new();
    let remove = move |at: usize| {
        let mut new = colors.get_untracked();
        new.remove(at);
        set(new);
        // The focus goes to the next color, and from the last one to what adds another.
        request_animation_frame(move || {
            let left = chosen.get_untracked().map(|chosen| grid::cells(&chosen, "button")).unwrap_or_default();
            if let Some(next) = left.get(at).or(left.last()) {
                _ = next.focus();
            } else if let Some(any) = any.get_untracked() {
                _ = any.focus();
            }
        });
    };
    let buttons = move || {
        let button = |(at, color): (usize, String)| {
            let label = fill("Remove {name}", &[("name", &color)]);
            view! {
                <button class="button" type="button" aria-label=label on:click=move |_| remove(at)>
                    {swatch(&color)}{format!("{color} ×")}
                </button>
            }
        };
        colors.get().into_iter().enumerate().map(button).collect_view()
    };
    let ready = palettes().map(|(name, palette)| {
        let is_chosen = move || colors.with(|colors| colors == palette);
        let choose = move |_| set(palette.iter().map(|color| (*color).to_owned()).collect());
        let discs = palette.iter().map(|color| swatch(color)).collect_view();
        view! {
            <label title=palette.join(", ")>
                <input
                    type="radio" name="edit-palette" class="visually-hidden" value=name.clone()
                    prop:checked=is_chosen on:change=choose
                />
                <span>{name}</span>
                {discs}
            </label>
        }
    });
    let ready = ready.into_iter().collect_view();
    let single = fixed().map(|(value, name)| {
        let label = fill("Add {name}", &[("name", &name)]);
        view! {
            <button class="button" type="button" aria-label=label on:click=move |_| add(value.to_owned())>
                {swatch(value)}{name}
            </button>
        }
    });
    let single = single.into_iter().collect_view();
    let add_any = move |_| {
        if let Some(any) = any.get_untracked() {
            add(any.value());
        }
    };
    let status = move || match colors.with(Vec::is_empty) {
        true => t("No color is chosen: the usual ones are shown."),
        false => String::new(),
    };
    view! {
        <FieldPicker editor field title=t("Choose colors") class="edit-color-picker" none=t("No colors")>
            <div class="edit-search">
                <div node_ref=chosen class="edit-colors" role="group" aria-label=t("Chosen colors")>{buttons}</div>
                <p class="edit-about" role="status">{status}</p>
            </div>
            <div class="edit-scroll">
                <fieldset class="edit-palette wide"><legend>{t("Palettes")}</legend>{ready}</fieldset>
                <fieldset class="edit-palette"><legend>{t("Add a color")}</legend>{single}</fieldset>
                <div class="edit-colors">
                    <input node_ref=any type="color" value="#2563eb" aria-label=t("Any other color")/>
                    <button class="button" type="button" on:click=add_any>{t("Add this color")}</button>
                </div>
            </div>
        </FieldPicker>
    }
}
