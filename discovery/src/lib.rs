//! Finds services by the labels of containers and the annotations of routes (docs/discovery.md).
//!
//! [`engine`] lists what runs in Docker or Podman and follows its events, [`kubernetes`] does the same with the routes of a
//! cluster; both only read. [`examine`] turns what was
//! listed into items, as `conf.yml` would have them, without I/O. Labels are foreign input: anybody who may start a
//! container writes them. So an item from labels passes the same checks as one from the file, everything has a maximum
//! size, and one malformed container costs only itself.

mod address;
mod change;
mod connection;
pub mod engine;
mod examine;
mod http;
mod image;
pub mod kubernetes;
mod labels;
mod names;
mod resource;
mod settings;
mod variables;

pub use address::traefik::{Target as TraefikTarget, targets as traefik_targets};
pub use address::{AddressOrigin, caddy::address as caddy_address};
pub use change::{Change, Listing};
pub use connection::{Connection, SourceError};
pub use engine::Usage;
pub use examine::{Dropped, Found, Outcome, Surroundings, examine};
pub use image::names_of as icon_names_of_image;
pub use labels::{Entry, LabelProblem, read as read_labels};
pub use resource::{ContainerState, Malformed, Port, Resource, RouteFacts, read_containers, read_services};
pub use settings::SourceSettings;
pub use variables::own_name as own_variable_name;

/// Maximum length of a value of a label, in bytes. Longer labels are dropped.
pub const MAX_VALUE: usize = 4096;
/// Maximum number of labels of a container that are read.
pub const MAX_LABELS: usize = 500;
/// Maximum number of containers of an engine that are read.
pub const MAX_RESOURCES: usize = 2000;
