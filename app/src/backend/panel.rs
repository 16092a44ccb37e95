//! What pages and the server tell each other about panels.

use serde::{Deserialize, Serialize};

/// The position of a widget on a page. It contains no address of a service: the server finds that itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WidgetAddress {
    /// Slug of the page; `home` for the root config.
    pub page: String,
    /// Position of the section in the file, counting hidden ones.
    pub section: usize,
    /// Position of the widget in the section's list.
    pub widget: usize,
    /// Our name of its type, so that a page older than the config does not get the panel of a different widget.
    pub kind: String,
}

/// What the browser already has of a panel, and facts about the viewer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PanelQuery {
    /// Version of the panel that is on the screen.
    pub seen: Option<u64>,
    /// Whether the user asked for a refresh.
    pub force: bool,
    /// Language of the browser as a BCP 47 tag.
    pub locale: Option<String>,
    /// Time zone of the browser as an IANA name.
    pub zone: Option<String>,
}

/// The state of a panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PanelState {
    /// The service has not responded yet; ask again later.
    #[default]
    Pending,
    /// The panel is current.
    Content,
    /// The last panel that could be loaded; the note says why there is no newer one.
    Stale,
    /// There is no panel; the note says why.
    Error,
    /// The options are wrong, or the page is older than the config; asking again is pointless.
    Broken,
}

impl PanelState {
    /// The word of the attribute `data-state`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "loading",
            Self::Content => "content",
            Self::Stale => "stale",
            Self::Error => "error",
            Self::Broken => "broken",
        }
    }

    /// The state for its word in JSON.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        match word {
            "pending" => Some(Self::Pending),
            "content" => Some(Self::Content),
            "stale" => Some(Self::Stale),
            "error" => Some(Self::Error),
            "broken" => Some(Self::Broken),
            _ => None,
        }
    }
}

/// A rendered panel, as sent to a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelResponse {
    /// The state of the panel.
    pub state: PanelState,
    /// Distinguishes this panel from others in the same slot; 0 if there is none.
    pub version: u64,
    /// The inner markup of the panel's element; `None` if the browser has this version, or there is no panel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// A sentence for the user: why there is nothing, or nothing new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Further details for people who look for the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// When the panel was fetched, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// Seconds until it is worth asking again; `None` means never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

/// A request that the browser sends, because the response depends on where it comes from. It contains no secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserRequest {
    /// Identifies the request within one refresh.
    pub id: String,
    /// The HTTP method.
    pub method: String,
    /// The full address.
    pub url: String,
    /// Names and values of the headers.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Timeout in milliseconds, from the start to the last byte of the response.
    pub timeout: u32,
    /// Maximum number of bytes of the response.
    pub max_bytes: u32,
}

/// The result of a [`BrowserRequest`], reported by a browser, so it is not trusted any more than the service itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct BrowserResponse {
    /// The id of the request.
    pub id: String,
    /// The status of the response.
    pub status: u16,
    /// Names and values of the headers that the page may read.
    pub headers: Vec<(String, String)>,
    /// The body of the response as text.
    pub body: String,
    /// Why there is no response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<BrowserFailure>,
}

/// Why a request of a browser failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BrowserFailure {
    /// The device is offline.
    Offline,
    /// There was no response.
    Unreachable,
    /// There is a response, but the browser does not let the page read it.
    Blocked,
    /// The request timed out.
    TimedOut,
    /// The response was too large.
    TooLarge,
    /// The response broke off.
    BrokenOff,
}

impl BrowserFailure {
    /// The word in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Unreachable => "unreachable",
            Self::Blocked => "blocked",
            Self::TimedOut => "timed-out",
            Self::TooLarge => "too-large",
            Self::BrokenOff => "broken-off",
        }
    }
}

/// The state of a refresh for which the browser sends requests: either there are some, or there is the panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BrowserRefresh {
    /// The requests to send; their responses come with the next call, together with all earlier ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<BrowserRequest>,
    /// When the refresh began, in milliseconds since 1970; repeated in the next call.
    pub began: i64,
    /// The panel, or why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<PanelResponse>,
}
