//! A main config on another host, whose address is in `VITE_APP_CONFIG_PATH`. The main file of the user-data directory is
//! a copy of it, which cannot be edited here.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use bytes::Bytes;
use config::{Document, MAX_READ_BYTES};

use super::{
    LocalDisk,
    temporary::{FileAccess, Temporary},
};
use crate::{
    http_client::{HttpClient, HttpRequest, Purpose},
    platform::{blocking_pool, io_error::reason},
};

/// Time between two fetches.
const INTERVAL: Duration = Duration::from_secs(5 * 60);
/// The same after one that has failed.
const RETRY: Duration = Duration::from_secs(30);
const TIMEOUT: Duration = Duration::from_secs(5);

/// Fetches the config again and again.
pub async fn follow(http_client: HttpClient, address: String, target: PathBuf) {
    loop {
        let is_fetched = refresh(&http_client, &address, &target).await;
        tokio::time::sleep(if is_fetched { INTERVAL } else { RETRY }).await;
    }
}

/// Fetches the config, and replaces the copy if the two differ. Returns whether the copy is current. If the fetch fails, or
/// its result is not a config, the copy stays and the reason is logged.
pub async fn refresh(http_client: &HttpClient, address: &str, target: &Path) -> bool {
    match try_refresh(http_client, address, target).await {
        Ok(()) => true,
        Err(reason) => {
            tracing::error!("the main config, which VITE_APP_CONFIG_PATH names, is not updated: {reason}");
            false
        }
    }
}

async fn try_refresh(http_client: &HttpClient, address: &str, target: &Path) -> Result<(), String> {
    // The environment names it, so it is fetched even if the server is set to be offline.
    let request =
        HttpRequest { timeout: TIMEOUT, max_bytes: MAX_READ_BYTES, ..HttpRequest::get(Purpose::Configured, address) };
    let reply = http_client.send(request).await.map_err(|error| error.to_string())?;
    if !reply.status.is_success() {
        return Err(format!("its host answers {}", reply.status));
    }
    let bytes = reply.body;
    if tokio::fs::read(target).await.is_ok_and(|copy| copy == bytes) {
        return Ok(());
    }
    let text = bytes.clone();
    blocking_pool::run(async move { check(&text) }).await?;
    let path = target.to_owned();
    let written = tokio::task::spawn_blocking(move || write(&path, &bytes)).await;
    written
        .unwrap_or_else(|error| Err(io::Error::other(error)))
        .map_err(|error| format!("the copy cannot be written to {}: {}", target.display(), reason(&error)))
}

fn check(bytes: &Bytes) -> Result<(), String> {
    let document = Document::parse_shared(bytes).map_err(|error| error.to_string())?;
    document.mapping().map(|_| ()).map_err(|error| error.to_string())
}

fn write(target: &Path, bytes: &Bytes) -> io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    Temporary::write(&LocalDisk, folder, &name, bytes, FileAccess::NEW)?.replace(&LocalDisk, target)
}
