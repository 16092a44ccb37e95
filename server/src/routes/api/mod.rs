//! The REST API (docs/spec/api.md): config files as JSON.
//!
//! Requests are dispatched here and not by the router: every failure below `/api/` must be JSON, the order of checks
//! is fixed (docs/spec/api.md 2), and addresses are judged as they were sent, before any decoding.

mod address;
mod answer;
mod body;
mod change;
mod endpoint;
mod files;
mod items;
mod keys;
mod load;
mod openapi;
mod origin;
mod schemas;
mod sections;

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderValue, Method, StatusCode, header};

pub(crate) use self::body::read_json;
use self::{
    address::segments,
    answer::{Answer, finish},
    endpoint::{Action, Call, Endpoint},
};
pub use self::{openapi::description, origin::is_cross_site};
use crate::{
    access::Proof,
    routes::{error::ApiError, known_hosts, peer::asking, portico::Portico},
};

/// Answers what is below `/api`, and lets everything else pass.
pub async fn intercept(State(portico): State<Arc<Portico>>, request: Request, next: Next) -> Response {
    let Some(rest) = address::below_api(request.uri().path(), &portico.settings.base).map(str::to_owned) else {
        return next.run(request).await;
    };
    let is_head = request.method() == Method::HEAD;
    finish(respond(portico, &rest, request).await, is_head)
}

/// The checks in their order; the first that fails decides.
async fn respond(portico: Arc<Portico>, rest: &str, request: Request) -> Result<Answer, ApiError> {
    if !portico.settings.enable_api {
        return Err(ApiError::not_found("API not enabled, set ENABLE_API=true to turn it on"));
    }
    let segments = segments(rest);
    let known: Vec<&'static Endpoint> = segments.as_deref().map(endpoint::at).unwrap_or_default();
    if request.method() == Method::OPTIONS {
        return if known.is_empty() { Err(not_found()) } else { Ok(Answer::options(allow(&known))) };
    }
    let (parts, body) = request.into_parts();
    let site = portico.store.site();
    let caller = portico.gate.caller(&site, asking(&parts.headers, &parts.extensions)).await?;
    drop(site);
    if caller.proof() == Proof::Nothing {
        known_hosts::check(&parts.extensions)?;
    }
    let (Some(segments), false) = (segments, known.is_empty()) else { return Err(not_found()) };
    let method = if parts.method == Method::HEAD { Method::GET } else { parts.method.clone() };
    let Some(endpoint) = known.iter().find(|endpoint| endpoint.method == method) else {
        let message = format!("{} is not allowed here", parts.method);
        return Err(ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message).with_header(header::ALLOW, allow(&known)));
    };
    let call = Call::new(portico, endpoint, &segments);
    if let Action::Read(read) = endpoint.action {
        return read(caller.into_reader(), call).await;
    }
    if caller.proof() != Proof::Authorization && is_cross_site(&parts) {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "Forbidden - the request comes from a page of another site"));
    }
    let admin = caller.into_admin()?;
    match endpoint.action {
        Action::Read(_) => Err(not_found()),
        Action::Change(change) => {
            let value = read_json(&parts, body).await?;
            change(admin, call, value).await
        }
        Action::Remove(remove) => remove(admin, call).await,
    }
}

fn not_found() -> ApiError {
    ApiError::not_found("Not found")
}

fn allow(known: &[&Endpoint]) -> HeaderValue {
    let mut methods: Vec<&str> = Vec::new();
    for endpoint in known {
        methods.push(endpoint.method.as_str());
        if endpoint.method == Method::GET {
            methods.push(Method::HEAD.as_str());
        }
    }
    methods.push(Method::OPTIONS.as_str());
    HeaderValue::from_str(&methods.join(", ")).unwrap_or_else(|_| HeaderValue::from_static("OPTIONS"))
}
