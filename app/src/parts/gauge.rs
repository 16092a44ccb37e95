//! A dial.

use leptos::prelude::*;
use widgets::panel::{self, Tone};

use super::{
    PanelContext,
    color::{DrawingColor, level_tone},
    markup::{classes, maybe_class},
    share::{Dashes, per_mille, share_label, tenths},
    tone::{ToneSymbol, tone_class},
    value::{Value, Words, plain_value},
};

/// The lines of a dial, in the units of its drawing.
struct Shape {
    view_box: &'static str,
    /// The arc that is partly full.
    arc: &'static str,
    /// The outer arc, which shows the steps.
    rim: &'static str,
}

/// Half a circle.
const HALF: Shape = Shape { view_box: "0 0 120 72", arc: "M12 66A48 48 0 0 1 108 66", rim: "M4 66A56 56 0 0 1 116 66" };
/// Three quarters of a circle.
const WIDE: Shape =
    Shape { view_box: "0 0 120 104", arc: "M26.1 93.9A48 48 0 1 1 93.9 93.9", rim: "M20.4 99.6A56 56 0 1 1 99.6 99.6" };

/// A dial.
#[component]
pub fn Gauge<'a>(gauge: &'a panel::Gauge, context: &'a PanelContext) -> impl IntoView {
    let shape = if gauge.wide { WIDE } else { HALF };
    let mille = per_mille(gauge.share);
    let tone = tone_at(gauge);
    let color = DrawingColor::toned(None, level_tone(tone), 0);
    let fill = (mille > 0).then(|| {
        view! { <g {maybe_class(color.class(""))}><Arc class="dial-fill" path=shape.arc from=0 length=mille/></g> }
    });
    view! {
        <div class="part part-gauge">
            <div class="dial">
                <svg
                    viewBox=shape.view_box
                    role="meter"
                    aria-label=share_label(&gauge.label)
                    aria-valuemin="0"
                    aria-valuemax="100"
                    aria-valuenow=tenths(mille)
                    aria-valuetext=plain_value(&gauge.value)
                >
                    <Arc class="dial-track" path=shape.arc from=0 length=1000/>
                    {steps(gauge, shape.rim)}
                    {fill}
                </svg>
                <p class="dial-value"><Value datum=&gauge.value context/></p>
            </div>
            <p class="dial-label">
                <ToneSymbol tone=if tone == Tone::Success { Tone::Plain } else { tone }/>
                <Words phrase=&gauge.label context/>
            </p>
        </div>
    }
}

/// The steps on the rim. Steps without a length are not drawn.
fn steps(gauge: &panel::Gauge, rim: &'static str) -> impl IntoView + use<> {
    let step = |(position, (from, tone)): (usize, &(f64, Tone))| {
        let end = gauge.steps.get(position + 1).map_or(1000, |next| per_mille(next.0));
        let from = per_mille(*from);
        // A small gap between two steps distinguishes them without color.
        let length = (end - from - 8).max(1);
        (end > from).then(|| view! { <Arc class="dial-step" tone=*tone path=rim from length/> })
    };
    gauge.steps.iter().enumerate().filter_map(step).collect_view()
}

/// A piece of an arc, in thousandths.
#[component]
fn Arc(class: &'static str, #[prop(optional)] tone: Tone, path: &'static str, from: i64, length: i64) -> impl IntoView {
    let dashes = if length < 1000 { Dashes::piece(from, length) } else { Dashes::WHOLE };
    view! {
        <path
            class=classes([class, tone_class(tone)])
            d=path
            pathLength="1000"
            stroke-dasharray=dashes.array
            stroke-dashoffset=dashes.offset
        ></path>
    }
}

fn tone_at(gauge: &panel::Gauge) -> Tone {
    gauge.steps.iter().take_while(|(from, _)| *from <= gauge.share).last().map_or(Tone::Plain, |(_, tone)| *tone)
}
