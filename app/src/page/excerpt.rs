//! The lines of a file around an error.

use leptos::prelude::*;

use crate::any_view::IntoAny;

/// The excerpt, with the line that begins with `>` marked.
pub fn excerpt(text: &str) -> impl IntoView + use<> {
    let lines = text
        .lines()
        .map(|line| match line.strip_prefix('>') {
            Some(rest) => view! { <mark>{format!(" {rest}")}</mark> }.into_any(),
            None => format!("{line}\n").into_any(),
        })
        .collect_view();
    view! { <pre class="excerpt" tabindex="0">{lines}</pre> }
}
