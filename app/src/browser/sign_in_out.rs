//! Signing in and out by script: the server says where to go, so that nobody leaves the page for nothing if the identity
//! provider cannot be reached. Without a script, the same link and form work on their own.

use js_sys::JSON;
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, HtmlElement, HtmlFormElement, MouseEvent};

use super::{closest, function::call, listen, toast};
use crate::{page::PageState, parts::live::property};

/// Handles the links to the provider and the form that signs out.
pub(super) fn install(state: PageState, base: &str) {
    listen(&document(), "click", false, {
        let base = base.to_owned();
        move |event: MouseEvent| {
            let is_plain = event.button() == 0 && !(event.ctrl_key() || event.meta_key() || event.shift_key());
            let Some(link) = closest(&event, "a[href*='/login/provider?']").filter(|_| is_plain) else { return };
            event.prevent_default();
            go(state, base.clone(), "sign-in", link);
        }
    });
    listen(&document(), "submit", false, {
        let base = base.to_owned();
        move |event: Event| {
            let Some(form) = closest(&event, "form[action$='/logout']") else { return };
            event.prevent_default();
            go(state, base.clone(), "sign-out", form);
        }
    });
}

/// Asks the server where to go, and goes there. If that fails, follows the link or submits the form.
fn go(state: PageState, base: String, function: &'static str, from: HtmlElement) {
    spawn_local(async move {
        let location = window().location();
        let here = [location.pathname(), location.search()].map(Result::unwrap_or_default).concat();
        let here = JSON::stringify(&JsValue::from_str(&here)).map(String::from).unwrap_or_default();
        let answer = call(&base, function, &["{\"return_to\":", &here, "}"].concat()).await;
        let text = |name: &str| property(&answer.as_ref()?.1, name).as_string();
        if let Some(message) = text("message") {
            toast(state, message);
        } else if let Some(address) = text("address") {
            _ = location.assign(&address);
        } else if let Some(form) = from.dyn_ref::<HtmlFormElement>() {
            _ = form.submit();
        } else {
            _ = location.assign(&from.get_attribute("href").unwrap_or_default());
        }
    });
}
