//! The items of a section: which a viewer gets, in which order, with which icon, and how they open.

use std::cmp::Ordering;

use super::Builder;
use crate::{
    dashboard::{FiguresView, IconView, ItemView, OpeningMethod, View},
    icon::{Icon, IconEntry, letter},
    model::{
        Item, Section,
        display_data::SortBy,
        item::{LOCAL_TIMEOUT, SubItem},
    },
    natural_order,
    slug::item_id,
};

impl Builder<'_> {
    pub(super) fn items(&self, section: &Section) -> Vec<ItemView> {
        let mut visible: Vec<_> = section
            .items
            .iter()
            .filter(|item| {
                self.viewer.sees(&item.display.visibility)
                    && !(item.display.hide_from_workspace && self.request.view == View::Workspace)
            })
            .collect();
        match section.display.sort_by {
            SortBy::Alphabetical => visible.sort_by(|a, b| natural_order::compare(&a.title, &b.title)),
            SortBy::ReverseAlphabetical => visible.sort_by(|a, b| natural_order::compare(&b.title, &a.title)),
            SortBy::Provider => visible.sort_by(by_provider(natural_order::compare)),
            SortBy::ReverseProvider => visible.sort_by(by_provider(|a, b| natural_order::compare(b, a))),
            SortBy::ItemId | SortBy::ReverseItemId => {
                let id = |item: &Item| match &item.written_id {
                    Some(id) => id.to_string(),
                    None => item_id(item.index, &section.name, &item.title),
                };
                visible.sort_by(|a, b| natural_order::compare(&id(a), &id(b)));
                if section.display.sort_by == SortBy::ReverseItemId {
                    visible.reverse();
                }
            }
            SortBy::Default | SortBy::MostUsed | SortBy::LastUsed | SortBy::Random => {}
        }
        visible
            .into_iter()
            .map(|item| ItemView { id: item_id(item.index, &section.name, &item.title), ..self.item(item) })
            .collect()
    }

    fn item(&self, item: &Item) -> ItemView {
        let is_group = !item.sub_items.is_empty();
        let url = item.url.clone().filter(|_| !is_group);
        let written = item.icon.as_ref().or(self.config.app.default_icon.as_ref()).filter(|_| !is_group);
        let color = item.color.as_deref();
        let checks = self.config.checks(item).count();
        let allow_insecure = item.status.as_deref().is_some_and(|status| status.allow_insecure);
        let icon = self.icon(written, &IconEntry { title: &item.title, url: url.as_deref(), color, allow_insecure });
        let has_local = item.local_url.is_some() && !is_group;
        ItemView {
            index: item.index,
            id: String::new(),
            title: item.title.clone(),
            description: item.description.clone(),
            provider: item.provider.clone(),
            tags: item.tags.clone(),
            icon_problem: self.icon_problem(written, &icon),
            icon,
            brand: self.brand(written),
            url,
            local_url: item.local_url.clone().filter(|_| !is_group),
            local_timeout: Some(item.local_url_timeout).filter(|time| has_local && *time != LOCAL_TIMEOUT),
            local_interval: Some(item.local_url_check_interval).filter(|time| has_local && *time > 0),
            target: self.opening(item.target),
            rel: own_rel(item.rel.as_ref()),
            hotkey: item.hotkey,
            color: item.color.clone(),
            background: item.background_color.clone(),
            has_status: checks > 0,
            has_second_status: checks > 1,
            figures: (0..if is_group { 0 } else { item.figure_groups })
                .map(|index| FiguresView { index, ..FiguresView::default() })
                .collect(),
            found_in: item.found.as_ref().map(|found| found.source.clone()),
            is_removed: item.found.as_ref().is_some_and(|found| found.is_removed),
            off_home: item.display.hide_from_homepage && self.leaves_out_of_home(),
            sub_items: item.sub_items.iter().map(|item| self.sub_item(item)).collect(),
        }
    }

    fn sub_item(&self, item: &SubItem) -> ItemView {
        let written = item.icon.as_ref().or(self.config.app.default_icon.as_ref());
        let (url, color) = (item.url.as_deref(), item.color.as_deref());
        let icon = self.icon(written, &IconEntry { title: &item.title, url, color, allow_insecure: false });
        ItemView {
            index: item.index,
            title: item.title.clone(),
            description: item.description.clone(),
            icon_problem: self.icon_problem(written, &icon),
            icon,
            brand: self.brand(written),
            url: item.url.clone(),
            local_url: item.local_url.clone(),
            target: self.opening(item.target),
            rel: own_rel(item.rel.as_ref()),
            color: item.color.clone(),
            background: item.background_color.clone(),
            ..ItemView::default()
        }
    }

    /// Whether this view leaves out items with `hideFromHomepage`, unless a search finds them.
    fn leaves_out_of_home(&self) -> bool {
        matches!(self.request.view, View::Home | View::Minimal) && self.only_section().is_none()
    }

    /// How an entry opens. In the workspace that is beside the sidebar, unless the entry itself says that it leaves the
    /// page (docs/spec/behavior.md 9).
    fn opening(&self, own: Option<OpeningMethod>) -> OpeningMethod {
        use OpeningMethod::{Clipboard, NewTab, NewWindow, Workspace};
        if self.request.view != View::Workspace {
            return own.unwrap_or(self.config.app.opening_method);
        }
        own.filter(|own| matches!(own, NewTab | NewWindow | Clipboard)).unwrap_or(Workspace)
    }

    pub(super) fn icon(&self, icon: Option<&Icon>, entry: &IconEntry<'_>) -> IconView {
        match icon {
            None => IconView::None,
            Some(icon) if self.is_of_disabled_set(icon) => letter(entry.title),
            Some(Icon::Favicon(None)) => Icon::Favicon(Some(self.config.app.favicon_service)).view(entry, self.icons),
            Some(icon) => icon.view(entry, self.icons),
        }
    }

    /// What admins see about an icon that cannot be shown.
    fn icon_problem(&self, icon: Option<&Icon>, shown: &IconView) -> Option<String> {
        let icon = icon.filter(|icon| self.viewer.is_admin() && !self.is_of_disabled_set(icon))?;
        self.icons.problem(icon, shown)
    }

    fn is_of_disabled_set(&self, icon: &Icon) -> bool {
        let app = &self.config.app;
        match icon {
            Icon::FontAwesome { .. } => app.enable_font_awesome == Some(false),
            Icon::MaterialDesign(_) => app.enable_material_design == Some(false),
            _ => false,
        }
    }

    fn brand(&self, icon: Option<&Icon>) -> Option<u32> {
        self.icons.brand(icon?)
    }
}

/// Compares by provider; items without one come last.
fn by_provider(compare: impl Fn(&str, &str) -> Ordering) -> impl Fn(&&Item, &&Item) -> Ordering {
    move |a, b| match (&a.provider, &b.provider) {
        (Some(a), Some(b)) => compare(a, b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// A `rel` that differs from the one every link has.
fn own_rel(rel: Option<&String>) -> Option<String> {
    rel.filter(|rel| *rel != "noopener noreferrer").cloned()
}
