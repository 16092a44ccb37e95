//! Panels of services that hang, fail or refuse: no page waits for them, nobody asks them too often, and people are told
//! what helps.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    upstream::{Behavior, Upstream},
    widget_panels::{PANEL, page, response_to, settled, up, world},
    world::{Setup, USERS, World},
};

#[tokio::test(start_paused = true)]
async fn a_service_that_hangs_delays_no_page() {
    let upstream = Upstream::start(Behavior::Hangs).await;
    let world = world(&upstream, "timeout: 10000").await;
    let begun = tokio::time::Instant::now();
    for _ in 0..3 {
        let page = world.get("/").await.expect_status(200);
        assert!(page.text.contains(r#"data-state="loading""#));
    }
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    let answer = response_to(&world, "").await;
    assert_eq!(answer, json!({ "state": "pending", "version": 0, "next": 1 }));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let answer = settled(&world).await;
    assert_eq!(answer["state"], "error");
    let note = "127.0.0.1 did not answer within 10 s. Check that it is running, or raise the option timeout.";
    assert_eq!(answer["note"], note);
    assert_eq!(upstream.count(), 1);
    assert!(world.get("/").await.expect_status(200).text.contains("did not answer"));
}

#[tokio::test(start_paused = true)]
async fn waiting_behind_other_widgets_is_no_fault_of_a_service() {
    let upstream = Upstream::start(Behavior::Hangs).await;
    let widget = |index: usize| {
        let options = json!({ "url": upstream.url(&format!("/{index}")) });
        json!({ "type": "api-response", "timeout": 1000, "options": options })
    };
    let widgets: Vec<Value> = (0..24).map(widget).collect();
    // Six at once have a turn at a host, so the last ones begin after three seconds.
    let conf = format!("sections: [ {{ name: Home, widgets: {} }} ]\n", json!(widgets));
    let world = Setup::new().file("conf.yml", conf).start().await;
    world.get("/").await.expect_status(200);
    for index in 0..24 {
        let panel = PANEL.replace("widget=0", &format!("widget={index}"));
        let mut answer = json!({ "state": "pending" });
        while answer["state"] == "pending" {
            answer = world.get(&panel).await.expect_status(200).json();
        }
        let note = answer["note"].as_str().unwrap_or_default();
        assert!(note.starts_with("127.0.0.1 did not answer within 1 s."), "{index}: {answer}");
    }
}

#[tokio::test]
async fn after_errors_the_server_waits_and_keeps_the_last_panel() {
    let upstream = Upstream::start(up()).await;
    let world = world(&upstream, "updateInterval: 10").await;
    settled(&world).await;
    upstream.now(Behavior::fails(503));
    let mut count = 1;
    for wait in [10, 5, 10, 20] {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(wait - 1)).await;
        response_to(&world, "").await;
        assert_eq!(upstream.count(), count, "before {wait} s are over");
        tokio::time::advance(Duration::from_secs(1)).await;
        tokio::time::resume();
        let version = response_to(&world, "").await["version"].clone();
        let answer = response_to(&world, &format!("&seen={version}")).await;
        count += 1;
        assert_eq!(upstream.count(), count, "after {wait} s");
        assert_eq!(
            (answer["state"].as_str(), answer["note"].as_str()),
            (Some("stale"), Some("127.0.0.1 answered 503."))
        );
        let page = world.get("/").await;
        assert!(page.text.contains("all is well") && page.text.contains(r#"data-state="stale""#));
    }
    upstream.now(up());
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(40)).await;
    tokio::time::resume();
    let version = response_to(&world, "").await["version"].clone();
    assert_eq!(response_to(&world, &format!("&seen={version}")).await["state"], "content");
}

#[tokio::test]
async fn an_error_names_host_and_status_and_nothing_else() {
    for (behavior, path) in
        [(Behavior::fails(503), "/state?token=5ecret-key"), (Behavior::fails(401), "/5ecret-key9/state")]
    {
        let upstream = Upstream::start(behavior).await;
        let text = page(&upstream, "timeout: 10000").replace("/state", path);
        let world = Setup::new().file("conf.yml", text).start().await;
        let answer = settled(&world).await;
        let note = answer["note"].as_str().unwrap();
        assert!(note.starts_with("127.0.0.1 answered ") && answer.get("detail").is_none(), "{answer}");
        let html = world.get("/").await.expect_status(200).text;
        assert!(html.contains(note) && !html.contains("<code>") && !html.contains("5ecret"), "{html}");
    }
    // What is wrong with the options needs no host.
    let upstream = Upstream::start(up()).await;
    let world = Setup::new().file("conf.yml", page(&upstream, "").replace("http://", "")).start().await;
    assert!(!world.get("/").await.text.contains("<code>"));
}

/// All widgets of a page that have an error box, with the text of its sentences and of the line below.
async fn boxes(world: &World, kinds: &[&str]) -> Vec<(String, String)> {
    for (index, kind) in kinds.iter().enumerate() {
        let path = format!("/fn/panel?page=home&section=0&widget={index}&kind={kind}");
        while world.get(&path).await.expect_status(200).json()["state"] == "pending" {}
    }
    let html = world.get("/").await.expect_status(200).text;
    let articles = html.split("<article ").skip(1).map(|rest| rest.split("</article>").next().unwrap());
    let within = |text: &str, start: &str, end: &str| {
        let found = text.split(start).skip(1).filter_map(|rest| rest.split(end).next());
        found.collect::<Vec<_>>().join(" ")
    };
    // Names of options in the sentences are code too.
    let without_sentences = |article: &str| {
        let pieces = article.split("<p>").map(|piece| piece.split_once("</p>").map_or(piece, |(_, rest)| rest));
        pieces.collect::<String>()
    };
    articles
        .map(|article| (within(article, "<p>", "</p>"), within(&without_sentences(article), "<code>", "</code>")))
        .collect()
}

#[tokio::test]
async fn a_service_at_home_is_named_with_the_option_that_leads_to_it() {
    let upstream = Upstream::start(Behavior::fails(503)).await;
    let widget = json!({ "type": "gl-system-load", "options": { "hostname": upstream.url("") } });
    let conf = format!("sections: [ {{ name: Home, widgets: [ {widget} ] }} ]\n");
    let world = Setup::new().file("conf.yml", conf).start().await;
    let mut answer = json!({ "state": "pending" });
    while answer["state"] == "pending" {
        answer = world.get(&PANEL.replace("api-response", "system-load")).await.expect_status(200).json();
    }
    let note = "127.0.0.1 has a problem (503). Check that Glances runs at the address in the option hostname.";
    assert_eq!(answer["note"], note);
    assert!(world.get("/").await.expect_status(200).text.contains(note));
}

#[tokio::test]
async fn the_line_below_the_sentence_adds_to_it_for_every_failure() {
    let page_in_place_of_data = Behavior::Says(200, Vec::new(), b"<html>".to_vec());
    let wait = vec![("retry-after", "900".to_owned())];
    let too_large = Behavior::Says(200, Vec::new(), vec![b' '; 12_000_000]);
    let mut upstreams = Vec::new();
    for behavior in [401, 403, 404, 418, 500, 503].map(Behavior::fails).into_iter().chain([
        Behavior::Says(429, wait, Vec::new()),
        page_in_place_of_data,
        too_large,
        Behavior::Hangs,
    ]) {
        upstreams.push(Upstream::start(behavior).await);
    }
    let strict = Upstream::start_self_signed(up()).await;
    let mut addresses: Vec<String> = upstreams.iter().map(|upstream| upstream.url("")).collect();
    addresses.extend([
        strict.url(""),
        // Nothing listens there, it is no TLS, and it may not be called.
        "http://127.0.0.1:1".to_owned(),
        upstreams[0].url("").replace("http:", "https:"),
        "http://169.254.169.254".to_owned(),
        // Neither is an address.
        "ftp://127.0.0.1".to_owned(),
        String::new(),
    ]);
    let names = [("rss-feed", "rssUrl"), ("bookmarks", "host"), ("containers", "host"), ("uptime-status-page", "host")];
    let widget = |address: &String, (kind, option): (&str, &str)| {
        let options = json!({ option: address, "apiKey": "k", "slug": "s" });
        json!({ "type": kind, "timeout": 1000, "options": options })
    };
    let widgets: Vec<Value> = addresses.iter().flat_map(|address| names.map(|name| widget(address, name))).collect();
    let kinds: Vec<&str> = addresses.iter().flat_map(|_| names.map(|(kind, _)| kind)).collect();
    let conf = format!("sections: [ {{ name: Home, widgets: {} }} ]\n", json!(widgets));
    let world = Setup::new().file("conf.yml", conf).start().await;
    let boxes = boxes(&world, &kinds).await;
    assert_eq!(boxes.len(), widgets.len());
    for ((sentence, line), widget) in boxes.iter().zip(&widgets) {
        assert!(!sentence.is_empty(), "no box for {widget}");
        for fact in line.split([' ', '·']).filter(|fact| !fact.is_empty()) {
            assert!(!sentence.contains(fact), "{fact} twice in {sentence} / {line}");
        }
    }
    let lines: std::collections::BTreeSet<&str> = boxes.iter().map(|(_, line)| line.as_str()).collect();
    for line in ["", "HTTP 401", "HTTP 403", "HTTP 404", "HTTP 429", "127.0.0.1", "169.254.169.254"] {
        assert!(lines.contains(line), "{line} in {lines:?}");
    }
}

#[tokio::test]
async fn a_person_may_ask_each_second_and_after_an_error_each_five() {
    let upstream = Upstream::start(up()).await;
    let world = world(&upstream, "updateInterval: 600").await;
    settled(&world).await;
    response_to(&world, "&force=true").await;
    assert_eq!(upstream.count(), 1);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(1)).await;
    tokio::time::resume();
    response_to(&world, "&force=true").await;
    assert_eq!(upstream.count(), 2);
    upstream.now(Behavior::Says(429, vec![("retry-after", "120".to_owned())], Vec::new()));
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(2)).await;
    tokio::time::resume();
    let answer = response_to(&world, "&force=true").await;
    assert_eq!((upstream.count(), answer["state"].as_str()), (3, Some("stale")));
    assert!((118..=120).contains(&answer["next"].as_u64().unwrap()), "{answer}");
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(100)).await;
    tokio::time::resume();
    response_to(&world, "&force=true").await;
    assert_eq!(upstream.count(), 3, "the service has named a time");
}

#[tokio::test]
async fn errors_may_be_ignored() {
    let upstream = Upstream::start(Behavior::fails(500)).await;
    let world = world(&upstream, "ignoreErrors: true").await;
    let answer = settled(&world).await;
    assert_eq!((&answer["state"], &answer["html"], answer.get("note")), (&json!("content"), &json!(""), None));
    assert!(!world.get("/").await.text.contains("answered 500"));
}

#[tokio::test]
async fn refused_keys_and_wrong_options_are_ignored_for_those_who_cannot_mend_them() {
    let upstream = Upstream::start(Behavior::fails(401)).await;
    let users = USERS.replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let wrong = "      - { type: clock, ignoreErrors: true, timeout: soon }\n";
    let text = users + &page(&upstream, "ignoreErrors: true") + wrong;
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", text).start().await;
    for (viewer, expected) in [(None, false), (Some("bob:bob"), false), (Some("anna:anna"), true)] {
        let by = |path: &str| match viewer {
            Some(credentials) => world.request("GET", path).basic(credentials),
            None => world.request("GET", path),
        };
        let answer = by(PANEL).send().await.expect_status(200).json();
        let state = if expected { "error" } else { "content" };
        assert_eq!((answer["state"].as_str(), answer.get("note").is_some()), (Some(state), expected), "{viewer:?}");
        let page = by("/").send().await.expect_status(200).text;
        for words in ["127.0.0.1 answered 401.", "timeout must be a number"] {
            assert_eq!(page.contains(words), expected, "{words} for {viewer:?}");
        }
    }
}

#[tokio::test]
async fn a_box_says_whose_it_is() {
    let upstream = Upstream::start(Behavior::fails(503)).await;
    let text = format!(
        "{}      - type: weather\n      - {{ type: weather, label: 'At <home>' }}\n      - type: nonsense\n",
        page(&upstream, "updateInterval: 60"),
    );
    let world = Setup::new().file("conf.yml", text).start().await;
    assert_eq!(settled(&world).await["state"], "error");
    let html = world.get("/").await.expect_status(200).text;
    let reason = "Set the option <code>city</code> to a place (or set lat and lon), for example <code>London</code>.";
    for part in [
        "<p><b>api-response</b>: 127.0.0.1 answered 503.</p>".to_owned(),
        format!("<p><b>weather</b>: {reason}</p>"),
        // The label says it already.
        format!("<p>{reason}</p>"),
        "<p>There is no widget of type nonsense.</p>".to_owned(),
        "aria-label=\"API response\"".to_owned(),
        "aria-label=\"Weather\"".to_owned(),
        "aria-labelledby=\"widget-0-2-label\"".to_owned(),
    ] {
        assert!(html.contains(&part), "{part} in {html}");
    }
}

#[tokio::test]
async fn an_untrusted_certificate_is_accepted_where_the_entry_allows_it() {
    let upstream = Upstream::start_self_signed(up()).await;
    let entry = |fields: &str| page(&upstream, fields).split_once("widgets:\n").unwrap().1.to_owned();
    let widgets = [entry("label: strict"), entry("insecure: false"), entry("insecure: true")].concat();
    let world =
        Setup::new().file("conf.yml", format!("sections:\n  - name: Home\n    widgets:\n{widgets}")).start().await;
    let panel = async |index: usize| {
        let path = format!("/fn/panel?page=home&section=0&widget={index}&kind=api-response");
        world.get(&path).await.expect_status(200).json()
    };
    for index in [0, 1] {
        let answer = panel(index).await;
        let note = "127.0.0.1 uses a certificate that is not trusted. In your own network, give its authority in \
                    NODE_EXTRA_CA_CERTS, or set insecure: true.";
        assert_eq!(answer["note"], note, "{answer}");
    }
    assert_eq!(upstream.count(), 0, "nothing is said to a stranger");
    let answer = panel(2).await;
    assert!(answer["html"].as_str().is_some_and(|html| html.contains("all is well")), "{answer}");
    // One entry's exception opens nothing for the others.
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(10)).await;
    tokio::time::resume();
    assert_eq!(panel(0).await["state"], "error");
    assert_eq!(upstream.count(), 1);
}
