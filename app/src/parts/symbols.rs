//! The symbols inside panels, drawn on a 20 × 20 grid in the color of the text. Words next to them say the same.

use leptos::prelude::*;

/// What a symbol looks like.
#[derive(Clone, Copy)]
pub struct SymbolShape {
    class: &'static str,
    path: &'static str,
}

const fn sign(path: &'static str) -> SymbolShape {
    SymbolShape { class: "sign", path }
}

/// A symbol.
#[component]
pub fn Symbol(shape: SymbolShape) -> impl IntoView {
    view! {
        <svg class=shape.class viewBox="0 0 20 20" aria-hidden="true" focusable="false">
            <path d=shape.path></path>
        </svg>
    }
}

/// Yes.
pub const CHECK: SymbolShape = SymbolShape { class: "sign sign-yes", path: "M4.5 10.5l3.5 3.5 7.5-8" };
/// No.
pub const CROSS: SymbolShape = SymbolShape { class: "sign sign-no", path: "M5.5 5.500l9 9M14.5 5.500l-9 9" };
/// Two sheets: copy.
pub const COPY: SymbolShape = sign("M7.5 7.500h8.500v8.500h-8.500zM12.5 7.500V4H4v8.500h3.5");
/// To the right, for what can be opened.
pub const CHEVRON: SymbolShape = SymbolShape { class: "sign chevron-sign", path: "M7.5 5l5 5-5 5" };
/// Up and down: a column that can be sorted.
pub const SORT: SymbolShape =
    SymbolShape { class: "sign sort-sign", path: "M6.5 7.500L10 4l3.5 3.500M6.5 12.500L10 16l3.5-3.5" };
/// A broken picture.
pub const BROKEN: SymbolShape = sign("M3.5 4.500h13v11h-13zM4 14l3.5-4 3 3 2-2 4 4M13 7.500h.01");
/// A drop: rain.
pub const DROP: SymbolShape = sign("M10 3.500q5 5.500 5 8.700a5 5 0 0 1-10 0q0-3.200 5-8.700z");
/// Upwards.
pub const UP: SymbolShape = sign("M10 16V4.500M5.5 9L10 4.5 14.5 9");
/// Downwards.
pub const DOWN: SymbolShape = sign("M10 4v11.500M5.5 11l4.5 4.500L14.5 11");
/// Good.
pub const GOOD: SymbolShape = sign("M10 2.500a7.5 7.5 0 1 1 0 15a7.5 7.5 0 0 1 0-15M6.8 10.300l2.2 2.2 4.3-4.8");
/// A warning.
pub const WARNING: SymbolShape = sign("M10 3.500l7.5 13h-15zM10 8.500v3.500M10 14.300v.01");
/// Something is broken.
pub const DANGER: SymbolShape =
    sign("M6.8 2.500h6.400l4.3 4.300v6.400l-4.3 4.300H6.800l-4.3-4.300V6.800zM10 6.500v4M10 13.300v.01");
/// Information.
pub const INFO: SymbolShape = sign("M10 2.500a7.5 7.5 0 1 1 0 15a7.5 7.5 0 0 1 0-15M10 9.500v4M10 6.600v.01");
/// Outwards: larger.
pub const EXPAND: SymbolShape = sign("M11.5 4H16v4.500M16 4l-5 5M8.500 16H4v-4.500M4 16l5-5");
/// A circle: reload.
pub const RELOAD: SymbolShape = sign("M15.8 11.500a6 6 0 1 1-1.5-5.700L16 7.500M16 3.500v4h-4");
