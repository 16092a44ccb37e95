//! Pages whose files cannot be read, or have mistakes in them: the page, and the messages about the problems.

use std::{fs, time::Duration};

use crate::{
    pages::{HOUSE, house, rewrite},
    world::{Setup, USERS},
};

#[tokio::test]
async fn a_page_that_cannot_be_read_says_why() {
    let world = house().await;
    let torn = world.get("/home/torn").await.expect_status(500);
    assert!(torn.text.contains("kann nicht angezeigt werden | House</title>"), "{}", torn.text);
    assert!(torn.text.contains("torn.yml") && torn.text.contains("Zeile 1, Spalte 4"), "{}", torn.text);
    let gone = world.get("/home/gone").await.expect_status(500);
    assert!(gone.text.contains("gone.yml"), "{}", gone.text);
}

#[tokio::test]
async fn the_last_good_version_stays() {
    let world = house().await;
    let before = world.get("/").await;
    let stale = rewrite(&world, "sections: [\n").await.expect_status(200);
    assert_ne!(stale.header("etag"), before.header("etag"));
    assert!(
        stale.text.contains("conf.yml kann nicht gelesen werden") && stale.text.contains("Jelly"),
        "{}",
        stale.text
    );
    let mended = rewrite(&world, "pageInfo: { title: Mended }\n").await.expect_status(200);
    assert!(mended.text.contains("Mended") && !mended.text.contains("kann nicht gelesen werden"));
}

#[tokio::test]
async fn the_last_good_version_of_another_page_stays() {
    let world = house().await;
    assert!(world.get("/home/the-lab").await.expect_status(200).text.contains("Rack"));
    fs::write(world.path("lab.yml"), "sections: [\n").unwrap();
    world.poll().await;
    let stale = world.get("/home/the-lab").await.expect_status(200);
    assert!(stale.text.contains("lab.yml kann nicht gelesen werden") && stale.text.contains("Rack"), "{}", stale.text);
    // The root may change meanwhile.
    let root = rewrite(&world, &HOUSE.replace("dracula", "nord")).await.expect_status(200);
    assert!(!root.text.contains("kann nicht gelesen werden"), "{}", root.text);
    fs::remove_file(world.path("lab.yml")).unwrap();
    world.poll().await;
    let gone = world.get("/home/the-lab").await.expect_status(200);
    assert!(gone.text.contains("die Datei gibt es nicht") && gone.text.contains("Rack"), "{}", gone.text);
    assert!(gone.text.contains("data-theme=\"nord\""), "{}", gone.text);
    fs::write(world.path("lab.yml"), "pageInfo: { title: New }\n").unwrap();
    world.poll().await;
    let mended = world.get("/home/the-lab").await.expect_status(200);
    assert!(mended.text.contains("<title>New</title>") && !mended.text.contains("kann nicht gelesen werden"));
}

#[tokio::test]
async fn a_file_that_an_editor_has_emptied_to_write_it_is_waited_for() {
    let world = house().await;
    for (name, path) in [("conf.yml", "/"), ("lab.yml", "/home/the-lab")] {
        fs::write(world.path(name), "").unwrap();
        let finish = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            fs::write(world.path(name), format!("{HOUSE}  - name: Finished\n")).unwrap();
        };
        // The write comes first when both are ready.
        tokio::join!(finish, world.poll());
        let page = world.get(path).await.expect_status(200);
        assert!(
            page.text.contains("Finished") && !page.text.contains("kann nicht gelesen werden"),
            "{path}: {}",
            page.text
        );
    }
    fs::write(world.path("lab.yml"), "").unwrap();
    world.poll().await;
    let emptied = world.get("/home/the-lab").await.expect_status(200);
    assert!(
        emptied.text.contains("Finished") && emptied.text.contains("lab.yml kann nicht gelesen werden"),
        "{}",
        emptied.text
    );
}

#[tokio::test]
async fn without_a_good_version_the_failure_is_the_page() {
    let world = Setup::new().env("ENABLE_API", "").file("conf.yml", "a: {\n").start().await;
    let page = world.get("/").await.expect_status(500);
    assert!(page.text.contains("The dashboard is closed") && page.text.contains("portico validate"));
    assert!(page.text.contains("line 1, column 4"), "{}", page.text);
    assert_eq!(page.header("etag"), "");
}

#[tokio::test]
async fn failures_say_what_is_wrong() {
    let world = Setup::new()
        .env("ENABLE_API", "")
        .file("conf.yml", "pages: [ { name: P }, { name: Dir, path: dir.yml }, { name: Big, path: big.yml } ]\n")
        .file("dir.yml/x", "")
        .file("big.yml", "#".repeat(2_200_000))
        .start()
        .await;
    for (path, parts) in [
        ("/home/p", ["has no <code>path</code>", "<code>path: lab.yml</code>"]),
        ("/home/dir", ["it is a directory, not a file", "empty folder"]),
        ("/home/big", ["larger than 2 MB", "Correct the file and reload"]),
    ] {
        let page = world.get(path).await.expect_status(500);
        for part in parts {
            assert!(page.text.contains(part), "{path}: {}", page.text);
        }
    }
    let folder = Setup::new().env("ENABLE_API", "").file("conf.yml/x", "");
    // The shared world has a file with this name.
    let folder = folder.without("conf.yml").start().await;
    assert!(folder.get("/").await.expect_status(500).text.contains("there is a folder"));
}

#[cfg(unix)]
#[tokio::test]
async fn links_in_a_circle_and_pipes_are_named() {
    let world = Setup::new().env("ENABLE_API", "").without("conf.yml").start().await;
    std::os::unix::fs::symlink("conf.yml", world.path("conf.yml")).unwrap();
    world.poll().await;
    assert!(world.get("/").await.expect_status(500).text.contains("The server cannot read the main config file"));
    fs::remove_file(world.path("conf.yml")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(world.path("conf.yml")).status().unwrap();
    assert!(made.success());
    world.poll().await;
    assert!(world.get("/").await.expect_status(500).text.contains("something else that is not a file"));
    // Admins see the details.
    fs::remove_file(world.path("conf.yml")).unwrap();
    fs::write(world.path("conf.yml"), "pages: [ { name: A, path: a.yml }, { name: B, path: b.yml } ]\n").unwrap();
    std::os::unix::fs::symlink("a.yml", world.path("a.yml")).unwrap();
    std::process::Command::new("mkfifo").arg(world.path("b.yml")).status().unwrap();
    world.poll().await;
    assert!(world.get("/home/a").await.expect_status(500).text.contains("a link that leads in a circle"));
    assert!(world.get("/home/b").await.expect_status(500).text.contains("it is a pipe or a device"));
}

#[tokio::test]
async fn admins_see_the_problems_of_the_file() {
    let text = format!("{USERS}  colCount: 99\nbanana: 1\npages: [ {{ name: Lab, path: lab.yml }} ]\nsections: []\n");
    let world = Setup::new().env("ENABLE_API", "").env("ENABLE_HTTP_AUTH", "true").file("conf.yml", &*text);
    let world = world.file("lab.yml", "pageInfo: 5\nsections: []\n").start().await;
    let get = async |path: &str, who: &str| world.request("GET", path).basic(who).send().await.expect_status(200).text;
    let line = |what: &str| text.lines().position(|line| line.contains(what)).unwrap() + 1;
    let page = get("/", "Anna:anna").await;
    for wanted in [
        "2 problems in conf.yml".to_owned(),
        // With what happens instead.
        format!("Line {}: appConfig.colCount: must be from 1 to 8, not 99; the nearest is used", line("colCount")),
        // What is in backticks elsewhere is shown as code.
        format!("Line {}: banana: the config has no key <code>banana</code>; ignored", line("banana")),
    ] {
        assert!(page.contains(&wanted), "{wanted}: {page}");
    }
    let list = page.split_once("file-problems").and_then(|(_, rest)| rest.split("</ul>").next()).unwrap();
    assert!(!list.contains('`'), "{list}");
    let lab = get("/home/lab", "Anna:anna").await;
    assert!(lab.contains("1 problem in lab.yml") && lab.contains("Line 1: pageInfo"), "{lab}");
    for path in ["/", "/home/lab"] {
        let page = get(path, "bob:bob").await;
        assert!(!page.contains("problem") && !page.contains("banana"), "{page}");
    }
}

#[tokio::test]
async fn advice_is_a_hint_and_no_problem() {
    let widget = "{ type: weather, options: { city: Rome, apiKey: 0123abc } }";
    let text = format!("sections: [ {{ name: A, widgets: [ {widget} ], items: [ {{ title: B, id: 1_2_b }} ] }} ]\n");
    let page = Setup::new().file("conf.yml", text).start().await.get("/").await.expect_status(200).text;
    assert!(page.contains("2 hints in conf.yml") && !page.contains("problems in conf.yml"), "{page}");
    // With the names of section and widget, not with positions.
    assert!(page.contains("Line 1: A › weather: ") && !page.contains("/sections/0"), "{page}");
    assert!(page.contains("data-hints=") && page.contains("data-dismiss=\"hints\""), "{page}");
}

#[tokio::test]
async fn the_frame_of_a_problem_is_in_the_language_of_the_page() {
    let text = "appConfig: { language: de }\nbanana: 1\nsections: []\n";
    let page = Setup::new().file("conf.yml", text).start().await.get("/").await.expect_status(200).text;
    assert!(page.contains("1 Problem in conf.yml") && page.contains("Zeile 2: banana: "), "{page}");
}

#[tokio::test]
async fn a_misspelled_option_is_reported_to_admins_only() {
    let text =
        format!("{USERS}sections: [ {{ name: A, widgets: [ {{ type: clock, options: {{ timezone: Mars }} }} ] }} ]\n");
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", text).start().await;
    let get = async |who: &str| world.request("GET", "/").basic(who).send().await.expect_status(200).text;
    let told = "There is no option timezone. Did you mean timeZone?";
    let admin = get("Anna:anna").await;
    let (_, frame) = admin.split_once("<article").unwrap();
    let (frame, _) = frame.split_once("</article>").unwrap();
    // The clock is still there.
    assert!(frame.contains(told) && frame.contains("part-clock"), "{frame}");
    assert!(!get("bob:bob").await.contains(told));
}

#[tokio::test]
async fn the_sentences_of_a_box_neither_repeat_nor_contradict_each_other() {
    const ASKED: &str = "There is no option timezone. Did you mean timeZone?";
    let cases = [
        ("{ type: clock, options: { timezone: Mars } }", vec![ASKED]),
        // It is set, so it was not meant.
        (
            "{ type: clock, options: { timezone: Mars, timeZone: Venus } }",
            vec!["Unknown time zone 'Venus'. Use a Region/City name such as Europe/London."],
        ),
        ("{ type: clock, options: { timezone: Mars, timeZone: Europe/Rome } }", vec![]),
        // Something else is wrong too.
        (
            "{ type: clock, timeout: soon, options: { timezone: Mars } }",
            vec![ASKED, "timeout must be a number of milliseconds."],
        ),
        (
            "{ type: clock, options: { timezone: Mars, format: '?' } }",
            vec!["Invalid format '?'. Use language-country, for example en-GB.", ASKED],
        ),
        (
            "{ type: notes, options: { contnt: Milk } }",
            vec![
                "Set the option <code>content</code> to the text of the note, for example <code>- [ ] Water the plants</code>.",
                "There is no option contnt. Did you mean content?",
            ],
        ),
        (
            "{ type: clocks, options: { timezone: Mars } }",
            vec!["There is no widget of type clocks. Did you mean clock?"],
        ),
    ];
    let entries = cases.iter().map(|(entry, _)| *entry).collect::<Vec<_>>().join(", ");
    let text = format!("sections: [ {{ name: A, widgets: [ {entries} ] }} ]\n");
    let page = Setup::new().file("conf.yml", text).start().await.get("/").await.expect_status(200).text;
    let frames: Vec<&str> =
        page.split("<article").skip(1).map(|rest| rest.split("</article>").next().unwrap()).collect();
    assert_eq!(frames.len(), cases.len());
    for (frame, (entry, expected)) in frames.iter().zip(&cases) {
        let reasons = frame.split("widget-reason").skip(1).flat_map(|reason| {
            reason.split("</div>").next().unwrap().split("<p>").skip(1).map(|rest| rest.split("</p>").next().unwrap())
        });
        let shown: Vec<_> =
            reasons.map(|reason| reason.rsplit("</b>: ").next().unwrap().replace("&#x27;", "'")).collect();
        assert_eq!(&shown, expected, "{entry}: {frame}");
    }
}
