//! The manifest of the installed app, made of `pageInfo`, for the viewer who asks: the shortcuts are the pages that they see.

use app::PRODUCT;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use config::{Dashboard, PageRequest, PageView, Viewer, dashboard::Styles};
use http::{Extensions, HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use themes::{Scheme, theme_color};

use super::Switches;
use crate::{
    access,
    platform::assets::etag,
    routes::{headers::is_unchanged, portico::Portico},
};

/// Longest name below an icon, in characters.
const SHORT: usize = 12;
/// Most pages among the shortcuts; browsers show four.
const MAX_SHORTCUTS: usize = 10;

/// The manifest, unless the worker is off or there is no config to make it of.
pub fn manifest(portico: &Portico, asker: &Extensions, request: &HeaderMap) -> Option<Response> {
    let site = portico.store.site();
    let root = site.root.as_ref().filter(|_| Switches::of(&site).worker)?;
    // Those who are not signed in learn what the login page tells as well.
    let viewer = access::viewer(asker).unwrap_or(Viewer::Anonymous);
    let page = PageRequest { base: &portico.settings.base, ..PageRequest::default() };
    let view = Dashboard::for_viewer(&root.config, &viewer, &page, &portico.icons).ok()?;
    let base = &portico.settings.base;
    let is_seen = |page: &&config::model::page::Page| viewer != Viewer::Anonymous && viewer.sees(&page.visibility);
    let pages = root.config.pages.iter().filter(is_seen).take(MAX_SHORTCUTS);
    let shortcuts: Vec<Value> = pages
        .map(|page| json!({ "name": page.name, "url": format!("{base}/home/{}", page.key().trim_end_matches('-')) }))
        .collect();
    let text = Bytes::from(of(&view, base, shortcuts).to_string());
    let tag = etag(&text);
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/manifest+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("Authorization, Cookie"));
    headers.insert(header::ETAG, tag.clone());
    if is_unchanged(request, &tag) {
        return Some((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    Some((headers, text).into_response())
}

fn of(PageView { dashboard, styles }: &PageView, base: &str, shortcuts: Vec<Value>) -> Value {
    let home = format!("{base}/");
    let name = if dashboard.title.is_empty() { PRODUCT } else { &dashboard.title };
    let [day, _] = grounds(dashboard, styles);
    let mut manifest = json!({
        "id": home,
        "start_url": home,
        "scope": home,
        "name": name,
        "short_name": short(name),
        "display": "standalone",
        "theme_color": dashboard.color.as_ref().unwrap_or(&day),
        "background_color": day,
        "lang": dashboard.look.language.as_deref().unwrap_or("en"),
        "icons": icons(dashboard, base),
    });
    if let Some(description) = &dashboard.description {
        manifest["description"] = description.as_str().into();
    }
    if !shortcuts.is_empty() {
        manifest["shortcuts"] = shortcuts.into();
    }
    manifest
}

/// The colour behind a page in its theme by day and by night: the config's own, else that of the theme.
pub(crate) fn grounds(dashboard: &Dashboard, styles: &Styles) -> [String; 2] {
    let look = &dashboard.look;
    [(&look.day_theme, Scheme::Light), (&look.night_theme, Scheme::Dark)].map(|(theme, hour)| {
        let own = styles.custom_colors.iter().find(|(name, _)| name == theme).map(|(_, variables)| variables);
        let own = own.and_then(|variables| variables.iter().find(|(name, _)| name == "background"));
        own.map_or_else(|| theme_color(theme, hour), |(_, color)| color.clone())
    })
}

/// A name that fits below an icon: as many whole words as there is room for.
fn short(name: &str) -> String {
    let mut short = String::new();
    for word in name.split_whitespace() {
        if !short.is_empty() && short.chars().count() + 1 + word.chars().count() > SHORT {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    short.chars().take(SHORT).collect()
}

/// The logo, if browsers can tell from its name what it is, and our own mark in the sizes that they ask for.
fn icons(dashboard: &Dashboard, base: &str) -> Vec<Value> {
    let mark = |name: &str, size: u32, purpose: &str| {
        let sizes = format!("{size}x{size}");
        json!({ "src": format!("{base}/icons/{name}.png"), "sizes": sizes, "type": "image/png", "purpose": purpose })
    };
    let mut icons =
        vec![mark("icon-192", 192, "any"), mark("icon-512", 512, "any"), mark("maskable-512", 512, "maskable")];
    let logo =
        dashboard.logo.as_ref().filter(|logo| logo.starts_with('/') && logo.to_ascii_lowercase().ends_with(".svg"));
    if let Some(logo) = logo {
        icons.insert(0, json!({ "src": logo, "sizes": "any", "type": "image/svg+xml", "purpose": "any" }));
    }
    icons
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn short_names_are_whole_words_where_there_is_room() {
        for (name, expected) in [
            ("Home", "Home"),
            ("Harbour house", "Harbour"),
            ("My own four walls", "My own four"),
            ("Donaudampfschifffahrt", "Donaudampfsc"),
            ("Größe日本", "Größe日本"),
        ] {
            assert_eq!(short(name), expected);
        }
    }
}
