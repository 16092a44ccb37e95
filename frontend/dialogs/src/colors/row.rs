//! The row of one variable.

use app::built_view::IntoAny;
use leptos::{html, prelude::*};

use super::{
    editing::{Editing, FONTS, Measured, is_of_color},
    pixels::{is_color, resolved},
};
use crate::{
    contrast::partner,
    dialog::button,
    texts::{fill, t, words},
};

/// Why a value cannot be used; `None` if it can.
fn problem(value: &str, of_color: bool) -> Option<String> {
    if value.contains([';', '{', '}']) || value.contains("</") {
        return Some(t("A value has no `;`, no braces and no tags."));
    }
    let is_wrong = of_color && !is_color(value) && !value.contains("var(");
    is_wrong.then(|| t("Not a color. Use for example `#1d7089`, `teal` or `oklch(0.6 0.1 220)`."))
}

/// The sentence about the contrast of a color, and whether it is low.
fn about_contrast(name: &str, measured: &Measured) -> Option<(String, bool)> {
    let contrast = measured.contrast?;
    let partner = partner(name, |other| is_color(&resolved(other)))?;
    let kind = t(if contrast.is_shape { "a line" } else { "text" });
    let values =
        [("ratio", contrast.shown()), ("name", partner), ("kind", kind), ("least", contrast.least.to_string())];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    let text = match contrast.is_low() {
        true => t("Contrast {ratio} with `{name}`: hard to read, {kind} needs {least}."),
        false => t("Contrast {ratio} with `{name}`."),
    };
    Some((fill(&text, &values), contrast.is_low()))
}

/// The label, the fields, and the contrast of a variable. Hidden if `filter` is no part of its name.
#[component]
pub fn Row(
    /// The variable, without its hyphens.
    name: String,
    /// What is being edited.
    editing: Editing,
    /// What is typed to find a variable.
    #[prop(optional)]
    filter: Option<RwSignal<String>>,
) -> impl IntoView {
    let of_color = is_of_color(&name);
    let id = ["colors-", &name].concat();
    let hint_id = [&id, "-hint"].concat();
    let name = StoredValue::new(name);
    let value = move || editing.value(&name.get_value());
    let typed = RwSignal::new(value());
    let wrong = RwSignal::new(None::<String>);
    let field = NodeRef::<html::Input>::new();
    let set = move |value: &str| {
        let found = if value.is_empty() { None } else { problem(value, of_color) };
        let is_wrong = found.is_some();
        wrong.set(found);
        if !is_wrong {
            editing.set(&name.get_value(), value);
        }
    };
    // A value that was set elsewhere, by the palette or by a reset.
    Effect::new(move |_| {
        editing.track();
        let value = editing.value(&name.get_value());
        if wrong.get_untracked().is_none() && typed.with_untracked(|typed| typed.trim() != value) {
            typed.set(value);
        }
    });
    // A reset of all takes back what was wrong, too.
    Effect::new(move |_| {
        editing.resets.track();
        wrong.set(None);
        typed.set(editing.value(&name.get_value()));
    });
    let measured =
        Memo::new(move |_| editing.measures.with(|all| all.get(&name.get_value()).cloned().unwrap_or_default()));
    let palette = of_color.then(|| {
        let on_input = move |value: String| {
            typed.set(value.clone());
            set(&value);
        };
        view! {
            <input
                type="color" aria-label=fill(&t("Palette for {name}"), &[("name", &name.get_value())])
                prop:value=move || measured.with(|measured| measured.hex.clone())
                on:input:target=move |event| on_input(event.target().value())
            />
        }
        .into_any()
    });
    let reset = move |_| {
        typed.set(String::new());
        set("");
        if let Some(field) = field.get_untracked() {
            _ = field.focus();
        }
    };
    let hint = move || match wrong.get() {
        Some(problem) => Some((problem, " failed")),
        None if of_color => {
            let (text, is_low) = measured.with(|measured| about_contrast(&name.get_value(), measured))?;
            Some((text, if is_low { " warned" } else { "" }))
        }
        None => None,
    };
    let list = name.with_value(|name| FONTS.contains(&name.as_str())).then_some("colors-families");
    let is_hidden = move || {
        filter.is_some_and(|filter| {
            let text = filter.get().trim().to_lowercase();
            name.with_value(|name| !name.contains(&text))
        })
    };
    let is_unset = move || {
        editing.track();
        wrong.with(Option::is_none) && value().is_empty()
    };
    view! {
        <div class="colors-row" hidden=is_hidden>
            <label for=id.clone()>{name.get_value()}</label>
            {palette}
            <input
                node_ref=field id=id type="text" spellcheck="false" autocomplete="off" aria-describedby=hint_id.clone() list=list
                aria-invalid=move || wrong.with(Option::is_some).to_string()
                placeholder=move || measured.with(|measured| measured.value.clone())
                prop:value=typed
                on:input:target=move |event| {
                    let value = event.target().value();
                    typed.set(value.clone());
                    set(value.trim());
                }
            />
            <button
                type="button" class="button" hidden=is_unset
                aria-label=fill(&t("Reset {name}"), &[("name", &name.get_value())]) on:click=reset
            >
                {t("Reset")}
            </button>
            <p id=hint_id class=move || ["colors-hint", hint().map_or("", |(_, class)| class)].concat()>
                {move || hint().map(|(text, _)| words(&text))}
            </p>
        </div>
    }
}

/// The buttons of the dialog's head.
pub fn head_buttons(cancel: impl Fn() + 'static, keep: impl Fn() + 'static, is_draft: bool) -> impl IntoView {
    let label = t(if is_draft { "Apply" } else { "Save" });
    [button(t("Cancel"), "button", cancel), button(label, "button primary", keep)].into_iter().collect::<Vec<_>>()
}
