//! Widgets whose service the browser asks, because the answer depends on who asks. The server says what to ask, and is
//! brought the answers: [`crate::backend::panel_by_browser`]. So what the page needs for it is the same for all widgets.

use std::time::Duration;

use futures_util::future::join_all;
use gloo_net::http::{Headers, Method, Request, RequestBuilder, Response};
use js_sys::{Array, JSON, Object, Reflect, Uint8Array};
use leptos::{logging, prelude::window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableStreamDefaultReader, ReferrerPolicy, RequestCache, RequestCredentials, RequestMode};

use super::{
    LiveFrame,
    by_server::{self, FetchOutcome},
    with,
};
use crate::{
    backend::{BrowserFailure, PanelAnswer, PanelState},
    browser::function,
    parts::live::property,
    within::{AbortOnDrop, within},
};

/// Seconds of the first wait after an error, and of the longest.
const WAIT: (f64, f64) = (5.0, 300.0);
/// Requests keep to the limits of entries, three times a minute at most. What takes longer has failed.
const LONGEST: Duration = Duration::from_secs(190);

/// Looks, and shows what came of it.
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
    let outcome = within(LONGEST, steps(&base, &question)).await.unwrap_or(FetchOutcome::Nothing);
    let outcome = match outcome {
        FetchOutcome::Answer(answer) => {
            with(|runtime| FetchOutcome::Answer(completed(&mut runtime.frames[position], answer)))
        }
        other => Some(other),
    };
    by_server::settle(position, outcome);
}

/// Asks the server, makes the requests that it names, and asks again, until it has all that it wants.
async fn steps(base: &str, question: &Object) -> FetchOutcome {
    let responses = Array::new();
    set(question, "responses", responses.clone().into());
    loop {
        let Some(body) = JSON::stringify(question).ok().map(String::from) else { return FetchOutcome::Nothing };
        let answer = match function::call(base, "panel-by-browser", &body).await {
            Some((200, answer)) => answer,
            Some((status @ (401 | 403), _)) => return FetchOutcome::Refused(status),
            // What this service sent is the trouble of this widget, not of the whole page.
            Some((400..=499, _)) => return FetchOutcome::Answer(not_taken()),
            _ => return FetchOutcome::Nothing,
        };
        if let Some(panel) = by_server::read(&property(&answer, "panel")) {
            return FetchOutcome::Answer(panel);
        }
        // The server counts requests, so this comes to an end.
        let Ok(requests) = property(&answer, "requests").dyn_into::<Array>() else { return FetchOutcome::Nothing };
        set(question, "began", property(&answer, "began"));
        for one in join_all(requests.iter().map(run)).await {
            responses.push(&one);
        }
    }
}

fn not_taken() -> PanelAnswer {
    let note = Some("What the service sent is too much to show.".to_owned());
    PanelAnswer { state: PanelState::Error, note, ..PanelAnswer::default() }
}

/// Makes one request; gives a [`crate::backend::BrowserResponse`].
async fn run(wanted: JsValue) -> JsValue {
    let outcome = Object::new();
    set(&outcome, "id", property(&wanted, "id"));
    // Whole milliseconds, a minute at most.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let limit = Duration::from_millis(property(&wanted, "timeout").as_f64().unwrap_or_default() as u64);
    match within(limit, fetch(&wanted)).await.unwrap_or(Err(BrowserFailure::TimedOut)) {
        Ok((response, body)) => {
            set(&outcome, "status", response.status().into());
            set(&outcome, "headers", headers(&response).into());
            set(&outcome, "body", body);
        }
        Err(failure) => set(&outcome, "failure", failure.word().into()),
    }
    outcome.into()
}

/// Names and values.
fn headers(response: &Response) -> Array {
    let pairs = response.headers().entries().map(|(name, value)| Array::of2(&name.into(), &value.into()));
    pairs.collect()
}

/// The answer of a service, with its text.
async fn fetch(wanted: &JsValue) -> Result<(Response, JsValue), BrowserFailure> {
    let text_of = |value: &JsValue, name: &str| property(value, name).as_string().unwrap_or_default();
    let url = text_of(wanted, "url");
    let guard = AbortOnDrop::new();
    let method = Method::from_bytes(text_of(wanted, "method").as_bytes()).unwrap_or_default();
    // The wrapper panics when a header cannot be sent.
    let Ok(headers) = web_sys::Headers::new_with_str_sequence_sequence(&property(wanted, "headers")) else {
        return Err(BrowserFailure::Unreachable);
    };
    let request = to_a_stranger(&url, RequestMode::Cors).method(method).headers(Headers::from_raw(headers));
    let request = request.abort_signal(guard.as_ref().map(AbortOnDrop::signal).as_ref());
    let answer = match property(wanted, "body").as_string() {
        Some(body) => match request.body(body) {
            Ok(request) => request.send().await,
            Err(error) => Err(error),
        },
        None => request.send().await,
    };
    let Ok(answer) = answer else { return Err(why_not(&url).await) };
    let most = property(wanted, "maxBytes").as_f64().unwrap_or_default();
    let text = text(&answer, most).await?;
    Ok((answer, text))
}

/// A request to a host that shall learn nothing of its viewer but what it is asked.
fn to_a_stranger(url: &str, mode: RequestMode) -> RequestBuilder {
    Request::get(url)
        .mode(mode)
        .credentials(RequestCredentials::Omit)
        .cache(RequestCache::NoStore)
        .referrer_policy(ReferrerPolicy::NoReferrer)
}

/// A browser does not say why nothing came. That the host answers at all, if nobody looks at the answer, tells whether
/// it was the rule about other origins.
async fn why_not(url: &str) -> BrowserFailure {
    if !window().navigator().on_line() {
        return BrowserFailure::Offline;
    }
    match to_a_stranger(url, RequestMode::NoCors).send().await {
        Ok(_) => BrowserFailure::Blocked,
        Err(_) => BrowserFailure::Unreachable,
    }
}

/// The text of an answer, as long as it is not too much.
async fn text(response: &Response, most: f64) -> Result<JsValue, BrowserFailure> {
    let Some(stream) = response.body() else { return Ok("".into()) };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let pieces = Array::new();
    let mut length = 0.0;
    loop {
        let piece = JsFuture::from(reader.read()).await.map_err(|_| BrowserFailure::BrokenOff)?;
        let Ok(bytes) = property(&piece, "value").dyn_into::<Uint8Array>() else { break };
        length += f64::from(bytes.length());
        if length > most {
            return Err(BrowserFailure::TooLarge);
        }
        pieces.push(&bytes);
    }
    let blob = Blob::new_with_u8_array_sequence(&pieces).map_err(|_| BrowserFailure::BrokenOff)?;
    JsFuture::from(blob.text()).await.map_err(|_| BrowserFailure::BrokenOff)
}

fn set(object: &JsValue, name: &str, value: JsValue) {
    _ = Reflect::set(object, &JsValue::from_str(name), &value);
}

/// The server does not know what is on the screen, nor how often in a row it came to nothing.
fn completed(frame: &mut LiveFrame, answer: PanelAnswer) -> PanelAnswer {
    match answer.state {
        PanelState::Content => {
            frame.failures = 0;
            PanelAnswer { next: frame.refresh().map(seconds), ..answer }
        }
        PanelState::Error => failed(frame, answer),
        _ => answer,
    }
}

/// The panel stays if there is one; else there is a box, unless the entry wants none.
fn failed(frame: &mut LiveFrame, answer: PanelAnswer) -> PanelAnswer {
    logging::warn!("{}: {}", frame.kind, answer.note.as_deref().unwrap_or_default());
    let wait = (WAIT.0 * f64::from(1_u32 << frame.failures.min(8))).min(WAIT.1);
    frame.failures += 1;
    // Neither a service that says when nor a widget that looks only once is asked sooner.
    let told = f64::from(answer.next.unwrap_or_default());
    let next = frame.refresh().map(|_| seconds(told.max(wait)));
    let answer = PanelAnswer { next, at: frame.at(), ..answer };
    match (frame.has_panel(), frame.is_quiet()) {
        (true, false) => PanelAnswer { state: PanelState::Stale, ..answer },
        (false, false) => answer,
        (true, true) => PanelAnswer { state: PanelState::Content, ..answer },
        (false, true) => PanelAnswer { state: PanelState::Content, html: Some(String::new()), ..answer },
    }
}

/// Seconds as an answer has them.
fn seconds(seconds: f64) -> u32 {
    // At most hours, and not below zero.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = seconds.ceil() as u32;
    whole
}
