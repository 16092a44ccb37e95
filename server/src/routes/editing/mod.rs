//! The server functions of the editor (docs/editing.md): return a config file, show a page as it
//! looks with a draft, save the draft as the REST API does, and return backups.

mod copies;
mod files;
mod new_pages;
mod protecting;
mod rendering;
mod saving;

use std::{borrow::Cow, io, sync::Arc};

use app::{
    backend::{PanelQuery, PendingResponse},
    config_files::ConfigFileSummary,
    editing::{
        BACKUP_TIME, DraftPreview, EditorBackend, EditorDocument, EditorProblem, EditorRejection, EditorResponse,
        EditorSaved, FileBackup, RejectionKind, ResponseValues, ServiceFile, SubmittedDraft, TextProblem,
        WidgetPreview,
    },
    importing::{ImportedFile, ImportedSections},
};
use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use config::{
    Config, Document, DocumentError, MAX_WRITTEN_BYTES, Problem, ProblemKind, Severity, Viewer,
    check::{check_read, new_errors_of_draft},
    model::{PageSource, Permissions},
    slug::is_root_page,
};
use http::{StatusCode, header, request::Parts};
use languages::{Locale, message, with_locale_async};
use leptos::prelude::{ServerFnError, use_context};
use leptos_axum::ResponseOptions;

use crate::{
    access,
    platform::{blocking_pool, io_error::reason},
    routes::{
        api::version_of, app_state::AppState, error::ApiError, importing, language, sign_in::offers_sign_in,
        widget_draft,
    },
    store::{ConfigFile, Site, rights},
};

const NO_PAGE: &str = "This page is no longer in the config. Load the dashboard again.";

/// The app's [`EditorBackend`].
pub struct ServerEditor(pub Arc<AppState>);

/// A file that an admin edits.
pub(super) struct Editing {
    pub(super) viewer: Viewer,
    site: Arc<Site>,
    /// The page, as its address names it.
    page: Option<String>,
    /// The name of the file.
    pub(super) name: String,
    /// Why nothing can be saved to disk.
    pub(super) read_only: Option<String>,
    /// Why nothing can be kept in a browser.
    no_local: Option<String>,
}

impl Editing {
    /// The file as the site shows it now.
    fn file(&self) -> Option<&ConfigFile> {
        let root = self.site.root.as_ref().filter(|root| root.name == self.name);
        root.or_else(|| self.site.pages.get(&self.name)?.file.as_ref()).map(Arc::as_ref)
    }
}

impl ServerEditor {
    fn locale(&self, request: &Parts) -> Locale {
        language::of(&self.0.store.site(), &request.headers)
    }
}

impl EditorBackend for ServerEditor {
    fn load(&self, request: Parts, page: Option<String>) -> PendingResponse<EditorResponse<EditorDocument>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move { respond(load(&portico, &request, page).await) }))
    }

    fn preview(
        &self,
        request: Parts,
        draft: SubmittedDraft,
        shown: Option<String>,
    ) -> PendingResponse<EditorResponse<DraftPreview>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            let rendered = async {
                let editing = begin(&portico, &request, draft.page)?;
                match shown {
                    None => rendering::preview(&portico, &request, editing, draft.text.into()).await,
                    Some(shown) => {
                        rendering::local_config(&portico, &request, editing, draft.text.into(), &shown).await
                    }
                }
            };
            respond(rendered.await)
        }))
    }

    fn panel(
        &self,
        request: Parts,
        page: Option<String>,
        entry: String,
        query: PanelQuery,
    ) -> PendingResponse<EditorResponse<WidgetPreview>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            let shown = async {
                let viewer = begin(&portico, &request, page)?.viewer;
                widget_draft::panel(&portico, &viewer, &entry, query).await
            };
            respond(shown.await)
        }))
    }

    fn values(
        &self,
        request: Parts,
        page: Option<String>,
        entry: String,
        query: PanelQuery,
    ) -> PendingResponse<EditorResponse<ResponseValues>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            let found = async {
                let viewer = begin(&portico, &request, page)?.viewer;
                widget_draft::values(&portico, &viewer, &entry, query).await
            };
            respond(found.await)
        }))
    }

    fn service_file(
        &self,
        request: Parts,
        page: Option<String>,
        entry: String,
    ) -> PendingResponse<EditorResponse<ServiceFile>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            respond(begin(&portico, &request, page).and_then(|_| widget_draft::service_file(&entry)))
        }))
    }

    fn check(&self, request: Parts, draft: SubmittedDraft) -> PendingResponse<EditorResponse<Vec<TextProblem>>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            let problems = async {
                let editing = begin(&portico, &request, draft.page)?;
                check(&portico, editing, draft.text.into()).await
            };
            respond(problems.await)
        }))
    }

    fn save(
        &self,
        request: Parts,
        draft: SubmittedDraft,
        version: Option<String>,
    ) -> PendingResponse<EditorResponse<EditorSaved>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            respond(saving::save(&portico, &request, draft, version).await)
        }))
    }

    fn backups(&self, request: Parts, page: Option<String>) -> PendingResponse<EditorResponse<Vec<FileBackup>>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            let list = async {
                let editing = begin(&portico, &request, page)?;
                let backups = portico.store.backups(&editing.name).await.into_iter();
                Ok(backups.map(|backup| FileBackup { name: backup.name, at: backup.at, bytes: backup.bytes }).collect())
            };
            respond(list.await)
        }))
    }

    fn backup(&self, request: Parts, page: Option<String>, name: String) -> PendingResponse<EditorResponse<String>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            respond(backup(&portico, &request, page, &name).await)
        }))
    }

    fn hash_password(
        &self,
        request: Parts,
        page: Option<String>,
        password: String,
    ) -> PendingResponse<EditorResponse<String>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            let hashed = async {
                begin(&portico, &request, page)?;
                if password.is_empty() {
                    return Err(ApiError::bad_request("The password is empty."));
                }
                let hash = portico.access_control.hash_password(password).await;
                hash.map_err(|error| ApiError::bad_request(format!("The password cannot be hashed: {error}.")))
            };
            respond(hashed.await)
        }))
    }

    fn protect(&self, request: Parts, name: String, password: String) -> PendingResponse<EditorResponse<String>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            respond(protecting::protect(&portico, &request, &name, password).await)
        }))
    }

    fn import(
        &self,
        request: Parts,
        page: Option<String>,
        source: Option<String>,
        files: Vec<ImportedFile>,
    ) -> PendingResponse<EditorResponse<ImportedSections>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            let converted = async {
                begin(&portico, &request, page)?;
                importing::convert(source, files).await
            };
            respond(converted.await)
        }))
    }

    fn files(&self, request: Parts) -> PendingResponse<EditorResponse<Vec<ConfigFileSummary>>> {
        let portico = Arc::clone(&self.0);
        Box::pin(with_locale_async(self.locale(&request), async move {
            let list = begin(&portico, &request, None).map(|editing| files::list(&portico, &editing));
            respond(list)
        }))
    }
}

async fn load(portico: &Arc<AppState>, request: &Parts, page: Option<String>) -> Result<EditorDocument, ApiError> {
    let editing = begin(portico, request, page)?;
    let (file, read_only, no_local) = (editing.name.clone(), editing.read_only.clone(), editing.no_local.clone());
    let (bytes, version) = match portico.store.read_file(&file).await {
        Ok(bytes) => (bytes.clone(), version_of(Some(&bytes))),
        // If the starter config cannot be written, it is shown from memory.
        Err(failure) => match editing.site.root.as_ref().filter(|root| root.name == file && !root.stored) {
            Some(root) if failure.is_missing() => (root.bytes.clone(), version_of(None)),
            _ => return Err(failure.into()),
        },
    };
    let document = parsed(&bytes).map_err(|mut error| {
        error.message =
            format!("`{file}` cannot be edited here until it can be read; repair the file first: {}", error.message);
        error
    })?;
    let text = String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned();
    // The comments of the starter explain the starter; no one has written them.
    let is_starter = editing.file().is_some_and(|file| portico.store.is_starter(file) && file.bytes == bytes);
    let has_comments = document.has_comments() && !is_starter;
    let backup_endpoint = editing.site.root.as_ref().and_then(|root| root.config.app.backup_endpoint.clone());
    let next_backup = portico.store.next_backup(&file, BACKUP_TIME);
    let person = match &editing.viewer {
        Viewer::Admin(person) => person.as_ref().map(|person| person.name.clone()),
        _ => None,
    };
    let open = portico.access_control.policy(&editing.site).kind == access::SignInMethod::Open;
    // What the config forbids is said by itself.
    let unwritable = if read_only.is_some() { None } else { unwritable(portico).await };
    let preview = rendering::preview(portico, request, editing, bytes).await?;
    Ok(EditorDocument {
        file,
        text,
        version,
        has_comments,
        read_only,
        backup_endpoint,
        no_local,
        next_backup,
        person,
        unwritable,
        open,
        preview,
    })
}

/// Why the server cannot write its files, if it cannot. Looks at the disk.
async fn unwritable(portico: &AppState) -> Option<String> {
    let settings = Arc::clone(&portico.settings);
    blocking_pool::compute(move || rights::problem(&settings)).await.ok().flatten()
}

/// A draft as if read from its file.
struct DraftFile {
    file: Arc<ConfigFile>,
    /// All problems in it.
    problems: Vec<Problem>,
    /// The problems that prevent saving.
    blocking: Vec<Problem>,
}

fn read(portico: &AppState, editing: &Editing, bytes: Bytes, document: Document) -> Result<DraftFile, ApiError> {
    let is_main = editing.name == portico.store.main();
    let root = editing.site.root.as_ref().ok_or_else(|| ApiError::not_found("there is no config yet"))?;
    let config = if is_main { Config::read(&document)? } else { Config::read_page(&root.document, &document)? };
    let config = config.of_main_file(portico.store.main());
    let mut problems = check_read(&document, &config);
    // Remarks about the program as a whole are left out, but not those about what means nothing in the file of a page.
    let is_of_file =
        |problem: &Problem| problem.kind == ProblemKind::NotInEffect && problem.severity == Severity::Warning;
    problems.retain(|problem| is_main || is_of_file(problem) || !problem.path.starts_with("/appConfig"));
    // As for saving, existing problems do not block.
    let blocking = if is_main { new_errors_of_draft(&root.document, &document, &problems) } else { Vec::new() };
    let name = editing.name.clone();
    let file = Arc::new(ConfigFile { name, bytes, document, config, host: None, stored: true });
    problems.extend(portico.plans.of(&file).problems().iter().cloned());
    Ok(DraftFile { file, problems, blocking })
}

async fn check(portico: &Arc<AppState>, editing: Editing, bytes: Bytes) -> Result<Vec<TextProblem>, ApiError> {
    let portico = Arc::clone(portico);
    let look = move || -> Result<Vec<TextProblem>, ApiError> {
        let unreadable = |line: usize, column: usize, message: String| {
            vec![TextProblem { line: line.max(1), column: column.max(1), message, blocks: true, syntax: true }]
        };
        let document = match Document::parse_shared(&bytes) {
            Ok(document) => document,
            Err(DocumentError { message, line, column, .. }) => return Ok(unreadable(line, column, message)),
        };
        if let Err(error) = document.mapping() {
            return Ok(unreadable(1, 1, error.to_string()));
        }
        let size = bytes.len();
        let DraftFile { file, problems, blocking } = match read(&portico, &editing, bytes, document) {
            Ok(read) => read,
            Err(error) if error.status == StatusCode::BAD_REQUEST => return Ok(unreadable(1, 1, error.message)),
            Err(error) => return Err(error),
        };
        let locations = file.document.locations();
        let placed = problems.iter().filter_map(|problem| {
            let EditorProblem { message, blocks, path, .. } = editor_problem(problem, &blocking)?;
            let (line, column) = locations.nearest(&path).unwrap_or((1, 1));
            Some(TextProblem { line, column, message, blocks, syntax: false })
        });
        let mut placed: Vec<TextProblem> = placed.collect();
        if size > MAX_WRITTEN_BYTES {
            let message =
                format!("The text has {size} bytes; at most 256 KB ({MAX_WRITTEN_BYTES} bytes) can be saved.");
            placed.push(TextProblem { line: 1, column: 1, message, blocks: true, syntax: false });
        }
        placed.sort_by_key(|problem| (problem.line, problem.column));
        Ok(placed)
    };
    blocking_pool::compute(look).await.map_err(|error| ApiError::internal(&error))?
}

async fn backup(
    portico: &Arc<AppState>,
    request: &Parts,
    page: Option<String>,
    name: &str,
) -> Result<String, ApiError> {
    let editing = begin(portico, request, page)?;
    let read = portico.store.backup(&editing.name, name).await;
    let bytes = read
        .map_err(|error: io::Error| {
            let message = format!("The backup `{name}` cannot be read: {}.", reason(&error));
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
        })?
        .ok_or_else(|| ApiError::not_found(format!("The backup `{name}` no longer exists. Choose another one.")))?;
    String::from_utf8(bytes).map_err(|_| ApiError::bad_request(format!("The backup `{name}` is not text.")))
}

/// The viewer of a request who may edit the dashboard, and the config that says so.
///
/// # Errors
///
/// Why they may not.
pub(super) fn may_edit(portico: &AppState, request: &Parts) -> Result<(Viewer, Arc<Site>, Permissions), ApiError> {
    let viewer = access::viewer(&request.extensions)?;
    match viewer {
        Viewer::Admin(_) => {}
        Viewer::Anonymous => return Err(signed_out()),
        // Where guests may look, the session of an admin may have ended.
        Viewer::Guest if offers_sign_in(portico, &portico.store.site()) => return Err(signed_out()),
        Viewer::Guest | Viewer::User(_) => {
            let message = "Only admins can edit this dashboard. Sign in with an admin's account.";
            return Err(ApiError::new(StatusCode::FORBIDDEN, message));
        }
    }
    let site = portico.store.site();
    let root = site.root.as_ref().ok_or_else(|| ApiError::not_found("there is no config yet"))?;
    let permissions = root.config.app.permissions(&viewer);
    if !permissions.view_config {
        let main = portico.store.main();
        let message = format!("`{main}` turns editing off. Remove `disableConfiguration` from its `appConfig` first.");
        return Err(ApiError::new(StatusCode::FORBIDDEN, message));
    }
    Ok((viewer, site, permissions))
}

/// The file of a page, for someone who may edit it.
pub(super) fn begin(portico: &AppState, request: &Parts, page: Option<String>) -> Result<Editing, ApiError> {
    let (viewer, site, permissions) = may_edit(portico, request)?;
    let root = site.root.as_ref().ok_or_else(|| ApiError::not_found("there is no config yet"))?;
    let main = portico.store.main();
    let read_only = (!permissions.save_to_disk).then(|| {
        format!(
            "`{main}` forbids saving to disk. Remove `preventWriteToDisk` or `allowConfigEdit: false` from its `appConfig` \
             first; until then you can download your draft."
        )
    });
    let no_local = (!permissions.save_locally)
        .then(|| format!("`{main}` turns local configs off. Remove `preventLocalSave` from its `appConfig` first."));
    let name = match page.as_deref().filter(|name| !is_root_page(name)) {
        None => main.to_owned(),
        Some(name) => match root.config.page(name, &viewer).map(|page| &page.source) {
            Some(PageSource::File(path)) => path.clone(),
            Some(PageSource::Remote(_)) => {
                let message = "This page comes from another host and can only be edited there.";
                return Err(ApiError::new(StatusCode::FORBIDDEN, message));
            }
            // Its draft must not end up in another file.
            None => return Err(ApiError::not_found(NO_PAGE)),
        },
    };
    Ok(Editing { viewer, site: Arc::clone(&site), page, name, read_only, no_local })
}

fn signed_out() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "Sign in as an admin to edit this dashboard.")
}

fn parsed(bytes: &Bytes) -> Result<Document, ApiError> {
    let document = Document::parse_shared(bytes)
        .map_err(|error| ApiError::bad_request(format!("the text is not valid YAML: {error}")))?;
    document.mapping()?;
    Ok(document)
}

/// A problem as the editor shows it.
fn editor_problem(problem: &Problem, blocking: &[Problem]) -> Option<EditorProblem> {
    (problem.severity != Severity::Note).then(|| EditorProblem {
        path: problem.path.clone(),
        message: problem.sentence().into_owned(),
        blocks: blocking.contains(problem),
        hint: problem.is_advice() && !blocking.contains(problem),
    })
}

/// A result with messages in the language in which this thread draws now.
pub(in crate::routes) trait Translated: Sized {
    /// Translates its messages.
    fn translated(self) -> Self {
        self
    }
}

impl Translated for EditorDocument {
    fn translated(mut self) -> Self {
        for reason in [&mut self.read_only, &mut self.no_local, &mut self.unwritable].into_iter().flatten() {
            translate(reason);
        }
        Self { preview: self.preview.translated(), ..self }
    }
}

impl Translated for DraftPreview {
    fn translated(mut self) -> Self {
        self.problems.iter_mut().for_each(|problem| translate(&mut problem.message));
        if let Some(reason) = self.local.as_mut().and_then(|local| local.read_only.as_mut()) {
            translate(reason);
        }
        self
    }
}

impl Translated for WidgetPreview {
    fn translated(mut self) -> Self {
        self.note.iter_mut().for_each(translate);
        self
    }
}

impl Translated for Vec<TextProblem> {
    fn translated(mut self) -> Self {
        self.iter_mut().for_each(|problem| translate(&mut problem.message));
        self
    }
}

impl Translated for EditorSaved {
    fn translated(mut self) -> Self {
        translate(&mut self.message);
        self.failures.iter_mut().for_each(translate);
        self
    }
}

impl Translated for Vec<ConfigFileSummary> {
    fn translated(mut self) -> Self {
        self.iter_mut().filter_map(|file| file.unreadable.as_mut()).for_each(translate);
        self
    }
}

/// Its note is in the language already.
impl Translated for ResponseValues {}
impl Translated for ServiceFile {}
impl Translated for Vec<FileBackup> {}
impl Translated for ImportedSections {}
/// Texts of files, and hashes.
impl Translated for String {}

fn translate(text: &mut String) {
    if let Cow::Owned(translated) = message(text) {
        *text = translated;
    }
}

/// What a function answers, with the status of a rejection.
pub(super) fn respond<T: Translated>(result: Result<T, ApiError>) -> Result<EditorResponse<T>, ServerFnError> {
    Ok(match result {
        Ok(done) => EditorResponse::Done(done.translated()),
        Err(error) => {
            if let Some(response) = use_context::<ResponseOptions>() {
                response.set_status(error.status);
            }
            EditorResponse::Refused(rejection_of(&error))
        }
    })
}

/// The response to a request that is refused before its arguments are read: what [`respond`] answers.
pub(super) fn rejection(error: &ApiError) -> Response {
    let response = EditorResponse::<()>::Refused(rejection_of(error));
    (error.status, [(header::CACHE_CONTROL, "no-store")], Json(response)).into_response()
}

/// A rejection as the editor shows it.
fn rejection_of(error: &ApiError) -> EditorRejection {
    let kind = match error.status {
        StatusCode::UNAUTHORIZED => RejectionKind::SignIn,
        StatusCode::FORBIDDEN => RejectionKind::Forbidden,
        StatusCode::CONFLICT => RejectionKind::Changed,
        StatusCode::NOT_FOUND => RejectionKind::Missing,
        status if status.is_client_error() => RejectionKind::Invalid,
        _ => RejectionKind::Failed,
    };
    let problems = error.problems().iter().filter_map(|problem| editor_problem(problem, error.problems()));
    let problems = problems.map(|mut problem| {
        translate(&mut problem.message);
        problem
    });
    EditorRejection { kind, message: message(&error.message).into_owned(), problems: problems.collect() }
}
