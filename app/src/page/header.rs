//! Logo, title, description and navigation.

use std::sync::Arc;

use config::Dashboard;
use leptos::prelude::*;

use super::symbols;
use crate::any_view::IntoAny;
use crate::words::{own_direction, t, t_for_script};

/// The page's header. With `hideHeading` only the navigation stays; the heading is kept for screen readers.
#[component]
pub fn Header(dashboard: Arc<Dashboard>) -> impl IntoView {
    let home = format!("{}/", dashboard.base);
    let heading = if dashboard.hide.heading {
        view! { <h1 class="visually-hidden">{dashboard.title.clone()}</h1> }.into_any()
    } else {
        let logo = dashboard.logo.clone().map(|src| view! { <img class="site-logo" src=src alt=""/> });
        let subtitle = dashboard
            .description
            .clone()
            .map(|text| view! { <span class="subtitle" dir=own_direction()>{text}</span> });
        view! {
            <a class="page-title page-titles" href=home title=dashboard.description.clone()>
                {logo}
                <span class="titles">
                    <h1 dir=own_direction()>{dashboard.title.clone()}</h1>
                    {subtitle}
                </span>
            </a>
        }
        .into_any()
    };
    let navigation = navigation(&dashboard, dashboard.hide.nav);
    // The server replaces the marker with the numbers, for each response.
    let has_checks = dashboard.sections.iter().flat_map(|section| &section.items).any(|item| item.has_status);
    let health = has_checks.then(|| {
        view! {
            <label class="health" data-status="?">
                <input class="visually-hidden" type="checkbox" aria-label=t("Show only what is down")/>
            </label>
        }
    });
    view! { <header class="page-header">{heading} {health} {navigation}</header> }
}

/// The links and pages, behind a menu button if they are collapsed; nothing if there are none.
pub fn navigation(dashboard: &Dashboard, collapsed: bool) -> Option<impl IntoView + use<>> {
    // On phones a bar at the bottom is for several links; a single one stays beside the title.
    let class = match (collapsed, dashboard.navigation.len()) {
        (true, _) => "nav nav-collapsed nav-outer",
        (false, 1) => "nav nav-single nav-outer",
        (false, _) => "nav nav-outer",
    };
    (!dashboard.navigation.is_empty()).then(|| {
        let entries = dashboard
            .navigation
            .iter()
            .map(|entry| {
                let title = if entry.title.is_empty() { t_for_script("Home") } else { entry.title.clone() };
                let rel = entry.target.as_ref().map(|_| "noopener noreferrer");
                view! {
                    <a
                        class="nav-item"
                        href=entry.href.clone()
                        target=entry.target.clone()
                        rel=rel
                        aria-current=entry.current.then_some("page")
                    >
                        {title}
                    </a>
                }
            })
            .collect_view();
        view! {
            <nav class=class aria-label=t("Links and pages")>
                <button class="icon-button nav-toggle" type="button" popovertarget="nav-items" aria-label=t("Menu")>
                    {symbols::menu()}
                </button>
                <div id="nav-items" class="nav-items" popover="auto">
                    {entries}
                </div>
            </nav>
        }
    })
}
