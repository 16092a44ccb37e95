use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;

use super::*;
use crate::settings::HttpClientSettings;

fn context(memory: &WidgetMemory) -> ServerContext {
    _ = rustls::crypto::ring::default_provider().install_default();
    let http_client = HttpClient::new(HttpClientSettings::default()).unwrap();
    ServerContext::new(http_client, memory.clone(), &Entry::default(), ViewerHints::default())
}

const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test(start_paused = true)]
async fn of_many_that_want_a_session_one_logs_in() {
    let memory = WidgetMemory::default();
    let logins = Arc::new(AtomicUsize::new(0));
    let lookups = (0..10).map(|_| {
        let (context, logins) = (context(&memory), Arc::clone(&logins));
        tokio::spawn(async move {
            let log_in = async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Ok(json!(logins.fetch_add(1, Ordering::Relaxed)))
            };
            context.recall_or_make("nas", HOUR, Box::pin(log_in)).await
        })
    });
    for lookup in lookups.collect::<Vec<_>>() {
        assert_eq!(lookup.await.unwrap(), Ok(json!(0)));
    }
    assert_eq!(logins.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn a_failed_login_is_not_remembered_and_others_go_on() {
    let memory = WidgetMemory::default();
    let (one, other) = (context(&memory), context(&memory));
    assert_eq!(
        one.recall_or_make("nas", HOUR, Box::pin(async { Err(FetchError::Forbidden) })).await,
        Err(FetchError::Forbidden)
    );
    // A task that panics or gives up while logging in does not block the others.
    let panics = tokio::spawn(async move {
        one.recall_or_make("nas", HOUR, Box::pin(async { panic!("a panic of this test") })).await
    });
    assert!(panics.await.unwrap_err().is_panic());
    assert_eq!(other.recall_or_make("nas", HOUR, Box::pin(async { Ok(json!(3)) })).await, Ok(json!(3)));
    let one = context(&memory);
    let stuck = one.recall_or_make("other", HOUR, Box::pin(std::future::pending()));
    assert!(tokio::time::timeout(Duration::from_secs(1), stuck).await.is_err());
    assert_eq!(other.recall_or_make("other", HOUR, Box::pin(async { Ok(json!(2)) })).await, Ok(json!(2)));
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_newer_than_the_useless_one_is_not_forgotten() {
    let memory = WidgetMemory::default();
    let (one, other) = (context(&memory), context(&memory));
    one.remember("nas", json!("old"), HOUR);
    assert_eq!(other.recall("nas"), Some(json!("old")));
    one.forget("nas");
    one.remember("nas", json!("new"), HOUR);
    other.forget("nas");
    assert_eq!(other.recall("nas"), Some(json!("new")));
    tokio::time::advance(HOUR).await;
    assert_eq!(other.recall("nas"), None);
}
