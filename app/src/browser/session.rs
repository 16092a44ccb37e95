//! Keeps a provider's session alive while its page is open, and says so when it has ended (behaviour.md 19.4).
//!
//! Nothing here ever leaves or reloads the page, or what somebody is writing on it would be lost.

use std::{cell::Cell, future::Future, rc::Rc, time::Duration};

use gloo_net::http::Request;
use js_sys::{Date, Function, Promise, Reflect};
use leptos::{prelude::*, task::spawn_local};
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::Event;

use super::listen;
use crate::page::{PageSettings, PageState, SessionKind};

/// Seconds until another attempt when the server or the provider cannot be reached.
const RETRY: f64 = 15.0;
/// Fewest seconds between two looks, whatever times the provider gives.
const LEAST: f64 = 1.0;
/// Most seconds between two looks; the browser's timers end at 24 days.
const MOST: f64 = 6.0 * 3600.0;

/// The answer of `/fn/session` and `/fn/renew`. Times are seconds since 1970 by the server's clock, so this browser's
/// clock may be wrong.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Answer {
    kind: String,
    now: f64,
    renew_at: Option<f64>,
    id_token_expires: Option<f64>,
}

/// What is known after a look.
enum Known {
    /// The session lives; what it says holds for so many seconds.
    Lives(f64),
    /// It lives, and it is time to renew it.
    IsDue,
    /// Nobody is signed in any more.
    Ended,
    /// Nobody could tell.
    Unreachable,
}

struct Watch {
    state: PageState,
    base: String,
    /// When to look again, in milliseconds by this browser's clock.
    due: Cell<f64>,
    looking: Cell<bool>,
}

/// Watches the session of a person whom a provider signed in.
pub(super) fn keep(state: PageState, settings: &PageSettings) {
    let signed_in =
        settings.session.as_ref().is_some_and(|session| session.kind == SessionKind::Oidc && !session.guest);
    if !signed_in {
        return;
    }
    let watch = Rc::new(Watch { state, base: settings.base.clone(), due: Cell::new(0.0), looking: Cell::new(false) });
    listen(&document(), "visibilitychange", false, {
        let watch = Rc::clone(&watch);
        move |_: Event| {
            // A computer that slept has run no timer; and somebody may have signed in again in another tab.
            if !document().hidden() && (Date::now() >= watch.due.get() || has_ended(watch.state)) {
                look(&watch);
            }
        }
    });
    look(&watch);
}

fn has_ended(state: PageState) -> bool {
    state.sign_in_again.with_untracked(Option::is_some)
}

fn look(watch: &Rc<Watch>) {
    if watch.looking.replace(true) {
        return;
    }
    let watch = Rc::clone(watch);
    spawn_local(async move {
        let outcome = Rc::new(Cell::new(Known::Unreachable));
        alone(&watch.base, {
            let (watch, outcome) = (Rc::clone(&watch), Rc::clone(&outcome));
            async move {
                // Another tab may have renewed while this one waited for its turn, so the server is asked first.
                let mut known = watch.ask("session").await;
                if matches!(known, Known::IsDue) {
                    known = watch.ask("renew").await;
                }
                outcome.set(known);
            }
        })
        .await;
        watch.looking.set(false);
        let wait = match outcome.replace(Known::Unreachable) {
            Known::Lives(seconds) => seconds,
            Known::IsDue => LEAST,
            Known::Unreachable => RETRY,
            Known::Ended => {
                watch.offer_sign_in();
                return;
            }
        };
        if has_ended(watch.state) {
            watch.state.sign_in_again.set(None);
        }
        let wait = wait.clamp(LEAST, MOST);
        watch.due.set(Date::now() + wait * 1000.0);
        set_timeout(
            move || {
                // A look in between has set a later time, and a timer of its own.
                if Date::now() >= watch.due.get() {
                    look(&watch);
                }
            },
            Duration::from_secs_f64(wait),
        );
    });
}

impl Watch {
    async fn ask(&self, what: &str) -> Known {
        let request = Request::post(&format!("{}/fn/{what}", self.base)).header("Content-Type", "application/json");
        let Ok(request) = request.body("{}") else { return Known::Unreachable };
        let Ok(response) = request.send().await else { return Known::Unreachable };
        match response.status() {
            200 => {}
            401 => return Known::Ended,
            _ => return Known::Unreachable,
        }
        let Ok(answer) = response.json::<Answer>().await else { return Known::Unreachable };
        if answer.kind != "oidc" {
            return Known::Ended;
        }
        match (answer.renew_at, answer.id_token_expires) {
            (Some(time), _) if time > answer.now => Known::Lives(time - answer.now),
            (Some(_), _) => Known::IsDue,
            (None, Some(time)) if time > answer.now => Known::Lives(time - answer.now),
            (None, Some(_)) => Known::Ended,
            (None, None) => Known::Lives(MOST),
        }
    }

    fn offer_sign_in(&self) {
        let location = window().location();
        let here = format!("{}{}", location.pathname().unwrap_or_default(), location.search().unwrap_or_default());
        let here = js_sys::encode_uri_component(&here);
        self.state.sign_in_again.set(Some(format!("{}/login/provider?return_to={here}", self.base)));
    }
}

/// Does the work while no other tab of this dashboard does the same, where the browser can tell (Web Locks exist on
/// HTTPS and on the own machine only). Elsewhere the server keeps one token from being used twice.
async fn alone(base: &str, work: impl Future<Output = ()> + 'static) {
    let locks = Reflect::get(&window().navigator(), &"locks".into()).unwrap_or(JsValue::UNDEFINED);
    let request = Reflect::get(&locks, &"request".into()).and_then(|request| request.dyn_into::<Function>());
    let Ok(request) = request else { return work.await };
    let callback = Closure::once_into_js(move || -> Promise {
        future_to_promise(async move {
            work.await;
            Ok(JsValue::UNDEFINED)
        })
    });
    if let Ok(done) = request.call2(&locks, &format!("portico-session{base}").into(), &callback)
        && let Ok(done) = done.dyn_into::<Promise>()
    {
        _ = JsFuture::from(done).await;
    }
}
