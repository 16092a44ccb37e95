//! `appConfig` without its larger blocks (docs/spec/config.md 5).

use super::{
    alerts::AlertTarget,
    auth::Auth,
    block::Block,
    cursor::Cursor,
    discovery::DiscoverySource,
    item::{certificate_days, interval, ping_count, ping_timeout, read_address},
    shape::{Pattern, TextFormat},
    style::StyleConfig,
    user::UserEntry,
    web_search::WebSearch,
    words::words,
};
use crate::{
    address,
    dashboard::{HideComponents, Layout, OpeningMethod, PageColumns, TileSize, View},
    effect::Effect,
    icon::{FaviconService, Icon},
    problem::ProblemKind,
    viewer::Viewer,
};

/// How the dashboard behaves and looks, and who may sign in.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(
    name = "appConfig",
    old("routingMode", "no longer has an effect"),
    old("enableErrorReporting", "has no effect: nothing is ever reported"),
    old("sentryDsn", "has no effect: nothing is ever reported")
)]
pub struct AppConfig {
    /// What the landing page shows: all sections, one section at a time without a header, or a sidebar with what is
    /// opened beside it.
    #[config(old_form(Pattern::Exactly("default"), "`default` is the old word for `home`"))]
    pub starting_view: View,
    /// How sections are placed on the home view: in rows as high as their tallest section, one below the other, all
    /// side by side, or in columns without gaps. Can be changed on the page.
    #[config(old_form(Pattern::Exactly("sidebar"), "`sidebar` is an old word for `auto`"))]
    pub layout: Layout,
    /// Divides the page into narrow and full columns, in place of `layout`. `displayData.column` says which one a
    /// section goes into.
    #[config(unset = "by `layout`")]
    pub columns: Option<PageColumns>,
    /// How much space each tile takes: rows of icon, title and site; cards with the icon at the left and two lines; or
    /// large cards with the icon above. `auto` makes cards, and everything on the page larger on wide screens. Can be changed
    /// on the page.
    #[config(unset = "by `iconSize`")]
    pub density: Option<Density>,
    /// Size of the tiles, if `density` is not set: `small` is `compact`, `medium` is `comfortable`, `large` is
    /// `showcase`.
    pub icon_size: TileSize,
    /// Shows brand icons in the color of the text instead of the brand's color.
    pub monochrome_icons: bool,
    /// Number of columns of sections on tablets and wider screens.
    #[config(range(1, 8), unset = "by the width of the screen")]
    pub col_count: Option<u8>,
    /// Language of buttons, messages, dates and numbers, as a code. Viewers can choose another one in the options.
    ///
    /// A BCP 47 tag.
    #[config(
        read = read_language,
        unset = "the browser's language",
        examples("en", "de", "pt-BR"),
        old_form(Pattern::Exactly("cn"), "`cn` is the old word for `zh-CN`")
    )]
    pub language: Option<String>,
    /// Hides parts of the page.
    #[config(key = "hideComponents")]
    pub hide: HideComponents,
    /// Hides the footer: a field that old editors wrote.
    #[config(computed = |app| app.key("hideComponents").key("hideFooter").is_on())]
    pub hide_footer: bool,
    /// Shows a loading screen for one second; a click hides it.
    pub show_splash_screen: bool,
    /// Turns off the dashboard's own menu on a right click or a long press.
    pub disable_context_menu: bool,
    /// Does not count in the browser how often items are opened. The orders `most-used` and `last-used` then act as
    /// `default`.
    pub disable_smart_sort: bool,
    /// Themes and styles.
    #[config(flatten)]
    pub style: StyleConfig,
    /// Icon for items that have none.
    pub default_icon: Option<Icon>,
    /// Service that the server queries for a `favicon` that it cannot find on the site itself. `local` means none.
    #[config(key = "faviconApi")]
    pub favicon_service: FaviconService,
    /// `false` shows Font Awesome icons as the title's first letter.
    #[config(unset = "shown where they are used")]
    pub enable_font_awesome: Option<bool>,
    /// `false` shows Material Design icons as the title's first letter.
    #[config(key = "enableMaterialDesignIcons", unset = "shown where they are used")]
    pub enable_material_design: Option<bool>,
    /// Id of a Font Awesome kit: ten lower-case letters and digits. It has no effect, because no scripts are loaded
    /// from other hosts. Icons of the free set need no kit, and the name of a Pro icon shows the free icon of that
    /// name.
    #[config(rule = Rule::Format(&FONT_AWESOME_KEY), read = read_font_awesome_key)]
    pub font_awesome_key: Option<String>,
    /// Shows a dot on every item that says whether its service responds; an item's own `statusCheck` overrides this.
    pub status_check: bool,
    /// Seconds between two checks; 0 means once per page load. 1 to 4 act as 5, and 86400 is the maximum.
    #[config(read = |seconds| seconds.number().map_or(0, interval))]
    pub status_check_interval: u32,
    /// Warns that a service's TLS certificate ends within this many days; 0 means never, and 365 is the maximum.
    #[config(read = |days| days.number().map_or(0, certificate_days))]
    pub status_check_certificate_days: u32,
    /// Shows the status as shapes, not only as colors: a circle is up, a square is down, a triangle is waiting, a
    /// diamond timed out.
    pub status_check_accessibility: bool,
    /// Shows a dot on every item that says whether its host replies to pings (ICMP); an item's own `pingCheckEnabled`
    /// overrides this.
    pub ping_check_enabled: bool,
    /// Seconds between two pings; 0 means once per page load. 1 to 4 act as 5, and 86400 is the maximum.
    #[config(read = |seconds| seconds.number().map_or(0, interval))]
    pub ping_check_interval: u32,
    /// The same as `statusCheckAccessibility`, for both kinds of dots.
    pub ping_check_accessibility: bool,
    /// How many packets a ping sends, at most 5; 0 means 3.
    #[config(read = |count| count.number().map_or(0, ping_count))]
    pub ping_check_count: u32,
    /// Seconds to wait for the reply to each packet, at most 10; 0 means 2.
    #[config(read = |seconds| seconds.number().map_or(0, ping_timeout))]
    pub ping_check_timeout: u32,
    /// How items without a `target` open: in a new tab, in the same one, in the frame around the dashboard, in the
    /// outermost frame, in a pop-up on the page, in the workspace view, as a copied address, or in a window of their
    /// own. In the workspace view items open there, unless their own `target` says otherwise.
    #[config(
        key = "defaultOpeningMethod",
        old_key("openingMethod", "was never a field; it acts as `defaultOpeningMethod`")
    )]
    pub opening_method: OpeningMethod,
    /// Address that the workspace view opens first.
    #[config(read = read_address, examples("https://start.example"))]
    pub workspace_landing_url: Option<String>,
    /// Keeps sites loaded in the background while another one is open in the workspace view.
    pub enable_multi_tasking: bool,
    /// What Enter in the search box does when no item is selected.
    pub web_search: WebSearch,
    /// Changes cannot be saved to this file from the page.
    #[config(
        read_entry = read_prevent_write,
        old_key("allowConfigEdit", "was replaced by `preventWriteToDisk`", Rule::Flag)
    )]
    pub prevent_write_to_disk: bool,
    /// Drafts cannot be saved locally in a browser, and local configs are not shown.
    #[config(read = |switch| switch.restricts())]
    pub prevent_local_save: bool,
    /// Turns viewing and editing the config on the page off for all viewers, admins included.
    #[config(read = |switch| switch.restricts())]
    pub disable_configuration: bool,
    /// Only admins can view or edit the config on the page.
    #[config(read = |switch| switch.restricts())]
    pub disable_configuration_for_non_admin: bool,
    /// Acts as if every widget had `useProxy: true`.
    pub widgets_always_use_proxy: bool,
    /// Installs the offline worker: the dashboard then opens without its server, and can be installed as an app. Needs
    /// HTTPS.
    pub enable_service_worker: bool,
    /// When the login of a proxy in front of the dashboard has expired, the offline worker lets its login page through,
    /// and the page reloads once.
    pub enable_auth_proxy_compat: bool,
    /// Does not check for newer versions.
    pub disable_update_checks: bool,
    /// Where admins can keep encrypted copies of the config: the address of an endpoint of your own that speaks the
    /// protocol of Dashy's cloud backups. It must allow requests from the address of the dashboard (CORS).
    #[config(read = read_endpoint, examples("https://backup.example/dashy"))]
    pub backup_endpoint: Option<String>,
    /// Where messages go when the service of an item fails and when it recovers. While there is a target, all items with status checks
    /// are checked, whether or not a page is open. Only the main file counts.
    pub alerts: Vec<AlertTarget>,
    /// Docker and Podman engines and Kubernetes clusters whose services are found by their labels. Only the main file counts.
    pub discovery: Vec<DiscoverySource>,
    /// Who may see the dashboard. Only the main file counts.
    #[config(
        rule = Rule::ShapeOrOldList(Auth::SHAPE, UserEntry::SHAPE, "users"),
        preset = Preset::EmptyMapping,
        elsewhere
    )]
    pub auth: Auth,
}

/// What a viewer may do with the config in the UI (docs/spec/config.md 5.8).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Permissions {
    /// May see the config and the editor.
    pub view_config: bool,
    /// May save in their own browser.
    pub save_locally: bool,
    /// May save to disk.
    pub save_to_disk: bool,
}

words!(View: "home" => Home, "minimal" => Minimal, "workspace" => Workspace, "default" => Home);
words!(
    Layout: "auto" => Auto, "horizontal" => Horizontal, "vertical" => Vertical, "masonry" => Masonry, "sidebar" => Auto
);
words!(
    PageColumns:
    "narrow-full-narrow" => NarrowFullNarrow, "narrow-full" => NarrowFull, "full-narrow" => FullNarrow, "full-full" => FullFull
);
words!(Density: "compact" => Compact, "comfortable" => Comfortable, "showcase" => Showcase, "auto" => Auto);
words!(FaviconService: FaviconService::WORDS);

const FONT_AWESOME_KEY: TextFormat = TextFormat {
    must: "must be 10 lower-case letters and digits",
    patterns: &[Pattern::Characters(10, &[('a', 'z'), ('0', '9')])],
};

/// The clearer words for the same sizes (docs/spec/config.md 5.1).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Density {
    /// Rows: icon, title, site.
    Compact,
    /// Cards: icon at the left, title and one line of description.
    #[default]
    Comfortable,
    /// Large cards: icon above the title and the description.
    Showcase,
    /// Cards, with larger text on screens that people sit farther away from.
    Auto,
}

impl Density {
    /// The size of the tiles.
    pub fn size(self) -> TileSize {
        match self {
            Self::Compact => TileSize::Small,
            Self::Comfortable | Self::Auto => TileSize::Medium,
            Self::Showcase => TileSize::Large,
        }
    }
}

impl AppConfig {
    /// The size of the tiles: `density`, or else `iconSize`.
    pub fn tile_size(&self) -> TileSize {
        self.density.map_or(self.icon_size, Density::size)
    }

    /// What a viewer may do with the config in the UI (docs/spec/config.md 5.8, docs/spec/behavior.md 19.5 and 19.6).
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

/// Icons are never loaded from other hosts, so a kit cannot work; people who set one are warned.
fn read_font_awesome_key(cursor: &Cursor<'_>) -> Option<String> {
    let key = cursor.filled_text().filter(|key| FONT_AWESOME_KEY.fits(key))?;
    cursor.warn(
        ProblemKind::Legacy,
        "has no effect: no scripts of other hosts are loaded; names of Pro icons show the free icon of that name",
        None,
    );
    Some(key)
}

/// An address to which browsers send requests.
fn read_endpoint(cursor: &Cursor<'_>) -> Option<String> {
    let endpoint = address::web(&cursor.filled_text()?);
    if endpoint.is_none() {
        let message = "an address that begins with `https://` or `http://` is expected";
        cursor.warn(ProblemKind::Malformed, message, Effect::Ignored);
    }
    endpoint
}

/// A language tag as browsers write it; people write `cn` for Chinese.
fn read_language(cursor: &Cursor<'_>) -> Option<String> {
    let tag = cursor.filled_text()?;
    Some(if tag.eq_ignore_ascii_case("cn") { "zh-CN".to_owned() } else { tag.replace('_', "-") })
}

fn read_prevent_write(app: &Cursor<'_>) -> bool {
    app.key("preventWriteToDisk").restricts() || forbids_editing(&app.key("allowConfigEdit"))
}

/// Whether the old switch forbids editing; it also does if it cannot be read.
fn forbids_editing(cursor: &Cursor<'_>) -> bool {
    !cursor.is_null() && cursor.flag() != Some(true)
}
