//! Themes in pages and as files (docs/spec/behavior.md 12).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use crate::world::{Reply, Setup, USERS, World};

async fn world(app: &str) -> World {
    let text = format!("appConfig: {app}\nsections: [ {{ name: Boats, items: [ {{ title: Skiff }} ] }} ]\n");
    Setup::new().env("ENABLE_API", "").file("conf.yml", &text).start().await
}

/// The inline styles of a page, all of which its policy must allow.
fn styles(page: &Reply) -> Vec<String> {
    let policy = page.header("content-security-policy");
    let styles: Vec<String> = page
        .text
        .split("<style")
        .skip(1)
        .map(|rest| {
            let (_, text) = rest.split_once('>').unwrap();
            text.split("</style>").next().unwrap().to_owned()
        })
        .collect();
    for style in &styles {
        let hash = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(style.as_bytes())));
        assert!(policy.contains(&hash), "the policy does not admit {style}");
    }
    styles
}

#[tokio::test]
async fn a_page_carries_its_theme_and_no_other() {
    let world = world("{ theme: nord }").await;
    let page = world.get("/").await.expect_status(200);
    let styles = styles(&page);
    assert!(styles.iter().any(|style| style.contains("--background:#3b4252")), "{styles:?}");
    assert!(page.text.contains("data-theme=\"nord\"") && !page.text.contains("#fabd2f"));
}

#[tokio::test]
async fn day_and_night_are_chosen_by_media_queries() {
    let world = world("{ dayTheme: glow, nightTheme: mine, customColors: { mine: { background: '#101820' } } }").await;
    let page = world.get("/").await.expect_status(200);
    assert!(page.text.contains("<style class=\"theme\" media=\"(prefers-color-scheme: light)\">"));
    let own = styles(&page).pop().unwrap();
    assert!(own.starts_with("@media (prefers-color-scheme: dark){html:not([data-chosen]){color-scheme:dark;"), "{own}");
}

#[tokio::test]
async fn the_page_of_signing_in_has_the_theme_too() {
    let text = USERS.replace("appConfig:\n", "appConfig:\n  theme: matrix\n");
    let world = Setup::new().env("ENABLE_API", "").file("conf.yml", &text).start().await;
    let page = world.get("/login").await.expect_status(200);
    assert!(styles(&page).iter().any(|style| style.contains("--primary:#2bca2b")));
    assert!(page.text.contains("/fonts/vt323-latin.woff2"));
}

#[tokio::test]
async fn style_sheets_of_themes_are_cached_for_ever() {
    let world = world("{}").await;
    let page = world.get("/").await.expect_status(200);
    let folder = page.text.split("data-themes=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    let sheet = world.get(&format!("{folder}dracula.css")).await.expect_status(200);
    assert_eq!(sheet.header("content-type"), "text/css; charset=utf-8");
    assert_eq!(sheet.header("cache-control"), "public, max-age=31536000, immutable");
    assert!(sheet.text.contains("--background:#44475a"));
    // Requested by pages of an older version.
    let old = world.get("/themes/0123456789ab/dracula.css").await.expect_status(200);
    assert_eq!(old.header("cache-control"), "public, no-cache");
    // A theme that only the config defines.
    assert!(world.get(&format!("{folder}mine.css")).await.expect_status(200).text.is_empty());
    let list = world.get(&format!("{folder}list.json")).await.expect_status(200);
    assert_eq!(list.json().as_array().unwrap().len(), 60);
    for path in [format!("{folder}nonsense"), format!("{folder}{}.css", "x".repeat(200))] {
        world.get(&path).await.expect_status(404);
    }
}
