//! Pieces that several views have in common.

use std::collections::HashSet;

use app::built_view::{AnyView, IntoAny};
use leptos::prelude::*;

use crate::{editor::focus, schema::SchemaField};

/// A symbol, drawn as a line along a path.
pub fn symbol(path: &'static str) -> impl IntoView {
    view! {
        <svg class="symbol" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
            <path d=path fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"></path>
        </svg>
    }
}

/// A cross.
pub fn close_symbol() -> impl IntoView {
    symbol("M5.500 5.500l9 9M14.500 5.500l-9 9")
}

/// A text in which backticks mark code.
pub fn with_code(text: &str) -> Vec<AnyView> {
    let part = |(position, part): (usize, &str)| {
        let part = part.to_owned();
        if position % 2 == 1 { view! { <code>{part}</code> }.into_any() } else { part.into_any() }
    };
    text.split('`').enumerate().map(part).collect()
}

/// Focuses an element that appears with the next frame.
pub fn focus_later(selector: String) {
    request_animation_frame(move || focus(&selector));
}

/// A button that adds a field to the form. `id` is the beginning of the ids of its fields.
pub fn chip(asked_for: RwSignal<HashSet<Vec<String>>>, id: &str) -> impl Fn((Vec<String>, SchemaField)) -> AnyView {
    let id = id.to_owned();
    move |(path, field)| {
        let first = within(&format!("{id}-{}", path.join("-")));
        let add = move |_| {
            asked_for.update(|asked| _ = asked.insert(path.clone()));
            focus_later(first.clone());
        };
        view! { <button class="edit-chip" type="button" title=field.described on:click=add>"+ " {field.label}</button> }
            .into_any()
    }
}

/// The selector of the first element of a field that can have the focus.
pub fn within(id: &str) -> String {
    format!("#{id}:not(fieldset), #{id} :is(input, select, textarea, button)")
}
