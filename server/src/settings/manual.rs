//! The environment section of `portico --help`.

use std::fmt::Write as _;

use super::secret_files::SECRETS;

/// A variable that the program reads. The texts are Markdown.
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// Its default, in a few words.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// The page in `docs` that has more about it.
    pub page: Option<&'static str>,
    /// Whether `README.md` lists it.
    pub is_common: bool,
}

/// A variable for the list in `README.md`.
const fn common(name: &'static str, default: &'static str, meaning: &'static str) -> Variable {
    Variable { name, default, meaning, page: None, is_common: true }
}

/// A variable that only `docs/variables.md` lists.
const fn rare(name: &'static str, default: &'static str, meaning: &'static str) -> Variable {
    Variable { is_common: false, ..common(name, default, meaning) }
}

impl Variable {
    const fn see(self, page: &'static str) -> Self {
        Self { page: Some(page), ..self }
    }
}

/// Every variable that the program reads, except those that widget options name.
pub const VARIABLES: [Variable; 44] = [
    common("PORT", "`8080`", "Port for HTTP"),
    common("HOST", "`0.0.0.0`", "Address on which the server listens"),
    common("USER_DATA_DIR", "`user-data`", "Folder of `conf.yml`, other pages, `item-icons/` and your other files"),
    common("DATABASE_URL", "none", "Address of a PostgreSQL database, such as `postgres://portico:PASSWORD@db.lan/portico`, that has the files in place of the folder, for several servers").see("database.md"),
    common("VITE_APP_CONFIG_PATH", "`conf.yml`", "Name of the main config in that folder, or the web address of one on another host. The server fetches that one every five minutes and keeps a read-only copy in the folder"),
    common("BASE_URL", "`/`", "Path prefix behind a proxy, such as `/start`. Not needed if the proxy strips the prefix and sends `X-Forwarded-Prefix`").see("proxies.md"),
    common("SSL_PRIV_KEY_PATH", "`/etc/ssl/certs/dashy-priv.key`", "Private key in PEM; HTTPS starts when both files exist"),
    common("SSL_PUB_KEY_PATH", "`/etc/ssl/certs/dashy-pub.pem`", "Certificate chain in PEM"),
    rare("SSL_PORT", "`8443`, in Docker `443`", "Port for HTTPS"),
    rare("REDIRECT_HTTPS", "`true`", "Whether HTTP redirects to HTTPS"),
    rare("FRAME_ANCESTORS", "none", "Other sites that may show the dashboard in a frame, such as `https://home.example` or `https://*.home.example`").see("network.md"),
    rare("HSTS", "off", "For how many seconds browsers must use HTTPS, such as `31536000`").see("network.md"),
    common("ALLOWED_HOSTS", "local names and addresses", "Additional host names, such as `dash.example.com,*.home.example`, under which a dashboard without sign-in may be changed and fetches widgets").see("network.md"),
    common("ENABLE_API", "`false`", "`true` turns the REST API on").see("api.md"),
    common("API_TOKEN", "none", "Bearer token of the REST API").see("api.md"),
    common("ENABLE_HTTP_AUTH", "`false`", "`true`: HTTP Basic with the users of `conf.yml`").see("sign-in.md"),
    common("BASIC_AUTH_USERNAME", "none", "HTTP Basic with one account: its name").see("sign-in.md"),
    common("BASIC_AUTH_PASSWORD", "none", "The password of that account").see("sign-in.md"),
    common("SESSION_SECRET", "a file in `USER_DATA_DIR`", "Key of the session cookies; the same for all servers behind one address"),
    common("OIDC_CLIENT_SECRET", "none", "Client secret, for identity providers that do not support public clients").see("sign-in.md"),
    rare("VITE_APP_DOMAIN", "taken from the request", "Address of the dashboard, as the identity provider knows it").see("sign-in.md"),
    common("TRUSTED_PROXIES", "this machine and private networks", "Proxies whose `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-Prefix` are trusted, or `none`").see("proxies.md"),
    rare("BACKUP_DIR", "`config-backups`", "Folder of the backups made before each write"),
    rare("CONFIG_BACKUP_LIMIT", "`100`", "How many backups remain of each file; `0` keeps all"),
    rare("DISABLE_CONFIG_BACKUPS", "`false`", "`true` turns backups off"),
    rare("NODE_EXTRA_CA_CERTS", "none", "PEM file with the certificates of your own authority, for requests to the identity provider and all other hosts"),
    rare("OUTBOUND_FORBID_PRIVATE", "`false`", "`true`: the server sends no requests to private addresses; for a server outside your own network").see("network.md"),
    rare("OUTBOUND_ALLOWED_HOSTS", "none", "Private hosts that it may contact anyway: `nas.lan,*.home.example,192.168.1.0/24`").see("network.md"),
    rare("OUTBOUND_FORBIDDEN_HOSTS", "none", "Hosts that the server never contacts, in the same form").see("network.md"),
    rare("DISABLE_PROXY_ENDPOINTS", "`false`", "`true`: `/status-check`, `/ping-check` and `/cors-proxy` respond with 403. Status dots do not need them"),
    rare("DISABLE_WIDGET_SCRIPTS", "`false`", "`true`: `html-embed` widgets show their markup and styles but run no scripts"),
    common("OFFLINE", "`false`", "`true`: no outgoing requests except those of the widgets and status checks in the config"),
    rare("UPDATE_URL", "none", "Address of the newest release (`…/releases/latest` in the API of GitHub, Gitea or Forgejo). The options tell admins if it is newer. It is queried at most once a day, and never with `OFFLINE` or `disableUpdateChecks`"),
    rare("OTEL_EXPORTER_OTLP_ENDPOINT", "off", "Address of a collector for the spans of OpenTelemetry, such as `http://collector.lan:4318`").see("monitoring.md"),
    rare("METRICS_ADDR", "off", "Address and port of a listener for Prometheus, such as `:9090` or `127.0.0.1:9090`").see("monitoring.md"),
    rare("SHUTDOWN_DELAY", "`0`", "Seconds for which the server still answers after SIGTERM, while `/readyz` says that it is stopping: time for a load balancer to choose other servers").see("database.md"),
    rare("ACCESS_LOG", "off", "`json`: one object per response on the standard output").see("monitoring.md"),
    common("LOG_LEVEL", "`info`", "`error`, `warn`, `info`, `debug` or `trace`"),
    rare("LOG_FORMAT", "`text`", "`json`: one object per line"),
    rare("TZ", "that of the system", "Time zone of the log"),
    rare("IS_DOCKER", "`false`", "Whether this is a Docker container"),
    rare("UID", "none", "In a container that starts as root: the user whose rights the server takes").see("install/containers.md"),
    rare("GID", "the same as `UID`", "The group of that user").see("install/containers.md"),
    rare("container", "none", "The kind of container; set by container managers"),
];

/// The names of all variables, with those that name a file of a secret.
pub fn names() -> impl Iterator<Item = &'static str> {
    VARIABLES.into_iter().map(|variable| variable.name).chain(SECRETS.map(|(_, of_file)| of_file))
}

/// The variables, each on two lines.
pub fn environment() -> String {
    let mut text = String::from("Environment variables:\n");
    for Variable { name, default, meaning, .. } in VARIABLES {
        // Writing to a `String` cannot fail.
        _ = writeln!(text, "  {name} [default: {}]\n          {}", plain(default), plain(meaning));
    }
    let files = SECRETS.map(|(_, of_file)| of_file).join(", ");
    _ = writeln!(text, "Secrets can be in files. These variables hold the paths:\n  {files}");
    text
}

/// Markdown for a terminal.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, collections::BTreeSet};

    use super::{SECRETS, VARIABLES, Variable, environment};
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
        // Kubernetes sets them in every pod; they are not set by hand.
        asked.borrow_mut().retain(|name| !name.starts_with("KUBERNETES_SERVICE_"));
        // Listed together, below the others.
        for (_, of_file) in SECRETS {
            assert!(asked.borrow_mut().remove(of_file) && environment().contains(of_file), "{of_file}");
        }
        let known: BTreeSet<String> = VARIABLES.iter().map(|variable| variable.name.to_owned()).collect();
        assert_eq!(*asked.borrow(), known);
        let text = environment();
        assert!(VARIABLES.iter().all(|variable| text.contains(&format!("  {} [", variable.name))), "{text}");
    }

    const HEADER: &str = "| Variable | Default | Meaning |\n|---|---|---|\n";

    /// Rows of a table. `docs` is the way to the folder with the other pages.
    fn table(variables: impl Iterator<Item = Variable>, docs: &str) -> String {
        let rows = variables.map(|Variable { name, default, meaning, page, .. }| {
            let more = page.map(|page| format!("; see [{docs}{page}]({docs}{page})")).unwrap_or_default();
            format!("| `{name}` | {default} | {meaning}{more} |\n")
        });
        HEADER.to_owned() + &rows.collect::<String>()
    }

    /// Compares a file with what it should be; writes it with `UPDATE_DOCS`.
    fn compare(path: &str, expected: &str) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../").to_owned() + path;
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, expected).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == expected, "{path} is stale: UPDATE_DOCS=1 cargo test -p server --lib variables");
    }

    #[test]
    fn the_reference_of_variables_is_fresh() {
        let secrets = SECRETS.map(|(_, of_file)| format!("`{of_file}`")).join(", ");
        let text = format!(
            "# Environment variables\n\n\
             <!-- Generated from server/src/settings/manual.rs. -->\n\n\
             All settings of the program that are not in `conf.yml`. An empty variable counts as not set. `portico --help` \
             prints this list, and `portico doctor` says which are set.\n\n{}\n\
             Secrets can be in files, as container secrets are. These variables hold the paths: {secrets}.\n",
            table(VARIABLES.into_iter(), ""),
        );
        compare("docs/variables.md", &text);
    }

    #[test]
    fn the_variables_in_the_readme_are_fresh() {
        let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
        let (before, rest) = readme.split_once(HEADER).unwrap();
        let (_, after) = rest.split_once("\n\n").unwrap();
        let common = table(VARIABLES.into_iter().filter(|variable| variable.is_common), "docs/");
        compare("README.md", &format!("{before}{common}\n{after}"));
    }
}
