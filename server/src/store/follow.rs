//! Applies what other servers change in the database.

use std::sync::Arc;

use super::Store;
use crate::database::Event;

impl Store {
    /// Applies what other servers change in the database, forever; returns at once without a database. `list_pictures` lists the
    /// user's pictures, as for [`Store::watch`]; it may block.
    pub async fn follow_database(self: Arc<Self>, list_pictures: Arc<dyn Fn() -> bool + Send + Sync>) {
        let Some(replica) = &self.replica else { return };
        let mut events = replica.database().listen();
        while let Some(event) = events.recv().await {
            let changed = match event {
                Event::Compare => replica.compare().await,
                Event::File { name, revision } => replica.fetch(&name, revision).await,
            };
            match changed {
                Ok(false) => continue,
                Ok(true) => {}
                Err(error) => {
                    // The listener notices it too, and everything is compared when it is back.
                    tracing::debug!("changes cannot be fetched: {error}");
                    continue;
                }
            }
            self.reload_if_changed().await;
            let list = Arc::clone(&list_pictures);
            if tokio::task::spawn_blocking(move || list()).await.unwrap_or_default() {
                self.touch();
            }
        }
    }
}
