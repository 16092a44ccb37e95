//! The world as a widget sees it in the browser: requests by the page itself, within a time and a size.

use std::{pin::Pin, time::Duration};

use gloo_net::http::{Method as HttpMethod, RequestBuilder, Response};
use js_sys::{Date, Reflect, Uint8Array};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, ReferrerPolicy, RequestCache, RequestCredentials, RequestMode};

use crate::within::{AbortOnDrop, within};
use widgets::{Entry, FetchError, Method, Moment, Outside, Reply, Request, Side, ViewerHints};

/// Most bytes of an answer (widgets/_common.md section 11).
const LARGEST: usize = 10_000_000;

/// The world for one entry.
pub(super) struct BrowserOutside {
    timeout: Duration,
    viewer: ViewerHints,
}

impl BrowserOutside {
    pub(super) fn new(entry: &Entry, viewer: ViewerHints) -> Self {
        Self { timeout: entry.timeout, viewer }
    }
}

/// The present time.
fn now() -> Moment {
    // Whole milliseconds since 1970.
    #[allow(clippy::cast_possible_truncation)]
    Moment::from_millis(Date::now() as i64)
}

impl Outside for BrowserOutside {
    async fn exchange(&self, request: Request) -> Result<Reply, FetchError> {
        let host = request.host().to_owned();
        let limit = request.timeout.map_or(self.timeout, |timeout| timeout.min(self.timeout));
        // In a box, so that it is compiled once and not into every widget.
        let answer: Pin<Box<dyn Future<Output = Result<Reply, FetchError>>>> = Box::pin(send(request));
        within(limit, answer).await.unwrap_or(Err(FetchError::TimedOut { host, after: limit }))
    }

    fn now(&self) -> Moment {
        now()
    }

    fn side(&self) -> Side {
        Side::Browser
    }

    fn viewer(&self) -> &ViewerHints {
        &self.viewer
    }
}

async fn send(request: Request) -> Result<Reply, FetchError> {
    let host = request.host().to_owned();
    let Some(guard) = AbortOnDrop::new() else { return Err(unreachable(host, "no answer")) };
    let mut builder = RequestBuilder::new(&request.url)
        .method(match request.method {
            Method::Get => HttpMethod::GET,
            Method::Head => HttpMethod::HEAD,
            Method::Post => HttpMethod::POST,
            Method::Put => HttpMethod::PUT,
            Method::Patch => HttpMethod::PATCH,
            Method::Delete => HttpMethod::DELETE,
        })
        .mode(RequestMode::Cors)
        .credentials(RequestCredentials::Omit)
        .cache(RequestCache::NoStore)
        .referrer_policy(ReferrerPolicy::NoReferrer)
        .abort_signal(Some(&guard.signal()));
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let built = match &request.body {
        Some(body) => builder.header("Content-Type", &body.content_type).body(Uint8Array::from(body.bytes.as_slice())),
        None => builder.build(),
    };
    let Ok(built) = built else { return Err(unreachable(host, "the request cannot be made")) };
    let Ok(response) = built.send().await else { return Err(why_not(&request, host).await) };
    let body = read(&response, request.max_bytes.unwrap_or(LARGEST), &host).await?;
    Ok(Reply {
        status: response.status(),
        headers: response.headers().entries().collect(),
        body,
        host,
        received: now(),
    })
}

/// A browser does not say why nothing came. That the host answers at all, if nobody looks at the answer, tells whether
/// it was the rule about other origins.
async fn why_not(request: &Request, host: String) -> FetchError {
    if !window().navigator().on_line() {
        return unreachable(host, "this device has no connection");
    }
    let probe = RequestBuilder::new(&request.url)
        .mode(RequestMode::NoCors)
        .credentials(RequestCredentials::Omit)
        .cache(RequestCache::NoStore)
        .referrer_policy(ReferrerPolicy::NoReferrer);
    if probe.send().await.is_ok() { FetchError::CallBlocked { host } } else { unreachable(host, "no answer") }
}

fn unreachable(host: String, reason: &str) -> FetchError {
    FetchError::Unreachable { host, reason: reason.to_owned() }
}

/// The bytes of an answer, as long as they are not too many.
async fn read(response: &Response, limit: usize, host: &str) -> Result<Vec<u8>, FetchError> {
    let mut bytes = Vec::new();
    let Some(stream) = response.body() else { return Ok(bytes) };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    loop {
        let Ok(piece) = JsFuture::from(reader.read()).await else {
            return Err(unreachable(host.to_owned(), "the answer broke off"));
        };
        let property = |name: &str| Reflect::get(&piece, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED);
        let Ok(more) = property("value").dyn_into::<Uint8Array>() else { return Ok(bytes) };
        if bytes.len() + more.length() as usize > limit {
            return Err(FetchError::TooLarge { host: host.to_owned() });
        }
        bytes.extend_from_slice(&more.to_vec());
    }
}
