//! The command line: `portico serve`, `validate`, `healthcheck`, `hash-password`, `check-oidc`, `version`.

use std::{
    io::{self, IsTerminal as _, Read as _},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use clap::{Parser, Subcommand};
use config::{Config, Document, Severity, model::MAIN_FILE};
use sha2::{Digest as _, Sha256};

use crate::{
    oidc_command,
    panels::Plans,
    serve,
    settings::Settings,
    widget_command::{self, WidgetCommand},
};

/// How long `healthcheck` waits for an answer.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(2);

/// A start page for everything you run.
#[derive(Debug, Parser)]
#[command(name = "portico", version, about, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves the dashboard (the default).
    Serve {
        /// Shows all widgets with recorded answers in place of the dashboard: without config, files or network.
        #[arg(long)]
        demo: bool,
    },
    /// Checks config files; exits with 1 if one has errors.
    Validate {
        /// Files to check; the main config of the user-data directory if none is given.
        files: Vec<PathBuf>,
    },
    /// Asks the running server whether it is well; exits with 1 if it is not.
    Healthcheck,
    /// Prints the hash of a password for `appConfig.auth.users`. Reads one line from the terminal or the input.
    HashPassword,
    /// Checks the sign-in at an OpenID provider or Keycloak; exits with 1 if something keeps people from it.
    CheckOidc {
        /// The address under which people open the dashboard, to check that it is registered.
        #[arg(long)]
        url: Option<String>,
    },
    /// Lists and tries widgets.
    Widget {
        #[command(subcommand)]
        command: WidgetCommand,
    },
    /// Prints the version.
    Version,
}

/// Runs what the arguments ask for.
pub async fn run(arguments: Arguments) -> ExitCode {
    let settings = match Settings::read(|name| std::env::var(name).ok()) {
        // Variables that are no text cannot be named in a config either.
        Ok(settings) => settings.with_variables(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        ),
        Err(error) => {
            eprintln!("portico: {error}");
            return ExitCode::from(2);
        }
    };
    match arguments.command.unwrap_or(Command::Serve { demo: false }) {
        Command::Serve { demo } => match serve::serve(settings, demo).await {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                tracing::error!("{error}");
                ExitCode::FAILURE
            }
        },
        Command::Validate { files } => validate(files, &settings),
        Command::Healthcheck => healthcheck(&settings).await,
        Command::HashPassword => hash_password(),
        Command::CheckOidc { url } => oidc_command::run(url.as_deref(), &settings).await,
        Command::Widget { command } => widget_command::run(command, &settings).await,
        Command::Version => {
            println!("portico {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
    }
}

fn validate(mut files: Vec<PathBuf>, settings: &Settings) -> ExitCode {
    if files.is_empty() {
        files.push(settings.user_data.join(&settings.main_config));
    }
    let mut failed = false;
    for file in &files {
        failed |= !validate_file(file, settings);
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints what is wrong with a file, one problem a line as `file:line:column: severity: path: reason`. Gives whether
/// there are no errors.
fn validate_file(file: &Path, settings: &Settings) -> bool {
    let name = file.display();
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            println!("{name}: error: {}", crate::store::reason(&error));
            return false;
        }
    };
    let document = match Document::parse(&bytes) {
        Ok(document) => document,
        Err(error) => {
            println!("{name}:{}:{}: error: {}\n{}", error.line, error.column, error.message, error.excerpt);
            return false;
        }
    };
    let config = match Config::read(&document) {
        Ok(config) => config,
        Err(error) => {
            println!("{name}: error: {error}");
            return false;
        }
    };
    // Sub-pages are never held against the schema; what cannot be read as meant is still worth knowing. Whoever keeps
    // a main config under another name has pages in it, or names it in VITE_APP_CONFIG_PATH.
    let is_called = |main: &str| Path::new(main).file_name() == file.file_name();
    let is_main = is_called(MAIN_FILE) || is_called(&settings.main_config) || document.value().get("pages").is_some();
    let mut problems = if is_main { config::check(&document) } else { Vec::new() };
    let plans = Plans::of(&config, &document, &settings.variables);
    for problem in config.problems {
        if !problems.iter().any(|known| known.path == problem.path && known.kind == problem.kind) {
            problems.push(problem);
        }
    }
    for problem in plans.problems() {
        // A sentence about a shared field begins with its name, and the schema may have said the same.
        let field = problem.message.split(' ').next().unwrap_or_default();
        let place = format!("{}/{field}", problem.path);
        if !problems
            .iter()
            .any(|known| known.path == place || known.path == format!("{}/options/{field}", problem.path))
        {
            problems.push(problem.clone());
        }
    }
    let locations = document.locations();
    problems.sort_by_key(|problem| locations.nearest(&problem.path));
    for problem in &problems {
        let (line, column) = locations.nearest(&problem.path).unwrap_or((1, 1));
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        println!("{name}:{line}:{column}: {severity}: {problem}");
    }
    if !is_main {
        println!("{name}: note: read, but not checked against the schema, which is for {MAIN_FILE} alone");
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let warnings = problems.len() - errors;
    let verdict = if errors > 0 { "invalid" } else { "valid" };
    println!("{name}: {verdict} ({errors} errors, {warnings} warnings)");
    errors == 0
}

async fn healthcheck(settings: &Settings) -> ExitCode {
    let host = match settings.host {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        host => host,
    };
    let tls = settings.private_key.exists() && settings.certificate.exists();
    let (scheme, port) = if tls { ("https", settings.ssl_port) } else { ("http", settings.port) };
    let url = format!("{scheme}://{}{}/healthz", std::net::SocketAddr::new(host, port), settings.base);
    // The server's own certificate names the public host, not this address.
    let client = reqwest::Client::builder().tls_danger_accept_invalid_certs(true).timeout(HEALTH_TIMEOUT).no_proxy();
    let answer = match client.build() {
        Ok(client) => client.get(&url).send().await,
        Err(error) => Err(error),
    };
    match answer {
        Ok(answer) if answer.status().is_success() => {
            println!("healthy: {url} answers {}", answer.status());
            ExitCode::SUCCESS
        }
        Ok(answer) => {
            println!("not healthy: {url} answers {}", answer.status());
            ExitCode::FAILURE
        }
        Err(error) => {
            let reason = if error.is_timeout() { "no answer within 2 s" } else { "no connection" };
            println!("not healthy: {url}: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn hash_password() -> ExitCode {
    let read = if io::stdin().is_terminal() {
        rpassword::prompt_password("Password: ")
    } else {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    };
    let password = match read {
        Ok(text) => text.trim_end_matches(['\r', '\n']).to_owned(),
        Err(error) => {
            eprintln!("portico: the password cannot be read: {error}");
            return ExitCode::FAILURE;
        }
    };
    if password.is_empty() {
        eprintln!("portico: the password is empty");
        return ExitCode::FAILURE;
    }
    println!("{}", sha256_hex(password.as_bytes()));
    ExitCode::SUCCESS
}

/// SHA-256 in lower-case hexadecimal digits, the form of `hash` in `appConfig.auth.users`.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
