//! The bar below the header: widgets as small facts, such as the weather or the load.

use config::{
    Dashboard,
    dashboard::{FactView, WidgetState},
};
use leptos::prelude::*;

use super::{EditMode, edit_controls, widget_frame};
use crate::any_view::{AnyView, IntoAny};
use crate::words::{t, t_for_script_with};

/// The bar, if there is anything for it.
pub(super) fn facts_bar(dashboard: &Dashboard, edit_mode: EditMode) -> Option<AnyView> {
    let fact = |fact: &FactView| view! { <Fact fact editing=edit_mode == EditMode::On/> };
    (!dashboard.facts.is_empty()).then(|| {
        let facts = dashboard.facts.iter().map(fact).collect_view();
        // Keyboards can scroll what overflows on a phone.
        view! { <div class="facts-bar" role="region" aria-label=t("At a glance") tabindex="0">{facts}</div> }.into_any()
    })
}

/// The frame of one widget. Scripts refresh it as they do those in sections.
#[component]
fn Fact<'a>(fact: &'a FactView, editing: bool) -> impl IntoView + use<> {
    let FactView { section, widget } = fact;
    let mut class = format!("fact-frame widget-{}", widget.kind);
    for more in &widget.classes {
        class.push(' ');
        class.push_str(more);
    }
    let name = widget_frame::widget_name(widget).into_owned();
    let edit = editing.then(|| {
        let what = format!("widget-{section}-{}", widget.index);
        let menu = edit_controls::menu(what.clone(), t_for_script_with("Menu of widget {name}", &name));
        let edit = edit_controls::edit(what, t_for_script_with("Edit widget {name}", &name));
        view! { <span class="widget-tools">{menu}{edit}</span> }
    });
    view! {
        <article
            class=class
            id=widget.id.clone()
            aria-label=name
            data-widget=format!("{section}-{}", widget.index)
            data-kind=widget.kind.clone()
            data-place=widget.place.word()
            data-refresh=widget.refresh.map(|seconds| seconds.to_string())
            data-quiet=widget.ignore_errors
            data-broken=(widget.place == WidgetState::Broken).then_some("")
        >
            <div class="fact-content" inner_html=widget_frame::content(widget, *section)></div>
            {edit}
        </article>
    }
}
