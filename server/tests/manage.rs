//! The tabs of the config menu that the server draws.

use crate::{
    upstream::{Behavior, Upstream},
    world::{C, Setup, USERS},
};

#[tokio::test]
async fn admins_see_which_widgets_are_slow() {
    let service = Upstream::start(Behavior::json("{\"value\": 1}")).await;
    let broken = Upstream::start(Behavior::fails(500)).await;
    let text = format!(
        "pageInfo: {{ title: Harbor }}
sections:
  - name: Quay
    widgets:
      - {{ type: api-response, label: Good, options: {{ url: '{}', mappings: [ {{ field: value, label: V }} ] }} }}
      - {{ type: api-response, label: Bad, options: {{ url: '{}', mappings: [ {{ field: value, label: V }} ] }} }}
      - {{ type: clock, label: Idle }}
",
        service.url("/"),
        broken.url("/"),
    );
    let world = Setup::new().file("conf.yml", text).start().await;
    let empty = world.get("/manage/widgets").await.expect_status(200).text;
    assert_eq!(empty, "<p>No widget has asked a service yet.</p>");
    for widget in [0, 1] {
        world.get(&format!("/fn/panel?page=home&section=0&widget={widget}&kind=api-response")).await.expect_status(200);
    }
    let page = world.get("/manage/widgets").await.expect_status(200).text;
    let row = |label: &str| page.split("<tr>").find(|row| row.contains(label)).unwrap_or_default().to_owned();
    for (label, failures) in [("Good", 0), ("Bad", 1)] {
        let row = row(label);
        assert!(row.contains("Harbor · Quay") && row.contains("\u{a0}ms</td>"), "{page}");
        let counts = format!("data-value=\"{failures}\" class=\"tools-number\">{failures}</td>");
        assert!(row.contains(&counts) && row.contains("data-value=\"1\" class=\"tools-number\">1</td>"), "{row}");
    }
    assert!(!page.contains("Idle") && !page.contains("127.0.0.1"), "{page}");
}

#[tokio::test]
async fn each_change_has_its_author_and_its_difference_and_can_be_undone() {
    let conf = format!("{USERS}sections:\n  - {{ name: Quay }}\n");
    let world = Setup::new().file("conf.yml", conf).env("API_TOKEN", "t0ken").start().await;
    let shown = async |action: Option<String>| {
        let request = match action {
            Some(action) => world.request("POST", "/manage/history").body(action),
            None => world.request("GET", "/manage/history"),
        };
        request.basic("Anna:anna").send().await.expect_status(200).text
    };
    assert!(shown(None).await.contains("Nothing has been changed yet."));
    // Through the API, then on disk.
    let body = "{\"title\": \"Harbor\"}";
    world.request("PUT", &format!("{C}/pageInfo")).bearer("t0ken").body(body).send().await.expect_status(200);
    let text = world.text("conf.yml");
    std::fs::write(world.path("conf.yml"), text.replace("Quay", "Pier")).unwrap();
    world.poll().await;
    world.poll().await;
    let page = shown(None).await;
    let entries: Vec<&str> = page.split("<li").skip(1).collect();
    let [on_disk, by_api] = entries.as_slice() else { panic!("{page}") };
    assert!(on_disk.contains("File on disk") && on_disk.contains("+1 −1"), "{on_disk}");
    assert!(on_disk.contains("Quay") && on_disk.contains("Pier"), "{on_disk}");
    assert!(by_api.contains("the API token · API") && by_api.contains("title: Harbor"), "{by_api}");
    // The button restores what was before the change on disk.
    let action = on_disk.split("data-do=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let page = shown(Some(action.replace("&quot;", "\""))).await;
    let first = page.split("<li").nth(1).unwrap();
    assert!(first.contains("Anna · Editor"), "{first}");
    assert_eq!(world.text("conf.yml"), text);
    // The write of the server itself is no change on disk.
    world.poll().await;
    assert_eq!(shown(None).await.matches("<li").count(), 3);
    // Others see and restore nothing.
    world.request("GET", "/manage/history").basic("bob:bob").send().await.expect_status(403);
    world.get("/manage/history").await.expect_status(401);
    world.request("GET", "/.history").basic("Anna:anna").send().await.expect_status(404);
    let foreign = "{\"restore\": {\"file\": \"../conf.yml\", \"backup\": \"x\"}}".to_owned();
    assert!(shown(Some(foreign)).await.contains("is no longer a page"));
}

#[tokio::test]
async fn nothing_is_restored_where_the_config_forbids_saving() {
    let world = Setup::new().start().await;
    world.send("PUT", &format!("{C}/pageInfo"), "{\"title\": \"New\"}").await.expect_status(200);
    assert!(world.get("/manage/history").await.expect_status(200).text.contains("Restore what was before"));
    let text = format!("appConfig: {{ preventWriteToDisk: true }}\n{}", world.text("conf.yml"));
    std::fs::write(world.path("conf.yml"), &text).unwrap();
    world.poll().await;
    let page = world.get("/manage/history").await.expect_status(200).text;
    assert!(!page.contains("Restore what was before"), "{page}");
    let backup = world.backups().pop().unwrap();
    let action = format!("{{\"restore\": {{\"file\": \"conf.yml\", \"backup\": \"{backup}\"}}}}");
    let page = world.send("POST", "/manage/history", &action).await.expect_status(200).text;
    assert!(page.contains("forbids saving to disk") && world.text("conf.yml") == text, "{page}");
}

#[tokio::test]
async fn ten_thousand_changes_open_quickly() {
    let mut lines = String::new();
    for at in 1..=10_000 {
        lines.push_str(&format!(
            "{{\"at\":{at},\"file\":\"conf.yml\",\"who\":\"Anna\",\"via\":\"editor\",\"added\":1,\"removed\":1,\"diff\":\"@@ -1 +1 @@\\n-a{at}\\n+b\\n\"}}\n"
        ));
    }
    let world = Setup::new().file(".history", lines).start().await;
    world.get("/manage/history").await.expect_status(200);
    let began = std::time::Instant::now();
    let page = world.get("/manage/history").await.expect_status(200).text;
    assert!(began.elapsed() < std::time::Duration::from_millis(100), "{:?}", began.elapsed());
    assert!(page.matches("<li").count() == 50 && page.contains("-a10000\n") && page.contains("-a9951\n"));
    let older = world.send("POST", "/manage/history", "{\"before\": 9951}").await.expect_status(200).text;
    assert!(older.contains("-a9950\n") && !older.contains("-a9951\n"));
}

#[tokio::test]
async fn admins_make_and_revoke_tokens() {
    let world = Setup::new()
        .file("conf.yml", format!("{USERS}sections:\n  - {{ name: Quay }}\n  - {{ name: Pier }}\n"))
        .start()
        .await;
    let act = async |action: &str, person: &str, status: u16| {
        let request = world.request("POST", "/manage/tokens").body(action).basic(person);
        request.send().await.expect_status(status).text
    };
    let form = "{\"create\": {\"name\": \"ci \\\"1\\\"\", \"file\": \"\", \"section\": \"Quay\", \"days\": \"30\", \"write\": \"on\"}}";
    act(form, "bob:bob", 403).await;
    let page = act(form, "Anna:anna", 200).await;
    let token =
        page.split("portico_").nth(1).and_then(|rest| rest.split('<').next()).map(|rest| format!("portico_{rest}"));
    let token = token.unwrap();
    assert!(page.contains("conf.yml · Quay") && page.contains("Expires: "), "{page}");
    for (path, status) in [("sections/Quay", 200), ("sections/Pier", 403)] {
        world.request("GET", &format!("{C}/{path}")).bearer(&token).send().await.expect_status(status);
    }
    let page = world.request("GET", "/manage/tokens").basic("Anna:anna").send().await.expect_status(200).text;
    assert!(!page.contains(&token) && page.contains("ci "), "{page}");
    assert!(act(form, "Anna:anna", 200).await.contains("there is a token"));
    let revoke =
        page.split("data-do=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().replace("&quot;", "\"");
    assert!(!act(&revoke, "Anna:anna", 200).await.contains("data-do"));
    world.request("GET", &format!("{C}/sections/Quay")).bearer(&token).send().await.expect_status(401);
}
