//! The only way from a config to a page.

use thiserror::Error;

use super::{
    Appearance, BrowserSort, Dashboard, IconView, ItemView, Layout, NavigationEntry, OpeningMethod, SectionView, View,
    WebSearchView, WidgetView,
    styles::{Styles, picture},
};
use crate::{
    footer,
    icon::{Icon, IconEntry, IconLookup, letter},
    model::{
        AppConfig, Config, Item, Page, Section,
        display_data::{SectionLayout, SortBy},
        item::SubItem,
        page_info::NavLink,
        style::DEFAULT_THEME,
        web_search::{self, BUILT_IN_BANGS, CUSTOM_ENGINE, DEFAULT_ENGINE, engine_address, engine_name},
    },
    natural_order,
    slug::{ROOT_PAGE, is_root_page, item_id, page_slug, section_class, section_key},
    viewer::Viewer,
};

/// The title of pages whose config has none.
const PRODUCT: &str = "Portico";

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
        let builder = Builder { config, viewer, request, icons, page };
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
                ..look(app, self.icons)
            },
            web_search: web_search(&app.web_search),
            hide: app.hide.clone(),
            disable_context_menu: app.disable_context_menu,
            disable_smart_sort: app.disable_smart_sort,
            show_splash_screen: app.show_splash_screen,
            monochrome_icons: app.monochrome_icons,
            status_shapes: app.status_check_accessibility,
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
            sections: self.sections()?,
            problems: Vec::new(),
            notices: Vec::new(),
        })
    }

    fn slug(&self) -> &str {
        self.page.map_or(View::Home.word(), Page::key)
    }

    /// An extra page always has at least the root as another page.
    fn has_other_pages(&self) -> bool {
        let mut pages = self.config.pages.iter().filter(|page| self.viewer.sees(&page.visibility));
        self.page.is_some() || pages.any(|page| !page.is_main)
    }

    fn navigation(&self) -> Vec<NavigationEntry> {
        let links = self.config.page_info.nav_links.iter().filter_map(|link| self.link(link));
        let pages = self.config.pages.iter().filter(|page| self.viewer.sees(&page.visibility));
        links.chain(pages.map(|page| self.page_entry(page))).collect()
    }

    /// A header link. Web addresses and mail links leave the app; everything else is a route in it.
    fn link(&self, link: &NavLink) -> Option<NavigationEntry> {
        let path = link.path.trim();
        let outside = crate::address::is_web(path) || path.starts_with("mailto:") || path.starts_with("tel:");
        let href = if outside {
            crate::address::web(path).unwrap_or_else(|| path.to_owned())
        } else {
            // Exactly one slash: two would name a host.
            let route = path.trim_start_matches(|character: char| matches!(character, '/' | '\\') || character <= ' ');
            format!("{}/{route}", self.request.base)
        };
        let target = outside.then(|| link.target.attribute().to_owned());
        (!link.title.is_empty()).then(|| NavigationEntry { title: link.title.clone(), href, target, current: false })
    }

    fn page_entry(&self, page: &Page) -> NavigationEntry {
        let Self { request, .. } = self;
        let href = match (page.is_main, request.view) {
            (true, View::Home) if request.starting_view == View::Home => format!("{}/", request.base),
            (true, view) => format!("{}/{}", request.base, view.word()),
            (false, view) => format!("{}/{}/{}", request.base, view.word(), page.slug),
        };
        let current = match self.page {
            Some(shown) => shown.index == page.index,
            None => page.is_main,
        };
        let names = [page.name.as_str(), page.file(), &page.slug];
        let title = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned();
        NavigationEntry { title, href, target: None, current }
    }

    /// What the workspace view opens first: a web address, or a path of this server.
    fn landing_url(&self) -> Option<String> {
        let is_shown = self.request.view == View::Workspace && *self.viewer != Viewer::Anonymous;
        let address = self.config.app.workspace_landing_url.clone().filter(|_| is_shown)?;
        (crate::address::is_web(&address) || address.starts_with('/')).then_some(address)
    }

    /// The sections that the viewer sees in this view.
    fn visible(&self) -> impl Iterator<Item = &Section> {
        self.config.sections.iter().filter(|section| {
            self.viewer.sees(&section.display.visibility)
                && !(section.display.hide_from_workspace && self.request.view == View::Workspace)
        })
    }

    /// The name of the section if the page shows only that one. The minimal view has the others too, for its tabs and
    /// its search.
    fn only_section(&self) -> Option<&str> {
        self.request.section.filter(|_| self.request.view != View::Minimal)
    }

    /// The position of the section that the address of a minimal view names.
    fn selected(&self) -> Result<Option<usize>, PageError> {
        let Some(wanted) = self.request.section.filter(|_| self.request.view == View::Minimal) else { return Ok(None) };
        let slug = page_slug(wanted);
        let found = self.visible().position(|section| page_slug(&section.name) == slug);
        found.map(Some).ok_or(PageError::SectionNotFound(slug))
    }

    fn sections(&self) -> Result<Vec<SectionView>, PageError> {
        let mut visible = self.visible();
        let Some(wanted) = self.only_section() else {
            return Ok(visible.map(|section| self.section(section)).collect());
        };
        let slug = page_slug(wanted);
        let found = visible.find(|section| page_slug(&section.name) == slug);
        found.map(|section| vec![self.section(section)]).ok_or(PageError::SectionNotFound(slug))
    }

    fn section(&self, section: &Section) -> SectionView {
        let display = &section.display;
        let counts = display.item_count_x.is_some() || display.item_count_y.is_some();
        SectionView {
            index: section.index,
            name: section.name.clone(),
            slug: page_slug(&section.name),
            class: section_class(&section.name),
            key: section_key(self.slug(), &section.name),
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
            widgets: section
                .widgets
                .iter()
                .map(|widget| WidgetView { index: widget.index, written: widget.kind.clone(), ..WidgetView::default() })
                .collect(),
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

    fn items(&self, section: &Section) -> Vec<ItemView> {
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
        let icon = self.icon(written, &IconEntry { title: &item.title, url: url.as_deref(), color });
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
            target: self.opening(item.target),
            rel: own_rel(item.rel.as_ref()),
            hotkey: item.hotkey,
            color: item.color.clone(),
            background: item.background_color.clone(),
            has_status: self.config.status_target(item).is_some(),
            sub_items: item.sub_items.iter().map(|item| self.sub_item(item)).collect(),
        }
    }

    fn sub_item(&self, item: &SubItem) -> ItemView {
        let written = item.icon.as_ref().or(self.config.app.default_icon.as_ref());
        let (url, color) = (item.url.as_deref(), item.color.as_deref());
        let icon = self.icon(written, &IconEntry { title: &item.title, url, color });
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

    /// How an entry opens. In the workspace that is beside the sidebar, unless the entry itself says that it leaves the
    /// page (docs/spec/behaviour.md 9).
    fn opening(&self, own: Option<OpeningMethod>) -> OpeningMethod {
        use OpeningMethod::{Clipboard, NewTab, NewWindow, Workspace};
        if self.request.view != View::Workspace {
            return own.unwrap_or(self.config.app.opening_method);
        }
        own.filter(|own| matches!(own, NewTab | NewWindow | Clipboard)).unwrap_or(Workspace)
    }

    fn icon(&self, icon: Option<&Icon>, entry: &IconEntry<'_>) -> IconView {
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

/// A `rel` that differs from the one every link has.
fn own_rel(rel: Option<&String>) -> Option<String> {
    rel.filter(|rel| *rel != "noopener noreferrer").cloned()
}

fn look(app: &AppConfig, icons: &dyn IconLookup) -> Appearance {
    let theme = |name: &Option<String>| name.clone().unwrap_or_else(|| DEFAULT_THEME.to_owned());
    Appearance {
        day_theme: theme(&app.style.day_theme),
        night_theme: theme(&app.style.night_theme),
        layout: app.layout,
        icon_size: app.tile_size(),
        col_count: app.col_count,
        language: app.language.clone(),
        themes: app.style.own_themes(),
        style_sheets: app.style.style_sheets.iter().filter_map(|sheet| icons.style_sheet(sheet)).collect(),
    }
}

fn web_search(search: &web_search::WebSearch) -> WebSearchView {
    let written = search.engine.as_deref().unwrap_or(DEFAULT_ENGINE);
    let (engine, engine_name) = if written.eq_ignore_ascii_case(CUSTOM_ENGINE) {
        let name = search.custom_engine.as_deref().and_then(crate::address::host).unwrap_or(written);
        (search.custom_engine.clone(), name)
    } else {
        (engine_address(written).map(str::to_owned), engine_name(written).unwrap_or(written))
    };
    let own = search.bangs.iter().cloned();
    let built_in = BUILT_IN_BANGS
        .iter()
        .filter(|(bang, _)| !search.bangs.iter().any(|(own, _)| own == bang))
        .filter_map(|(bang, engine)| Some(((*bang).to_owned(), engine_address(engine)?.to_owned())));
    let mut bangs: Vec<_> = own.chain(built_in).collect();
    bangs.sort_by_key(|(bang, _)| std::cmp::Reverse(bang.chars().count()));
    WebSearchView {
        disabled: search.disabled,
        engine,
        engine_name: engine_name.to_owned(),
        opening_method: search.opening_method.into(),
        open_urls_directly: search.open_urls_directly,
        bangs,
    }
}
