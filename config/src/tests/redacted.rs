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
      - { title: x, statusCheckHeaders: { A: b }, statusCheckUrl: 'https://u:p@x.example/h', url: 'https://x.example/?a=b' }
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
          nested: [{ password: k, ok: 1, url: 'https://x.example/a?b=1&access_token=k&c', feed: 'https://x.example/v2/9f8e7d6c5b/feed2026.xml#a' }]
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
                "auth": { "enableOidc": true, "oidc": { "clientId": "c", "endpoint": "e" } },
            },
            "pages": [{ "name": "P", "path": "p.yml" }],
            "sections": [{
                "name": "A",
                "items": [{ "title": "x", "url": "https://x.example/?a=b" }],
                "widgets": [{ "type": "api" }],
            }],
        })
    );
}

const SECRETIVE: &str = "\
templates: { key: &key hidden-1 }
appConfig:
  theme: nord
  weatherKey: hidden-2
  auth:
    enableGuestAccess: true
    enableOidc: true
    oidc: { clientId: c, endpoint: e, clientSecret: hidden-3 }
    users: [{ user: hidden-19, hash: hidden-4, note: hidden-5 }]
    headerAuth: { proxyWhitelist: [hidden-20] }
  defaultIcon: https://u:hidden-21@x.example/a.png?key=hidden-22
  backgroundImg: /sea.jpg?key=hidden-23
  externalStyleSheet: ['https://x.example/a.css?hidden-24', '/own.css#hidden-25']
  layout: { hidden-26: x }
  cssThemes: [[hidden-27]]
pages: [{ name: P, path: 'https://u:hidden-6@git.example/p.yml?token=hidden-7&a=b' }]
sections:
  - name: A
    icon: https://x.example/icon.svg?key=hidden-28
    displayData: { rows: 2, hideForUsers: [hidden-29], hideForKeycloakUsers: { groups: [hidden-30] } }
    filteredItems: [{ title: hidden-8, hideForGuests: true }]
    password: hidden-9
    items:
      - { title: x, statusCheckUrl: 'https://x.example/?apikey=hidden-10' }
      - { title: y, own: hidden-11, subItems: [{ title: z, own: hidden-31, statusCheckHeaders: { A: hidden-12 } }] }
    widgets:
      - type: api
        label: kept
        url: hidden-32
        options:
          city: hidden-33
          key: *key
          requestBody: '{\"password\":\"hidden-13\"}'
          body: { query: hidden-14, filter: { apiKeyOfAnna: hidden-15 } }
          imagePath: https://x.example/?sid=hidden-16&sig=hidden-17&key_of_anna=hidden-18&side=left
";

#[test]
fn what_no_field_is_stays_here() {
    for viewer in [Viewer::Anonymous, Viewer::Guest, Viewer::User(Person::default())] {
        let text = document(SECRETIVE).text_for(&viewer);
        assert!(!text.contains("hidden-"), "{viewer:?}: {text}");
    }
    assert!(!document(SECRETIVE).bootstrap_text(0).contains("hidden-"));
    let text = document(SECRETIVE).text_for(&Viewer::Guest);
    for kept in [
        "theme: nord",
        "clientId: c",
        "rows: 2",
        "type: api",
        "label: kept",
        "defaultIcon: https://x.example/a.png\n",
        "backgroundImg: /sea.jpg\n",
        "https://x.example/a.css\n",
        "icon: https://x.example/icon.svg\n",
    ] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
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
    assert_eq!(text, "appConfig: {}\nsections: []\n");
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
fn icons_keep_their_names() {
    let text = "sections: [{ name: A, items: [{ title: x, icon: 'fas fa-x' }, { title: y, icon: '#️⃣' }, { title: z, icon: 'data:image/svg+xml,<svg/>?#' }, { title: q, icon: a.png }] }]";
    let seen = Document::parse(document(text).text_for(&Viewer::Guest).as_bytes()).unwrap().to_json();
    assert_eq!(seen, document(text).to_json());
}
