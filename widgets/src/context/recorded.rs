//! A `WidgetContext` that responds from recordings, for tests and the demo.

use async_trait::async_trait;
use std::{collections::HashMap, sync::Mutex, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FetchError, Method, Request, Response, Side, ViewerHints, WidgetContext};
use crate::Moment;

/// Maximum number of redirects, the same as in the server.
const MAX_REDIRECTS: usize = 5;

/// Responds to requests from a list of exchanges. Its time does not advance.
#[derive(Debug)]
pub struct Recorded {
    exchanges: Vec<Exchange>,
    /// The time that [`WidgetContext::now`] returns.
    pub now: Moment,
    /// The simulated side.
    pub side: Side,
    /// The simulated viewer.
    pub viewer: ViewerHints,
    state: Mutex<RecordedState>,
}

#[derive(Debug, Default)]
struct RecordedState {
    /// How often each exchange has been used.
    uses: Vec<usize>,
    /// The remembered values, and until when.
    memory: HashMap<String, (Value, Moment)>,
    /// The log lines of the widget.
    log_lines: Vec<String>,
    /// The time of the oldest data.
    data_time: Option<Moment>,
}

/// A known request with its response.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The request.
    pub request: RecordedRequest,
    /// The response.
    pub response: RecordedResponse,
}

/// The request of an exchange. Fields that are not set match anything.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRequest {
    /// The method.
    #[serde(default)]
    pub method: Method,
    /// The address. The order of the query does not matter; a `*` at the end matches anything.
    pub url: String,
    /// Headers that the request must contain.
    #[serde(default)]
    pub headers: HashMap<String, String>,
    /// The body: a text, or a value that the body must equal as JSON.
    #[serde(default)]
    pub body: Option<Value>,
}

/// A recorded response.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedResponse {
    /// The status.
    #[serde(default = "ok")]
    pub status: u16,
    /// The headers.
    #[serde(default)]
    pub headers: HashMap<String, String>,
    /// The body: a text, or a value that is sent as JSON.
    #[serde(default)]
    pub body: Option<Value>,
    /// A file with the body, relative to the folder of the case.
    #[serde(default)]
    pub body_file: Option<String>,
    /// An error instead of a response.
    #[serde(default)]
    pub failure: Option<RecordedFailure>,
    /// The bytes of the body, once loaded.
    #[serde(skip)]
    pub(crate) bytes: Vec<u8>,
}

/// The error of an exchange without a response.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordedFailure {
    /// No response in time.
    Timeout,
    /// Nothing listens there.
    Refused,
    /// The certificate is not trusted.
    Untrusted,
    /// The browser forbids it.
    Blocked,
    /// The guards refuse it.
    Forbidden,
    /// The response is too large.
    TooLarge,
}

fn ok() -> u16 {
    200
}

impl Recorded {
    /// Creates a `WidgetContext` with these exchanges.
    #[must_use]
    pub fn new(exchanges: Vec<Exchange>, now: Moment) -> Self {
        let state = RecordedState { uses: vec![0; exchanges.len()], ..RecordedState::default() };
        Self { exchanges, now, side: Side::Server, viewer: ViewerHints::default(), state: Mutex::new(state) }
    }

    /// The addresses of exchanges that were never requested.
    #[must_use]
    pub fn unused(&self) -> Vec<&str> {
        self.with_state(|state| {
            let unused = self.exchanges.iter().zip(&state.uses).filter(|(_, uses)| **uses == 0);
            unused.map(|(exchange, _)| exchange.request.url.as_str()).collect()
        })
    }

    /// The log lines of the widget so far.
    #[must_use]
    pub fn log_lines(&self) -> Vec<String> {
        self.with_state(|state| state.log_lines.clone())
    }

    /// When the oldest data were fetched, if another lookup has fetched them.
    #[must_use]
    pub fn data_time(&self) -> Option<Moment> {
        self.with_state(|state| state.data_time)
    }

    fn with_state<T>(&self, work: impl FnOnce(&mut RecordedState) -> T) -> T {
        // A panic while the state was locked can only have left counts behind that are still valid.
        work(&mut self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// Of the matching exchanges, the first that has not been used yet, otherwise the last.
    fn find(&self, request: &Request) -> Option<&RecordedResponse> {
        let fitting: Vec<usize> =
            (0..self.exchanges.len()).filter(|index| self.exchanges[*index].request.fits(request)).collect();
        let chosen = self.with_state(|state| {
            let fresh = fitting.iter().find(|index| state.uses[**index] == 0);
            let chosen = *fresh.or(fitting.last())?;
            state.uses[chosen] += 1;
            Some(chosen)
        })?;
        Some(&self.exchanges[chosen].response)
    }

    /// The response to a request, without following redirects.
    fn response(&self, request: &Request) -> Result<Response, FetchError> {
        let host = request.host().to_owned();
        let Some(response) = self.find(request) else {
            let reason = format!("{} {} is not recorded", request.method.word(), request.shown_url());
            return Err(FetchError::Unreachable { host, reason });
        };
        if let Some(failure) = response.failure {
            return Err(match failure {
                RecordedFailure::Timeout => FetchError::TimedOut { host, after: Duration::from_secs(10) },
                RecordedFailure::Refused => FetchError::Unreachable { host, reason: "connection refused".to_owned() },
                RecordedFailure::Untrusted => FetchError::Untrusted { host },
                RecordedFailure::Blocked => FetchError::CallBlocked { host },
                RecordedFailure::Forbidden => FetchError::Forbidden,
                RecordedFailure::TooLarge => FetchError::TooLarge { host },
            });
        }
        let headers = response.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let body = match &response.body {
            Some(Value::String(text)) => text.clone().into_bytes(),
            Some(value) => value.to_string().into_bytes(),
            None => response.bytes.clone(),
        };
        Ok(Response { status: response.status, headers, body, host, received: self.now })
    }
}

#[async_trait]
impl WidgetContext for Recorded {
    async fn exchange(&self, mut request: Request) -> Result<Response, FetchError> {
        let host = request.host().to_owned();
        for _ in 0..=MAX_REDIRECTS {
            let reply = Response { host: host.clone(), ..self.response(&request)? };
            match reply.redirect().filter(|_| request.follows_redirects) {
                Some(location) => {
                    let target = url::Url::parse(&request.url).and_then(|base| base.join(location));
                    request.url = target.map_err(|_| reply.unexpected("a redirect to nowhere"))?.to_string();
                }
                None => return Ok(reply),
            }
        }
        Err(FetchError::Unexpected { host, what: "too many redirects".to_owned() })
    }
    fn now(&self) -> Moment {
        self.now
    }

    fn side(&self) -> Side {
        self.side
    }

    fn viewer(&self) -> &ViewerHints {
        &self.viewer
    }

    fn recall(&self, key: &str) -> Option<Value> {
        self.with_state(|state| {
            let found = state.memory.get(key).filter(|(_, until)| *until > self.now);
            found.map(|(value, _)| value.clone())
        })
    }

    fn remember(&self, key: &str, value: Value, life: Duration) {
        let until = self.now.after(life);
        self.with_state(|state| state.memory.insert(key.to_owned(), (value, until)));
    }

    fn forget(&self, key: &str) {
        self.with_state(|state| state.memory.remove(key));
    }

    fn data_from(&self, at: Moment) {
        self.with_state(|state| state.data_time = Some(state.data_time.map_or(at, |before| before.min(at))));
    }

    fn log(&self, line: &str) {
        self.with_state(|state| state.log_lines.push(line.to_owned()));
    }
}

impl RecordedRequest {
    fn fits(&self, request: &Request) -> bool {
        self.method == request.method
            && self.fits_url(&request.url)
            && self.headers.iter().all(|(name, value)| {
                request.headers.iter().any(|(sent, sent_value)| sent.eq_ignore_ascii_case(name) && sent_value == value)
            })
            && self.fits_body(request)
    }

    fn fits_url(&self, url: &str) -> bool {
        let Some(beginning) = self.url.strip_suffix('*') else { return in_order(&self.url) == in_order(url) };
        if url.starts_with(beginning) {
            return true;
        }
        // In any order: every parameter written in full must be there, and one that begins like the last.
        let (Some((path, query)), Some((sent_path, sent_query))) = (beginning.split_once('?'), url.split_once('?'))
        else {
            return false;
        };
        let (whole, last) = query.rsplit_once('&').unwrap_or(("", query));
        let mut parameters: Vec<&str> = sent_query.split('&').collect();
        let mut take = |fits: &dyn Fn(&str) -> bool| {
            let found = parameters.iter().position(|parameter| fits(parameter));
            found.map(|at| parameters.swap_remove(at)).is_some()
        };
        let mut whole = whole.split('&').filter(|parameter| !parameter.is_empty());
        path == sent_path
            && whole.all(|parameter| take(&|sent| sent == parameter))
            && (last.is_empty() || take(&|sent| sent.starts_with(last)))
    }

    fn fits_body(&self, request: &Request) -> bool {
        let sent = request.body.as_ref().map(|body| body.bytes.as_slice()).unwrap_or_default();
        match &self.body {
            None => true,
            Some(Value::String(text)) => text.as_bytes() == sent,
            Some(value) => serde_json::from_slice::<Value>(sent).is_ok_and(|sent| sent == *value),
        }
    }
}

/// An address with its query in alphabetical order.
fn in_order(url: &str) -> (&str, Vec<&str>) {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let mut parameters: Vec<_> = query.split('&').filter(|parameter| !parameter.is_empty()).collect();
    parameters.sort_unstable();
    (path, parameters)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::json;

    use super::*;

    fn recorded(exchanges: Value) -> Recorded {
        Recorded::new(serde_json::from_value(exchanges).unwrap(), Moment::from_seconds(1000))
    }

    fn send(recorded: &Recorded, request: Request) -> Result<String, FetchError> {
        let reply = recorded.exchange(request).now_or_never().unwrap()?;
        Ok(reply.text().into_owned())
    }

    #[test]
    fn exchanges_answer_in_order_and_the_last_one_again() {
        let recorded = recorded(json!([
            { "request": { "url": "https://a.example/x?b=2&a=1" }, "response": { "body": "one" } },
            { "request": { "url": "https://a.example/x?a=1&b=2" }, "response": { "body": { "n": 2 } } },
        ]));
        let get = || send(&recorded, Request::get("https://a.example/x").query("a", 1).query("b", 2)).unwrap();
        assert_eq!([get(), get(), get()], ["one", "{\"n\":2}", "{\"n\":2}"]);
        assert_eq!(recorded.unused(), Vec::<&str>::new());
    }

    #[test]
    fn only_what_is_recorded_is_answered() {
        let recorded = recorded(json!([
            { "request": { "url": "https://a.example/*", "headers": { "x-key": "k" } }, "response": { "body": "get" } },
            { "request": { "method": "POST", "url": "https://a.example/y", "body": { "p": 1 } },
              "response": { "status": 201, "body": "post" } },
            { "request": { "url": "https://b.example/" }, "response": { "failure": "untrusted" } },
        ]));
        let missing = send(&recorded, Request::get("https://a.example/any?q=1")).unwrap_err();
        let expected = "a.example could not be reached (GET https://a.example/any?q=1 is not recorded).";
        assert_eq!(missing.to_string(), expected);
        assert_eq!(recorded.unused().len(), 3);
        assert_eq!(send(&recorded, Request::get("https://a.example/any?q=1").header("X-Key", "k")).unwrap(), "get");
        assert_eq!(send(&recorded, Request::post("https://a.example/y").json(&json!({ "p": 1 }))).unwrap(), "post");
        assert!(send(&recorded, Request::post("https://a.example/y").json(&json!({ "p": 2 }))).is_err());
        let untrusted = FetchError::Untrusted { host: "b.example".to_owned() };
        assert_eq!(send(&recorded, Request::get("https://b.example/")), Err(untrusted));
    }

    #[test]
    fn redirects_are_followed_unless_they_are_wanted() {
        let moved = |from: &str, to: &str| json!({ "request": { "url": from }, "response": { "status": 302, "headers": { "Location": to } } });
        let recorded = recorded(json!([
            moved("https://a.example/x", "/y"),
            { "request": { "url": "https://a.example/y" }, "response": { "body": "here" } },
            moved("https://a.example/round", "/round"),
        ]));
        assert_eq!(send(&recorded, Request::get("https://a.example/x")).unwrap(), "here");
        let reply = recorded.exchange(Request::get("https://a.example/x").without_redirects()).now_or_never().unwrap();
        assert_eq!(reply.unwrap().redirect(), Some("/y"));
        let error = send(&recorded, Request::get("https://a.example/round")).unwrap_err();
        assert_eq!(
            error,
            FetchError::Unexpected { host: "a.example".to_owned(), what: "too many redirects".to_owned() }
        );
    }

    #[test]
    fn any_rest_comes_in_any_order() {
        for (written, sent, fits) in [
            ("https://a.example/v1?a=1&b=*", "https://a.example/v1?b=2&a=1", true),
            ("https://a.example/v1?a=1&b=*", "https://a.example/v1?c=3&b=2&a=1", true),
            ("https://a.example/v1?a=1&*", "https://a.example/v1?c=3&a=1", true),
            ("https://a.example/v1?b=*", "https://a.example/v1?a=1&b=2", true),
            ("https://a.example/v1*", "https://a.example/v1?a=1", true),
            ("https://a.example/v1?a=1&b=*", "https://a.example/v1?b=2&a=11", false),
            ("https://a.example/v1?a=1&b=*", "https://a.example/v1?a=1", false),
            ("https://a.example/v1?a=1&a=*", "https://a.example/v1?a=1", false),
            ("https://a.example/v1?a=1&b=*", "https://a.example/v2?b=2&a=1", false),
        ] {
            let recorded = recorded(json!([{ "request": { "url": written }, "response": {} }]));
            assert_eq!(send(&recorded, Request::get(sent)).is_ok(), fits, "{written} {sent}");
        }
    }

    #[test]
    fn memory_ends_with_its_life() {
        let mut recorded = recorded(json!([]));
        recorded.remember("a", json!(1), Duration::from_secs(10));
        assert_eq!(recorded.recall("a"), Some(json!(1)));
        let kept = recorded.recall_or_make("a", Duration::from_secs(1), Box::pin(async { Err(FetchError::Forbidden) }));
        assert_eq!(kept.now_or_never().unwrap(), Ok(json!(1)));
        recorded.now = recorded.now.after(Duration::from_secs(10));
        assert_eq!(recorded.recall("a"), None);
    }
}
