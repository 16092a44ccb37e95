//! Pages that stand in for a dashboard: not found, and a config that cannot be shown. They carry no script.

use leptos::prelude::*;

use crate::{PRODUCT, page::excerpt::excerpt};

/// A failure that keeps a page from being shown at all (docs/spec/behaviour.md 20).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageFailure {
    /// What cannot be shown.
    pub title: String,
    /// Why.
    pub reason: String,
    /// The lines around an error of the file.
    pub excerpt: Option<String>,
    /// What the person can check.
    pub advice: Vec<String>,
    /// Address of the last version that worked, where there is one.
    pub last_good: Option<String>,
}

/// The critical-error panel.
#[component]
pub fn ErrorPanel(
    /// What went wrong.
    failure: PageFailure,
    /// Path prefix of the product.
    base: String,
) -> impl IntoView {
    let excerpt = failure.excerpt.as_deref().map(excerpt);
    let advice = (!failure.advice.is_empty()).then(|| {
        let sentences = failure.advice.into_iter().map(|sentence| view! { <li>{sentence}</li> }).collect_view();
        view! { <ul class="advice">{sentences}</ul> }
    });
    let last_good =
        failure.last_good.map(|href| view! { <a class="button" href=href>"Show the last version that worked"</a> });
    view! {
        <div class="page fallback" id="page">
            <main class="error-panel" id="content">
                {warning()}
                <h1>{failure.title}</h1>
                <p class="reason">{failure.reason}</p>
                {excerpt}
                {advice}
                <p class="actions">
                    <a class="button primary" href="">"Try again"</a>
                    {last_good}
                    <a class="button" href=format!("{base}/")>"To the start page"</a>
                </p>
            </main>
        </div>
    }
}

/// The page for an address that leads nowhere.
#[component]
pub fn NotFound(
    /// The address that was asked for.
    path: String,
    /// Path prefix of the product.
    base: String,
) -> impl IntoView {
    view! {
        <div class="page fallback" id="page">
            <main class="not-found" id="content">
                <p class="not-found-code" aria-hidden="true">"404"</p>
                <h1>"There is nothing at this address"</h1>
                <p><code>{path}</code>" is not a page of this dashboard."</p>
                <p class="actions"><a class="button primary" href=format!("{base}/")>"To the start page"</a></p>
            </main>
            <footer class="page-footer">{PRODUCT}</footer>
        </div>
    }
}

fn warning() -> impl IntoView {
    view! {
        <svg class="error-symbol" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
            <path
                d="M24 8L43 40H5zM24 20v10M24 34.500v.5"
                fill="none"
                stroke="currentColor"
                stroke-width="3"
                stroke-linecap="round"
                stroke-linejoin="round"
            ></path>
        </svg>
    }
}
