//! The accent colors that the dialog offers for the current theme.

use app::built_view::IntoAny;
use leptos::prelude::*;

use crate::{
    own_colors::{current_theme, of_theme, paint, set, store, stored, with_theme},
    texts::t,
};

/// The accent color that this browser has stored for the current theme; empty for that of the theme.
pub fn current_accent() -> String {
    let colors = of_theme(&stored(), &current_theme());
    colors.into_iter().find(|(name, _)| name == "primary").map(|(_, value)| value).unwrap_or_default()
}

fn set_accent(value: &str) {
    let (all, theme) = (stored(), current_theme());
    let mut colors = of_theme(&all, &theme);
    set(&mut colors, "primary", value);
    store(&with_theme(&all, &theme, &colors));
    paint(&colors);
}

/// Whether a text is a color as a field for colors takes it.
fn is_hex(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_hexdigit()))
}

/// The choice of an accent color.
#[component]
pub fn Accents(
    /// The accent color of the current theme, as [`current_accent`] returns it.
    accent: RwSignal<String>,
) -> impl IntoView {
    let choose = move |value: String| {
        set_accent(&value);
        accent.set(value);
    };
    let offered = [""].into_iter().chain(color::ACCENTS).map(|color| {
        let label = if color.is_empty() { t("As in the theme") } else { color.to_owned() };
        let is_chosen = move || accent.with(|accent| accent == color);
        let on_change = move |_| choose(color.to_owned());
        let own = (!color.is_empty()).then_some(color);
        view! {
            <input
                type="radio" name="accent" value=color aria-label=label.clone() title=label
                style=("--own", own) prop:checked=is_chosen on:change=on_change
            />
        }
        .into_any()
    });
    let offered: Vec<_> = offered.collect();
    let free = RwSignal::new("#5cabca".to_owned());
    Effect::new(move |_| {
        let accent = accent.get();
        if is_hex(&accent) {
            free.set(accent);
        }
    });
    view! {
        <fieldset class="accents">
            <legend>{t("Accent")}</legend>
            {offered}
            <input
                type="color" aria-label=t("Accent of your own") prop:value=free
                on:input:target=move |event| choose(event.target().value())
            />
        </fieldset>
    }
}
