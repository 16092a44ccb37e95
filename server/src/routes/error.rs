//! The only JSON error body, and the one place where failures become HTTP responses.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use config::{DocumentError, EditError, Problem};
use http::{HeaderName, HeaderValue, StatusCode, header};
use languages::Locale;
use serde_json::{Value, json};

use crate::{
    access::{BASIC_CHALLENGE, Denied, NotAdmin, RETRY_AFTER, Rejection, Unauthorized},
    database::DatabaseError,
    store::{FileFailure, WriteError},
};

/// Maximum number of problems in one response (docs/spec/api.md 7).
pub const MAX_PROBLEMS: usize = 20;

/// A failure as seen by a client of the API or a script: `{ "success": false, "message": … }` (docs/spec/api.md 7).
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// Status of the response.
    pub status: StatusCode,
    /// One sentence for a user, without secrets and paths.
    pub message: String,
    /// The problems that the schema check found.
    problems: Vec<Problem>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl ApiError {
    /// A failure with a message.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), problems: Vec::new(), headers: Vec::new() }
    }

    /// A failure of the client (400).
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// Something that does not exist (404).
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// An action that only admins may do (403).
    pub fn admin_required() -> Self {
        Self::new(StatusCode::FORBIDDEN, "Forbidden - Admin access required")
    }

    /// Credentials that were not checked because too many others are waiting (429).
    fn too_many_guesses() -> Self {
        let message = format!("Too many failed attempts to sign in, try again in {RETRY_AFTER} seconds");
        Self::new(StatusCode::TOO_MANY_REQUESTS, message)
            .with_header(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER))
    }

    /// A config that the schema forbids (400).
    pub fn schema(problems: Vec<Problem>) -> Self {
        let count = problems.len();
        let message = match problems.as_slice() {
            [] => "the config does not match the schema".to_owned(),
            [problem] => format!("the config does not match the schema: 1 problem, first {problem}"),
            [problem, ..] => format!("the config does not match the schema: {count} problems, first {problem}"),
        };
        Self { problems, ..Self::bad_request(message) }
    }

    /// The problems that the schema check found, if that is the failure.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// An internal failure. The client learns nothing; the reason is logged here, once.
    pub fn internal(reason: &dyn std::error::Error) -> Self {
        let mut text = reason.to_string();
        let mut source = reason.source();
        while let Some(cause) = source {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        tracing::error!("internal error: {text}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error, see the server's log")
    }

    /// The same failure with another header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The same failure in the language of a page that shows it.
    #[must_use]
    pub fn in_language(mut self, locale: &Locale) -> Self {
        self.message = locale.language.message(&self.message).into_owned();
        self
    }

    /// A stored file that does not parse (500): only its owner can repair it.
    pub fn broken_file(name: &str, error: &DocumentError) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("`{name}` is not valid YAML: {error}"))
    }
}

/// Problems in the form of a response.
pub fn list_of(problems: &[Problem]) -> Value {
    let entry = |problem: &Problem| json!({ "path": problem.path, "message": problem.sentence() });
    problems.iter().take(MAX_PROBLEMS).map(entry).collect()
}

impl From<EditError> for ApiError {
    fn from(error: EditError) -> Self {
        let status = match error {
            EditError::NotAMapping
            | EditError::NotAList { .. }
            | EditError::BrokenElement { .. }
            | EditError::NameMissing
            | EditError::TitleMissing => StatusCode::BAD_REQUEST,
            EditError::KeyNotFound(_)
            | EditError::SectionNotFound { .. }
            | EditError::ItemNotFound { .. }
            | EditError::NothingThere { .. } => StatusCode::NOT_FOUND,
        };
        Self::new(status, error.to_string())
    }
}

impl From<FileFailure> for ApiError {
    fn from(failure: FileFailure) -> Self {
        if failure.is_missing() {
            Self::not_found(format!("config file `{}` not found", failure.name))
        } else {
            Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("`{}` cannot be read: {}", failure.name, failure.reason),
            )
        }
    }
}

impl From<WriteError> for ApiError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Missing { .. } => Self::not_found(error.to_string()),
            WriteError::Copy { .. } => Self::new(StatusCode::FORBIDDEN, error.to_string()),
            WriteError::Database { error: DatabaseError::Away(_) | DatabaseError::Full, .. } => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
            }
            WriteError::Database { .. }
            | WriteError::Unreadable { .. }
            | WriteError::Backup { .. }
            | WriteError::Write { .. } => {
                tracing::error!("{error}");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            }
        }
    }
}

impl From<NotAdmin> for ApiError {
    fn from(_: NotAdmin) -> Self {
        Self::admin_required()
    }
}

impl From<Rejection> for ApiError {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Ambiguous => Self::bad_request("the request has more than one Authorization header"),
            Rejection::Unauthorized(Unauthorized { refused_bearer, encrypted_bearer, challenges }) => {
                let message = if encrypted_bearer {
                    "Unauthorized - The token is encrypted; turn off the encryption of ID tokens for this client at the \
                     identity provider"
                } else if refused_bearer {
                    "Unauthorized - Invalid or expired token"
                } else {
                    "Unauthorized"
                };
                let error = Self::new(StatusCode::UNAUTHORIZED, message);
                challenges.into_iter().fold(error, |error, value| error.with_header(header::WWW_AUTHENTICATE, value))
            }
            Rejection::TooManyGuesses => Self::too_many_guesses(),
        }
    }
}

impl From<Denied> for ApiError {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Unauthorized { .. } => Self::new(StatusCode::UNAUTHORIZED, "Unauthorized"),
            Denied::TooManyGuesses => Self::too_many_guesses(),
            Denied::Unavailable(reason) => Self::new(StatusCode::SERVICE_UNAVAILABLE, reason),
        }
    }
}

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        let mut error = ApiError::from(self.clone());
        if self == (Self::Unauthorized { basic: true }) {
            error = error.with_header(header::WWW_AUTHENTICATE, BASIC_CHALLENGE);
        }
        error.into_response()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut body = json!({ "success": false, "message": self.message });
        if !self.problems.is_empty() {
            body["errors"] = list_of(&self.problems);
        }
        let mut response = (self.status, [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response();
        for (name, value) in self.headers {
            response.headers_mut().append(name, value);
        }
        response
    }
}
