//! The colors of drawings: a color of the config, of a tone, or of the palette.

use leptos::{either::Either, prelude::*};
use widgets::{
    option_types::Color,
    panel::{Slice, Tone},
};

use super::{markup::classes, tone::tone_class};

/// The classes of the palette; `_parts-charts.scss` has the same number.
const PALETTE: [&str; 8] =
    ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "series-7", "series-8"];

/// The color of one element of a drawing.
#[derive(Clone, Copy)]
pub struct DrawingColor<'a> {
    class: &'static str,
    color: Option<&'a Color>,
}

impl<'a> DrawingColor<'a> {
    /// `color` takes precedence over the tone; without both, each position has a color of the palette.
    pub fn new(color: Option<&'a Color>, tone: Tone, position: usize) -> Self {
        match (color, tone) {
            (Some(_), _) => Self { class: "", color },
            (None, Tone::Plain) => Self { class: PALETTE[palette_position(position)], color },
            (None, tone) => Self { class: tone_class(tone), color },
        }
    }

    /// The tone takes precedence over `color`.
    pub fn toned(color: Option<&'a Color>, tone: Tone, position: usize) -> Self {
        Self::new(color.filter(|_| tone == Tone::Plain), tone, position)
    }

    /// The color of a slice, at its position among the others.
    pub fn of_slice(slice: &'a Slice, position: usize) -> Self {
        Self::toned(slice.color.as_ref(), slice.tone, slice.palette.map_or(position, usize::from))
    }

    /// The classes of an element with this color.
    pub fn class(self, class: &'static str) -> Option<String> {
        classes([class, self.class])
    }

    /// The attribute `color` of an element with this color.
    pub fn css(self) -> Option<&'a str> {
        self.color.map(Color::css)
    }
}

/// The tone in which a level is drawn, such as that of a gauge. Green is for states alone: a level that is as it should be
/// has the accent, so that the exceptions stand out.
pub fn level_tone(tone: Tone) -> Tone {
    if tone == Tone::Success { Tone::Plain } else { tone }
}

/// A small colored square, or a piece of a line with its dashes.
#[component]
pub fn Swatch<'a>(
    color: DrawingColor<'a>,
    /// The palette position of a series drawn as a line.
    #[prop(optional_no_strip)]
    line: Option<usize>,
) -> impl IntoView {
    let piece = match line {
        Some(position) => Either::Left(view! { <path class=dash_class(position) d="M0 5h16"></path> }),
        None => Either::Right(view! { <rect width="16" height="10"></rect> }),
    };
    view! {
        <svg class=color.class("swatch") color=color.css() viewBox="0 0 16 10" aria-hidden="true">
            {piece}
        </svg>
    }
}

/// After the last color, begins again with the second, so that the first, which is the theme's own, is used for one
/// series only.
fn palette_position(position: usize) -> usize {
    if position < PALETTE.len() { position } else { 1 + (position - 1) % (PALETTE.len() - 1) }
}

/// The class of the dashes that distinguish lines without color.
pub fn dash_class(position: usize) -> &'static str {
    ["line", "line dash-2", "line dash-3", "line dash-4"][position % 4]
}
