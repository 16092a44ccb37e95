//! From containers to items: defaults, and what foreign labels cannot do.

use config::{Config, Document, model::DiscoverySource};
use discovery::{
    AddressOrigin, ContainerState, Malformed, Outcome, Port, Resource, Surroundings, examine, read_containers,
    read_services,
};
use serde_json::{Value, json};

use crate::container;

/// A source with these fields.
fn source(fields: Value) -> DiscoverySource {
    let config = json!({ "appConfig": { "discovery": [fields] }, "sections": [] });
    Config::read(&Document::from_json(config)).unwrap().app.discovery.remove(0)
}

fn examined(list: &[Resource], fields: Value) -> Outcome {
    let list: Vec<Result<Resource, Malformed>> = list.iter().cloned().map(Ok).collect();
    let variable = |name: &str| (name != "PORTICO_UNSET").then(|| format!("value-of-{name}"));
    let icon = |name: &str| matches!(name, "thing" | "films").then(|| format!("hl-{name}"));
    examine(&list, &source(fields), &Surroundings { variable: &variable, icon: &icon })
}

fn url(outcome: &Outcome) -> Option<&str> {
    outcome.found[0].item.get("url").and_then(Value::as_str)
}

#[test]
fn what_labels_leave_out_comes_from_compose_and_the_image() {
    let films = container(
        "media-films-1",
        &[
            ("portico.url", "https://f.example"),
            ("com.docker.compose.project", "media"),
            ("com.docker.compose.service", "films"),
        ],
    );
    let outcome = examined(std::slice::from_ref(&films), json!({}));
    let found = &outcome.found[0];
    assert_eq!(found.section, "Media");
    assert_eq!(
        Value::Object(found.item.clone()),
        json!({ "url": "https://f.example", "title": "Films", "icon": "hl-thing", "hideForGuests": true })
    );
    assert_eq!(examined(&[films], json!({ "section": "Found" })).found[0].section, "Found");
}

#[test]
fn addresses_come_from_labels_then_proxies_then_ports() {
    let traefik = ("traefik.http.routers.a.rule", "Host(`t.example`)");
    let caddy = ("caddy", "c.example");
    let mut films = container("films", &[("portico.title", "F"), traefik, caddy, ("portico.url", "l.example")]);
    films.ports = vec![
        Port { private: 9100, public: 80, ip: String::new() },
        Port { private: 8080, public: 8096, ip: "0.0.0.0".to_owned() },
    ];
    for (removed, address, origin) in [
        (None, "l.example", AddressOrigin::Label),
        (Some("portico.url"), "http://t.example", AddressOrigin::Traefik),
        (Some(traefik.0), "https://c.example", AddressOrigin::Caddy),
        (Some("caddy"), "http://nas.lan:8096", AddressOrigin::Port),
    ] {
        films.labels.remove(removed.unwrap_or_default());
        let outcome = examined(&[films.clone()], json!({ "url": "tcp://nas.lan:2375" }));
        assert_eq!((url(&outcome), outcome.found[0].address_origin), (Some(address), Some(origin)));
    }
    let outcome = examined(&[films], json!({}));
    assert_eq!((url(&outcome), outcome.found[0].notes.len()), (None, 1), "{outcome:?}");
}

#[test]
fn the_router_with_the_highest_priority_gives_the_address() {
    for (pairs, expected) in [
        (&[("rule", "Host(`a.example`)"), ("tls", "true")][..], "https://a.example"),
        (&[("rule", "Host(`a.example`)"), ("entrypoints", "web,websecure")], "https://a.example"),
        (&[("rule", "Host(`a.example`)"), ("tls.certresolver", "le")], "https://a.example"),
        (&[("rule", "Host(`a.example`)"), ("entryPoints", "web")], "http://a.example"),
    ] {
        let mut resource = container("a", &[("portico.title", "A"), ("traefik.http.routers.z.rule", "Host(`z`)")]);
        for (option, value) in pairs {
            resource.labels.insert(format!("traefik.http.routers.a.{option}"), (*value).to_owned());
        }
        assert_eq!(url(&examined(&[resource.clone()], json!({}))), Some(expected), "{pairs:?}");
        resource.labels.insert("traefik.http.routers.z.priority".to_owned(), "1000".to_owned());
        assert_eq!(url(&examined(&[resource.clone()], json!({}))), Some("http://z"));
        resource.labels.insert("traefik.enable".to_owned(), "false".to_owned());
        assert_eq!(url(&examined(&[resource], json!({}))), None);
    }
}

#[test]
fn foreign_labels_run_no_code_and_unhide_nothing() {
    let evil = container(
        "evil",
        &[
            ("portico.title", "Evil"),
            ("portico.url", "javascript:alert(1)"),
            ("portico.localUrl", " java\tscript:alert(1)"),
            ("portico.subItems[0].title", "x"),
            ("portico.subItems[0].url", "data:text/html,x"),
            ("portico.color", "red; background: url(//evil)"),
            ("portico.hideForGuests", "false"),
            ("portico.onclick", "alert(1)"),
            ("portico.hotkey", "77"),
        ],
    );
    let outcome = examined(std::slice::from_ref(&evil), json!({}));
    let item = Value::Object(outcome.found[0].item.clone()).to_string();
    for forbidden in ["javascript", "data:", "evil", "onclick", "77"] {
        assert!(!item.contains(forbidden), "{item}");
    }
    assert_eq!(outcome.found[0].item["hideForGuests"], json!(true));
    assert!(outcome.found[0].notes.iter().any(|note| note.contains("`portico.url`") && note.contains("runs code")));
    let shown = examined(&[evil], json!({ "showToGuests": true }));
    assert_eq!(shown.found[0].item.get("hideForGuests"), Some(&json!(false)));
}

#[test]
fn a_rule_about_viewers_that_cannot_be_read_drops_the_entry() {
    for (label, value) in [
        ("portico.hideForGuests", "perhaps"),
        ("portico.displayData.hideForGests", "true"),
        ("portico.hideForUsers[0]", "anna"),
        ("portico.displayData", "hidden"),
    ] {
        let hidden = container("a", &[("portico.title", "A"), (label, value)]);
        let outcome = examined(&[hidden], json!({ "showToGuests": true }));
        assert!(outcome.found.is_empty(), "{label}: {outcome:?}");
        assert!(outcome.dropped[0].is_meant && outcome.dropped[0].reason.contains("says who sees it"), "{label}");
    }
}

#[test]
fn labels_name_only_the_variables_that_the_source_allows() {
    let labelled =
        |name: &str, value: &str| container("a", &[("homepage.name", "A"), ("homepage.group", "G"), (name, value)]);
    let allowed = json!({ "allowedVariables": ["PORTICO_DOMAIN", "HOMEPAGE_VAR_OTHER", "PORTICO_UNSET"] });
    for (value, expected) in [
        ("https://{{PORTICO_DOMAIN}}/x", Some("https://value-of-PORTICO_DOMAIN/x")),
        ("https://{{ HOMEPAGE_VAR_DOMAIN }}", Some("https://value-of-PORTICO_DOMAIN")),
        ("https://{{HOMEPAGE_VAR_OTHER}}", Some("https://value-of-PORTICO_OTHER")),
        ("https://{{PORTICO_SECRET}}", None),
        ("https://{{HOMEPAGE_FILE_SECRET}}", None),
        ("https://{{PORTICO_UNSET}}", None),
    ] {
        let outcome = examined(&[labelled("homepage.href", value)], allowed.clone());
        assert_eq!(url(&outcome), expected, "{value}: {:?}", outcome.found[0].notes);
    }
    for (value, expected) in [
        ("{{HOMEPAGE_VAR_DOMAIN}}", Some("PORTICO_DOMAIN")),
        ("PORTICO_DOMAIN", Some("PORTICO_DOMAIN")),
        ("PORTICO_SECRET", None),
        ("xPORTICO_SECRET", None),
        ("PORTICO_DOMAIN_SECRET", None),
        ("{{HOMEPAGE_VAR_SECRET}}", None),
        ("{{{{DASHY_SECRET}}", None),
        ("plain", Some("plain")),
    ] {
        let outcome = examined(&[labelled("homepage.widget.key", value)], allowed.clone());
        let key = outcome.found[0].widgets[0].get("key").and_then(Value::as_str);
        assert_eq!(key, expected, "{value}: {:?}", outcome.found[0].notes);
    }
}

#[test]
fn one_malformed_container_costs_only_itself() {
    let list = json!([
        { "Id": "1", "Names": ["/a"], "Labels": { "portico.title": "A", "portico.description": "x".repeat(5000) } },
        { "Id": "2", "Names": ["/b"], "Labels": ["portico.title"] },
        { "Id": "3", "Names": null, "Labels": null },
        { "Id": "4", "Names": ["/d"], "Labels": { "portico.title": 5 } },
        "text", null, [],
        { "Id": "5", "Names": ["/e"], "Image": 5, "State": {}, "Ports": [{}, 5, { "PublicPort": 99999 }], "Labels": null },
        { "Id": "6", "Names": ["/f"], "Labels": { "portico.title": "F" } },
    ]);
    let list = read_containers(list.to_string().as_bytes()).unwrap();
    let nothing = |_: &str| None;
    let outcome = examine(&list, &source(json!({})), &Surroundings { variable: &nothing, icon: &nothing });
    let names: Vec<&str> = outcome.found.iter().map(|found| found.container.as_str()).collect();
    assert_eq!(names, ["a", "f"]);
    assert!(outcome.found[0].notes.iter().any(|note| note.contains("`portico.description` is too long")));
    let dropped: Vec<&str> = outcome.dropped.iter().map(|dropped| dropped.container.as_str()).collect();
    assert_eq!(dropped, ["2", "3", "4", "number 5", "number 6", "number 7", "e"]);
    assert!(read_containers(b"{}").is_err());
}

#[test]
fn services_of_a_swarm_are_read_like_containers() {
    let list = json!([{
        "ID": "s1",
        "Spec": {
            "Name": "media_films",
            "Labels": { "portico.title": "Films", "com.docker.stack.namespace": "media" },
            "TaskTemplate": { "ContainerSpec": { "Image": "example/thing:1@sha256:0" } },
        },
        "Endpoint": { "Ports": [{ "Protocol": "tcp", "TargetPort": 80, "PublishedPort": 8000 }] },
    }]);
    let list = read_services(list.to_string().as_bytes()).unwrap();
    let outcome = examined(&[list[0].clone().unwrap()], json!({ "host": "swarm.lan", "swarm": true }));
    assert_eq!((url(&outcome), outcome.found[0].section.as_str()), (Some("http://swarm.lan:8000"), "Media"));
}

#[test]
fn the_state_of_a_service_is_how_many_of_its_tasks_run() {
    let ready = |ready, total| Some(ContainerState::Ready { ready, total });
    for (status, expected, words) in [
        (json!({ "RunningTasks": 3, "DesiredTasks": 3, "CompletedTasks": 0 }), ready(3, 3), "3 of 3 ready"),
        (json!({ "RunningTasks": 2, "DesiredTasks": 3, "CompletedTasks": 0 }), ready(2, 3), "2 of 3 ready"),
        (json!({ "RunningTasks": 0, "DesiredTasks": 1, "CompletedTasks": 0 }), ready(0, 1), "0 of 1 ready"),
        // An update starts new tasks before it ends old ones.
        (json!({ "RunningTasks": 4, "DesiredTasks": 3, "CompletedTasks": 0 }), ready(3, 3), "3 of 3 ready"),
        (
            json!({ "RunningTasks": 0, "DesiredTasks": 0, "CompletedTasks": 0 }),
            Some(ContainerState::Stopped),
            "no tasks",
        ),
        // A job has ended.
        (
            json!({ "RunningTasks": 0, "DesiredTasks": 0, "CompletedTasks": 5 }),
            Some(ContainerState::Stopped),
            "no tasks",
        ),
        (json!({ "RunningTasks": 1 }), None, ""),
        (Value::Null, None, ""),
    ] {
        let list = json!([{ "ID": "s1", "Spec": { "Name": "films" }, "ServiceStatus": status }]).to_string();
        let list = read_services(list.as_bytes()).expect("it is a list");
        let service = list[0].as_ref().expect("it is a service");
        assert_eq!((service.container_state, service.state.as_str()), (expected, words), "{status}");
    }
}

#[test]
fn parts_join_their_parent_and_filters_leave_out() {
    let list = [
        container("db", &[("glance.parent", "films")]),
        container("films", &[("glance.id", "films"), ("glance.name", "Films")]),
        container("orphan", &[("glance.parent", "none")]),
        container("media-db", &[("portico.title", "x")]),
        container("plain", &[]),
    ];
    let outcome = examined(&list, json!({ "exclude": ["*-db"] }));
    assert_eq!(outcome.found.len(), 1);
    assert_eq!(outcome.found[0].parts, [("db".to_owned(), "running".to_owned())]);
    let dropped: Vec<(&str, bool)> =
        outcome.dropped.iter().map(|dropped| (dropped.container.as_str(), dropped.is_meant)).collect();
    assert_eq!(dropped, [("media-db", false), ("plain", false), ("orphan", true)]);

    let mut plain = container("plain", &[]);
    assert!(examined(&[plain.clone()], json!({ "unlabelled": true })).found.is_empty());
    plain.ports = vec![Port { private: 80, public: 80, ip: String::new() }];
    let outcome = examined(&[plain], json!({ "unlabelled": true, "host": "nas.lan" }));
    assert_eq!((url(&outcome), outcome.found[0].family), (Some("http://nas.lan"), None));
}

#[test]
fn entries_are_sorted_by_section_weight_and_title() {
    let labelled = |title, weight, section| {
        container(title, &[("portico.title", title), ("portico.weight", weight), ("portico.section", section)])
    };
    let list = [labelled("b", "0", "Y"), labelled("A", "0", "Y"), labelled("c", "-1", "Y"), labelled("d", "9", "X")];
    let outcome = examined(&list, json!({}));
    let titles: Vec<&str> = outcome.found.iter().map(|found| found.container.as_str()).collect();
    assert_eq!(titles, ["d", "c", "A", "b"]);
}
