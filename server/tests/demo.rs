//! `portico serve --demo`: every widget, without network and without files.

use std::time::Instant;

use axum::body::Body;
use http::Request;
use server::{
    platform::assets::Assets,
    routes::{app_state::AppState, router},
    settings::Settings,
};
use tower::ServiceExt as _;
use widgets::Kind;

async fn get(router: &axum::Router, path: &str) -> (u16, String) {
    let request = Request::builder().uri(path).body(Body::empty()).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

/// The values of an attribute, in the order of the page.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[tokio::test]
async fn every_case_answers_and_nothing_is_asked_or_written() {
    _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    crate::world::write_assets(folder.path());
    let assets = Assets::read(folder.path(), "").unwrap();
    let portico = AppState::start_demo(Settings::default(), assets, Instant::now()).unwrap();
    let user_data = portico.settings.user_data.clone();
    let router = router(portico);
    let (mut shown, mut details) = (Vec::new(), 0);
    for (page, path) in [("home", "/"), ("all-cases", "/home/all-cases")] {
        let (status, html) = get(&router, path).await;
        assert_eq!(status, 200);
        let slots: Vec<_> = values(&html, "data-widget").into_iter().zip(values(&html, "data-kind")).collect();
        let places = values(&html, "data-place");
        assert!(!places.contains(&"browser"), "a browser would ask the network");
        for ((slot, kind), place) in slots.into_iter().zip(places) {
            shown.push(kind.to_owned());
            if place != "server" {
                continue;
            }
            let (section, widget) = slot.split_once('-').unwrap();
            let path = format!("/fn/panel?page={page}&section={section}&widget={widget}&kind={kind}");
            let (status, answer) = get(&router, &path).await;
            let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
            let state = answer["state"].as_str().unwrap();
            assert_eq!(status, 200);
            assert!(page != "home" || state == "content", "{kind}: {answer}");
            assert!(["content", "error", "broken"].contains(&state), "{kind}: {answer}");
            assert!(!answer.to_string().contains("is not recorded"), "{kind}: {answer}");
            for fact in answer["detail"].as_str().iter().flat_map(|detail| detail.split([' ', '·'])) {
                let note = answer["note"].as_str().unwrap();
                let mut words = note.split_whitespace().map(|word| word.trim_matches(['(', ')', '.', ',', ':', ';']));
                assert!(fact.is_empty() || words.all(|word| word != fact), "{kind}: {fact} twice in {answer}");
                details += 1;
            }
        }
        let (_, html) = get(&router, path).await;
        let states = values(&html, "data-state");
        let loading: Vec<_> =
            values(&html, "data-kind").into_iter().zip(&states).filter(|(_, state)| **state == "loading").collect();
        assert!(loading.is_empty(), "{page}: {loading:?} of {}", states.len());
        for picture in html.split("src=\"/widget-picture/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert_eq!(get(&router, &format!("/widget-picture/{picture}")).await.0, 200);
        }
    }
    for kind in Kind::ALL {
        assert!(shown.iter().filter(|name| *name == kind.name()).count() >= 3, "{}", kind.name());
    }
    assert!(details > 100, "errors say what the sentence leaves open, also here: {details}");
    assert!(!user_data.exists());
}
