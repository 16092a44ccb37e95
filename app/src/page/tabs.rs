//! Groups of widgets as tabs. All panels lie in one cell of a grid, so the page does not move when another one is chosen, and
//! a script hides all but one (`app/src/browser/tabs.rs`). Without it, each tab is a link to its panel.

use config::dashboard::WidgetView;
use leptos::prelude::*;

use super::usual_height;
use crate::any_view::{AnyView, IntoAny};

/// About how high the row of tabs is, in pixels.
const TAB_ROW: usize = 48;

/// What stands in a section, in order.
pub(super) enum Block<'a> {
    /// A widget on its own.
    Card(&'a WidgetView),
    /// A group of tabs, each with its name and its widgets.
    Tabs(Vec<(&'a str, Vec<&'a WidgetView>)>),
}

impl<'a> Block<'a> {
    /// The blocks of a section. The group stands where its first widget does. While the page is edited there are no tabs, so that
    /// every widget can be seen and moved.
    pub(super) fn of(widgets: &'a [WidgetView], editing: bool) -> Vec<Self> {
        let mut tabs: Vec<(&str, Vec<&WidgetView>)> = Vec::new();
        let mut at = 0;
        let mut blocks = Vec::new();
        for widget in widgets {
            let Some(name) = widget.tab.as_deref().filter(|_| !editing) else {
                blocks.push(Block::Card(widget));
                continue;
            };
            if tabs.is_empty() {
                at = blocks.len();
            }
            match tabs.iter_mut().find(|(known, _)| *known == name) {
                Some((_, same)) => same.push(widget),
                None => tabs.push((name, vec![widget])),
            }
        }
        if !tabs.is_empty() {
            blocks.insert(at, Block::Tabs(tabs));
        }
        blocks
    }

    /// About how high it is, with the space below it, in pixels.
    pub(super) fn height(&self) -> usize {
        match self {
            Self::Card(widget) => usual_height::of_card(widget),
            Self::Tabs(tabs) => {
                let height = |(_, widgets): &(_, Vec<&WidgetView>)| {
                    widgets.iter().map(|widget| usual_height::of_card(widget)).sum()
                };
                TAB_ROW + tabs.iter().map(height).max().unwrap_or(0)
            }
        }
    }
}

/// About how high the blocks of a section are, in order.
pub(super) fn heights(widgets: &[WidgetView], editing: bool) -> Vec<usize> {
    Block::of(widgets, editing).iter().map(Block::height).collect()
}

/// A group of tabs in the section at this position. `frame` draws a widget.
pub(super) fn tab_group(
    section: usize,
    column: String,
    tabs: Vec<(&str, Vec<&WidgetView>)>,
    frame: impl Fn(&WidgetView) -> AnyView,
) -> AnyView {
    let tab_id = |number: usize| format!("s-{section}-tab-{number}");
    let panel_id = |number: usize| format!("s-{section}-panel-{number}");
    let links = tabs.iter().enumerate().map(|(number, (name, _))| {
        view! {
            <a
                id=tab_id(number)
                role="tab"
                href=format!("#{}", panel_id(number))
                aria-controls=panel_id(number)
                aria-selected=if number == 0 { "true" } else { "false" }
                dir="auto"
            >
                {name.to_string()}
            </a>
        }
    });
    let links = links.collect_view();
    let panels = tabs.iter().enumerate().map(|(number, (_, widgets))| {
        let frames = widgets.iter().map(|widget| frame(widget)).collect_view();
        view! {
            <div
                class="tab-panel"
                id=panel_id(number)
                role="tabpanel"
                aria-labelledby=tab_id(number)
                data-selected=(number == 0).then_some("")
                tabindex="0"
            >
                {frames}
            </div>
        }
    });
    let panels = panels.collect_view();
    view! {
        <div class="widget-tabs" data-break=(!column.is_empty()).then_some(column)>
            <div class="tab-list" role="tablist">{links}</div>
            <div class="tab-panels">{panels}</div>
        </div>
    }
    .into_any()
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    fn widget(kind: &str, tab: Option<&str>) -> WidgetView {
        WidgetView { kind: kind.to_owned(), tab: tab.map(str::to_owned), ..WidgetView::default() }
    }

    #[test]
    fn the_group_stands_where_its_first_widget_does_and_is_as_high_as_its_highest_tab() {
        let widgets = [
            widget("clock", None),
            widget("calendar", Some("Home")),
            widget("joke", None),
            widget("joke", Some("Fun")),
            widget("clock", Some("Home")),
        ];
        let blocks = Block::of(&widgets, false);
        let [Block::Card(_), Block::Tabs(tabs), Block::Card(joke)] = blocks.as_slice() else { panic!() };
        assert_eq!(joke.kind, "joke");
        let names: Vec<_> = tabs.iter().map(|(name, widgets)| (*name, widgets.len())).collect();
        assert_eq!(names, [("Home", 2), ("Fun", 1)]);
        let card = usual_height::of_card;
        assert_eq!(blocks[1].height(), TAB_ROW + card(&widgets[1]) + card(&widgets[4]));
        // Every widget can be moved while the page is edited.
        assert_eq!(Block::of(&widgets, true).len(), 5);
    }
}
