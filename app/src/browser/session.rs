//! Keeps a provider's session alive while its page is open, and says so when it has ended
//! (docs/spec/behaviour.md 19.4).
//!
//! Nothing here ever leaves or reloads the page, or what someone is writing on it would be lost.

use std::{cell::Cell, future::Future, rc::Rc, time::Duration};

use js_sys::{Date, Function, Promise, Reflect};
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::{Event, HtmlElement};

use super::{element, function::call, listen};
use crate::{
    page::{PageSettings, SESSION_ENDED_ELEMENT},
    parts::live::property,
};

/// Seconds until another attempt when the server or the provider cannot be reached.
const RETRY: f64 = 15.0;
/// Fewest milliseconds between two looks, whatever times the provider gives.
const LEAST: u64 = 1_000;
/// Most milliseconds between two looks; the browser's timers end at 24 days.
const MAX: u64 = 6 * 3_600_000;

/// What is known after a look.
enum SessionCheck {
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
    base: String,
    /// When to look again, in milliseconds by this browser's clock.
    due: Cell<f64>,
    looking: Cell<bool>,
}

/// Watches the session of a person whom a provider signed in.
pub(super) fn keep(settings: &PageSettings) {
    if !settings.watch_session {
        return;
    }
    let watch = Rc::new(Watch { base: settings.base.clone(), due: Cell::new(0.0), looking: Cell::new(false) });
    listen(&document(), "visibilitychange", false, {
        let watch = Rc::clone(&watch);
        move |_: Event| {
            // A computer that slept has run no timer; and someone may have signed in again in another tab.
            if !document().hidden() && (watch.is_due() || message().is_some_and(|message| !message.hidden())) {
                look(&watch);
            }
        }
    });
    look(&watch);
}

/// The message that the session has ended.
fn message() -> Option<HtmlElement> {
    element(SESSION_ENDED_ELEMENT)
}

fn look(watch: &Rc<Watch>) {
    if watch.looking.replace(true) {
        return;
    }
    let watch = Rc::clone(watch);
    spawn_local(async move {
        let outcome = Rc::new(Cell::new(SessionCheck::Unreachable));
        alone(&watch.base, {
            let (watch, outcome) = (Rc::clone(&watch), Rc::clone(&outcome));
            async move {
                // Another tab may have renewed while this one waited for its turn, so the server is asked first.
                let mut known = watch.ask("session").await;
                if matches!(known, SessionCheck::IsDue) {
                    known = watch.ask("renew").await;
                }
                outcome.set(known);
            }
        })
        .await;
        watch.looking.set(false);
        let known = outcome.replace(SessionCheck::Unreachable);
        let wait = match known {
            SessionCheck::Lives(seconds) => seconds,
            SessionCheck::IsDue => 0.0,
            SessionCheck::Unreachable => RETRY,
            // Anyone who signs in again elsewhere is noticed when this tab comes to the front.
            SessionCheck::Ended => f64::INFINITY,
        };
        if let Some(message) = message()
            && !matches!(known, SessionCheck::Unreachable)
        {
            message.set_hidden(!matches!(known, SessionCheck::Ended));
        }
        let wait = ((wait * 1000.0) as u64).clamp(LEAST, MAX);
        watch.due.set(Date::now() + wait as f64);
        set_timeout(
            move || {
                // A look in between has set a later time, and a timer of its own.
                if watch.is_due() {
                    look(&watch);
                }
            },
            Duration::from_millis(wait),
        );
    });
}

impl Watch {
    /// Timers may run a moment early by the clock.
    fn is_due(&self) -> bool {
        Date::now() + 50.0 >= self.due.get()
    }

    async fn ask(&self, what: &str) -> SessionCheck {
        let answer = match call(&self.base, what, "{}").await {
            Some((200, answer)) => answer,
            Some((401, _)) => return SessionCheck::Ended,
            _ => return SessionCheck::Unreachable,
        };
        // Times are seconds since 1970 by the server's clock, so this browser's clock may be wrong.
        let time = |key: &str| property(&answer, key).as_f64();
        if property(&answer, "kind").as_string().as_deref() != Some("oidc") {
            return SessionCheck::Ended;
        }
        let now = time("now").unwrap_or_else(|| Date::now() / 1000.0);
        match (time("renewAt"), time("idTokenExpires")) {
            (Some(time), _) if time > now => SessionCheck::Lives(time - now),
            (Some(_), _) => SessionCheck::IsDue,
            (None, Some(time)) if time > now => SessionCheck::Lives(time - now),
            (None, Some(_)) => SessionCheck::Ended,
            (None, None) => SessionCheck::Lives(f64::INFINITY),
        }
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
