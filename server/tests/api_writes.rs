//! docs/spec/api.md 11, cases 48 to 96: writing.

use serde_json::{Value, json};

use crate::world::{C, CONF, Setup, USERS, World, names_in};

async fn refused(method: &str, path: &str, body: &str, status: u16) -> String {
    let world = World::new().await;
    let message = world.send(method, path, body).await.expect_failure(status);
    world.assert_unchanged();
    message
}

/// Writes, checks the success and the backup, and returns the world and the response.
async fn done(method: &str, path: &str, body: &str, status: u16) -> (World, Value) {
    let world = World::new().await;
    let file = path.split('/').nth(3).unwrap().to_owned();
    let old = world.text(&file);
    let mut request = world.request(method, path);
    if method != "DELETE" {
        request = request.body(body);
    }
    let answer = request.send().await.expect_status(status).json();
    assert_eq!(answer["success"], true);
    assert!(answer["message"].as_str().unwrap().contains(&file), "{answer}");
    let backup = answer["backup"].as_str().unwrap();
    assert_eq!(world.text(&format!("config-backups/{backup}")), old);
    assert_eq!(world.backups().len(), 2);
    (world, answer)
}

fn length(value: &Value) -> usize {
    value.as_array().unwrap().len()
}

#[tokio::test]
async fn case_048_a_whole_file_is_replaced() {
    let (world, answer) = done("PUT", C, r#"{"pageInfo":{"title":"New"},"sections":[]}"#, 200).await;
    assert_eq!(world.text("conf.yml"), "pageInfo:\n  title: New\nsections: []\n");
    let backup = answer["backup"].as_str().unwrap();
    let digits = backup.strip_prefix("conf-").unwrap().strip_suffix(".backup.yml").unwrap();
    assert!(digits.len() >= 13 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{backup}");
    // Nothing temporary is left.
    let hidden: Vec<String> = names_in(&world.path("")).into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(hidden, [".history"]);
}

#[tokio::test]
async fn case_049_sections_must_be_a_list() {
    assert!(refused("PUT", C, r#"{"sections":"text"}"#, 400).await.contains("schema"));
}

#[tokio::test]
async fn case_050_sections_must_be_there() {
    assert!(refused("PUT", C, r#"{"pageInfo":{"title":"x"}}"#, 400).await.contains("sections"));
}

#[tokio::test]
async fn case_051_no_unknown_keys() {
    assert!(refused("PUT", C, r#"{"sections":[],"banana":1}"#, 400).await.contains("banana"));
}

#[tokio::test]
async fn case_052_page_info_is_optional() {
    done("PUT", C, r#"{"sections":[]}"#, 200).await;
}

#[tokio::test]
async fn case_053_a_file_is_no_array() {
    refused("PUT", C, "[]", 400).await;
}

#[tokio::test]
async fn case_054_primitives_and_nothing() {
    for body in ["\"text\"", "5", "null", "true", ""] {
        refused("PUT", C, body, 400).await;
        refused("PUT", &format!("{C}/appConfig"), body, 400).await;
        refused("PATCH", &format!("{C}/sections/0"), body, 400).await;
        refused("POST", &format!("{C}/sections/0/items"), body, 400).await;
    }
}

#[tokio::test]
async fn case_055_no_json() {
    refused("PUT", C, "{not json", 400).await;
}

#[tokio::test]
async fn case_056_another_type() {
    let world = World::new().await;
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/merge-patch+json"]
    {
        let request = world.request("PUT", C).untyped().header("content-type", kind).body(r#"{"sections":[]}"#);
        request.send().await.expect_failure(415);
    }
    let request = world.request("PUT", C).header("content-encoding", "gzip").body(r#"{"sections":[]}"#);
    request.send().await.expect_failure(415);
    world.assert_unchanged();
    for kind in ["application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"] {
        let request = world.request("PATCH", &format!("{C}/sections/0")).untyped().header("content-type", kind);
        request.body("{}").send().await.expect_status(200);
    }
}

#[tokio::test]
async fn case_057_no_type_is_json() {
    let world = World::new().await;
    world.request("PUT", C).untyped().body(r#"{"sections":[]}"#).send().await.expect_status(200);
}

#[tokio::test]
async fn case_058_a_body_that_is_too_large() {
    let body = format!(r#"{{"sections":[],"x":"{}"}}"#, "x".repeat(1_100_000));
    refused("PUT", C, &body, 413).await;
    let world = World::new().await;
    let request = world.request("PUT", C).header("content-length", &body.len().to_string()).body(body);
    request.send().await.expect_failure(413);
}

#[tokio::test]
async fn case_059_a_result_that_is_too_large() {
    let body = json!({ "sections": [{ "name": "x".repeat(300 * 1024) }] }).to_string();
    assert!(refused("PUT", C, &body, 400).await.contains("256"));
}

#[tokio::test]
async fn case_060_the_limit_itself() {
    let world = World::new().await;
    let path = "/api/config/extra.yml";
    // `text: ` and the line feed are seven bytes.
    let sized = |bytes: usize| json!({ "text": "x".repeat(bytes - 7) }).to_string();
    world.send("PUT", path, &sized(262_145)).await.expect_failure(400);
    world.assert_unchanged();
    world.send("PUT", path, &sized(262_144)).await.expect_status(200);
    assert_eq!(world.text("extra.yml").len(), 262_144);
}

#[tokio::test]
async fn case_061_pages_have_no_schema() {
    let (world, answer) = done("PUT", "/api/config/extra.yml", r#"{"pageInfo":{"title":"E2"}}"#, 200).await;
    assert_eq!(world.value("/api/config/extra.yml").await, json!({ "pageInfo": { "title": "E2" } }));
    assert!(answer["backup"].as_str().unwrap().starts_with("extra-"));
}

#[tokio::test]
async fn case_062_pages_hold_anything() {
    let (world, _) = done("PUT", "/api/config/extra.yml", r#"{"anything":{"goes":[1,2]}}"#, 200).await;
    assert_eq!(world.value("/api/config/extra.yml").await, json!({ "anything": { "goes": [1, 2] } }));
    world.send("PUT", "/api/config/extra.yml", "{}").await.expect_status(200);
}

#[tokio::test]
async fn case_063_a_new_file() {
    let world = World::new().await;
    let answer = world.send("PUT", "/api/config/new-page.yml", r#"{"sections":[]}"#).await.expect_status(200).json();
    assert_eq!(answer["backup"], Value::Null);
    assert_eq!(world.text("new-page.yml"), "sections: []\n");
    assert_eq!(world.backups().len(), 1);
}

#[tokio::test]
async fn case_064_a_bad_name_creates_nothing() {
    refused("PUT", "/api/config/bad.txt", "{}", 400).await;
}

#[tokio::test]
async fn case_065_only_one_key_changes() {
    let (world, _) = done("PUT", &format!("{C}/pageInfo"), r#"{"title":"T2"}"#, 200).await;
    let value = world.value(C).await;
    assert_eq!(value["pageInfo"], json!({ "title": "T2" }));
    assert_eq!(length(&value["sections"]), 6);
}

#[tokio::test]
async fn case_066_a_title_is_required() {
    assert!(refused("PUT", &format!("{C}/pageInfo"), r#"{"description":"no title"}"#, 400).await.contains("schema"));
}

#[tokio::test]
async fn case_067_a_key_is_created() {
    let (world, _) = done("PUT", &format!("{C}/appConfig"), r#"{"theme":"nord"}"#, 200).await;
    assert_eq!(world.value(&format!("{C}/appConfig")).await, json!({ "theme": "nord" }));
}

#[tokio::test]
async fn case_068_no_unknown_settings() {
    assert!(refused("PUT", &format!("{C}/appConfig"), r#"{"nonsense":true}"#, 400).await.contains("schema"));
}

#[tokio::test]
async fn case_069_no_other_keys() {
    refused("PUT", &format!("{C}/banana"), "{}", 400).await;
}

#[tokio::test]
async fn case_070_no_sections_left() {
    let (world, _) = done("PUT", &format!("{C}/sections"), "[]", 200).await;
    assert_eq!(world.value(&format!("{C}/sections")).await, json!([]));
}

#[tokio::test]
async fn case_071_a_key_of_a_missing_file() {
    refused("PUT", "/api/config/nope.yml/pageInfo", r#"{"title":"x"}"#, 404).await;
}

#[tokio::test]
async fn case_072_a_section_is_added() {
    let world = World::new().await;
    let reply = world.send("POST", &format!("{C}/sections"), r#"{"name":"Gamma"}"#).await.expect_status(201);
    assert_eq!(reply.header("location"), "/api/config/conf.yml/sections/6");
    let answer = reply.json();
    assert_eq!((&answer["index"], &answer["section"]), (&json!(6), &json!({ "name": "Gamma" })));
    assert_eq!(length(&world.value(&format!("{C}/sections")).await), 7);
}

#[tokio::test]
async fn case_073_a_section_needs_a_name() {
    for body in ["{}", r#"{"name":""}"#, r#"{"name":null}"#, r#"{"name":5}"#, "[]"] {
        refused("POST", &format!("{C}/sections"), body, 400).await;
    }
}

#[tokio::test]
async fn case_074_a_name_may_come_again() {
    let (world, answer) = done("POST", &format!("{C}/sections"), r#"{"name":"Alpha"}"#, 201).await;
    assert_eq!(answer["index"], 6);
    assert_eq!(length(&world.value(&format!("{C}/sections/Alpha/items")).await), 3);
}

#[tokio::test]
async fn case_075_hidden_from_guests() {
    let body = r#"{"name":"G","hideForGuests":true,"items":[{"title":"i","hideForGuests":true}]}"#;
    let (world, answer) = done("POST", &format!("{C}/sections"), body, 201).await;
    let stored: Value = serde_json::from_str(body).unwrap();
    assert_eq!(answer["section"], stored);
    assert_eq!(world.value(&format!("{C}/sections/G")).await, stored);
}

#[tokio::test]
async fn case_076_a_section_fits_the_schema() {
    assert!(refused("POST", &format!("{C}/sections"), r#"{"name":"G","bogus":1}"#, 400).await.contains("schema"));
}

#[tokio::test]
async fn case_077_the_list_is_created() {
    let (world, answer) = done("POST", "/api/config/extra.yml/sections", r#"{"name":"G"}"#, 201).await;
    assert_eq!(answer["index"], 0);
    assert_eq!(world.value("/api/config/extra.yml/sections").await, json!([{ "name": "G" }]));
}

#[tokio::test]
async fn case_078_no_list_no_section() {
    refused("POST", "/api/config/scalar.yml/sections", r#"{"name":"G"}"#, 400).await;
}

#[tokio::test]
async fn case_079_one_field_changes() {
    let (world, answer) = done("PATCH", &format!("{C}/sections/0"), r#"{"icon":"fas fa-star"}"#, 200).await;
    assert_eq!(answer["section"]["icon"], "fas fa-star");
    assert_eq!(answer["section"]["name"], "Alpha");
    assert_eq!(length(&answer["section"]["items"]), 3);
    assert_eq!(world.value(&format!("{C}/sections/0")).await, answer["section"]);
}

#[tokio::test]
async fn case_080_lists_are_replaced_as_a_whole() {
    let (world, _) = done("PATCH", &format!("{C}/sections/0"), r#"{"items":[{"title":"Only"}]}"#, 200).await;
    assert_eq!(world.value(&format!("{C}/sections/0/items")).await, json!([{ "title": "Only" }]));
}

#[tokio::test]
async fn case_081_a_new_name() {
    let (world, _) = done("PATCH", &format!("{C}/sections/Beta"), r#"{"name":"Delta"}"#, 200).await;
    world.get(&format!("{C}/sections/Beta")).await.expect_failure(404);
    world.get(&format!("{C}/sections/Delta")).await.expect_status(200);
}

#[tokio::test]
async fn case_082_a_name_cannot_go() {
    for body in [r#"{"name":null}"#, r#"{"name":""}"#, r#"{"name":1}"#] {
        refused("PATCH", &format!("{C}/sections/0"), body, 400).await;
    }
}

#[tokio::test]
async fn case_083_fields_are_an_object() {
    refused("PATCH", &format!("{C}/sections/0"), "[]", 400).await;
}

#[tokio::test]
async fn case_084_no_fields_at_all() {
    let (world, _) = done("PATCH", &format!("{C}/sections/0"), "{}", 200).await;
    assert_eq!(world.value(C).await, World::new().await.value(C).await);
}

#[tokio::test]
async fn case_085_no_such_section() {
    refused("PATCH", &format!("{C}/sections/99"), r#"{"icon":"x"}"#, 404).await;
}

#[tokio::test]
async fn case_086_a_broken_file_stays() {
    refused("PATCH", "/api/config/broken.yml/sections/0", r#"{"name":"x"}"#, 500).await;
}

#[tokio::test]
async fn case_087_a_section_goes() {
    let (world, _) = done("DELETE", &format!("{C}/sections/Alpha"), "", 200).await;
    assert_eq!(length(&world.value(&format!("{C}/sections")).await), 5);
    assert_eq!(world.value(&format!("{C}/sections/Alpha/items")).await, json!([{ "title": "Shadow" }]));
}

#[tokio::test]
async fn case_088_nothing_to_delete() {
    refused("DELETE", &format!("{C}/sections/99"), "", 404).await;
}

#[tokio::test]
async fn case_089_the_first_item() {
    let (world, answer) = done("POST", &format!("{C}/sections/Beta/items"), r#"{"title":"N"}"#, 201).await;
    assert_eq!((&answer["index"], &answer["item"]), (&json!(0), &json!({ "title": "N" })));
    assert_eq!(world.value(&format!("{C}/sections/1/items")).await, json!([{ "title": "N" }]));
}

#[tokio::test]
async fn case_090_an_item_needs_a_title() {
    refused("POST", &format!("{C}/sections/0/items"), r#"{"url":"https://x.example"}"#, 400).await;
}

#[tokio::test]
async fn case_091_no_section_for_an_item() {
    refused("POST", &format!("{C}/sections/99/items"), r#"{"title":"N"}"#, 404).await;
}

#[tokio::test]
async fn case_092_the_body_comes_before_the_section() {
    refused("POST", &format!("{C}/sections/99/items"), "{}", 400).await;
}

#[tokio::test]
async fn case_093_only_the_first_of_a_title_changes() {
    let (world, _) = done("PATCH", &format!("{C}/sections/0/items/One"), r#"{"url":"https://new.example"}"#, 200).await;
    let items = world.value(&format!("{C}/sections/0/items")).await;
    assert_eq!(items[0]["url"], "https://new.example");
    assert_eq!(items[2]["url"], "https://dup.example");
}

#[tokio::test]
async fn case_094_null_is_stored() {
    let (world, answer) = done("PATCH", &format!("{C}/sections/0/items/0"), r#"{"description":null}"#, 200).await;
    assert_eq!(answer["item"].get("description"), Some(&Value::Null));
    assert_eq!(world.value(&format!("{C}/sections/0/items/0")).await, answer["item"]);
}

#[tokio::test]
async fn case_095_an_item_fits_the_schema() {
    let message = refused("PATCH", &format!("{C}/sections/0/items/0"), r#"{"statusCheckAcceptCodes":200}"#, 400).await;
    assert!(message.contains("schema"));
}

#[tokio::test]
async fn case_096_an_item_goes() {
    let (world, _) = done("DELETE", &format!("{C}/sections/0/items/1"), "", 200).await;
    let items = world.value(&format!("{C}/sections/0/items")).await;
    assert_eq!(length(&items), 2);
    assert_eq!((&items[0]["url"], &items[1]["url"]), (&json!("https://one.example"), &json!("https://dup.example")));
}

#[tokio::test]
async fn a_broken_file_can_be_replaced() {
    let world = World::new().await;
    world.send("PUT", "/api/config/broken.yml", r#"{"sections":[]}"#).await.expect_status(200);
    assert_eq!(world.value("/api/config/broken.yml").await, json!({ "sections": [] }));
}

#[tokio::test]
async fn an_element_that_is_no_mapping_keeps_its_index() {
    let world = Setup::new().file("extra.yml", "sections: [ text, { name: S, items: [ 5 ] } ]\n").start().await;
    let path = "/api/config/extra.yml/sections";
    assert_eq!(world.value(&format!("{path}/0")).await, json!("text"));
    assert_eq!(world.value(&format!("{path}/1/items/0")).await, json!(5));
    world.send("PATCH", &format!("{path}/0"), r#"{"icon":"x"}"#).await.expect_failure(400);
    world.send("PATCH", &format!("{path}/1/items/0"), r#"{"icon":"x"}"#).await.expect_failure(400);
    world.assert_unchanged();
}

#[tokio::test]
async fn the_next_page_shows_what_was_written() {
    let world = World::new().await;
    let page = world.get("/").await.expect_status(200);
    assert!(page.text.contains("Base"));
    world.send("PUT", &format!("{C}/pageInfo"), r#"{"title":"Fresh"}"#).await.expect_status(200);
    assert!(world.get("/").await.text.contains("Fresh"));
    assert!(world.get("/conf.yml").await.text.contains("Fresh"));
}

/// Files of pages are not validated: what means nothing there is kept, and the answer says so.
#[tokio::test]
async fn a_page_keeps_what_means_nothing_in_its_file() {
    let world = World::new().await;
    for (path, body, told) in [
        ("extra.yml/pages", r#"[{"name":"A","path":"a.yml"}]"#, vec!["/pages"]),
        ("extra.yml/appConfig", r#"{"theme":"nord"}"#, vec!["/pages"]),
        ("extra.yml/pageInfo", r#"{"title":"E2","madeUp":1}"#, vec!["/pages"]),
        ("extra.yml/appConfig", r#"{"auth":{"enableGuestAccess":true}}"#, vec!["/pages", "/appConfig/auth"]),
        ("extra.yml/appConfig", r#"{"disableConfiguration":true}"#, vec!["/pages", "/appConfig/disableConfiguration"]),
        (
            "extra.yml",
            r#"{"footer":"F","x-mine":1,"$schema":"s","appConfig":{"auth":[]}}"#,
            vec!["/footer", "/appConfig/auth"],
        ),
        ("new.yml", r#"{"sections":[],"pages":[]}"#, vec!["/pages"]),
        ("broken.yml", r#"{"pages":null,"sections":[]}"#, vec![]),
    ] {
        let reply = world.send("PUT", &format!("/api/config/{path}"), body).await.expect_status(200).json();
        let warnings: Vec<_> = reply["warnings"].as_array().into_iter().flatten().map(|one| &one["path"]).collect();
        assert_eq!(warnings, told, "{path} {body}: {reply}");
        assert_eq!(world.value(&format!("/api/config/{path}")).await, serde_json::from_str::<Value>(body).unwrap());
    }
    // The main file has another name here, so `conf.yml` is a page.
    let world = Setup::new().env("VITE_APP_CONFIG_PATH", "/main.yml").file("main.yml", CONF).start().await;
    let reply = world.send("PUT", &format!("{C}/pages"), "[]").await.expect_status(200).json();
    assert_eq!(reply["warnings"][0]["path"], "/pages");
    let reply = world.send("PUT", "/api/config/main.yml/pages", "[]").await.expect_status(200).json();
    assert_eq!(reply.get("warnings"), None);
}

#[tokio::test]
async fn sign_in_in_the_file_of_a_page_neither_closes_nor_opens_anything() {
    let page = format!("pages: [ {{ name: Lab, path: lab.yml }} ]\n{CONF}");
    let user = "{ user: eve, hash: 81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9, type: admin }";
    let auths = [
        format!("{{ users: [ {user} ] }}"),
        "{ enableGuestAccess: true }".to_owned(),
        "{ enableOidc: true }".to_owned(),
        "{ requireLogin: true }".to_owned(),
        "text".to_owned(),
    ];
    for auth in &auths {
        let lab = format!("appConfig: {{ auth: {auth} }}\nsections: []\n");
        // Open as before, and an admin is told.
        let world = Setup::new().file("conf.yml", page.clone()).file("lab.yml", lab.clone()).start().await;
        let shown = world.get("/home/lab").await.expect_status(200);
        assert!(shown.text.contains("it neither closes nor opens anything"), "{auth}");
        // Closed as before.
        let world = Setup::new().file("conf.yml", format!("{page}{USERS}")).file("lab.yml", lab).start().await;
        for path in ["/home/lab", "/"] {
            let answer = world.request("GET", path).header("sec-fetch-mode", "navigate").send().await;
            assert_ne!(answer.status.as_u16(), 200, "{auth} {path}");
        }
    }
}
