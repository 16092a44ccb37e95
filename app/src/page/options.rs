//! The options panel: theme, layout and size of tiles, remembered by the browser.

use config::dashboard::{Layout, TileSize};
use leptos::prelude::*;

use super::{PageState, symbols};
#[cfg(feature = "ssr")]
use crate::words::split_at_placeholder;
use crate::words::{fixed, t};

/// The button and its panel. The panel is a popover, which the browser closes on Escape and on a click elsewhere.
#[component]
pub fn Options() -> impl IntoView {
    let state = expect_context::<PageState>();
    let layouts = [
        (Layout::Auto, t("Grid")),
        (Layout::Masonry, t("Masonry")),
        (Layout::Horizontal, t("Rows")),
        (Layout::Vertical, t("Columns")),
    ]
    .map(|(layout, text)| {
        choice("layout", text.to_owned(), move || state.layout.get() == layout, move |_| state.layout.set(layout))
    })
    .collect_view();
    let sizes = [(TileSize::Small, t("Small")), (TileSize::Medium, t("Medium")), (TileSize::Large, t("Large"))]
        .map(|(size, text)| {
            choice("size", text.to_owned(), move || state.size.get() == size, move |_| state.size.set(size))
        })
        .collect_view();

    let themes = view! {
        <fieldset class="choice theme-choice">
            {fixed! { <legend>{t("Theme")}</legend> }}
            <button class="button" type="button" data-module="" data-opens="theme">{t("Choose a theme")}</button>
        </fieldset>
    };
    let layouts = view! {
        <fieldset class="choice layout-choice">
            {fixed! { <legend>{t("Layout")}</legend> }}
            {layouts}
        </fieldset>
    };
    let sizes = view! {
        <fieldset class="choice">
            {fixed! { <legend>{t("Tiles")}</legend> }}
            {sizes}
        </fieldset>
    };
    let note = fixed! {
        <p class="options-note">
            {split_at_placeholder("Stored in this browser. Press {key} for all keys.").0} <kbd>"?"</kbd>
            {split_at_placeholder("Stored in this browser. Press {key} for all keys.").1}
        </p>
    };
    let content = (themes, layouts, sizes, note);
    // Static, and last, so that the browser's bundle neither contains nor hydrates it.
    #[cfg(feature = "ssr")]
    let content = {
        let problems = use_context::<super::problems::FileProblems>().map(super::problems::FileProblems::list);
        let tools = use_context::<super::tools::Tools>().map(super::tools::Tools::controls);
        let language = use_context::<super::language::LanguageChoice>().map(super::language::LanguageChoice::control);
        let languages = use_context::<super::language::LanguageLinks>().map(super::language::LanguageLinks::control);
        let views = use_context::<super::views::Links>().map(super::views::Links::switch);
        (content, views, (language, languages), tools, problems)
    };

    view! {
        <div class="options">
            <button class="icon-button" type="button" popovertarget="options-panel" aria-label=t("Options")>
                {symbols::sliders()}
            </button>
            <div id="options-panel" class="options-panel" popover="auto">
                {content}
            </div>
        </div>
    }
}

fn choice(
    group: &'static str,
    text: String,
    chosen: impl Fn() -> bool + Send + Sync + 'static,
    choose: impl Fn(leptos::ev::Event) + Send + Sync + 'static,
) -> impl IntoView {
    view! {
        <label>
            <input type="radio" name=group prop:checked=chosen on:change=choose/>
            <span>{text}</span>
        </label>
    }
}
