//! The API of Kubernetes: lists, and watches from there on. Nothing but `GET` is ever sent, for ingresses, routes, gateways,
//! services, pods and what pods use. What the account may not read, or what the cluster does not have, costs only itself.

mod access;
mod client;
mod follow;
mod kinds;
mod objects;
mod pods;
mod routes;
mod selector;
mod usage;
mod watch;

pub use client::{Cluster, ClusterError};
pub use follow::follow;
pub use pods::{Pod, state_of};
pub use selector::{PodGroup, Selector};
