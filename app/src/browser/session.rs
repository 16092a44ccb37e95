//! Keeps a provider's session alive while its page is open, and shows a message when it has ended
//! (docs/spec/behavior.md 19.4).
//!
//! Nothing here ever leaves or reloads the page, because that would lose unsaved input.

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

/// Seconds until the next check if the server cannot be reached; each further failure doubles them.
const FIRST_RETRY: f64 = 5.0;
/// Maximum number of seconds until that check.
const LAST_RETRY: f64 = 60.0;
/// Minimum number of milliseconds between two checks.
const LEAST: u64 = 1_000;
/// The same after an attempt to renew the session, whatever times the server gives.
const LEAST_AFTER_RENEWAL: u64 = 5_000;
/// Maximum number of milliseconds between two checks; browser timers overflow after 24 days.
const MAX: u64 = 6 * 3_600_000;

/// The result of a check.
enum SessionCheck {
    /// The session is valid; check again after this many seconds.
    Lives(f64),
    /// The session is valid, but should be renewed now.
    IsDue,
    /// The session has ended.
    Ended,
    /// The server or the provider could not be reached; check again after this many seconds, if the server says so.
    Unreachable(Option<f64>),
}

struct Watch {
    base: String,
    /// When to check next, in milliseconds on this browser's clock.
    due: Cell<f64>,
    checking: Cell<bool>,
    /// The wait after the next failure, in seconds.
    retry: Cell<f64>,
}

/// Watches the session of a user who signed in at a provider.
pub(super) fn renew_periodically(settings: &PageSettings) {
    if !settings.watch_session {
        return;
    }
    let watch = Rc::new(Watch {
        base: settings.base.clone(),
        due: Cell::new(0.0),
        checking: Cell::new(false),
        retry: Cell::new(FIRST_RETRY),
    });
    listen(&document(), "visibilitychange", false, {
        let watch = Rc::clone(&watch);
        move |_: Event| {
            // Timers do not run while a computer sleeps; and the viewer may have signed in again in another tab.
            if !document().hidden() && (watch.is_due() || message().is_some_and(|message| !message.hidden())) {
                check_session(&watch);
            }
        }
    });
    check_session(&watch);
}

/// The message that the session has ended.
fn message() -> Option<HtmlElement> {
    element(SESSION_ENDED_ELEMENT)
}

fn check_session(watch: &Rc<Watch>) {
    if watch.checking.replace(true) {
        return;
    }
    let watch = Rc::clone(watch);
    spawn_local(async move {
        let outcome = Rc::new(Cell::new((SessionCheck::Unreachable(None), LEAST)));
        alone(&watch.base, {
            let (watch, outcome) = (Rc::clone(&watch), Rc::clone(&outcome));
            async move {
                // Another tab may have renewed the session while this one waited for its turn, so ask the server first.
                let mut result = (watch.check("session").await, LEAST);
                if matches!(result.0, SessionCheck::IsDue) {
                    result = (watch.check("renew").await, LEAST_AFTER_RENEWAL);
                }
                outcome.set(result);
            }
        })
        .await;
        watch.checking.set(false);
        let (known, least) = outcome.replace((SessionCheck::Unreachable(None), LEAST));
        let retry = watch.retry.replace(FIRST_RETRY);
        let wait = match known {
            SessionCheck::Lives(seconds) => seconds,
            SessionCheck::IsDue => 0.0,
            SessionCheck::Unreachable(Some(seconds)) => seconds,
            SessionCheck::Unreachable(None) => {
                watch.retry.set(LAST_RETRY.min(2.0 * retry));
                retry
            }
            // A new sign-in elsewhere is noticed when this tab comes to the front.
            SessionCheck::Ended => f64::INFINITY,
        };
        if let Some(message) = message()
            && !matches!(known, SessionCheck::Unreachable(_))
        {
            message.set_hidden(!matches!(known, SessionCheck::Ended));
        }
        let wait = ((wait * 1000.0) as u64).clamp(least, MAX);
        watch.due.set(Date::now() + wait as f64);
        set_timeout(
            move || {
                // Another check may meanwhile have set a later time and its own timer.
                if watch.is_due() {
                    check_session(&watch);
                }
            },
            Duration::from_millis(wait),
        );
    });
}

impl Watch {
    /// Timers may run slightly early.
    fn is_due(&self) -> bool {
        Date::now() + 50.0 >= self.due.get()
    }

    async fn check(&self, function: &str) -> SessionCheck {
        let answer = match call(&self.base, function, "{}").await {
            Some((200, answer)) => answer,
            Some((401, _)) => return SessionCheck::Ended,
            Some((503, answer)) => {
                let retry = time_in(&answer, "retryAt").zip(time_in(&answer, "now"));
                return SessionCheck::Unreachable(retry.map(|(time, now)| time - now));
            }
            _ => return SessionCheck::Unreachable(None),
        };
        let time = |key: &str| time_in(&answer, key);
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

/// A time in an answer, in seconds since 1970 on the server's clock: this browser's clock may be wrong.
fn time_in(answer: &JsValue, key: &str) -> Option<f64> {
    property(answer, key).as_f64()
}

/// Does the work while no other tab of this dashboard does it, if the browser supports Web Locks (only on HTTPS and
/// localhost). Otherwise the server prevents a token from being used twice.
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
