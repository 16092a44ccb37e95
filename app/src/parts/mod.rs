//! The parts of a widget's panel, as markup (docs/spec/widgets.md 8 to 10).
//!
//! A panel is written as one string, by the server. Nothing in it depends on a clock, a language or a zone. What does is
//! written in by [`live`], which also answers clicks, keys and the pointer, for all panels of the page together: all that
//! it needs stands in the markup. A refresh changes only what is different, so what somebody has opened, sorted, typed or
//! focused stays as it is.
//!
//! Nothing carries a `style` attribute. Colours are classes or presentation attributes of SVG.

#[cfg(feature = "ssr")]
mod axis;
#[cfg(feature = "ssr")]
mod chart;
mod clock;
#[cfg_attr(not(feature = "ssr"), allow(dead_code, reason = "only the server draws panels"))]
pub(crate) mod datum;
#[cfg(feature = "ssr")]
mod donut;
#[cfg(feature = "ssr")]
mod entries;
#[cfg(feature = "ssr")]
mod figures;
#[cfg(feature = "ssr")]
mod folding;
#[cfg(feature = "ssr")]
mod forecast;
#[cfg(feature = "ssr")]
mod ink;
#[cfg(feature = "ssr")]
mod layout;
#[cfg(feature = "hydrate")]
pub(crate) mod live;
#[cfg_attr(not(feature = "ssr"), allow(dead_code, reason = "only the server draws panels"))]
pub(crate) mod markup;
#[cfg(feature = "ssr")]
mod meter;
#[cfg_attr(not(feature = "ssr"), allow(dead_code, reason = "only the server draws panels"))]
mod number;
#[cfg_attr(not(feature = "ssr"), allow(dead_code, reason = "only the server draws panels"))]
pub(crate) mod phrase;
#[cfg(feature = "ssr")]
mod picture;
#[cfg(feature = "ssr")]
mod places;
mod rates;
#[cfg(feature = "ssr")]
mod reading;
#[cfg(feature = "ssr")]
mod search_box;
#[cfg(feature = "ssr")]
mod sparkline;
mod strokes;
#[cfg_attr(not(feature = "ssr"), allow(dead_code, reason = "only the server draws panels"))]
pub(crate) mod symbols;
#[cfg(feature = "ssr")]
mod table;
#[cfg(test)]
mod tests;
#[cfg(feature = "ssr")]
mod text;
#[cfg(feature = "ssr")]
mod timeline;
#[cfg(feature = "ssr")]
mod weather;

#[cfg(feature = "ssr")]
use widgets::{
    Panel,
    panel::{Part, Tone},
};

#[cfg(feature = "ssr")]
use self::markup::Markup;

/// Where a panel stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The path that stands before the addresses of this server, without a slash at its end.
    pub base: String,
    /// The label of the widget: what a picture shows that says nothing about itself.
    pub label: String,
}

/// What stands inside the element of a panel.
#[cfg(feature = "ssr")]
#[must_use]
pub fn html(panel: &Panel, surroundings: &Surroundings) -> String {
    let mut m = Markup::new(surroundings);
    if let Some(title) = &panel.title {
        text::heading(title, &mut m);
    }
    if panel.parts.is_empty() {
        text::empty("Nothing to show", &mut m);
    }
    write_parts(&panel.parts, &mut m);
    if let Some(credit) = &panel.credit {
        text::credit(credit, &mut m);
    }
    m.finish()
}

/// Writes parts, one below the other.
#[cfg(feature = "ssr")]
fn write_parts(parts: &[Part], m: &mut Markup) {
    for part in parts {
        match part {
            Part::Heading(part) => text::heading(part, m),
            Part::Paragraph(part) => text::paragraph(part, m),
            Part::RichText(part) => text::rich_text(part, m),
            Part::Headline(part) => figures::headline(part, m),
            Part::Stats(part) => figures::stats(part, m),
            Part::Facts(part) => figures::facts(part, m),
            Part::Entries(part) => entries::entries(part, m),
            Part::Table(part) => table::table(part, m),
            Part::Rates(part) => rates::rates(part, m),
            Part::Meter(part) => meter::meter(part, m),
            Part::Gauge(part) => meter::gauge(part, m),
            Part::Chart(part) => chart::chart(part, m),
            Part::Donut(part) => donut::donut(part, m),
            Part::Sparkline(part) => sparkline::sparkline(part, m),
            Part::Timeline(part) => timeline::timeline(part, m),
            Part::Image(part) => picture::image(part, m),
            Part::Weather(part) => weather::weather(part, m),
            Part::Forecast(part) => forecast::forecast(part, m),
            Part::Clock(part) => clock::clock(part, m),
            Part::Search(part) => search_box::search_box(part, m),
            Part::Frame(part) => picture::frame(part, m),
            Part::Action(part) => text::action(part, m),
            Part::Notice(part) => text::notice(part, m),
            Part::Details(part) => layout::details(part, m),
            Part::Columns(part) => layout::columns(part, m),
        }
    }
}

/// The class of a tone.
#[cfg(feature = "ssr")]
fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Success => "tone-success",
        Tone::Warning => "tone-warning",
        Tone::Danger => "tone-danger",
        Tone::Info => "tone-info",
        Tone::Neutral => "tone-neutral",
    }
}
