//! The text of a config file for people who may view but not write (docs/spec/config.md 10, docs/spec/behavior.md 22).
//!
//! What they get is listed here, key by key. A key that is not listed stays on the server, whatever its value: this is
//! how options of widgets, accounts, status checks, and fields that do not exist yet stay private.

use serde_json::{Map, Value, json};

use crate::{
    address::without_user,
    document::{Document, print},
    model::{PageSource, visibility_of},
    viewer::Viewer,
};

/// The public part of a value.
#[derive(Clone, Copy)]
enum Public {
    /// A text, a number or a boolean, or a list of these.
    Plain,
    /// The address of a picture or a style sheet, or a list of them, without user, query and fragment. The server loads
    /// it, so nobody else needs those parts, which may contain a key.
    Address,
    /// The file of a page. The address of a remote page may contain a key in any part.
    PageFile,
    /// A mapping with freely chosen keys, such as names of themes, and plain values.
    Names,
    /// A mapping, reduced to these keys.
    Mapping(PublicFields),
    /// A list of mappings, each reduced to these keys.
    Mappings(PublicFields),
    /// The same for mappings with visibility rules: only those that the viewer sees.
    Entries(PublicFields),
}

type PublicFields = &'static [(&'static str, Public)];

use Public::{Address, Entries, Mapping, Mappings, Names, PageFile, Plain};

const CONFIG: PublicFields = &[
    ("pageInfo", Mapping(PAGE_INFO)),
    ("appConfig", Mapping(APP_CONFIG)),
    ("pages", Entries(&[("name", Plain), ("path", PageFile)])),
    ("sections", Entries(SECTION)),
];

const PAGE_INFO: PublicFields = &[
    ("title", Plain),
    ("description", Plain),
    ("navLinks", Mappings(&[("title", Plain), ("path", Plain), ("target", Plain)])),
    ("footer", Plain),
    ("footerText", Plain),
    ("logo", Address),
    ("favicon", Address),
    ("color", Plain),
];

const APP_CONFIG: PublicFields = &[
    ("startingView", Plain),
    ("layout", Plain),
    ("columns", Plain),
    ("density", Plain),
    ("iconSize", Plain),
    ("monochromeIcons", Plain),
    ("colCount", Plain),
    ("contentMaxWidth", Plain),
    ("language", Plain),
    (
        "hideComponents",
        Mapping(&[
            ("hideHeading", Plain),
            ("hideNav", Plain),
            ("hideSearch", Plain),
            ("hideSettings", Plain),
            ("hideFooter", Plain),
        ]),
    ),
    ("showSplashScreen", Plain),
    ("disableContextMenu", Plain),
    ("disableSmartSort", Plain),
    ("theme", Plain),
    ("dayTheme", Plain),
    ("nightTheme", Plain),
    ("backgroundImg", Address),
    ("cssThemes", Plain),
    ("customColors", Names),
    ("externalStyleSheet", Address),
    ("customCss", Plain),
    ("defaultIcon", Address),
    ("faviconApi", Plain),
    ("enableFontAwesome", Plain),
    ("enableMaterialDesignIcons", Plain),
    ("statusCheck", Plain),
    ("statusCheckInterval", Plain),
    ("statusCheckCertificateDays", Plain),
    ("statusCheckAccessibility", Plain),
    ("defaultOpeningMethod", Plain),
    ("openingMethod", Plain),
    ("workspaceLandingUrl", Plain),
    ("enableMultiTasking", Plain),
    (
        "webSearch",
        Mapping(&[
            ("disableWebSearch", Plain),
            ("searchEngine", Plain),
            ("customSearchEngine", Plain),
            ("openingMethod", Plain),
            ("openUrlsDirectly", Plain),
            ("searchBangs", Names),
        ]),
    ),
    ("preventWriteToDisk", Plain),
    ("preventLocalSave", Plain),
    ("disableConfiguration", Plain),
    ("disableConfigurationForNonAdmin", Plain),
    ("allowConfigEdit", Plain),
    ("enableServiceWorker", Plain),
    ("enableAuthProxyCompat", Plain),
    ("disableUpdateChecks", Plain),
    ("auth", Mapping(AUTH)),
];

/// How to sign in, which a program must know beforehand. Who may sign in stays on the server.
const AUTH: PublicFields = &[
    ("enableGuestAccess", Plain),
    ("enableOidc", Plain),
    (
        "oidc",
        Mapping(&[
            ("clientId", Plain),
            ("endpoint", Plain),
            ("scope", Plain),
            ("adminGroup", Plain),
            ("adminRole", Plain),
            ("enableSilentRenew", Plain),
            ("showLoginPage", Plain),
            ("postLogoutRedirectUri", Plain),
            ("disableServerSideCheck", Plain),
        ]),
    ),
    ("enableHeaderAuth", Plain),
    ("enableKeycloak", Plain),
    (
        "keycloak",
        Mapping(&[
            ("serverUrl", Plain),
            ("realm", Plain),
            ("clientId", Plain),
            ("idpHint", Plain),
            ("legacySupport", Plain),
            ("adminGroup", Plain),
            ("adminRole", Plain),
        ]),
    ),
];

const SECTION: PublicFields = &[
    ("name", Plain),
    ("icon", Address),
    ("items", Entries(ITEM)),
    ("widgets", Mappings(WIDGET)),
    (
        "displayData",
        Mapping(&[
            ("sortBy", Plain),
            ("collapsed", Plain),
            ("cutToHeight", Plain),
            ("color", Plain),
            ("customStyles", Plain),
            ("itemSize", Plain),
            ("rows", Plain),
            ("column", Plain),
            ("cols", Plain),
            ("sectionLayout", Plain),
            ("layout", Plain),
            ("itemCountX", Plain),
            ("itemCountY", Plain),
            ("hideFromWorkspace", Plain),
        ]),
    ),
];

const ITEM: PublicFields = &[
    ("title", Plain),
    ("description", Plain),
    ("icon", Address),
    ("url", Plain),
    ("localUrl", Plain),
    ("localUrlTimeout", Plain),
    ("localUrlCheckInterval", Plain),
    ("target", Plain),
    ("hotkey", Plain),
    ("rel", Plain),
    ("tags", Plain),
    ("provider", Plain),
    ("statusCheck", Plain),
    ("statusCheckInterval", Plain),
    ("statusCheckCertificateDays", Plain),
    ("color", Plain),
    ("backgroundColor", Plain),
    ("displayData", Mapping(&[("hideFromWorkspace", Plain), ("hideFromHomepage", Plain)])),
    ("subItems", Mappings(SUB_ITEM)),
];

const SUB_ITEM: PublicFields = &[
    ("title", Plain),
    ("url", Plain),
    ("localUrl", Plain),
    ("icon", Address),
    ("target", Plain),
    ("color", Plain),
    ("backgroundColor", Plain),
];

/// The server makes the panel of a widget, so nobody else needs its options.
const WIDGET: PublicFields = &[
    ("type", Plain),
    ("label", Plain),
    ("updateInterval", Plain),
    ("ignoreErrors", Plain),
    ("place", Plain),
    ("tab", Plain),
    ("hideControls", Plain),
    ("class", Plain),
    ("id", Plain),
];

impl Document {
    /// The config as text for a viewer. An admin gets everything; but the server sends admins the file's own bytes,
    /// with comments. Others get what a page needs: without pages, sections and items that are hidden from them, and
    /// without options of widgets, accounts, visibility rules, status checks and unknown keys.
    pub fn text_for(&self, viewer: &Viewer) -> String {
        match viewer {
            Viewer::Admin(_) => self.print(),
            Viewer::Anonymous => print(&self.how_to_sign_in()),
            Viewer::Guest | Viewer::User(_) => {
                let public = reduced(self.value(), Mapping(CONFIG), viewer);
                print(&public.unwrap_or_else(|| json!({})))
            }
        }
    }

    /// The config as text for a browser that has not signed in yet (docs/spec/behavior.md 19.4): how to sign in, and
    /// the title. `timestamp` is in milliseconds since 1970.
    pub fn bootstrap_text(&self, timestamp: u64) -> String {
        let mut value = self.how_to_sign_in();
        if let Some(mapping) = value.as_object_mut() {
            mapping.insert("_bootstrap".to_owned(), json!({ "authenticated": false, "timestamp": timestamp }));
        }
        print(&value)
    }

    fn how_to_sign_in(&self) -> Value {
        let keys: PublicFields =
            &[("auth", Mapping(AUTH)), ("enableServiceWorker", Plain), ("enableAuthProxyCompat", Plain)];
        let app = self.value().get("appConfig").and_then(|app| reduced(app, Mapping(keys), &Viewer::Anonymous));
        let title = self.value().get("pageInfo").and_then(|info| info.get("title"));
        let title = title.and_then(|title| reduced(title, Plain, &Viewer::Anonymous));
        json!({ "pageInfo": { "title": title }, "appConfig": app.unwrap_or_else(|| json!({})) })
    }
}

/// The public part of a value; `None` if the value has the wrong type for its field.
fn reduced(value: &Value, public: Public, viewer: &Viewer) -> Option<Value> {
    let list = |keys, sees: &dyn Fn(&Value) -> bool| {
        let entries = value.as_array()?.iter().filter(|entry| sees(entry));
        Some(entries.filter_map(|entry| reduced(entry, Mapping(keys), viewer)).collect())
    };
    match public {
        Plain => each_scalar(value, &Value::clone),
        Address => each_scalar(value, &|scalar| match scalar {
            Value::String(address) => without_query(address).into(),
            other => other.clone(),
        }),
        PageFile => match value.as_str().map(PageSource::parse) {
            Some(PageSource::File(_)) => Some(value.clone()),
            Some(PageSource::Remote(_)) | None => None,
        },
        Names => match value {
            Value::Object(mapping) => {
                let pairs =
                    mapping.iter().filter_map(|(key, value)| Some((key.clone(), reduced(value, Names, viewer)?)));
                Some(Value::Object(pairs.collect()))
            }
            other => each_scalar(other, &Value::clone),
        },
        Mapping(keys) => {
            let known = |key: &str| keys.iter().find(|(known, _)| *known == key).map(|(_, public)| *public);
            let pairs = value.as_object()?.iter();
            let public: Map<_, _> =
                pairs.filter_map(|(key, value)| Some((key.clone(), reduced(value, known(key)?, viewer)?))).collect();
            Some(Value::Object(public))
        }
        Mappings(keys) => list(keys, &|_| true),
        Entries(keys) => list(keys, &|entry| entry.is_object() && viewer.sees(&visibility_of(entry))),
    }
}

/// Applies a function to a scalar, or to each element of a list of scalars; `None` for anything else.
fn each_scalar(value: &Value, change: &dyn Fn(&Value) -> Value) -> Option<Value> {
    let is_scalar = |value: &Value| !value.is_array() && !value.is_object();
    match value {
        Value::Array(list) => list.iter().all(is_scalar).then(|| list.iter().map(change).collect()),
        scalar => is_scalar(scalar).then(|| change(scalar)),
    }
}

/// The address of a picture or a style sheet without the parts that may be secret. Names of icons are unchanged.
fn without_query(address: &str) -> String {
    let is_data = address.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"));
    if is_data || !address.contains(['/', '.']) {
        return address.to_owned();
    }
    let end = address.find(['?', '#']).unwrap_or(address.len());
    without_user(&address[..end])
}
