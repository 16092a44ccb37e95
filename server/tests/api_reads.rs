//! docs/spec/api.md 11, cases 5 to 47: reading; and reads of files that have just changed.

use serde_json::json;

use crate::world::{C, Setup, World};

const FILES: [&str; 6] = ["broken.yml", "conf.yml", "extra.yml", "list.yml", "odd.yml", "scalar.yml"];

async fn refused(path: &str, status: u16) -> String {
    let world = World::new().await;
    let message = world.get(path).await.expect_failure(status);
    world.assert_unchanged();
    message
}

async fn found(path: &str) -> serde_json::Value {
    let world = World::new().await;
    let value = world.value(&format!("{C}{path}")).await;
    world.assert_unchanged();
    value
}

#[tokio::test]
async fn case_005_files_are_listed() {
    assert_eq!(World::new().await.value("/api/config").await, json!({ "success": true, "files": FILES }));
}

#[tokio::test]
async fn case_006_a_slash_at_the_end_is_ignored() {
    assert_eq!(World::new().await.value("/api/config/").await["files"], json!(FILES));
}

#[tokio::test]
async fn case_007_unknown_paths() {
    assert_eq!(refused("/api/nonsense", 404).await, "Not found");
    for path in ["/api", "/api/", "/api/config/conf.yml/pageInfo/0", "/api/config/conf.yml/sections/0/widgets"] {
        assert_eq!(refused(path, 404).await, "Not found", "{path}");
    }
}

#[tokio::test]
async fn case_008_a_whole_file() {
    let value = found("").await;
    assert_eq!(value["pageInfo"]["title"], "Base");
    assert_eq!(value["sections"].as_array().unwrap().len(), 6);
    assert!(value.get("success").is_none());
}

#[tokio::test]
async fn case_009_head_is_get_without_a_body() {
    let world = World::new().await;
    let get = world.get(C).await.expect_status(200);
    let head = world.request("HEAD", C).send().await.expect_status(200);
    assert_eq!(head.text, "");
    assert_eq!(head.header("content-length"), get.text.len().to_string());
    assert_eq!(head.header("content-type"), get.header("content-type"));
    assert_eq!(head.header("cache-control"), "no-store");
    world.request("HEAD", "/api/config/nope.yml").send().await.expect_status(404);
}

#[tokio::test]
async fn case_010_a_missing_file() {
    assert!(refused("/api/config/nope.yml", 404).await.contains("nope.yml"));
}

#[tokio::test]
async fn case_011_other_kinds_of_files() {
    refused("/api/config/notes.txt", 400).await;
}

#[tokio::test]
async fn case_012_no_way_out() {
    refused("/api/config/..%2F..%2Fetc%2Fpasswd", 400).await;
    refused("/api/config/sub%2Fa.yml", 400).await;
    refused("/api/config/..", 400).await;
}

#[tokio::test]
async fn case_013_no_way_around() {
    refused("/api/config/..%2Fconf.yml", 400).await;
}

#[tokio::test]
async fn case_014_no_backslash() {
    refused("/api/config/%2e%2e%5cconf.yml", 400).await;
}

#[tokio::test]
async fn case_015_no_nul() {
    refused("/api/config/conf.yml%00.yml", 400).await;
    refused("/api/config/conf%0a.yml", 400).await;
}

#[tokio::test]
async fn case_016_nothing_hidden() {
    let world = Setup::new().file(".hidden.yml", "sections: []\n").start().await;
    world.get("/api/config/.hidden.yml").await.expect_failure(400);
    assert_eq!(world.value("/api/config").await["files"], json!(FILES));
}

#[tokio::test]
async fn case_017_malformed_percent() {
    refused("/api/config/%zz.yml", 400).await;
    refused("/api/config/conf.yml/sections/%f", 400).await;
    refused("/api/config/conf.yml/sections/0/items/%ff", 400).await;
}

#[tokio::test]
async fn case_018_broken_yaml() {
    assert!(refused("/api/config/broken.yml", 500).await.contains("broken.yml"));
}

#[tokio::test]
async fn case_019_a_list_is_no_config() {
    refused("/api/config/list.yml", 400).await;
}

#[tokio::test]
async fn case_020_case_matters() {
    refused("/api/config/CONF.YML", 404).await;
}

#[tokio::test]
async fn case_021_a_key() {
    assert_eq!(found("/pageInfo").await, json!({ "title": "Base" }));
}

#[tokio::test]
async fn case_022_all_sections() {
    assert_eq!(found("/sections").await.as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn case_023_a_key_that_is_not_there() {
    refused("/api/config/conf.yml/appConfig", 404).await;
}

#[tokio::test]
async fn case_024_no_key() {
    refused("/api/config/conf.yml/banana", 400).await;
}

#[tokio::test]
async fn case_025_the_case_of_keys_matters() {
    refused("/api/config/conf.yml/PageInfo", 400).await;
}

#[tokio::test]
async fn case_026_by_index() {
    let section = found("/sections/0").await;
    assert_eq!(section["name"], "Alpha");
    assert_eq!(section["items"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn case_027_the_first_of_a_name() {
    assert_eq!(found("/sections/Alpha").await["items"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn case_028_digits_are_an_index() {
    assert_eq!(found("/sections/2").await, json!({ "name": "Alpha", "items": [{ "title": "Shadow" }] }));
}

#[tokio::test]
async fn case_029_a_name_of_digits_by_index() {
    assert_eq!(found("/sections/5").await, json!({ "name": "2" }));
}

#[tokio::test]
async fn case_030_beyond_the_end() {
    assert!(refused("/api/config/conf.yml/sections/6", 404).await.contains('6'));
}

#[tokio::test]
async fn case_031_minus_one_is_a_name() {
    assert!(refused("/api/config/conf.yml/sections/-1", 404).await.contains("-1"));
}

#[tokio::test]
async fn case_032_the_case_of_names_matters() {
    assert!(refused("/api/config/conf.yml/sections/alpha", 404).await.contains("alpha"));
}

#[tokio::test]
async fn case_033_an_encoded_slash() {
    assert_eq!(found("/sections/A%2FB%20%26%20C").await["name"], "A/B & C");
}

#[tokio::test]
async fn case_034_a_bare_slash_divides() {
    refused("/api/config/conf.yml/sections/A/B%20&%20C", 404).await;
}

#[tokio::test]
async fn case_035_any_script() {
    assert_eq!(found("/sections/Gr%C3%B6%C3%9Fe%20%E6%97%A5%E6%9C%AC").await["name"], "Größe 日本");
}

#[tokio::test]
async fn case_036_no_normalization() {
    refused("/api/config/conf.yml/sections/Gro%CC%88%C3%9Fe%20%E6%97%A5%E6%9C%AC", 404).await;
}

#[tokio::test]
async fn case_037_leading_zeros() {
    assert_eq!(found("/sections/00").await["name"], "Alpha");
}

#[tokio::test]
async fn case_038_no_overflow() {
    refused("/api/config/conf.yml/sections/99999999999999999999", 404).await;
}

#[tokio::test]
async fn case_039_no_items_are_an_empty_list() {
    assert_eq!(found("/sections/Beta/items").await, json!([]));
}

#[tokio::test]
async fn case_040_items() {
    assert_eq!(found("/sections/0/items").await.as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn case_041_the_first_of_a_title() {
    assert_eq!(found("/sections/0/items/One").await["url"], "https://one.example");
}

#[tokio::test]
async fn case_042_an_item_by_index() {
    assert_eq!(found("/sections/0/items/2").await["url"], "https://dup.example");
}

#[tokio::test]
async fn case_043_reserved_characters() {
    assert_eq!(found("/sections/3/items/x%2Fy%3Fz%231").await["title"], "x/y?z#1");
}

#[tokio::test]
async fn case_044_pictographs() {
    assert_eq!(found("/sections/4/items/%F0%9F%98%80%20fun").await["title"], "😀 fun");
}

#[tokio::test]
async fn case_045_no_such_item() {
    refused("/api/config/conf.yml/sections/0/items/99", 404).await;
    assert!(refused("/api/config/conf.yml/sections/0/items/Nope", 404).await.contains("Nope"));
}

#[tokio::test]
async fn case_046_sections_that_are_no_list() {
    refused("/api/config/scalar.yml/sections/0", 400).await;
}

#[tokio::test]
async fn case_047_items_that_are_no_list() {
    refused("/api/config/odd.yml/sections/0/items", 400).await;
}

#[tokio::test]
async fn query_strings_and_bodies_of_reads_are_ignored() {
    let world = World::new().await;
    world.request("GET", &format!("{C}?x=1")).untyped().body("{").send().await.expect_status(200);
}

#[tokio::test]
async fn a_plus_is_a_plus() {
    let world = Setup::new().file("extra.yml", "sections: [ { name: a+b }, { name: a b } ]\n").start().await;
    assert_eq!(world.value("/api/config/extra.yml/sections/a+b").await["name"], "a+b");
}

#[tokio::test]
async fn yaml_types_become_json_types() {
    let text = "1: one\nnan: .nan\ndate: 2024-01-02\nword: yes\nhex: 0x1f\nnone: ~\n";
    let world = Setup::new().file("types.yml", text).start().await;
    let expected = r#"{"1":"one","nan":".nan","date":"2024-01-02","word":"yes","hex":"0x1f","none":null}"#;
    assert_eq!(world.get("/api/config/types.yml").await.text, expected);
}

#[tokio::test]
async fn a_change_on_disk_is_seen_with_the_next_look() {
    let world = World::new().await;
    for name in ["conf.yml", "extra.yml"] {
        std::fs::write(world.path(name), "pageInfo: { title: Other }\nsections: []\n").unwrap();
    }
    // This file is not part of any page, so the server does not watch it.
    assert_eq!(world.value("/api/config/extra.yml/pageInfo").await["title"], "Other");
    // Like `GET /conf.yml` and the pages themselves.
    world.poll().await;
    assert_eq!(world.value(&format!("{C}/pageInfo")).await["title"], "Other");
    std::fs::write(world.path("conf.yml"), "a: [1").unwrap();
    world.poll().await;
    world.get(C).await.expect_failure(500);
    std::fs::remove_file(world.path("conf.yml")).unwrap();
    world.poll().await;
    world.get(C).await.expect_failure(404);
}

/// A write starts from the content on disk, not from the last known one.
#[tokio::test]
async fn a_change_on_disk_is_not_lost_to_the_next_write() {
    let world = World::new().await;
    std::fs::write(world.path("conf.yml"), "pageInfo: { title: Other }\nsections: []\n").unwrap();
    world.send("POST", &format!("{C}/sections"), r#"{"name":"New"}"#).await.expect_status(201);
    assert_eq!(world.text("conf.yml"), "pageInfo:\n  title: Other\nsections:\n  - name: New\n");
}

/// The page that is shown before a config exists is not a file.
#[tokio::test]
async fn the_starter_in_memory_is_no_file() {
    // Not even root can create a folder here.
    let world = Setup::new().directory(std::path::Path::new("/proc/user-data")).start().await;
    world.get("/").await.expect_status(200);
    world.get(C).await.expect_failure(404);
}

#[tokio::test]
async fn a_file_that_was_changed_by_hand_a_moment_ago() {
    let world = World::new().await;
    assert_eq!(world.value(&format!("{C}/pageInfo")).await["title"], "Base");
    // Nothing polls the files here, so only the read itself can see the change.
    std::fs::write(world.path("conf.yml"), "pageInfo:\n  title: By hand\n").unwrap();
    assert_eq!(world.value(&format!("{C}/pageInfo")).await["title"], "By hand");
    std::fs::write(world.path("conf.yml"), "pageInfo: [\n").unwrap();
    world.get(C).await.expect_failure(500);
    std::fs::write(world.path("conf.yml"), "pageInfo:\n  title: Mended\n").unwrap();
    assert_eq!(world.value(&format!("{C}/pageInfo")).await["title"], "Mended");
}
