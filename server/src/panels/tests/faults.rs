//! Widgets that fail unexpectedly: the page, other widgets and all waiting viewers carry on.

use async_trait::async_trait;
use std::{sync::Arc, time::Duration};

use app::backend::{PanelQuery, PanelState};
use config::{Config, Document};
use widgets::{FetchError, Kind, Moment, Request, Response, Side, ViewerHints, WidgetContext, panel::Paragraph};

use super::super::{
    isolated::{FAILED, isolated},
    panel_entry::PanelEntry,
    refresh,
    rendered_panel::RenderedPanel,
    *,
};
use crate::{
    panels::own_addresses::OwnAddresses,
    platform::system_info::Machine,
    settings::{HttpClientSettings, variables::Variables},
};

/// A `WidgetContext` in which every request panics.
#[derive(Default)]
struct Faulty(ViewerHints);

#[async_trait]
impl WidgetContext for Faulty {
    async fn exchange(&self, _request: Request) -> Result<Response, FetchError> {
        panic!("a panic of this test")
    }

    fn now(&self) -> Moment {
        Moment::default()
    }

    fn side(&self) -> Side {
        Side::Server
    }

    fn viewer(&self) -> &ViewerHints {
        &self.0
    }
}

fn panels() -> Arc<Panels> {
    _ = rustls::crypto::ring::default_provider().install_default();
    let http_client = HttpClient::new(HttpClientSettings::default()).unwrap();
    let own = OwnAddresses::new("nowhere".into(), Machine::new(None));
    Arc::new(Panels::new(http_client, own, ""))
}

/// The plan of a widget that queries a service, and the key of its panel, whose lookup has started.
fn begun(panels: &Panels) -> (Arc<PlannedWidget>, Arc<PanelEntry>) {
    let text = "sections:\n  - name: A\n    widgets:\n      - { type: api-response, options: { url: 'https://api.example/' } }\n";
    let document = Document::parse(text.as_bytes()).unwrap();
    let plans = WidgetPlans::of(&Config::read(&document).unwrap(), &document, &Variables::default());
    let planned = Arc::clone(plans.get(0, 0).unwrap());
    let (entry, _) = panels.entry(&planned, &ViewerHints::default());
    assert!(entry.begin(Duration::from_secs(60), false));
    (planned, entry)
}

fn rendered(text: &'static str) -> RenderedPanel {
    RenderedPanel::new(Panel::new(vec![Paragraph::new(text).into()]), String::new(), Moment::default())
}

/// A lookup whose widget panics in the middle of a request.
async fn panics(planned: Arc<PlannedWidget>) -> (Result<RenderedPanel, Failed>, Moment) {
    tokio::time::sleep(Duration::from_secs(1)).await;
    let panel = Kind::ApiResponse.fetch(&planned.entry, &Faulty::default()).await;
    let rendered = panel.map(|_| rendered(""));
    (rendered.map_err(Failed::from), Moment::default())
}

async fn succeeds() -> (Result<RenderedPanel, Failed>, Moment) {
    (Ok(rendered("all is well")), Moment::default())
}

#[tokio::test(start_paused = true)]
async fn a_panic_frees_all_waiters_and_is_reported() {
    let panels = panels();
    let (planned, entry) = begun(&panels);
    let crowd = (0..20).map(|_| {
        let (panels, planned) = (Arc::clone(&panels), Arc::clone(&planned));
        tokio::spawn(async move { panels.request(&planned, &PanelQuery::default(), false).await })
    });
    let crowd: Vec<_> = crowd.collect();
    let work = panics(Arc::clone(&planned));
    refresh::refresh(Arc::clone(&panels.cache), Arc::clone(&planned), Arc::clone(&entry), work);
    for answer in crowd {
        let answer = answer.await.unwrap();
        assert_eq!((answer.state, answer.note.as_deref()), (PanelState::Error, Some(FAILED)));
        assert!(answer.next.is_some_and(|next| next <= 5), "{answer:?}");
    }
    let page = panels.cached(&planned, None, false).unwrap();
    assert_eq!(page.response.note.as_deref(), Some(FAILED));
    // The next lookup may succeed, and a later panic does not lose that result.
    for (work, state) in [(false, PanelState::Content), (true, PanelState::Stale)] {
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(entry.begin(Duration::from_secs(60), false));
        let mut ended = entry.ended();
        let (cache, kept) = (Arc::clone(&panels.cache), Arc::clone(&entry));
        if work {
            refresh::refresh(cache, Arc::clone(&planned), kept, panics(Arc::clone(&planned)));
        } else {
            refresh::refresh(cache, Arc::clone(&planned), kept, succeeds());
        }
        ended.changed().await.unwrap();
        let answer = panels.request(&planned, &PanelQuery::default(), false).await;
        assert_eq!(answer.state, state);
        assert!(answer.html.as_deref().unwrap().contains("all is well"), "{answer:?}");
    }
}

#[tokio::test]
async fn a_panic_while_rendering_is_reported() {
    let panels = panels();
    let (planned, entry) = begun(&panels);
    let mut ended = entry.ended();
    async fn breaks() -> Refreshed {
        panic!("a panic of this test")
    }
    refresh::refresh(Arc::clone(&panels.cache), planned, Arc::clone(&entry), breaks());
    ended.changed().await.unwrap();
    let known = entry.known();
    assert!(!known.refreshing && known.failure.is_some_and(|failure| failure.error == FetchError::message(FAILED)));
    assert_eq!(isolated(|| "drawn"), Some("drawn"));
    assert_eq!(isolated(|| -> u8 { panic!("a panic of this test") }), None);
}
