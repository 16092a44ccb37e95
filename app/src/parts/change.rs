//! A change of a number.

use leptos::{either::Either, prelude::*};
use widgets::panel::Datum;

use super::{
    PanelContext,
    number::{FormattedNumber, is_negative},
    phrase::ours,
    scale::Scale,
    symbols::{self, Symbol},
    value::Value,
};

/// A change: an arrow instead of its sign.
#[component]
pub fn Change<'a>(datum: &'a Datum, context: &'a PanelContext) -> impl IntoView {
    let Datum::Number { value, unit, decimals, .. } = datum else {
        return Either::Left(view! { <Value datum context/> });
    };
    let direction =
        is_negative(datum).map(|fell| if fell { (symbols::DOWN, "fallen by") } else { (symbols::UP, "risen by") });
    let scale = Scale::of(*value, unit);
    let text = scale.neutral(value.abs(), *decimals, false);
    let written =
        FormattedNumber { signed: "never", text, ..FormattedNumber::on_scale(*value, &scale, *decimals, false) };
    Either::Right(view! {
        {direction.map(|(shape, words)| view! {
            <Symbol shape/>
            <span class="visually-hidden">{[ours(words), " "].concat()}</span>
        })}
        {written.view()}
    })
}
