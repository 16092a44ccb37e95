//! Lines, areas and bars above an axis.
//!
//! The browser stretches the drawing to the section, so it needs no script and no width. Words and numbers are outside
//! of it in HTML, where they are not stretched and can be translated.

use leptos::prelude::*;
use widgets::panel;

use super::{
    PanelContext,
    chart_legend::ChartLegend,
    chart_path::{ChartDrawing, stacks, y_axis},
    chart_text::{ChartText, chart_title, readings},
    notice::Empty,
    x_axis::{XAxis, XAxisLabels},
    y_axis::YAxisValues,
};
use crate::any_view::{AnyView, IntoAny};

/// The chart, and its alternative for narrow widgets. The style sheet shows one of the two.
#[component]
pub fn Chart<'a>(chart: &'a panel::Chart, context: &'a PanelContext) -> AnyView {
    match &chart.narrow {
        Some(narrow) => view! {
            <ChartFigure chart class="part part-chart roomy" context/>
            <ChartFigure chart=narrow.as_ref() class="part part-chart narrow" context/>
        }
        .into_any(),
        None => view! { <ChartFigure chart class="part part-chart" context/> }.into_any(),
    }
}

#[component]
fn ChartFigure<'a>(chart: &'a panel::Chart, class: &'static str, context: &'a PanelContext) -> AnyView {
    let Some(x_axis) = XAxis::of(chart) else {
        return view! { <Empty sentence="No values yet"/> }.into_any();
    };
    let stacks = stacks(chart, &x_axis);
    let y_axis = y_axis(chart, &stacks);
    view! {
        <figure class=class>
            <YAxisValues axis=&y_axis chart/>
            <div
                class="plot"
                tabindex="0"
                role="img"
                aria-label=chart_title(&chart.title)
                data-readings=readings(chart, &x_axis, &y_axis, context)
            >
                <ChartDrawing chart stacks=&stacks x_axis=&x_axis y_axis=&y_axis/>
            </div>
            <XAxisLabels chart axis=&x_axis context/>
            <ChartLegend chart context/>
            <ChartText chart axis=&x_axis context/>
        </figure>
    }
    .into_any()
}
