//! The pages as sent to the browser.

use crate::{
    document::{self, PageAssets},
    page::Bundle,
};

use super::{Remember, SignInFailure, SignInKind, SignInPage, SignedOut, SigningOut, Surroundings};

fn assets() -> PageAssets {
    PageAssets {
        base: "/dash".to_owned(),
        style_sheet: "/dash/main.css".to_owned(),
        bundle: Bundle { script: "/dash/bundle.js".to_owned(), wasm: "/dash/bundle.wasm".to_owned() },
        ..PageAssets::default()
    }
}

fn surroundings() -> Surroundings {
    Surroundings {
        base: "/dash".to_owned(),
        title: "Harbour <House>".to_owned(),
        night_theme: "nord".to_owned(),
        style: "[data-theme=\"sea\"]{--primary:#048}".to_owned(),
        ..Surroundings::default()
    }
}

/// The body, with every element on its own line; the head is the same on every page.
fn body(html: &str) -> String {
    let start = html.find("<body>").unwrap();
    html[start..].replace("><", ">\n<")
}

#[test]
fn built_in_users_get_a_form() {
    let page =
        SignInPage { surroundings: surroundings(), return_to: "/dash/home/a?b=1&c".into(), ..Default::default() };
    let html = document::sign_in(page, &assets());
    assert!(html.contains("<title>Sign in | Harbour &lt;House&gt;</title>"), "{html}");
    assert!(html.contains("data-day=\"default\" data-night=\"nord\""), "{html}");
    assert!(html.contains("<style>[data-theme=\"sea\"]{--primary:#048}</style>"), "{html}");
    assert!(!html.contains("bundle"), "the page needs no script of the bundle: {html}");
    insta::assert_snapshot!(body(&html));
}

#[test]
fn a_failed_attempt_keeps_what_was_typed_but_the_password() {
    let page = SignInPage {
        surroundings: surroundings(),
        return_to: "/dash/".into(),
        message: Some("the name or the password is wrong".into()),
        user: "\"><script>".into(),
        remember: Remember::Week,
        guest: Some("/dash/?guest".into()),
        ..Default::default()
    };
    insta::assert_snapshot!(body(&document::sign_in(page, &assets())));
}

#[test]
fn a_provider_gets_a_link() {
    let page = SignInPage {
        surroundings: surroundings(),
        return_to: "/dash/home/a b&c".into(),
        kind: SignInKind::Provider { name: "Keycloak".into() },
        guest: Some("/dash/?guest".into()),
        ..Default::default()
    };
    insta::assert_snapshot!(body(&document::sign_in(page, &assets())));
}

#[test]
fn who_is_signed_in_may_proceed_or_sign_out() {
    let page = SignInPage { surroundings: surroundings(), signed_in_as: Some("Anna".into()), ..Default::default() };
    insta::assert_snapshot!(body(&document::sign_in(page, &assets())));
}

#[test]
fn a_failure_shows_the_message_of_the_provider_and_what_to_check() {
    let failure = SignInFailure {
        surroundings: surroundings(),
        title: "Signing in did not work".into(),
        reason: "The provider refused the request of the dashboard.".into(),
        detail: Some("the token endpoint responded with 400".into()),
        said: Some("invalid_scope: requested scope is not allowed <b>".into()),
        advice: vec![
            "Does the client at the provider allow the scope “offline_access”? enableSilentRenew asks for it.".into(),
            "Is the redirect address of the client exactly https://dash.lan?".into(),
        ],
        retry: Some("/dash/login/provider?return_to=%2Fdash%2F".into()),
        guest: None,
    };
    insta::assert_snapshot!(body(&document::sign_in_failure(failure, &assets())));
}

#[test]
fn signing_out_ends_on_a_page_that_stays() {
    let page = SignedOut {
        surroundings: surroundings(),
        sign_in: "/dash/login".into(),
        still_at_provider: true,
        guest: Some("/dash/".into()),
    };
    insta::assert_snapshot!(body(&document::signed_out(page, &assets())));
    let href = "https://id.lan/end?id_token_hint=a&state=b".into();
    let page = SigningOut { surroundings: surroundings(), href, to_provider: true };
    insta::assert_snapshot!(body(&document::signing_out(page, &assets())));
}

#[test]
fn the_words_of_the_form_mean_the_times_that_they_say() {
    for choice in Remember::ALL {
        assert_eq!(Remember::of_word(choice.word()), choice);
    }
    assert_eq!(Remember::of_word("10y"), Remember::Never);
    assert_eq!(Remember::of_word("1w").seconds(), Some(604_800));
    assert_eq!(Remember::Never.seconds(), None);
}
