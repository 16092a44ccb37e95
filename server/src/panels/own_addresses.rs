//! Addresses that begin with a slash: this server answers a widget's requests to them itself, without HTTP.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use bytes::Bytes;
use tokio::{sync::Mutex, time::Instant};
use widgets::Moment;

use crate::{
    http_client::HttpRequest,
    panels::service_status::{self, ItemStatuses},
    platform::system_info::Machine,
    store::user_files,
};

/// How long the system information is fresh.
const LIFE_OF_FACTS: Duration = Duration::from_secs(1);

/// The paths that this server answers itself. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OwnAddresses {
    directory: PathBuf,
    machine: Machine,
    facts: Arc<Mutex<Option<(Instant, Bytes)>>>,
    services: Option<ItemStatuses>,
}

impl OwnAddresses {
    /// The files of a user-data directory, and system information.
    pub fn new(directory: PathBuf, machine: Machine) -> Self {
        Self { directory, machine, facts: Arc::default(), services: None }
    }

    /// With the results of the server's own status checks.
    #[must_use]
    pub fn with_services(self, services: ItemStatuses) -> Self {
        Self { services: Some(services), ..self }
    }

    /// The content at a path, with its type. The files are those that every viewer may open.
    pub async fn get(&self, address: &str) -> Option<(Bytes, String)> {
        let path = address.split(['?', '#']).next().unwrap_or_default();
        if path == "/system-info" {
            return Some((self.system_info().await, "application/json".to_owned()));
        }
        if path == service_status::PATH {
            let query = address.split(['?', '#']).nth(1).unwrap_or_default();
            return Some((self.services.as_ref()?.respond(query).await, "application/json".to_owned()));
        }
        let (bytes, content_type) = user_files::content(&self.directory, path, HttpRequest::MAX_BYTES).await?;
        Some((bytes, content_type.to_str().unwrap_or_default().to_owned()))
    }

    /// The system information as JSON.
    pub async fn system_info(&self) -> Bytes {
        let mut facts = self.facts.lock().await;
        if let Some((since, bytes)) = &*facts
            && since.elapsed() < LIFE_OF_FACTS
        {
            return bytes.clone();
        }
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = Moment::from_millis(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX));
        let machine = self.machine.clone();
        let read = tokio::task::spawn_blocking(move || machine.facts(now)).await.unwrap_or_default();
        let bytes = Bytes::from(read.to_string());
        *facts = Some((Instant::now(), bytes.clone()));
        bytes
    }
}
