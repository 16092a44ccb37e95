//! Sub-pages on other hosts: fetched by the server with the guards of all outgoing requests, cached for a while, and
//! kept while their source is down (docs/spec/config.md 4).

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use bytes::Bytes;
use config::{Config, Document, MAX_WRITTEN_BYTES, model::PageSource};
use tokio::time::Instant;
use url::Url;

use super::{ConfigFile, FileFailure, Store};
use crate::{
    http_client::{HttpClient, HttpRequest, Purpose, is_evidently_private, plain_host},
    platform::blocking_pool,
};

/// Time for one fetch.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long a copy is fresh.
const KEEP: Duration = Duration::from_secs(300);
/// How long a failure is cached.
const RETRY: Duration = Duration::from_secs(60);
/// Time between two checks for due fetches.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The state of one remote page.
#[derive(Clone, Debug, Default)]
pub struct Copy {
    /// The last readable copy.
    pub file: Option<Arc<ConfigFile>>,
    /// Why there is no newer copy.
    pub failure: Option<Arc<FileFailure>>,
}

#[derive(Debug)]
struct CachedCopy {
    copy: Copy,
    bytes: Option<Bytes>,
    due: Instant,
    /// The root config that the copy was merged with.
    root: Arc<ConfigFile>,
}

/// The remote pages of the root config.
#[derive(Debug, Default)]
pub struct RemotePages {
    kept: RwLock<HashMap<String, CachedCopy>>,
}

impl RemotePages {
    /// The state of a page; `None` if it has not been fetched yet. Never waits.
    pub fn get(&self, address: &str) -> Option<Copy> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).get(address).map(|kept| kept.copy.clone())
    }

    /// Fetches what is due, forever, and makes rendered pages stale when something has changed.
    pub async fn watch(self: Arc<Self>, store: Arc<Store>, http_client: HttpClient) {
        loop {
            if self.refresh(&store, &http_client).await {
                store.touch();
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Fetches what is due, once, and says whether a page looks different now.
    pub async fn refresh(&self, store: &Store, http_client: &HttpClient) -> bool {
        let site = store.site();
        let Some(root) = &site.root else { return false };
        let mut changed = false;
        for page in &root.config.pages {
            let PageSource::Remote(address) = &page.source else { continue };
            let due = {
                let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
                kept.get(address).map(|kept| (kept.due, Arc::ptr_eq(&kept.root, root), kept.bytes.clone()))
            };
            let fetched = match due {
                // The root has changed: the copy is parsed again, not fetched again.
                Some((due, false, Some(bytes))) if due > Instant::now() => Ok(bytes),
                Some((due, ..)) if due > Instant::now() => continue,
                _ => fetch(http_client, &page.name, address).await,
            };
            let read = match fetched {
                Ok(bytes) => read(root, &page.name, address, bytes).await,
                Err(failure) => Err(failure),
            };
            changed |= self.keep(address, root, &page.name, read);
        }
        changed
    }

    /// Stores the result of a fetch and returns whether the page looks different now.
    fn keep(
        &self,
        address: &str,
        root: &Arc<ConfigFile>,
        name: &str,
        read: Result<(Arc<ConfigFile>, Bytes), FileFailure>,
    ) -> bool {
        let mut all = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        let before = all.remove(address);
        let root = Arc::clone(root);
        let (kept, changed) = match read {
            Ok((file, bytes)) => {
                let same = before.as_ref().is_some_and(|before| {
                    before.bytes.as_ref() == Some(&bytes)
                        && before.copy.failure.is_none()
                        && Arc::ptr_eq(&before.root, &root)
                });
                let copy = Copy { file: Some(file), failure: None };
                (CachedCopy { copy, bytes: Some(bytes), due: Instant::now() + KEEP, root }, !same)
            }
            Err(failure) => {
                tracing::warn!("remote page `{name}`: {}", failure.reason);
                let failure = Some(Arc::new(failure));
                let same = before.as_ref().is_some_and(|before| before.copy.failure == failure);
                let (file, bytes) = before.map(|before| (before.copy.file, before.bytes)).unwrap_or_default();
                (CachedCopy { copy: Copy { file, failure }, bytes, due: Instant::now() + RETRY, root }, !same)
            }
        };
        all.insert(address.to_owned(), kept);
        changed
    }
}

async fn fetch(http_client: &HttpClient, name: &str, address: &str) -> Result<Bytes, FileFailure> {
    let request =
        HttpRequest { timeout: TIMEOUT, max_bytes: MAX_WRITTEN_BYTES, ..HttpRequest::get(Purpose::Lookup, address) };
    let reply = http_client.send(request).await.map_err(|error| failed(name, error.to_string()))?;
    if !reply.status.is_success() {
        let host = reply.final_url.host_str().unwrap_or("its host");
        return Err(failed(name, format!("{host} answers {}", reply.status)));
    }
    Ok(reply.body)
}

/// Parses what was fetched, away from the threads that serve requests.
async fn read(
    root: &Arc<ConfigFile>,
    name: &str,
    address: &str,
    bytes: Bytes,
) -> Result<(Arc<ConfigFile>, Bytes), FileFailure> {
    let host = Url::parse(address).ok().and_then(|url| url.host_str().map(plain_host)).unwrap_or_default();
    let (root, name) = (Arc::clone(root), name.to_owned());
    blocking_pool::run(async move {
        let file = parse(&root, &name, &host, bytes.clone())?;
        Ok((Arc::new(file), bytes))
    })
    .await
}

fn parse(root: &ConfigFile, name: &str, host: &str, bytes: Bytes) -> Result<ConfigFile, FileFailure> {
    let document = Document::parse_shared(&bytes).map_err(|error| failed(name, error.to_string()))?;
    let config = Config::read_page(&root.document, &document).map_err(|error| failed(name, error.to_string()))?;
    let mut config = config.of_main_file(&root.name);
    keep_browsers_out_of_private_networks(&mut config, root, host);
    Ok(ConfigFile { name: name.to_owned(), bytes, document, config, host: Some(host.to_owned()), stored: false })
}

/// Removes the addresses that browsers request by themselves and that the author of a page on another host may not choose
/// for them: local addresses, and a landing page of the workspace in a private network. Those of the page's own host stay.
fn keep_browsers_out_of_private_networks(config: &mut Config, root: &ConfigFile, host: &str) {
    let is_own = |url: &Url| url.host_str().map(plain_host).as_deref() == Some(host);
    let keep = |address: &mut Option<String>, may_stay: &dyn Fn(&Url) -> bool| {
        let url = address.as_deref().map(Url::parse);
        if url.is_some_and(|url| !url.is_ok_and(|url| may_stay(&url))) {
            *address = None;
        }
    };
    for item in config.sections.iter_mut().flat_map(|section| &mut section.items) {
        keep(&mut item.local_url, &is_own);
        item.sub_items.iter_mut().for_each(|item| keep(&mut item.local_url, &is_own));
    }
    if config.app.workspace_landing_url != root.config.app.workspace_landing_url {
        keep(&mut config.app.workspace_landing_url, &|url| is_own(url) || !is_evidently_private(url));
    }
}

fn failed(name: &str, reason: String) -> FileFailure {
    FileFailure::of_content(name, reason)
}
