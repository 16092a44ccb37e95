//! One step of a request, and what is kept on a redirect.

use std::path::PathBuf;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use url::{Url, form_urlencoded};
use widgets::may_be_secret;

use super::headers::{prepare, strip_body_headers, strip_secrets};
use super::target::{self, shown_host};
use super::{BlockReason, HttpClientError, HttpRequest};

/// A shorter key is not searched for in other parameters, because it would match by chance.
const MIN_KEY_LENGTH: usize = 4;

/// The request of one step: the original one, or the one after a redirect.
#[derive(Debug)]
pub(super) struct Hop {
    pub(super) url: Url,
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// The Unix socket to use in place of the host.
    pub(super) socket: Option<PathBuf>,
}

/// The keys in the query of a request.
#[derive(Debug)]
pub(super) struct QueryKeys {
    names: Vec<String>,
    values: Vec<String>,
}

impl Hop {
    /// The host, or the path of the socket, for messages.
    pub(super) fn shown_host(&self) -> String {
        match &self.socket {
            Some(path) => path.display().to_string(),
            None => shown_host(&self.url),
        }
    }

    /// The first step of a request.
    pub(super) fn first(request: &HttpRequest) -> Result<Self, HttpClientError> {
        let target = target::read(&request.url)?;
        Ok(Self {
            headers: prepare(&request.headers, target.authorization)?,
            url: target.url,
            method: request.method.clone(),
            body: request.body.clone(),
            socket: request.socket.clone(),
        })
    }

    /// The step after a redirect. The guards check its address like that of any other step.
    pub(super) fn follow(
        mut self,
        status: StatusCode,
        location: &str,
        keys: &QueryKeys,
    ) -> Result<Self, HttpClientError> {
        let host = shown_host(&self.url);
        let blocked = |reason| HttpClientError::Blocked { host: host.clone(), reason };
        let joined = self
            .url
            .join(location)
            .map_err(|_| HttpClientError::Protocol { host: host.clone(), problem: "a redirect to nowhere" })?;
        // Credentials in a redirect come from the other side, not from the config, and are not sent.
        let mut next = target::from_url(joined)?.url;
        if self.url.scheme() == "https" && next.scheme() == "http" {
            return Err(blocked(BlockReason::Downgrade));
        }
        self.change_method(status);
        if self.url.origin() != next.origin() {
            if !self.body.is_empty() {
                return Err(blocked(BlockReason::BodyElsewhere));
            }
            strip_secrets(&mut self.headers);
            keys.strip(&mut next);
        }
        self.url = next;
        Ok(self)
    }

    /// Turns a POST into a GET where browsers do the same.
    fn change_method(&mut self, status: StatusCode) {
        let to_get = match status {
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => self.method == Method::POST,
            StatusCode::SEE_OTHER => self.method != Method::GET && self.method != Method::HEAD,
            _ => false,
        };
        if to_get {
            self.method = Method::GET;
            self.body = Bytes::new();
            strip_body_headers(&mut self.headers);
        }
    }
}

impl QueryKeys {
    /// Finds the named keys and their values in the address of the first step.
    pub(super) fn of(request: &HttpRequest, url: &Url) -> Self {
        let mut names = request.secret_query_keys.clone();
        let is_key = |name: &str| names.iter().any(|key| key.eq_ignore_ascii_case(name));
        // A parameter with a telling name is a key too. Parameters that another host names like that, such as the
        // signature of one of its files, are not ours, so these keys are recognized by their values, unless they are
        // too short.
        let keys: Vec<_> = url.query_pairs().filter(|(name, _)| is_key(name) || may_be_secret(name, "")).collect();
        let (keys, short): (Vec<_>, Vec<_>) = keys.into_iter().partition(|(_, value)| value.len() >= MIN_KEY_LENGTH);
        let values = keys.into_iter().map(|(_, value)| value.into_owned()).collect();
        names.extend(short.into_iter().map(|(name, _)| name.into_owned()));
        Self { names, values }
    }

    /// Removes the keys, by their names and inside other parameters ("return to this address"). The rest keeps its
    /// spelling.
    fn strip(&self, url: &mut Url) {
        let Some(query) = url.query() else { return };
        let kept: Vec<&str> = query.split('&').filter(|pair| !self.is_secret(pair)).collect();
        let kept = kept.join("&");
        if kept.len() != query.len() {
            url.set_query((!kept.is_empty()).then_some(kept.as_str()));
        }
    }

    fn is_secret(&self, pair: &str) -> bool {
        form_urlencoded::parse(pair.as_bytes()).any(|(name, value)| {
            self.names.iter().any(|key| key.eq_ignore_ascii_case(&name))
                || self.values.iter().any(|secret| value.contains(secret.as_str()))
        })
    }
}
