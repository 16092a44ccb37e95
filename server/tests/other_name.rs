//! A main config or a page whose file has another extension or name than the one that is read.

use std::fs;

use crate::world::Setup;

#[tokio::test]
async fn the_closed_page_names_the_file_that_is_there() {
    for (files, main, expected) in [
        (
            &["conf.yaml"][..],
            "",
            Some("There is <code>conf.yaml</code> beside it. Rename it to <code>conf.yml</code>."),
        ),
        (&["config.yml"], "", Some("There is <code>config.yml</code> beside it. Rename it to <code>conf.yml</code>.")),
        (&["config.yml", "Conf.yml"], "", Some("There is <code>Conf.yml</code>")),
        (
            &["conf.yml"],
            "home.yml",
            Some("There is <code>conf.yml</code> beside it. Rename it to <code>home.yml</code>."),
        ),
        (&["home.yaml", "conf.yml"], "home.yml", Some("There is <code>home.yaml</code>")),
        // The names of other files are not told to strangers.
        (&["private.yml"], "", None),
        (&["conf.yml.disabled"], "", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            fs::write(folder.path().join(file), "pageInfo: { title: There }\n").unwrap();
        }
        let world = Setup::new().directory(folder.path()).env("VITE_APP_CONFIG_PATH", main).start().await;
        let page = world.get("/").await.text;
        assert!(page.contains("There is no main config file"), "{files:?}: {page}");
        match expected {
            Some(expected) => assert!(page.contains(expected), "{files:?}: {page}"),
            None => assert!(!page.contains("beside it") && !page.contains(files[0]), "{files:?}: {page}"),
        }
    }
}

#[tokio::test]
async fn the_message_of_a_page_names_it_too() {
    let root = "pages: [{ name: Lab, path: lab.yml }]\n";
    let world = Setup::new().file("conf.yml", root).file("lab.yaml", "pageInfo: { title: Lab }\n").start().await;
    let page = world.get("/home/lab").await.text;
    assert!(page.contains("There is <code>lab.yaml</code> beside it. Rename it to <code>lab.yml</code>."), "{page}");
}
