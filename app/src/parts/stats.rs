//! A few numbers with labels, side by side.

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

/// A few numbers with labels.
#[component]
pub fn Stats<'a>(stats: &'a panel::Stats, context: &'a PanelContext) -> AnyView {
    if stats.stats.is_empty() {
        return view! { <Empty sentence="Nothing to show"/> }.into_any();
    }
    let stats = stats.stats.iter().map(|stat| view! { <Stat stat context/> }).collect_view();
    view! { <dl class="part part-stats">{stats}</dl> }.into_any()
}

#[component]
fn Stat<'a>(stat: &'a panel::Stat, context: &'a PanelContext) -> impl IntoView {
    let hint = stat.hint.as_ref();
    view! {
        <div class="stat" data-hinted=hint.is_some() tabindex=tab_index(hint)>
            <dt><Words phrase=&stat.label context/></dt>
            <dd {maybe_class(classes([tone_class(stat.tone)]))}>
                <ValueSymbol tone=stat.tone value=&stat.value/>
                <Value datum=&stat.value context/>
                <Hint hint context/>
            </dd>
            {stat.more.as_ref().map(|more| view! {
                <dd class=classes(["second", tone_class(more.tone)])>
                    <ValueSymbol tone=more.tone value=&more.value/>
                    <Value datum=&more.value context/>
                </dd>
            })}
        </div>
    }
}
