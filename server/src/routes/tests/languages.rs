//! Pages and panels in the language of who looks: each gets their own, and nobody gets another's.

use std::{collections::BTreeMap, fs, io, sync::Arc, time::Instant};

use axum::body::{Body, to_bytes};
use config::{Config, Document};
use http::{Request, StatusCode, header};
use languages::Language;
use serde_json::Value;
use tower::ServiceExt as _;
use widgets::{Case, Kind};

use crate::{
    panels::{PlanCache, Recording, WidgetPlans},
    platform::{
        assets::Assets,
        page_files::{FONT, HashedFile},
    },
    routes::{app_state::AppState, router},
    settings::{Settings, variables::Variables},
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
    let mut widgets = WidgetPlans::of(&config, &document, &Variables::default());
    let case: Case = serde_yaml::from_str(JOKES).unwrap();
    widgets.use_recording(0, 0, Recording::new(case, "", nothing).unwrap());
    let root = ConfigFile { name: "conf.yml".into(), bytes: text.into(), document, config, host: None, stored: false };
    let (root, plans) = (Arc::new(root), PlanCache::default());
    plans.set(&root, widgets);
    let site = Site { revision: 1, root: Some(root), failure: None, pages: BTreeMap::new() };
    router(AppState::of_site(site, plans, assets()))
}

/// Empty files in place of those of the build.
fn assets() -> Assets {
    let folder = tempfile::tempdir().unwrap();
    for file in HashedFile::ALL {
        fs::write(folder.path().join(file.with_hash("0123456789abcdef")), "").unwrap();
    }
    fs::create_dir(folder.path().join("fonts")).unwrap();
    fs::write(folder.path().join(FONT), "").unwrap();
    fs::write(folder.path().join("icons.pack"), [b"PORTICO3".as_slice(), &[0; 12]].concat()).unwrap();
    Assets::read(folder.path(), "").unwrap()
}

async fn get(router: &axum::Router, path: &str, language: &str) -> (String, String) {
    get_with(router, path, language, "").await
}

/// The body of an answer, and what it varies by.
async fn get_with(router: &axum::Router, path: &str, language: &str, cookie: &str) -> (String, String) {
    let request = Request::builder().uri(path).header(header::ACCEPT_LANGUAGE, language).header(header::COOKIE, cookie);
    let request = request.body(Body::empty()).unwrap();
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

#[tokio::test]
async fn a_page_is_in_the_language_of_its_viewer() {
    let world = world("{}");
    let readers = [
        ("de-AT,de;q=0.9,en;q=0.8", "", "lang=\"de\" dir=\"ltr\"", "Optionen"),
        ("en-US", "", "lang=\"en\" dir=\"ltr\"", "Options"),
        ("fr-CA,en;q=0.5", "", "lang=\"fr\" dir=\"ltr\"", "Disposition"),
        ("fr-CA", "a=b; portico-language=ar", "lang=\"ar\" dir=\"rtl\"", "الخيارات"),
        ("fr-CA", "portico-language=nonsense", "lang=\"fr\" dir=\"ltr\"", "Disposition"),
        ("", "portico-language=zz-pirate", "lang=\"zz-pirate\" dir=\"ltr\"", "Riggin’"),
    ];
    // Twice, so that each comes from the cache too.
    for _ in 0..2 {
        for (languages, cookie, root, word) in readers {
            let (page, vary) = get_with(&world, "/", languages, cookie).await;
            assert!(page.starts_with(&format!("<!DOCTYPE html><html {root} ")), "{languages} {cookie}: {page}");
            assert!(page.contains(word), "{languages} {cookie}");
            assert_eq!(page.contains("data-texts"), !root.contains("\"en\""), "English needs no texts");
            assert!(vary.contains("Accept-Language") && vary.contains("Cookie"), "{vary}");
        }
    }
}

#[tokio::test]
async fn a_page_in_another_language_is_another_version() {
    let world = world("{}");
    let mut versions = Vec::new();
    for languages in ["en", "de", "fr", "de"] {
        let (page, _) = get(&world, "/", languages).await;
        // The options name the version of the program.
        let part = |name: &str| {
            let attribute = format!(" {name}=\"");
            let values = page.split(&attribute).skip(1).map(|rest| rest.split('"').next().unwrap());
            values.filter(|value| value.len() == 16).last().unwrap().to_owned()
        };
        versions.push((part("data-version"), part("data-core")));
    }
    assert_eq!(versions[1], versions[3]);
    assert!(versions[0].0 != versions[1].0 && versions[1].0 != versions[2].0, "{versions:?}");
    // The bundle has drawn some of it, so that the page has to be loaded again.
    assert!(versions[0].1 != versions[1].1 && versions[1].1 != versions[2].1, "{versions:?}");
}

#[tokio::test]
async fn a_language_that_was_chosen_goes_before_that_of_the_config() {
    let world = world("{ language: fr-CA }");
    let (page, vary) = get(&world, "/", "de").await;
    assert!(page.contains("lang=\"fr-CA\"") && !vary.contains("Accept-Language"), "{vary}");
    let (page, _) = get_with(&world, "/", "de", "portico-language=it").await;
    assert!(page.contains("lang=\"it\""));
    let (missing, _) = get_with(&world, "/nowhere", "de", "portico-language=de").await;
    assert!(missing.contains("Zur Startseite"), "{missing}");
}

#[tokio::test]
async fn dialogs_get_their_texts_in_the_language_of_the_page() {
    let world = world("{}");
    let (texts, _) = get(&world, "/language?of=de-AT", "fr").await;
    let texts: Value = serde_json::from_str(&texts).unwrap();
    assert_eq!((&texts["Settings"], &texts["Reload"]), (&"Einstellungen".into(), &Value::Null), "no others");
    for path in ["/language?of=en", "/language?of=nonsense", "/language", "/language?of=en&for=editor"] {
        assert_eq!(get(&world, path, "de").await.0, "{}", "{path}");
    }
}

#[tokio::test]
async fn the_editor_gets_its_texts_with_the_names_of_fields() {
    let world = world("{}");
    let address = "/language?of=de-AT&for=editor";
    let (texts, _) = get(&world, address, "fr").await;
    let texts: Value = serde_json::from_str(&texts).unwrap();
    assert!(texts["texts"].is_object() && texts["fields"].is_object(), "{texts}");
    // A browser that has them gets no second copy.
    let ask = |tag: &str| {
        let request = Request::builder().uri(address).header(header::IF_NONE_MATCH, tag);
        world.clone().oneshot(request.body(Body::empty()).unwrap())
    };
    let first = ask("\"other\"").await.unwrap();
    let tag = first.headers()[header::ETAG].to_str().unwrap().to_owned();
    assert_eq!((first.status().as_u16(), ask(&tag).await.unwrap().status().as_u16()), (200, 304));
}

#[tokio::test]
async fn texts_of_a_panel_are_in_the_language_of_the_page() {
    let world = world("{}");
    let path = "/fn/panel?page=home&section=0&widget=9&kind=joke";
    for (language, cookie, note) in [
        ("de", "", "Diese Seite hat sich geändert, seit sie geladen wurde. Lade sie neu."),
        ("de", "portico-language=en", "This page has changed since it was loaded. Reload it."),
    ] {
        let answer: Value = serde_json::from_str(&get_with(&world, path, language, cookie).await.0).unwrap();
        assert_eq!(answer["note"], note, "{answer}");
    }
}

#[tokio::test]
async fn what_the_config_says_keeps_its_direction_on_a_page_in_arabic() {
    let world = world("{}\npageInfo: { title: 'Home (2.0).', footerText: 'At /srv.' }");
    let (arabic, _) = get(&world, "/", "ar").await;
    assert!(arabic.contains("<h1 dir=\"auto\">Home (2.0).</h1>"), "{arabic}");
    assert!(
        arabic.contains("<footer dir=\"auto\"") || arabic.contains("class=\"page-footer\" dir=\"auto\""),
        "{arabic}"
    );
    let (english, _) = get(&world, "/", "en").await;
    assert!(english.contains("<h1>Home (2.0).</h1>") && !english.contains("dir=\"auto\""), "{english}");
}

/// Sends the form of the options; gives where it leads and the cookie.
async fn choose(router: &axum::Router, form: &str, site: &str) -> (StatusCode, String, String) {
    let request = Request::builder().method("POST").uri("/language").header("sec-fetch-site", site);
    let response = router.clone().oneshot(request.body(Body::from(form.to_owned())).unwrap()).await.unwrap();
    let header = |name| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    (response.status(), header(header::LOCATION), header(header::SET_COOKIE))
}

#[tokio::test]
async fn a_choice_is_stored_in_a_cookie() {
    let world = world("{}");
    let (status, address, cookie) = choose(&world, "language=de&return_to=/home/lab", "same-origin").await;
    assert_eq!((status, address.as_str()), (StatusCode::SEE_OTHER, "/home/lab"));
    assert_eq!(cookie, "portico-language=de; Path=/; Max-Age=31536000; SameSite=Lax");
    let (_, address, cookie) = choose(&world, "language=&return_to=https://elsewhere.example/", "same-origin").await;
    assert_eq!(address, "/", "nobody is led to another site");
    assert_eq!(cookie, "portico-language=; Path=/; Max-Age=0; SameSite=Lax");
    for (form, site, expected) in [
        ("language=xx", "same-origin", StatusCode::BAD_REQUEST),
        ("language=de%3B+Path%3D/", "same-origin", StatusCode::BAD_REQUEST),
        ("", "same-origin", StatusCode::BAD_REQUEST),
        ("language=de", "cross-site", StatusCode::FORBIDDEN),
    ] {
        let (status, _, cookie) = choose(&world, form, site).await;
        assert_eq!((status, cookie.as_str()), (expected, ""), "{form}");
    }
}

#[tokio::test]
async fn a_widget_without_a_label_is_called_by_its_type() {
    let router = world("{}");
    for (language, name) in [("de", "Witz"), ("en", "Joke"), ("xx", "Joke")] {
        let (page, _) = get(&router, "/", language).await;
        assert!(page.contains(&format!(" aria-label=\"{name}\" data-widget=\"0-0\"")), "{page}");
    }
}

#[test]
fn every_type_of_widgets_has_a_name_in_every_language() {
    for language in Language::all().filter(|language| !["en", "en-GB", "zz-pirate"].contains(&language.code())) {
        let titles = Kind::ALL.iter().map(|kind| kind.title());
        let missing: Vec<_> = titles.filter(|title| language.name_of_type(title).is_none()).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", language.code());
    }
}

#[tokio::test]
async fn the_demo_is_in_the_language_of_its_viewer() {
    _ = rustls::crypto::ring::default_provider().install_default();
    let portico = AppState::start_demo(Settings::default(), assets(), Instant::now()).unwrap();
    let router = router(portico);
    for (language, expected, other) in [
        ("de", ["Übersicht", "Alle Fälle", "Witz", "Alle Widgets mit aufgezeichneten Antworten"], "All cases"),
        ("en", ["Index", "All cases", "Joke", "Every widget with recorded responses"], "Alle Fälle"),
    ] {
        let (page, _) = get(&router, "/", language).await;
        let missing: Vec<_> = expected.iter().filter(|text| !page.contains(&format!(">{text}"))).collect();
        assert!(missing.is_empty(), "{language}: {missing:?}");
        assert!(!page.contains(other), "{language}");
        // Addresses stay as they are.
        assert!(page.contains("/home/main/joke"), "{language}");
    }
}
