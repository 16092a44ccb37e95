//! Saves a draft, and what it adds to the files of other pages.

use std::sync::Arc;

use app::editing::{EditorSaved, SubmittedDraft};
use bytes::Bytes;
use http::{StatusCode, request::Parts};

use super::{Editing, begin, copies, new_pages, parsed};
use crate::routes::{
    api::{check_version, save_draft, version_of},
    app_state::AppState,
    error::ApiError,
    save::with_user,
};

pub(super) async fn save(
    portico: &Arc<AppState>,
    request: &Parts,
    draft: SubmittedDraft,
    version: Option<String>,
) -> Result<EditorSaved, ApiError> {
    let editing = begin(portico, request, draft.page)?;
    if let Some(reason) = &editing.read_only {
        return Err(ApiError::new(StatusCode::FORBIDDEN, reason));
    }
    let (copies, mut failures) = copies::allowed(&editing, draft.copies)?;
    let Editing { viewer, site, name, .. } = editing;
    let text = Bytes::from(draft.text);
    let document = parsed(&text)?;
    let by = viewer.name_for_log();
    let mut new_pages = Vec::new();
    if let Some(root) = site.root.as_ref().filter(|root| root.name == name) {
        new_pages = new_pages::added(&root.document, &document);
        new_pages.extend(new_pages::still_missing(&portico.store, &root.document, &copies).await);
    }
    let before = portico.store.read_file(&name).await.ok();
    if let Some(version) = &version {
        check_version(&name, version, before.as_ref())?;
    }
    // What moves is on its new page before this file loses it.
    let mut said = copies::move_sections(&portico.store, by, &name, &copies).await?;
    // A draft that only copies sections to other pages leaves its own file alone.
    let is_same = version == Some(version_of(before.as_ref())) && before.as_ref() == Some(&text);
    if copies.is_empty() && failures.is_empty() || !is_same {
        let changed = save_draft(&portico.store, by, &name, version, document).await;
        let changed = changed.map_err(|error| copies::after_moves(with_user(error), &name, &said))?;
        said.push(match &changed.backup {
            Some(backup) => format!("`{name}` is saved. Its previous content is in the backup `{backup}`."),
            None => format!("`{name}` is saved."),
        });
    }
    said.extend(new_pages::create(&portico.store, by, new_pages, &copies, &mut failures).await);
    said.extend(copies::add_sections(&portico.store, by, &copies, &mut failures).await);
    // Not of the file as it is now: somebody else may have written it since.
    let version = version_of(Some(&text));
    Ok(EditorSaved { message: said.join(" "), version, failures: failures.said, left: failures.left })
}
