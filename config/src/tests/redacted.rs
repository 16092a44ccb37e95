//! The text of a config file for people who may not write.

use serde_json::{Value, json};

use super::document;
use crate::{Document, Person, Viewer};

const TEXT: &str = "\
pageInfo: { title: T }
appConfig:
  enableServiceWorker: true
  theme: nord
  auth:
    enableOidc: true
    oidc: { clientId: c, endpoint: e }
    users: [{ user: anna, hash: h, type: admin }, { user: bob, password: DASHY_B }]
pages: [{ name: P, path: p.yml }, { name: Q, path: q.yml, displayData: { hideForGuests: true } }, broken]
sections:
  - name: A
    items:
      - { title: x, statusCheckHeaders: { A: b }, statusCheckUrl: 'https://u:p@x.example/h' }
      - { title: y, hideForGuests: true }
      - { title: z, displayData: { showForUsers: [bob] } }
    widgets:
      - type: api
        url: 'https://u:p@x.example'
        options:
          apiKey: k
          API_TOKEN: k
          city: London
          hostname: x
          nested: [{ password: k, ok: 1, url: 'https://x.example/a?b=1&access_token=k&c' }]
          headers: { Authorization: k }
  - name: B
    hideForGuests: true
";

fn seen(viewer: &Viewer) -> Value {
    Document::parse(document(TEXT).text_for(viewer).as_bytes()).unwrap().to_json()
}

#[test]
fn guests() {
    assert_eq!(
        seen(&Viewer::Guest),
        json!({
            "pageInfo": { "title": "T" },
            "appConfig": {
                "enableServiceWorker": true,
                "theme": "nord",
                "auth": {
                    "enableOidc": true,
                    "oidc": { "clientId": "c", "endpoint": "e" },
                    "users": [{ "user": "anna", "type": "admin" }, { "user": "bob" }],
                },
            },
            "pages": [{ "name": "P", "path": "p.yml" }],
            "sections": [{
                "name": "A",
                "items": [{ "title": "x", "statusCheckUrl": "https://x.example/h" }],
                "widgets": [{
                    "type": "api",
                    "url": "https://x.example",
                    "options": {
                        "city": "London",
                        "hostname": "x",
                        "nested": [{ "ok": 1, "url": "https://x.example/a?b=1&access_token=&c" }],
                    },
                }],
            }],
        })
    );
}

#[test]
fn users_and_admins() {
    let bob = seen(&Viewer::User(Person { name: "Bob".into(), ..Person::default() }));
    assert_eq!(bob["sections"].as_array().unwrap().len(), 2);
    assert_eq!(bob["sections"][0]["items"].as_array().unwrap().len(), 3);
    assert!(!bob.to_string().contains("\"h\""));
    assert_eq!(seen(&Viewer::Admin(None)), document(TEXT).to_json());
}

#[test]
fn before_signing_in() {
    let expected = json!({
        "pageInfo": { "title": "T" },
        "appConfig": {
            "auth": { "enableOidc": true, "oidc": { "clientId": "c", "endpoint": "e" } },
            "enableServiceWorker": true,
        },
    });
    assert_eq!(seen(&Viewer::Anonymous), expected);
    let bootstrap = Document::parse(document(TEXT).bootstrap_text(1_700_000_000_000).as_bytes()).unwrap().to_json();
    assert_eq!(bootstrap["_bootstrap"], json!({ "authenticated": false, "timestamp": 1_700_000_000_000_u64 }));
    assert_eq!(bootstrap["appConfig"], expected["appConfig"]);
}

#[test]
fn a_list_of_users_loses_its_hashes_too() {
    let text = document("appConfig: { auth: [{ user: a, hash: h }] }\nsections: []").text_for(&Viewer::Guest);
    assert_eq!(text, "appConfig:\n  auth:\n    - user: a\nsections: []\n");
    assert!(!document("appConfig: { auth: [{ user: a, hash: h }] }").bootstrap_text(0).contains("hash"));
}

#[test]
fn odd_documents_do_no_harm() {
    for text in ["", "- 1", "sections: text\npages: 5\nappConfig: [1]\n", "sections: [{ items: x, widgets: [1] }]"] {
        for viewer in [Viewer::Anonymous, Viewer::Guest] {
            drop(document(text).text_for(&viewer));
        }
    }
}

#[test]
fn programs_that_read_get_everything_but_passwords() {
    let mut expected = document(TEXT).to_json();
    for user in expected["appConfig"]["auth"]["users"].as_array_mut().unwrap() {
        user.as_object_mut().unwrap().retain(|key, _| key != "hash" && key != "password");
    }
    assert_eq!(document(TEXT).without_passwords(), expected);
}
