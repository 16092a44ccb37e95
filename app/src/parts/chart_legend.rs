//! The legend of a chart.

use leptos::prelude::*;
use widgets::panel::{self, ChartShape, Series};

use super::{
    PanelContext,
    color::Swatch,
    series::{palette_position, series_color},
    value::Words,
};

/// The legend, if there is more than one series. A click removes a series from the drawing, or puts it back.
#[component]
pub fn ChartLegend<'a>(chart: &'a panel::Chart, context: &'a PanelContext) -> impl IntoView {
    let button = |(position, series): (usize, &'a Series)| {
        view! {
            <li>
                <button type="button" aria-pressed="true" data-series>
                    <SeriesSwatch chart position/>
                    <span class="legend-label"><Words phrase=&series.name context/></span>
                </button>
            </li>
        }
    };
    (chart.series.len() > 1)
        .then(|| view! { <ul class="legend">{chart.series.iter().enumerate().map(button).collect_view()}</ul> })
}

/// The sign of a series.
#[component]
pub fn SeriesSwatch<'a>(chart: &'a panel::Chart, position: usize) -> impl IntoView {
    let series = &chart.series[position];
    let line = (chart.shape == ChartShape::Line).then_some(palette_position(series, position));
    view! { <Swatch color=series_color(series, position) line/> }
}
