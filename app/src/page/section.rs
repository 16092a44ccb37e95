//! A section: heading, tiles, widgets.

use std::sync::Arc;

use config::{
    Dashboard, View,
    dashboard::{ItemView, SectionView, TileSize, WidgetView},
};
use leptos::prelude::*;

use super::{
    EditMode, MAX_UNFOLDED, UNNAMED_SECTION,
    edit_controls::{AddToSection, edit, menu},
    icon::icon,
    item::item,
    lanes::Lanes,
    section_address,
    tabs::{self, Block},
    views,
    widget_frame::WidgetFrame,
};
use crate::any_view::IntoAny;
use crate::words::{own_direction, t, t_for_script, t_for_script_with};

/// When browsers lay out a section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LayoutTiming {
    /// Before the first paint.
    First,
    /// After it.
    Later,
    /// When it comes near the screen. Until then the browser assumes a height.
    Near,
}

impl LayoutTiming {
    /// The value of `data-later`, for the style sheet: for a section that is laid out when it comes near, how many tiles it
    /// shows, by which its height is guessed.
    fn attribute(self, section: &SectionView) -> Option<String> {
        match self {
            Self::First => None,
            Self::Later => Some(String::new()),
            Self::Near => Some(section.shown_items().min(MAX_UNFOLDED).to_string()),
        }
    }
}

/// The section at `position` of the dashboard's list.
#[component]
pub fn Section(dashboard: Arc<Dashboard>, position: usize, layout: LayoutTiming, edit_mode: EditMode) -> impl IntoView {
    let editing = edit_mode == EditMode::On;
    let section = &dashboard.sections[position];
    let id = format!("s-{}", section.index);
    let name_id = format!("{id}-name");
    let tile_size = section.item_size.unwrap_or(dashboard.look.icon_size);
    let place = |entry: &ItemView| format!("i-{}-{}", section.index, entry.index);
    let items = section.items.iter().map(|entry| item(entry, place(entry), tile_size, dashboard.view)).collect_view();
    let items = (!section.items.is_empty()).then(|| {
        view! {
            <div
                class=items_class(section, tile_size)
                data-grid=section.grid.then_some("")
                data-x=section.item_count_x.map(|count| count.to_string())
                data-y=section.item_count_y.map(|count| count.to_string())
            >
                {items}
            </div>
        }
    });
    // Works without scripts too. Nothing is folded while the page is edited.
    let fold = (section.shown_items() > MAX_UNFOLDED && !editing).then(|| {
        view! {
            <label class="button fold">
                <input type="checkbox" class="visually-hidden"/>
                {t_for_script_with("Show all {count}", &section.shown_items().to_string())}
            </label>
        }
    });
    let widgets = (!section.widgets.is_empty()).then(|| {
        let address = |widget: &WidgetView| {
            let name = widget.address.as_ref().filter(|_| !section.slug.is_empty())?;
            // A widget alone is a page of the home view.
            Some(format!("{}/{name}", views::address(&dashboard, View::Home, Some(&section.slug))))
        };
        let lanes = Lanes::of(&tabs::heights(&section.widgets, editing));
        let frame = |widget: &WidgetView, column: String| {
            view! { <WidgetFrame widget section=section.index address=address(widget) column editing/> }.into_any()
        };
        let block = |(block, column): (Block<'_>, String)| match block {
            Block::Card(widget) => frame(widget, column),
            Block::Tabs(tabs) => tabs::tab_group(section.index, column, tabs, |widget| frame(widget, String::new())),
        };
        let frames = Block::of(&section.widgets, editing).into_iter().zip(lanes.breaks()).map(block).collect_view();
        view! { <div class="widgets widget-list" data-columns=lanes.most().to_string()>{frames}</div> }
    });
    let empty = (section.items.is_empty() && section.widgets.is_empty() && !editing)
        .then(|| view! { <p class="section-empty no-items">{t("No items yet")}</p> });
    let unnamed = is_unnamed(section);
    let name = section_name(&dashboard, position);
    let is_minimal = dashboard.view == View::Minimal;
    let open_alone = (!dashboard.single_section && !is_minimal).then(|| {
        let href = section_address(&dashboard, &section.slug);
        let label = if unnamed {
            t_for_script("Open this section alone")
        } else {
            t_for_script_with("Open section {name} alone", &name)
        };
        view! { <a class="section-open header-action" href=href aria-label=label></a> }
    });
    let adders = editing.then(|| view! { <AddToSection index=section.index name=name.clone()/> });
    let edit_controls = editing.then(|| {
        let what = format!("section-{}", section.index);
        let label = t_for_script_with("Menu of section {name}", &name);
        (menu(what.clone(), label), edit(what, t_for_script_with("Edit section {name}", &name)))
    });
    let labelled_by = name_id.clone();
    let heading = match unnamed {
        true => view! { <h2 id=name_id class="visually-hidden">{name}</h2> }.into_any(),
        false => view! { <h2 id=name_id dir=own_direction()>{name}</h2> }.into_any(),
    };
    let open = dashboard.single_section || is_minimal || !section.collapsed;
    let class = class(section, open);
    let selected = is_minimal && dashboard.selected.unwrap_or(0) == position;

    view! {
        <section
            class=class
            id=id
            aria-labelledby=labelled_by
            data-cols=section.cols.map(|cols| cols.to_string())
            data-rows=section.rows.to_string()
            data-fill=section.cut_to_height.then_some("")
            data-color=section.color.is_some().then_some("")
            data-later=layout.attribute(section)
            data-selected=selected.then_some("")
        >
            <details class="section-body content-inner collapsible-content" open=open data-key=section.key.clone()>
                <summary class="section-heading section-header">
                    {icon(&section.icon)}
                    {heading}
                </summary>
                {items}
                {fold}
                {widgets}
                {empty}
                {adders}
            </details>
            {edit_controls}
            {open_alone}
        </section>
    }
    .into_any()
}

/// The classes of a section. `col-…`, `row-…`, `full-height` and `is-open`, which a script keeps true, are for custom styles only
/// (docs/spec/config.md 12).
fn class(section: &SectionView, open: bool) -> String {
    let mut class = format!("collapsable {}", section.class);
    if let Some(size) = section.item_size {
        class.push_str(" item-size-");
        class.push_str(size.word());
    }
    if let Some(cols) = section.cols {
        class.push_str(&format!(" col-{cols}"));
    }
    if section.rows > 1 {
        class.push_str(&format!(" row-{}", section.rows));
    }
    if section.cut_to_height {
        class.push_str(" full-height");
    }
    if open {
        class.push_str(" is-open");
    }
    class
}

/// The classes around the tiles of a section; all but the first are for custom styles only.
fn items_class(section: &SectionView, size: TileSize) -> String {
    let grid = if section.grid { " item-group-grid" } else { "" };
    format!("items there-are-items inner-size-{}{grid}", size.word())
}

/// The name of the section at a position. Unnamed sections are numbered if there are several.
pub fn section_name(dashboard: &Dashboard, position: usize) -> String {
    let (sections, section) = (&dashboard.sections, &dashboard.sections[position]);
    let before = sections[..position].iter().filter(|section| is_unnamed(section)).count();
    match (is_unnamed(section), before) {
        (false, _) => section.name.clone(),
        (true, 0) => t_for_script(UNNAMED_SECTION),
        (true, before) => format!("{} {}", t(UNNAMED_SECTION), before + 1),
    }
}

fn is_unnamed(section: &SectionView) -> bool {
    section.name.trim().is_empty()
}
