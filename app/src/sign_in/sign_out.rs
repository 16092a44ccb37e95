//! The end of a session: on the way to the provider's own sign-out, and signed out.

use leptos::prelude::*;

use super::{Surroundings, card};
use crate::words::t;

/// What the signed-out page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SignedOut {
    /// The dashboard.
    pub surroundings: Surroundings,
    /// Target of the link "Sign in again".
    pub sign_in: String,
    /// Whether the user may still be signed in at the provider, because we cannot know.
    pub still_at_provider: bool,
    /// Target of the link "Proceed as guest"; `None` if guests are not allowed.
    pub guest: Option<String>,
}

/// The page from which the browser continues to the provider's sign-out, or to the address that the config names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SigningOut {
    /// The dashboard.
    pub surroundings: Surroundings,
    /// The address. A `Refresh` header takes the browser there automatically.
    pub href: String,
    /// Whether it is the provider's; otherwise, the config names it.
    pub to_provider: bool,
}

/// The signed-out page. It does not redirect, because the provider would sign the user in again at once.
#[component]
pub(crate) fn SignedOutView(page: SignedOut) -> impl IntoView {
    let SignedOut { surroundings, sign_in, still_at_provider, guest } = page;
    let hint = still_at_provider.then(|| {
        view! {
            <p>{t("Your identity provider may still know you. On a shared computer, sign out there too, or close the browser.")}</p>
        }
    });
    let guest = guest.map(|href| view! { <a class="button" href=href>{t("Proceed as guest")}</a> });
    let content = view! {
        <h1>{t("You are signed out")}</h1>
        {hint}
        <a class="button primary" href=sign_in>{t("Sign in again")}</a>
        {guest}
    };
    card(&surroundings, content)
}

/// The page on the way to the provider or to the address in the config.
#[component]
pub(crate) fn SigningOutView(page: SigningOut) -> impl IntoView {
    let next = page
        .to_provider
        .then(|| view! { <p>{t("You are signed out here. Your identity provider ends its own session next.")}</p> });
    let heading = if page.to_provider { t("Signing you out") } else { t("You are signed out") };
    let content = view! {
        <h1>{heading}</h1>
        {next}
        <a class="button primary" href=page.href>{t("Continue")}</a>
    };
    card(&page.surroundings, content)
}
