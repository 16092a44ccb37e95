//! Labels and values, one below the other.

use leptos::prelude::*;
use widgets::panel;

use super::{
    PanelContext,
    hint::{Hint, tab_index},
    markup::{classes, maybe_class},
    notice::Empty,
    tone::{ValueSymbol, tone_class},
    value::{Value, Words},
};
use crate::any_view::{AnyView, IntoAny};

/// Labels and values.
#[component]
pub fn Facts<'a>(facts: &'a panel::Facts, context: &'a PanelContext) -> AnyView {
    if facts.facts.is_empty() {
        return view! { <Empty sentence="Nothing to show"/> }.into_any();
    }
    let facts = facts.facts.iter().map(|fact| view! { <Fact fact context/> }).collect_view();
    view! { <dl class="part part-facts">{facts}</dl> }.into_any()
}

#[component]
fn Fact<'a>(fact: &'a panel::Fact, context: &'a PanelContext) -> impl IntoView {
    let hint = fact.hint.as_ref();
    view! {
        <div class="fact">
            <dt><Words phrase=&fact.label context/></dt>
            <dd>
                <span {maybe_class(classes([tone_class(fact.tone)]))} data-hinted=hint.is_some() tabindex=tab_index(hint)>
                    <ValueSymbol tone=fact.tone value=&fact.value/>
                    <Value datum=&fact.value context/>
                    {fact.more.iter().map(|datum| view! { " " <Value datum context/> }).collect_view()}
                    <Hint hint context/>
                </span>
            </dd>
        </div>
    }
}
