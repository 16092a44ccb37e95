//! A database whose disk is full: everything but changes goes on, and changes are possible again as soon as there is room
//! (docs/spec/behavior.md 24.3).

use std::time::Instant;

use serde_json::{Value, json};
use tokio_postgres::{Client, error::SqlState};

use crate::{
    postgres::{Postgres, name_of},
    replicas::{Replica, client, database_of, until},
    upstream::{Behavior, Upstream},
    widget_panels::{PANEL, page, up},
    world::{C, USERS},
};

/// Fills a table to its last byte. The statement inserts rows for texts.
async fn fill(database: &Client, insert: &str) {
    let texts = "from (select repeat('x', $2) || random() from generate_series(1, $1)) as texts (text)";
    let insert = format!("insert into portico.{insert} {texts}");
    for (rows, length) in [(200_i32, 1500_i32), (200, 50), (1, 50), (1, 1)] {
        let error = loop {
            if let Err(error) = database.execute(&insert, &[&rows, &length]).await {
                break error;
            }
        };
        assert_eq!(error.code(), Some(&SqlState::DISK_FULL), "{error:?}");
    }
}

/// Changes the title with the token of the API.
async fn change(replica: &Replica, title: &str) -> (u16, String) {
    let request = client().put(format!("{}{C}/pageInfo", replica.address)).bearer_auth("t0k");
    let request = request.header("content-type", "application/json").body(json!({ "title": title }).to_string());
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

/// The title and the panel that a person sees.
async fn sees(replica: &Replica, cookies: &str, path: &str, text: &str) -> bool {
    let request = client().get(format!("{}{path}", replica.address)).header("cookie", cookies);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    response.text().await.unwrap().contains(text)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_of_the_database_refuses_changes_until_there_is_room_and_loses_nothing() {
    // No room is found by tidying up.
    let server = Postgres::start(&["autovacuum = off"]);
    let upstream = Upstream::start(up()).await;
    let config = format!("pageInfo: {{ title: Base }}\n{USERS}{}", page(&upstream, "updateInterval: 5"));
    let database = database_of(&server, &config).await;
    let variables = [("API_TOKEN", "t0k")];
    let (first, second) = tokio::join!(Replica::start(&database, &variables), Replica::start(&database, &variables));
    assert_eq!(change(&first, "Before").await.0, 200);
    let anna = first.sign_in("anna").await;
    let bob = first.sign_in("bob").await;
    until(async || sees(&second, &anna, "/", "Before").await).await;
    until(async || sees(&second, &anna, PANEL, "all is well").await).await;

    server.fill_disk();
    let ballast = server.client(name_of(&database)).await;
    let revision = "(select least(min(revision), 0) from portico.revisions) - row_number() over ()";
    for insert in [
        "sign_outs (person, at) select text, 0",
        "states (key) select text",
        "icons (key, at, expires) select text, now(), now()",
        &format!("revisions (revision, file, at, backup) select {revision}, 'ballast', 0, text"),
    ] {
        fill(&ballast, insert).await;
    }

    // Pages, panels and sessions go on, also with what is new.
    upstream.now(Behavior::json(r#"{"state":"all is better"}"#));
    for replica in [&first, &second] {
        assert!(sees(replica, &anna, "/", "Before").await);
        until(async || sees(replica, &anna, PANEL, "all is better").await).await;
        let (status, answer) = change(replica, "Refused").await;
        assert_eq!(status, 503, "{answer}");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let expected = "`conf.yml` cannot be changed: the disk of the database is full; try again later";
        assert_eq!(answer["message"], expected);
        assert!(sees(replica, &anna, "/", "Before").await);
    }
    // Signing in and out works, at this server for now.
    let other = second.sign_in("anna").await;
    assert!(first.lets_in(&other).await);
    first.sign_out(&bob).await;
    assert!(!first.lets_in(&bob).await);
    assert!(second.lets_in(&bob).await, "the disk is not full");

    server.empty_disk();
    let room = Instant::now();
    until(async || change(&second, "After").await.0 == 200).await;
    let changed = room.elapsed();
    until(async || sees(&first, &anna, "/", "After").await).await;
    until(async || !second.lets_in(&bob).await).await;
    println!("with room again: a change after {changed:?}, the sign-out at all servers after {:?}", room.elapsed());
    // Nothing of what was refused is there, and everything else is.
    let changes = "select change::json ->> 'diff' from portico.revisions where change is not null order by revision";
    let rows = ballast.query(changes, &[]).await.unwrap();
    let differences: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(differences.len(), 2, "{differences:?}");
    assert!(differences[0].contains("Before") && differences[1].contains("After"), "{differences:?}");
}
