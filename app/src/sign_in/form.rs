//! The login page (docs/spec/behavior.md 19.2 and 19.4).

use leptos::prelude::*;

use super::{Surroundings, card};
use crate::{
    any_view::IntoAny,
    search::web::encoded,
    words::{split_at_placeholder, t, t_for_script, t_for_script_with},
};

/// What the login page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SignInPage {
    /// The dashboard.
    pub surroundings: Surroundings,
    /// Our own path to go to after signing in, with the path prefix.
    pub return_to: String,
    /// How people sign in.
    pub kind: SignInKind,
    /// Target of the link "Proceed as guest"; `None` if guests are not allowed.
    pub guest: Option<String>,
    /// What went wrong with the last attempt.
    pub message: Option<String>,
    /// The user name typed in the last attempt.
    pub user: String,
    /// How long the last attempt was to be remembered.
    pub remember: Remember,
    /// Name of the user who is already signed in.
    pub signed_in_as: Option<String>,
}

/// How people sign in on the login page.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SignInKind {
    /// With a name and password of the config.
    #[default]
    Users,
    /// At an OpenID provider.
    Provider {
        /// Its name for people; empty if nothing better than "the provider" is known.
        name: String,
    },
}

/// How long a built-in user stays signed in.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Remember {
    /// Until the browser is closed.
    #[default]
    Never,
    /// Four hours.
    FourHours,
    /// One day.
    Day,
    /// Seven days.
    Week,
    /// 365 days.
    Year,
}

impl Remember {
    /// All choices, shortest first.
    pub const ALL: [Self; 5] = [Self::Never, Self::FourHours, Self::Day, Self::Week, Self::Year];

    /// The word in the form.
    pub fn word(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::FourHours => "4h",
            Self::Day => "1d",
            Self::Week => "1w",
            Self::Year => "1y",
        }
    }

    /// The choice with this word; the shortest for an unknown word.
    pub fn of_word(word: &str) -> Self {
        Self::ALL.into_iter().find(|choice| choice.word() == word).unwrap_or_default()
    }

    /// The duration in seconds; `None` ends with the browser.
    pub fn seconds(self) -> Option<u64> {
        const HOUR: u64 = 3600;
        match self {
            Self::Never => None,
            Self::FourHours => Some(4 * HOUR),
            Self::Day => Some(24 * HOUR),
            Self::Week => Some(7 * 24 * HOUR),
            Self::Year => Some(365 * 24 * HOUR),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Never => "Until the browser closes",
            Self::FourHours => "For 4 hours",
            Self::Day => "For a day",
            Self::Week => "For a week",
            Self::Year => "For a year",
        }
    }
}

/// The login page.
#[component]
pub(crate) fn SignInView(page: SignInPage) -> impl IntoView {
    let SignInPage { surroundings, return_to, kind, guest, message, user, remember, signed_in_as } = page;
    let base = surroundings.base.clone();
    let content = match signed_in_as {
        Some(name) => signed_in(name, &base, return_to).into_any(),
        None => {
            let failed = message.is_some();
            let message =
                message.map(|text| view! { <p class="form-error" id="sign-in-message" role="alert">{text}</p> });
            let way = match kind {
                SignInKind::Users => password_form(&base, return_to, user, remember, failed).into_any(),
                SignInKind::Provider { name } => provider_link(&base, &return_to, &name).into_any(),
            };
            let guest = guest.map(|href| {
                view! {
                    <p class="sign-in-or" aria-hidden="true">{t("or")}</p>
                    <a class="button" href=href>{t("Proceed as guest")}</a>
                }
            });
            view! { <h1>{t("Sign in")}</h1> {message} {way} {guest} }.into_any()
        }
    };
    card(&surroundings, content)
}

fn password_form(base: &str, return_to: String, user: String, remember: Remember, failed: bool) -> impl IntoView {
    // If the name was right, continue with the password.
    let named = !user.is_empty();
    let described = failed.then_some("sign-in-message");
    let choices = Remember::ALL
        .map(|choice| {
            view! { <option value=choice.word() selected=choice == remember>{t(choice.text())}</option> }
        })
        .collect_view();
    view! {
        <form class="sign-in-form" method="post" action=format!("{base}/login")>
            <input type="hidden" name="return_to" value=return_to/>
            <label class="field">
                <span>{t("Name")}</span>
                <input
                    name="user"
                    value=user
                    autocomplete="username"
                    autocapitalize="none"
                    spellcheck="false"
                    autofocus=!named
                    aria-describedby=described
                />
            </label>
            <label class="field">
                <span>{t("Password")}</span>
                <input
                    name="password"
                    type="password"
                    autocomplete="current-password"
                    autofocus=named
                    aria-describedby=described
                />
            </label>
            <label class="field">
                <span>{t("Stay signed in")}</span>
                <select name="remember">{choices}</select>
            </label>
            <button class="button primary">{t("Sign in")}</button>
        </form>
    }
}

/// A link, because the Content-Security-Policy forbids redirecting a form to another origin.
fn provider_link(base: &str, return_to: &str, name: &str) -> impl IntoView {
    let href = format!("{base}/login/provider?return_to={}", encoded(return_to));
    let text = if name.is_empty() { t_for_script("Sign in") } else { t_for_script_with("Sign in with {name}", name) };
    view! { <a class="button primary" href=href>{text}</a> }
}

fn signed_in(name: String, base: &str, return_to: String) -> impl IntoView {
    let (before, after) = split_at_placeholder("As {name}.");
    let proceed = if return_to.is_empty() { format!("{base}/") } else { return_to };
    view! {
        <h1>{t("You are signed in")}</h1>
        <p>{before}<strong>{name}</strong>{after}</p>
        <a class="button primary" href=proceed>{t("Proceed")}</a>
        <form method="post" action=format!("{base}/logout")>
            <button class="button">{t("Sign out")}</button>
        </form>
    }
}
