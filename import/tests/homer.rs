//! Homer: links, services, smart cards and other pages.

use serde_json::json;

use crate::{assert_noted, example, file, imported, item, names, section, widgets};
use import::Source;

#[test]
fn groups_of_all_pages_become_sections() {
    let imported = imported(Source::Homer, &example(Source::Homer));
    assert_eq!(names(&imported), ["Message", "Links", "Apps", "Pictures", "Greenhouse / Sensors"]);
    assert_eq!(section(&imported, "Apps")["icon"], "fas fa-seedling");
    assert_eq!(item(&imported, "Greenhouse / Sensors", "Tomatoes")["url"], "http://sensors.lan/tomatoes");
    assert_noted(&imported.report, "config.yml, links / Greenhouse", "its groups are on this page");
    assert_noted(&imported.report, "config.yml, links / Shed", "import `shed.yml` too");
    assert_noted(&imported.report, "config.yml, Apps", "`class`");
}

#[test]
fn services_keep_what_tiles_have() {
    let imported = imported(Source::Homer, &example(Source::Homer));
    let seeds = json!({
        "title": "Seeds",
        "url": "https://seeds.example/",
        "description": "What to sow",
        "icon": "/assets/tools/seeds.png",
        "target": "newtab",
        "tags": ["app", "sow", "plant", "garden"],
    });
    assert_eq!(item(&imported, "Apps", "Seeds"), &seeds);
    let pump = item(&imported, "Apps", "Pump");
    assert_eq!((&pump["icon"], &pump["target"]), (&json!("fab fa-raspberry-pi"), &json!("sametab")));
    assert_eq!(pump["statusCheck"], true);
    assert_eq!(item(&imported, "Apps", "Pump: Valves")["url"], "http://pump.lan/valves");
    let blossom = item(&imported, "Pictures", "Blossom");
    assert_eq!(blossom["backgroundColor"], "#224466");
    assert_eq!(item(&imported, "Links", "Weather map")["icon"], "fas fa-cloud");
    assert_noted(&imported.report, "config.yml", "copy the folder `assets`");
    assert_noted(&imported.report, "config.yml, Apps / Seeds", "`tagstyle`");
}

#[test]
fn smart_cards_become_widgets_where_there_is_one() {
    let imported = imported(Source::Homer, &example(Source::Homer));
    assert_eq!(
        *widgets(&imported, "dns-sinkhole-stats")[0],
        json!({ "type": "dns-sinkhole-stats", "label": "Hole",
                "options": { "hostname": "http://hole.lan", "apiKey": "0123456789abcdef" } })
    );
    assert_eq!(item(&imported, "Apps", "Hole")["url"], "http://hole.lan/admin");
    assert_noted(&imported.report, "config.yml, Apps / Films", "`type: Emby`");
    assert_noted(&imported.report, "config.yml, Apps / Films", "(http://films.lan:8096)");
    // Its state is shown all the same.
    let films = item(&imported, "Apps", "Films");
    assert_eq!((&films["statusCheck"], &films["statusCheckUrl"]), (&json!(true), &json!("http://films.lan:8096")));
    // A key that was lost is named, but not shown.
    assert_noted(&imported.report, "config.yml, Apps / Films", "`apikey`");
    assert!(!imported.report.to_string().contains("abc\n"));
}

#[test]
fn pictures_and_cards_of_every_kind() {
    let config = "logo: { light: assets/day.png, dark: assets/night.png }
services:
- name: Barn
  class: wide
  items:
  - { name: Hay, url: 'http://hay.lan', logo: { dark: assets/hay.png } }
  - { name: Rake, url: 'http://rake.lan', icon: fas fa-leaf, logo: assets/rake.png }
  - { name: Sky, type: OpenWeather, location: Ghent, apikey: PORTICO_SKY, endpoint: /weather }
  - { name: Hole, type: PiHole, endpoint: /api/hole, apikey: PORTICO_HOLE, updateIntervalMs: 30000 }
";
    let imported = imported(Source::Homer, &[file("config.yml", config)]);
    assert!(imported.yaml.starts_with("pageInfo:\n  title: Dashboard\n  logo: /assets/day.png"), "{}", imported.yaml);
    assert_noted(&imported.report, "", "no title");
    assert_eq!(item(&imported, "Barn", "Hay")["icon"], "/assets/hay.png");
    assert_eq!(item(&imported, "Barn", "Rake")["icon"], "/assets/rake.png");
    // Cards without an address are their widgets alone.
    assert_eq!(section(&imported, "Barn")["items"].as_array().unwrap().len(), 2);
    assert_eq!(widgets(&imported, "weather")[0]["label"], "Sky");
    assert_eq!(widgets(&imported, "dns-sinkhole-stats")[0]["updateInterval"], 30);
    let report = &imported.report;
    assert_noted(report, "config.yml, logo", "(assets/night.png)");
    assert_noted(report, "config.yml, Barn / Rake", "`icon: fas fa-leaf`");
    assert_noted(report, "config.yml, Barn / Sky", "(/weather)");
    assert_noted(report, "config.yml, Barn / Hole", "write the whole address");
    assert_noted(report, "config.yml, Barn", "`class`: the look comes from the theme");
}

#[test]
fn the_page_keeps_its_words() {
    let imported = imported(Source::Homer, &example(Source::Homer));
    for line in ["title: Allotment", "description: Where things grow", "logo: /assets/logo.png", "colCount: 3"] {
        assert!(imported.yaml.contains(line), "{line}\n{}", imported.yaml);
    }
    let message = widgets(&imported, "html-embed")[0];
    assert_eq!(message["options"]["html"], "The potatoes are <b>ready</b>.");
    assert_eq!(message["label"], "Harvest");
    assert_noted(&imported.report, "config.yml, message", "(https://messages.example/today.json)");
    assert_noted(&imported.report, "config.yml", "`colors`");
}

#[test]
fn addresses_and_pictures_that_mean_something_else_here() {
    let config = "logo: false
services:
- name: Desk
  items:
  - { name: Attic, subtitle: Old things, url: '#attic' }
  - { name: Top, url: '#' }
  - { name: Pen, url: 'https://pen.example', logo: false, icon: fas fa-pen }
  - { name: Ink, url: ./ink, icon: ./assets/ink.png }
";
    let imported = imported(Source::Homer, &[file("config.yml", config)]);
    assert_eq!(item(&imported, "Desk", "Attic").get("url"), None);
    assert_eq!(item(&imported, "Desk", "Top").get("url"), None);
    assert_eq!(item(&imported, "Desk", "Pen")["icon"], "fas fa-pen");
    assert_eq!(item(&imported, "Desk", "Ink")["icon"], "/assets/ink.png");
    assert!(!imported.yaml.contains("false"), "{}", imported.yaml);
    assert_noted(&imported.report, "config.yml, Desk / Attic", "import `attic.yml` too");
    assert_noted(&imported.report, "config.yml, Desk / Top", "its groups are on this page");
}

#[test]
fn options_of_cards_that_fit_nowhere_are_noted() {
    let config = "services:
- name: Roof
  items:
  - { name: Sky, type: OpenWeather, location: Ghent, apikey: PORTICO_SKY, units: kelvin, background: circle }
  - { name: Load, type: Glances, url: 'http://load.lan', stats: [cpu] }
  - { name: Bell, type: Ping, url: 'http://bell.lan', successCodes: [200, 418], timeout: 500, updateIntervalMs: 60000 }
  - { name: Gull, type: Emby, url: 'http://gull.lan', updateIntervalMs: 1000 }
  - { name: Tile, url: 'http://tile.lan', background: no color }
";
    let imported = imported(Source::Homer, &[file("config.yml", config)]);
    let weather = json!({ "city": "Ghent", "apiKey": "PORTICO_SKY" });
    assert_eq!(widgets(&imported, "weather")[0]["options"], weather);
    let items: Vec<_> =
        section(&imported, "Roof")["items"].as_array().unwrap().iter().map(|item| &item["title"]).collect();
    assert_eq!(items, ["Load", "Bell", "Gull", "Tile"]);
    let bell = item(&imported, "Roof", "Bell");
    assert_eq!((&bell["statusCheckAcceptCodes"], &bell["statusCheckInterval"]), (&json!("200,418"), &json!(60)));
    assert_eq!(item(&imported, "Roof", "Gull")["statusCheckInterval"], 5);
    let report = &imported.report;
    assert_noted(report, "config.yml, Roof / Sky", "`units: kelvin`");
    assert_noted(report, "config.yml, Roof / Sky", "`background`");
    assert_noted(report, "config.yml, Roof / Load", "`stats`");
    assert_noted(report, "config.yml, Roof / Bell", "`timeout`");
    assert_noted(report, "conf.yml, Roof / Tile", "`no color` is not a CSS color");
}
