//! The manifest of the installed app, made from `pageInfo` for one viewer: the shortcuts are the pages that they see.

use std::sync::Arc;

use app::{PRODUCT, page::own_address};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use config::{Dashboard, PageRequest, PageView, Viewer, dashboard::Styles};
use http::{Extensions, HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use themes::{Scheme, theme_color};

use super::Switches;
use crate::{
    access,
    platform::{assets::etag, recent::Recent},
    routes::{
        app_state::AppState,
        headers::is_unchanged,
        pages::{self, PageTarget},
    },
    store::user_files::{UserFile, relative_path},
};

/// Maximum length of the name below an icon, in characters.
const SHORT: usize = 12;
/// Maximum number of pages among the shortcuts; browsers show four.
const MAX_SHORTCUTS: usize = 10;
/// Sizes in pixels of our own icons.
const MARKS: [usize; 2] = [192, 512];

/// What a manifest has of the config.
#[derive(Debug)]
pub struct ManifestView {
    logo: Option<String>,
    /// The manifest without its icons.
    text: Value,
}

/// What the last manifests have of the config, by revision, viewer, problems of icons, and page.
pub type Manifests = Recent<(u64, Viewer, u64, PageTarget), Option<Arc<ManifestView>>>;

/// Maximum number of them.
pub const MAX_MANIFESTS: usize = 32;

/// The manifest of the page in the query, or of the whole dashboard; unless the worker is off or there is no config.
pub async fn manifest(
    portico: &Arc<AppState>,
    query: Option<&str>,
    asker: &Extensions,
    request: &HeaderMap,
) -> Option<Response> {
    let target = query.and_then(PageTarget::of_query).unwrap_or_default();
    let site = portico.store.site();
    let root = site.root.as_ref().filter(|_| Switches::of(&site).worker)?;
    // Viewers who are not signed in learn only what the login page shows too.
    let viewer = access::viewer(asker).unwrap_or(Viewer::Anonymous);
    let key = (site.revision, viewer.clone(), portico.icons.problem_changes(), target.clone());
    let (of_view, root) = (Arc::clone(portico), Arc::clone(root));
    let view = move || {
        let (site, settings) = (of_view.store.site(), &of_view.settings);
        let page = PageRequest { base: &settings.base, ..PageRequest::default() };
        let view = Dashboard::for_viewer(&root.config, &viewer, &page, &of_view.icons).ok()?;
        // Addresses that do not exist for this viewer are not told apart from each other.
        let is_one = target != PageTarget::default() && viewer != Viewer::Anonymous;
        let shown = is_one.then(|| pages::shown(&of_view, &site, &viewer, &target)).flatten();
        let is_seen = |page: &&config::model::page::Page| viewer != Viewer::Anonymous && viewer.sees(&page.visibility);
        let pages = root.config.pages.iter().filter(is_seen).take(MAX_SHORTCUTS);
        let base = &settings.base;
        let shortcuts: Vec<Value> = pages
            .map(
                |page| json!({ "name": page.name, "url": format!("{base}/home/{}", page.key().trim_end_matches('-')) }),
            )
            .collect();
        let mut text = of(&view, base, shortcuts);
        if let Some(PageView { dashboard, .. }) = &shown {
            let address = own_address(dashboard);
            let page = root.config.pages.iter().find(|page| page.key() == dashboard.slug);
            let name = installed_name(dashboard, page.map(|page| page.name.as_str()));
            text["short_name"] = short(&name).into();
            text["name"] = name.into();
            text["id"] = address.as_str().into();
            text["start_url"] = address.into();
        }
        Some(Arc::new(ManifestView { logo: view.dashboard.logo.clone(), text }))
    };
    let view = portico.manifests.get(key, view).await??;
    let logo = match &view.logo {
        Some(address) => Logo::find(portico, address).await,
        None => None,
    };
    let mut text = view.text.clone();
    text["icons"] = icons_of(logo.as_ref(), &portico.settings.base).into();
    let text = Bytes::from(text.to_string());
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
    let [day, _] = backgrounds(dashboard, styles);
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
        "icons": [],
    });
    if let Some(description) = &dashboard.description {
        manifest["description"] = description.as_str().into();
    }
    if !shortcuts.is_empty() {
        manifest["shortcuts"] = shortcuts.into();
    }
    manifest
}

/// The background color of a page by day and by night: the config's own, or else that of the theme.
pub(crate) fn backgrounds(dashboard: &Dashboard, styles: &Styles) -> [String; 2] {
    let look = &dashboard.look;
    [(&look.day_theme, Scheme::Light), (&look.night_theme, Scheme::Dark)].map(|(theme, hour)| {
        let own = styles.custom_colors.iter().find(|(name, _)| name == theme).map(|(_, variables)| variables);
        let own = own.and_then(|variables| variables.iter().find(|(name, _)| name == "background"));
        own.map_or_else(|| theme_color(theme, hour), |(_, color)| color.clone())
    })
}

/// What an installed page is called: after its single section or widget, else after the page.
fn installed_name(dashboard: &Dashboard, page: Option<&str>) -> String {
    let alone = dashboard.single_section.then_some(0);
    let section = dashboard.selected.or(alone).and_then(|position| dashboard.sections.get(position));
    let widget = section.and_then(|section| section.widgets.first()).filter(|_| dashboard.single_widget.is_some());
    let names = [
        widget.map(|widget| widget.label.as_ref().unwrap_or(&widget.kind).as_str()),
        section.map(|section| section.name.as_str()),
        page,
        Some(dashboard.title.as_str()),
    ];
    names.into_iter().flatten().map(str::trim).find(|name| !name.is_empty()).unwrap_or(PRODUCT).to_owned()
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

/// The logo, if it can be an icon.
struct Logo {
    address: String,
    kind: &'static str,
    /// Width and height in pixels; `None` for a drawing, which scales to any size.
    size: Option<(usize, usize)>,
}

impl Logo {
    /// A drawing at one of our own addresses, or a picture in the user-data folder, whose first bytes contain its size.
    async fn find(portico: &AppState, address: &str) -> Option<Self> {
        let path = address.strip_prefix(portico.settings.base.as_str())?;
        let path = path.split(['?', '#']).next().filter(|path| path.starts_with('/'))?;
        let kind = match path.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "svg" => return Some(Self { address: address.to_owned(), kind: "image/svg+xml", size: None }),
            "png" => "image/png",
            "webp" => "image/webp",
            "jpg" | "jpeg" => "image/jpeg",
            _ => return None,
        };
        // The addresses under which icons of the folder are shown.
        let path =
            path.strip_prefix("/icons/file/").map_or_else(|| path.to_owned(), |file| format!("/item-icons/{file}"));
        let file = UserFile::find(portico.store.directory(), &relative_path(&path)?).await?;
        if !file.is_for(&Viewer::Guest) {
            return None;
        }
        let size = tokio::task::spawn_blocking(move || imagesize::size(file.path)).await.ok()?.ok()?;
        Some(Self { address: address.to_owned(), kind, size: Some((size.width, size.height)) })
    }

    /// Whether it can be used at that size instead of our own icon. Chromium installs no app that has only a JPEG.
    fn covers(&self, side: usize) -> bool {
        let smallest = self.size.map_or(usize::MAX, |(width, height)| width.min(height));
        self.kind != "image/jpeg" && smallest >= side
    }
}

/// The logo with its true size, and our own icon in the sizes that the logo does not have.
fn icons_of(logo: Option<&Logo>, base: &str) -> Vec<Value> {
    let mut icons = Vec::new();
    if let Some(Logo { address, kind, size }) = logo {
        let sizes = size.map_or_else(|| "any".to_owned(), |(width, height)| format!("{width}x{height}"));
        icons.push(json!({ "src": address, "sizes": sizes, "type": kind, "purpose": "any" }));
    }
    let mark = |name: &str, side: usize, purpose: &str| {
        let src = format!("{base}/icons/{name}-{side}.png");
        json!({ "src": src, "sizes": format!("{side}x{side}"), "type": "image/png", "purpose": purpose })
    };
    let missing = MARKS.into_iter().filter(|side| !logo.is_some_and(|logo| logo.covers(*side)));
    icons.extend(missing.map(|side| mark("icon", side, "any")));
    icons.push(mark("maskable", 512, "maskable"));
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
