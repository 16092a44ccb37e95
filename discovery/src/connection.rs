//! The connection to a source, whatever its kind.

use config::model::DiscoverySource;
use thiserror::Error;

use crate::{
    change::{Change, Listing},
    engine::{self, Engine, EngineError, Usage},
    kubernetes::{self, Cluster, ClusterError, PodGroup},
    settings::SourceSettings,
};

/// The connection to a source.
pub enum Connection {
    /// To Docker or Podman.
    Engine(Engine),
    /// To a Kubernetes cluster.
    Cluster(Cluster),
}

/// Why a source gives nothing, as a sentence for the user.
#[derive(Debug, Error)]
pub enum SourceError {
    /// It is an engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// It is a cluster.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// It was lost, for this reason.
    #[error("{0}")]
    Lost(String),
}

impl Connection {
    /// The connection to a source. Nothing is sent yet. The process must have a default crypto provider.
    ///
    /// # Errors
    ///
    /// Its address, its certificates or its kubeconfig file cannot be used.
    pub fn new(source: &DiscoverySource, settings: &SourceSettings) -> Result<Self, SourceError> {
        Ok(match source.kubernetes {
            Some(_) => Self::Cluster(Cluster::new(source, settings)?),
            None => Self::Engine(Engine::new(source, settings)?),
        })
    }

    /// What a container uses, by its name, or what the pods of a route use. `None` where that is not known.
    ///
    /// # Errors
    ///
    /// The source cannot be reached, refuses, or responds with something else.
    pub async fn usage(&self, name: &str, pods: &[PodGroup]) -> Result<Option<Usage>, SourceError> {
        match self {
            Self::Engine(engine) => Ok(engine.usage(name).await?),
            Self::Cluster(cluster) => Ok(cluster.usage(pods).await?),
        }
    }

    /// Lists what there is, once.
    ///
    /// # Errors
    ///
    /// The source cannot be reached, refuses, or responds with something else.
    pub async fn list(&self) -> Result<Listing, SourceError> {
        let cluster = match self {
            Self::Engine(engine) => {
                let resources = engine.list().await?;
                return Ok(Listing { resources, missing: Vec::new() });
            }
            Self::Cluster(cluster) => cluster,
        };
        let mut first = None;
        kubernetes::follow(cluster, |change| {
            first = Some(change);
            false
        })
        .await;
        match first {
            Some(Change::Listed(listing)) => Ok(listing),
            Some(Change::Lost(reason, _)) => Err(SourceError::Lost(reason)),
            None => Ok(Listing::default()),
        }
    }

    /// Follows the source until `changed` returns `false`. It gets a list at first and after every change, and learns when
    /// the connection is lost. While nothing happens, nothing is sent, except to a Swarm.
    pub async fn follow(&self, changed: impl FnMut(Change) -> bool) {
        match self {
            Self::Engine(engine) => engine::follow(engine, changed).await,
            Self::Cluster(cluster) => kubernetes::follow(cluster, changed).await,
        }
    }
}
