//! `X-Forwarded-Proto` and `X-Forwarded-Host` are trusted from proxies only.

use crate::{
    provider::{Idp, SetClock, asked},
    world::{Reply, World},
};

const HEADERS: [(&str, &str); 3] =
    [("host", "portico:8080"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "dash.example")];

async fn redirect_to_provider(world: &World, peer: &str) -> Reply {
    let request = world.request("GET", "/login/provider?return_to=/").peer(peer);
    let request = HEADERS.iter().fold(request, |request, (name, value)| request.header(name, value));
    request.send().await.expect_status(303)
}

#[track_caller]
fn is_believed(reply: &Reply) -> bool {
    let redirect = asked(&reply.header("location")).1["redirect_uri"].clone();
    let is_believed = redirect == "https://dash.example";
    assert!(is_believed || redirect == "http://portico:8080", "{redirect}");
    let cookie = reply.header("set-cookie");
    assert_eq!(cookie.starts_with("__Host-"), is_believed, "{cookie}");
    assert_eq!(cookie.contains("; Secure"), is_believed, "{cookie}");
    is_believed
}

#[tokio::test]
async fn proxies_are_believed_that_stand_near_or_are_named() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    for (trusted, near, far) in [
        ("", true, false),
        ("203.0.113.0/24", false, true),
        ("10.0.0.2,203.0.113.7", true, true),
        ("none", false, false),
    ] {
        let world = idp.setup(&clock, "", "").env("TRUSTED_PROXIES", trusted).start().await;
        for (peer, expected) in [("10.0.0.2", near), ("::ffff:10.0.0.2", near), ("203.0.113.7", far)] {
            assert_eq!(is_believed(&redirect_to_provider(&world, peer).await), expected, "{trusted} {peer}");
        }
    }
}

#[tokio::test]
async fn the_address_in_the_environment_needs_no_proxy() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let setup = idp.setup(&clock, "", "").env("VITE_APP_DOMAIN", "https://dash.example").env("TRUSTED_PROXIES", "none");
    assert!(is_believed(&redirect_to_provider(&setup.start().await, "203.0.113.7").await));
}

#[tokio::test]
async fn an_untrusted_proxy_cannot_vouch_for_other_sites() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    for peer in ["10.0.0.2", "203.0.113.7"] {
        let request =
            world.request("POST", "/fn/sign-out").peer(peer).header("origin", "https://evil.example").body("{}");
        let request = HEADERS.iter().fold(request, |request, (name, value)| request.header(name, value));
        request.send().await.expect_status(403);
    }
}
