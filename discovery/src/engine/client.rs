//! Requests to one engine.

use std::{fs, path::Path, time::Duration};

use config::model::{DiscoverySource, EngineAddress};
use reqwest::{
    Client, Response, StatusCode,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use thiserror::Error;

use super::usage::{Sample, Usage};
use crate::{
    http::{self, BodyError, LIST_TIMEOUT, chain, encoded},
    resource::{ContainerState, Malformed, Resource, read_containers, read_services},
    settings::SourceSettings,
};

/// Time between two samples where the engine takes only one.
const SAMPLE_PERIOD: Duration = Duration::from_secs(1);
/// How long an engine may take to say what a container uses.
const USAGE_TIMEOUT: Duration = Duration::from_secs(10);

/// The API of one engine.
#[derive(Clone, Debug)]
pub struct Engine {
    client: Client,
    /// What requests begin with.
    base: String,
    /// The path of the socket, if it is one.
    socket: Option<String>,
    is_swarm: bool,
}

/// Why an engine gives nothing, as a sentence for the user.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The config does not say where it is.
    #[error("the source has no usable `url`; write `unix://` and a path, or `tcp://` with host and port")]
    NoAddress,
    /// A certificate or header of the source cannot be used.
    #[error("{0}")]
    Settings(String),
    /// No connection.
    #[error("{0}")]
    Unreachable(String),
    /// A proxy or the engine does not allow a request.
    #[error("`GET {path}` is not allowed (status {status}){hint}")]
    Forbidden {
        /// The path of the request.
        path: &'static str,
        /// The status of the response.
        status: u16,
        /// What to change.
        hint: &'static str,
    },
    /// Any other status.
    #[error("`GET {path}` failed with status {status}")]
    Status {
        /// The path of the request.
        path: &'static str,
        /// The status of the response.
        status: u16,
    },
    /// The response cannot be read.
    #[error("the response to `GET {path}` {reason}")]
    Unreadable {
        /// The path of the request.
        path: &'static str,
        /// The rest of the sentence.
        reason: String,
    },
}

impl Engine {
    /// The engine of a source. Nothing is sent yet. The process must have a default crypto provider.
    ///
    /// # Errors
    ///
    /// Its address, certificates or headers cannot be used.
    pub fn new(source: &DiscoverySource, settings: &SourceSettings) -> Result<Self, EngineError> {
        let mut builder = http::builder().default_headers(headers(source)?);
        let (base, socket) = match &source.url {
            EngineAddress::Unusable => return Err(EngineError::NoAddress),
            EngineAddress::Web(address) => {
                builder = with_certificates(builder, source, &settings.folder)?;
                (address.clone(), None)
            }
            EngineAddress::Socket(path) => {
                builder = over_socket(builder, path)?;
                ("http://localhost".to_owned(), Some(path.clone()))
            }
        };
        let client = builder.build().map_err(|error| EngineError::Settings(chain(&error)))?;
        Ok(Self { client, base, socket, is_swarm: source.swarm })
    }

    /// Whether it lists the services of a Swarm.
    pub(super) fn is_swarm(&self) -> bool {
        self.is_swarm
    }

    /// Lists all containers, also stopped ones; or the services of the Swarm.
    ///
    /// # Errors
    ///
    /// The engine cannot be reached, refuses, or responds with something else.
    pub async fn list(&self) -> Result<Vec<Result<Resource, Malformed>>, EngineError> {
        let (path, query) = if self.is_swarm { ("/services", "?status=true") } else { ("/containers/json", "?all=1") };
        self.listed(path, query).await
    }

    /// Lists only some containers or services; those that are gone are missing.
    ///
    /// # Errors
    ///
    /// As for [`Engine::list`].
    pub async fn list_only(&self, ids: &[String]) -> Result<Vec<Result<Resource, Malformed>>, EngineError> {
        let filter = serde_json::json!({ "id": ids }).to_string();
        let (path, start) =
            if self.is_swarm { ("/services", "?status=true&") } else { ("/containers/json", "?all=1&") };
        self.listed(path, &format!("{start}filters={}", encoded(&filter))).await
    }

    async fn listed(&self, path: &'static str, query: &str) -> Result<Vec<Result<Resource, Malformed>>, EngineError> {
        let reading = async {
            let response = self.get(path, query).await?;
            let is_podman = response.headers().contains_key("libpod-api-version");
            let body = http::body(response).await.map_err(|error| self.broken(path, error))?;
            let read = if self.is_swarm { read_services(&body) } else { read_containers(&body) };
            let mut list = read.map_err(|reason| EngineError::Unreadable { path, reason })?;
            if is_podman {
                self.add_health(&mut list).await?;
            }
            Ok(list)
        };
        tokio::time::timeout(LIST_TIMEOUT, reading).await.unwrap_or_else(|_| {
            Err(EngineError::Unreachable(format!("there was no response within {} s", LIST_TIMEOUT.as_secs())))
        })
    }

    /// Podman 4 lists containers without their health, but finds them by it.
    async fn add_health(&self, list: &mut [Result<Resource, Malformed>]) -> Result<(), EngineError> {
        let path = "/containers/json";
        let is_running = |resource: &Resource| resource.container_state == Some(ContainerState::Running);
        let mut running: Vec<_> = list.iter_mut().flatten().filter(|resource| is_running(resource)).collect();
        if running.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = running.iter().map(|resource| resource.id.clone()).collect();
        for (health, state) in ContainerState::BY_HEALTH {
            let filter = serde_json::json!({ "id": ids, "health": [health] }).to_string();
            let response = self.get(path, &format!("?filters={}", encoded(&filter))).await?;
            let body = http::body(response).await.map_err(|error| self.broken(path, error))?;
            let found = read_containers(&body).map_err(|reason| EngineError::Unreadable { path, reason })?;
            for resource in &mut running {
                if found.iter().flatten().any(|other| other.id == resource.id) {
                    resource.container_state = Some(state);
                }
            }
        }
        Ok(())
    }

    /// Opens the stream of events about containers that start, stop, appear and disappear; or about services.
    ///
    /// # Errors
    ///
    /// As for [`Engine::list`].
    pub async fn events(&self) -> Result<Response, EngineError> {
        let filter = if self.is_swarm {
            r#"{"type":["service"]}"#
        } else {
            // Without the many events of health checks and `exec`. Podman 4 knows `die` as `died`.
            r#"{"type":["container"],"event":["create","start","restart","pause","unpause","die","died","stop","destroy","remove","rename","update","health_status"]}"#
        };
        let query = format!("?filters={}", encoded(filter));
        tokio::time::timeout(LIST_TIMEOUT, self.get("/events", &query)).await.unwrap_or_else(|_| {
            Err(EngineError::Unreachable(format!("`GET /events` had no response within {} s", LIST_TIMEOUT.as_secs())))
        })
    }

    /// What a container uses, by its name. The engine measures it for a second. `None` for services of a Swarm.
    ///
    /// # Errors
    ///
    /// As for [`Engine::list`].
    pub async fn usage(&self, name: &str) -> Result<Option<Usage>, EngineError> {
        if self.is_swarm {
            return Ok(None);
        }
        let path = "/containers/NAME/stats";
        let reading = async {
            let target = format!("/containers/{}/stats?stream=false", encoded(name));
            let measure = async || {
                let response = self.send(path, &target).await?;
                let body = http::body(response).await.map_err(|error| self.broken(path, error))?;
                Sample::read(&body).map_err(|reason| EngineError::Unreadable { path, reason })
            };
            let first = measure().await?;
            if !first.needs_another() {
                return Ok(Some(first.usage()));
            }
            tokio::time::sleep(SAMPLE_PERIOD).await;
            Ok(Some(measure().await?.since(&first).usage()))
        };
        tokio::time::timeout(USAGE_TIMEOUT, reading).await.unwrap_or_else(|_| {
            Err(EngineError::Unreachable(format!("there was no response within {} s", USAGE_TIMEOUT.as_secs())))
        })
    }

    async fn get(&self, path: &'static str, query: &str) -> Result<Response, EngineError> {
        self.send(path, &format!("{path}{query}")).await
    }

    /// Sends a request. `path` is for messages.
    async fn send(&self, path: &'static str, target: &str) -> Result<Response, EngineError> {
        let url = format!("{}{target}", self.base);
        let response = self.client.get(url).send().await.map_err(|error| self.unreachable(&error))?;
        let status = response.status();
        match status {
            StatusCode::OK => Ok(response),
            StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::METHOD_NOT_ALLOWED
            | StatusCode::NOT_FOUND => {
                let hint = match path {
                    "/events" => ": let the proxy allow `events` (`EVENTS=1`), or changes are noticed late",
                    "/services" => {
                        ": let the proxy allow `services` (`SERVICES=1`); Podman has none, so there set `swarm: false`"
                    }
                    _ => ": let the proxy allow `containers` (`CONTAINERS=1`)",
                };
                Err(EngineError::Forbidden { path, status: status.as_u16(), hint })
            }
            StatusCode::SERVICE_UNAVAILABLE if path == "/services" => {
                Err(EngineError::Settings("the engine is not a manager of a Swarm; set `swarm: false`".to_owned()))
            }
            _ => Err(EngineError::Status { path, status: status.as_u16() }),
        }
    }

    /// Why a body cannot be read.
    pub(super) fn broken(&self, path: &'static str, error: BodyError) -> EngineError {
        match error {
            BodyError::Lost(error) => self.unreachable(&error),
            BodyError::Ended => EngineError::Unreachable("the stream of events has ended".to_owned()),
            BodyError::Unreadable(reason) => EngineError::Unreadable { path, reason },
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> EngineError {
        let reason = chain(error);
        let lower = reason.to_lowercase();
        EngineError::Unreachable(match &self.socket {
            Some(path) if lower.contains("permission denied") => format!(
                "the socket `{path}` may not be used: add this process to the socket's group, or put a socket proxy in between"
            ),
            Some(path) if lower.contains("no such file") => {
                format!(
                    "there is no socket `{path}`; start Docker or `podman.socket`, or mount the socket into this container"
                )
            }
            Some(path) if lower.contains("refused") => {
                format!("nothing listens at the socket `{path}`; start Docker, or `podman.socket`")
            }
            _ if error.is_body() || error.is_decode() => "the engine has closed the connection".to_owned(),
            Some(path) => format!("the socket `{path}`: {reason}"),
            None if error.is_connect() || error.is_timeout() => {
                format!("no connection; check host and port in `url`, and whether the engine listens there: {reason}")
            }
            None => reason,
        })
    }
}

#[cfg(unix)]
fn over_socket(builder: reqwest::ClientBuilder, path: &str) -> Result<reqwest::ClientBuilder, EngineError> {
    // Nothing is encrypted, so the system's certificates need not be loaded.
    Ok(builder.tls_certs_only([]).unix_socket(Path::new(path)))
}

#[cfg(not(unix))]
fn over_socket(_: reqwest::ClientBuilder, _: &str) -> Result<reqwest::ClientBuilder, EngineError> {
    Err(EngineError::Settings("this system has no Unix sockets; use `tcp://`".to_owned()))
}

fn headers(source: &DiscoverySource) -> Result<HeaderMap, EngineError> {
    let mut headers = HeaderMap::new();
    for (name, value) in &source.headers {
        let unusable = || EngineError::Settings(format!("the header `{name}` cannot be sent"));
        let mut value = HeaderValue::from_str(value).map_err(|_| unusable())?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?, value);
    }
    Ok(headers)
}

fn with_certificates(
    mut builder: reqwest::ClientBuilder,
    source: &DiscoverySource,
    folder: &Path,
) -> Result<reqwest::ClientBuilder, EngineError> {
    let read = |name: &str| {
        fs::read(folder.join(name)).map_err(|error| EngineError::Settings(format!("`{name}` cannot be read: {error}")))
    };
    let unusable = |name: &str, what: &str| EngineError::Settings(format!("`{name}` is not {what} in PEM form"));
    let is_encrypted = matches!(&source.url, EngineAddress::Web(address) if address.starts_with("https://"));
    if let Some(name) = &source.tls.ca_file {
        builder = http::with_authorities(builder, &read(name)?).ok_or_else(|| unusable(name, "a certificate"))?;
    } else if !is_encrypted {
        builder = builder.tls_certs_only([]);
    }
    if let (Some(certificate), Some(key)) = (&source.tls.cert_file, &source.tls.key_file) {
        let usable = http::with_identity(builder, &read(certificate)?, &read(key)?);
        builder = usable.ok_or_else(|| unusable(certificate, "a certificate with its key"))?;
    }
    Ok(builder)
}
