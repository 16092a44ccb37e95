//! The page for a failed sign-in that an automatic retry would not fix (docs/spec/behavior.md 19.4).

use leptos::prelude::*;

use super::{Surroundings, card};
use crate::{parts::markup::with_code, words::t};

/// Why sign-in failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SignInFailure {
    /// The dashboard.
    pub surroundings: Surroundings,
    /// What did not work.
    pub title: String,
    /// What happened, in our words.
    pub reason: String,
    /// The technical details; the log has them in English.
    pub detail: Option<String>,
    /// The provider's own message.
    pub said: Option<String>,
    /// What the user can check.
    pub advice: Vec<String>,
    /// Target of the link "Try again".
    pub retry: Option<String>,
    /// Target of the link "Proceed as guest"; `None` if guests are not allowed.
    pub guest: Option<String>,
}

/// The page for a failure.
#[component]
pub(crate) fn SignInFailureView(failure: SignInFailure) -> impl IntoView {
    let SignInFailure { surroundings, title, reason, detail, said, advice, retry, guest } = failure;
    let reason = (!reason.is_empty()).then(|| view! { <p>{with_code(&reason)}</p> });
    let detail = detail.map(|words| view! { <p dir="auto">{with_code(&words)}</p> });
    let said = said.map(|words| {
        view! {
            <figure class="sign-in-said">
                <figcaption>{t("Message from the provider")}</figcaption>
                <blockquote>{words}</blockquote>
            </figure>
        }
    });
    let advice = (!advice.is_empty()).then(|| {
        let sentences = advice.into_iter().map(|sentence| view! { <li>{with_code(&sentence)}</li> }).collect_view();
        view! {
            <h2>{t("What to check")}</h2>
            <ul class="advice">{sentences}</ul>
        }
    });
    let retry = retry.map(|href| view! { <a class="button primary" href=href>{t("Try again")}</a> });
    let guest = guest.map(|href| view! { <a class="button" href=href>{t("Proceed as guest")}</a> });
    let content = view! {
        <h1>{title}</h1>
        <div class="sign-in-reason" role="alert">{reason} {detail} {said}</div>
        {advice}
        {retry}
        {guest}
    };
    card(&surroundings, content)
}
