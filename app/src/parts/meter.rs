//! A bar that is partly full.

use leptos::{either::Either, prelude::*};
use widgets::panel::{self, Tone};

use super::{
    PanelContext,
    color::{DrawingColor, level_tone},
    hint::{Hint, tab_index},
    markup::classes,
    share::{per_mille, percent, share_label, tenths},
    tone::{ToneSymbol, tone_class},
    value::{Value, Words},
};

/// The bar, with its text.
#[component]
pub fn Meter<'a>(meter: &'a panel::Meter, context: &'a PanelContext) -> impl IntoView {
    let value = tenths(per_mille(meter.share));
    let width = [&value, "%"].concat();
    // A good value need not be marked, only others.
    let tone = if meter.tone == Tone::Success { Tone::Plain } else { meter.tone };
    let share = percent(meter.share.max(0.0));
    let words = match &meter.text {
        Some(phrase) => Either::Left(view! { <Words phrase context/> }),
        None => Either::Right(view! { <Value datum=&share context/> }),
    };
    let hint = meter.hint.as_ref();
    let (full, rest) = meter.pieces.unwrap_or((level_tone(meter.tone), Tone::Plain));
    let color = DrawingColor::toned(meter.color.as_ref(), full, 0);
    let rest = (rest != Tone::Plain).then(|| {
        view! { <rect class=classes(["fill", tone_class(rest)]) width="100%" height="100%"></rect> }
    });
    view! {
        <div class="part part-meter">
            <p class="meter-words">
                <span class="meter-label" data-hinted=hint.is_some() tabindex=tab_index(hint)>
                    <Words phrase=&meter.label context/>
                    <Hint hint context/>
                </span>
                <span class=classes(["meter-value", tone_class(tone)])>
                    <ToneSymbol tone/>
                    {words}
                </span>
            </p>
            <svg
                class=color.class("bar")
                color=color.css()
                role="meter"
                aria-label=share_label(&meter.label)
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=value
            >
                {rest}
                <rect class="fill" width=width height="100%"></rect>
            </svg>
        </div>
    }
}
