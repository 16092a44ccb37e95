//! The environment section of `portico --help`.

use std::fmt::Write as _;

use super::secret_files::SECRETS;

/// A variable, its default, and its meaning.
pub(super) type Variable = (&'static str, &'static str, &'static str);

/// Every variable that the program reads, except those that widget options name.
pub(super) const VARIABLES: [Variable; 41] = [
    ("PORT", "8080", "Port for HTTP"),
    ("HOST", "0.0.0.0", "Address where the server listens"),
    ("USER_DATA_DIR", "user-data", "Folder of conf.yml, other pages and your other files"),
    (
        "VITE_APP_CONFIG_PATH",
        "conf.yml",
        "Name of the main config in that folder, or the address of one on another host",
    ),
    ("BASE_URL", "/", "Path prefix, such as /start"),
    ("SSL_PRIV_KEY_PATH", "/etc/ssl/certs/dashy-priv.key", "Private key in PEM; HTTPS starts when both files exist"),
    ("SSL_PUB_KEY_PATH", "/etc/ssl/certs/dashy-pub.pem", "Certificate chain in PEM"),
    ("SSL_PORT", "8443, in Docker 443", "Port for HTTPS"),
    ("REDIRECT_HTTPS", "true", "Whether HTTP redirects to HTTPS"),
    ("FRAME_ANCESTORS", "none", "Other sites that may show the dashboard in a frame, such as https://home.example"),
    ("HSTS", "off", "How many seconds browsers must use only HTTPS, such as 31536000"),
    (
        "ALLOWED_HOSTS",
        "local names and addresses",
        "Additional host names under which a dashboard without sign-in may be changed",
    ),
    ("ENABLE_API", "false", "true turns the REST API on"),
    ("API_TOKEN", "none", "Bearer token of the REST API"),
    ("ENABLE_HTTP_AUTH", "false", "HTTP Basic with the users of the config"),
    ("BASIC_AUTH_USERNAME", "none", "HTTP Basic with one account: its name"),
    ("BASIC_AUTH_PASSWORD", "none", "The password of that account"),
    (
        "SESSION_SECRET",
        "a file in USER_DATA_DIR",
        "Key of the session cookies; the same for all servers behind one address",
    ),
    ("OIDC_CLIENT_SECRET", "none", "Client secret, for identity providers that do not support public clients"),
    ("VITE_APP_DOMAIN", "what the request says", "Address of the dashboard, as the identity provider knows it"),
    ("TRUSTED_PROXIES", "private networks", "Proxies whose X-Forwarded headers are trusted, or none"),
    ("BACKUP_DIR", "config-backups", "Folder of the backups made before each write"),
    ("CONFIG_BACKUP_LIMIT", "100", "How many backups are kept of each file; 0 keeps all"),
    ("DISABLE_CONFIG_BACKUPS", "false", "true turns backups off"),
    ("NODE_EXTRA_CA_CERTS", "none", "PEM file with certificates of your own authority"),
    ("OUTBOUND_FORBID_PRIVATE", "false", "true forbids requests to private addresses"),
    (
        "OUTBOUND_ALLOWED_HOSTS",
        "none",
        "Private hosts that the server may contact anyway: nas.lan,*.home.example,192.168.1.0/24",
    ),
    ("OUTBOUND_FORBIDDEN_HOSTS", "none", "Hosts that the server never contacts"),
    ("DISABLE_PROXY_ENDPOINTS", "false", "true turns /status-check, /ping-check and /cors-proxy off"),
    ("DISABLE_WIDGET_SCRIPTS", "false", "true keeps the scripts of html-embed widgets from running"),
    ("OFFLINE", "false", "true allows only the requests of configured widgets and status checks"),
    ("UPDATE_URL", "none", "Address of the newest release, queried at most once a day to tell admins about it"),
    ("METRICS_ADDR", "off", "Address and port for metrics, such as :9090"),
    ("ACCESS_LOG", "off", "json logs each response as one object per line on the standard output"),
    ("LOG_LEVEL", "info", "error, warn, info, debug or trace"),
    ("LOG_FORMAT", "text", "json logs one object per line"),
    ("TZ", "the system's", "Time zone of the log"),
    ("IS_DOCKER", "false", "Whether this is a Docker container"),
    ("UID", "none", "In a container that starts as root: the user whose rights the server takes"),
    ("GID", "the same as UID", "The group of that user"),
    ("container", "none", "The kind of container; set by container managers"),
];

/// The names of all variables, with those that name a file of a secret.
pub fn names() -> impl Iterator<Item = &'static str> {
    VARIABLES.into_iter().map(|(name, ..)| name).chain(SECRETS.map(|(_, of_file)| of_file))
}

/// The variables, each on two lines.
pub fn environment() -> String {
    let mut text = String::from("Environment variables:\n");
    for (name, default, meaning) in VARIABLES {
        // Writing to a `String` cannot fail.
        _ = writeln!(text, "  {name} [default: {default}]\n          {meaning}");
    }
    let files = SECRETS.map(|(_, of_file)| of_file).join(", ");
    _ = writeln!(text, "Secrets can be in files. These variables hold the paths:\n  {files}");
    text
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, collections::BTreeSet};

    use super::{SECRETS, VARIABLES, environment};
    use crate::settings::Settings;

    /// The log reads these itself, before the settings exist.
    const OF_THE_LOG: [&str; 3] = ["LOG_LEVEL", "LOG_FORMAT", "TZ"];

    #[test]
    fn the_help_has_every_variable() {
        let asked = RefCell::new(BTreeSet::from(OF_THE_LOG.map(str::to_owned)));
        Settings::read(|name| {
            asked.borrow_mut().insert(name.to_owned());
            None
        })
        .unwrap();
        // Kubernetes sets it in every pod; nobody sets it by hand.
        asked.borrow_mut().remove("KUBERNETES_SERVICE_HOST");
        // Listed together, below the others.
        for (_, of_file) in SECRETS {
            assert!(asked.borrow_mut().remove(of_file) && environment().contains(of_file), "{of_file}");
        }
        let known: BTreeSet<String> = VARIABLES.iter().map(|(name, ..)| (*name).to_owned()).collect();
        assert_eq!(*asked.borrow(), known);
        let text = environment();
        assert!(VARIABLES.iter().all(|(name, ..)| text.contains(&format!("  {name} ["))), "{text}");
    }

    #[test]
    fn the_readme_has_every_variable() {
        let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
        for (name, ..) in VARIABLES.iter().filter(|(name, ..)| *name != "container") {
            assert!(readme.contains(&format!("`{name}`")), "{name}");
        }
    }
}
