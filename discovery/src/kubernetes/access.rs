//! How a cluster is reached: as the service account of a pod, or as a kubeconfig file says.

use std::{
    fs,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use config::{
    Document,
    model::{ClusterAccess, DiscoverySource},
};
use serde_json::Value;

use crate::settings::SourceSettings;

/// How a cluster is reached.
pub struct Access {
    /// What requests begin with.
    pub server: String,
    /// The authorities that may sign the server's certificate, in PEM form; `None` for those of the system.
    pub authorities: Option<Vec<u8>>,
    /// The client's certificate and its key, in PEM form.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
    /// The token of each request.
    pub token: Token,
}

/// The token of each request.
#[derive(Clone)]
pub enum Token {
    /// There is none.
    None,
    /// This one.
    Fixed(String),
    /// The one that a file has at the moment: Kubernetes replaces it before it expires.
    File(PathBuf),
}

impl Access {
    /// How the cluster of a source is reached.
    ///
    /// # Errors
    ///
    /// Something is missing or cannot be used, as a sentence.
    pub fn of(source: &DiscoverySource, settings: &SourceSettings) -> Result<Self, String> {
        match &source.kubernetes {
            Some(ClusterAccess::InCluster) => in_cluster(settings),
            Some(ClusterAccess::Kubeconfig(path)) => {
                let path = settings.folder.join(path);
                let folder = path.parent().unwrap_or(Path::new(""));
                let document = Document::parse(&read(&path)?)
                    .map_err(|error| format!("`{}` is not a kubeconfig file: {error}", path.display()))?;
                kubeconfig(&document.to_json(), source.context.as_deref(), folder)
                    .map_err(|reason| format!("`{}`: {reason}", path.display()))
            }
            None | Some(ClusterAccess::Unusable) => {
                Err("`kubernetes` is neither `cluster` nor the path of a kubeconfig file".to_owned())
            }
        }
    }
}

fn in_cluster(settings: &SourceSettings) -> Result<Access, String> {
    let server = settings.cluster.clone().ok_or(
        "this process does not run in a pod of Kubernetes; elsewhere, `kubernetes` is the path of a kubeconfig file",
    )?;
    let token = settings.service_account.join("token");
    if !token.exists() {
        return Err("the pod has no service account: set `automountServiceAccountToken: true`; in the chart, \
            `discovery.enabled: true`"
            .to_owned());
    }
    let authorities = read(&settings.service_account.join("ca.crt"))?;
    Ok(Access { server, authorities: Some(authorities), identity: None, token: Token::File(token) })
}

/// Reads a kubeconfig (Kubernetes, `kubeconfig (v1)`).
fn kubeconfig(config: &Value, context: Option<&str>, folder: &Path) -> Result<Access, String> {
    let context = match context.or_else(|| text(config, "current-context")) {
        Some(name) => named(config, "contexts", "context", name)?,
        None => return Err("it has no `current-context`; name one in `context`".to_owned()),
    };
    let of_context = |key: &str| text(context, key).ok_or_else(|| format!("its context has no `{key}`"));
    let cluster = named(config, "clusters", "cluster", of_context("cluster")?)?;
    let user = match text(context, "user") {
        Some(name) => named(config, "users", "user", name)?,
        None => &Value::Null,
    };
    refuse(cluster, user)?;
    let server = text(cluster, "server").ok_or("its cluster has no `server`")?.trim_end_matches('/').to_owned();
    if config::address::problem(&server).is_some() || !server.starts_with("http") {
        return Err(format!("its `server` is not a web address: {server}"));
    }
    let certificate = content(user, "client-certificate", folder)?;
    let identity = match (certificate, content(user, "client-key", folder)?) {
        (Some(certificate), Some(key)) => Some((certificate, key)),
        (None, None) => None,
        _ => return Err("`client-certificate` and `client-key` belong together".to_owned()),
    };
    // As for kubectl, the file counts before the text.
    let token = match (text(user, "tokenFile"), text(user, "token")) {
        (Some(path), _) => Token::File(folder.join(path)),
        (None, Some(token)) => Token::Fixed(token.to_owned()),
        (None, None) => Token::None,
    };
    Ok(Access { server, authorities: content(cluster, "certificate-authority", folder)?, identity, token })
}

/// Refuses what would run programs, or give the token to anybody.
fn refuse(cluster: &Value, user: &Value) -> Result<(), String> {
    for (key, instead) in [
        ("exec", "it would run a program; use a `token`, a `tokenFile` or a client certificate"),
        ("auth-provider", "use a `token`, a `tokenFile` or a client certificate"),
        ("username", "Kubernetes has no passwords; use a `token` or a client certificate"),
    ] {
        if user.get(key).is_some_and(|value| !value.is_null()) {
            return Err(format!("`{key}` of its user is not supported: {instead}"));
        }
    }
    if cluster.get("insecure-skip-tls-verify").and_then(Value::as_bool) == Some(true) {
        return Err("`insecure-skip-tls-verify` would give the token to anybody who answers; name the authority in \
            `certificate-authority`"
            .to_owned());
    }
    match ["proxy-url", "tls-server-name"].iter().find(|key| text(cluster, key).is_some()) {
        Some(key) => Err(format!("`{key}` of its cluster is not supported")),
        None => Ok(()),
    }
}

/// An element of one of the lists, such as `clusters: [{ name: …, cluster: … }]`.
fn named<'a>(config: &'a Value, list: &str, key: &str, name: &str) -> Result<&'a Value, String> {
    let all = config.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let found = all.iter().find(|element| text(element, "name") == Some(name)).and_then(|element| element.get(key));
    found.ok_or_else(|| format!("it has no {key} `{name}`"))
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// The content of `KEY-data`, which is Base64, or of the file that `KEY` names.
fn content(value: &Value, key: &str, folder: &Path) -> Result<Option<Vec<u8>>, String> {
    let data = format!("{key}-data");
    if let Some(text) = text(value, &data) {
        let compact: String = text.split_whitespace().collect();
        return STANDARD.decode(compact).map(Some).map_err(|_| format!("`{data}` is not Base64"));
    }
    text(value, key).map(|path| read(&folder.join(path))).transpose()
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
}
