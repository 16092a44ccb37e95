//! The minimal view: title, search, and one section at a time (docs/spec/behavior.md 8).
//!
//! All sections are in the page, so that the search finds everything and tabs open at once. An attribute says which one
//! is visible; `frontend/views/src/minimal.rs` moves it. Without scripts, each tab is a link to the view of its section.

use std::sync::Arc;

use config::Dashboard;
use leptos::prelude::*;

use super::{
    container_class,
    edit_controls::EditMode,
    facts::facts_bar,
    first_run::empty_config,
    header::navigation,
    icon::icon,
    notices::Notices,
    section::{LayoutTiming, Section, section_name},
    section_address, symbols,
};
use crate::any_view::{AnyView, IntoAny};
use crate::words::t;

/// If there are more tabs, only their icons are shown.
const MAX_NAMES: usize = 8;

/// The content between the skip link and the overlay.
pub fn minimal(dashboard: Arc<Dashboard>, toolbar: AnyView) -> impl IntoView {
    let heading = if dashboard.hide.heading { "visually-hidden" } else { "minimal-title" };
    let sections = (0..dashboard.sections.len())
        .map(
            |position| view! { <Section dashboard=dashboard.clone() position layout=LayoutTiming::First edit_mode=EditMode::Absent/> },
        )
        .collect_view();
    view! {
        <div class="top minimal-top" role="banner">
            {navigation(&dashboard, true)}
            <h1 class=heading>{dashboard.title.clone()}</h1>
            {toolbar}
        </div>
        {facts_bar(&dashboard, EditMode::Absent)}
        <Notices dashboard=dashboard.clone()/>
        {(dashboard.sections.len() > 1).then(|| tabs(&dashboard))}
        <main
            id="content"
            class=container_class(&dashboard)
            data-status-shapes=dashboard.status_shapes.then_some("")
            tabindex="-1"
        >
            {sections}
            {empty_config(&dashboard, EditMode::Absent, "")}
        </main>
    }
}

/// One link for each section. The arrow buttons need a script, which shows them if the strip is too long.
fn tabs(dashboard: &Dashboard) -> impl IntoView + use<> {
    let only_icons = dashboard.sections.len() > MAX_NAMES;
    let selected = dashboard.selected.unwrap_or(0);
    let tab = |position: usize| {
        let section = &dashboard.sections[position];
        let name = section_name(dashboard, position);
        let picture = icon(&section.icon);
        let text = match (only_icons, &picture) {
            (false, _) => view! { <span>{name.clone()}</span> }.into_any(),
            (true, Some(_)) => view! { <span class="visually-hidden">{name.clone()}</span> }.into_any(),
            (true, None) => {
                let short: String = name.trim().chars().take(2).collect();
                view! { <span aria-hidden="true">{short}</span><span class="visually-hidden">{name.clone()}</span> }
                    .into_any()
            }
        };
        view! {
            <li>
                <a
                    href=section_address(dashboard, &section.slug)
                    data-section=format!("s-{}", section.index)
                    data-key=section.key.clone()
                    title=only_icons.then_some(name)
                    aria-current=(position == selected).then_some("true")
                >
                    {picture}
                    {text}
                </a>
            </li>
        }
    };
    let tabs = (0..dashboard.sections.len()).map(tab).collect_view();
    let arrow = |label: &'static str, forward: &'static str| {
        view! {
            <button class="icon-button" type="button" aria-label=label data-scroll=forward hidden>
                {symbols::chevron()}
            </button>
        }
    };
    view! {
        <nav class="section-tabs" aria-label=t("Sections") data-chosen=dashboard.selected.map(|_| "")>
            {arrow(t("Earlier sections"), "-1")}
            <ul>{tabs}</ul>
            {arrow(t("Later sections"), "1")}
        </nav>
    }
}
