//! The first account of a dashboard that everybody may change (docs/spec/behavior.md 14).

use serde_json::{Value, json};

use crate::{
    editor_functions::{call, done, refused, setup},
    world::{CONF, USERS},
};

fn account() -> Value {
    json!({ "name": " Ann ", "password": "eight letters" })
}

#[tokio::test]
async fn the_first_account_is_an_admin_and_comments_stay() {
    let conf = format!("# Ours\n{CONF}");
    let world = setup().file("conf.yml", &*conf).start().await;
    let loaded = done(&world, "editor-load", json!({})).await;
    assert_eq!((&loaded["open"], loaded.get("unwritable")), (&json!(true), None));
    let said = done(&world, "editor-protect", account()).await;
    assert!(said.as_str().unwrap().contains("`Ann`"), "{said}");
    let text = world.text("conf.yml");
    assert!(text.starts_with(&conf) && text.contains("user: \"Ann\"") && text.contains("type: admin"), "{text}");
    assert!(text.contains("hash: \"$argon2id$") && !text.contains("eight letters"), "{text}");
    // From now on it is closed, for this function too.
    assert_ne!(world.get("/").await.status, 200);
    assert_eq!(call(&world, "editor-protect", account()).await.status, 401);
    let form = "user=ann&password=eight+letters&remember=1w";
    let login = world.request("POST", "/login").header("content-type", "application/x-www-form-urlencoded").body(form);
    let login = login.send().await.expect_status(303);
    assert!(login.headers.get_all("set-cookie").iter().count() > 0);
}

#[tokio::test]
async fn a_name_and_a_long_password_are_needed() {
    let world = setup().start().await;
    for (name, password, why) in [(" ", "eight letters", "name"), ("ann", "seven 7", "at least 8 characters")] {
        let arguments = json!({ "name": name, "password": password });
        let (kind, message) = refused(&world, "editor-protect", arguments, 400).await;
        assert!(kind == "invalid" && message.contains(why), "{message}");
    }
    world.assert_unchanged();
}

#[tokio::test]
async fn a_dashboard_with_a_sign_in_gets_no_account_this_way() {
    let world = setup().file("conf.yml", format!("{CONF}{USERS}")).start().await;
    let request =
        |who: &'static str| world.request("POST", "/fn/editor-protect").body(account().to_string()).basic(who);
    assert_eq!(request("bob:bob").send().await.status, 403);
    let admin = request("anna:anna").send().await.expect_status(400);
    assert!(admin.text.contains("has a sign-in already"), "{}", admin.text);
    world.assert_unchanged();
}

#[tokio::test]
async fn the_first_page_says_that_everybody_may_change_it() {
    let folder = tempfile::tempdir().unwrap();
    let world = setup().directory(folder.path()).start().await;
    let page = world.get("/").await.expect_status(200).text;
    assert!(page.contains("until you protect it") && page.contains("data-start=\"protect\""), "{page}");
    // The comments of the starter need no warning.
    assert!(world.text("conf.yml").contains('#'));
    assert_eq!(done(&world, "editor-load", json!({})).await["hasComments"], false);
}
