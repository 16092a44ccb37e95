//! Widgets that the server fetches: the page asks it for their panels.
//!
//! The calls are those of [`crate::backend::panel`] and [`crate::backend::panel_action`].

use std::time::Duration;

use gloo_net::http::{Request, RequestBuilder};
use js_sys::{JSON, Object, Reflect};
use leptos::{prelude::Set, task::spawn_local};
use wasm_bindgen::JsValue;
use widgets::Action;

use super::{
    frame::Refresher,
    runtime::{Runtime, arrived, refresh_due, with},
};
use crate::{
    backend::{PanelResponse, PanelState},
    browser::function::{self, address},
    page::LastingToast,
    parts::live::property,
    timeout::with_timeout,
    words::t_for_script,
};

/// The server answers after two seconds even if the service does not; after this time, the call has failed.
const CALL_TIMEOUT: Duration = Duration::from_secs(15);
/// A service may take a while to carry out an action.
const ACTION_TIMEOUT: Duration = Duration::from_secs(60);

/// The result of a call.
pub(super) enum FetchOutcome {
    Answer(PanelResponse),
    /// This user may not ask for it.
    Refused(u16),
    Nothing,
}

/// Requests the panel of a frame.
pub(super) fn look_up(position: usize) {
    let request = with(|runtime| {
        let force = std::mem::take(&mut runtime.frames[position].forced);
        let frame = &runtime.frames[position];
        let seen = frame.version().map(|version| version.to_string());
        let mut query: Vec<(&str, String)> = slot(runtime, position).into();
        let (locale, zone) = (runtime.viewer.locale.clone(), runtime.viewer.time_zone.clone());
        let more = [("seen", seen), ("force", force.then(|| "true".to_owned())), ("locale", locale), ("zone", zone)];
        query.extend(more.into_iter().filter_map(|(name, value)| Some((name, value?))));
        Request::get(&address(&runtime.base, "panel")).query(query)
    });
    if let Some(request) = request {
        spawn_local(async move { settle(position, with_timeout(CALL_TIMEOUT, send(request, None)).await) });
    }
}

/// Sends the action of a button in the panel.
pub(super) fn act(position: usize, action: Action) {
    let request = with(|runtime| {
        let body = slot_object(runtime, position);
        for (name, value) in [("action", &action.name), ("target", &action.target)] {
            _ = Reflect::set(&body, &JsValue::from_str(name), &JsValue::from_str(value));
        }
        let body = JSON::stringify(&body).map(String::from).unwrap_or_default();
        (Request::post(&address(&runtime.base, "panel-action")).header("Content-Type", "application/json"), body)
    });
    if let Some((request, body)) = request {
        spawn_local(async move { settle(position, with_timeout(ACTION_TIMEOUT, send(request, Some(body))).await) });
    }
}

/// A [`crate::backend::WidgetAddress`] for the body of a call.
pub(super) fn slot_object(runtime: &Runtime, position: usize) -> Object {
    let object = Object::new();
    for (name, value) in slot(runtime, position) {
        let value = match name {
            // Positions are small.
            "section" | "widget" => JsValue::from_f64(value.parse::<u32>().unwrap_or_default().into()),
            _ => JsValue::from_str(&value),
        };
        _ = Reflect::set(&object, &JsValue::from_str(name), &value);
    }
    object
}

/// The fields of a [`crate::backend::WidgetAddress`].
fn slot(runtime: &Runtime, position: usize) -> [(&'static str, String); 4] {
    let frame = &runtime.frames[position];
    [
        ("page", runtime.page.clone()),
        ("section", frame.section.to_string()),
        ("widget", frame.widget.to_string()),
        ("kind", frame.kind.clone()),
    ]
}

async fn send(request: RequestBuilder, body: Option<String>) -> FetchOutcome {
    match function::send(request, body.as_deref()).await {
        Some((200, answer)) => read(&answer).map_or(FetchOutcome::Nothing, FetchOutcome::Answer),
        Some((status @ (401 | 403), _)) => FetchOutcome::Refused(status),
        _ => FetchOutcome::Nothing,
    }
}

/// Reads a [`PanelResponse`]; `None` if it is something else.
pub(super) fn read(answer: &JsValue) -> Option<PanelResponse> {
    let text = |name: &str| property(answer, name).as_string();
    let number = |name: &str| property(answer, name).as_f64();
    let state = text("state")?;
    // Versions and times are below 2^53, and nothing is negative.
    Some(PanelResponse {
        state: PanelState::of_word(&state)?,
        version: number("version").unwrap_or_default() as u64,
        html: text("html"),
        note: text("note"),
        detail: text("detail"),
        at: number("at").map(|at| at as i64),
        next: number("next").map(|next| next as u32),
    })
}

/// Shows the result of a call; `None` means that it took too long.
pub(super) fn settle(position: usize, outcome: Option<FetchOutcome>) {
    let answer = with(|runtime| {
        let frame = &mut runtime.frames[position];
        if frame.place == Refresher::Server {
            runtime.questions -= 1;
        }
        match outcome.unwrap_or(FetchOutcome::Nothing) {
            FetchOutcome::Answer(answer) => {
                runtime.note_reached();
                return Some(answer);
            }
            FetchOutcome::Refused(status) => {
                frame.due = f64::INFINITY;
                frame.asking = false;
                frame.acting = false;
                frame.clicked.clear();
                frame.show_busy(false);
                runtime.note_reached();
                runtime.state.lasting_toast.set(Some(if status == 401 {
                    LastingToast::Message(t_for_script("You are no longer signed in."))
                } else {
                    LastingToast::Message(t_for_script("This button needs an account."))
                }));
            }
            FetchOutcome::Nothing => {
                frame.asking = false;
                frame.acting = false;
                frame.clicked.clear();
                frame.show_busy(false);
                runtime.note_unreachable();
            }
        }
        None
    });
    match answer.flatten() {
        Some(answer) => arrived(position, answer),
        None => refresh_due(),
    }
}
