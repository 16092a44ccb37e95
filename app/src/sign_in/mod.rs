//! The pages for signing in and out (docs/spec/behavior.md 19). They are plain HTML with forms and links, and need no
//! scripts.

mod failure;
mod form;
mod sign_out;
#[cfg(test)]
mod tests;

pub use self::{
    failure::SignInFailure,
    form::{Remember, SignInKind, SignInPage},
    sign_out::{SignedOut, SigningOut},
};
pub(crate) use self::{
    failure::SignInFailureView,
    form::SignInView,
    sign_out::{SignedOutView, SigningOutView},
};

use leptos::prelude::*;

use crate::PRODUCT;

/// The parts of the dashboard shown on the sign-in pages. People who are not signed in see them, so they contain
/// nothing that the config reserves for those who are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// Path prefix of the whole product without a trailing slash.
    pub base: String,
    /// Title of the dashboard; empty means the product's name.
    pub title: String,
    /// Address of the logo, if it can be fetched without signing in; `None` means the product's own logo.
    pub logo: Option<String>,
    /// Theme in light mode; empty means `default`.
    pub day_theme: String,
    /// Theme in dark mode; empty means `default`.
    pub night_theme: String,
    /// Rules with the colors of the config's own themes: the text of the page's `<style>`, whose hash must be in the
    /// Content-Security-Policy.
    pub style: String,
}

impl Surroundings {
    /// The dashboard's title, or the product's name.
    pub fn name(&self) -> &str {
        if self.title.is_empty() { PRODUCT } else { &self.title }
    }
}

/// The frame of all these pages: the dashboard's logo above a card.
fn card<C: IntoView>(surroundings: &Surroundings, content: C) -> impl IntoView + use<C> {
    let logo = surroundings.logo.clone().unwrap_or_else(|| format!("{}/favicon.svg", surroundings.base));
    view! {
        <div class="page sign-in" id="page">
            <header class="sign-in-header">
                <img class="sign-in-logo" src=logo alt=""/>
                <p class="sign-in-name">{surroundings.name().to_owned()}</p>
            </header>
            <main class="login-form" id="content">{content}</main>
        </div>
    }
}
