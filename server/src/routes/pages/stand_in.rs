//! Responses in place of a page of the dashboard.

use app::{document, fallback::PageFailure};
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::{RenderError, Rendered, dashboard_page::language_links};
use crate::{
    platform::trace,
    routes::{app_state::AppState, language},
    settings::NOT_FOUND_FILE,
    store::Site,
};

/// Stands for the path in a page that is rendered once for all paths: anybody can make up paths.
const ANY_PATH: &str = "/any-path-without-a-page";

/// The page that is shown if there is none.
pub(super) fn stand_in(portico: &AppState, site: &Site, missing: &RenderError, path: &str) -> Rendered {
    match missing {
        RenderError::NotFound => not_found(portico, site, path),
        RenderError::Failed(failure) => {
            let request_id = trace::current().map(|context| context.id.to_string());
            let failure = PageFailure { request_id, ..failure.clone() };
            let html = document::error(failure, own_title(site), portico.assets.page());
            Rendered::new(portico, StatusCode::INTERNAL_SERVER_ERROR, html, &[], &[])
        }
        RenderError::Panicked => Rendered::panicked(),
    }
}

/// The not-found page of a dashboard.
pub fn not_found_response(portico: &AppState, path: &str, request: &HeaderMap) -> Response {
    let site = portico.store.site();
    languages::with_locale(&language::of(&site, request), || not_found(portico, &site, path)).at_once()
}

fn not_found(portico: &AppState, site: &Site, path: &str) -> Rendered {
    let export = portico.settings.export.as_ref();
    // Web servers show the same file for all paths.
    let any_path = export.is_none().then_some(ANY_PATH);
    let languages = export.and_then(|export| language_links(export, &format!("/{NOT_FOUND_FILE}")));
    let render = || document::not_found(any_path, own_title(site), languages, portico.assets.page());
    let html = portico.pages.missing(site.revision, render);
    let path = path.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let html = html.replace(ANY_PATH, &path);
    Rendered::new(portico, StatusCode::NOT_FOUND, html, &[], &[])
}

/// A page that is not part of the dashboard, with these inline styles besides the product's own.
pub fn own_page(portico: &AppState, html: String, inline_styles: &[String]) -> Response {
    Rendered::new(portico, StatusCode::OK, html, inline_styles, &[]).at_once()
}

/// The dashboard's own title, for pages that are not part of it.
pub(super) fn own_title(site: &Site) -> &str {
    site.root.as_ref().and_then(|root| root.config.page_info.title.as_deref()).unwrap_or(app::PRODUCT)
}
