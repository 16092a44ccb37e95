//! The only way from a config to a page.

mod items;
mod navigation;
mod settings;

use thiserror::Error;

use self::settings::{appearance, web_search};
use super::{
    Appearance, BrowserSort, Dashboard, FactView, Layout, SectionView, View, WidgetView,
    styles::{Styles, picture},
};
use crate::{
    PRODUCT, footer,
    icon::{IconEntry, IconLookup},
    model::{
        Config, Page, Section,
        display_data::{SectionLayout, SortBy},
        widget::{WidgetEntry, WidgetSpot},
    },
    slug::{ROOT_PAGE, distinct, is_root_page, page_slug, section_class, section_key},
    viewer::Viewer,
};

/// Which part of a config is requested.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageRequest<'a> {
    /// Path prefix of the whole product without a trailing slash.
    pub base: &'a str,
    /// Name of the page as in the address; `None` and `main` mean the root config.
    pub page: Option<&'a str>,
    /// Name of the section, if only one is requested.
    pub section: Option<&'a str>,
    /// The view in which the page is shown.
    pub view: View,
    /// The view of the landing page, which the main file names.
    pub starting_view: View,
}

/// A page for one viewer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageView {
    /// What the page is rendered from, on the server and in the browser.
    pub dashboard: Dashboard,
    /// What the server puts into the head.
    pub styles: Styles,
}

/// Why there is no page. What a viewer may not see does not exist for that viewer.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum PageError {
    /// No page has this slug.
    #[error("page `{0}` not found")]
    PageNotFound(String),
    /// No section of the page has this slug.
    #[error("section `{0}` not found")]
    SectionNotFound(String),
}

impl Dashboard {
    /// Builds the page that a viewer gets. The config was read with [`Config::read`] for the root, or with
    /// [`Config::read_page`] for another page. If signing in is required, a viewer who has not signed in gets only the
    /// look and the title.
    ///
    /// # Errors
    /// The page or section does not exist for the viewer.
    pub fn for_viewer(
        config: &Config,
        viewer: &Viewer,
        request: &PageRequest<'_>,
        icons: &dyn IconLookup,
    ) -> Result<PageView, PageError> {
        let page = match request.page.map(page_slug_of).filter(|slug| slug != ROOT_PAGE) {
            Some(slug) => Some(config.page(&slug, viewer).ok_or(PageError::PageNotFound(slug))?),
            None => None,
        };
        let names = SectionNames::of(config, page.map_or(View::Home.word(), Page::key));
        let builder = Builder { config, viewer, request, icons, page, names };
        Ok(PageView { dashboard: builder.dashboard()?, styles: Styles::of(&config.app, icons) })
    }
}

/// The slug of a page named in an address; `main` is the root.
fn page_slug_of(name: &str) -> String {
    if is_root_page(name) { ROOT_PAGE.to_owned() } else { page_slug(name) }
}

struct Builder<'a> {
    config: &'a Config,
    viewer: &'a Viewer,
    request: &'a PageRequest<'a>,
    icons: &'a dyn IconLookup,
    page: Option<&'a Page>,
    /// One for each section of the file, hidden ones included, so that an address means the same for all viewers.
    names: Vec<SectionNames>,
}

/// What tells a section from the others of its page.
struct SectionNames {
    slug: String,
    key: String,
}

impl SectionNames {
    fn of(config: &Config, page: &str) -> Vec<Self> {
        let unique = |name_of: &dyn Fn(&str) -> String| {
            distinct(&config.sections.iter().map(|section| name_of(&section.name)).collect::<Vec<_>>())
        };
        let slugs = unique(&page_slug);
        let keys = unique(&|name| section_key(page, name));
        slugs.into_iter().zip(keys).map(|(slug, key)| Self { slug, key }).collect()
    }
}

impl Builder<'_> {
    fn dashboard(&self) -> Result<Dashboard, PageError> {
        let Config { page_info: info, app, .. } = self.config;
        let is_let_in = *self.viewer != Viewer::Anonymous;
        let picture = |address: &Option<String>| address.as_deref().and_then(|address| picture(address, self.icons));
        let known_only = |text: &Option<String>| text.clone().filter(|_| is_let_in);
        let columns = app.columns.filter(|_| self.request.view == View::Home && self.only_section().is_none());
        let footer = known_only(&info.footer).filter(|_| !app.hide_footer && self.request.view == View::Home);
        let footer = footer.and_then(|footer| footer::sanitized(&footer));
        Ok(Dashboard {
            base: self.request.base.to_owned(),
            slug: self.slug().to_owned(),
            file: self.page.map_or(&*self.config.main_file, Page::file).to_owned(),
            title: info.title.clone().unwrap_or_else(|| PRODUCT.to_owned()),
            description: known_only(&info.description),
            logo: picture(&info.logo),
            favicon: picture(&info.favicon),
            color: info.color.clone(),
            footer: footer.map(|html| footer::with_pictures(&html, |address| self.icons.image(address))),
            navigation: if is_let_in { self.navigation() } else { Vec::new() },
            look: Appearance {
                layout: if columns.is_some() { Layout::Auto } else { app.layout },
                ..appearance(app, self.icons)
            },
            web_search: web_search(&app.web_search),
            hide: app.hide.clone(),
            disable_context_menu: app.disable_context_menu,
            disable_smart_sort: app.disable_smart_sort,
            show_splash_screen: app.show_splash_screen,
            monochrome_icons: app.monochrome_icons,
            status_shapes: app.status_check_accessibility || app.ping_check_accessibility,
            view: self.request.view,
            starting_view: self.request.starting_view,
            selected: self.selected()?,
            columns,
            empty_columns: false,
            landing_url: self.landing_url(),
            multi_tasking: app.enable_multi_tasking,
            single_section: self.only_section().is_some(),
            single_widget: None,
            other_pages: is_let_in && self.has_other_pages(),
            is_static: false,
            facts: self.facts(),
            sections: self.sections()?,
            problems: Vec::new(),
            hints: Vec::new(),
            notices: Vec::new(),
        })
    }

    fn slug(&self) -> &str {
        self.page.map_or(View::Home.word(), Page::key)
    }

    /// What the workspace view opens first: a web address, or a path of this server.
    fn landing_url(&self) -> Option<String> {
        let is_shown = self.request.view == View::Workspace && *self.viewer != Viewer::Anonymous;
        let address = self.config.app.workspace_landing_url.clone().filter(|_| is_shown)?;
        (crate::address::is_web(&address) || address.starts_with('/')).then_some(address)
    }

    /// The sections that the viewer sees in this view.
    fn visible(&self) -> impl Iterator<Item = (&Section, &SectionNames)> {
        self.config.sections.iter().zip(&self.names).filter(|(section, _)| {
            self.viewer.sees(&section.display.visibility)
                && !(section.display.hide_from_workspace && self.request.view == View::Workspace)
        })
    }

    /// The name of the section if the page shows only that one. The minimal view has the others too, for its tabs and
    /// its search.
    fn only_section(&self) -> Option<&str> {
        self.request.section.filter(|_| self.request.view != View::Minimal)
    }

    /// The position of a section among the visible ones. An address wins over a name, so that each section can be
    /// reached; a name finds `C++` where the address would be that of `C`.
    fn position(&self, wanted: &str) -> Result<usize, PageError> {
        let slug = page_slug(wanted);
        let find = |is_it: &dyn Fn(&Section, &SectionNames) -> bool| {
            self.visible().position(|(section, names)| is_it(section, names))
        };
        find(&|_, names| names.slug == wanted)
            .or_else(|| find(&|section, _| section.name == wanted))
            .or_else(|| find(&|_, names| names.slug == slug))
            // The first of several is hidden from this viewer.
            .or_else(|| find(&|section, _| page_slug(&section.name) == slug))
            .ok_or(PageError::SectionNotFound(slug))
    }

    /// The position of the section that the address of a minimal view names.
    fn selected(&self) -> Result<Option<usize>, PageError> {
        let wanted = self.request.section.filter(|_| self.request.view == View::Minimal);
        wanted.map(|wanted| self.position(wanted)).transpose()
    }

    fn sections(&self) -> Result<Vec<SectionView>, PageError> {
        let mut visible = self.visible().map(|(section, names)| self.section(section, names));
        let Some(wanted) = self.only_section() else { return Ok(visible.collect()) };
        Ok(visible.nth(self.position(wanted)?).into_iter().collect())
    }

    /// The widgets for the bar below the header, which is the same for all sections of a page.
    fn facts(&self) -> Vec<FactView> {
        let of_section = |section: &Section| {
            let facts = section.widgets.iter().filter(|widget| widget.place == WidgetSpot::Header);
            let section = section.index;
            facts.map(|widget| FactView { section, widget: widget_view(widget) }).collect::<Vec<_>>()
        };
        self.visible().flat_map(|(section, _)| of_section(section)).collect()
    }

    fn section(&self, section: &Section, names: &SectionNames) -> SectionView {
        let display = &section.display;
        let is_card = |widget: &&WidgetEntry| widget.place == WidgetSpot::Section;
        let widgets: Vec<_> = section.widgets.iter().filter(is_card).map(widget_view).collect();
        let counts = display.item_count_x.is_some() || display.item_count_y.is_some();
        SectionView {
            index: section.index,
            name: section.name.clone(),
            slug: names.slug.clone(),
            class: section_class(&section.name),
            key: names.key.clone(),
            icon: self.icon(section.icon.as_ref(), &IconEntry { title: &section.name, ..IconEntry::default() }),
            collapsed: display.collapsed.unwrap_or(false),
            cut_to_height: display.cut_to_height,
            color: display.color.clone(),
            custom_styles: display.custom_styles.clone(),
            item_size: display.item_size,
            rows: display.rows,
            cols: display.cols,
            column: display.column,
            grid: counts || display.section_layout == SectionLayout::Grid,
            item_count_x: display.item_count_x,
            item_count_y: display.item_count_y,
            sort: self.browser_sort(display.sort_by),
            items: self.items(section),
            only_facts: section.items.is_empty() && widgets.is_empty() && !section.widgets.is_empty(),
            widgets,
        }
    }

    /// If clicks are not counted, there is nothing to sort by, so the order of the file stays.
    fn browser_sort(&self, sort: SortBy) -> BrowserSort {
        match sort {
            SortBy::Random => BrowserSort::Random,
            SortBy::MostUsed if !self.config.app.disable_smart_sort => BrowserSort::MostUsed,
            SortBy::LastUsed if !self.config.app.disable_smart_sort => BrowserSort::LastUsed,
            _ => BrowserSort::None,
        }
    }
}

/// A widget of which the server fills in the rest.
fn widget_view(widget: &WidgetEntry) -> WidgetView {
    WidgetView {
        index: widget.index,
        written: widget.kind.clone(),
        tab: widget.tab.clone().filter(|tab| !tab.trim().is_empty()),
        ..WidgetView::default()
    }
}
