//! The one way from a config to a page.

use thiserror::Error;

use super::{
    Appearance, BrowserSort, Dashboard, IconView, ItemView, NavigationEntry, SectionView, View, WebSearchView,
    WidgetView,
    styles::{Styles, picture},
};
use crate::{
    footer,
    icon::{Icon, IconLookup, letter},
    model::{
        AppConfig, Config, Item, MAIN_FILE, Page, PageSource, Section,
        display_data::{SectionLayout, SortBy},
        item::SubItem,
        page_info::NavLink,
        style::DEFAULT_THEME,
        web_search::{self, BUILT_IN_BANGS, CUSTOM_ENGINE, DEFAULT_ENGINE, engine_address},
    },
    natural_order,
    slug::{ROOT_PAGE, is_root_page, item_id, page_slug, section_class, section_key},
    viewer::Viewer,
};

/// What the product is called where the config names no title.
const PRODUCT: &str = "Portico";

/// Which part of a config is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageRequest<'a> {
    /// Path prefix of the whole product without a trailing slash.
    pub base: &'a str,
    /// Name of the page as it stands in the address; none and `main` mean the root config.
    pub page: Option<&'a str>,
    /// Name of the only section that is wanted.
    pub section: Option<&'a str>,
    /// How the page is looked at.
    pub view: View,
}

/// A page for one viewer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageView {
    /// What the page is rendered from, on the server and in the browser.
    pub dashboard: Dashboard,
    /// What the server puts into the head.
    pub styles: Styles,
}

/// Why there is no page. What a viewer may not see does not exist.
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
    /// The page that a viewer gets of a config: read with [`Config::read`] for the root, with [`Config::read_page`]
    /// for another page. Anyone who is not signed in where that is demanded gets only the look and the title.
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

/// The slug of a page in an address, where `main` is the root.
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
        let footer = known_only(&info.footer).filter(|_| !app.hide_footer && self.request.view == View::Home);
        Ok(Dashboard {
            base: self.request.base.to_owned(),
            slug: self.slug().to_owned(),
            file: self.page.map_or(MAIN_FILE, Page::file).to_owned(),
            title: info.title.clone().unwrap_or_else(|| PRODUCT.to_owned()),
            description: known_only(&info.description),
            logo: picture(&info.logo),
            favicon: picture(&info.favicon),
            color: info.color.clone(),
            footer: footer.and_then(|footer| footer::sanitised(&footer)),
            navigation: if is_let_in { self.navigation() } else { Vec::new() },
            look: look(app, self.icons),
            web_search: web_search(&app.web_search),
            hide: app.hide.clone(),
            disable_context_menu: app.disable_context_menu,
            disable_smart_sort: app.disable_smart_sort,
            show_splash_screen: app.show_splash_screen,
            status_shapes: app.status_check_accessibility,
            single_section: self.request.section.is_some(),
            single_widget: None,
            other_pages: is_let_in && self.has_other_pages(),
            sections: self.sections()?,
            notices: Vec::new(),
        })
    }

    fn slug(&self) -> &str {
        self.page.map_or(View::Home.word(), Page::key)
    }

    /// From any extra page the root is another one.
    fn has_other_pages(&self) -> bool {
        let mut pages = self.config.pages.iter().filter(|page| self.viewer.sees(&page.visibility));
        self.page.is_some() || pages.any(|page| page.source != PageSource::File(MAIN_FILE.to_owned()))
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
            // One slash only: two would name a host.
            let route = path.trim_start_matches(|character: char| matches!(character, '/' | '\\') || character <= ' ');
            format!("{}/{route}", self.request.base)
        };
        let target = outside.then(|| link.target.attribute().to_owned());
        (!link.title.is_empty()).then(|| NavigationEntry { title: link.title.clone(), href, target, current: false })
    }

    fn page_entry(&self, page: &Page) -> NavigationEntry {
        let Self { request, .. } = self;
        let is_root = page.source == PageSource::File(MAIN_FILE.to_owned());
        let href = match (is_root, request.view) {
            (true, View::Home) => format!("{}/", request.base),
            (true, view) => format!("{}/{}", request.base, view.word()),
            (false, view) => format!("{}/{}/{}", request.base, view.word(), page.slug),
        };
        let current = match self.page {
            Some(shown) => shown.index == page.index,
            None => is_root,
        };
        let names = [page.name.as_str(), page.file(), &page.slug];
        let title = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned();
        NavigationEntry { title, href, target: None, current }
    }

    fn sections(&self) -> Result<Vec<SectionView>, PageError> {
        let visible = self.config.sections.iter().filter(|section| {
            self.viewer.sees(&section.display.visibility)
                && !(section.display.hide_from_workspace && self.request.view == View::Workspace)
        });
        let Some(wanted) = self.request.section else {
            return Ok(visible.map(|section| self.section(section)).collect());
        };
        let slug = page_slug(wanted);
        let mut visible = visible;
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
            icon: self.icon(section.icon.as_ref(), &section.name, None),
            collapsed: display.collapsed.unwrap_or(false),
            cut_to_height: display.cut_to_height,
            color: display.color.clone(),
            custom_styles: display.custom_styles.clone(),
            item_size: display.item_size,
            rows: display.rows,
            cols: display.cols,
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

    /// Without counting there is nothing to sort by; the file's order stays.
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
        let icon = item.icon.as_ref().or(self.config.app.default_icon.as_ref()).filter(|_| !is_group);
        ItemView {
            index: item.index,
            id: String::new(),
            title: item.title.clone(),
            description: item.description.clone(),
            provider: item.provider.clone(),
            tags: item.tags.clone(),
            icon: self.icon(icon, &item.title, url.as_deref()),
            url,
            local_url: item.local_url.clone().filter(|_| !is_group),
            target: item.target.unwrap_or(self.config.app.opening_method),
            rel: own_rel(item.rel.as_ref()),
            hotkey: item.hotkey,
            color: item.color.clone(),
            background: item.background_color.clone(),
            has_status: self.config.status_target(item).is_some(),
            sub_items: item.sub_items.iter().map(|item| self.sub_item(item)).collect(),
        }
    }

    fn sub_item(&self, item: &SubItem) -> ItemView {
        let icon = item.icon.as_ref().or(self.config.app.default_icon.as_ref());
        ItemView {
            index: item.index,
            title: item.title.clone(),
            description: item.description.clone(),
            icon: self.icon(icon, &item.title, item.url.as_deref()),
            url: item.url.clone(),
            local_url: item.local_url.clone(),
            target: item.target.unwrap_or(self.config.app.opening_method),
            rel: own_rel(item.rel.as_ref()),
            color: item.color.clone(),
            background: item.background_color.clone(),
            ..ItemView::default()
        }
    }

    fn icon(&self, icon: Option<&Icon>, title: &str, url: Option<&str>) -> IconView {
        let app = &self.config.app;
        match icon {
            None => IconView::None,
            Some(Icon::FontAwesome { .. }) if app.enable_font_awesome == Some(false) => letter(title),
            Some(Icon::MaterialDesign(_)) if app.enable_material_design == Some(false) => letter(title),
            Some(Icon::Favicon(None)) => Icon::Favicon(Some(app.favicon_service)).view(title, url, self.icons),
            Some(icon) => icon.view(title, url, self.icons),
        }
    }
}

/// A `rel` that differs from what every link has.
fn own_rel(rel: Option<&String>) -> Option<String> {
    rel.filter(|rel| *rel != "noopener noreferrer").cloned()
}

fn look(app: &AppConfig, icons: &dyn IconLookup) -> Appearance {
    let theme = |name: &Option<String>| name.clone().unwrap_or_else(|| DEFAULT_THEME.to_owned());
    Appearance {
        day_theme: theme(&app.style.day_theme),
        night_theme: theme(&app.style.night_theme),
        layout: app.layout,
        icon_size: app.icon_size,
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
        (engine_address(written).map(str::to_owned), written)
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
