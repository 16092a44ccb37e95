//! Pages shown instead of a dashboard: not found, and a config that cannot be shown. They have no scripts.

use leptos::prelude::*;

use crate::{
    PRODUCT,
    page::excerpt::excerpt,
    parts::markup::with_code,
    words::{split_at_placeholder, t},
};

/// A failure that keeps a page from being shown at all (docs/spec/behavior.md 20).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageFailure {
    /// What cannot be shown.
    pub title: String,
    /// Why.
    pub reason: String,
    /// The lines around the error in the file.
    pub excerpt: Option<String>,
    /// What the user can check.
    pub advice: Vec<String>,
    /// Address of the last working version, if there is one.
    pub last_good: Option<String>,
    /// The number under which the server's log has this request.
    pub request_id: Option<String>,
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
        let sentences =
            failure.advice.into_iter().map(|sentence| view! { <li>{with_code(&sentence)}</li> }).collect_view();
        view! { <ul class="advice">{sentences}</ul> }
    });
    let request_id = failure.request_id.map(|id| view! { <p class="request-id">"X-Request-Id: "<code>{id}</code></p> });
    let last_good = failure
        .last_good
        .map(|href| view! { <a class="button" href=href>{t("Show the last version that worked")}</a> });
    view! {
        <div class="page fallback" id="page">
            <main class="error-panel" id="content">
                {warning()}
                <h1>{failure.title}</h1>
                <p class="reason">{with_code(&failure.reason)}</p>
                {excerpt}
                {advice}
                <p class="actions">
                    <a class="button primary" href="">{t("Try again")}</a>
                    {last_good}
                    <a class="button" href=format!("{base}/")>{t("To the start page")}</a>
                </p>
                {request_id}
            </main>
        </div>
    }
}

/// The page for an unknown address.
#[component]
pub fn NotFound(
    /// The requested path, if it is known.
    path: Option<String>,
    /// Path prefix of the product.
    base: String,
) -> impl IntoView {
    let sentence = path.map(|path| {
        let (before, after) = split_at_placeholder("{path} is not a page of this dashboard.");
        view! { <p>{before}<code>{path}</code>{after}</p> }
    });
    view! {
        <div class="page fallback" id="page">
            <main class="not-found" id="content">
                <p class="not-found-code" aria-hidden="true">"404"</p>
                <h1>{t("There is nothing at this address")}</h1>
                {sentence}
                <p class="actions"><a class="button primary" href=format!("{base}/")>{t("To the start page")}</a></p>
            </main>
            <footer class="page-footer">{PRODUCT}</footer>
        </div>
    }
}

/// A site that does not allow framing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unframed {
    /// Why.
    pub reason: String,
    /// Its address.
    pub address: String,
}

/// Shown in a frame instead of a site that does not allow framing.
#[component]
pub fn UnframedView(
    /// The site that is not shown.
    page: Unframed,
) -> impl IntoView {
    view! {
        <div class="page fallback" id="page">
            <main class="not-found" id="content">
                <h1>{t("This opens in a tab of its own")}</h1>
                <p>{page.reason}</p>
                <p class="actions">
                    <a class="button primary" href=page.address target="_blank" rel="noopener noreferrer">
                        {t("Open in a new tab")}
                    </a>
                </p>
            </main>
        </div>
    }
}

/// A question before a preview of a config from another host: whether to read it, then whether to show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewQuestion {
    /// The address of the config.
    pub source: String,
    /// Its title, if it has one and has been read.
    pub title: Option<String>,
    /// What it contains, such as "3 sections"; `None` if it has not been read.
    pub counts: Option<String>,
    /// The address of the next question, or of the preview.
    pub go_on: String,
}

/// Asks whether to show a preview of a config from another host.
#[component]
pub fn PreviewQuestionView(
    /// The question.
    question: PreviewQuestion,
) -> impl IntoView {
    let go_on = if question.counts.is_some() { t("Show the preview") } else { t("Continue") };
    let counts = question.counts.map(|counts| view! { <p>{counts}"."</p> });
    let title = question.title.unwrap_or_else(|| t("A config from elsewhere").to_owned());
    view! {
        <div class="page fallback" id="page">
            <main class="not-found" id="content">
                <h1>{t("Look at another config?")}</h1>
                <p><strong>{title}</strong>{[" ", t("from"), " "].concat()}<code>{question.source}</code></p>
                {counts}
                <p>{t("It is only shown. Your own config stays as it is.")}</p>
                <p class="actions">
                    <a class="button primary" href=question.go_on>{go_on}</a>
                    <a class="button" href="?">{t("Cancel")}</a>
                </p>
            </main>
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
