//! Homepage: services, bookmarks, widgets and settings.

use serde_json::json;

use crate::{assert_noted, example, file, imported, item, names, section, widgets};
use import::Source;

#[test]
fn groups_become_sections_in_the_order_of_the_layout() {
    let imported = imported(Source::Homepage, &example(Source::Homepage));
    let expected = ["Overview", "Network", "Media", "Media / Downloads", "Media", "Events", "Developer"];
    assert_eq!(names(&imported), expected);
    assert_eq!(section(&imported, "Network")["displayData"], json!({ "itemCountX": 4 }));
    assert_eq!(section(&imported, "Network")["icon"], "mdi-lan");
    assert_eq!(section(&imported, "Media")["displayData"], json!({ "collapsed": true }));
    assert_eq!(section(&imported, "Media / Downloads")["icon"], "hl-sabnzbd");
    // A smaller weight comes first.
    assert_eq!(section(&imported, "Media")["items"][0]["title"], "Sonarr");
    assert_noted(&imported.report, "settings.yaml, layout / Network", "`tab`");
    assert_noted(&imported.report, "settings.yaml, layout / Network", "`style`");
}

#[test]
fn services_keep_what_tiles_have() {
    let imported = imported(Source::Homepage, &example(Source::Homepage));
    let jellyfin = json!({
        "title": "Jellyfin",
        "url": "https://jellyfin.home.example/",
        "description": "Films and series",
        "icon": "hl-jellyfin",
        "statusCheck": true,
        "statusCheckUrl": "http://jellyfin.lan:8096/health",
    });
    assert_eq!(item(&imported, "Media", "Jellyfin"), &jellyfin);
    let sab = item(&imported, "Media / Downloads", "SABnzbd");
    assert_eq!(
        (&sab["icon"], &sab["statusCheck"], sab.get("statusCheckUrl")),
        (&json!("sh-sabnzbd"), &json!(true), None)
    );
    assert_eq!(item(&imported, "Media / Downloads", "Paperless")["statusCheckUrl"], "http://10.0.0.7");
    let hole = item(&imported, "Network", "Pi-hole");
    assert_eq!((&hole["icon"], &hole["target"]), (&json!("mdi-dns"), &json!("sametab")));
    assert_eq!(item(&imported, "Network", "Router without a page").get("url"), None);
    let docs = item(&imported, "Developer", "Docs");
    assert_eq!((&docs["url"], &docs["target"]), (&json!("https://docs.example/start?a=1&b=2"), &json!("newtab")));
    assert_eq!(item(&imported, "Developer", "Forge")["tags"], json!(["FG"]));

    let report = &imported.report;
    assert_noted(report, "services.yaml, Media / Jellyfin", "`container`");
    assert_noted(report, "services.yaml, Media / Downloads / Paperless", "`ping` of 10.0.0.7");
    assert_noted(report, "services.yaml, Media / Downloads / Paperless", "`statusStyle`");
    assert_noted(report, "services.yaml, Network / Pi-hole", "the color `#ff0044`");
    assert_noted(report, "services.yaml", "copy the folder `icons`");
    assert_noted(report, "conf.yml, Network / Status", "`url` names `PORTICO_PATH`");
}

#[test]
fn widgets_of_services_get_our_options() {
    let imported = imported(Source::Homepage, &example(Source::Homepage));
    let of = |kind: &str| widgets(&imported, kind)[0].clone();
    assert_eq!(
        of("usenet-downloads"),
        json!({ "type": "usenet-downloads", "label": "SABnzbd",
                "options": { "sabnzbdUrl": "http://sab.lan:8080", "apiKey": "PORTICO_SAB_KEY" } })
    );
    assert_eq!(
        of("dns-sinkhole-stats-v6")["options"],
        json!({ "hostname": "http://pihole.lan", "apiKey": "PORTICO_PIHOLE_FILE" })
    );
    assert_eq!(
        of("dns-filter-stats")["options"],
        json!({ "hostname": "http://adguard.lan:3000", "username": "anna", "password": "PORTICO_ADGUARD" })
    );
    assert_eq!(of("system-network-traffic")["options"], json!({ "hostname": "http://nas.lan:61208", "apiVersion": 4 }));
    assert_eq!(of("uptime-status-page")["options"], json!({ "host": "https://kuma.home.example", "slug": "all" }));
    assert_eq!(
        of("calendar")["options"],
        json!({ "calendars": [{ "url": "https://cloud.home.example/family.ics", "name": "Family" }],
                "view": "month", "limit": 12 })
    );
    assert_eq!(of("api-response")["updateInterval"], 20);
    assert_eq!(of("api-response")["options"]["mappings"][0]["field"], "load.now");

    let report = &imported.report;
    let sonarr = &item(&imported, "Media", "Sonarr")["figures"];
    assert_eq!(*sonarr, json!([{ "type": "sonarr", "url": "http://sonarr.lan:8989", "key": "PORTICO_SONARR_KEY" }]));
    assert_noted(report, "services.yaml, Media / Downloads / SABnzbd / widget", "`fields`");
    assert_noted(report, "services.yaml, Network / AdGuard / widget", "`eth0`");
    assert_noted(report, "services.yaml, Events / Family calendar / widget / integrations", "`sonarr`");
    assert_noted(report, "services.yaml", "set the environment variable `PORTICO_SAB_KEY` to the value");
    assert_noted(report, "services.yaml", "set the environment variable `PORTICO_PIHOLE_FILE` to the file");
}

#[test]
fn figures_of_services_stay_in_the_tile() {
    let services = "- Shelf:
    - Films:
        href: http://films.lan
        widget: { type: radarr, url: 'http://radarr.lan', key: abc, enableQueue: true, fields: [queued],
                  highlight: { queued: { numeric: { level: warn, when: gt, value: 3 } } } }
    - Pictures: { widgets: [{ type: immich, url: 'http://immich.lan', key: abc, version: 2 }, { type: unheard, url: 'http://a.lan' }] }
";
    let imported = imported(Source::Homepage, &[file("services.yaml", services)]);
    let films = &item(&imported, "Shelf", "Films")["figures"];
    assert_eq!(
        *films,
        json!([{ "type": "radarr", "url": "http://radarr.lan", "key": "abc", "fields": ["queued"],
                 "highlight": { "queued": { "numeric": { "level": "warn", "when": "gt", "value": 3 } } } }])
    );
    let pictures = &item(&imported, "Shelf", "Pictures")["figures"];
    assert_eq!(*pictures, json!([{ "type": "immich", "url": "http://immich.lan", "key": "abc" }]));
    assert_noted(&imported.report, "services.yaml, Shelf / Films / widget", "`enableQueue`: only figures are shown");
    assert_noted(&imported.report, "services.yaml, Shelf / Pictures / widget", "`version`: the version is found");
    assert_noted(&imported.report, "services.yaml, Shelf / Pictures / widget", "no widget for `unheard`");
}

#[test]
fn a_widget_takes_the_place_of_a_tile_that_leads_nowhere() {
    let services = "- Shelf:
    - Month: { widget: { type: calendar, view: monthly, firstDayInWeek: sunday } }
    - Lamp: { icon: mdi-lamp, widget: { type: calendar } }
    - Songs: { server: here, container: songs, widget: { type: calendar } }
    - Nothing: { widget: { type: unheard } }
";
    let imported = imported(Source::Homepage, &[file("services.yaml", services)]);
    let shelf = section(&imported, "Shelf");
    let titles: Vec<_> = shelf["items"].as_array().unwrap().iter().map(|item| item["title"].clone()).collect();
    assert_eq!(titles, ["Lamp", "Songs", "Nothing"]);
    let month = json!({ "type": "calendar", "label": "Month", "options": { "view": "month", "firstDay": "sunday" } });
    assert_eq!(shelf["widgets"][0], month);
}

#[test]
fn keywords_become_tags_and_groups_stay_collapsed() {
    let services = "- Attic:
    - Box: { href: 'http://box.lan', keywords: [old, '192.168.7.1'] }
- Hall:
    - Door: { href: 'http://door.lan' }
    - Coats:
        - Hook: { href: 'http://hook.lan' }
";
    let settings = "groupsInitiallyCollapsed: true
layout:
  Hall: { initiallyCollapsed: false, Coats: { header: false } }
";
    let imported = imported(Source::Homepage, &[file("services.yaml", services), file("settings.yaml", settings)]);
    assert_eq!(item(&imported, "Attic", "Box")["tags"], json!(["old", "192.168.7.1"]));
    assert_eq!(section(&imported, "Attic")["displayData"], json!({ "collapsed": true }));
    assert_eq!(section(&imported, "Hall").get("displayData"), None);
    assert_eq!(section(&imported, "Hall / Coats")["displayData"], json!({ "collapsed": true }));
    assert_noted(&imported.report, "settings.yaml, layout / Hall / Coats", "`header`: sections are arranged");
}

#[test]
fn the_widgets_of_the_page_become_a_section() {
    let imported = imported(Source::Homepage, &example(Source::Homepage));
    let kinds: Vec<_> = section(&imported, "Overview")["widgets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|widget| widget["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["system-info", "custom-search", "clock", "weather", "weather", "notes"]);
    // As there, what is only a few values stands at the top of the page.
    let place = |kind: &str| widgets(&imported, kind)[0].get("place").cloned();
    assert_eq!(["clock", "custom-search", "notes"].map(place), [Some(json!("header")), None, None]);
    assert_eq!(
        widgets(&imported, "clock")[0]["options"],
        json!({ "format": "de-AT", "timeZone": "Europe/Vienna", "use12Hour": false, "hideSeconds": true })
    );
    assert_eq!(
        widgets(&imported, "weather")[0]["options"],
        json!({ "provider": "open-meteo", "lat": 48.21, "lon": 16.37, "city": "Vienna", "units": "metric" })
    );
    assert_eq!(widgets(&imported, "weather")[1]["options"]["apiKey"], "PORTICO_OWM");
    assert_eq!(widgets(&imported, "custom-search")[0]["options"]["engines"][1]["title"], "Google");
    assert_noted(&imported.report, "widgets.yaml, unifi_console", "no such widget (https://unifi.lan:8443)");
    assert_noted(&imported.report, "widgets.yaml, resources", "`disk`");
    assert_noted(&imported.report, "widgets.yaml, search", "`focus`");
}

#[test]
fn settings_become_those_of_the_page() {
    let imported = imported(Source::Homepage, &example(Source::Homepage));
    for line in [
        "title: Our house",
        "description: Everything that hums",
        "logo: https://static.home.example/logo.svg",
        "backgroundImg: https://static.home.example/sea.jpg",
        "defaultOpeningMethod: newtab",
        "language: de",
        "customSearchEngine: https://searx.home.example/?q=",
    ] {
        assert!(imported.yaml.contains(line), "{line}\n{}", imported.yaml);
    }
    assert_noted(&imported.report, "settings.yaml", "`theme`");
    assert_noted(&imported.report, "settings.yaml, background", "`blur`");
    assert_noted(&imported.report, "settings.yaml, quicklaunch", "`searchDescriptions`");
    assert_noted(&imported.report, "settings.yaml, providers / longhorn", "no widget uses this key");
}

#[test]
fn containers_of_services_give_their_tiles_a_state() {
    let services = "- Media:\n  - Films: { href: 'http://films.lan', server: here, container: films, showStats: true }\n  - Songs: { server: here, container: songs }\n  - Books: { server: heap, container: books }\n  - Plays: { container: plays }\n";
    let docker = "here:\n  socket: /run/docker.sock\nheap: { host: nas.lan, port: 2375, swarm: true }\n";
    let imported = imported(Source::Homepage, &[file("services.yaml", services), file("docker.yaml", docker)]);
    let container = |title: &str| item(&imported, "Media", title).get("container").cloned();
    assert_eq!(container("Films"), Some(json!("here/films")));
    assert_eq!(container("Songs"), Some(json!("here/songs")));
    // Sources with services of a swarm know no containers.
    assert_eq!((container("Books"), container("Plays")), (None, None));
    let options: Vec<_> = widgets(&imported, "containers").iter().map(|widget| widget["options"].clone()).collect();
    assert_eq!(
        options,
        [
            json!({ "host": "unix:///run/docker.sock", "names": ["films"] }),
            json!({ "host": "http://nas.lan:2375", "names": ["books"] }),
            json!({ "names": ["plays"] }),
        ]
    );
    assert_noted(&imported.report, "services.yaml, Media / Films", "its state is in a widget `containers`");
    assert!(!imported.report.to_string().contains("Songs"), "{}", imported.report);
    // Without that file, the address is missing.
    let alone = crate::imported(Source::Homepage, &[file("services.yaml", services)]);
    assert_noted(&alone.report, "services.yaml, Media", "the address of the Docker server `here`");
    assert_eq!(item(&alone, "Media", "Songs").get("container"), None);
}

#[test]
fn docker_and_kubernetes_become_sources_of_discovery() {
    let docker = "here:\n  socket: /run/docker.sock\nthere:\n  host: nas.lan\n  port: 2376\n  protocol: https\n  tls: { caFile: tls/ca.pem, certFile: tls/cert.pem, keyFile: tls/key.pem }\nheap: { host: heap.lan, swarm: true, username: anna }\n";
    let sources = |kubernetes: &str| {
        let files = [
            file("services.yaml", "- Media:\n  - Films: { href: 'http://films.lan', namespace: media, app: films }\n"),
            file("settings.yaml", "instanceName: den\n"),
            file("docker.yaml", docker),
            file("kubernetes.yaml", kubernetes),
        ];
        let imported = imported(Source::Homepage, &files);
        let document = config::Document::parse(imported.yaml.as_bytes()).unwrap();
        (document.value()["appConfig"]["discovery"].clone(), imported.report)
    };
    let (discovery, report) = sources("mode: cluster\ngateway: true\n");
    let expected = json!([
        { "name": "here", "url": "unix:///run/docker.sock", "labels": ["homepage"], "instance": "den", "add": "live" },
        { "name": "there", "url": "https://nas.lan:2376",
          "tls": { "caFile": "tls/ca.pem", "certFile": "tls/cert.pem", "keyFile": "tls/key.pem" },
          "labels": ["homepage"], "instance": "den", "add": "live" },
        { "name": "heap", "url": "http://heap.lan", "swarm": true,
          "labels": ["homepage"], "instance": "den", "add": "live" },
        { "kubernetes": "cluster", "labels": ["homepage"], "instance": "den", "add": "live" },
    ]);
    assert_eq!(discovery, expected);
    assert_noted(&report, "docker.yaml, heap", "`username`");
    assert_noted(&report, "services.yaml, Media / Films", "`app`: annotations of a route");

    let (discovery, report) = sources("mode: default\n");
    assert_eq!(discovery[3]["kubernetes"], "kubeconfig.yml");
    assert_noted(&report, "kubernetes.yaml", "copy the kubeconfig file");
    assert_eq!(sources("mode: disabled\n").0.as_array().unwrap().len(), 3);
}

#[test]
fn other_files_are_noted() {
    let mut files = example(Source::Homepage);
    files.push(file("custom.css", "body { color: red }"));
    files.push(file("custom.js", ""));
    let imported = imported(Source::Homepage, &files);
    assert_noted(&imported.report, "custom.css", "styles");
    assert!(imported.report.notes.iter().all(|note| note.place.file != "custom.js"));
}

#[test]
fn words_of_bookmarks_become_tags() {
    let bookmarks =
        "- Reading:\n    - Atlas:\n        - { abbr: AT, href: 'https://atlas.example', keywords: [maps, rivers] }\n";
    let imported = imported(Source::Homepage, &[file("bookmarks.yaml", bookmarks)]);
    assert_eq!(item(&imported, "Reading", "Atlas")["tags"], json!(["AT", "maps", "rivers"]));
    assert!(imported.report.notes.is_empty(), "{}", imported.report);
}

#[test]
fn fields_beside_their_name_belong_to_it() {
    let services = "- Yard:
  - Gate:
    href: https://gate.example/
    icon: gate.png
  - Fence:
      href: https://fence.example/
  - Shed:
";
    let files = [file("", services)];
    assert_eq!(Source::detect(&files), Some(Source::Homepage));
    let imported = imported(Source::Homepage, &files);
    let gate = json!({ "title": "Gate", "url": "https://gate.example/", "icon": "hl-gate" });
    assert_eq!(item(&imported, "Yard", "Gate"), &gate);
    assert_eq!(item(&imported, "Yard", "Fence")["url"], "https://fence.example/");
    assert_eq!(section(&imported, "Yard")["items"].as_array().unwrap().len(), 3);
    assert_noted(&imported.report, "the pasted text, Yard / Gate", "not indented below it");
}

#[test]
fn keys_that_no_widget_uses_are_noted() {
    let settings = "providers: { openweathermap: PORTICO_SKY, finnhub: PORTICO_SHARES }\n";
    let with_widgets = |widgets: &str| {
        imported(Source::Homepage, &[file("settings.yaml", settings), file("widgets.yaml", widgets)]).report
    };
    let sky = "settings.yaml, providers / openweathermap";
    let unused = with_widgets("- greeting: { text: Good day }\n");
    assert_noted(&unused, sky, "no widget uses this key");
    let used = with_widgets("- openweathermap: { latitude: 1, longitude: 2, provider: openweathermap }\n");
    assert!(used.notes.iter().all(|note| note.place.to_string() != sky), "{used}");
    assert_noted(&used, "settings.yaml, providers / finnhub", "no widget uses this key");
}

#[test]
fn a_variable_may_hide_the_name_of_a_token() {
    let services = "- Lab:
    - Host:
        href: https://host.example
        siteMonitor: https://host.example
        ping: host.example
        widget: { type: proxmox, url: 'https://host.example', username: '{{HOMEPAGE_VAR_USER}}', password: abc }
";
    let imported = imported(Source::Homepage, &[file("services.yaml", services)]);
    assert_noted(&imported.report, "services.yaml, Lab / Host / widget", "set `token_name`");
    assert_noted(&imported.report, "services.yaml, Lab / Host", "`ping`: the dot shows the state of `siteMonitor`");
}

#[test]
fn variables_hide_no_problem_of_other_options() {
    let services = "- Lab:
    - Filter:
        href: https://filter.example
        widget: { type: adguard, url: 'https://<host>', username: anna, password: '{{HOMEPAGE_VAR_FILTER}}' }
    - Cloud:
        href: https://cloud.example
        widget: { type: nextcloud, url: 'https://cloud.example', username: anna, password: '{{HOMEPAGE_VAR_CLOUD}}' }
";
    let imported = imported(Source::Homepage, &[file("services.yaml", services)]);
    assert_noted(&imported.report, "conf.yml, Lab / Filter", "hostname must be an http(s) address");
    let about_cloud = |place: String| place == "conf.yml, Lab / Cloud";
    assert!(!imported.report.notes.iter().any(|note| about_cloud(note.place.to_string())), "{}", imported.report);
}

/// Widgets of a service that is not here, a comment, and a group without services.
fn unused_settings() -> Vec<import::SourceFile> {
    vec![
        file(
            "services.yaml",
            "- Media:\n    - Tower:\n        href: http://tower.lan\n        widget: {type: unraid, url: http://tower.lan, key: {{HOMEPAGE_VAR_TOWER_KEY}}}\n",
        ),
        file("settings.yaml", "title: H\nlayout:\n  Management:\n    icon: mdi-cog\n    columns: 3\n"),
        file(
            "widgets.yaml",
            "# - adguard: {password: \"{{HOMEPAGE_VAR_OLD}}\"}\n- datetime:\n    format: {timeStyle: short, hourCycle: h23}\n\
             - openweathermap: {latitude: 1, longitude: 2, apiKey: \"{{HOMEPAGE_VAR_WEATHER}}\"}\n",
        ),
    ]
}

#[test]
fn only_variables_that_the_new_config_names_are_asked_for() {
    let imported = imported(Source::Homepage, &unused_settings());
    let texts: Vec<_> = imported.report.notes.iter().map(|note| note.text.as_str()).collect();
    assert!(!texts.iter().any(|text| text.contains("PORTICO_TOWER_KEY") || text.contains("PORTICO_OLD")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("PORTICO_WEATHER")), "{texts:?}");
}

#[test]
fn the_look_of_a_group_without_services_is_one_note() {
    let imported = imported(Source::Homepage, &unused_settings());
    assert_noted(&imported.report, "settings.yaml, layout / Management", "there is no group `Management`");
    let about = imported.report.notes.iter().filter(|note| note.place.path.iter().any(|name| name == "Management"));
    assert_eq!(about.count(), 1);
    assert!(!imported.report.notes.iter().any(|note| note.text.contains("no such setting")));
}

#[test]
fn the_hour_cycle_becomes_a_setting_of_the_clock() {
    for (format, expected) in [
        ("hourCycle: h23", json!(false)),
        ("hourCycle: h12", json!(true)),
        ("hourCycle: h23, hour12: true", json!(true)),
    ] {
        let files = [file("widgets.yaml", &format!("- datetime:\n    format: {{timeStyle: short, {format}}}\n"))];
        let imported = imported(Source::Homepage, &files);
        assert_eq!(widgets(&imported, "clock")[0]["options"]["use12Hour"], expected, "{format}");
        assert!(!imported.report.notes.iter().any(|note| note.text.contains("hourCycle")));
    }
}
