//! The parts of a widget's panel, as Leptos components (docs/spec/widgets.md 8 to 10).
//!
//! The server renders a panel once for each language and keeps its markup; the browser can render one from its data with
//! [`mount`]. No value in a panel depends on a clock, a language or a zone: such values are filled in by [`live`], while our
//! own words are in the language of the page ([`phrase`]). [`live`] also handles clicks, keys and the pointer, for all panels
//! of the page together. Everything it needs is in the markup, so nothing here is hydrated. A refresh changes only what is
//! different: whatever somebody has opened, sorted, typed or focused stays as it is.
//!
//! Nothing has a `style` attribute. Colors are classes or presentation attributes of SVG.

mod action;
mod cell;
mod change;
mod chart;
mod chart_legend;
mod chart_path;
mod chart_text;
mod clock;
mod color;
mod columns;
mod context;
mod copy;
mod details;
mod donut;
mod entries;
mod facts;
mod fold;
mod forecast;
mod frame;
mod gauge;
#[cfg(feature = "ssr")]
mod header_fact;
mod heading;
mod headline;
mod heat_map;
mod hint;
mod image;
#[cfg(feature = "hydrate")]
pub(crate) mod live;
pub(crate) mod markup;
mod meter;
mod month;
mod notice;
pub(crate) mod number;
mod paragraph;
mod path;
pub(crate) mod phrase;
mod qr_code;
mod rates;
mod scale;
mod search_box;
mod series;
mod share;
mod share_bar;
mod short_number;
mod space;
mod sparkline;
mod stats;
pub(crate) mod symbols;
mod table;
#[cfg(all(test, feature = "ssr"))]
mod tests;
#[cfg(feature = "ssr")]
mod tile_figures;
pub(crate) mod time;
mod timeline;
mod tone;
mod value;
mod weather;
mod weather_day;
mod x_axis;
mod y_axis;

use leptos::prelude::*;
use widgets::panel::Part;

pub use self::context::PanelContext;
use self::{
    action::Action,
    chart::Chart,
    clock::Clock,
    columns::Columns,
    details::Details,
    donut::Donut,
    entries::Entries,
    facts::Facts,
    forecast::Forecast,
    frame::Frame,
    gauge::Gauge,
    heading::{Credit, Heading},
    headline::Headline,
    heat_map::HeatMap,
    image::Image,
    meter::Meter,
    month::Month,
    notice::{Empty, Notice},
    paragraph::{Paragraph, RichText},
    qr_code::QrCode,
    rates::Rates,
    search_box::SearchBox,
    space::Space,
    sparkline::Sparkline,
    stats::Stats,
    table::Table,
    timeline::Timeline,
    weather::Weather,
};
#[cfg(feature = "ssr")]
pub use self::{header_fact::header_fact, tile_figures::tile_figures};
use crate::any_view::{AnyView, IntoAny};

/// The inner markup of a panel's element.
#[cfg(feature = "ssr")]
#[must_use]
pub fn html(panel: &widgets::Panel, context: &PanelContext) -> String {
    markup::markup(view! { <Panel panel context/> })
}

/// Renders a panel from its data into an element, replacing its contents.
#[cfg(feature = "hydrate")]
pub fn mount(panel: &widgets::Panel, context: &PanelContext, element: &web_sys::Element) {
    element.set_inner_html("");
    view! { <Panel panel context/> }.build().mount(element, None);
}

/// The contents of a panel's element.
#[component]
pub fn Panel<'a>(
    /// The data.
    panel: &'a widgets::Panel,
    /// The surroundings of the panel.
    context: &'a PanelContext,
) -> impl IntoView {
    view! {
        {panel.title.as_ref().map(|heading| view! { <Heading heading context/> })}
        {panel.parts.is_empty().then(|| view! { <Empty sentence="Nothing to show"/> })}
        {parts(&panel.parts, context)}
        {panel.credit.as_ref().map(|link| view! { <Credit link context/> })}
    }
}

/// Parts, one below the other.
fn parts(parts: &[Part], context: &PanelContext) -> AnyView {
    parts.iter().map(|part| self::part(part, context)).collect_view().into_any()
}

fn part(part: &Part, context: &PanelContext) -> AnyView {
    match part {
        Part::Heading(heading) => view! { <Heading heading context/> }.into_any(),
        Part::Paragraph(paragraph) => view! { <Paragraph paragraph context/> }.into_any(),
        Part::RichText(text) => view! { <RichText text/> }.into_any(),
        Part::Headline(headline) => view! { <Headline headline context/> }.into_any(),
        Part::Stats(stats) => view! { <Stats stats context/> }.into_any(),
        Part::Facts(facts) => view! { <Facts facts context/> }.into_any(),
        Part::Entries(entries) => view! { <Entries entries context/> }.into_any(),
        Part::Table(table) => view! { <Table table context/> }.into_any(),
        Part::Rates(rates) => view! { <Rates rates/> }.into_any(),
        Part::Meter(meter) => view! { <Meter meter context/> }.into_any(),
        Part::Gauge(gauge) => view! { <Gauge gauge context/> }.into_any(),
        Part::Chart(chart) => view! { <Chart chart context/> }.into_any(),
        Part::Donut(donut) => view! { <Donut donut context/> }.into_any(),
        Part::Sparkline(sparkline) => view! { <Sparkline sparkline/> }.into_any(),
        Part::Timeline(timeline) => view! { <Timeline timeline context/> }.into_any(),
        Part::HeatMap(map) => view! { <HeatMap map context/> }.into_any(),
        Part::QrCode(code) => view! { <QrCode code/> }.into_any(),
        Part::Image(image) => view! { <Image image context/> }.into_any(),
        Part::Weather(summary) => view! { <Weather summary context/> }.into_any(),
        Part::Forecast(forecast) => view! { <Forecast forecast details=parts context/> }.into_any(),
        Part::Month(month) => view! { <Month month context/> }.into_any(),
        Part::Clock(clock) => view! { <Clock clock/> }.into_any(),
        Part::Search(search) => view! { <SearchBox search context/> }.into_any(),
        Part::Frame(frame) => view! { <Frame frame context/> }.into_any(),
        Part::Action(button) => view! { <Action button context/> }.into_any(),
        Part::Notice(notice) => view! { <Notice notice context/> }.into_any(),
        Part::Details(details) => view! { <Details details parts=parts(&details.parts, context) context/> }.into_any(),
        Part::Columns(columns) => {
            let columns = columns.columns.iter().map(|column| parts(column, context)).collect();
            view! { <Columns columns/> }.into_any()
        }
        Part::Space(space) => view! { <Space space context/> }.into_any(),
    }
}
