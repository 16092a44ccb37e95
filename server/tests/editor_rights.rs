//! Who may use the server functions of the editor in the page (docs/editing.md).

use serde_json::json;

use crate::{
    editor_functions::{ALL, arguments, call, done, refused, setup},
    world::{CONF, USERS},
};

#[tokio::test]
async fn only_admins_edit() {
    let conf = format!("{CONF}{USERS}").replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    assert!(conf.contains("enableGuestAccess"));
    let world = setup().file("conf.yml", conf).start().await;
    for function in ALL {
        let request = || world.request("POST", &format!("/fn/{function}")).body(arguments(function).to_string());
        let guest = request().send().await;
        // They may be an admin whose session has ended.
        assert_eq!(guest.status, 401, "{function}");
        let refused = &guest.json()["refused"];
        assert!(refused["message"].as_str().unwrap().contains("Sign in"), "{}", guest.text);
        assert_eq!(refused["kind"], "sign-in", "{function}");
        let user = request().basic("bob:bob").send().await;
        assert_eq!(user.status, 403, "{function}");
        assert!(!user.text.contains("clock") && !user.text.contains("sections:"), "{}", user.text);
        request().basic("anna:wrong").send().await.expect_status(401);
    }
    world.assert_unchanged();
    assert!(!world.get("/").await.text.contains("Edit this page"));
    let page = |who: &'static str| world.request("GET", "/").basic(who).send();
    assert!(!page("bob:bob").await.text.contains("Edit this page"));
    assert!(page("anna:anna").await.text.contains("Edit this page"));
    for function in ALL {
        let request = world.request("POST", &format!("/fn/{function}")).body(arguments(function).to_string());
        let reply = request.basic("anna:anna").send().await;
        assert_eq!(reply.status, 200, "{function}: {}", reply.text);
    }
}

#[tokio::test]
async fn guests_are_not_asked_to_sign_in_where_there_are_no_accounts() {
    let conf = format!("{CONF}appConfig: {{ auth: {{ enableGuestAccess: true, enableHeaderAuth: true }} }}\n");
    let world = setup().file("conf.yml", conf).start().await;
    assert_eq!(refused(&world, "editor-load", json!({}), 403).await.0, "forbidden");
}

#[tokio::test]
async fn without_guests_edits_need_a_sign_in() {
    let world = setup().file("conf.yml", format!("{CONF}{USERS}")).start().await;
    for function in ALL {
        let reply = call(&world, function, arguments(function)).await;
        assert_eq!(reply.status, 401, "{function}");
    }
    world.assert_unchanged();
}

#[tokio::test]
async fn the_config_may_forbid_saving_or_all_of_it() {
    for app in ["{ preventWriteToDisk: true }", "{ allowConfigEdit: false }"] {
        let world = setup().file("conf.yml", format!("{CONF}appConfig: {app}\n")).start().await;
        let loaded = done(&world, "editor-load", json!({})).await;
        assert!(loaded["readOnly"].as_str().unwrap().contains("download your draft"), "{loaded}");
        let (kind, message) = refused(&world, "editor-save", arguments("editor-save"), 403).await;
        assert_eq!(kind, "forbidden");
        assert!(message.contains("preventWriteToDisk"), "{message}");
        world.assert_unchanged();
    }
    let world = setup().file("conf.yml", format!("{CONF}appConfig: {{ disableConfiguration: true }}\n")).start().await;
    for function in ALL {
        let (kind, message) = refused(&world, function, arguments(function), 403).await;
        assert_eq!(kind, "forbidden");
        assert!(message.contains("Remove `disableConfiguration`"), "{message}");
    }
    assert!(!world.get("/").await.text.contains("Edit this page"));
    world.assert_unchanged();
    // This test is about viewers who are not admins.
    let conf =
        format!("{CONF}{USERS}").replace("appConfig:\n", "appConfig:\n  disableConfigurationForNonAdmin: true\n");
    assert!(conf.contains("NonAdmin"));
    let world = setup().file("conf.yml", conf).start().await;
    for (who, status) in [("bob:bob", 403), ("anna:anna", 200)] {
        let request = world.request("POST", "/fn/editor-load").body("{}").basic(who);
        request.send().await.expect_status(status);
    }
}

#[tokio::test]
async fn other_sites_edit_nothing() {
    let world = setup().start().await;
    for function in ALL {
        let request = || {
            world
                .request("POST", &format!("/fn/{function}"))
                .header("host", "dash.lan")
                .body(arguments(function).to_string())
        };
        request().header("origin", "https://evil.example").send().await.expect_status(403);
        request().untyped().header("content-type", "text/plain").send().await.expect_status(415);
        assert!(!world.get(&format!("/fn/{function}")).await.status.is_success());
    }
    world.assert_unchanged();
}

#[tokio::test]
async fn a_page_says_whose_drafts_the_browser_may_keep() {
    let drafts = |page: &str| {
        let (_, rest) = page.split_once(" data-drafts=\"")?;
        rest.split_once('"').map(|(owner, _)| owner.to_owned())
    };
    let conf = format!("{CONF}{USERS}").replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let world = setup().file("conf.yml", conf.clone()).start().await;
    let page = |who: &'static str| world.request("GET", "/").basic(who).send();
    let anna = drafts(&page("anna:anna").await.text).unwrap();
    assert!(anna.len() == 12 && anna.bytes().all(|byte| byte.is_ascii_hexdigit()), "{anna}");
    assert_eq!(drafts(&page("bob:bob").await.text).as_deref(), Some(""));
    // The draft survives the end of the session, where guests may look, and signing in again.
    assert_eq!(drafts(&world.get("/").await.text), None);
    assert_eq!(drafts(&world.get("/login").await.text), None);

    let world = setup().start().await;
    let anybody = drafts(&world.get("/").await.text).unwrap();
    assert!(anybody.len() == 12 && anybody != anna, "{anybody}");
    let world = setup().file("conf.yml", format!("{CONF}appConfig: {{ disableConfiguration: true }}\n")).start().await;
    assert_eq!(drafts(&world.get("/").await.text).as_deref(), Some(""));
}

#[tokio::test]
async fn only_pages_that_allow_a_local_config_name_its_script() {
    let conf = format!("{CONF}{USERS}").replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let world = setup().file("conf.yml", conf).start().await;
    for path in ["/", "/minimal", "/workspace"] {
        let page = |who: &'static str| world.request("GET", path).basic(who).send();
        assert!(page("anna:anna").await.text.contains(" data-editor=\"/edit-"), "{path}");
        assert!(!page("bob:bob").await.text.contains("data-editor="), "{path}");
        assert!(!world.get(path).await.text.contains("data-editor="), "{path}");
    }
}

#[tokio::test]
async fn editors_also_see_what_is_hidden_from_themselves() {
    let hidden =
        "sections:\n  - name: A\n    items:\n      - title: For Bob\n        displayData: { showForUsers: [bob] }\n";
    let conf = format!("{hidden}{USERS}");
    let world = setup().file("conf.yml", &conf).start().await;
    assert!(!world.request("GET", "/").basic("anna:anna").send().await.text.contains("For Bob"));
    let preview = |shown: serde_json::Value| {
        let mut arguments = json!({ "text": conf });
        if !shown.is_null() {
            arguments["shown"] = shown;
        }
        world.request("POST", "/fn/editor-preview").body(arguments.to_string()).basic("anna:anna").send()
    };
    let edited = preview(serde_json::Value::Null).await;
    assert!(edited.json()["done"]["html"].as_str().unwrap().contains("For Bob"), "{}", edited.text);
    // A local config is shown as it would look.
    let local = preview(json!("")).await;
    assert!(!local.json()["done"]["html"].as_str().unwrap().contains("For Bob"), "{}", local.text);
}
