//! Pictures of icons and types.

use app::built_view::{AnyView, IntoAny};
use leptos::prelude::*;

/// A picture by its address; a glyph in the color of the text if the address ends with `#i`.
pub fn picture(address: String) -> AnyView {
    if address.ends_with("#i") {
        view! { <svg class="edit-picture" aria-hidden="true"><use_ href=address></use_></svg> }.into_any()
    } else {
        view! { <img class="edit-picture" src=address alt="" loading="lazy"/> }.into_any()
    }
}

/// An emoji.
pub fn glyph(emoji: String) -> AnyView {
    view! { <span class="edit-picture" aria-hidden="true">{emoji}</span> }.into_any()
}
