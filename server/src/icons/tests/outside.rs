//! A table of addresses and their responses in place of the network. Anything else does not exist.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use url::Url;

use crate::icons::{Fetch, FetchFuture, FetchProblem, Fetched, HostTrust};

#[derive(Clone)]
enum Scripted {
    Answer { status: u16, content_type: &'static str, body: Bytes, final_url: Option<Url> },
    Problem(FetchProblem),
}

#[derive(Default)]
pub struct ScriptedWeb {
    answers: Mutex<HashMap<String, Scripted>>,
    delay: Mutex<Duration>,
    requests: Mutex<Vec<String>>,
    private_requests: Mutex<Vec<String>>,
}

impl ScriptedWeb {
    pub fn respond(&self, address: &str, status: u16, content_type: &'static str, body: &[u8]) {
        let scripted = Scripted::Answer { status, content_type, body: Bytes::copy_from_slice(body), final_url: None };
        self.answers.lock().unwrap().insert(address.to_owned(), scripted);
    }

    pub fn picture(&self, address: &str, body: &[u8]) {
        self.respond(address, 200, "application/octet-stream", body);
    }

    pub fn page(&self, address: &str, html: &str) {
        self.respond(address, 200, "text/html", html.as_bytes());
    }

    /// A page that was reached through redirects.
    pub fn page_elsewhere(&self, address: &str, final_url: &str, html: &str) {
        let scripted = Scripted::Answer {
            status: 200,
            content_type: "text/html",
            body: Bytes::copy_from_slice(html.as_bytes()),
            final_url: Some(Url::parse(final_url).unwrap()),
        };
        self.answers.lock().unwrap().insert(address.to_owned(), scripted);
    }

    pub fn problem(&self, address: &str, problem: FetchProblem) {
        self.answers.lock().unwrap().insert(address.to_owned(), Scripted::Problem(problem));
    }

    /// How long every further response takes.
    pub fn take(&self, delay: Duration) {
        *self.delay.lock().unwrap() = delay;
    }

    /// The addresses requested since the last call.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }

    /// Those of them that may be in the private network.
    pub fn private_requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.private_requests.lock().unwrap())
    }
}

impl Fetch for ScriptedWeb {
    fn get<'a>(&'a self, url: &'a Url, max_bytes: usize, trust: HostTrust) -> FetchFuture<'a> {
        Box::pin(async move {
            if trust.may_be_private() {
                self.private_requests.lock().unwrap().push(url.to_string());
            }
            self.requests.lock().unwrap().push(url.to_string());
            let delay = *self.delay.lock().unwrap();
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            let scripted = self.answers.lock().unwrap().get(url.as_str()).cloned();
            match scripted {
                Some(Scripted::Answer { body, .. }) if body.len() > max_bytes => Err(FetchProblem::TooLarge),
                Some(Scripted::Answer { status, content_type, body, final_url }) => Ok(Fetched {
                    status,
                    content_type: Some(content_type.to_owned()),
                    body,
                    final_url: final_url.unwrap_or_else(|| url.clone()),
                }),
                Some(Scripted::Problem(problem)) => Err(problem),
                None => Ok(Fetched {
                    status: 404,
                    content_type: Some("text/html".to_owned()),
                    body: Bytes::from_static(super::HTML),
                    final_url: url.clone(),
                }),
            }
        })
    }
}
