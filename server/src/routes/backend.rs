//! Answers the app's server functions.

use std::sync::Arc;

use app::backend::{
    Backend, BrowserRefresh, BrowserResponse, ElsewhereItem, NextAddress, PanelQuery, PanelResponse, PanelState,
    PendingResponse, SessionStatus, WidgetAddress,
};
use bytes::Bytes;
use config::{Config, Dashboard, PageRequest, Viewer, model::PageSource};
use http::{StatusCode, header, request::Parts};
use languages::{Locale, message, t, with_locale_async};
use leptos::prelude::{ServerFnError, use_context};
use leptos_axum::ResponseOptions;
use url::form_urlencoded;
use widgets::{Action, Kind, RunSide};

use crate::{
    access,
    panels::PlannedWidget,
    platform::{
        encoding::{EncodedBody, Encoding},
        recent::Recent,
    },
    routes::{
        api::is_cross_site,
        app_state::AppState,
        error::ApiError,
        known_hosts, language, pages,
        sign_in::{self, FunctionResponse},
        widget_write,
    },
};

/// The items of other pages that were requested last, by revision, viewer and page.
pub type OtherItems = Recent<(u64, Viewer, String), Arc<ItemList>>;

/// The items of all pages but one.
#[derive(Debug)]
pub struct ItemList {
    items: Vec<ElsewhereItem>,
    /// The same as the response in JSON. It may be long, and every search of a browser begins with it.
    json: EncodedBody,
}

/// Maximum number of such lists. Each may have thousands of items.
pub const MAX_OTHER_ITEMS: usize = 4;

/// The app's [`Backend`].
pub struct ServerBackend(pub Arc<AppState>);

impl Backend for ServerBackend {
    fn items_elsewhere(&self, request: Parts, slug: String) -> PendingResponse<Vec<ElsewhereItem>> {
        let portico = Arc::clone(&self.0);
        Box::pin(async move {
            let Ok(viewer) = access::viewer(&request.extensions) else { return Ok(Vec::new()) };
            let list = Self(portico).item_list(viewer, slug).await;
            Ok(list.map(|list| list.items.clone()).unwrap_or_default())
        })
    }

    fn panel(&self, request: Parts, slot: WidgetAddress, query: PanelQuery) -> PendingResponse {
        let (planned, is_admin) = match self.planned(&request, &slot, &RunSide::Server) {
            Ok(planned) => planned,
            Err(response) => return Box::pin(std::future::ready(response)),
        };
        let (portico, locale) = (Arc::clone(&self.0), self.locale(&request));
        if let Err(unknown) = known_hosts::check(&request.extensions) {
            let note = unknown.in_language(&locale).message;
            let known = portico.panels.cached_without_refresh(&planned, query.locale.as_deref(), is_admin);
            let broken = || PanelResponse { state: PanelState::Broken, note: Some(note), ..PanelResponse::default() };
            return Box::pin(std::future::ready(Ok(known.map_or_else(broken, |known| known.whole()))));
        }
        Box::pin(with_locale_async(locale, async move { Ok(portico.panels.request(&planned, &query, is_admin).await) }))
    }

    fn panel_by_browser(
        &self,
        request: Parts,
        slot: WidgetAddress,
        query: PanelQuery,
        began: Option<i64>,
        responses: Vec<BrowserResponse>,
    ) -> PendingResponse<BrowserRefresh> {
        let (planned, is_admin) = match self.planned(&request, &slot, &RunSide::Browser) {
            Ok(planned) => planned,
            Err(response) => {
                let response = response.map(|panel| BrowserRefresh { panel: Some(panel), ..BrowserRefresh::default() });
                return Box::pin(std::future::ready(response));
            }
        };
        let (portico, locale) = (Arc::clone(&self.0), self.locale(&request));
        Box::pin(with_locale_async(locale, async move {
            Ok(portico.panels.browser_step(&planned, &query, is_admin, (began, responses)).await)
        }))
    }

    fn panel_action(&self, request: Parts, slot: WidgetAddress, action: String, target: String) -> PendingResponse {
        // Viewers who are not signed in can at most look.
        if access::viewer(&request.extensions).is_ok_and(|viewer| viewer == Viewer::Guest) {
            return Box::pin(std::future::ready(refused(StatusCode::FORBIDDEN)));
        }
        if Kind::parse(&slot.kind).is_some_and(|kind| kind.writable_option().is_some()) {
            return self.write(request, slot, Action { name: action, target });
        }
        let (planned, is_admin) = match self.planned(&request, &slot, &RunSide::Server) {
            Ok(planned) => planned,
            Err(response) => return Box::pin(std::future::ready(response)),
        };
        let (portico, locale) = (Arc::clone(&self.0), self.locale(&request));
        let action = Action { name: action, target };
        Box::pin(with_locale_async(locale, async move {
            Ok(portico.panels.act(&planned, action, &PanelQuery::default(), is_admin).await)
        }))
    }

    fn session(&self, request: Parts) -> PendingResponse<SessionStatus> {
        let portico = Arc::clone(&self.0);
        Box::pin(async move { Ok(into_value(sign_in::session(&portico, &request))) })
    }

    fn renew(&self, request: Parts) -> PendingResponse<SessionStatus> {
        let portico = Arc::clone(&self.0);
        Box::pin(async move { Ok(into_value(sign_in::renew(&portico, &request).await)) })
    }

    fn begin_sign_in(&self, request: Parts, return_to: String) -> PendingResponse<NextAddress> {
        let portico = Arc::clone(&self.0);
        Box::pin(async move { Ok(into_value(sign_in::begin_sign_in(&portico, &request, &return_to).await)) })
    }

    fn sign_out(&self, request: Parts) -> PendingResponse<NextAddress> {
        let portico = Arc::clone(&self.0);
        Box::pin(async move { Ok(into_value(sign_in::sign_out(&portico, &request).await)) })
    }
}

/// Sets the status and cookies of the response, and returns its value.
fn into_value<T>(result: FunctionResponse<T>) -> T {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(result.status);
        for cookie in result.set_cookies {
            response.append_header(header::SET_COOKIE, cookie);
        }
    }
    result.value
}

/// Admits a request that changes something or reveals secrets only if a script of our own page sent it: a form cannot send
/// JSON, and scripts of other sites are recognized by their origin.
///
/// # Errors
///
/// 403 or 415.
pub fn from_own_page(request: &Parts) -> Result<(), ApiError> {
    if is_cross_site(request) {
        let message = "Forbidden - the request comes from a page of another site";
        return Err(ApiError::new(StatusCode::FORBIDDEN, message));
    }
    let kind = request.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.trim_start().to_ascii_lowercase().starts_with("application/json") {
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send `Content-Type: application/json`"));
    }
    Ok(())
}

/// Refuses a request with this status.
fn refused(status: StatusCode) -> Result<PanelResponse, ServerFnError> {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(status);
    }
    Err(ServerFnError::ServerError(status.canonical_reason().unwrap_or_default().to_owned()))
}

/// For viewers who request a widget that no longer exists, or that they may not see.
fn changed_page() -> PanelResponse {
    PanelResponse {
        state: PanelState::Broken,
        note: Some(t("This page has changed since it was loaded. Reload it.").to_owned()),
        ..PanelResponse::default()
    }
}

impl ServerBackend {
    /// The response of [`Backend::items_elsewhere`] as JSON, made once for all who get the same; `None` if it cannot be made.
    pub(super) async fn items_as_json(&self, request: &Parts, encoding: Encoding) -> Option<(Bytes, Encoding)> {
        let viewer = access::viewer(&request.extensions).ok()?;
        let mut pairs = form_urlencoded::parse(request.uri.query()?.as_bytes());
        let slug = pairs.find(|(name, _)| name == "slug")?.1.into_owned();
        let list = self.item_list(viewer, slug).await?;
        Some(EncodedBody::encoded(&list, |list| &list.json, encoding).await)
    }

    /// The items of all pages but one that a viewer sees. `None` if that panicked.
    async fn item_list(&self, viewer: Viewer, slug: String) -> Option<Arc<ItemList>> {
        let site = self.0.store.site();
        // Anybody can make up names; they all mean the same.
        let is_known = site.root.as_ref().is_some_and(|root| root.config.pages.iter().any(|page| page.key() == slug));
        let slug = if is_known || slug == "home" { slug } else { String::new() };
        let key = (site.revision, viewer.clone(), slug.clone());
        let backend = Self(Arc::clone(&self.0));
        let make = move || {
            let items = backend.other_items(&viewer, &slug);
            let json = serde_json::to_vec(&items).unwrap_or_default();
            Arc::new(ItemList { items, json: EncodedBody::new(json.into()) })
        };
        self.0.other_items.get(key, make).await
    }

    /// The items of all pages but one that a viewer sees.
    pub(super) fn other_items(&self, viewer: &Viewer, slug: &str) -> Vec<ElsewhereItem> {
        let site = self.0.store.site();
        let Some(root) = &site.root else { return Vec::new() };
        let mut found = Vec::new();
        let root_title = root.config.page_info.title.as_deref().unwrap_or(app::PRODUCT);
        let is_main = |source: &PageSource| *source == PageSource::File(self.0.store.main().to_owned());
        let shows_root =
            slug == "home" || root.config.pages.iter().any(|page| page.key() == slug && is_main(&page.source));
        if !shows_root {
            self.add_items(&root.config, None, root_title, viewer, &mut found);
        }
        for page in root.config.pages.iter().filter(|page| page.key() != slug && viewer.sees(&page.visibility)) {
            let file = match &page.source {
                PageSource::File(path) => site.pages.get(path).and_then(|page| page.file.clone()),
                PageSource::Remote(address) => self.0.remote_pages.get(address).and_then(|copy| copy.file),
            };
            // A page that shows the root again has no further items.
            if let Some(file) = file.filter(|file| !Arc::ptr_eq(file, root)) {
                self.add_items(&file.config, Some(&page.slug), &page.name, viewer, &mut found);
            }
        }
        found
    }

    /// Changes what a widget stores in the config file, and answers with the new panel.
    fn write(&self, request: Parts, slot: WidgetAddress, action: Action) -> PendingResponse {
        let viewer = match access::viewer(&request.extensions) {
            Ok(Viewer::Anonymous) | Err(_) => return Box::pin(std::future::ready(refused(StatusCode::UNAUTHORIZED))),
            Ok(viewer) if !viewer.is_admin() => return Box::pin(std::future::ready(refused(StatusCode::FORBIDDEN))),
            Ok(viewer) => viewer,
        };
        let (portico, locale) = (Arc::clone(&self.0), self.locale(&request));
        Box::pin(with_locale_async(locale, async move {
            let outcome = widget_write::write(&portico, &request, &slot, action).await;
            let note = outcome.err().map(|error| message(&error.message).into_owned());
            let planned = pages::planned(&portico, &viewer, &slot);
            Ok(planned.map_or_else(changed_page, |planned| portico.panels.after_writing(&planned, note)))
        }))
    }

    /// The plan for a slot, and whether the viewer is an admin; or the answer if there is no such widget. Viewers who
    /// may not see it get the same answer as for a widget that never existed.
    fn planned(
        &self,
        request: &Parts,
        slot: &WidgetAddress,
        place: &RunSide,
    ) -> Result<(Arc<PlannedWidget>, bool), Result<PanelResponse, ServerFnError>> {
        let viewer = match access::viewer(&request.extensions) {
            Ok(Viewer::Anonymous) | Err(_) => return Err(refused(StatusCode::UNAUTHORIZED)),
            Ok(viewer) => viewer,
        };
        let planned = pages::planned(&self.0, &viewer, slot).filter(|planned| planned.place == *place);
        let changed = || Ok(languages::with_locale(&self.locale(request), changed_page));
        planned.map(|planned| (planned, viewer.is_admin())).ok_or_else(changed)
    }

    /// The language of the page that sent a request.
    fn locale(&self, request: &Parts) -> Locale {
        language::of(&self.0.store.site(), &request.headers)
    }

    fn add_items(
        &self,
        config: &Config,
        page: Option<&str>,
        name: &str,
        viewer: &Viewer,
        found: &mut Vec<ElsewhereItem>,
    ) {
        let request = PageRequest { base: &self.0.settings.base, page, ..PageRequest::default() };
        let Ok(view) = Dashboard::for_viewer(config, viewer, &request, &self.0.icons) else { return };
        for item in view.dashboard.sections.into_iter().flat_map(|section| section.items) {
            let sub_items = item.sub_items.iter().cloned();
            for entry in std::iter::once(item.clone()).chain(sub_items) {
                let Some(url) = entry.url else { continue };
                let (target, open) = app::page::link_attributes(entry.target);
                let words = [entry.provider, entry.description].into_iter().flatten().chain(entry.tags);
                found.push(ElsewhereItem {
                    title: entry.title,
                    words: words.collect::<Vec<_>>().join(" "),
                    url,
                    local_url: entry.local_url.unwrap_or_default(),
                    local_timeout: entry.local_timeout,
                    page: name.to_owned(),
                    target: target.unwrap_or_default().to_owned(),
                    open: open.unwrap_or_default().to_owned(),
                });
            }
        }
    }
}
