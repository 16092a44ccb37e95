//! Follows one topic: a list, then its changes.

use std::time::Duration;

use tokio::{
    sync::mpsc::Sender,
    time::{Instant, sleep},
};

use super::{
    client::{Cluster, ClusterError, Event},
    kinds::Topic,
    objects::Object,
};

/// The waits after a failure: from the first, doubled up to the longest.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// A watch that lasted so long has worked.
const STEADY: Duration = Duration::from_secs(30);
/// The wait after a refusal: somebody has to give a right, or install something.
const REFUSED_WAIT: Duration = Duration::from_secs(300);

/// Something new about a topic.
pub enum News {
    /// The complete list.
    Listed(Vec<(String, Object)>),
    /// An object is new or has changed.
    Put(String, Object),
    /// An object is gone.
    Removed(String),
    /// It cannot be read, and is tried again after this time.
    Failed(ClusterError, Duration),
}

/// Follows a topic until nobody wants its news any more. While nothing happens, nothing is sent.
pub async fn watch(cluster: Cluster, topic: Topic, news: Sender<(Topic, News)>) {
    let mut wait = FIRST_WAIT;
    let mut version = None;
    loop {
        let started = Instant::now();
        let ended = watch_once(&cluster, &topic, &mut version, &news).await;
        let lasted = started.elapsed() >= STEADY;
        if lasted {
            wait = FIRST_WAIT;
        }
        match ended {
            End::Unwanted => return,
            // Servers end streams after some minutes; the changes since then come with the next one.
            End::Finished if lasted => continue,
            End::Finished => {}
            End::Failed(error) => {
                // What happened meanwhile is only known from a new list.
                version = None;
                let is_expired = matches!(error, ClusterError::Expired(_));
                if is_expired && wait == FIRST_WAIT {
                    wait *= 2;
                    continue;
                }
                if error.is_refusal() {
                    wait = REFUSED_WAIT;
                }
                if !is_expired && news.send((topic.clone(), News::Failed(error, wait))).await.is_err() {
                    return;
                }
            }
        }
        sleep(wait).await;
        wait = if wait == REFUSED_WAIT { FIRST_WAIT } else { (wait * 2).min(LONGEST_WAIT) };
    }
}

enum End {
    /// The server has ended the stream.
    Finished,
    Unwanted,
    Failed(ClusterError),
}

/// Follows one stream to its end, from a version on; without one, from a new list on.
async fn watch_once(
    cluster: &Cluster,
    topic: &Topic,
    version: &mut Option<String>,
    news: &Sender<(Topic, News)>,
) -> End {
    let since = match version {
        Some(version) => version,
        None => match cluster.list(topic).await {
            Ok(list) => {
                if news.send((topic.clone(), News::Listed(list.objects))).await.is_err() {
                    return End::Unwanted;
                }
                version.insert(list.version)
            }
            Err(error) => return End::Failed(error),
        },
    };
    let mut watch = match cluster.watch(topic, since).await {
        Ok(watch) => watch,
        Err(error) => return End::Failed(error),
    };
    loop {
        let (change, newer) = match watch.next().await {
            Ok(Some(Event::Put(key, object, newer))) => (Some(News::Put(key, object)), newer),
            Ok(Some(Event::Removed(key, newer))) => (Some(News::Removed(key)), newer),
            Ok(Some(Event::Bookmark(newer))) => (None, newer),
            Ok(None) => return End::Finished,
            Err(error) => return End::Failed(error),
        };
        if let Some(newer) = newer {
            *since = newer;
        }
        if let Some(change) = change
            && news.send((topic.clone(), change)).await.is_err()
        {
            return End::Unwanted;
        }
    }
}
