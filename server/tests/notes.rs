//! Notes: users who may change the config can tick tasks, which changes the file.

use serde_json::{Value, json};

use crate::world::{Reply, Setup, TestRequest, USERS, World};

const CONF: &str = "\
sections:
  - name: Home # ours
    widgets:
      - type: notes
        options:
          content: |
            - [ ] one # two
            - [x] three
";

fn text() -> String {
    format!("{USERS}{CONF}")
}

fn setup() -> Setup {
    Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", text())
}

/// The action of a task's checkbox in the markup.
fn target(html: &str, task: usize) -> String {
    let target = html.split("data-target=\"").nth(task + 1).unwrap_or_else(|| panic!("no task {task}: {html}"));
    target.split('"').next().unwrap().to_owned()
}

/// The end of a checkbox in the markup, with the text of its task. It is the same for all viewers, and disabled without scripts.
fn shown(words: &str, is_done: bool) -> String {
    format!("\"{} disabled><span>{words}</span>", if is_done { " checked" } else { "" })
}

fn press(world: &World, action: &str, target: &str) -> TestRequest {
    let mut body = json!({ "page": "home", "section": 0, "widget": 0, "kind": "notes" });
    (body["action"], body["target"]) = (json!(action), json!(target));
    world.request("POST", "/fn/panel-action").body(body.to_string())
}

async fn page(world: &World, who: &str) -> String {
    world.request("GET", "/").basic(who).send().await.expect_status(200).text
}

fn note(reply: Reply) -> (String, Value) {
    let answer = reply.expect_status(200).json();
    (answer["html"].as_str().unwrap_or_default().to_owned(), answer["note"].clone())
}

#[tokio::test]
async fn an_admin_ticks_a_task_and_the_file_keeps_its_comments() {
    let world = setup().start().await;
    let before = page(&world, "Anna:anna").await;
    assert!(before.contains(" data-writable") && before.contains(&shown("one # two", false)), "{before}");
    let (html, problem) = note(press(&world, "tick", &target(&before, 0)).basic("Anna:anna").send().await);
    assert_eq!(problem, Value::Null);
    assert!(html.contains(&shown("one # two", true)), "{html}");
    assert_eq!(world.text("conf.yml"), text().replace("- [ ] one", "- [x] one"));
    // One was there before.
    assert_eq!(world.backups().len(), 2);
    assert!(page(&world, "bob:bob").await.contains(&shown("one # two", true)));
    let (html, _) = note(press(&world, "untick", &target(&html, 1)).basic("Anna:anna").send().await);
    assert_eq!(world.text("conf.yml"), text().replace("- [ ] one", "- [x] one").replace("- [x] three", "- [ ] three"));
    assert!(html.contains(&shown("three", false)), "{html}");
}

#[tokio::test]
async fn others_cannot() {
    let world = setup().start().await;
    let shown = page(&world, "bob:bob").await;
    assert!(!shown.contains(" data-writable"), "{shown}");
    let target = target(&shown, 0);
    press(&world, "tick", &target).basic("bob:bob").send().await.expect_status(403);
    press(&world, "tick", &target).send().await.expect_status(401);
    let cross = press(&world, "tick", &target).basic("Anna:anna").header("sec-fetch-site", "cross-site");
    cross.send().await.expect_status(403);
    assert_eq!(world.text("conf.yml"), text());
    let users = USERS.replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", format!("{users}{CONF}")).start().await;
    press(&world, "tick", &target).send().await.expect_status(403);
    world.assert_unchanged();
}

#[tokio::test]
async fn a_note_that_has_changed_is_shown_as_it_is_now() {
    let world = setup().start().await;
    let old = target(&page(&world, "Anna:anna").await, 0);
    let changed = text().replace("three", "four");
    std::fs::write(world.path("conf.yml"), &changed).unwrap();
    let (_, problem) = note(press(&world, "tick", &old).basic("Anna:anna").send().await);
    assert!(problem.as_str().unwrap().contains("The note has changed since it was shown"), "{problem}");
    assert_eq!(world.text("conf.yml"), changed);
    for target in ["", "0", "7-0", "x-y"] {
        let (_, problem) = note(press(&world, "tick", target).basic("Anna:anna").send().await);
        assert!(problem.is_string(), "{target}");
    }
    let (_, problem) = note(press(&world, "erase", &old).basic("Anna:anna").send().await);
    assert_eq!(problem, "There is no action erase.");
    assert_eq!(world.text("conf.yml"), changed);
}

#[tokio::test]
async fn a_config_that_forbids_saving_forbids_ticks() {
    for switch in ["preventWriteToDisk: true", "disableConfiguration: true"] {
        let text = text().replacen("appConfig:\n", &format!("appConfig:\n  {switch}\n"), 1);
        let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", &text).start().await;
        let shown = page(&world, "Anna:anna").await;
        assert!(!shown.contains(" data-writable"), "{switch}");
        let (_, problem) = note(press(&world, "tick", &target(&shown, 0)).basic("Anna:anna").send().await);
        assert!(problem.as_str().unwrap().contains("the config forbids saving to disk"), "{problem}");
        assert_eq!(world.text("conf.yml"), text);
    }
}

#[tokio::test]
async fn without_sign_in_tasks_are_ticked_under_known_hosts_alone() {
    let world = Setup::new().file("conf.yml", CONF).start().await;
    let target = target(&world.get("/").await.text, 0);
    press(&world, "tick", &target).header("host", "rebound.example").send().await.expect_status(403);
    world.assert_unchanged();
    note(press(&world, "tick", &target).header("host", "192.168.1.2:8080").send().await);
    assert!(world.text("conf.yml").contains("- [x] one"));
}
