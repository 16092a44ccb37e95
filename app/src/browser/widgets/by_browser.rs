//! Widgets whose requests the browser sends, because the response depends on who sends them. The server lists the
//! requests and receives the responses: [`crate::backend::panel_by_browser`]. So the page needs the same code for all
//! such widgets.

use std::time::Duration;

use futures_util::future::join_all;
use gloo_net::http::{Headers, Method, Request, RequestBuilder, Response};
use js_sys::{Array, JSON, Object, Reflect, Uint8Array};
use leptos::{logging, prelude::window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableStreamDefaultReader, ReferrerPolicy, RequestCache, RequestCredentials, RequestMode};

use super::{
    by_server::{self, FetchOutcome},
    frame::LiveFrame,
    runtime::with,
};
use crate::{
    backend::{BrowserFailure, PanelResponse, PanelState},
    browser::function,
    parts::live::property,
    timeout::{AbortOnDrop, with_timeout},
    words::t_for_script,
};

/// Seconds of the first pause after an error, and of the longest.
const WAIT: (f64, f64) = (5.0, 300.0);
/// Requests use the timeouts of their entries, at most a minute each for three rounds. Anything longer has failed.
const CALL_TIMEOUT: Duration = Duration::from_secs(190);

/// Refreshes a widget, and shows the result.
pub(super) async fn look_up(position: usize) {
    let Some((base, question)) = with(|runtime| {
        runtime.frames[position].forced = false;
        let question = by_server::slot_object(runtime, position);
        for (name, hint) in [("locale", &runtime.viewer.locale), ("zone", &runtime.viewer.time_zone)] {
            set(&question, name, hint.as_deref().map_or(JsValue::NULL, JsValue::from_str));
        }
        (runtime.base.clone(), question)
    }) else {
        return;
    };
    let outcome = with_timeout(CALL_TIMEOUT, steps(&base, &question)).await.unwrap_or(FetchOutcome::Nothing);
    let outcome = match outcome {
        FetchOutcome::Answer(answer) => {
            with(|runtime| FetchOutcome::Answer(completed(&mut runtime.frames[position], answer)))
        }
        other => Some(other),
    };
    by_server::settle(position, outcome);
}

/// Calls the server, sends the requests that it lists, and repeats this until the server has everything it needs.
async fn steps(base: &str, question: &Object) -> FetchOutcome {
    let responses = Array::new();
    set(question, "responses", responses.clone().into());
    loop {
        let Some(body) = JSON::stringify(question).ok().map(String::from) else { return FetchOutcome::Nothing };
        let answer = match function::call(base, "panel-by-browser", &body).await {
            Some((200, answer)) => answer,
            Some((status @ (401 | 403), _)) => return FetchOutcome::Refused(status),
            // A rejected response of this service is a problem of this widget, not of the whole page.
            Some((400..=499, _)) => return FetchOutcome::Answer(not_taken()),
            _ => return FetchOutcome::Nothing,
        };
        if let Some(panel) = by_server::read(&property(&answer, "panel")) {
            return FetchOutcome::Answer(panel);
        }
        // The server limits the number of requests, so this ends.
        let Ok(requests) = property(&answer, "requests").dyn_into::<Array>() else { return FetchOutcome::Nothing };
        set(question, "began", property(&answer, "began"));
        for one in join_all(requests.iter().map(run)).await {
            responses.push(&one);
        }
    }
}

fn not_taken() -> PanelResponse {
    let note = Some(t_for_script("What the service sent is too much to show."));
    PanelResponse { state: PanelState::Error, note, ..PanelResponse::default() }
}

/// Sends one request; returns a [`crate::backend::BrowserResponse`].
async fn run(wanted: JsValue) -> JsValue {
    let outcome = Object::new();
    set(&outcome, "id", property(&wanted, "id"));
    // Whole milliseconds, at most a minute.
    let limit = Duration::from_millis(property(&wanted, "timeout").as_f64().unwrap_or_default() as u64);
    match with_timeout(limit, fetch(&wanted)).await.unwrap_or(Err(BrowserFailure::TimedOut)) {
        Ok((response, body)) => {
            set(&outcome, "status", response.status().into());
            set(&outcome, "headers", headers(&response).into());
            set(&outcome, "body", body);
        }
        Err(failure) => set(&outcome, "failure", failure.word().into()),
    }
    outcome.into()
}

/// Names and values of the headers.
fn headers(response: &Response) -> Array {
    let pairs = response.headers().entries().map(|(name, value)| Array::of2(&name.into(), &value.into()));
    pairs.collect()
}

/// The response of a service, with its text.
async fn fetch(wanted: &JsValue) -> Result<(Response, JsValue), BrowserFailure> {
    let text_of = |value: &JsValue, name: &str| property(value, name).as_string().unwrap_or_default();
    let url = text_of(wanted, "url");
    let guard = AbortOnDrop::new();
    let method = Method::from_bytes(text_of(wanted, "method").as_bytes()).unwrap_or_default();
    // The wrapper panics if a header cannot be sent.
    let Ok(headers) = web_sys::Headers::new_with_str_sequence_sequence(&property(wanted, "headers")) else {
        return Err(BrowserFailure::Unreachable);
    };
    let request = cross_origin_request(&url, RequestMode::Cors).method(method).headers(Headers::from_raw(headers));
    let request = request.abort_signal(guard.as_ref().map(AbortOnDrop::signal).as_ref());
    let answer = match property(wanted, "body").as_string() {
        Some(body) => match request.body(body) {
            Ok(request) => request.send().await,
            Err(error) => Err(error),
        },
        None => request.send().await,
    };
    let Ok(answer) = answer else { return Err(why_not(&url).await) };
    let max = property(wanted, "maxBytes").as_f64().unwrap_or_default();
    let text = text(&answer, max).await?;
    Ok((answer, text))
}

/// A request to a third-party host, which should learn nothing about the viewer beyond the request itself.
fn cross_origin_request(url: &str, mode: RequestMode) -> RequestBuilder {
    Request::get(url)
        .mode(mode)
        .credentials(RequestCredentials::Omit)
        .cache(RequestCache::NoStore)
        .referrer_policy(ReferrerPolicy::NoReferrer)
}

/// Browsers hide why a cross-origin request failed, so a second, opaque request finds out. If the host responds when the response is not
/// read, the browser's cross-origin policy was the reason.
async fn why_not(url: &str) -> BrowserFailure {
    if !window().navigator().on_line() {
        return BrowserFailure::Offline;
    }
    match cross_origin_request(url, RequestMode::NoCors).send().await {
        Ok(_) => BrowserFailure::Blocked,
        Err(_) => BrowserFailure::Unreachable,
    }
}

/// The text of a response, unless it is too large.
async fn text(response: &Response, max: f64) -> Result<JsValue, BrowserFailure> {
    let Some(stream) = response.body() else { return Ok("".into()) };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let chunks = Array::new();
    let mut length = 0.0;
    loop {
        let piece = JsFuture::from(reader.read()).await.map_err(|_| BrowserFailure::BrokenOff)?;
        let Ok(bytes) = property(&piece, "value").dyn_into::<Uint8Array>() else { break };
        length += f64::from(bytes.length());
        if length > max {
            return Err(BrowserFailure::TooLarge);
        }
        chunks.push(&bytes);
    }
    let blob = Blob::new_with_u8_array_sequence(&chunks).map_err(|_| BrowserFailure::BrokenOff)?;
    JsFuture::from(blob.text()).await.map_err(|_| BrowserFailure::BrokenOff)
}

fn set(object: &JsValue, name: &str, value: JsValue) {
    _ = Reflect::set(object, &JsValue::from_str(name), &value);
}

/// Completes an answer: the server does not know what is visible, or how many times in a row fetching has failed.
fn completed(frame: &mut LiveFrame, answer: PanelResponse) -> PanelResponse {
    match answer.state {
        PanelState::Content => {
            frame.failures = 0;
            PanelResponse { next: frame.refresh().map(seconds), ..answer }
        }
        PanelState::Error => failed(frame, answer),
        _ => answer,
    }
}

/// Keeps the panel if there is one; otherwise shows a box, unless the entry hides errors.
fn failed(frame: &mut LiveFrame, answer: PanelResponse) -> PanelResponse {
    logging::warn!("{}: {}", frame.kind, answer.note.as_deref().unwrap_or_default());
    let wait = (WAIT.0 * f64::from(1_u32 << frame.failures.min(8))).min(WAIT.1);
    frame.failures += 1;
    // Retry at the time that the note names, if any, and do not retry a widget that is fetched only once.
    let next = frame.refresh().map(|_| answer.next.unwrap_or(seconds(wait)));
    let answer = PanelResponse { next, at: frame.at(), ..answer };
    match (frame.has_panel(), frame.is_quiet()) {
        (true, false) => PanelResponse { state: PanelState::Stale, ..answer },
        (false, false) => answer,
        (true, true) => PanelResponse { state: PanelState::Content, ..answer },
        (false, true) => PanelResponse { state: PanelState::Content, html: Some(String::new()), ..answer },
    }
}

/// Seconds as an integer.
fn seconds(seconds: f64) -> u32 {
    // At most hours, and never negative.
    seconds.ceil() as u32
}
