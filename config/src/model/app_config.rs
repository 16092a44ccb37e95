//! `appConfig` without its larger blocks (config.md 5).

use super::{
    auth::Auth,
    cursor::Cursor,
    display_data::small,
    item::{interval, read_address},
    shape::{ANY_NUMBER, Form, MANY, Others, Rule, Shape, Word, legacy, optional, words},
    style::StyleConfig,
    web_search::{WEB_SEARCH, WebSearch},
};
use crate::{
    dashboard::{HideComponents, Layout, OpeningMethod, Size, View},
    icon::{FaviconService, Icon},
    viewer::Viewer,
};

/// How the app behaves and looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppConfig {
    /// What the landing page shows.
    pub starting_view: View,
    /// Placement of sections.
    pub layout: Layout,
    /// Size of tiles.
    pub icon_size: Size,
    /// Forced number of columns, 1 to 8.
    pub col_count: Option<u8>,
    /// Interface language as a BCP 47 tag; none means the browser's.
    pub language: Option<String>,
    /// Parts of the page that are not shown.
    pub hide: HideComponents,
    /// No footer: a field of old editors.
    pub hide_footer: bool,
    /// A loading screen for one second.
    pub show_splash_screen: bool,
    /// No custom menu on right click.
    pub disable_context_menu: bool,
    /// No counting of clicks in the browser.
    pub disable_smart_sort: bool,
    /// Themes and styles.
    pub style: StyleConfig,
    /// Icon for items without one.
    pub default_icon: Option<Icon>,
    /// Service for favicons of public hosts.
    pub favicon_service: FaviconService,
    /// Whether Font Awesome icons are resolved; none means yes.
    pub enable_font_awesome: Option<bool>,
    /// Whether Material Design icons are resolved; none means yes.
    pub enable_material_design: Option<bool>,
    /// Id of the person's own Font Awesome kit.
    pub font_awesome_key: Option<String>,
    /// A status dot on every item that does not say otherwise.
    pub status_check: bool,
    /// Seconds between two status checks, 5 to 86400; 0 means once per page load.
    pub status_check_interval: u32,
    /// Shapes in place of colours only.
    pub status_check_accessibility: bool,
    /// How items without `target` open.
    pub opening_method: OpeningMethod,
    /// Address opened in the workspace view at first.
    pub workspace_landing_url: Option<String>,
    /// The workspace keeps opened frames alive.
    pub enable_multi_tasking: bool,
    /// What Enter in the search box does.
    pub web_search: WebSearch,
    /// The UI must not save to disk; `allowConfigEdit: false` means the same.
    pub prevent_write_to_disk: bool,
    /// The UI must not save in the browser.
    pub prevent_local_save: bool,
    /// Nobody may view or edit the config in the UI.
    pub disable_configuration: bool,
    /// Only admins may view or edit the config in the UI.
    pub disable_configuration_for_non_admin: bool,
    /// As if every widget had `useProxy: true`.
    pub widgets_always_use_proxy: bool,
    /// Installs the offline worker.
    pub enable_service_worker: bool,
    /// The offline worker gives way to a fronting login that expired.
    pub enable_auth_proxy_compat: bool,
    /// No look-up of newer releases.
    pub disable_update_checks: bool,
    /// Sign-in; always from the root config.
    pub auth: Auth,
}

/// What a viewer may do with the config in the UI (config.md 5.8).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Permissions {
    /// May see the config and the editor.
    pub view_config: bool,
    /// May save in the own browser.
    pub save_locally: bool,
    /// May save to disk.
    pub save_to_disk: bool,
}

impl Word for View {
    const WORDS: &'static [(&'static str, Self)] =
        &[("home", Self::Home), ("minimal", Self::Minimal), ("workspace", Self::Workspace), ("default", Self::Home)];
}

impl Word for Layout {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("horizontal", Self::Horizontal),
        ("vertical", Self::Vertical),
        ("masonry", Self::Masonry),
        ("sidebar", Self::Auto),
    ];
}

impl Word for FaviconService {
    const WORDS: &'static [(&'static str, Self)] = FaviconService::WORDS;
}

const FONT_AWESOME_KEY: Form = Form {
    must: "must be 10 lower-case letters and digits",
    fits: |text| text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()),
};

pub(crate) const APP_CONFIG: Shape = Shape {
    name: "appConfig",
    fields: &[
        optional("startingView", Rule::Word(words::<View>)),
        optional("layout", Rule::Word(words::<Layout>)),
        optional("iconSize", Rule::Word(words::<Size>)),
        optional("colCount", Rule::Number(1.0, 8.0)),
        optional("contentMaxWidth", Rule::Text),
        optional("language", Rule::Text),
        optional("hideComponents", Rule::Shape(&HIDE_COMPONENTS)),
        optional("showSplashScreen", Rule::Flag),
        optional("disableContextMenu", Rule::Flag),
        optional("disableSmartSort", Rule::Flag),
        optional("theme", Rule::Text),
        optional("dayTheme", Rule::Text),
        optional("nightTheme", Rule::Text),
        optional("backgroundImg", Rule::Text),
        optional("cssThemes", Rule::Texts(MANY)),
        optional("customColors", Rule::MapOfMaps),
        optional("externalStyleSheet", Rule::Texts(MANY)),
        optional("customCss", Rule::Text),
        optional("defaultIcon", Rule::Text),
        optional("faviconApi", Rule::Word(words::<FaviconService>)),
        optional("enableFontAwesome", Rule::Flag),
        optional("enableMaterialDesignIcons", Rule::Flag),
        optional("fontAwesomeKey", Rule::Form(&FONT_AWESOME_KEY)),
        optional("statusCheck", Rule::Flag),
        optional("statusCheckInterval", ANY_NUMBER),
        optional("statusCheckAccessibility", Rule::Flag),
        optional("defaultOpeningMethod", Rule::Word(words::<OpeningMethod>)),
        optional("workspaceLandingUrl", Rule::Text),
        optional("enableMultiTasking", Rule::Flag),
        optional("webSearch", Rule::Shape(&WEB_SEARCH)),
        optional("preventWriteToDisk", Rule::Flag),
        optional("preventLocalSave", Rule::Flag),
        optional("disableConfiguration", Rule::Flag),
        optional("disableConfigurationForNonAdmin", Rule::Flag),
        optional("widgetsAlwaysUseProxy", Rule::Flag),
        optional("enableServiceWorker", Rule::Flag),
        optional("enableAuthProxyCompat", Rule::Flag),
        optional("disableUpdateChecks", Rule::Flag),
        optional("auth", Rule::Auth),
        legacy("allowConfigEdit", Rule::Flag, "was replaced by `preventWriteToDisk`"),
        legacy("routingMode", Rule::Any, "has no effect any more"),
        legacy("openingMethod", Rule::Any, "was never a field; it acts as `defaultOpeningMethod`"),
        legacy("enableErrorReporting", Rule::Any, "has no effect: nothing is ever reported"),
        legacy("sentryDsn", Rule::Any, "has no effect: nothing is ever reported"),
    ],
    others: Others::Refused,
};

const HIDE_COMPONENTS: Shape = Shape {
    name: "hideComponents",
    fields: &[
        optional("hideHeading", Rule::Flag),
        optional("hideNav", Rule::Flag),
        optional("hideSearch", Rule::Flag),
        optional("hideSettings", Rule::Flag),
        legacy("hideFooter", Rule::Any, "is old; leave `pageInfo.footer` out to have no footer"),
        legacy("splashScreen", Rule::Any, "has no effect any more"),
    ],
    others: Others::Allowed,
};

impl AppConfig {
    pub(super) fn read(cursor: &Cursor<'_>, auth: Auth) -> Self {
        cursor.mapping();
        let on = |key: &str| cursor.key(key).is_on();
        let hidden = cursor.key("hideComponents");
        hidden.mapping();
        Self {
            starting_view: cursor.key("startingView").word().unwrap_or_default(),
            layout: cursor.key("layout").word().unwrap_or_default(),
            icon_size: cursor.key("iconSize").word().unwrap_or_default(),
            col_count: small(&cursor.key("colCount"), 8),
            language: cursor.key("language").filled_text().map(|tag| language(&tag)),
            hide: HideComponents {
                heading: hidden.key("hideHeading").is_on(),
                nav: hidden.key("hideNav").is_on(),
                search: hidden.key("hideSearch").is_on(),
                settings: hidden.key("hideSettings").is_on(),
            },
            hide_footer: hidden.key("hideFooter").is_on(),
            show_splash_screen: on("showSplashScreen"),
            disable_context_menu: on("disableContextMenu"),
            disable_smart_sort: on("disableSmartSort"),
            style: StyleConfig::read(cursor),
            default_icon: cursor.key("defaultIcon").filled_text().map(|icon| Icon::parse(&icon)),
            favicon_service: cursor.key("faviconApi").word().unwrap_or_default(),
            enable_font_awesome: cursor.key("enableFontAwesome").flag(),
            enable_material_design: cursor.key("enableMaterialDesignIcons").flag(),
            font_awesome_key: cursor.key("fontAwesomeKey").filled_text().filter(|key| (FONT_AWESOME_KEY.fits)(key)),
            status_check: on("statusCheck"),
            status_check_interval: cursor.key("statusCheckInterval").number().map_or(0, interval),
            status_check_accessibility: on("statusCheckAccessibility"),
            opening_method: cursor.first_key(["defaultOpeningMethod", "openingMethod"]).word().unwrap_or_default(),
            workspace_landing_url: read_address(&cursor.key("workspaceLandingUrl")),
            enable_multi_tasking: on("enableMultiTasking"),
            web_search: WebSearch::read(&cursor.key("webSearch")),
            prevent_write_to_disk: on("preventWriteToDisk") || cursor.key("allowConfigEdit").flag() == Some(false),
            prevent_local_save: on("preventLocalSave"),
            disable_configuration: on("disableConfiguration"),
            disable_configuration_for_non_admin: on("disableConfigurationForNonAdmin"),
            widgets_always_use_proxy: on("widgetsAlwaysUseProxy"),
            enable_service_worker: on("enableServiceWorker"),
            enable_auth_proxy_compat: on("enableAuthProxyCompat"),
            disable_update_checks: on("disableUpdateChecks"),
            auth,
        }
    }

    /// What a viewer may do with the config in the UI (config.md 5.8, behaviour.md 19.5 and 19.6).
    pub fn permissions(&self, viewer: &Viewer) -> Permissions {
        let known = matches!(viewer, Viewer::User(_) | Viewer::Admin(_));
        let view_config =
            known && !self.disable_configuration && (viewer.is_admin() || !self.disable_configuration_for_non_admin);
        Permissions {
            view_config,
            save_locally: view_config && !self.prevent_local_save,
            save_to_disk: view_config && viewer.is_admin() && !self.prevent_write_to_disk,
        }
    }
}

/// A language tag as browsers write it; `cn` is what people write for Chinese.
fn language(tag: &str) -> String {
    if tag.eq_ignore_ascii_case("cn") { "zh-CN".to_owned() } else { tag.replace('_', "-") }
}
