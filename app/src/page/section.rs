//! A section: heading, tiles, widgets.

use std::sync::Arc;

use config::Dashboard;
use config::dashboard::WidgetView;
use leptos::prelude::*;

use super::{icon::icon, item::item, section_address, symbols};

/// The section at `position` of the dashboard's list.
#[component]
pub fn Section(dashboard: Arc<Dashboard>, position: usize) -> impl IntoView {
    let section = &dashboard.sections[position];
    let id = format!("s-{}", section.index);
    let name_id = format!("{id}-name");
    let size = section.item_size.map(|size| format!(" item-size-{}", size.word())).unwrap_or_default();
    let class = format!("collapsable {}{size}", section.class);
    let items =
        section.items.iter().map(|entry| item(entry, format!("i-{}-{}", section.index, entry.index))).collect_view();
    let items = (!section.items.is_empty()).then(|| {
        view! {
            <div
                class="items"
                data-grid=section.grid.then_some("")
                data-x=section.item_count_x.map(|count| count.to_string())
                data-y=section.item_count_y.map(|count| count.to_string())
            >
                {items}
            </div>
        }
    });
    let widgets = (!section.widgets.is_empty()).then(|| {
        let widgets = section.widgets.iter().map(widget).collect_view();
        view! { <div class="widgets">{widgets}</div> }
    });
    let empty = (section.items.is_empty() && section.widgets.is_empty())
        .then(|| view! { <p class="section-empty">"No items yet"</p> });
    let open_alone = (!dashboard.single_section).then(|| {
        let href = section_address(&dashboard, &section.slug);
        let label = format!("Open section {} alone", section.name);
        view! { <a class="section-open" href=href aria-label=label>{symbols::expand()}</a> }
    });
    let labelled_by = name_id.clone();
    let open = dashboard.single_section || !section.collapsed;

    view! {
        <section
            class=class
            id=id
            aria-labelledby=labelled_by
            data-cols=section.cols.to_string()
            data-rows=section.rows.to_string()
            data-fill=section.cut_to_height.then_some("")
        >
            <details class="section-body" open=open data-key=section.key.clone()>
                <summary class="section-heading">
                    {symbols::chevron()}
                    {icon(&section.icon)}
                    <h2 id=name_id>{section.name.clone()}</h2>
                </summary>
                {items}
                {widgets}
                {empty}
            </details>
            {open_alone}
        </section>
    }
    .into_any()
}

fn widget(widget: &WidgetView) -> impl IntoView + use<> {
    let label = widget.label.clone().map(|text| view! { <h3 class="widget-label">{text}</h3> });
    view! {
        <article class=format!("widget-base widget-{}", widget.kind)>
            {label}
            <div class="widget-body">
                <p class="widget-notice">"This version does not show widgets of type " <code>{widget.kind.clone()}</code> " yet."</p>
            </div>
        </article>
    }
}
