//! The handlers for the addresses of pages.

use std::sync::Arc;

use axum::{
    extract::{Path, State, rejection::PathRejection},
    response::{IntoResponse as _, Response},
};
use config::View;
use http::{StatusCode, header, request::Parts};

use super::{PageTarget, hits, preview, rendered, rendered_page, stand_in::stand_in};
use crate::{
    routes::{app_state::AppState, files, language, sign_in},
    store::Site,
};

/// `GET /`: the root config in the view that it names. Responses of the identity provider arrive here too.
pub async fn landing(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    if let Some(answer) = sign_in::call_back(&portico, &request).await {
        return answer;
    }
    let site = portico.store.site();
    let view = starting_view(&site);
    if view == View::Home {
        return serve(portico, PageTarget::default(), request).await;
    }
    if let Err(answer) = sign_in::enter(&portico, &site, &request).await {
        return answer;
    }
    let query = request.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let address = format!("{}/{}{query}", portico.settings.base, view.word());
    let headers = [(header::LOCATION, address), (header::CACHE_CONTROL, "private, no-cache".to_owned())];
    (StatusCode::FOUND, headers).into_response()
}

/// The view of the landing page.
fn starting_view(site: &Site) -> View {
    site.root.as_ref().map(|root| root.config.app.starting_view).unwrap_or_default()
}

/// `GET /home`: the root config. Responses of the identity provider may arrive here too.
pub async fn home(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    if let Some(answer) = sign_in::call_back(&portico, &request).await {
        return answer;
    }
    serve(portico, PageTarget::default(), request).await
}

/// `GET /minimal`: the root config, one section at a time.
pub async fn minimal(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    serve(portico, PageTarget { view: View::Minimal, ..PageTarget::default() }, request).await
}

/// `GET /minimal/{page}`: a sub-page, or the root with a section preselected.
pub async fn minimal_page(State(portico): State<Arc<AppState>>, named: Named<String>, request: Parts) -> Response {
    let target = named.map(|Path(page)| PageTarget { view: View::Minimal, page: Some(page), ..PageTarget::default() });
    serve_named(portico, target, request).await
}

/// `GET /minimal/{page}/{section}`: a page with a section preselected.
pub async fn minimal_section(
    State(portico): State<Arc<AppState>>,
    named: Named<(String, String)>,
    request: Parts,
) -> Response {
    let target = named.map(|Path((page, section))| PageTarget {
        view: View::Minimal,
        page: Some(page),
        section: Some(section),
        widget: None,
    });
    serve_named(portico, target, request).await
}

/// `GET /workspace`: the sidebar of the root config, and the sites opened beside it.
pub async fn workspace(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    serve(portico, PageTarget { view: View::Workspace, ..PageTarget::default() }, request).await
}

/// `GET /workspace/{page}`: the same for a sub-page.
pub async fn workspace_page(State(portico): State<Arc<AppState>>, named: Named<String>, request: Parts) -> Response {
    let target =
        named.map(|Path(page)| PageTarget { view: View::Workspace, page: Some(page), ..PageTarget::default() });
    serve_named(portico, target, request).await
}

/// `GET /home/{page}`: a sub-page, or a section of the root.
pub async fn page(State(portico): State<Arc<AppState>>, named: Named<String>, request: Parts) -> Response {
    let target = named.map(|Path(page)| PageTarget { page: Some(page), ..PageTarget::default() });
    serve_named(portico, target, request).await
}

/// `GET /home/{page}/{section}`: one section.
pub async fn section(State(portico): State<Arc<AppState>>, named: Named<(String, String)>, request: Parts) -> Response {
    let target = named.map(|Path((page, section))| PageTarget {
        page: Some(page),
        section: Some(section),
        ..PageTarget::default()
    });
    serve_named(portico, target, request).await
}

/// `GET /home/{page}/{section}/{widget}`: one widget, by its id or its position in the section's list.
pub async fn widget(
    State(portico): State<Arc<AppState>>,
    named: Named<(String, String, String)>,
    request: Parts,
) -> Response {
    let target = named.map(|Path((page, section, widget))| PageTarget {
        page: Some(page),
        section: Some(section),
        widget: Some(widget),
        ..PageTarget::default()
    });
    serve_named(portico, target, request).await
}

/// The names in an address; an error if they are not text, and so there is no such page.
type Named<T> = Result<Path<T>, PathRejection>;

async fn serve_named(portico: Arc<AppState>, target: Result<PageTarget, PathRejection>, request: Parts) -> Response {
    match target {
        Ok(target) => serve(portico, target, request).await,
        Err(_) => files::not_found(&portico, request.uri.path(), &request.headers),
    }
}

async fn serve(portico: Arc<AppState>, target: PageTarget, request: Parts) -> Response {
    let site = portico.store.site();
    let viewer = match sign_in::enter(&portico, &site, &request).await {
        Ok(viewer) => viewer,
        Err(answer) => return answer,
    };
    if let Some(preview) = preview::respond(&portico, &site, &viewer, &target, &request).await {
        return preview;
    }
    let locale = language::of(&site, &request.headers);
    let rendered = match rendered_page(&portico, &site, &viewer, &target, &locale).await {
        Ok(rendered) => match hits::searched(&portico, &site, &viewer, &target, &request, rendered).await {
            Ok(searched) => searched,
            Err(error) => return error.into_response(),
        },
        Err(missing) => {
            languages::with_locale(&locale, || Arc::new(stand_in(&portico, &site, &missing, request.uri.path())))
        }
    };
    rendered::respond(&portico, rendered, &request).await
}
