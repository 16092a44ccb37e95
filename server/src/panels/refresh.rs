//! A background refresh that contains failures: a widget that fails unexpectedly loses its own panel, and affects
//! nothing else.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use widgets::{FetchError, Moment};

use crate::platform::{blocking_pool, metrics::metrics, trace};

use super::{
    exchange_log::Failed, isolated::FAILED, panel_cache::PanelCache, panel_entry::PanelEntry, plans::PlannedWidget,
    rendered_panel::RenderedPanel,
};

/// Maximum size of one panel in bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// The result of a refresh.
pub struct Refreshed {
    /// The panel, or why there is none.
    pub outcome: Result<RenderedPanel, Failed>,
    /// The time.
    pub now: Moment,
    /// How long ago another server looked it up, if it was another one.
    pub theirs: Option<Duration>,
}

impl From<(Result<RenderedPanel, Failed>, Moment)> for Refreshed {
    fn from((outcome, now): (Result<RenderedPanel, Failed>, Moment)) -> Self {
        Self { outcome, now, theirs: None }
    }
}

/// Refreshes a panel in the background, and stores the result in its entry. The caller has already started the refresh.
/// `work` returns the result and the time it finished.
pub fn refresh<T: Into<Refreshed> + Send + 'static>(
    cache: Arc<PanelCache>,
    planned: Arc<PlannedWidget>,
    entry: Arc<PanelEntry>,
    work: impl Future<Output = T> + Send + 'static,
) {
    let context = trace::current();
    tokio::spawn(async move {
        let began = Instant::now();
        let work = trace::within_maybe(context, work);
        // A separate task, so that a panic in a widget ends this refresh and nothing else.
        let refreshed = tokio::spawn(blocking_pool::run(work)).await.map(Into::into);
        let Refreshed { outcome, now, theirs } =
            refreshed.unwrap_or_else(|_| (Err(failed().into()), Moment::default()).into());
        let outcome =
            outcome.and_then(|rendered| if is_too_large(&rendered) { Err(too_large().into()) } else { Ok(rendered) });
        let took = began.elapsed();
        if theirs.is_none() {
            cache.usage.add(planned.key, outcome.is_ok(), took);
            if let (Some(metrics), Some(kind)) = (metrics(), planned.kind) {
                metrics.lookup(kind.name(), outcome.is_ok(), took);
            }
        }
        let error = outcome.as_ref().err().map(|failed| failed.error.clone());
        let has_changed = entry.end_as(outcome, now, theirs);
        match error {
            Some(error) if has_changed => log(&planned, &error),
            None if has_changed => tracing::info!(widget = planned.kind_name(), "looked up again"),
            _ => {}
        }
        cache.sweep();
    });
}

pub fn log(planned: &PlannedWidget, error: &FetchError) {
    tracing::warn!(widget = planned.kind_name(), "{}", planned.secrets.blank(&error.to_string()));
}

pub fn failed() -> FetchError {
    FetchError::message(FAILED)
}

/// Whether a panel is too large for a page.
pub fn is_too_large(rendered: &RenderedPanel) -> bool {
    rendered.length() > MAX_BYTES
}

pub fn too_large() -> FetchError {
    FetchError::message("This is too much to show.")
}
