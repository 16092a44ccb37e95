//! "Protect this dashboard": a name and a password make the first account, an admin, and sign it in.

use std::{any::Any, cell::RefCell};

use app::browser::element;
use gloo_net::http::Request;
use leptos::{ev::SubmitEvent, html, mount::mount_to, prelude::*, task::spawn_local};
use serde_json::json;
use web_sys::HtmlInputElement;

use super::modal::Modal;
use crate::{
    calls::call,
    dom::ELEMENT,
    editor::{PICKER_TITLE, close_dialog},
    texts::{TextKind, fill, load, t},
};

/// Minimum length of the password in characters, as on the server (`server/src/routes/editing/protecting.rs`).
const MIN_PASSWORD: usize = 8;
/// How long this browser stays signed in, as the login page says it.
const REMEMBER: &str = "1w";

thread_local! {
    /// The open dialog.
    static MOUNTED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Opens the dialog without edit mode. `base` is the path prefix of the product.
pub async fn open_alone(base: String) {
    _ = any_spawner::Executor::init_wasm_bindgen();
    load(&base, TextKind::Editor).await;
    open(base);
}

/// Opens the dialog, in edit mode or without it. `base` is the path prefix of the product.
pub fn open(base: String) {
    if let Some(place) = element(ELEMENT).or_else(|| document().body()) {
        MOUNTED.set(Some(Box::new(mount_to(place, move || view! { <Protect base/> }))));
    }
}

/// A field with a mistake.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    Name,
    Password,
}

#[component]
fn Protect(base: String) -> impl IntoView {
    // It is removed after the event that is being handled.
    let close = Callback::new(|()| {
        close_dialog();
        spawn_local(async { drop(MOUNTED.take()) });
    });
    let (name, password) = (NodeRef::<html::Input>::new(), NodeRef::<html::Input>::new());
    let is_visible = RwSignal::new(false);
    let is_busy = RwSignal::new(false);
    let problem = RwSignal::new(String::new());
    let mistake = RwSignal::new(None::<Mistake>);
    let wrong = move |field: Mistake, input: &HtmlInputElement, text: String| {
        mistake.set(Some(field));
        problem.set(text);
        _ = input.focus();
    };
    let send = move |event: SubmitEvent| {
        event.prevent_default();
        let (Some(name), Some(password)) = (name.get_untracked(), password.get_untracked()) else { return };
        if name.value().trim().is_empty() {
            return wrong(Mistake::Name, &name, t("Enter a name for the account."));
        }
        if password.value().chars().count() < MIN_PASSWORD {
            let text = fill("The password needs at least {count} characters.", &[("count", &MIN_PASSWORD.to_string())]);
            return wrong(Mistake::Password, &password, text);
        }
        is_busy.set(true);
        problem.set(String::new());
        let (base, name, password) = (base.clone(), name.value(), password.value());
        spawn_local(async move {
            if let Err(message) = protect(&base, &name, &password).await {
                // The dialog may have been closed in the meantime.
                _ = is_busy.try_set(false);
                _ = problem.try_set(message);
            }
        });
    };
    let invalid = move |field: Mistake| move || (mistake.get() == Some(field)).to_string();
    let kind = move || if is_visible.get() { "text" } else { "password" };
    view! {
        <Modal title=t("Protect this dashboard") class="edit-question" close title_id=PICKER_TITLE>
            <form novalidate on:submit=send>
                <div class="edit-scroll">
                    <p>
                        {t("Right now, anyone on the network can change this dashboard. Once you create an account, everyone has to sign in. This account is an admin, and you stay signed in.")}
                    </p>
                    <label class="field">
                        <span>{t("Name")}" *"</span>
                        <input
                            node_ref=name type="text" name="user" autocomplete="username" spellcheck="false" required autofocus=true
                            aria-invalid=invalid(Mistake::Name)
                        />
                    </label>
                    <div class="edit-helped">
                        <label class="field">
                            <span>{t("Password")}" *"</span>
                            <input
                                node_ref=password type=kind name="password" autocomplete="new-password" required
                                minlength=MIN_PASSWORD.to_string() aria-invalid=invalid(Mistake::Password)
                            />
                        </label>
                        <button
                            class="button" type="button" aria-label=t("Show the password")
                            aria-pressed=move || is_visible.get().to_string()
                            on:click=move |_| is_visible.update(|visible| *visible = !*visible)
                        >
                            {t("Show")}
                        </button>
                    </div>
                    <p class="edit-about">
                        {fill(
                            "At least {count} characters. The file keeps only its hash.",
                            &[("count", &MIN_PASSWORD.to_string())],
                        )}
                    </p>
                </div>
                <p class="edit-problem" role="alert">{problem}</p>
                <div class="edit-buttons">
                    <button class="button" type="button" on:click=move |_| close.run(())>{t("Cancel")}</button>
                    <button class="button primary" type="submit" disabled=is_busy>{t("Protect")}</button>
                </div>
            </form>
        </Modal>
    }
}

/// Makes the account, signs it in as the login page would, and loads the page again: it is closed from now on.
async fn protect(base: &str, name: &str, password: &str) -> Result<(), String> {
    let arguments = json!({ "name": name, "password": password });
    call::<String>(base, "editor-protect", &arguments).await.map_err(|rejection| rejection.message)?;
    let encoded = |text: &str| String::from(js_sys::encode_uri_component(text));
    let fields = format!("user={}&password={}&remember={REMEMBER}", encoded(name.trim()), encoded(password));
    let request = Request::post(&format!("{base}/login"))
        .header("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
        .body(fields);
    if let Ok(request) = request {
        // If it fails, the page asks for the password.
        _ = request.send().await;
    }
    _ = window().location().reload();
    Ok(())
}
