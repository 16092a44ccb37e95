//! Servers whose clocks are wrong by five minutes: for what they share, the clock of the database counts
//! (docs/spec/behavior.md 24.4).

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use jiff::{Timestamp, fmt::rfc2822};
use serde_json::{Value, json};

use crate::{
    postgres::{Postgres, name_of},
    replicas::{Replica, database_with, until},
    upstream::{Behavior, Upstream},
    widget_panels::{PANEL, up},
    world::{CONF, USERS},
};

/// How wrong the clocks are, in milliseconds.
const ERROR: i64 = 5 * 60 * 1000;
/// How exactly the time is known on a busy machine, in milliseconds.
const TOLERANCE: i64 = 60 * 1000;

/// The library that gives a process another time.
fn faketime() -> PathBuf {
    let tools = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache/portico/tools/faketime"));
    let roots = [Some(PathBuf::from("/")), tools].into_iter().flatten();
    // Debian has a folder for each architecture, others have not.
    let folders = roots.flat_map(|root| {
        let lib = root.join("usr/lib");
        let below = fs::read_dir(&lib).into_iter().flatten().flatten().map(|entry| entry.path());
        below.chain([lib, root.join("usr/lib64")]).collect::<Vec<_>>()
    });
    let mut found = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1"));
    found.find(|path| path.exists()).unwrap_or_else(|| {
        panic!("faketime is missing: run tools/setup-faketime.sh, or install it, for example: apt-get install faketime")
    })
}

/// A server whose clock is ahead by so many seconds.
async fn with_clock(database: &str, ahead: &str) -> Replica {
    let library = faketime();
    let variables = [
        ("LD_PRELOAD", library.to_str().unwrap()),
        ("FAKETIME", ahead),
        // As on a machine whose clock is wrong: time passes as usual.
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ("NO_FAKE_STAT", "1"),
    ];
    Replica::start(database, &variables).await
}

/// Servers whose clocks are ahead, behind and right.
async fn three(database: &str) -> [Replica; 3] {
    let (ahead, behind, right) =
        tokio::join!(with_clock(database, "+300"), with_clock(database, "-300"), Replica::start(database, &[]));
    for (replica, error) in [(&ahead, ERROR), (&behind, -ERROR), (&right, 0)] {
        let (_, own) = answer(replica, "/healthz").await;
        let actual = own - Timestamp::now().as_millisecond();
        assert!((actual - error).abs() < TOLERANCE, "its clock is not wrong: {actual} ms");
    }
    [ahead, behind, right]
}

/// An answer, and the time of the server that gave it, in milliseconds since 1970.
async fn answer(replica: &Replica, path: &str) -> (String, i64) {
    let response = replica.get(path).await.error_for_status().unwrap();
    let date = response.headers()["date"].to_str().unwrap().to_owned();
    let date = rfc2822::parse(&date).unwrap().timestamp().as_millisecond();
    (response.text().await.unwrap(), date)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_and_sign_outs_count_at_servers_whose_clocks_differ() {
    let database = database_with(&format!("{CONF}{USERS}")).await;
    let replicas = three(&database).await;
    let mut sessions = Vec::new();
    for replica in &replicas {
        sessions.push(replica.sign_in("anna").await);
    }
    let bob = replicas[0].sign_in("bob").await;
    for replica in &replicas {
        for cookies in sessions.iter().chain([&bob]) {
            assert!(replica.lets_in(cookies).await);
        }
    }
    // Sessions have whole seconds, and what the servers know of the clock of the database may differ a little.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let [_, behind, _] = &replicas;
    behind.sign_out(&sessions[1]).await;
    let client = Postgres::shared().client(name_of(&database)).await;
    let error = "select at - extract(epoch from clock_timestamp())::int8 from portico.sign_outs";
    let error: i64 = client.query_one(error, &[]).await.unwrap().get(0);
    println!("the time of a sign-out at a server that is 300 s behind is wrong by {error} s");
    // All sessions that began before have ended, those of the server whose clock is ahead too.
    for replica in &replicas {
        for cookies in &sessions {
            until(async || !replica.lets_in(cookies).await).await;
        }
        assert!(replica.lets_in(&bob).await);
    }
    for replica in &replicas {
        let cookies = replica.sign_in("anna").await;
        for other in &replicas {
            assert!(other.lets_in(&cookies).await);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn turns_ages_and_the_order_of_changes_are_right_at_servers_whose_clocks_differ() {
    let (quick, slow) = tokio::join!(Upstream::start(up()), Upstream::start(Behavior::Hangs));
    let widget = |upstream: &Upstream| {
        let options = json!({ "url": upstream.url("/state"), "mappings": [{ "field": "state", "label": "State" }] });
        format!("{{ type: api-response, updateInterval: 5, options: {options} }}")
    };
    let config = format!("sections: [{{ name: Home, widgets: [{}, {}] }}]", widget(&quick), widget(&slow));
    let database = database_with(&config).await;
    let replicas = three(&database).await;

    // A turn that one server has is not over for another one.
    let hanging = PANEL.replace("widget=0", "widget=1");
    futures_util::future::join_all(replicas.iter().map(|replica| replica.get(&hanging))).await;
    until(async || slow.count() > 0).await;
    let began = Instant::now();
    let (mut oldest, mut youngest) = (i64::MIN, i64::MAX);
    while began.elapsed() < Duration::from_secs(6) {
        assert_eq!(slow.count(), 1, "after {:?}", began.elapsed());
        for replica in &replicas {
            let (panel, now) = answer(replica, PANEL).await;
            let panel: Value = serde_json::from_str(&panel).unwrap();
            if let Some(at) = panel["at"].as_i64() {
                (oldest, youngest) = (oldest.max(now - at), youngest.min(now - at));
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // The header has whole seconds.
    assert!(oldest >= youngest && youngest > -1000 && oldest < TOLERANCE, "{youngest} to {oldest} ms");
    let lookups = quick.count();
    println!("{lookups} lookups in {:?}; panels were {youngest} to {oldest} ms old", began.elapsed());
    // One at the beginning, and one for each interval that has gone by.
    let most = 2 + usize::try_from(began.elapsed().as_secs() / 5).unwrap();
    assert!((1..=most).contains(&lookups), "{lookups}");

    for round in 0..2 {
        for (number, replica) in replicas.iter().enumerate() {
            let title = format!("Title {round} {number}");
            assert_eq!(replica.put(&title).await.status(), 200);
            for other in &replicas {
                until(async || other.title().await == title).await;
            }
            // What the servers know of the clock of the database may differ a little.
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    let client = Postgres::shared().client(name_of(&database)).await;
    let rows = "select at, (extract(epoch from clock_timestamp()) * 1000)::int8 from portico.revisions
        where change is not null order by revision";
    let rows = client.query(rows, &[]).await.unwrap();
    let times: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    let now: i64 = rows[0].get(1);
    assert_eq!(times.len(), 6);
    assert!(times.is_sorted() && times.iter().all(|at| (now - at).abs() < TOLERANCE), "{times:?}, now {now}");
}
