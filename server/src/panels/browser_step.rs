//! One step of a lookup whose requests the viewer's browser makes.

use std::{future::poll_fn, pin::pin, task::Poll};

use app::backend::BrowserRequest;
use widgets::{FetchError, Kind, Panel};

use super::{
    browser_requests::{BrowserRequests, MAX_REQUESTS},
    exchange_log::Failed,
    plans::PlannedWidget,
    run::DataSource,
};

/// The result of a step.
#[derive(Debug)]
pub enum Progress {
    /// The browser has to make these requests first.
    Wants(Vec<BrowserRequest>),
    /// The widget has everything it needs.
    Done(Box<Panel>),
}

/// Runs a widget until it has everything it needs, or needs requests to be made.
///
/// # Errors
///
/// The message for the viewer.
pub async fn step(kind: Kind, planned: &PlannedWidget, requests: BrowserRequests) -> Result<Progress, Failed> {
    let source = DataSource::BrowserRequests(Box::new(requests));
    let DataSource::BrowserRequests(requests) = &source else { return Err(FetchError::NeedsServer.into()) };
    let mut fetch = pin!(kind.fetch(&planned.entry, &source));
    poll_fn(|task| match fetch.as_mut().poll(task) {
        Poll::Ready(outcome) => Poll::Ready(match outcome {
            Ok(panel) => Ok(Progress::Done(Box::new(panel))),
            Err(error) => Err(requests.exchanges.explain(error)),
        }),
        // The widget has used all available responses, and waits for more.
        Poll::Pending => match requests.with(|wanted| std::mem::take(&mut wanted.requests)) {
            wanted if wanted.is_empty() => Poll::Pending,
            wanted if wanted.len() + requests.responses.len() > MAX_REQUESTS => {
                Poll::Ready(Err(FetchError::message("This widget makes too many requests.").into()))
            }
            wanted => Poll::Ready(Ok(Progress::Wants(wanted))),
        },
    })
    .await
}
