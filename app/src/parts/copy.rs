//! A button that copies the nearest element with the class `value`.

use leptos::prelude::*;

use super::{
    phrase::ours,
    symbols::{self, Symbol},
};

/// The button, and the place where it says what it did.
#[component]
pub fn CopyButton() -> impl IntoView {
    view! {
        <button class="copy" type="button" data-copy>
            <Symbol shape=symbols::COPY/>
            <span class="visually-hidden">{ours("Copy")}</span>
        </button>
        <span class="copied" role="status"></span>
    }
}
