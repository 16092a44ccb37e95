//! The symbols of the user interface, drawn on a 20 × 20 grid in the color of the text.

use leptos::prelude::*;

fn symbol(class: &'static str, path: &'static str) -> impl IntoView {
    view! {
        <svg class=class viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
            <path d=path fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"></path>
        </svg>
    }
}

pub fn search() -> impl IntoView {
    symbol("search-icon", "M9 3.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11M13 13l4 4")
}

pub fn menu() -> impl IntoView {
    symbol("symbol", "M3.5 6h13M3.5 10h13M3.5 14h13")
}

pub fn sliders() -> impl IntoView {
    symbol("symbol", "M3.5 6h7M14.5 6h2M12.5 4v4M3.5 14h2M9.5 14h7M7.5 12v4")
}

pub fn chevron() -> impl IntoView {
    symbol("chevron", "M7.5 5l5 5-5 5")
}

pub fn expand() -> impl IntoView {
    symbol("symbol", "M11.5 4H16v4.500M16 4l-5 5M8.500 16H4v-4.500M4 16l5-5")
}

pub fn close() -> impl IntoView {
    symbol("symbol", "M5.500 5.500l9 9M14.500 5.500l-9 9")
}

pub fn arrow_left() -> impl IntoView {
    symbol("symbol", "M15.500 10h-11M9 5.500L4.500 10L9 14.500")
}

pub fn person() -> impl IntoView {
    symbol(
        "symbol",
        "M10 3.500a3.250 3.250 0 1 1 0 6.500a3.250 3.250 0 0 1 0-6.500M3.750 16.500c.5-2.750 3-4.250 6.250-4.250s5.750 1.500 6.250 4.250",
    )
}

pub fn pencil() -> impl IntoView {
    symbol(
        "symbol",
        "M4 16l.75-3.250L13.250 4.250a1.500 1.500 0 0 1 2.125 0l.375.375a1.500 1.500 0 0 1 0 2.125L7.250 15.250zM11.750 5.750l2.500 2.500",
    )
}

pub fn dots() -> impl IntoView {
    symbol("symbol", "M4.500 10h.01M10 10h.01M15.500 10h.01")
}

pub fn plus() -> impl IntoView {
    symbol("symbol", "M10 4.500v11M4.500 10h11")
}
