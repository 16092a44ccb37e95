//! Who is signed in, and the links for signing in and out. Static: a popover, a link and a form need no script.

use leptos::prelude::*;

use super::{
    SESSION_ENDED_ELEMENT,
    settings::{SessionKind, SessionView},
    symbols,
};
use crate::{
    any_view::IntoAny,
    search::web::encoded,
    words::{t, t_for_script_with},
};

/// The control at the end of the toolbar.
#[component]
pub fn Account(
    /// The viewer.
    session: SessionView,
    /// Path prefix of the product.
    base: String,
    /// Path of this page, to return to.
    here: String,
) -> impl IntoView {
    if session.guest {
        let href = match session.kind {
            SessionKind::Oidc => provider_address(&base, &here),
            SessionKind::Users | SessionKind::Proxy => format!("{base}/login?return_to={}", encoded(&here)),
        };
        return view! { <a class="button account-sign-in" href=href>{t("Sign in")}</a> }.into_any();
    }
    let role = session.is_admin.then(|| view! { <span class="account-role">{t("Admin")}</span> });
    let out = session.signs_out.then(|| {
        view! {
            <form method="post" action=format!("{base}/logout")>
                <button class="button">{t("Sign out")}</button>
            </form>
        }
    });
    let label = t_for_script_with("Account of {name}", &session.name);
    view! {
        <div class="account">
            <button class="icon-button" type="button" popovertarget="account-panel" aria-label=label>
                {symbols::person()}
            </button>
            <div id="account-panel" class="account-panel" popover="auto">
                <p class="account-name">{session.name}</p>
                {role}
                {out}
            </div>
        </div>
    }
    .into_any()
}

/// The message that the browser shows when the session has ended. It offers a link, but does not leave the page by itself:
/// somebody may be typing.
#[component]
pub fn SessionEnded(
    /// Path prefix of the product.
    base: String,
    /// Path of this page, to return to.
    here: String,
) -> impl IntoView {
    let href = provider_address(&base, &here);
    view! {
        <div class="toasts" role="status">
            <p class="toast" id=SESSION_ENDED_ELEMENT hidden>{t("Your sign-in has ended.")}" "<a href=href>{t("Sign in again")}</a></p>
        </div>
    }
}

fn provider_address(base: &str, here: &str) -> String {
    format!("{base}/login/provider?return_to={}", encoded(here))
}
