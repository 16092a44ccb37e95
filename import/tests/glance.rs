//! Glance: pages, links, monitors and widgets.

use serde_json::{Value, json};

use crate::{assert_noted, example, file, imported, item, names, section, widgets};
use import::{Source, import};

#[test]
fn pages_and_their_links_become_sections() {
    let imported = imported(Source::Glance, &example(Source::Glance));
    let expected =
        ["Shore", "Shore / News of the coast", "Cellar", "Cellar / Machines", "Cellar / Charts", "Cellar / Bookmarks"];
    assert_eq!(names(&imported), expected);
    assert_noted(&imported.report, "glance.yml", "all pages are on one page");
    let tides = json!({ "title": "Tides", "url": "https://tides.example/", "description": "High and low" });
    assert_eq!(item(&imported, "Cellar / Charts", "Tides"), &tides);
    let winds = item(&imported, "Cellar / Charts", "Winds");
    assert_eq!((&winds["icon"], &winds["target"]), (&json!("mdi-weather-windy"), &json!("sametab")));
    assert_eq!(item(&imported, "Cellar / Bookmarks", "Log book")["url"], "https://log.example/");
}

#[test]
fn what_has_one_title_stays_together() {
    let config = "pages:
- name: Harbour
  columns:
  - widgets:
    - type: markets
      title: Fish
      markets: [{ symbol: COD, name: Cod }, { symbol: EEL }]
    - type: rss
      title: Papers
      feeds: [{ url: 'https://morning.example/rss', title: Morning }, { url: 'https://noon.example/rss' }]
    - type: releases
      title: Papers
      repositories: [harbour/crane, harbour/buoy]
    - type: markets
      title: Fuel
      markets: [{ symbol: OIL, name: Oil }]
    - type: reddit
      title: Ships
      subreddit: boats
";
    let imported = imported(Source::Glance, &[file("glance.yml", config)]);
    assert_eq!(names(&imported), ["Harbour", "Fish", "Papers"]);
    let labels = |name: &str| -> Vec<Value> {
        section(&imported, name)["widgets"].as_array().unwrap().iter().map(|widget| widget["label"].clone()).collect()
    };
    assert_eq!(labels("Fish"), ["Cod", "EEL"]);
    assert_eq!(labels("Papers"), ["Morning", "Papers", "harbour/crane", "harbour/buoy"]);
    assert_eq!(labels("Harbour"), ["Fuel: Oil", "Ships"]);
}

#[test]
fn monitored_sites_get_dots() {
    let imported = imported(Source::Glance, &example(Source::Glance));
    let lamp = json!({
        "title": "Lamp",
        "url": "https://lamp.coast.example",
        "icon": "si-philipshue",
        "statusCheck": true,
        "statusCheckUrl": "http://lamp.lan/health",
        "statusCheckAllowInsecure": true,
        "statusCheckAcceptCodes": "401,403",
    });
    assert_eq!(item(&imported, "Cellar / Machines", "Lamp"), &lamp);
    assert_noted(&imported.report, "glance.yml, Cellar / Machines / Lamp", "(https://help.coast.example/lamp)");
    assert_noted(&imported.report, "glance.yml, Cellar / Machines / Horn", "`auto-invert`");
    assert_noted(&imported.report, "conf.yml, Cellar / Machines / Horn", "`url` names `PORTICO_HORN_URL`");
}

#[test]
fn widgets_get_our_options() {
    let imported = imported(Source::Glance, &example(Source::Glance));
    let options = |kind: &str, index: usize| widgets(&imported, kind)[index]["options"].clone();
    assert_eq!(options("clock", 1)["timeZone"], "America/Lima");
    assert_eq!(options("clock", 1)["customCityName"], "Lima");
    assert_eq!(
        options("weather", 0),
        json!({ "city": "Lisbon, Portugal", "units": "metric", "provider": "open-meteo" })
    );
    assert_eq!(widgets(&imported, "weather")[0]["updateInterval"], 900);
    assert_eq!(options("calendar", 0), json!({ "firstDay": "monday" }));
    assert!(imported.report.notes.iter().all(|note| !note.to_string().contains("calendar")), "{}", imported.report);
    assert_eq!(options("stock-price-chart", 0), json!({ "stock": "SPY", "provider": "yahoo" }));
    assert_eq!(
        options("custom-search", 0)["engines"],
        json!([{ "title": "Search", "url": "https://searx.coast.example/?q=%s" },
               { "title": "Atlas", "url": "https://atlas.example/find?q=%s" }])
    );
    assert_eq!(options("hackernews-trending", 0), json!({ "stories": "topstories", "limit": 15 }));
    let feeds: Vec<Value> =
        widgets(&imported, "rss-feed").iter().map(|feed| feed["options"]["rssUrl"].clone()).collect();
    for expected in [
        "https://news.coast.example/feed.xml",
        "https://boats.example/rss",
        "https://www.reddit.com/r/sailing/hot/.rss",
        "https://www.youtube.com/feeds/videos.xml?channel_id=UC-lighthouses",
        "https://github.com/coast/lamp/releases.atom",
        "https://codeberg.org/coast/horn/releases.rss",
    ] {
        assert!(feeds.contains(&json!(expected)), "{expected} {feeds:?}");
    }
    assert_eq!(
        options("dns-sinkhole-stats-v6", 0),
        json!({ "hostname": "http://hole.lan", "apiKey": "PORTICO_PIHOLE_FILE" })
    );
    assert_eq!(options("containers", 0), json!({ "host": "unix:///var/run/docker.sock", "showStopped": false }));
    assert_eq!(widgets(&imported, "system-info")[0]["label"], "Tower");
    assert_eq!(options("iframe", 0)["url"], "https://camera.coast.example/");
}

#[test]
fn what_has_no_counterpart_is_noted() {
    let imported = imported(Source::Glance, &example(Source::Glance));
    let report = &imported.report;
    assert_noted(report, "glance.yml, Shore / split-column / releases", "`dockerhub:coast/fog`");
    assert_noted(report, "glance.yml, Shore / markets / markets", "(https://charts.example/spy)");
    assert_noted(report, "glance.yml, Cellar / Waves", "(https://waves.example/now)");
    assert_noted(report, "glance.yml, Cellar / server-stats / Buoy", "(http://buoy.lan:27973)");
    assert_noted(report, "glance.yml, Cellar / change-detection", "(https://changes.coast.example)");
    assert_noted(report, "glance.yml, Cellar / to-do", "`notes`");
    assert_noted(report, "glance.yml", "`theme`");
    // The list of releases has no token here.
    assert!(!report.to_string().contains("PORTICO_GITHUB_TOKEN"));
    assert_noted(report, "glance.yml", "`/run/secrets/pihole`");
}

#[test]
fn a_missing_include_is_noted_and_circles_end() {
    let main = "pages:\n  - name: One\n    columns:\n      - widgets:\n          - $include: a.yml\n          - !include: b.yml\n          - type: clock\n";
    let alone = imported(Source::Glance, &[file("glance.yml", main)]);
    assert_noted(&alone.report, "glance.yml", "the included file `a.yml`");
    assert_noted(&alone.report, "glance.yml", "the included file `b.yml`");
    assert_eq!(section(&alone, "One")["widgets"][0]["type"], "clock");

    let circle = [
        file("glance.yml", main),
        file("a.yml", "- $include: b.yml\n- $include: b.yml\n"),
        file("b.yml", "- $include: a.yml\n- $include: a.yml\n"),
    ];
    let circle = imported(Source::Glance, &circle);
    assert_noted(&circle.report, "glance.yml", "too often");
}

#[test]
fn links_open_as_they_did() {
    let config = "pages:
- name: Quay
  columns:
  - widgets:
    - type: bookmarks
      groups:
      - title: Boats
        same-tab: true
        target: _parent
        links:
        - { title: Ferry, url: 'https://ferry.example' }
        - { title: Tug, url: 'https://tug.example', target: _top }
        - { title: Raft, url: 'https://raft.example', target: _blank }
    - type: bookmarks
      title: Maps
      groups:
      - { title: Sea, links: [{ title: Deep, url: 'https://deep.example' }] }
      - { links: [{ title: Land, url: 'https://land.example' }] }
";
    let imported = imported(Source::Glance, &[file("glance.yml", config)]);
    assert_eq!(names(&imported), ["Boats", "Maps / Sea", "Maps"]);
    // The only page gives the dashboard its title.
    assert!(imported.yaml.starts_with("pageInfo:\n  title: Quay\n"), "{}", imported.yaml);
    let target = |title: &str| item(&imported, "Boats", title).get("target").cloned();
    assert_eq!(["Ferry", "Tug", "Raft"].map(target), [Some(json!("parent")), Some(json!("top")), None]);
}

#[test]
fn abbreviations_of_search_engines_are_noted() {
    let config = "pages:
- name: Quay
  columns:
  - widgets:
    - type: search
      bangs:
      - { title: Charts, shortcut: '!c', url: 'https://charts.example/?q={QUERY}' }
";
    let imported = imported(Source::Glance, &[file("glance.yml", config)]);
    assert_eq!(widgets(&imported, "custom-search")[0]["options"]["engines"][1]["title"], "Charts");
    assert_noted(&imported.report, "glance.yml, Quay / search", "`!c`");
}

#[test]
fn the_lines_of_included_files_are_inserted() {
    let main = "define: &short { limit: 3 }
pages:
  - !include: pages/first.yml
  - name: Second
    columns:
      - widgets:
          $include: ./posts.yml # shared
          - type: clock
";
    let first = "---
- name: First
  columns:
    - widgets:
        - type: bookmarks
          groups:
            - title: Buoys
              links:
                - { title: Green, url: 'https://green.example' }
        $include: posts.yml
";
    let posts = "- { type: hacker-news, <<: *short }\n";
    // Alone, an included file looks like a group of Homepage.
    let files = [file("first.yml", first), file("glance.yml", main), file("posts.yml", posts)];
    assert_eq!(Source::detect(&files[1..2]), Some(Source::Glance));
    assert_eq!(Source::detect(&files), Some(Source::Glance));
    let imported = imported(Source::Glance, &files);
    assert_eq!(names(&imported), ["First", "First / Buoys", "Second"]);
    assert_eq!(item(&imported, "First / Buoys", "Green")["url"], "https://green.example");
    let limits: Vec<_> =
        widgets(&imported, "hackernews-trending").iter().map(|widget| &widget["options"]["limit"]).collect();
    assert_eq!(limits, [3, 3]);
    assert_eq!(widgets(&imported, "clock").len(), 1);
}

#[test]
fn included_files_may_be_in_folders() {
    let page = |include: &str| format!("- name: Home\n  columns:\n    - widgets:\n        $include: {include}\n");
    let links = |title: &str| {
        let link = "links: [{ title: L1, url: 'https://l1.example' }]";
        format!("- type: bookmarks\n  groups:\n    - title: {title}\n      {link}\n")
    };
    let check = |main: &str, files: &[(&str, String)]| {
        let files = files.iter().map(|(name, text)| file(name, text));
        let all: Vec<_> =
            std::iter::once(file("glance.yml", &format!("pages:\n  $include: {main}\n"))).chain(files).collect();
        let imported = imported(Source::Glance, &all);
        assert_eq!(names(&imported), ["G1"], "{main}: {}", imported.report);
        assert!(!imported.report.to_string().contains("the included file"), "{}", imported.report);
    };
    // A path is relative to the file that includes, not to the main one.
    check(
        "pages/home.yml",
        &[("links.yml", links("Wrong")), ("pages/home.yml", page("links.yml")), ("pages/links.yml", links("G1"))],
    );
    check(
        "./pages/../pages/home.yml",
        &[("pages/home.yml", page("../shared/links.yml")), ("shared/links.yml", links("G1"))],
    );
    // Absolute, on this machine and in a container; and uploaded without folders.
    check(
        "/etc/glance/home.yml",
        &[("/etc/glance/home.yml", page("parts/links.yml")), ("/etc/glance/parts/links.yml", links("G1"))],
    );
    check(
        "/app/config/pages/home.yml",
        &[("pages/home.yml", page("/app/config/links.yml")), ("links.yml", links("G1"))],
    );
    check("pages/home.yml", &[("home.yml", page("parts/links.yml")), ("links.yml", links("G1"))]);
}

#[test]
fn pages_in_files_that_are_missing_are_named() {
    let main = file("glance.yml", "pages:\n  $include: pages.yml\n");
    let error = import(Some(Source::Glance), &[main]).unwrap_err().to_string();
    assert!(error.contains("import `pages.yml` together with glance.yml"), "{error}");
    // The position in the error counts the lines of both files.
    let files = [file("glance.yml", "pages:\n- $include: pages.yml\n"), file("pages.yml", "- [\n")];
    let error = import(Some(Source::Glance), &files).unwrap_err().to_string();
    assert!(error.starts_with("`glance.yml` with the files that it includes cannot be read"), "{error}");
}

#[test]
fn addresses_that_are_lost_are_shown_whole() {
    let config = "pages:
- name: Quay
  columns:
  - widgets:
    - type: clock
    - { type: custom-api, title: Tide, url: 'http://tide.lan/api?query=sum(height)by(place)', template: '<a href=\"http://tide.lan/x\">(x)</a>' }
";
    let imported = imported(Source::Glance, &[file("glance.yml", config)]);
    let shown = "(http://tide.lan/api?query=sum(height)by(place), http://tide.lan/x)";
    assert_noted(&imported.report, "glance.yml, Quay / Tide", shown);
}
