//! `appConfig` without its larger blocks (config.md 5).

use super::{
    auth::{AUTH, Auth},
    cursor::Cursor,
    display_data::small,
    item::{interval, read_address},
    shape::{ANY_NUMBER, Form, MANY, Others, Pattern, Preset, Rule, Shape, Word, flag, legacy, list, optional, words},
    style::{DEFAULT_THEME, StyleConfig, THEME},
    user::USER,
    web_search::{WEB_SEARCH, WebSearch},
};
use crate::{
    dashboard::{HideComponents, Layout, OpeningMethod, Size, View},
    icon::{self, FaviconService, Icon},
    problem::ProblemKind,
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
    patterns: &[Pattern::Characters(10, &[('a', 'z'), ('0', '9')])],
};

pub(crate) const APP_CONFIG: Shape = Shape {
    title: "AppConfig",
    name: "appConfig",
    about: "How the dashboard behaves and looks, and who may sign in.",
    fields: &[
        optional(
            "startingView",
            Rule::Word(words::<View>),
            "What the landing page shows: all sections, one section at a time without a header, or a sidebar with \
             what is opened beside it.",
        )
        .like_text("home")
        .old_forms(&[(Pattern::Exactly("default"), "`default` is the old word for `home`")]),
        optional(
            "layout",
            Rule::Word(words::<Layout>),
            "How sections stand on the home view: in rows as high as their highest section, one below the other, all \
             side by side, or in columns without gaps. Can be changed on the page.",
        )
        .like_text("auto")
        .old_forms(&[(Pattern::Exactly("sidebar"), "`sidebar` was never built; it acts as `auto`")]),
        optional("iconSize", Rule::Word(words::<Size>), "Size of the tiles. Can be changed on the page.")
            .like_text("medium"),
        optional("colCount", Rule::Number(1.0, 8.0), "Columns of sections, 1 to 8, on screens of a tablet and wider.")
            .means("by the width of the screen"),
        optional(
            "contentMaxWidth",
            Rule::Text,
            "Maximum width of the sections area: a number with `%`, `px`, `rem`, `em`, `vw` or `vh`. A bare number \
             (in quotes) means percent up to 100 and pixels above.",
        )
        .means("90 %, on very wide screens 85 %")
        .examples(&["1600px", "95%", "80rem"]),
        optional("language", Rule::Text, "Language of the buttons and messages, as a code.")
            .means("the browser's language")
            .examples(&["en", "de", "pt-BR"])
            .old_forms(&[(Pattern::Exactly("cn"), "`cn` is the old word for `zh-CN`")]),
        optional("hideComponents", Rule::Shape(&HIDE_COMPONENTS), "Hides parts of the page.")
            .like(Preset::EmptyMapping),
        flag("showSplashScreen", "Shows a loading screen for one second; a click hides it."),
        flag("disableContextMenu", "No menu of the dashboard's own on a right click or a long press."),
        flag(
            "disableSmartSort",
            "Does not count in the browser what is opened. The orders `most-used` and `last-used` then act as \
             `default`.",
        ),
        optional("theme", Rule::Kind(&THEME), "Theme until somebody chooses another one.").like_text(DEFAULT_THEME),
        optional("dayTheme", Rule::Kind(&THEME), "Theme while the system is set to light.").means("`theme`"),
        optional("nightTheme", Rule::Kind(&THEME), "Theme while the system is set to dark.").means("`theme`"),
        optional(
            "backgroundImg",
            Rule::Text,
            "Picture behind the whole page: a web address, or a path to a file of yours.",
        )
        .examples(&["/item-icons/sea.jpg", "https://example.com/sea.jpg"]),
        list(
            "cssThemes",
            Rule::Texts(MANY),
            "Names of own themes, first in the list of themes. Each is styled by `customColors`, by an own style sheet \
             or by `customCss` under `html[data-theme='name']`.",
        ),
        optional(
            "customColors",
            Rule::MapOfMaps,
            "CSS variables for themes: name of a theme, then names of variables without `--` and their values. \
             Example: `{ nord: { primary: '#88c0d0', item-shadow: none } }`.",
        )
        .like(Preset::EmptyMapping),
        list(
            "externalStyleSheet",
            Rule::Texts(MANY),
            "Own style sheets: web addresses, or paths that begin with `/`. Each is in the list of themes too.",
        ),
        optional("customCss", Rule::Text, "Styles that come after all others. Tags are taken out.")
            .examples(&[".item { border-radius: 2px; }"]),
        optional("defaultIcon", Rule::Kind(&icon::KIND), "Icon for items that have none."),
        optional(
            "faviconApi",
            Rule::Word(words::<FaviconService>),
            "Who is asked for a `favicon` that the server does not find on the site itself. `local` asks nobody.",
        )
        .like_text("allesedv"),
        optional("enableFontAwesome", Rule::Flag, "`false` shows Font Awesome icons as the title's first letter.")
            .means("shown where they are used"),
        optional(
            "enableMaterialDesignIcons",
            Rule::Flag,
            "`false` shows Material Design icons as the title's first letter.",
        )
        .means("shown where they are used"),
        optional(
            "fontAwesomeKey",
            Rule::Form(&FONT_AWESOME_KEY),
            "Id of a Font Awesome kit: ten lower-case letters and digits. It has no effect, as no scripts of other hosts \
             are loaded: icons of the free set need none, and names of others show the free icon of that name.",
        ),
        flag("statusCheck", "A dot on every item shows whether its service answers; an item's own `statusCheck` wins."),
        optional(
            "statusCheckInterval",
            ANY_NUMBER,
            "Seconds between two checks; 0 means once per page load. 1 to 4 act as 5, and 86400 is the most.",
        )
        .like(Preset::Number(0)),
        flag(
            "statusCheckAccessibility",
            "Shapes in place of colours: a circle is up, a square is down, a triangle waits, a diamond timed out.",
        ),
        optional(
            "defaultOpeningMethod",
            Rule::Word(words::<OpeningMethod>),
            "How items open that have no `target`: in a new tab, in the same one, in the frame around the dashboard, in \
             the outermost frame, in a pop-up on the page, in the workspace view, as a copied address, or in a window \
             of their own.",
        )
        .like_text("newtab"),
        optional("workspaceLandingUrl", Rule::Text, "Address that the workspace view opens first.")
            .examples(&["https://start.example"]),
        flag("enableMultiTasking", "The workspace view keeps what was opened alive in the background."),
        optional(
            "webSearch",
            Rule::Shape(&WEB_SEARCH),
            "What Enter in the search box does when no item is chosen.",
        )
        .like(Preset::EmptyMapping),
        flag("preventWriteToDisk", "The page cannot save changes to this file."),
        flag("preventLocalSave", "The page cannot save changes in the browser."),
        flag("disableConfiguration", "Nobody can see or edit the config on the page."),
        flag("disableConfigurationForNonAdmin", "Only admins can see or edit the config on the page."),
        flag("widgetsAlwaysUseProxy", "Acts as if every widget had `useProxy: true`."),
        flag("enableServiceWorker", "Installs the offline worker, so that the dashboard opens without a network."),
        flag(
            "enableAuthProxyCompat",
            "With the offline worker: when a login in front of the dashboard has run out, the worker makes way for it.",
        ),
        flag("disableUpdateChecks", "Does not look for newer versions."),
        optional("auth", Rule::ShapeOrOldList(&AUTH, &USER, "users"), "Who may see the dashboard. Only the main file counts.")
            .like(Preset::EmptyMapping),
        legacy("allowConfigEdit", Rule::Flag, "was replaced by `preventWriteToDisk`"),
        legacy("routingMode", Rule::Any, "has no effect any more"),
        legacy("openingMethod", Rule::Any, "was never a field; it acts as `defaultOpeningMethod`"),
        legacy("enableErrorReporting", Rule::Any, "has no effect: nothing is ever reported"),
        legacy("sentryDsn", Rule::Any, "has no effect: nothing is ever reported"),
    ],
    others: Others::Refused,
    demands: &[],
};

const HIDE_COMPONENTS: Shape = Shape {
    title: "HideComponents",
    name: "hideComponents",
    about: "Parts of the page that are not shown.",
    fields: &[
        flag("hideHeading", "Hides title, description and logo."),
        flag("hideNav", "Puts the header links behind a menu button."),
        flag("hideSearch", "Hides the search box; typing does not search then."),
        flag("hideSettings", "Hides the options button from everybody but admins."),
        legacy("hideFooter", Rule::Any, "is old; leave `pageInfo.footer` out to have no footer"),
        legacy("splashScreen", Rule::Any, "has no effect any more"),
    ],
    others: Others::Allowed,
    demands: &[],
};

impl AppConfig {
    pub(super) fn read(cursor: &Cursor<'_>, auth: Auth) -> Self {
        cursor.mapping();
        let on = |key: &str| cursor.key(key).is_on();
        let restricts = |key: &str| cursor.key(key).restricts();
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
            font_awesome_key: read_font_awesome_key(&cursor.key("fontAwesomeKey")),
            status_check: on("statusCheck"),
            status_check_interval: cursor.key("statusCheckInterval").number().map_or(0, interval),
            status_check_accessibility: on("statusCheckAccessibility"),
            opening_method: cursor.first_key(["defaultOpeningMethod", "openingMethod"]).word().unwrap_or_default(),
            workspace_landing_url: read_address(&cursor.key("workspaceLandingUrl")),
            enable_multi_tasking: on("enableMultiTasking"),
            web_search: WebSearch::read(&cursor.key("webSearch")),
            prevent_write_to_disk: restricts("preventWriteToDisk") || forbids_editing(&cursor.key("allowConfigEdit")),
            prevent_local_save: restricts("preventLocalSave"),
            disable_configuration: restricts("disableConfiguration"),
            disable_configuration_for_non_admin: restricts("disableConfigurationForNonAdmin"),
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

/// Whether the old switch forbids to edit; one that cannot be read does.
fn forbids_editing(cursor: &Cursor<'_>) -> bool {
    !cursor.is_null() && cursor.flag() != Some(true)
}

/// No icon comes from another host, so a kit of one's own cannot be loaded, and who has one should know.
fn read_font_awesome_key(cursor: &Cursor<'_>) -> Option<String> {
    let key = cursor.filled_text().filter(|key| FONT_AWESOME_KEY.fits(key))?;
    cursor.warn(
        ProblemKind::Legacy,
        "has no effect: no scripts of other hosts are loaded; names of Pro icons show the free icon of that name",
    );
    Some(key)
}

/// A language tag as browsers write it; `cn` is what people write for Chinese.
fn language(tag: &str) -> String {
    if tag.eq_ignore_ascii_case("cn") { "zh-CN".to_owned() } else { tag.replace('_', "-") }
}
