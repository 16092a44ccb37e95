//! The arguments of the API's handlers: the right to read or to write, the parameters of the path, and the body.

use std::{convert::Infallible, sync::Arc};

use axum::extract::{FromRequest, FromRequestParts, Request};
use config::{Selector, TopLevelKey};
use http::{StatusCode, request::Parts};
use serde_json::Value;

use super::{
    address::{decoded, encoded},
    body::read_json,
    origin::is_cross_site,
};
use crate::{
    access::{Admin, Caller, Proof, Reader},
    routes::{error::ApiError, router_state::RouterState},
    store::{FileName, Store},
};

impl<S: Sync> FromRequestParts<S> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        caller(parts).map(Caller::into_reader)
    }
}

impl<S: Sync> FromRequestParts<S> for Admin {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let caller = caller(parts)?;
        if caller.proof() != Proof::Authorization && is_cross_site(parts) {
            let message = "Forbidden - the request comes from a page of another site";
            return Err(ApiError::new(StatusCode::FORBIDDEN, message));
        }
        Ok(caller.into_admin()?)
    }
}

/// The caller, as found by the first check. No request passes it without one.
fn caller(parts: &Parts) -> Result<Caller, ApiError> {
    let caller = parts.extensions.get::<Caller>().cloned();
    let caller = caller.ok_or_else(|| ApiError::new(StatusCode::UNAUTHORIZED, "Unauthorized"))?;
    // `/config/{filename}` and what is below it.
    let mut segments = parts.uri.path().split('/').skip(2);
    let file = segments.next().unwrap_or_default();
    match caller.only_file() {
        Some(only) if decoded(file).ok().as_deref() != Some(only) => {
            Err(ApiError::new(StatusCode::FORBIDDEN, format!("Forbidden - this token is only for `{only}`")))
        }
        _ => match caller.only_section() {
            // `/config/{filename}/sections/{sid}` and what is below it, by the name of the section.
            Some(only)
                if segments.next() != Some("sections")
                    || segments.next().and_then(|sid| decoded(sid).ok()).as_deref() != Some(only) =>
            {
                Err(ApiError::new(
                    StatusCode::FORBIDDEN,
                    format!("Forbidden - this token is only for the section `{only}`"),
                ))
            }
            _ => Ok(caller),
        },
    }
}

/// The body of a request that needs one.
pub(super) struct JsonBody(pub Value);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        read_json(&parts, body).await.map(Self)
    }
}

/// A request that has passed all checks except those of its parameters and body. The handler reads the parameters,
/// in the order of docs/spec/api.md 2.
#[derive(Clone)]
pub(super) struct Call {
    pub store: Arc<Store>,
    base: String,
    /// The segments of the path below `/api`, as they were sent.
    segments: Vec<String>,
}

impl FromRequestParts<RouterState> for Call {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, RouterState(portico): &RouterState) -> Result<Self, Infallible> {
        let segments = parts.uri.path().split('/').skip(1).map(str::to_owned).collect();
        Ok(Self { store: Arc::clone(&portico.store), base: portico.settings.base.clone(), segments })
    }
}

impl Call {
    /// The file, of `/config/{filename}`.
    ///
    /// # Errors
    ///
    /// 400 if it is not the name of a config file.
    pub(super) fn file(&self) -> Result<FileName, ApiError> {
        FileName::parse(&self.segment(1)?).map_err(|error| ApiError::bad_request(error.to_string()))
    }

    /// The top-level key, of `/config/{filename}/{key}`.
    ///
    /// # Errors
    ///
    /// 400 if there is no such key.
    pub(super) fn key(&self) -> Result<TopLevelKey, ApiError> {
        let word = self.segment(2)?;
        TopLevelKey::parse(&word).ok_or_else(|| {
            let known = TopLevelKey::ALL.map(TopLevelKey::word).join(", ");
            ApiError::bad_request(format!("`{word}` is not a key of a config; the keys are {known}"))
        })
    }

    /// The section's address, of `/config/{filename}/sections/{sid}`.
    ///
    /// # Errors
    ///
    /// 400 for a malformed percent sequence.
    pub(super) fn section(&self) -> Result<Selector, ApiError> {
        Ok(Selector::parse(&self.segment(3)?))
    }

    /// The item's address, of `/config/{filename}/sections/{sid}/items/{iid}`.
    ///
    /// # Errors
    ///
    /// 400 for a malformed percent sequence.
    pub(super) fn item(&self) -> Result<Selector, ApiError> {
        Ok(Selector::parse(&self.segment(5)?))
    }

    /// The address of a part of a file, by its index.
    pub(super) fn location(&self, file: &FileName, part: &str) -> String {
        format!("{}/api/config/{}/{part}", self.base, encoded(file.as_str()))
    }

    /// A segment in plain text. axum's `Path` would accept malformed sequences.
    fn segment(&self, index: usize) -> Result<String, ApiError> {
        decoded(self.segments.get(index).map(String::as_str).unwrap_or_default())
    }
}
