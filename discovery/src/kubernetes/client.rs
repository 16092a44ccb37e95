//! Requests to one cluster.

use std::sync::Arc;

use config::model::DiscoverySource;
use reqwest::{
    Client, Response, StatusCode,
    header::{AUTHORIZATION, HeaderValue},
};
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;
use tokio::time::timeout;

use super::{
    access::{Access, Token},
    kinds::{Kind, Topic, is_namespace},
    objects::Object,
    selector::PodGroup,
    usage::{Metrics, read_metrics, sum},
};
use crate::{
    MAX_RESOURCES, Usage,
    http::{self, BodyError, JsonLines, LIST_TIMEOUT, chain, encoded},
    settings::SourceSettings,
};

/// How many objects a part of a list has.
const PAGE: usize = 250;

/// The API of one cluster. Cheap to clone.
#[derive(Clone)]
pub struct Cluster(Arc<Inner>);

struct Inner {
    client: Client,
    /// What requests begin with.
    base: String,
    token: Token,
    source: DiscoverySource,
}

/// Why a cluster gives nothing, as a sentence for the user.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ClusterError {
    /// The config, the kubeconfig file or the service account cannot be used.
    #[error("{0}")]
    Settings(String),
    /// No connection.
    #[error("{0}")]
    Unreachable(String),
    /// The cluster does not know who is asking.
    #[error("the cluster does not accept the token or the certificate (status 401)")]
    Unauthorized,
    /// The account lacks a right.
    #[error("`{0}` may not be read (status 403): give the account the rights `get`, `list` and `watch`")]
    Forbidden(String),
    /// The cluster has no such resources.
    #[error("the cluster has no `{0}` (status 404)")]
    NotInstalled(String),
    /// The version of the list is too old: the list has to be read again.
    #[error("the version of the list of `{0}` is too old")]
    Expired(String),
    /// Any other status.
    #[error("`{0}` gave status {1}")]
    Status(String, u16),
    /// The response cannot be read.
    #[error("the response for `{0}` {1}")]
    Unreadable(String, String),
}

impl ClusterError {
    /// Whether asking again soon would not help.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Forbidden(_) | Self::NotInstalled(_))
    }
}

/// A list, and the version from which it is followed.
pub(super) struct Listed {
    pub objects: Vec<(String, Object)>,
    pub version: String,
}

/// An event of a watch.
pub(super) enum Event {
    /// An object is new or has changed; with its version.
    Put(String, Object, Option<String>),
    /// An object is gone.
    Removed(String, Option<String>),
    /// Nothing has happened up to this version.
    Bookmark(Option<String>),
}

#[derive(Deserialize)]
struct ListBody {
    metadata: ListMetadata,
    #[serde(default)]
    items: Option<Vec<Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListMetadata {
    resource_version: String,
    #[serde(default, rename = "continue")]
    next: String,
}

impl Cluster {
    /// The cluster of a source. Nothing is sent yet. The process must have a default crypto provider.
    ///
    /// # Errors
    ///
    /// The kubeconfig file or the service account cannot be used.
    pub fn new(source: &DiscoverySource, settings: &SourceSettings) -> Result<Self, ClusterError> {
        if let Some(wrong) = source.namespaces.iter().find(|name| !is_namespace(name)) {
            return Err(ClusterError::Settings(format!("no namespace can be called `{wrong}`")));
        }
        let access = Access::of(source, settings).map_err(ClusterError::Settings)?;
        // A connection for each watch: those of one connection would wait for each other's limits.
        let mut builder = http::builder().http1_only();
        let unusable = |what: &str| ClusterError::Settings(format!("{what} cannot be used; it has to be in PEM form"));
        if let Some(pem) = &access.authorities {
            builder = http::with_authorities(builder, pem).ok_or_else(|| unusable("the authority of the cluster"))?;
        } else if !access.server.starts_with("https://") {
            builder = builder.tls_certs_only([]);
        }
        if let Some((certificate, key)) = &access.identity {
            let usable = http::with_identity(builder, certificate, key);
            builder = usable.ok_or_else(|| unusable("the client certificate or its key"))?;
        }
        let client = builder.build().map_err(|error| ClusterError::Settings(chain(&error)))?;
        Ok(Self(Arc::new(Inner { client, base: access.server, token: access.token, source: source.clone() })))
    }

    /// The source that it belongs to.
    pub(super) fn source(&self) -> &DiscoverySource {
        &self.0.source
    }

    /// Lists the objects of a topic.
    pub(super) async fn list(&self, topic: &Topic) -> Result<Listed, ClusterError> {
        let mut objects = Vec::new();
        let mut next = String::new();
        loop {
            let query = match next.as_str() {
                "" => format!("?limit={PAGE}"),
                next => format!("?limit={PAGE}&continue={}", encoded(next)),
            };
            let page = timeout(LIST_TIMEOUT, self.page(topic, &query)).await.unwrap_or_else(|_| Err(too_slow()))?;
            let instance = self.0.source.instance.as_deref();
            let items = page.items.unwrap_or_default();
            objects.extend(items.iter().filter_map(|item| Object::read(topic.kind, item, instance)));
            next = page.metadata.next;
            if next.is_empty() || objects.len() >= MAX_RESOURCES {
                objects.truncate(MAX_RESOURCES);
                return Ok(Listed { objects, version: page.metadata.resource_version });
            }
        }
    }

    async fn page(&self, topic: &Topic, query: &str) -> Result<ListBody, ClusterError> {
        let response = self.get(topic, query).await?;
        let body = http::body(response).await.map_err(|error| broken(topic, error))?;
        serde_json::from_slice(&body)
            .map_err(|error| ClusterError::Unreadable(topic.resource(), format!("is not a list: {error}")))
    }

    /// What pods use together, as a metrics server says it. `None` if the cluster has none, or the account may not ask it.
    ///
    /// # Errors
    ///
    /// The cluster cannot be reached, refuses, or responds with something else.
    pub async fn usage(&self, pods: &[PodGroup]) -> Result<Option<Usage>, ClusterError> {
        // A pod may be in several groups.
        let mut metrics = Metrics::new();
        for group in pods {
            match timeout(LIST_TIMEOUT, self.metrics(group)).await.unwrap_or_else(|_| Err(too_slow())) {
                Ok(some) => metrics.extend(some),
                Err(error) if error.is_refusal() => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(sum(&metrics)))
    }

    async fn metrics(&self, PodGroup { namespace, selector }: &PodGroup) -> Result<Metrics, ClusterError> {
        let topic = Topic { kind: Kind::PodMetrics, namespace: Some(namespace.clone()) };
        let query = format!("?labelSelector={}", encoded(&selector.to_string()));
        let response = self.get(&topic, &query).await?;
        let body = http::body(response).await.map_err(|error| broken(&topic, error))?;
        read_metrics(&body).map_err(|reason| ClusterError::Unreadable(topic.resource(), reason))
    }

    /// Opens the watch of a topic from a version on.
    pub(super) async fn watch(&self, topic: &Topic, version: &str) -> Result<Watch, ClusterError> {
        let query = format!("?watch=1&allowWatchBookmarks=true&resourceVersion={}", encoded(version));
        let response = timeout(LIST_TIMEOUT, self.get(topic, &query)).await.unwrap_or_else(|_| Err(too_slow()))?;
        let instance = self.0.source.instance.clone();
        Ok(Watch { lines: JsonLines::new(response), topic: topic.clone(), instance })
    }

    async fn get(&self, topic: &Topic, query: &str) -> Result<Response, ClusterError> {
        let mut request = self.0.client.get(format!("{}{}{query}", self.0.base, topic.path()));
        if let Some(token) = self.token().await? {
            request = request.header(AUTHORIZATION, token);
        }
        let response = request.send().await.map_err(|error| unreachable(&error))?;
        match response.status() {
            StatusCode::OK => Ok(response),
            StatusCode::UNAUTHORIZED => Err(ClusterError::Unauthorized),
            StatusCode::FORBIDDEN => Err(ClusterError::Forbidden(topic.resource())),
            StatusCode::NOT_FOUND => Err(ClusterError::NotInstalled(topic.resource())),
            StatusCode::GONE => Err(ClusterError::Expired(topic.resource())),
            status => Err(ClusterError::Status(topic.resource(), status.as_u16())),
        }
    }

    async fn token(&self) -> Result<Option<HeaderValue>, ClusterError> {
        let token = match &self.0.token {
            Token::None => return Ok(None),
            Token::Fixed(token) => token.clone(),
            Token::File(path) => tokio::fs::read_to_string(path).await.map_err(|error| {
                ClusterError::Settings(format!("the token in `{}` cannot be read: {error}", path.display()))
            })?,
        };
        let mut value = HeaderValue::from_str(&format!("Bearer {}", token.trim()))
            .map_err(|_| ClusterError::Settings("the token has characters that no token has".to_owned()))?;
        value.set_sensitive(true);
        Ok(Some(value))
    }
}

/// An open watch.
pub(super) struct Watch {
    lines: JsonLines,
    topic: Topic,
    instance: Option<String>,
}

impl Watch {
    /// The next event; `None` when the server has ended the stream, as it does after some minutes.
    pub async fn next(&mut self) -> Result<Option<Event>, ClusterError> {
        loop {
            let event = match self.lines.next().await {
                Ok(event) => event,
                Err(BodyError::Ended) => return Ok(None),
                Err(error) => return Err(broken(&self.topic, error)),
            };
            let object = event.get("object").unwrap_or(&Value::Null);
            let version = object.pointer("/metadata/resourceVersion").and_then(Value::as_str).map(str::to_owned);
            let read = || Object::read(self.topic.kind, object, self.instance.as_deref());
            return Ok(Some(match event.get("type").and_then(Value::as_str) {
                Some("ADDED" | "MODIFIED") => match read() {
                    Some((key, object)) => Event::Put(key, object, version),
                    None => continue,
                },
                Some("DELETED") => match read() {
                    Some((key, _)) => Event::Removed(key, version),
                    None => continue,
                },
                Some("BOOKMARK") => Event::Bookmark(version),
                Some("ERROR") => return Err(self.failure(object)),
                _ => continue,
            }));
        }
    }

    /// The error in an event, which is a `Status`.
    fn failure(&self, status: &Value) -> ClusterError {
        match status.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok()) {
            Some(410) => ClusterError::Expired(self.topic.resource()),
            Some(code) => ClusterError::Status(self.topic.resource(), code),
            None => ClusterError::Unreadable(self.topic.resource(), "has an error without a code".to_owned()),
        }
    }
}

fn too_slow() -> ClusterError {
    ClusterError::Unreachable(format!("there was no response within {} s", LIST_TIMEOUT.as_secs()))
}

fn broken(topic: &Topic, error: BodyError) -> ClusterError {
    match error {
        BodyError::Lost(_) | BodyError::Ended => {
            ClusterError::Unreachable("the cluster has closed the connection".to_owned())
        }
        BodyError::Unreadable(reason) => ClusterError::Unreadable(topic.resource(), reason),
    }
}

fn unreachable(error: &reqwest::Error) -> ClusterError {
    let reason = chain(error);
    ClusterError::Unreachable(if error.is_connect() || error.is_timeout() {
        format!("no connection to the API of Kubernetes: {reason}")
    } else {
        reason
    })
}
