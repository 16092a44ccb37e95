//! The content of `<body>`, and the home view.
//!
//! Most of a start page never changes while it is open. So only the live parts, [`Toolbar`] and [`Overlay`],
//! are hydrated; header, sections, tiles and footer are rendered by the server and cost the browser nothing, however
//! many there are.

mod account;
mod columns;
mod container;
mod dialogs;
mod edit_controls;
mod elements;
pub(crate) mod excerpt;
mod facts;
mod first_run;
mod header;
#[cfg(feature = "ssr")]
pub mod hits;
pub mod icon;
mod item;
mod lanes;
#[cfg(feature = "ssr")]
pub mod language;
mod minimal;
mod notices;
mod options;
#[cfg(feature = "ssr")]
mod problems;
mod search_box;
mod section;
mod settings;
#[cfg(feature = "ssr")]
pub(crate) mod spans;
mod state;
#[cfg(feature = "ssr")]
mod status_tip;
mod symbols;
mod tabs;
pub mod tile_figures;
#[cfg(feature = "ssr")]
mod tools;
mod usual_height;
mod views;
pub mod widget_frame;
mod workspace;

use std::sync::Arc;

use config::{Dashboard, View, dashboard::SectionView};
use leptos::prelude::*;

#[cfg(feature = "ssr")]
pub use self::item::{SECOND_DOT, link_attributes};
#[cfg(feature = "hydrate")]
pub use self::item::{item_element, sub_item_element};
#[cfg(feature = "ssr")]
pub use self::status_tip::{StatusTip, UsageTip, status_tip, usage_tip};
use self::{
    account::{Account, SessionEnded},
    container::container_class,
    edit_controls::{AddSection, EditButton},
    header::Header,
    notices::{Failed, Notices},
    options::Options,
    search_box::{Outcome, SearchBox},
    section::{LayoutTiming, Section},
    views::section_address,
};
pub use self::{
    edit_controls::EditMode,
    elements::{
        FAILED_ELEMENT, MAX_UNFOLDED, OVERLAY_ELEMENT, SESSION_ENDED_ELEMENT, TOOLBAR_ELEMENT, UNNAMED_SECTION,
    },
    settings::{Bundle, PageSettings, SessionKind, SessionView},
    state::{LastingToast, PageState, PopUp},
};
use crate::any_view::{AnyView, IntoAny};
use crate::words::{own_direction, t, t_for_script};

/// After this many tiles, sections wait for the second frame. A laptop's screen begins to show all sections before that: if
/// one of them had to wait, the largest paint would be the second one, after laying out the whole page.
const FIRST_SCREEN: usize = 72;
/// After this many tiles, which fill several screens, sections are laid out when they come near the screen.
const FIRST_SCREENS: usize = 240;

/// The whole page of one [`Dashboard`], in its view.
#[component]
pub fn Page(
    /// What to show.
    dashboard: Arc<Dashboard>,
    /// The viewer; `None` if no kind of sign-in is configured.
    session: Option<SessionView>,
    /// Whether the page can be edited, or is being edited.
    edit_mode: EditMode,
    /// Address of the module that starts editing.
    editor: String,
) -> impl IntoView {
    let settings = Arc::new(PageSettings::of(&dashboard, session.as_ref()));
    let ended = session.as_ref().filter(|session| session.is_watched()).map(|_| {
        let here = own_address(&dashboard);
        view! { <SessionEnded base=dashboard.base.clone() here/> }
    });
    let is_open = session.is_none();
    let account = session.map(|session| {
        let here = own_address(&dashboard);
        view! { <Account session base=dashboard.base.clone() here/> }
    });
    provide_context(PageState::new(&settings));
    #[cfg(feature = "ssr")]
    provide_context(views::Links::of(&dashboard));
    #[cfg(feature = "ssr")]
    provide_context(tools::Tools::of(&dashboard, edit_mode != EditMode::Absent));
    #[cfg(feature = "ssr")]
    if !dashboard.is_static {
        provide_context(language::LanguageChoice { base: dashboard.base.clone(), here: own_address(&dashboard) });
    }
    #[cfg(feature = "ssr")]
    if let Some(problems) = problems::FileProblems::of(&dashboard) {
        provide_context(problems);
    }

    let single = match (dashboard.view, &dashboard.single_widget, dashboard.single_section) {
        (View::Workspace, ..) => " view-workspace",
        (View::Minimal, ..) => " view-minimal single-section",
        (View::Home, Some(_), _) => " single-section single-widget",
        (View::Home, None, true) => " single-section",
        (View::Home, None, false) => "",
    };
    let class = format!(
        "page {} orientation-{} item-size-{}{single}{}",
        dashboard.slug.trim_end_matches('-'),
        dashboard.look.layout.word(),
        dashboard.look.icon_size.word(),
        if dashboard.look.grows { " grows" } else { "" },
    );
    let edited_at = (edit_mode == EditMode::Elsewhere).then(|| views::address(&dashboard, View::Home, None));
    let pencil = (edit_mode != EditMode::Absent).then(|| view! { <EditButton editor=editor.clone() home=edited_at/> });
    // Options that are hidden from others are still there for admins, but out of the way.
    let toolbar = if dashboard.hide.settings { "toolbar reduced settings-outer" } else { "toolbar settings-outer" };
    let toolbar = view! {
        <div class=toolbar role="region" aria-label=t("Search and options")>
            <div class="toolbar-live" id=TOOLBAR_ELEMENT><Toolbar settings=settings.clone()/></div>
            {pencil}
            {account}
        </div>
    }
    .into_any();
    let content = match dashboard.view {
        View::Home => home(dashboard.clone(), toolbar, edit_mode, &editor, is_open).into_any(),
        View::Minimal => minimal::minimal(dashboard.clone(), toolbar).into_any(),
        View::Workspace => workspace::workspace(dashboard.clone(), toolbar).into_any(),
    };
    let footer = dashboard.footer.clone().map(|html| {
        view! { <footer class="page-footer" dir=own_direction() inner_html=html></footer> }
    });
    let splash = dashboard.show_splash_screen.then(|| {
        let mark = format!("{}/favicon.svg", dashboard.base);
        view! { <div class="splash" id="splash" aria-hidden="true"><img src=mark alt=""/>{dashboard.title.clone()}</div> }
    });

    view! {
        <div id="page" class=class>
            <a class="skip-link" href="#content">{t("Skip to content")}</a>
            {content}
            <div id=OVERLAY_ELEMENT><Overlay settings/></div>
            <Failed/>
            {ended}
            {footer}
        </div>
        <div class="tooltip" id="tooltip" role="tooltip" hidden></div>
        {splash}
    }
}

/// The home view: header and toolbar, then all sections. `is_open` says that no sign-in is set up.
fn home(
    dashboard: Arc<Dashboard>,
    toolbar: AnyView,
    edit_mode: EditMode,
    editor: &str,
    is_open: bool,
) -> impl IntoView + use<> {
    let columns = dashboard.look.col_count.map(|count| count.to_string());
    let in_order = |positions: Vec<usize>| {
        let mut above = 0;
        let section = |position: usize| {
            let layout = if dashboard.single_section || above <= FIRST_SCREEN {
                LayoutTiming::First
            } else if above <= FIRST_SCREENS {
                LayoutTiming::Later
            } else {
                LayoutTiming::Near
            };
            above += weight(&dashboard.sections[position]);
            view! { <Section dashboard=dashboard.clone() position layout edit_mode/> }
        };
        positions.into_iter().map(section).collect_view()
    };
    let sections = match dashboard.columns {
        Some(_) => columns::columns(&dashboard, in_order),
        None => in_order((0..dashboard.sections.len()).collect()).into_any(),
    };
    let back = dashboard.single_section.then(|| {
        let href = page_address(&dashboard);
        view! {
            <nav aria-label=t("Back to all sections")>
                <a class="back-to-all back-to-all-link" href=href>{symbols::arrow_left()}{t("Back to all sections")}</a>
            </nav>
        }
    });
    view! {
        <div class="top">
            <Header dashboard=dashboard.clone()/>
            {toolbar}
        </div>
        {facts::facts_bar(&dashboard, edit_mode)}
        <Notices dashboard=dashboard.clone()/>
        {(edit_mode == EditMode::Example).then(|| first_run::about_example(editor, is_open))}
        {back}
        <main
            id="content"
            class=container_class(&dashboard)
            data-columns=columns
            data-split=dashboard.columns.map(|_| "")
            data-status-shapes=dashboard.status_shapes.then_some("")
            tabindex="-1"
        >
            {sections}
            {first_run::empty_config(&dashboard, edit_mode, editor)}
        </main>
        {(edit_mode == EditMode::On).then(|| view! { <AddSection/> })}
    }
}

/// The space that a section takes, in tiles; collapsed sections and headings count too. A tile with live figures is twice as high.
fn weight(section: &SectionView) -> usize {
    let tiles: usize = section.items.iter().map(|item| if item.figures.is_empty() { 1 } else { 2 }).sum();
    let content = tiles + section.widgets.len() * 6;
    2 + if section.collapsed { 0 } else { content }
}

/// Search box and options.
#[component]
pub fn Toolbar(
    /// The page's settings.
    settings: Arc<PageSettings>,
) -> impl IntoView {
    view! {
        {(!settings.hide_search).then(|| view! { <SearchBox settings=settings.clone()/> })}
        {(!settings.hide_options).then(|| view! { <Options/> })}
    }
}

/// Search results, short messages and dialogs.
#[component]
pub fn Overlay(
    /// The page's settings.
    settings: Arc<PageSettings>,
) -> impl IntoView {
    let state = expect_context::<PageState>();
    let base = settings.base.clone();
    view! {
        <Outcome settings/>
        <div class="toasts" role="status" aria-live="polite">
            {move || state.lasting_toast.get().map(lasting)}
            {move || state.toast.get().map(|text| view! { <p class="toast">{text}</p> })}
        </div>
        <dialogs::FrameDialog base/>
        <dialogs::KeysDialog/>
    }
}

/// A toast that stays, with a link to the solution if there is one.
fn lasting(toast: LastingToast) -> impl IntoView {
    let (text, reload) = match toast {
        LastingToast::Unreachable => {
            (t_for_script("The server of this dashboard cannot be reached. Widgets show what they had."), None)
        }
        LastingToast::Message(text) => (text, Some(view! { <a href="">{t_for_script("Reload")}</a> })),
    };
    view! { <p class="toast">{text}{reload}</p> }
}

/// The address of the page of a dashboard (or of its single section), in the current view.
fn page_address(dashboard: &Dashboard) -> String {
    match (dashboard.slug.as_str(), dashboard.view) {
        ("home", View::Home) if dashboard.starting_view == View::Home => format!("{}/", dashboard.base),
        _ => views::address(dashboard, dashboard.view, None),
    }
}

/// The address of what is shown: the page, or its single section or widget.
pub fn own_address(dashboard: &Dashboard) -> String {
    let selected = dashboard.selected.and_then(|position| dashboard.sections.get(position));
    match (selected.or(dashboard.sections.first()), &dashboard.single_widget) {
        (Some(section), _) if selected.is_some() => section_address(dashboard, &section.slug),
        (Some(section), Some(widget)) => format!("{}/{widget}", section_address(dashboard, &section.slug)),
        (Some(section), None) if dashboard.single_section => section_address(dashboard, &section.slug),
        _ => page_address(dashboard),
    }
}

/// Whether what is shown is also what the root address leads to.
#[cfg(feature = "ssr")]
pub(crate) fn is_start(dashboard: &Dashboard) -> bool {
    let is_whole = dashboard.selected.is_none() && !dashboard.single_section;
    dashboard.slug == View::Home.word() && dashboard.view == dashboard.starting_view && is_whole
}
