//! What sources need that does not come from the config.

use std::path::PathBuf;

/// Where Kubernetes mounts the account of a pod (Kubernetes, "Accessing the Kubernetes API from a Pod").
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// Settings that do not come from the config.
#[derive(Clone, Debug)]
pub struct SourceSettings {
    /// The folder that paths in the config are relative to.
    pub folder: PathBuf,
    /// The address of the API of the cluster in which this process runs, such as `https://10.96.0.1:443`.
    pub cluster: Option<String>,
    /// The folder with the files `token` and `ca.crt` of the pod's service account.
    pub service_account: PathBuf,
}

impl Default for SourceSettings {
    fn default() -> Self {
        Self { folder: PathBuf::new(), cluster: None, service_account: SERVICE_ACCOUNT.into() }
    }
}
