//! The colours of what is drawn: a colour of the config, that of a tone, or the palette's.

use leptos::{either::Either, prelude::*};
use widgets::{option_types::Color, panel::Tone};

use super::{markup::classes, tone::tone_class};

/// The classes of the palette; `_parts-charts.scss` knows as many.
const PALETTE: [&str; 8] =
    ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "series-7", "series-8"];

/// The colour of one thing in a drawing.
#[derive(Clone, Copy)]
pub struct DrawingColor<'a> {
    class: &'static str,
    color: Option<&'a Color>,
}

impl<'a> DrawingColor<'a> {
    /// A colour of its own goes before the tone; without both the palette has one for each position.
    pub fn new(color: Option<&'a Color>, tone: Tone, position: usize) -> Self {
        match (color, tone) {
            (Some(_), _) => Self { class: "", color },
            (None, Tone::Plain) => Self { class: PALETTE[palette_position(position)], color },
            (None, tone) => Self { class: tone_class(tone), color },
        }
    }

    /// The tone goes before a colour of its own.
    pub fn toned(color: Option<&'a Color>, tone: Tone, position: usize) -> Self {
        Self::new(color.filter(|_| tone == Tone::Plain), tone, position)
    }

    /// The classes of an element in this colour.
    pub fn class(self, class: &'static str) -> Option<String> {
        classes([class, self.class])
    }

    /// The attribute `color` of an element in this colour.
    pub fn css(self) -> Option<&'a str> {
        self.color.map(Color::css)
    }
}

/// A small square of a colour, or a piece of a line with its dashes.
#[component]
pub fn Swatch<'a>(
    color: DrawingColor<'a>,
    /// The position in the palette of the series that is drawn as a line.
    #[prop(optional_no_strip)]
    line: Option<usize>,
) -> impl IntoView {
    let piece = match line {
        Some(position) => Either::Left(view! { <path class=dash_class(position) d="M0 5h16"></path> }),
        None => Either::Right(view! { <rect width="16" height="10" rx="3"></rect> }),
    };
    view! {
        <svg class=color.class("swatch") color=color.css() viewBox="0 0 16 10" aria-hidden="true">
            {piece}
        </svg>
    }
}

/// What comes after the last colour begins again with the second, so that the first one, which is the theme's own,
/// stays that of one series.
fn palette_position(position: usize) -> usize {
    if position < PALETTE.len() { position } else { 1 + (position - 1) % (PALETTE.len() - 1) }
}

/// The class of the dashes by which lines differ without colour.
pub fn dash_class(position: usize) -> &'static str {
    ["line", "line dash-2", "line dash-3", "line dash-4"][position % 4]
}
