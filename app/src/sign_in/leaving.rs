//! The ends of a sign-in: on the way to the provider's own sign-out, and done.

use leptos::prelude::*;

use super::{Surroundings, card};

/// What the signed-out page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SignedOut {
    /// The dashboard.
    pub surroundings: Surroundings,
    /// Where the link "Sign in again" leads.
    pub sign_in: String,
    /// Whether the person may still be signed in at the provider, because it cannot be told.
    pub still_at_provider: bool,
    /// Where the link "Proceed as guest" leads; none where guests are not let in.
    pub guest: Option<String>,
}

/// The page from which the browser goes on to the provider's end of the session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leaving {
    /// The dashboard.
    pub surroundings: Surroundings,
    /// The provider's address. A `Refresh` header takes the browser there by itself.
    pub href: String,
}

/// The signed-out page. It leads nowhere by itself, or the provider would sign the person straight in again.
#[component]
pub(crate) fn SignedOutView(page: SignedOut) -> impl IntoView {
    let SignedOut { surroundings, sign_in, still_at_provider, guest } = page;
    let hint = still_at_provider.then(|| {
        view! {
            <p>"Your identity provider may still know you. On a shared computer, sign out there too, or close the browser."</p>
        }
    });
    let guest = guest.map(|href| view! { <a class="button" href=href>"Proceed as guest"</a> });
    let content = view! {
        <h1>"You are signed out"</h1>
        {hint}
        <a class="button primary" href=sign_in>"Sign in again"</a>
        {guest}
    };
    card(&surroundings, content)
}

/// The page on the way to the provider.
#[component]
pub(crate) fn LeavingView(page: Leaving) -> impl IntoView {
    let content = view! {
        <h1>"Signing you out"</h1>
        <p>"You are signed out here. Your identity provider ends its own session next."</p>
        <a class="button primary" href=page.href>"Continue"</a>
    };
    card(&page.surroundings, content)
}
