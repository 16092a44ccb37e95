//! The workspace view: a sidebar, and what is opened beside it (docs/spec/behavior.md 9).
//!
//! The links of the sidebar lead into a named frame, so they work without scripts; `frontend/views/src/workspace.rs` makes the
//! frames where there are scripts. Only one section of the sidebar is open at a time, which browsers see to by the name
//! of its element.

use std::sync::Arc;

use config::{
    Dashboard,
    dashboard::{IconView, ItemView, SectionView, TileSize, WidgetView},
};
use leptos::prelude::*;

use super::{
    EditMode,
    facts::facts_bar,
    first_run::empty_config,
    header::Header,
    icon::icon,
    item::{STAGE_FRAME, item},
    lanes::Lanes,
    notices::Notices,
    section::section_name,
    section_address, symbols, usual_height,
    widget_frame::WidgetFrame,
};
use crate::any_view::{AnyView, IntoAny};
use crate::words::t;

/// The content between the skip link and the overlay.
pub fn workspace(dashboard: Arc<Dashboard>, toolbar: AnyView) -> impl IntoView {
    let sections = (0..dashboard.sections.len()).map(|position| section(&dashboard, position)).collect_view();
    let widgets = dashboard.sections.iter().filter(|section| !section.widgets.is_empty());
    let widgets = widgets.map(|section| widgets_of(&dashboard, section)).collect_view();
    #[cfg(feature = "ssr")]
    let links = super::views::Links::of(&dashboard).others();
    #[cfg(not(feature = "ssr"))]
    let links = ();
    let landing = dashboard.landing_url.clone();
    let without_script = view! {
        <noscript>
            <iframe name=STAGE_FRAME title=t("What you have opened") src=landing.clone() allow="fullscreen; clipboard-write"></iframe>
        </noscript>
    };
    view! {
        <div class="top">
            <Header dashboard=dashboard.clone()/>
            {toolbar}
        </div>
        {facts_bar(&dashboard, EditMode::Absent)}
        <Notices dashboard=dashboard.clone()/>
        <div class="workspace">
            <nav
                id="content"
                class="side-bar item-size-small"
                aria-label=t("Items")
                data-status-shapes=dashboard.status_shapes.then_some("")
                tabindex="-1"
            >
                {sections}
                <ul class="side-links">{links}</ul>
            </nav>
            <main id="stage" class="stage" aria-label=t("What you have opened")>
                <div class="stage-bar" id="stage-bar" hidden>
                    <h2></h2>
                    <a class="icon-button" target="_blank" rel="noopener noreferrer" aria-label=t("Open in a new tab")>
                        {symbols::expand()}
                    </a>
                    <button class="icon-button" type="button" aria-label=t("Close")>{symbols::close()}</button>
                </div>
                {empty_config(&dashboard, EditMode::Absent, "")}
                {widgets}
                <p class="stage-hint">{t("Choose something in the bar to open it here.")}</p>
                <div
                    class="frames"
                    id="frames"
                    data-landing=landing
                    data-keep=dashboard.multi_tasking.then_some("")
                ></div>
                {without_script}
            </main>
        </div>
    }
}

fn section(dashboard: &Dashboard, position: usize) -> impl IntoView + use<> {
    let section = &dashboard.sections[position];
    let name = section_name(dashboard, position);
    let id = format!("s-{}", section.index);
    let place = |entry: &ItemView| format!("i-{}-{}", section.index, entry.index);
    let items =
        section.items.iter().map(|entry| item(entry, place(entry), TileSize::Small, dashboard.view)).collect_view();
    let empty = (section.items.is_empty() && section.widgets.is_empty())
        .then(|| view! { <p class="section-empty no-items">{t("No items yet")}</p> });
    let picture = match &section.icon {
        IconView::None => {
            let short: String = name.trim().chars().take(3).collect();
            view! { <span class="side-short" aria-hidden="true">{short}</span> }.into_any()
        }
        picture => icon(picture).into_any(),
    };
    let is_open = dashboard.sections.len() == 1 || holds(section, dashboard.landing_url.as_deref());
    let name_id = format!("{id}-name");
    let tooltip = name.clone();
    view! {
        <section class=section.class.clone() id=id>
            <details name="sections" open=is_open data-key=section.key.clone()>
                <summary title=tooltip>
                    {picture}
                    <h2 id=name_id>{name}</h2>
                    {symbols::chevron()}
                </summary>
                <div class="items">{items}</div>
                {empty}
            </details>
        </section>
    }
}

/// Whether an entry of the section leads to an address.
fn holds(section: &SectionView, address: Option<&str>) -> bool {
    let Some(address) = address else { return false };
    let mut entries = section.items.iter().flat_map(|item| std::iter::once(item).chain(&item.sub_items));
    entries.any(|entry| entry.url.as_deref() == Some(address))
}

/// The widgets of a section, in the main area. The page's own style shows those of the open section.
fn widgets_of(dashboard: &Dashboard, section: &SectionView) -> impl IntoView + use<> {
    let address = |widget: &WidgetView| {
        let name = widget.address.as_ref().filter(|_| !section.slug.is_empty())?;
        Some(format!("{}/{name}", section_address(dashboard, &section.slug)))
    };
    let lanes = Lanes::of(&usual_height::of_cards(&section.widgets));
    let frame = |(widget, column): (_, String)| {
        view! { <WidgetFrame widget editing=false section=section.index address=address(widget) column/> }
    };
    let frames = section.widgets.iter().zip(lanes.breaks()).map(frame).collect_view();
    view! {
        <div class="widgets stage-widgets" id=format!("stage-{}", section.index) data-columns=lanes.most().to_string()>
            {frames}
        </div>
    }
}
