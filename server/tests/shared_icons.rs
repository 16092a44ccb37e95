//! Icons that one server has fetched are shown by all servers of a database (docs/spec/behavior.md 24.4).

use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use server::{
    database::{Database, SharedIcon},
    settings::Settings,
};

use crate::{
    postgres::{Postgres, name_of},
    replicas::{Replica, database_of, until},
    upstream::{Behavior, Upstream},
};

const PICTURE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect id="of-the-service" width="4" height="4"/></svg>"#;

fn picture() -> Behavior {
    let headers = vec![("content-type", "image/svg+xml".to_owned())];
    Behavior::ByPath(vec![("/favicon.ico", Behavior::Says(200, headers, PICTURE.as_bytes().to_vec()))])
}

/// The addresses of the icons on the page.
async fn icons(replica: &Replica) -> Vec<String> {
    let page = replica.text("/").await;
    let mut found: Vec<String> = Vec::new();
    for part in page.split('"').filter(|part| part.starts_with("/icons/favicon/")) {
        if !found.iter().any(|known| known == part) {
            found.push(part.to_owned());
        }
    }
    found
}

async fn has_picture(replica: &Replica, icon: &str) -> bool {
    replica.text(icon).await.contains("of-the-service")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_icon_is_fetched_by_one_server_and_without_the_database_by_each() {
    let (found, missing, late) =
        tokio::join!(Upstream::start(picture()), Upstream::start(Behavior::fails(404)), Upstream::start(picture()));
    let item = |upstream: &Upstream| json!({ "title": "App", "url": upstream.url("/"), "icon": "favicon" });
    let items = [item(&found), item(&missing), item(&late)];
    let config = json!({ "appConfig": { "faviconApi": "local" }, "sections": [{ "name": "One", "items": items }] });
    let mut server = Postgres::start(&[]);
    let database = database_of(&server, &config.to_string()).await;
    let first = Replica::start(&database, &[]).await;
    let own = icons(&first).await;
    assert_eq!(own.len(), 3, "{own:?}");
    until(async || has_picture(&first, &own[0]).await).await;
    assert!(!has_picture(&first, &own[1]).await);
    let client = server.client(name_of(&database)).await;
    let stored = async || client.query_one("select count(*) from portico.icons", &[]).await.unwrap().get::<_, i64>(0);
    until(async || stored().await == 2).await;
    let counts = (found.count(), missing.count());
    assert!(counts.0 > 0 && counts.1 > 0, "{counts:?}");

    // What it has fetched, a second one does not; what is missing is not looked for again either.
    let second = Replica::start(&database, &[]).await;
    // A page of one server may be completed by another one.
    assert_eq!(icons(&second).await, own);
    assert!(has_picture(&second, &own[0]).await && !has_picture(&second, &own[1]).await);
    assert_eq!((found.count(), missing.count()), counts);
    // From then on it is in the folder of the second one.
    let before = server.statements(name_of(&database)).len();
    for _ in 0..20 {
        assert!(has_picture(&second, &own[0]).await && !has_picture(&second, &own[1]).await);
    }
    let statements = server.statements(name_of(&database));
    let asked: Vec<_> = statements[before..].iter().filter(|line| line.contains("portico.icons")).collect();
    assert!(asked.is_empty(), "{asked:?}");
    println!("two icons took {counts:?} requests at two servers");

    // When its time is over, the next server fetches it.
    client.execute("update portico.icons set expires = now()", &[]).await.unwrap();
    let third = Replica::start(&database, &[]).await;
    assert_eq!(icons(&third).await, own);
    until(async || has_picture(&third, &own[0]).await).await;
    assert!(found.count() > counts.0);

    assert_eq!(late.count(), 0);
    server.stop();
    until(async || third.text("/readyz").await.contains("degraded")).await;
    until(async || has_picture(&third, &own[2]).await).await;
    assert!(late.count() > 0);
}

#[tokio::test]
async fn the_database_has_the_newest_icons_within_bounds() {
    _ = rustls::crypto::ring::default_provider().install_default();
    let server = Postgres::shared();
    let address = server.database().await;
    let database = Database::at(&address, &Settings::default()).unwrap();
    database.prepare().await.unwrap();
    let hour = Duration::from_secs(3600);
    let icon = SharedIcon { found: Some(("png".to_owned(), Bytes::from(vec![7; 1000]))), lifetime: hour };
    for key in ["a", "b", "c"] {
        database.put_icon(key, &icon).await.unwrap();
    }
    database.put_icon("missing", &SharedIcon { found: None, lifetime: hour }).await.unwrap();
    let over = SharedIcon { lifetime: Duration::ZERO, ..icon.clone() };
    database.put_icon("over", &over).await.unwrap();
    assert_eq!(database.icon("over").await.unwrap(), None);
    let found = database.icon("a").await.unwrap().unwrap();
    assert_eq!(found.found, icon.found);
    assert!(found.lifetime <= hour && found.lifetime > hour / 2, "{found:?}");
    let missing = database.icon("missing").await.unwrap().unwrap();
    assert_eq!(missing.found, None);

    let client = server.client(name_of(&address)).await;
    let keys = async || {
        let rows = client.query("select key from portico.icons order by at", &[]).await.unwrap();
        rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>()
    };
    database.trim_icons(100, 1_000_000).await.unwrap();
    assert_eq!(keys().await, ["a", "b", "c", "missing"]);
    // What is stored again is the newest.
    database.put_icon("a", &icon).await.unwrap();
    database.trim_icons(3, 1_000_000).await.unwrap();
    assert_eq!(keys().await, ["c", "missing", "a"]);
    database.trim_icons(100, 1500).await.unwrap();
    assert_eq!(keys().await, ["missing", "a"]);
}
