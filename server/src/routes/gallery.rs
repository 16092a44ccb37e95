//! `/widget-gallery`: every widget with recorded responses, as `portico serve --demo` shows them, for admins who look for a
//! widget. It has its own pages and panels below its address, and nothing of the dashboard's config.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use http::header;
use tokio::sync::OnceCell;

use super::{
    app_state::{AppState, StartError},
    error::ApiError,
    mount::Mount,
    prefixes::put_in_front,
    sign_in,
};
use crate::{platform::blocking_pool, store::GALLERY_PATH};

/// The gallery, which is prepared when it is first opened.
#[derive(Default)]
pub struct Gallery(OnceCell<Mount>);

impl Gallery {
    async fn mount(&self, portico: &Arc<AppState>) -> Result<&Mount, StartError> {
        let prepare = || async {
            let portico = Arc::clone(portico);
            let prepared = blocking_pool::compute(move || portico.gallery_below(GALLERY_PATH)).await;
            prepared.map_err(|error| StartError::Threads(error.into()))?.map(Mount::new)
        };
        self.0.get_or_try_init(prepare).await
    }
}

/// Anything at or below the path of the gallery.
pub async fn gallery(State(portico): State<Arc<AppState>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let site = portico.store.site();
    match sign_in::enter(&portico, &site, &parts).await {
        Ok(viewer) if viewer.is_admin() => {}
        Ok(_) => return ApiError::admin_required().into_response(),
        Err(answer) => return answer,
    }
    let mut request = Request::from_parts(parts, body);
    // The gallery has no accounts.
    request.headers_mut().remove(header::AUTHORIZATION);
    put_in_front(request.uri_mut(), &format!("{}{GALLERY_PATH}", portico.settings.base));
    match portico.gallery.mount(&portico).await {
        Ok(mount) => Box::pin(mount.respond(request)).await,
        Err(error) => ApiError::internal(&error).into_response(),
    }
}
