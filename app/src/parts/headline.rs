//! One large value.

use leptos::prelude::*;
use widgets::panel;

use super::{
    PanelContext,
    copy::CopyButton,
    markup::classes,
    number::is_negative,
    symbols::{self, Symbol},
    tone::{ValueSymbol, tone_class},
    value::{Value, Words},
};

/// One large value.
#[component]
pub fn Headline<'a>(headline: &'a panel::Headline, context: &'a PanelContext) -> impl IntoView {
    let can_copy = headline.copyable && !headline.value.is_missing();
    view! {
        <div class="part part-headline">
            <p class=classes(["headline-value", tone_class(headline.tone)])>
                <ValueSymbol tone=headline.tone value=&headline.value/>
                <span class="value"><Value datum=&headline.value context/></span>
            </p>
            {can_copy.then(|| view! { <CopyButton/> })}
            {headline.change.as_ref().map(|change| view! { <HeadlineChange change context/> })}
            {headline.caption.as_ref().map(|phrase| view! { <p class="caption"><Words phrase context/></p> })}
        </div>
    }
}

#[component]
fn HeadlineChange<'a>(change: &'a panel::Datum, context: &'a PanelContext) -> impl IntoView {
    let (class, shape) = match is_negative(change) {
        Some(true) => ("change tone-danger", Some(symbols::DOWN)),
        Some(false) => ("change tone-success", Some(symbols::UP)),
        None => ("change", None),
    };
    view! {
        <p class=class>
            {shape.map(|shape| view! { <Symbol shape/> })}
            <Value datum=change context/>
        </p>
    }
}
