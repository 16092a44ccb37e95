//! The `WidgetContext` of a widget whose service is queried by the viewer's browser, because the response depends on the
//! viewer.
//!
//! The widget runs here, like all others, and its requests are sent to the browser. When the browser returns the
//! responses, the widget runs again from the beginning with them, until it makes no new requests. So no state is kept
//! between two steps, and the browser needs no widget code.
//!
//! The browser's data may be forged. The widget's own code parses it, and does not trust services either. The panel goes
//! back to the same browser: it is not cached, cannot make this server fetch pictures, and leaves nothing in the memory
//! that widgets share.

use std::{
    collections::HashMap,
    future::pending,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use app::backend::{BrowserFailure, BrowserRequest, BrowserResponse};
use sha2::{Digest as _, Sha256};
use widgets::{FetchError, Moment, Request, Response, ViewerHints};

use super::{exchange_log::ExchangeLog, plans::PlannedWidget};

/// Maximum bytes of one response. The browser has to send it here, often through a proxy with a limit of a megabyte.
const MAX_BYTES: u32 = 400_000;
/// Maximum requests of one lookup.
pub(super) const MAX_REQUESTS: usize = 16;
/// A lookup that claims to have started longer ago than this starts now.
const LONGEST: Duration = Duration::from_secs(600);

/// The responses of one lookup so far, and the requests that remain.
#[derive(Debug)]
pub struct BrowserRequests {
    pub(super) responses: HashMap<String, BrowserResponse>,
    wanted: Mutex<WantedRequests>,
    began: Moment,
    now: Moment,
    viewer: ViewerHints,
    timeout: Duration,
    pub(super) exchanges: ExchangeLog,
}

#[derive(Debug, Default)]
pub(super) struct WantedRequests {
    pub(super) requests: Vec<BrowserRequest>,
    /// How often each request was made: the same request may occur twice.
    counts: HashMap<String, usize>,
}

impl BrowserRequests {
    /// A step of a lookup that started at this time, if that is plausible.
    pub fn new(
        planned: &PlannedWidget,
        viewer: ViewerHints,
        began: Option<Moment>,
        now: Moment,
        all: Vec<BrowserResponse>,
    ) -> Self {
        let is_plausible = |began: &Moment| *began <= now && now.since(*began) <= LONGEST;
        Self {
            responses: all.into_iter().map(|response| (response.id.clone(), response)).collect(),
            wanted: Mutex::default(),
            began: began.filter(is_plausible).unwrap_or(now),
            now,
            viewer,
            timeout: planned.entry.timeout,
            exchanges: ExchangeLog::default(),
        }
    }

    /// When the lookup started. The widget sees this time in every step, so that it makes the same requests each time.
    pub fn began(&self) -> Moment {
        self.began
    }

    /// The viewer.
    pub fn viewer(&self) -> &ViewerHints {
        &self.viewer
    }

    /// The outcome of the requests.
    pub fn exchanges(&self) -> &ExchangeLog {
        &self.exchanges
    }

    /// The response to a request; never resolves if the request has not been made yet.
    pub async fn exchange(&self, request: Request) -> Result<Response, FetchError> {
        let host = request.host().to_owned();
        let limit = request.timeout.map_or(self.timeout, |own| own.min(self.timeout));
        let id = self.id(&request);
        let Some(response) = self.responses.get(&id) else {
            self.with(|wanted| wanted.requests.push(browser_request(id, request, limit)));
            return pending().await;
        };
        let unreachable = |reason: &str| FetchError::Unreachable { host: host.clone(), reason: reason.to_owned() };
        match response.failure {
            None => Ok(Response {
                status: response.status,
                headers: response.headers.clone(),
                body: response.body.clone().into_bytes(),
                host,
                received: self.now,
            }),
            Some(BrowserFailure::Offline) => Err(unreachable("this device has no connection")),
            Some(BrowserFailure::Unreachable) => Err(unreachable("no answer")),
            Some(BrowserFailure::BrokenOff) => Err(unreachable("the response was cut off")),
            Some(BrowserFailure::Blocked) => Err(FetchError::CallBlocked { host }),
            Some(BrowserFailure::TimedOut) => Err(FetchError::TimedOut { host, after: limit }),
            Some(BrowserFailure::TooLarge) => Err(FetchError::TooLarge { host }),
        }
    }

    pub(super) fn with<T>(&self, change: impl FnOnce(&mut WantedRequests) -> T) -> T {
        change(&mut self.wanted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Identifies a request by its content, not by its order, which depends on the responses that are available.
    fn id(&self, request: &Request) -> String {
        let mut digest = Sha256::new();
        let headers = request.headers.iter().flat_map(|(name, value)| [name.as_bytes(), value.as_bytes()]);
        let body = request.body.iter().flat_map(|body| [body.content_type.as_bytes(), &body.bytes]);
        for part in [request.method.word().as_bytes(), request.url.as_bytes()].into_iter().chain(headers).chain(body) {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        let same = hex::encode(&digest.finalize()[..8]);
        let turn = self.with(|wanted| {
            let turn = wanted.counts.entry(same.clone()).or_default();
            *turn += 1;
            *turn
        });
        format!("{same}-{turn}")
    }
}

fn browser_request(id: String, request: Request, limit: Duration) -> BrowserRequest {
    let mut headers = request.headers;
    let body = request.body.map(|body| {
        headers.push(("Content-Type".to_owned(), body.content_type));
        String::from_utf8_lossy(&body.bytes).into_owned()
    });
    let max_bytes = request.max_bytes.and_then(|max| u32::try_from(max).ok());
    BrowserRequest {
        id,
        method: request.method.word().to_owned(),
        url: request.url,
        headers,
        body,
        timeout: u32::try_from(limit.as_millis()).unwrap_or(u32::MAX),
        max_bytes: max_bytes.unwrap_or(MAX_BYTES).min(MAX_BYTES),
    }
}

#[cfg(test)]
mod tests {
    use config::{Config, Document};
    use widgets::Kind;

    use super::{
        super::{
            WidgetPlans,
            browser_step::{Progress, step},
            exchange_log::Failed,
            plans::PlannedWidget,
        },
        *,
    };
    use crate::settings::variables::Variables;

    fn planned() -> std::sync::Arc<PlannedWidget> {
        let text = "sections: [{ name: A, widgets: [{ type: public-ip, timeout: 2500 }] }]\n";
        let document = Document::parse(text.as_bytes()).unwrap();
        let variables = Variables::of(Vec::<(String, String)>::new());
        std::sync::Arc::clone(
            WidgetPlans::of(&Config::read(&document).unwrap(), &document, &variables).get(0, 0).unwrap(),
        )
    }

    fn requests(began: Option<i64>, all: Vec<BrowserResponse>) -> BrowserRequests {
        let now = Moment::from_seconds(1_000_000);
        BrowserRequests::new(&planned(), ViewerHints::default(), began.map(Moment::from_seconds), now, all)
    }

    async fn take(all: Vec<BrowserResponse>) -> Result<Progress, Failed> {
        step(Kind::PublicIp, &planned(), requests(None, all)).await
    }

    #[tokio::test]
    async fn the_widget_reads_the_responses_of_the_browser() {
        let Ok(Progress::Wants(wanted)) = take(Vec::new()).await else { panic!("nothing is wanted") };
        let [request] = wanted.as_slice() else { panic!("{wanted:?}") };
        assert_eq!((request.url.as_str(), request.timeout), ("https://ipinfo.io/json", 2500));
        let responses = BrowserResponse { id: request.id.clone(), status: 200, ..BrowserResponse::default() };
        let body = r#"{"ip":"203.0.113.7"}"#.to_owned();
        let Ok(Progress::Done(panel)) = take(vec![BrowserResponse { body, ..responses.clone() }]).await else {
            panic!()
        };
        assert_eq!(panel.parts.len(), 1);
        // A failure is reported in the widget's words; responses that were never requested are ignored.
        let blocked = BrowserResponse { failure: Some(BrowserFailure::Blocked), ..responses.clone() };
        let Failed { error, detail } = take(vec![blocked]).await.unwrap_err();
        assert_eq!(detail, None, "the sentence says it all");
        assert!(error.to_string().starts_with("ipinfo.io could not be reached from this browser"), "{error}");
        let late = BrowserResponse { failure: Some(BrowserFailure::TimedOut), ..responses.clone() };
        let error = take(vec![late]).await.unwrap_err().error;
        assert!(error.to_string().contains("did not answer within 2.5 s"), "{error}");
        let other = BrowserResponse { id: "made-up".to_owned(), ..responses };
        assert!(matches!(take(vec![other]).await, Ok(Progress::Wants(_))));
    }

    #[tokio::test]
    async fn the_same_request_twice_is_two_requests_and_others_keep_their_ids() {
        let first = requests(None, Vec::new());
        let [a, b] = ["https://a.example/", "https://b.example/"].map(Request::get);
        let ids = |browser: &BrowserRequests, requests: [&Request; 3]| requests.map(|request| browser.id(request));
        let [one, two, other] = ids(&first, [&a, &a, &b]);
        assert!(one != two && two != other);
        assert_eq!(ids(&requests(None, Vec::new()), [&b, &a, &a]), [other, one, two]);
        let posted = Request::post("https://a.example/").form(&[("a", "b")]);
        assert_ne!(first.id(&posted)[..16], first.id(&a)[..16]);
    }

    #[tokio::test]
    async fn an_endless_lookup_is_given_up() {
        let all =
            (0..MAX_REQUESTS).map(|number| BrowserResponse { id: number.to_string(), ..BrowserResponse::default() });
        let error = take(all.collect()).await.unwrap_err().error;
        assert_eq!(error.to_string(), "This widget makes too many requests.");
    }

    #[test]
    fn a_plausible_start_time_is_used() {
        for (said, expected) in
            [(None, 1_000_000), (Some(999_900), 999_900), (Some(999_000), 1_000_000), (Some(1_000_001), 1_000_000)]
        {
            assert_eq!(requests(said, Vec::new()).began(), Moment::from_seconds(expected), "{said:?}");
        }
    }
}
