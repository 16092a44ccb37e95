//! Addresses of the three views, and the links between them (docs/spec/behavior.md 1).

use config::{Dashboard, View};
#[cfg(feature = "ssr")]
use leptos::prelude::*;

#[cfg(feature = "ssr")]
use crate::words::t;

/// The address of a page in a view, or of one of its sections; the workspace view has no addresses of sections.
pub fn address(dashboard: &Dashboard, view: View, section: Option<&str>) -> String {
    let Dashboard { base, slug, .. } = dashboard;
    let (word, page) = (view.word(), slug.trim_end_matches('-'));
    match section.filter(|_| view != View::Workspace) {
        Some(section) if slug == "home" => format!("{base}/{word}/main/{section}"),
        Some(section) => format!("{base}/{word}/{page}/{section}"),
        None if slug == "home" => format!("{base}/{word}"),
        None => format!("{base}/{word}/{page}"),
    }
}

/// The address of a section of the page, in the current view; `None` in the workspace view.
pub fn section_address(dashboard: &Dashboard, section: &str) -> String {
    let view = if dashboard.view == View::Minimal { View::Minimal } else { View::Home };
    address(dashboard, view, Some(section))
}

/// The links from a page to its other views. Static, so they are not part of the browser's bundle.
#[cfg(feature = "ssr")]
#[derive(Clone, Debug)]
pub struct Links {
    current: View,
    addresses: [(View, &'static str, String); 3],
}

#[cfg(feature = "ssr")]
impl Links {
    /// The links of a page. They keep the page and the section.
    pub fn of(dashboard: &Dashboard) -> Self {
        let alone = dashboard.single_section.then_some(0);
        let section = dashboard.selected.or(alone).and_then(|position| dashboard.sections.get(position));
        let section = section.map(|section| section.slug.as_str());
        let link = |view, name| (view, t(name), address(dashboard, view, section));
        Self {
            current: dashboard.view,
            addresses: [link(View::Home, "Home"), link(View::Minimal, "Minimal"), link(View::Workspace, "Workspace")],
        }
    }

    /// The switch in the options panel, with the current view.
    pub fn switch(self) -> impl IntoView + use<> {
        let current = self.current;
        let links = self.addresses.map(|(view, name, href)| {
            view! {
                <a class="button" href=href data-view=view.word() aria-current=(view == current).then_some("page")>
                    {name}
                </a>
            }
        });
        view! {
            <nav class="choice view-switch" aria-labelledby="view-switch-title">
                <h2 id="view-switch-title">{t("View")}</h2>
                {links.into_iter().collect_view()}
            </nav>
        }
    }

    /// The links to the other views.
    pub fn others(self) -> impl IntoView + use<> {
        let current = self.current;
        let links = self.addresses.into_iter().filter(move |(view, ..)| *view != current);
        links.map(|(_, name, href)| view! { <li><a href=href>{name}</a></li> }).collect_view()
    }
}
