//! The colours of what is drawn: a colour of the config, that of a tone, or the palette's.

use widgets::{option_types::Color, panel::Tone};

use super::{markup::Markup, tone_class};

/// The classes of the palette; `_parts-charts.scss` knows as many.
const SERIES: [&str; 8] =
    ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "series-7", "series-8"];

/// The colour of one thing in a drawing.
#[derive(Clone, Copy)]
pub struct Ink<'a> {
    class: &'static str,
    color: Option<&'a Color>,
}

impl<'a> Ink<'a> {
    /// A colour of its own goes before the tone; without both the palette has one for each position.
    pub fn own(color: Option<&'a Color>, tone: Tone, position: usize) -> Self {
        match (color, tone) {
            (Some(_), _) => Self { class: "", color },
            (None, Tone::Plain) => Self { class: SERIES[palette(position)], color },
            (None, tone) => Self { class: tone_class(tone), color },
        }
    }

    /// The tone goes before a colour of its own.
    pub fn toned(color: Option<&'a Color>, tone: Tone, position: usize) -> Self {
        Self::own(color.filter(|_| tone == Tone::Plain), tone, position)
    }

    /// Opens an element of a drawing in this colour.
    pub fn open(self, tag: &'static str, class: &str, m: &mut Markup) {
        self.void(tag, class, m);
        m.pushed(tag);
    }

    /// Writes an element of a drawing, without content, in this colour.
    pub fn void(self, tag: &'static str, class: &str, m: &mut Markup) {
        m.void_with(tag, class, self.class);
        if let Some(color) = self.color {
            m.attr("color", color.css());
        }
    }

    /// A small square of this colour, or a piece of the line of the series at this position.
    pub fn swatch(self, line: Option<usize>, m: &mut Markup) {
        self.open("svg", "swatch", m);
        m.fixed(r#"viewBox="0 0 16 10" aria-hidden="true""#);
        if let Some(position) = line {
            m.open("path", dash_class(position));
            m.attr("d", "M0 5h16");
        } else {
            m.open("rect", "");
            m.fixed(r#"width="16" height="10" rx="3""#);
        }
        m.close();
        m.close();
    }
}

/// What comes after the last colour begins anew with the second, so that the first one, which is the theme's own, stays
/// that of one series.
fn palette(position: usize) -> usize {
    if position < SERIES.len() { position } else { 1 + (position - 1) % (SERIES.len() - 1) }
}

/// The class of the dashes by which lines differ without colour.
pub fn dash_class(position: usize) -> &'static str {
    ["line", "line dash-2", "line dash-3", "line dash-4"][position % 4]
}
