//! The pages beside dashboards, as documents: errors, questions and sign-in. Their only scripts are those at the beginning of the head.

use std::fmt::Write as _;

use leptos::prelude::*;

use super::{
    Head, PageAssets,
    head::{head_tags, icons, open},
    markup::style_sheet,
    rendered,
};
use crate::{
    any_view::{AnyView, IntoAny},
    fallback::{ErrorPanel, NotFound, PageFailure, PreviewQuestion, PreviewQuestionView, Unframed, UnframedView},
    page::language::LanguageLinks,
    sign_in::{
        SignInFailure, SignInFailureView, SignInPage, SignInView, SignedOut, SignedOutView, SigningOut, SigningOutView,
        Surroundings,
    },
    words::t,
};

/// The critical-error panel as a document. `title` is the dashboard's own.
pub fn error(failure: PageFailure, title: &str, assets: &PageAssets) -> String {
    let title = format!("{} | {title}", failure.title);
    let base = assets.base.clone();
    let head = Head { title, ..Head::default() };
    fallback(&head, assets, move || view! { <ErrorPanel failure base/> }.into_any())
}

/// The not-found page as a document. `title` is the dashboard's own. In an export, the path is not known, and there may be
/// `languages`.
pub fn not_found(path: Option<&str>, title: &str, languages: Option<LanguageLinks>, assets: &PageAssets) -> String {
    let path = path.map(str::to_owned);
    let base = assets.base.clone();
    let head = Head { title: format!("{} | {title}", t("Not Found")), languages, ..Head::default() };
    fallback(&head, assets, move || view! { <NotFound path base/> }.into_any())
}

/// The document in a frame instead of a site that forbids frames. `themes` are those of day and night.
pub fn unframed(page: Unframed, themes: [String; 2], assets: &PageAssets) -> String {
    let head = Head { title: t("Open in a new tab").to_owned(), ..Head::default() };
    static_page(themes, &head, assets, move || view! { <UnframedView page/> }.into_any())
}

/// The question before a preview as a document. `themes` are those of day and night.
pub fn preview_question(question: PreviewQuestion, themes: [String; 2], assets: &PageAssets) -> String {
    let head = Head { title: t("Look at another config?").to_owned(), ..Head::default() };
    static_page(themes, &head, assets, move || view! { <PreviewQuestionView question/> }.into_any())
}

/// The login page as a document.
pub fn sign_in(page: SignInPage, assets: &PageAssets) -> String {
    let surroundings = page.surroundings.clone();
    sign_in_page(t("Sign in"), &surroundings, assets, move || view! { <SignInView page/> }.into_any())
}

/// The page for a sign-in that failed, as a document.
pub fn sign_in_failure(failure: SignInFailure, assets: &PageAssets) -> String {
    let surroundings = failure.surroundings.clone();
    let title = failure.title.clone();
    sign_in_page(&title, &surroundings, assets, move || view! { <SignInFailureView failure/> }.into_any())
}

/// The signed-out page as a document.
pub fn signed_out(page: SignedOut, assets: &PageAssets) -> String {
    let surroundings = page.surroundings.clone();
    sign_in_page(t("You are signed out"), &surroundings, assets, move || view! { <SignedOutView page/> }.into_any())
}

/// The page shown before the provider ends the session, as a document.
pub fn signing_out(page: SigningOut, assets: &PageAssets) -> String {
    let surroundings = page.surroundings.clone();
    sign_in_page(t("Signing you out"), &surroundings, assets, move || view! { <SigningOutView page/> }.into_any())
}

fn sign_in_page(
    title: &str,
    surroundings: &Surroundings,
    assets: &PageAssets,
    view: impl FnOnce() -> AnyView + 'static,
) -> String {
    let title = format!("{title} | {}", surroundings.name());
    let head = Head { title, style: surroundings.style.clone(), ..Head::default() };
    let theme = |name: &String| if name.is_empty() { "default".to_owned() } else { name.clone() };
    let themes = [&surroundings.day_theme, &surroundings.night_theme].map(theme);
    static_page(themes, &head, assets, view)
}

fn fallback(head: &Head, assets: &PageAssets, view: impl FnOnce() -> AnyView + 'static) -> String {
    static_page(["default", "default"].map(str::to_owned), head, assets, view)
}

/// A page without scripts, except for those at the beginning of its head.
fn static_page(
    [day, night]: [String; 2],
    head: &Head,
    assets: &PageAssets,
    view: impl FnOnce() -> AnyView + 'static,
) -> String {
    let mut html = String::new();
    let themes = [day.as_str(), night.as_str()];
    open(&mut html, themes, ("", &head.drafts), assets);
    head_tags(&mut html, head, themes, assets, |html| style_sheet(html, &assets.style_sheet));
    icons(&mut html, None, assets);
    _ = write!(html, "</head><body>{}</body></html>", rendered(view));
    html
}
