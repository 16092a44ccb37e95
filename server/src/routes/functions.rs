//! `/fn/{name}`: the server functions of the app. Who sends a request, and how large its arguments are, is checked before they
//! are read.

use std::sync::Arc;

use app::{
    backend::SharedBackend,
    editing::SharedEditorBackend,
    editor_files::{MAX_PICTURE_BYTES, MAX_UPLOAD_BYTES, SharedEditorFiles},
    importing::MAX_IMPORT_BYTES,
};
use axum::{
    body::{Body, to_bytes},
    extract::Request,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use config::Viewer;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};
use languages::Locale;
use leptos::prelude::provide_context;

use super::{
    app_state::AppState,
    backend::{ServerBackend, from_own_page},
    compression::Compression,
    editing::{self, ServerEditor},
    editor_files::ServerEditorFiles,
    error::ApiError,
    files, language,
    request_body::{self, UnreadBody},
};
use crate::{access, platform::encoding::Encoding};

/// Maximum size of the arguments of a function, in bytes.
const MAX_ARGUMENTS: usize = 64 * 1024;
/// The same for functions that anybody may call.
const MAX_ARGUMENTS_OF_ANYBODY: usize = 16 * 1024;
/// The same for a function that submits the responses that a browser got from services.
const MAX_ARGUMENTS_WITH_ANSWERS: usize = 1024 * 1024;
/// The same for a function that submits a config file. In JSON, a file that is just small enough may be twice as long.
const MAX_ARGUMENTS_WITH_DRAFT: usize = 3 * config::MAX_WRITTEN_BYTES;

/// A function of the app.
struct Function {
    name: &'static str,
    method: Method,
    callers: Callers,
    /// Maximum size of its arguments in the body, in bytes.
    max: usize,
}

/// Who may call a function. The function itself checks it again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Callers {
    Anybody,
    /// Those who may see the dashboard.
    Viewers,
    /// Those who have signed in, if anybody has to.
    Users,
    Editors,
}

const fn reads(name: &'static str) -> Function {
    Function { name, method: Method::GET, callers: Callers::Viewers, max: 0 }
}

const fn calls(name: &'static str, callers: Callers, max: usize) -> Function {
    Function { name, method: Method::POST, callers, max }
}

/// All of them.
static FUNCTIONS: [Function; 24] = [
    reads("items-elsewhere"),
    reads("panel"),
    calls("panel-by-browser", Callers::Viewers, MAX_ARGUMENTS_WITH_ANSWERS),
    calls("panel-action", Callers::Users, MAX_ARGUMENTS),
    calls("session", Callers::Anybody, MAX_ARGUMENTS_OF_ANYBODY),
    calls("renew", Callers::Anybody, MAX_ARGUMENTS_OF_ANYBODY),
    calls("sign-in", Callers::Anybody, MAX_ARGUMENTS_OF_ANYBODY),
    calls("sign-out", Callers::Anybody, MAX_ARGUMENTS_OF_ANYBODY),
    calls("editor-load", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-preview", Callers::Editors, MAX_ARGUMENTS_WITH_DRAFT),
    calls("editor-panel", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-values", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-service-file", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-check", Callers::Editors, MAX_ARGUMENTS_WITH_DRAFT),
    calls("editor-save", Callers::Editors, MAX_ARGUMENTS_WITH_DRAFT),
    calls("editor-backups", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-backup", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-hash-password", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-protect", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-import", Callers::Editors, MAX_IMPORT_BYTES),
    calls("editor-files", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-icons", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-widgets", Callers::Editors, MAX_ARGUMENTS),
    calls("editor-upload", Callers::Editors, MAX_UPLOAD_BYTES),
];

/// The functions of this product.
pub(super) struct Functions {
    portico: Arc<AppState>,
    backend: SharedBackend,
    editor: SharedEditorBackend,
    editor_files: SharedEditorFiles,
    compression: Compression,
}

impl Functions {
    pub fn new(portico: Arc<AppState>) -> Self {
        Self {
            backend: Arc::new(ServerBackend(Arc::clone(&portico))),
            editor: Arc::new(ServerEditor(Arc::clone(&portico))),
            editor_files: Arc::new(ServerEditorFiles(Arc::clone(&portico))),
            compression: Compression::default(),
            portico,
        }
    }

    /// Calls the function that a request names.
    pub async fn call(&self, request: Request) -> Response {
        let (mut parts, body) = request.into_parts();
        let name = parts.uri.path().strip_prefix("/fn/").unwrap_or_default();
        let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
            request_body::discard(body);
            return files::not_found(&self.portico, parts.uri.path(), &parts.headers);
        };
        // The router leaves out the body of the response.
        if parts.method == Method::HEAD {
            parts.method = Method::GET;
        }
        let locale = language::of(&self.portico.store.site(), &parts.headers);
        let admitted = if parts.method == function.method {
            function.admit(&self.portico, &parts, &locale)
        } else {
            let allowed = if function.method == Method::GET { "GET, HEAD" } else { "POST" };
            let error = ApiError::new(StatusCode::METHOD_NOT_ALLOWED, format!("{} is not allowed here", parts.method));
            Err(error.with_header(header::ALLOW, HeaderValue::from_static(allowed)).into_response())
        };
        if let Err(rejection) = admitted {
            request_body::discard(body);
            return rejection;
        }
        // Functions that only read have their arguments in the address.
        let arguments = match function.method {
            Method::POST => request_body::read(body, function.max).await,
            _ => Ok(Default::default()),
        };
        let arguments = match arguments {
            Ok(arguments) => arguments,
            Err(unread) => return function.unread(unread, &locale),
        };
        // Secrets are not compressed, because the length would reveal something, and are never cached.
        let is_read = parts.method == Method::GET;
        let encoding = if is_read { Encoding::accepted(&parts.headers) } else { Encoding::Identity };
        // The framework would write the whole list for each request.
        if function.name == "items-elsewhere"
            && let Some(list) = ServerBackend(Arc::clone(&self.portico)).items_as_json(&parts, encoding).await
        {
            return list_response(list);
        }
        // To clients that accept HTML, the framework responds as to a form: with a redirect to the previous page.
        parts.headers.remove(header::ACCEPT);
        let (backend, editor, editor_files) =
            (Arc::clone(&self.backend), Arc::clone(&self.editor), Arc::clone(&self.editor_files));
        let provide = move || {
            provide_context(Arc::clone(&backend));
            provide_context(Arc::clone(&editor));
            provide_context(Arc::clone(&editor_files));
        };
        let request = Request::from_parts(parts, Body::from(arguments));
        let mut response = leptos_axum::handle_server_fns_with_context(provide, request).await.into_response();
        if response.status() == StatusCode::INTERNAL_SERVER_ERROR {
            response = explain_bad_arguments(response, &locale).await;
        }
        // Their responses are valid for one viewer at one moment.
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        self.compression.apply(response, encoding).await
    }
}

impl Function {
    /// Admits a request whose sender may call the function, or returns the response for others, in the language of the page.
    fn admit(&self, portico: &AppState, request: &Parts, locale: &Locale) -> Result<(), Response> {
        // All functions that change something, or reveal secrets, use POST.
        if self.method == Method::POST {
            from_own_page(request).map_err(|error| error.in_language(locale).into_response())?;
        }
        let viewer = access::viewer(&request.extensions);
        let refused = |status, message: &str| Err(ApiError::new(status, message).in_language(locale).into_response());
        match (self.callers, viewer) {
            (Callers::Anybody, _) => Ok(()),
            (Callers::Editors, _) => {
                let admitted = editing::may_edit(portico, request).map(|_| ());
                admitted.map_err(|error| editing::rejection(&error.in_language(locale)))
            }
            (_, Err(denied)) => Err(denied.into_response()),
            (_, Ok(Viewer::Anonymous)) => refused(StatusCode::UNAUTHORIZED, "Unauthorized"),
            (Callers::Users, Ok(Viewer::Guest)) => refused(StatusCode::FORBIDDEN, "Forbidden - guests can only look"),
            (Callers::Users | Callers::Viewers, Ok(_)) => Ok(()),
        }
    }

    /// The response if the arguments cannot be read, in the language of the page.
    fn unread(&self, reason: UnreadBody, locale: &Locale) -> Response {
        let error = reason.into_error(match self.max {
            MAX_UPLOAD_BYTES if self.name == "editor-upload" => {
                format!(
                    "The picture is too large: at most {} MB can be stored. Make it smaller.",
                    MAX_PICTURE_BYTES >> 20
                )
            }
            max if max >= 1024 * 1024 => format!("This is too large: at most {} MB can be sent.", max >> 20),
            max => format!("This is too large: at most {} KB can be sent.", max >> 10),
        });
        let error = error.in_language(locale);
        if self.callers == Callers::Editors { editing::rejection(&error) } else { error.into_response() }
    }
}

/// A list that is ready, as JSON.
fn list_response((bytes, encoding): (Bytes, Encoding)) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (headers, bytes).into_response()
}

/// The framework reports unreadable arguments as a failure of the server, in its own words. They are a failure of
/// the client, and are reported like all other failures.
async fn explain_bad_arguments(response: Response, locale: &Locale) -> Response {
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, MAX_ARGUMENTS).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    match text.split_once('|') {
        Some(("Args" | "MissingArg" | "Deserialization", reason)) => {
            let error = ApiError::bad_request(format!("the arguments cannot be read: {reason}"));
            error.in_language(locale).into_response()
        }
        _ => Response::from_parts(parts, Body::from(text.into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::FUNCTIONS;

    #[test]
    fn every_function_of_the_app_is_in_the_list() {
        let listed: BTreeSet<_> =
            FUNCTIONS.iter().map(|function| (format!("/fn/{}", function.name), function.method.to_string())).collect();
        let declared: BTreeSet<_> = leptos::server_fn::axum::server_fn_paths()
            .map(|(path, method)| (path.to_owned(), method.to_string()))
            .collect();
        assert_eq!(listed, declared);
        assert_eq!(listed.len(), FUNCTIONS.len());
    }
}
