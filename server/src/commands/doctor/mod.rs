//! `portico doctor`: checks an installation from inside, and says what to do. Its output contains no secrets, so that it can be
//! part of a report.

use std::{
    collections::BTreeSet,
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use axum_server::tls_rustls::RustlsConfig;
use config::{
    Config, Document, Severity,
    model::{PageSource, auth::SignIn},
};
use http::header;
use jiff::{Timestamp, fmt::rfc2822};
use rustls::pki_types::{CertificateDer, pem::PemObject as _};
use url::Url;

use super::{
    check_oidc,
    health::health,
    output::{counted, print_findings},
};
use crate::{
    access::{Finding, FindingSeverity},
    database::{Database, DatabaseError},
    http_client::{HttpClient, HttpRequest, Purpose, certificate_end},
    panels::{self, WidgetPlans},
    platform::io_error,
    settings::{Settings, manual},
    store::rights,
};

/// How many hosts of items are contacted.
const MAX_HOSTS: usize = 3;
const TIMEOUT: Duration = Duration::from_secs(5);
/// By how many seconds clocks may differ.
const LEEWAY: u64 = 60;
/// A certificate that ends sooner is a problem: automatic renewal would have replaced it.
const DAYS_LEFT: i64 = 7;

/// Runs the command. `url` is the address at which users open the dashboard.
pub async fn run(url: Option<&str>, settings: &Settings) -> ExitCode {
    print_findings(&findings(url, settings).await)
}

/// All findings. `url` is the address at which users open the dashboard.
pub async fn findings(url: Option<&str>, settings: &Settings) -> Vec<Finding> {
    let mut found = vec![about(settings), variables()];
    found.extend(Settings::warnings(|name| std::env::var(name).ok()).into_iter().map(note));
    found.push(match health(settings).await {
        Ok(text) => good(text),
        Err(text) => note(format!("{text}. The other checks do not need a running server")),
    });
    if settings.database.is_some() {
        found.push(database(settings).await);
        if settings.session_secret.is_none() {
            found.push(problem("SESSION_SECRET is missing: all servers of a database need the same one".to_owned()));
        }
    } else {
        found.push(match rights::problem(settings) {
            Some(text) => problem(text),
            None => good(format!("`{}` can be written", settings.user_data.display())),
        });
    }
    let config = read_config(settings, &mut found);
    found.extend(certificates(settings).await);
    let http_client = match HttpClient::new(settings.http_client()) {
        Ok(http_client) => http_client,
        Err(error) => {
            found.push(problem(format!("outgoing requests: {error}; see NODE_EXTRA_CA_CERTS")));
            return found;
        }
    };
    let has_provider = config
        .as_ref()
        .is_some_and(|config| matches!(config.app.auth.sign_in(), SignIn::Oidc(_) | SignIn::Keycloak(_)));
    if has_provider {
        match check_oidc::findings(url, settings).await {
            Ok(findings) => found.extend(findings),
            Err(reason) => found.push(problem(reason)),
        }
    }
    found.extend(outgoing(config.as_ref(), settings, &http_client).await);
    let own = url.map(|url| url.trim_end_matches('/').to_owned());
    let own = own.or_else(|| settings.public_origin.as_ref().map(|origin| format!("{origin}{}", settings.base)));
    found.extend(match own {
        Some(own) => proxy(&own, has_provider, &http_client).await,
        None => vec![note("pass the dashboard's address with `--url` to check the proxy in front of it".to_owned())],
    });
    found
}

/// Whether the database can be used, and how long its answers take.
async fn database(settings: &Settings) -> Finding {
    let connected = async {
        let Some(database) = Database::new(settings)? else { return Ok(None) };
        database.prepare().await?;
        let began = Instant::now();
        let version = database.version().await?;
        Ok::<_, DatabaseError>(Some((version, began.elapsed())))
    };
    match connected.await {
        Ok(Some((version, took))) => {
            good(format!("the database is PostgreSQL {version}, and answers within {} ms", took.as_millis().max(1)))
        }
        Ok(None) => good("there is no database".to_owned()),
        Err(error) => problem(format!("DATABASE_URL: {error}")),
    }
}

fn good(text: String) -> Finding {
    Finding { severity: FindingSeverity::Good, text }
}

fn note(text: String) -> Finding {
    Finding { severity: FindingSeverity::Note, text }
}

fn problem(text: String) -> Finding {
    Finding { severity: FindingSeverity::Problem, text }
}

fn about(settings: &Settings) -> Finding {
    let container = settings.container.as_deref().map(|kind| format!(", in a container ({kind})")).unwrap_or_default();
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    good(format!("portico {} for {system} on {processor}{container}", env!("CARGO_PKG_VERSION")))
}

/// The names of the variables that are set; a value may be a secret.
fn variables() -> Finding {
    let set: Vec<&str> = manual::names().filter(|name| std::env::var_os(name).is_some()).collect();
    good(if set.is_empty() {
        "no variable is set".to_owned()
    } else {
        format!("these variables are set: {}", set.join(", "))
    })
}

/// Reads the main config and its pages, and counts their problems.
fn read_config(settings: &Settings, found: &mut Vec<Finding>) -> Option<Config> {
    found.extend(panels::shared_services::load(&settings.user_data).into_iter().map(problem));
    let (document, config) = read_file(&settings.main_config, None, settings, found)?;
    for page in &config.pages {
        if let PageSource::File(path) = &page.source {
            read_file(path, Some(&document), settings, found);
        }
    }
    Some(config)
}

/// Reads a file: the main config, or a page if `root` is the main config.
fn read_file(
    name: &str,
    root: Option<&Document>,
    settings: &Settings,
    found: &mut Vec<Finding>,
) -> Option<(Document, Config)> {
    let read = std::fs::read(settings.user_data.join(name)).map_err(|error| io_error::reason(&error).to_owned());
    let read = read.and_then(|bytes| {
        let document = Document::parse(&bytes).map_err(|error| format!("line {}: {}", error.line, error.message))?;
        let config = match root {
            Some(root) => Config::read_page(root, &document),
            None => Config::read(&document),
        };
        Ok((config.map_err(|error| error.to_string())?, document))
    });
    let (config, document) = match read {
        Ok(read) => read,
        Err(reason) => {
            found.push(problem(format!("`{name}` cannot be read: {reason}")));
            return None;
        }
    };
    let plans = WidgetPlans::of(&config, &document, &settings.variables);
    let problems = panels::problems(&document, &config, &plans, root.is_none());
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let counts = format!("{} and {}", counted(errors, "error"), counted(warnings, "warning"));
    found.push(match (errors, warnings) {
        (0, 0) => good(format!("`{name}` is valid")),
        (0, _) => note(format!("`{name}` has {counts}; `portico validate` lists them")),
        _ => problem(format!("`{name}` has {counts}; `portico validate` lists them")),
    });
    Some((document, config))
}

async fn certificates(settings: &Settings) -> Vec<Finding> {
    let (key, certificate) = (&settings.private_key, &settings.certificate);
    match (key.exists(), certificate.exists()) {
        (false, false) => return Vec::new(),
        (true, true) => {}
        (has_key, _) => {
            let missing = if has_key { certificate } else { key };
            return vec![problem(format!(
                "HTTPS is off, because `{}` is missing; see SSL_PRIV_KEY_PATH and SSL_PUB_KEY_PATH",
                missing.display()
            ))];
        }
    }
    if let Err(error) = RustlsConfig::from_pem_file(certificate, key).await {
        return vec![problem(format!("the certificate or private key for HTTPS cannot be used: {error}"))];
    }
    vec![validity(certificate, Timestamp::now())]
}

fn validity(path: &Path, now: Timestamp) -> Finding {
    let first = CertificateDer::pem_file_iter(path).ok().and_then(|mut chain| chain.next()?.ok());
    let Some(end) = first.and_then(|certificate| certificate_end(&certificate)) else {
        return note("when the certificate for HTTPS ends is unknown".to_owned());
    };
    let days = (end.as_second() - now.as_second()).div_euclid(24 * 60 * 60);
    let date = end.strftime("%Y-%m-%d");
    if days < 0 {
        problem(format!("the certificate for HTTPS ended on {date}: renew it; no restart is needed"))
    } else if days < DAYS_LEFT {
        problem(format!("the certificate for HTTPS ends on {date}: renew it; no restart is needed"))
    } else {
        good(format!("the certificate for HTTPS is valid until {date}"))
    }
}

/// Contacts some hosts that the config names, and compares the clocks.
async fn outgoing(config: Option<&Config>, settings: &Settings, http_client: &HttpClient) -> Vec<Finding> {
    let items = config.into_iter().flat_map(|config| &config.sections).flat_map(|section| &section.items);
    let mut seen = BTreeSet::new();
    let addresses =
        items.filter_map(|item| Url::parse(item.url.as_deref()?).ok()).filter(|url| url.scheme().starts_with("http"));
    let addresses: Vec<Url> =
        addresses.filter(|url| seen.insert(url.host_str().map(str::to_owned))).take(MAX_HOSTS).collect();
    let updates = settings.update_url.as_deref().and_then(|address| Url::parse(address).ok());
    let mut found = Vec::new();
    let mut clock = None;
    for url in addresses.into_iter().chain(updates) {
        let Some(host) = url.host_str().map(str::to_owned) else { continue };
        let request = HttpRequest { timeout: TIMEOUT, ..HttpRequest::get(Purpose::Configured, url.as_str()) };
        match http_client.send_headers_only(request).await {
            Ok(reply) => {
                found.push(good(format!("{host} responds")));
                let date = reply.headers.get(header::DATE).and_then(|date| date.to_str().ok());
                clock = clock.or_else(|| Some((host, rfc2822::parse(date?).ok()?.timestamp())));
            }
            // It says which host, and what is wrong.
            Err(error) => {
                found.push(problem(format!("{error}. It must be reachable from here, not only from your browser")))
            }
        }
    }
    match clock {
        None if found.is_empty() => {
            found.push(note("no item names a host, so DNS and outgoing requests are not checked".to_owned()))
        }
        None => {}
        Some((host, theirs)) => {
            let apart = theirs.as_second().abs_diff(Timestamp::now().as_second());
            found.push(if apart > LEEWAY {
                problem(format!("the clock differs from that of {host} by {apart} s: set the time of this machine"))
            } else {
                good(format!("the clock agrees with that of {host}"))
            });
        }
    }
    found
}

/// Checks what the proxy at the dashboard's own address passes on.
async fn proxy(own: &str, has_provider: bool, http_client: &HttpClient) -> Vec<Finding> {
    let get = |path: &str| {
        let request = HttpRequest::get(Purpose::Configured, format!("{own}{path}"));
        http_client.send(HttpRequest { timeout: TIMEOUT, max_redirects: 0, ..request })
    };
    let health = match get("/healthz").await {
        Ok(reply) => reply,
        Err(error) => return vec![note(format!("{own} cannot be checked from here: {error}"))],
    };
    if !health.status.is_success() || !String::from_utf8_lossy(&health.body).contains("\"uptime\"") {
        return vec![problem(format!(
            "at {own} something else responds (status {}): check the host, port and path that the proxy forwards to",
            health.status
        ))];
    }
    let mut found = vec![good(format!("the dashboard responds at {own}"))];
    if !has_provider {
        return found;
    }
    // The address that users come back to shows what the server knows of its own.
    let reply = get("/login/provider").await.ok();
    let location = reply.and_then(|reply| Url::parse(reply.headers.get(header::LOCATION)?.to_str().ok()?).ok());
    let back = location
        .and_then(|url| url.query_pairs().find(|(key, _)| key == "redirect_uri").map(|(_, value)| value.into_owned()));
    match back {
        Some(back) if back.trim_end_matches('/') == own => {
            found.push(good("the proxy passes on the host and the scheme".to_owned()));
        }
        Some(back) => found.push(problem(format!(
            "the server takes its own address for {back}: the proxy must pass on `Host`, and set `X-Forwarded-Proto` and, below a \
             path, `X-Forwarded-Prefix`; TRUSTED_PROXIES must list it. Or set VITE_APP_DOMAIN"
        ))),
        None => found.push(note("the running server did not begin a sign-in; restart it if the config is new".to_owned())),
    }
    found
}
