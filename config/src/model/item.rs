//! An item and its sub-items (docs/spec/config.md 8).

use serde_json::Value;

use super::{
    accept_codes::accept_codes,
    block::{Block, Described},
    cursor::{Cursor, brief},
    display_data::ItemDisplayData,
    figures::{Figures, written_figures},
    page_info::{COLOR, read_color},
    words::words,
};
use crate::{
    address::{self, Address},
    dashboard::OpeningMethod,
    effect::Effect,
    icon::Icon,
    problem::ProblemKind,
};

/// How long browsers wait for the local address of an item if the config does not say so, in milliseconds.
pub const LOCAL_TIMEOUT: u32 = 1_500;

/// A tile that opens something; or, with `subItems`, a group of small tiles.
///
/// Some versions write more keys next to `localUrl` that control how they probe it.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(
    name = "an item",
    other_keys = "localUrl",
    old("id", "is generated, and used here only by `sortBy: item-id`"),
    old("alias", "has no effect: items have no address of their own")
)]
pub struct Item {
    /// Zero-based position in the list, counting broken items before it.
    #[config(computed = |entry| entry.index())]
    pub index: usize,
    /// The `id` in the file, by which items can be sorted.
    #[config(computed = |entry| entry.quiet().key("id").filled_text().map(String::into_boxed_str))]
    pub written_id: Option<Box<str>>,
    /// Text of the tile, on one line.
    #[config(required)]
    pub title: String,
    /// Tooltip, and visible text of large tiles. The search finds it.
    #[config(nullable)]
    pub description: Option<String>,
    /// Picture of the tile. A tile without one is text only.
    #[config(nullable, unset = "`appConfig.defaultIcon`")]
    pub icon: Option<Icon>,
    /// What the tile opens. `http://` is added if the scheme is missing. Other schemes such as `mailto:` or `ssh:` work
    /// too, except those that run code. A tile without an address does nothing.
    #[config(read = read_address, examples("https://nas.example", "nas.lan:8080", "mailto:anna@example.com"))]
    pub url: Option<String>,
    /// A second address, opened instead of `url` while the browser can reach it, for example at home.
    #[config(read = read_address, examples("http://192.168.1.10:8096"))]
    pub local_url: Option<String>,
    /// Milliseconds within which `localUrl` must respond.
    #[config(
        read = read_local_timeout,
        limit = ReadLimit::Clamped((300, 5_000)),
        preset = Preset::Number(LOCAL_TIMEOUT)
    )]
    pub local_url_timeout: u32,
    /// Seconds between two attempts to reach `localUrl`; 0 means only when the page is opened and when its tab comes to
    /// the front. 300 is the maximum.
    #[config(read = |seconds| seconds.number().map_or(0, |seconds| seconds.clamp(0.0, 300.0) as u32))]
    pub local_url_check_interval: u32,
    /// How the tile opens; see `defaultOpeningMethod`.
    #[config(nullable, unset = "`appConfig.defaultOpeningMethod`")]
    pub target: Option<OpeningMethod>,
    /// Digit key that opens the item.
    #[config(range(0, 9), read = read_hotkey)]
    pub hotkey: Option<u8>,
    /// The `rel` attribute of the link.
    #[config(default = "noopener noreferrer")]
    pub rel: Option<String>,
    /// Additional words by which the search finds the item; they are not shown.
    #[config(max = 12, read = read_tags)]
    pub tags: Vec<String>,
    /// Who runs the service. Shown in the tooltip; the search finds it.
    pub provider: Option<String>,
    /// Settings of its status check. Boxed, because most items have none, and there may be thousands.
    #[config(flatten, read_entry = StatusCheck::of_item)]
    pub status: Option<Box<StatusCheck>>,
    /// Settings of its pings. Boxed for the same reason.
    #[config(flatten, read_entry = PingCheck::of_item)]
    pub ping: Option<Box<PingCheck>>,
    /// Container whose state the tile shows, such as `films`, or `nas/films` for the source `nas` of
    /// `appConfig.discovery`. The state takes the place of the status check, unless `statusCheck` is `true`.
    #[config(nullable, examples("films", "nas/films"))]
    pub container: Option<String>,
    /// Color of text and glyph.
    #[config(rule = Rule::Kind(&COLOR), read = read_color, unset = "from the theme")]
    pub color: Option<String>,
    /// Background of the tile.
    #[config(rule = Rule::Kind(&COLOR), read = read_color, unset = "from the theme")]
    pub background_color: Option<String>,
    /// Who sees the item.
    #[config(key = "displayData", read_entry = ItemDisplayData::of_item)]
    pub display: ItemDisplayData,
    /// Hides the item from people who are not signed in. The same as `displayData.hideForGuests`.
    ///
    /// It is read into `display`.
    #[config(elsewhere)]
    pub hide_for_guests: Described<bool>,
    /// Live figures of the service, in the tile.
    #[config(elsewhere)]
    pub figures: Described<Vec<Figures>>,
    /// The same as one entry of `figures`, as Homepage's users write it.
    #[config(elsewhere)]
    pub widget: Described<Figures>,
    /// The same as `figures`, as Homepage's users write it.
    #[config(elsewhere)]
    pub widgets: Described<Vec<Figures>>,
    /// How many entries with figures it has.
    #[config(computed = |entry| written_figures(entry.value()).len())]
    pub figure_groups: usize,
    /// Where it was found, if it is in no file.
    #[config(computed = |_| None)]
    pub found: Option<Box<FoundItem>>,
    /// Makes the item a group: a block of small tiles under its title. The item's own address, icon and status check
    /// are then unused.
    pub sub_items: Vec<SubItem>,
}

/// How the status of an item is checked.
#[derive(Clone, Debug, PartialEq, Block)]
pub struct StatusCheck {
    /// Shows a dot on the tile that says whether the service responds.
    #[config(key = "statusCheck", unset = "`appConfig.statusCheck`")]
    pub enabled: Option<bool>,
    /// Address to check instead of `url`. `tcp://nas.lan:22` only opens a connection to a port.
    #[config(
        key = "statusCheckUrl",
        read = read_address,
        unset = "`url`",
        examples("https://nas.example/api/health", "tcp://nas.lan:22")
    )]
    pub url: Option<String>,
    /// Additional headers of the request. Example: `{ Accept: application/json }`.
    #[config(key = "statusCheckHeaders", read = read_headers)]
    pub headers: Vec<(String, String)>,
    /// Accepts any TLS certificate, including expired and self-signed ones.
    #[config(key = "statusCheckAllowInsecure")]
    pub allow_insecure: bool,
    /// HTTP codes that count as up, besides the usual ones: single codes, classes and ranges, separated by commas. Put
    /// the value in quotes.
    ///
    /// Inclusive ranges.
    #[config(
        key = "statusCheckAcceptCodes",
        rule = Rule::Text,
        read = read_accept_codes,
        examples("401,403", "2xx", "200-299")
    )]
    pub accept_codes: Vec<(u16, u16)>,
    /// Maximum number of redirects to follow.
    #[config(key = "statusCheckMaxRedirects", unset = "up to 5")]
    pub max_redirects: Option<u32>,
    /// Seconds between two checks; 0 means once per page load. 1 to 4 act as 5, and 86400 is the maximum.
    #[config(
        key = "statusCheckInterval",
        read = |seconds| seconds.number().map(interval),
        unset = "`appConfig.statusCheckInterval`"
    )]
    pub interval: Option<u32>,
    /// Warns that the TLS certificate ends within this many days; 0 means never, and 365 is the maximum.
    #[config(
        key = "statusCheckCertificateDays",
        read = |days| days.number().map(certificate_days),
        unset = "`appConfig.statusCheckCertificateDays`"
    )]
    pub certificate_days: Option<u32>,
}

/// What an item has besides the fields of the file if discovery found it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundItem {
    /// The title of the source.
    pub source: String,
    /// Whether its container was removed.
    pub is_removed: bool,
    /// Its entries with figures, as in [`written_figures`].
    pub figures: Vec<Value>,
    /// The environment variables that these may name.
    pub allowed_variables: Vec<String>,
}

/// How the host of an item is pinged.
#[derive(Clone, Debug, PartialEq, Block)]
pub struct PingCheck {
    /// Shows a dot on the tile that says whether the host replies to pings.
    #[config(key = "pingCheckEnabled", unset = "`appConfig.pingCheckEnabled`")]
    pub enabled: Option<bool>,
    /// Host to ping instead of the one of `url`.
    #[config(key = "pingCheckHost", unset = "the host of `url`", examples("nas.lan", "192.168.1.10"))]
    pub host: Option<String>,
    /// Seconds between two pings; 0 means once per page load. 1 to 4 act as 5, and 86400 is the maximum.
    #[config(
        key = "pingCheckInterval",
        read = |seconds| seconds.number().map(interval),
        unset = "`appConfig.pingCheckInterval`"
    )]
    pub interval: Option<u32>,
    /// How many packets a ping sends, at most 5; 0 means 3.
    #[config(key = "pingCheckCount", read = |count| count.number().map(ping_count), unset = "`appConfig.pingCheckCount`")]
    pub count: Option<u32>,
    /// Seconds to wait for the reply to each packet, at most 10; 0 means 2.
    #[config(
        key = "pingCheckTimeout",
        read = |seconds| seconds.number().map(ping_timeout),
        unset = "`appConfig.pingCheckTimeout`"
    )]
    pub timeout: Option<u32>,
}

/// A small tile in a group.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "a sub-item", other_keys)]
pub struct SubItem {
    /// Zero-based position in the list, counting broken sub-items before it.
    #[config(computed = |entry| entry.index())]
    pub index: usize,
    /// Tooltip, and the text of a tile without an icon.
    pub title: String,
    /// More text in the tooltip.
    #[config(nullable)]
    pub description: Option<String>,
    /// What the tile opens, as for an item.
    #[config(read = read_address)]
    pub url: Option<String>,
    /// A second address, opened instead of `url` while the browser can reach it.
    #[config(read = read_address)]
    pub local_url: Option<String>,
    /// Picture of the tile.
    #[config(nullable, unset = "`appConfig.defaultIcon`")]
    pub icon: Option<Icon>,
    /// How the tile opens; see `defaultOpeningMethod`.
    #[config(nullable, unset = "`appConfig.defaultOpeningMethod`")]
    pub target: Option<OpeningMethod>,
    /// The `rel` attribute of the link.
    #[config(default = "noopener noreferrer")]
    pub rel: Option<String>,
    /// Color of text and glyph.
    #[config(rule = Rule::Kind(&COLOR), read = read_color, unset = "from the theme")]
    pub color: Option<String>,
    /// Background of the tile.
    #[config(rule = Rule::Kind(&COLOR), read = read_color, unset = "from the theme")]
    pub background_color: Option<String>,
}

words!(
    OpeningMethod:
    "newtab" => NewTab, "sametab" => SameTab, "parent" => Parent, "top" => Top, "modal" => Modal,
    "workspace" => Workspace, "clipboard" => Clipboard, "newwindow" => NewWindow
);

impl StatusCheck {
    fn of_item(item: &Cursor<'_>) -> Option<Box<Self>> {
        let read = Self::read(item);
        (read != Self::default()).then(|| Box::new(read))
    }
}

impl PingCheck {
    fn of_item(item: &Cursor<'_>) -> Option<Box<Self>> {
        let read = Self::read(item);
        (read != Self::default()).then(|| Box::new(read))
    }
}

/// How many packets a ping sends; 0 for the usual number.
pub(super) fn ping_count(count: f64) -> u32 {
    // The clamped value fits.
    count.clamp(0.0, 5.0) as u32
}

/// Days before the end of a certificate; 0 for no warning.
pub(super) fn certificate_days(days: f64) -> u32 {
    // The clamped value fits.
    days.clamp(0.0, 365.0) as u32
}

/// Seconds to wait for the reply to a packet; 0 for the usual time.
pub(super) fn ping_timeout(seconds: f64) -> u32 {
    if seconds <= 0.0 { 0 } else { seconds.clamp(1.0, 10.0) as u32 }
}

/// Seconds between two status checks: below 1 means only once, otherwise from 5 seconds to a day.
pub(super) fn interval(seconds: f64) -> u32 {
    // The clamped value fits.
    if seconds < 1.0 { 0 } else { seconds.clamp(5.0, 86_400.0) as u32 }
}

/// An address that a user opens.
pub(super) fn read_address(cursor: &Cursor<'_>) -> Option<String> {
    match address::parse(&cursor.filled_text()?) {
        Address::Safe(address) => {
            if let Some(problem) = address::problem(&address) {
                cursor.warn(ProblemKind::Malformed, format!("no browser can open this address: {problem}"), None);
            }
            Some(address)
        }
        Address::Refused => {
            cursor.warn(ProblemKind::Refused, "this kind of address runs code in the page", Effect::Ignored);
            None
        }
    }
}

fn read_local_timeout(cursor: &Cursor<'_>) -> u32 {
    // The clamped value fits.
    cursor.number().map_or(LOCAL_TIMEOUT, |milliseconds| milliseconds.clamp(300.0, 5_000.0) as u32)
}

fn read_hotkey(cursor: &Cursor<'_>) -> Option<u8> {
    let number = cursor.number()?;
    let digit = (0..=9).find(|digit| f64::from(*digit) == number);
    if digit.is_none() {
        cursor.warn(ProblemKind::OutOfRange, format!("must be a digit, not {number}"), Effect::Ignored);
    }
    digit
}

/// Tags: a list, or a text with commas.
fn read_tags(cursor: &Cursor<'_>) -> Vec<String> {
    let tags = cursor.texts();
    if cursor.value().is_string() {
        tags.iter()
            .flat_map(|text| text.split(','))
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
            .map(Into::into)
            .collect()
    } else {
        tags
    }
}

/// Headers: a mapping, or one header as `Name: value`.
fn read_headers(cursor: &Cursor<'_>) -> Vec<(String, String)> {
    let Some(line) = cursor.value().as_str() else { return cursor.text_pairs() };
    match line.split_once(':') {
        Some((name, value)) => {
            cursor.warn(ProblemKind::WrongType, "should be a mapping, not text", Effect::UsedAsOneHeader);
            vec![(name.trim().to_owned(), value.trim().to_owned())]
        }
        None if line.trim().is_empty() => Vec::new(),
        None => cursor.text_pairs(),
    }
}

/// Codes separated by commas or spaces: `401`, `2xx`, `200-299`. Stray quotes are stripped; anything else is ignored.
fn read_accept_codes(cursor: &Cursor<'_>) -> Vec<(u16, u16)> {
    let (codes, wrong) = accept_codes(&cursor.text().unwrap_or_default());
    if !wrong.is_empty() {
        let wrong = brief(&wrong.join(", "));
        let message = format!("`{wrong}` is not a status code such as 401, 2xx or 200-299");
        cursor.warn(ProblemKind::Malformed, message, Effect::Ignored);
    }
    codes
}
