//! Draws a page with a draft in place of its file.

use std::{collections::BTreeMap, sync::Arc};

use app::editing::{DraftPreview, LocalConfig};
use bytes::Bytes;
use config::Document;
use http::{StatusCode, request::Parts};

use super::{DraftFile, Editing, NO_PAGE, editor_problem, parsed, read};
use crate::{
    platform::blocking_pool,
    routes::{
        api::version_of,
        app_state::AppState,
        error::ApiError,
        pages::{self, DraftView, PageTarget},
    },
};

/// The page in edit mode.
pub(super) async fn preview(
    portico: &Arc<AppState>,
    request: &Parts,
    editing: Editing,
    bytes: Bytes,
) -> Result<DraftPreview, ApiError> {
    let target = PageTarget::whole(editing.page.clone());
    render(portico, request, editing, bytes, target, DraftView::Edited).await
}

/// The page with a local config, not in edit mode.
pub(super) async fn local_config(
    portico: &Arc<AppState>,
    request: &Parts,
    editing: Editing,
    bytes: Bytes,
    shown: &str,
) -> Result<DraftPreview, ApiError> {
    if let Some(reason) = &editing.no_local {
        return Err(ApiError::new(StatusCode::FORBIDDEN, reason));
    }
    let target = PageTarget::of_query(shown).ok_or_else(|| ApiError::not_found(NO_PAGE))?;
    let version = version_of(portico.store.read_file(&editing.name).await.ok().as_ref());
    let draft = parsed(&bytes)?;
    let other_widgets = other_widgets(editing.file().map(|file| &file.document), &draft);
    let local = LocalConfig {
        file: editing.name.clone(),
        version,
        read_only: editing.read_only.clone(),
        keeps_backups: portico.store.next_backup(&editing.name, "").is_some(),
        other_widgets,
    };
    let preview = render(portico, request, editing, bytes, target, DraftView::LookedAt).await?;
    Ok(DraftPreview { local: Some(local), ..preview })
}

async fn render(
    portico: &Arc<AppState>,
    request: &Parts,
    editing: Editing,
    bytes: Bytes,
    target: PageTarget,
    draft_view: DraftView,
) -> Result<DraftPreview, ApiError> {
    let (portico, headers) = (Arc::clone(portico), request.headers.clone());
    let render = move || -> Result<DraftPreview, ApiError> {
        let document = parsed(&bytes)?;
        let DraftFile { file, problems, blocking } = read(&portico, &editing, bytes, document)?;
        let Editing { viewer, site, name, .. } = editing;
        // A local config takes the place of the file alone: what discovery finds stays on the page.
        let has_found = draft_view == DraftView::LookedAt && name == portico.store.main();
        let file = if has_found { Arc::new(portico.store.with_added(&file)) } else { file };
        let html = pages::draft_page(&portico, &site, &viewer, &target, &file, draft_view, &headers)
            .ok_or_else(|| ApiError::not_found(NO_PAGE))?;
        let problems = problems.iter().filter_map(|problem| editor_problem(problem, &blocking)).collect();
        Ok(DraftPreview { html, problems, local: None })
    };
    blocking_pool::compute(render).await.map_err(|error| ApiError::internal(&error))?
}

/// The widgets of a draft that differ from those in the file: their positions and entries.
fn other_widgets(file: Option<&Document>, draft: &Document) -> BTreeMap<String, String> {
    let mut others = BTreeMap::new();
    for (section, content) in draft.value()["sections"].as_array().into_iter().flatten().enumerate() {
        for (widget, entry) in content["widgets"].as_array().into_iter().flatten().enumerate() {
            let place = format!("/sections/{section}/widgets/{widget}");
            if file.and_then(|file| file.value().pointer(&place)) != Some(entry) {
                others.insert(format!("{section}-{widget}"), entry.to_string());
            }
        }
    }
    others
}
