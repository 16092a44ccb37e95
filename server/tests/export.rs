//! The files of a static export (docs/install/static.md): languages, chosen pages, offline use, and nothing that is hidden from guests.

use languages::Language;
use serde_json::Value;
use server::routes::export::{Export, ExportError, ExportOptions, export as write};

use crate::world::{Setup, World};

const BASE: &str = "/start";
const SECRET: &str = "behind-the-curtain";

/// A dashboard with three pages, one of which is hidden from guests.
fn setup(app: &str) -> Setup {
    let conf = format!(
        "pageInfo: {{ title: House, navLinks: [ {{ title: Plan, path: /plan.svg }} ] }}
appConfig: {{ {app} }}
pages:
  - {{ name: Media Room, path: media.yml }}
  - {{ name: Garden, path: garden.yml }}
  - {{ name: Staff, path: staff.yml, displayData: {{ hideForGuests: true }} }}
sections:
  - name: Tools
    items:
      - {{ title: Films, url: 'https://films.example', icon: /item-icons/film.svg }}
      - {{ title: Lawn, url: {BASE}/home/garden }}
      - {{ title: Hidden, url: 'https://{SECRET}.example', displayData: {{ hideForGuests: true }} }}
    widgets: [ {{ type: clock }}, {{ type: public-ip }} ]
"
    );
    let page = |section: &str, item: &str| {
        format!("sections: [ {{ name: {section}, items: [ {{ title: {item}, url: 'https://{item}.example' }} ] }} ]\n")
    };
    let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>";
    Setup::new()
        .env("ENABLE_API", "")
        .env("BASE_URL", BASE)
        .exports()
        .file("conf.yml", conf)
        .file("media.yml", page("Music", "radio"))
        .file("garden.yml", page("Beds", "roses"))
        .file("staff.yml", page(SECRET, SECRET))
        .file("item-icons/film.svg", picture)
        .file("plan.svg", picture)
}

async fn exported(world: &World, options: ExportOptions) -> Export {
    write(&world.portico(), &options).await.unwrap()
}

fn languages(codes: &str) -> Vec<Language> {
    codes.split(' ').map(|code| Language::of_code(code).unwrap()).collect()
}

fn text<'a>(export: &'a Export, name: &str) -> &'a str {
    std::str::from_utf8(export.files.get(name).unwrap_or_else(|| panic!("no {name}"))).unwrap()
}

/// The addresses of an export in a page, without queries.
fn addresses(page: &str) -> impl Iterator<Item = &str> {
    let starts = page.match_indices(BASE).filter(|(at, _)| page[..*at].ends_with(['"', '\'', '(', ' ']));
    let address = |(at, _): (usize, &str)| {
        let rest = &page[at + BASE.len()..];
        rest.split(['"', '\'', ')', '?', '#', ' ', '&', '<']).next().unwrap_or_default().to_owned().leak() as &str
    };
    starts.map(address).filter(|path| path.starts_with('/'))
}

/// Panics if a page or a style sheet has an address without a file.
fn assert_complete(export: &Export) {
    let has = |path: &str| {
        let name = path.trim_matches('/');
        let index = format!("{name}/index.html");
        export.files.contains_key(name) || export.files.contains_key(index.trim_start_matches('/'))
    };
    // What the browser's bundle of these tests lacks.
    let is_left_out = |path: &&str| ["/favicon.svg", "/icons/apple-touch-icon.png"].contains(path);
    for (name, content) in export.files.iter().filter(|(name, _)| name.ends_with(".html") || name.ends_with(".css")) {
        let page = String::from_utf8_lossy(content);
        // The folder of the themes is the beginning of addresses.
        let missing = addresses(&page).filter(|path| !has(path) && !path.starts_with("/themes/"));
        let missing: Vec<_> = missing.filter(|path| !is_left_out(path)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}

fn assert_nothing_hidden(export: &Export) {
    let has = |content: &[u8]| content.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
    let found: Vec<_> = export.files.iter().filter(|(_, content)| has(content)).map(|(name, _)| name).collect();
    assert!(found.is_empty(), "{found:?}");
    assert!(!export.files.keys().any(|name| name.contains("staff")));
}

#[tokio::test]
async fn an_export_has_what_guests_see_and_nothing_else() {
    let world = setup("").start().await;
    let export = exported(&world, ExportOptions::default()).await;
    for name in
        ["index.html", "home/index.html", "home/media-room/index.html", "home/main/tools/index.html", "404.html"]
    {
        assert!(text(&export, name).contains("<html lang=\"en\""), "{name}");
    }
    for name in
        ["workspace/garden/index.html", "search/home.json", "search/garden.json", "icons/file/film.svg", "plan.svg"]
    {
        assert!(export.files.contains_key(name), "{name}: {:?}", export.files.keys());
    }
    assert!(text(&export, "index.html").contains("Films"));
    assert_complete(&export);
    assert_nothing_hidden(&export);
    // It would show the address of this server.
    assert_eq!(export.left_out.iter().collect::<Vec<_>>(), ["public-ip"]);
    assert!(!text(&export, "index.html").contains("public-ip"));
    assert!(!text(&export, "404.html").contains("no-such-page"), "the path of the visitor is not known");
    // One language needs no choice.
    assert!(!text(&export, "index.html").contains("hreflang"));
    assert!(export.missing.is_empty(), "{:?}", export.missing);
}

#[tokio::test]
async fn each_language_has_its_pages_and_shares_the_other_files() {
    let world = setup("language: en").start().await;
    let export =
        exported(&world, ExportOptions { languages: languages("de en zh-TW"), ..ExportOptions::default() }).await;
    for (folder, tag, is_first) in [("", "de", true), ("en/", "en", false), ("zh-TW/", "zh-TW", false)] {
        for name in ["index.html", "home/media-room/index.html", "minimal/index.html", "404.html"] {
            let page = text(&export, &format!("{folder}{name}"));
            assert!(page.contains(&format!("<html lang=\"{tag}\"")), "{folder}{name}");
            let path = name.trim_end_matches("index.html").trim_end_matches('/');
            for (code, folder) in [("de", ""), ("en", "en/"), ("zh-TW", "zh-TW/")] {
                let address = format!("{BASE}/{folder}{path}");
                let link = format!("<link rel=\"alternate\" hreflang=\"{code}\" href=\"{address}\">");
                assert!(page.contains(&link), "{name} has no {link}");
                let has_choice = page.contains(&format!("<option value=\"{address}\""));
                assert!(has_choice || name == "404.html", "{name} has no choice of {code}");
            }
            // Only the first language looks for another one.
            assert_eq!(page.contains("data-nearest"), is_first, "{folder}{name}");
            let hash = server::routes::headers::hash(app::document::LANGUAGE_SCRIPT);
            assert!(page.contains(&hash), "the policy forbids the script");
        }
        let list: Vec<Value> = serde_json::from_str(text(&export, &format!("{folder}search/home.json"))).unwrap();
        assert_eq!(list.len(), 2, "{folder}");
    }
    // English has no texts of dialogs: they are their own keys.
    assert!(text(&export, "language").starts_with('{') && !export.files.contains_key("en/language"));
    let own = ["404.html", "index.html", "home/", "minimal/", "workspace/", "search/", "manifest.json", "language"];
    let is_own = |name: &str| own.iter().any(|start| name.starts_with(start));
    let shared: Vec<_> =
        export.files.keys().filter_map(|name| name.strip_prefix("zh-TW/")).filter(|name| !is_own(name)).collect();
    assert!(shared.is_empty(), "{shared:?}");
    assert_complete(&export);
    assert_nothing_hidden(&export);
}

#[tokio::test]
async fn the_language_of_the_config_keeps_its_region() {
    let world = setup("language: de-AT").start().await;
    let export = exported(&world, ExportOptions { languages: languages("en de"), ..ExportOptions::default() }).await;
    assert!(text(&export, "index.html").contains("<html lang=\"en\""));
    assert!(text(&export, "de/index.html").contains("<html lang=\"de-AT\""));
    let world = setup("language: de-AT").start().await;
    let export = exported(&world, ExportOptions { all_languages: true, ..ExportOptions::default() }).await;
    assert!(text(&export, "index.html").contains("<html lang=\"de-AT\""));
    for language in Language::all().filter(|language| language.code() != "de") {
        let page = text(&export, &format!("{}/home/garden/index.html", language.code()));
        assert!(page.contains(&format!("<html lang=\"{}\"", language.code())));
    }
}

#[tokio::test]
async fn only_chosen_pages_are_exported() {
    let world = setup("").start().await;
    let export = exported(&world, ExportOptions { pages: vec!["Media Room".into()], ..ExportOptions::default() }).await;
    assert_eq!(text(&export, "index.html"), text(&export, "home/media-room/index.html"));
    let pages: Vec<_> = export.files.keys().filter(|name| name.ends_with("index.html")).collect();
    assert!(pages.iter().all(|name| *name == "index.html" || name.contains("media-room")), "{pages:?}");
    for word in ["Films", "roses", "Garden"] {
        let has = |content: &Vec<u8>| content.windows(word.len()).any(|window| window == word.as_bytes());
        assert!(!export.files.values().any(has), "{word}");
    }
    assert_complete(&export);

    let world = setup("").start().await;
    let pages = vec!["main".into(), "media-room".into()];
    let export = exported(&world, ExportOptions { pages, ..ExportOptions::default() }).await;
    assert!(
        text(&export, "index.html").contains("Films") && text(&export, "home/media-room/index.html").contains("radio")
    );
    // An item still leads there.
    assert_eq!(export.missing.iter().collect::<Vec<_>>(), ["/home/garden"]);

    for name in ["attic", "staff"] {
        let world = setup("").start().await;
        let options = ExportOptions { pages: vec![name.into()], ..ExportOptions::default() };
        let error = write(&world.portico(), &options).await.unwrap_err();
        let expected = format!("guests see no page `{name}`; `--page` takes `main`, `media-room`, `garden`");
        assert_eq!(error.to_string(), expected);
    }
}

/// The settings that the export puts before its worker.
fn settings(export: &Export) -> Value {
    let line = text(export, "service-worker.js").lines().next().unwrap();
    serde_json::from_str(line.strip_prefix("const PORTICO=").unwrap().trim_end_matches(';')).unwrap()
}

#[tokio::test]
async fn browsers_can_keep_a_copy_of_all_files() {
    let options = ExportOptions { languages: languages("en de"), has_worker: true, ..ExportOptions::default() };
    // A server would not have a worker with this config.
    let world = setup("enableServiceWorker: false").start().await;
    let export = exported(&world, options.clone()).await;
    let mut listed = 0;
    for list in ["files", "pages", "pages-de"] {
        let names: Value = serde_json::from_str(text(&export, &format!("offline/{list}.json"))).unwrap();
        for name in names.as_object().unwrap().keys() {
            let name = percent_encoding::percent_decode_str(name).decode_utf8().unwrap();
            let file =
                if name.is_empty() || name.ends_with('/') { format!("{name}index.html") } else { name.into_owned() };
            assert!(export.files.contains_key(&file), "{list}: {file}");
            assert_eq!(list == "pages-de", file.starts_with("de/"), "{list}: {file}");
            listed += 1;
        }
    }
    // All but the worker, its lists and its script.
    assert_eq!(listed, export.files.len() - 5);
    let page = text(&export, "de/home/garden/index.html");
    assert!(
        page.contains(" data-worker=\"")
            && page.contains("rel=\"manifest\" crossorigin=\"use-credentials\" href=\"/start/de/manifest.json\"")
    );
    let manifest: Value = serde_json::from_str(text(&export, "de/manifest.json")).unwrap();
    assert_eq!(manifest["start_url"], "/start/de/");
    for icon in manifest["icons"].as_array().unwrap() {
        assert!(!icon["src"].as_str().unwrap().starts_with("/start/de/"), "{icon}");
    }
    assert_complete(&export);

    // The worker changes with every file.
    let again = exported(&setup("").file("plan.svg", "<svg/>").start().await, options.clone()).await;
    assert_ne!(settings(&again)["version"], settings(&export)["version"]);

    let without = exported(&world, ExportOptions { has_worker: false, ..options }).await;
    assert!(text(&without, "service-worker.js").contains("unregister()"));
    assert!(
        !text(&without, "index.html").contains("data-worker")
            && !text(&without, "index.html").contains("rel=\"manifest\"")
    );
    assert!(!without.files.keys().any(|name| name.starts_with("offline/")));
}

#[tokio::test]
async fn a_dashboard_without_guests_is_refused() {
    let users = "appConfig: { auth: { users: [ { user: anna, hash: '00', type: admin } ] } }\nsections: []\n";
    let world = Setup::new().exports().file("conf.yml", users).start().await;
    let error = write(&world.portico(), &ExportOptions::default()).await.unwrap_err();
    assert!(matches!(error, ExportError::NoGuests), "{error}");
}
