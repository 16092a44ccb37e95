//! Panels that depend on the language of who looks: each gets their own, and nobody gets another's.

use std::{collections::BTreeMap, fs, io, sync::Arc};

use axum::body::{Body, to_bytes};
use config::{Config, Document};
use http::{Request, header};
use serde_json::Value;
use tower::ServiceExt as _;
use widgets::Case;

use crate::{
    panels::{PlanCache, Plans, Recording},
    platform::assets::Assets,
    routes::{portico::Portico, router},
    settings::variables::Variables,
    store::{ConfigFile, Site},
};

const PANEL: &str = "/fn/panel?page=home&section=0&widget=0&kind=joke";

/// The jokes of two languages.
const JOKES: &str = "
options: {}
exchanges:
  - request: { url: 'https://v2.jokeapi.dev/joke/Any?lang=de' }
    response: { body: { error: false, category: Misc, type: single, joke: Ein Witz, id: 1, lang: de } }
  - request: { url: 'https://v2.jokeapi.dev/joke/Any?lang=en' }
    response: { body: { error: false, category: Misc, type: single, joke: A joke, id: 2, lang: en } }
";

fn nothing(_folder: &str, _name: &str) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::NotFound.into())
}

/// A server whose one page has one joke.
fn world(look: &str) -> axum::Router {
    _ = rustls::crypto::ring::default_provider().install_default();
    let text = format!("appConfig: {look}\nsections:\n  - name: A\n    widgets:\n      - type: joke\n");
    let document = Document::parse(text.as_bytes()).unwrap();
    let config = Config::read(&document).unwrap();
    let mut widgets = Plans::of(&config, &document, &Variables::default());
    let case: Case = serde_yaml::from_str(JOKES).unwrap();
    widgets.answer_from(0, 0, Recording::new(case, "", nothing).unwrap());
    let root = ConfigFile { name: "conf.yml".into(), bytes: text.into(), document, config, host: None, stored: false };
    let (root, plans) = (Arc::new(root), PlanCache::default());
    plans.set(&root, widgets);
    let site = Site { revision: 1, root: Some(root), failure: None, pages: BTreeMap::new() };
    let folder = tempfile::tempdir().unwrap();
    for name in ["main", "widgets", "views"] {
        fs::write(folder.path().join(format!("{name}-0123456789abcdef.css")), "").unwrap();
    }
    for name in ["search", "menu", "minimal", "workspace"] {
        fs::write(folder.path().join(format!("{name}-0123456789abcdef.js")), "").unwrap();
    }
    for name in ["frontend", "live"] {
        fs::write(folder.path().join(format!("{name}-0123456789abcdef.js")), "").unwrap();
        fs::write(folder.path().join(format!("{name}-0123456789abcdef_bg.wasm")), "").unwrap();
    }
    fs::create_dir(folder.path().join("fonts")).unwrap();
    fs::write(folder.path().join("fonts/figtree-latin.woff2"), "").unwrap();
    fs::write(folder.path().join("icons.pack"), [b"PORTICO3".as_slice(), &[0; 12]].concat()).unwrap();
    router(Portico::of_site(site, plans, Assets::read(folder.path(), "").unwrap()))
}

async fn get(router: &axum::Router, path: &str, language: &str) -> (String, String) {
    let request = Request::builder().uri(path).header(header::ACCEPT_LANGUAGE, language).body(Body::empty()).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let vary = response.headers().get(header::VARY).map(|vary| vary.to_str().unwrap().to_owned()).unwrap_or_default();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (String::from_utf8(bytes.to_vec()).unwrap(), vary)
}

/// The panel that a browser of this language gets.
async fn panel(router: &axum::Router, locale: &str) -> Value {
    for _ in 0..50 {
        let path = format!("{PANEL}&locale={locale}&zone=Europe/Vienna");
        let answer: Value = serde_json::from_str(&get(router, &path, "fr").await.0).unwrap();
        if answer["state"] != "pending" {
            return answer;
        }
    }
    panic!("nothing came");
}

#[tokio::test]
async fn two_viewers_get_panels_in_their_own_language() {
    let world = world("{}");
    for (locale, joke) in [("de-AT", "Ein Witz"), ("en-GB", "A joke"), ("de-AT", "Ein Witz")] {
        let answer = panel(&world, locale).await;
        assert!(answer["html"].as_str().unwrap().contains(joke), "{locale}: {answer}");
    }
    // The first HTML of both has the panel already, each with its own.
    for (languages, joke, other) in
        [("de-AT,de;q=0.9,en;q=0.8", "Ein Witz", "A joke"), ("en-GB,en;q=0.9,de;q=0.8", "A joke", "Ein Witz")]
    {
        let (page, vary) = get(&world, "/", languages).await;
        assert!(page.contains(joke) && !page.contains(other), "{languages}");
        assert!(vary.contains("Accept-Language"), "{vary}");
    }
    // Nobody has asked in this language yet.
    let (page, _) = get(&world, "/", "fr-FR").await;
    assert!(page.contains(r#"data-state="loading""#) && !page.contains("Ein Witz") && !page.contains("A joke"));
}

#[tokio::test]
async fn without_a_script_a_reload_brings_the_panel() {
    let world = world("{}");
    for (languages, joke) in [("de-AT,de;q=0.9", "Ein Witz"), ("en-GB", "A joke")] {
        let (page, _) = get(&world, "/", languages).await;
        assert!(page.contains(r#"data-state="loading""#), "a page waits for nothing");
        let mut reloads = 0;
        while !get(&world, "/", languages).await.0.contains(joke) {
            reloads += 1;
            assert!(reloads < 50, "{languages}");
            tokio::task::yield_now().await;
        }
    }
    // Without a language, and in one too many, there is one in nobody's.
    for number in 0..40 {
        get(&world, "/", &format!("en-{number:03}")).await;
    }
    for languages in ["", "en-US"] {
        while !get(&world, "/", languages).await.0.contains("A joke") {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn the_language_of_the_config_goes_before_that_of_the_browser() {
    let world = world("{ language: de }");
    // The page's script asks in the page's language.
    panel(&world, "de").await;
    let (page, vary) = get(&world, "/", "en-GB").await;
    assert!(page.contains("Ein Witz"), "{page}");
    assert!(!vary.contains("Accept-Language"), "{vary}");
}
