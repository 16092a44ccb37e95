//! Lookups that several servers share through their database: one of them runs each, and all show its panel. Each server renders
//! panels itself, so it also serves their pictures.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use widgets::{Moment, Panel, WidgetContext as _};

use super::{
    PanelKey, Pictures, PlannedWidget, context,
    exchange_log::Failed,
    panel_entry::PanelEntry,
    refresh::Refreshed,
    rendered_panel::RenderedPanel,
    run::{Lookup, render},
};
use crate::{
    database::{Database, News, Turn},
    platform::blocking_pool,
};

/// With more panels than this, those that are gone are forgotten.
const MAX_EXPECTED: usize = 4096;

/// The lookups of all servers.
#[derive(Debug)]
pub struct Shared {
    database: Arc<Database>,
    pictures: Arc<Pictures>,
    /// The panels that this server shows.
    expected: Mutex<HashMap<String, Expected>>,
}

#[derive(Clone, Debug)]
struct Expected {
    planned: Weak<PlannedWidget>,
    entry: Weak<PanelEntry>,
}

/// The result of a lookup.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
enum Found {
    Panel {
        panel: Panel,
        /// How old its data were at the end of the lookup, in milliseconds. Clocks of servers may differ.
        age: i64,
    },
    Failure(Failed),
}

impl Shared {
    /// Shares lookups, and shows what other servers look up.
    pub fn start(database: Arc<Database>, pictures: Arc<Pictures>) -> Arc<Self> {
        let news = database.news();
        let shared = Arc::new(Self { database, pictures, expected: Mutex::default() });
        tokio::spawn(follow(Arc::downgrade(&shared), news));
        shared
    }

    /// Remembers that this server shows a panel.
    pub fn expect(&self, key: &PanelKey, planned: &Arc<PlannedWidget>, entry: &Arc<PanelEntry>) {
        let mut expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        if expected.len() >= MAX_EXPECTED {
            expected.retain(|_, one| one.entry.strong_count() > 0 && one.planned.strong_count() > 0);
        }
        let one = Expected { planned: Arc::downgrade(planned), entry: Arc::downgrade(entry) };
        expected.insert(name_of(key), one);
    }

    /// Runs a lookup, unless another server has done so within `max_age`.
    pub async fn run(&self, lookup: &Lookup, key: &PanelKey, max_age: Duration) -> Refreshed {
        let turn = self.database.turn(&name_of(key), max_age).await;
        if let Turn::Theirs(value, age) = &turn
            && let Some(refreshed) = theirs(value, *age, &lookup.planned, &self.pictures)
        {
            return refreshed;
        }
        let found = lookup.find().await;
        let now = lookup.source.now();
        if let Turn::Ours(lease) = turn {
            let (shared, has_failed) = match &found {
                Ok((panel, at)) => (Found::Panel { panel: panel.clone(), age: now.millis() - at.millis() }, false),
                Err(failed) => (Found::Failure(failed.clone()), true),
            };
            match serde_json::to_string(&shared) {
                Ok(value) => lease.finish(&value, has_failed).await,
                Err(error) => tracing::warn!("a panel cannot be shared: {error}"),
            }
        }
        let rendered: Result<RenderedPanel, Failed> =
            found.map(|(panel, at)| render(panel, &lookup.planned, &lookup.pictures, at));
        Refreshed { outcome: rendered, now, theirs: None }
    }

    /// Shows what another server has looked up.
    async fn show(&self, news: News) {
        let Some(value) = news.value else { return };
        let expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner).get(&*news.key).cloned();
        let Some(expected) = expected else { return };
        let (Some(planned), Some(entry)) = (expected.planned.upgrade(), expected.entry.upgrade()) else { return };
        // A refresh that is waiting for it gets it anyway.
        if entry.known().refreshing {
            return;
        }
        let pictures = Arc::clone(&self.pictures);
        let work = async move {
            if let Some(Refreshed { outcome, now, theirs }) = theirs(&value, Duration::ZERO, &planned, &pictures) {
                entry.end_as(outcome, now, theirs);
            }
        };
        // A separate task, so that a panic ends nothing else.
        _ = tokio::spawn(blocking_pool::run(work)).await;
    }
}

/// What another server has found out so long ago; `None` for a result that this version cannot read.
fn theirs(value: &str, age: Duration, planned: &PlannedWidget, pictures: &Pictures) -> Option<Refreshed> {
    let now = context::now();
    let outcome = match serde_json::from_str(value).ok()? {
        Found::Panel { panel, age: of_data } => {
            let of_lookup = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
            let at = Moment::from_millis(now.millis().saturating_sub(of_data).saturating_sub(of_lookup));
            Ok(render(panel, planned, pictures, at))
        }
        Found::Failure(failed) => Err(failed),
    };
    Some(Refreshed { outcome, now, theirs: Some(age) })
}

async fn follow(shared: Weak<Shared>, mut news: Receiver<News>) {
    loop {
        match news.recv().await {
            Ok(news) if news.key.starts_with(PREFIX) => {
                let Some(shared) = shared.upgrade() else { return };
                shared.show(news).await;
            }
            // What is missed is read when the panel is due.
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

/// What the keys of panels begin with.
const PREFIX: &str = "panel/";

fn name_of(key: &PanelKey) -> String {
    format!("{PREFIX}{}", hex::encode(key.bytes()))
}
