//! The command line: `portico serve`, `validate`, `import`, `healthcheck`, `hash-password`, `check-oidc`, `doctor`, `discover`,
//! `export`, `token`, `store`, `alerts`, `completions`, `version`.

mod alerts;
pub mod check_oidc;
pub mod discover;
pub mod doctor;
mod export;
mod health;
mod icon_check;
pub mod import;
mod output;
pub mod report;
pub mod serve;
pub mod store;
pub mod token;
pub mod widget;

use std::{
    ffi::OsString,
    io::{self, IsTerminal as _, Read as _, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use config::{
    Config, Document, Severity,
    model::{MAIN_FILE, PageSource},
};

use self::{health::health, output::counted};
use crate::{
    access,
    commands::{
        alerts::AlertsCommand, export::ExportArguments, import::ImportArguments, store::StoreCommand,
        token::TokenCommand, widget::WidgetCommand,
    },
    database::Database,
    http_client::HttpClient,
    panels::{self, WidgetPlans},
    platform::assets::EmbeddedFiles,
    routes::new_version,
    settings::{Settings, manual},
    store::{FileFailure, transfer},
};

/// A start page for everything you run.
#[derive(Debug, Parser)]
#[command(name = "portico", version, disable_help_subcommand = true, after_long_help = manual::environment())]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves the dashboard (the default).
    Serve {
        /// Shows all widgets with recorded responses instead of the dashboard: no config, files or network are needed.
        #[arg(long)]
        demo: bool,
    },
    /// Checks config files; exits with 1 if one has errors.
    Validate {
        /// The files to check; by default, the main config in the user-data folder.
        files: Vec<PathBuf>,
    },
    /// Turns the config of another dashboard, or a browser's bookmarks, into a config; and reports what is not carried
    /// over.
    Import(ImportArguments),
    /// Checks whether the running server is healthy; exits with 1 if it is not.
    Healthcheck,
    /// Prints the Argon2id hash of a password for `appConfig.auth.users`. Reads one line from the terminal or the input.
    HashPassword {
        /// Prints the SHA-256 of the password instead, the only form that Dashy reads. It is easy to crack.
        #[arg(long)]
        sha256: bool,
    },
    /// Checks the sign-in through an OpenID provider or Keycloak; exits with 1 if something prevents it.
    CheckOidc {
        /// The address at which users open the dashboard, to check that it is registered.
        #[arg(long)]
        url: Option<String>,
    },
    /// Makes, lists and revokes tokens of the REST API.
    Token {
        #[command(subcommand)]
        command: TokenCommand,
    },
    /// Copies everything between a user-data folder and a database.
    Store {
        #[command(subcommand)]
        command: StoreCommand,
    },
    /// Lists and tries widgets.
    Widget {
        #[command(subcommand)]
        command: WidgetCommand,
    },
    /// Checks this installation from inside: config, rights, clock, sign-in, network, certificates; exits with 1 if there is a
    /// problem. The output contains no secrets.
    Doctor {
        /// The address at which users open the dashboard, to check the proxy in front of it.
        #[arg(long)]
        url: Option<String>,
    },
    /// Prints what each source in `appConfig.discovery` gives, and why something is dropped; exits with 1 if a source cannot be
    /// listed.
    Discover {
        /// The config file; by default, the main config in the user-data folder.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Keeps running, and prints the list again after each change.
        #[arg(long)]
        follow: bool,
    },
    /// Writes what a guest sees as files for any web server: all pages, with the last data of widgets.
    Export(ExportArguments),
    /// Tries the targets in `appConfig.alerts`.
    Alerts {
        #[command(subcommand)]
        command: AlertsCommand,
    },
    /// Prints the completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Prints the manual page.
    #[command(hide = true)]
    Manual,
    /// Prints the version.
    Version {
        /// Queries `UPDATE_URL` too; exits with 1 if there is a newer version, and with 2 if that is unknown.
        #[arg(long)]
        check: bool,
    },
}

impl Arguments {
    /// The arguments of this process.
    pub fn of_process() -> Self {
        Self::parse_from(as_own(std::env::args_os().collect()))
    }
}

/// Turns what Dashy's container runs into our commands: health checks and start commands written for it begin with `node`.
fn as_own(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_node = |argument: Option<&OsString>| {
        argument.is_some_and(|argument| Path::new(argument).file_name().is_some_and(|name| name == "node"))
    };
    if !is_node(arguments.first()) && is_node(arguments.get(1)) {
        arguments.remove(0);
    }
    let script = is_node(arguments.first()).then(|| arguments.get(1)).flatten();
    let command = script.and_then(|script| match Path::new(script).file_stem()?.to_str()? {
        "healthcheck" => Some("healthcheck"),
        "server" => Some("serve"),
        _ => None,
    });
    if let Some(command) = command {
        return ["portico", command].map(OsString::from).into();
    }
    arguments
}

/// Runs the command given by the arguments. `embedded` are the files that the program contains, if it does.
pub async fn run(arguments: Arguments, embedded: Option<EmbeddedFiles>) -> ExitCode {
    // A value that is not UTF-8 still counts as set: a token or a switch must not be off because of it.
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let settings = match Settings::read(variable) {
        // A config cannot name variables that are not valid text either.
        Ok(settings) => settings.with_variables(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        ),
        Err(error) => {
            eprintln!("portico: {error}");
            return ExitCode::from(2);
        }
    };
    let command = arguments.command.unwrap_or(Command::Serve { demo: false });
    // Most commands read files, which a database has too.
    let reads_files = matches!(
        command,
        Command::Validate { .. }
            | Command::CheckOidc { .. }
            | Command::Doctor { .. }
            | Command::Discover { .. }
            | Command::Alerts { .. }
            | Command::Export(_)
    );
    let (settings, _copy) = match &settings.database {
        Some(_) if reads_files => match copied(&settings).await {
            Ok((settings, copy)) => (settings, Some(copy)),
            // The doctor says so itself.
            Err(_) if matches!(command, Command::Doctor { .. }) => (settings, None),
            Err(reason) => {
                eprintln!("portico: {reason}");
                return ExitCode::FAILURE;
            }
        },
        _ => (settings, None),
    };
    match command {
        Command::Serve { demo } => match serve::serve(settings, embedded, demo).await {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                tracing::error!("{error}");
                ExitCode::FAILURE
            }
        },
        Command::Validate { files } => validate(files, &settings.settled(), embedded),
        Command::Import(arguments) => import::run(&arguments),
        Command::Healthcheck => healthcheck(&settings).await,
        Command::HashPassword { sha256 } => hash_password(sha256),
        Command::CheckOidc { url } => check_oidc::run(url.as_deref(), &settings.settled()).await,
        Command::Token { command } => token::run(command, settings).await,
        Command::Store { command } => store::run(command, &settings).await,
        Command::Widget { command } => widget::run(command, &settings).await,
        Command::Doctor { url } => doctor::run(url.as_deref(), &settings.settled()).await,
        Command::Discover { config, follow } => discover::run(config, follow, &settings.settled(), embedded).await,
        Command::Export(arguments) => export::run(&arguments, settings.settled(), embedded).await,
        Command::Alerts { command } => alerts::run(command, &settings.settled()).await,
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "portico", &mut text);
            print_bytes(&text)
        }
        Command::Manual => match manual_page() {
            Ok(text) => print_bytes(&text),
            Err(_) => ExitCode::FAILURE,
        },
        Command::Version { check } => {
            println!("portico {}", env!("CARGO_PKG_VERSION"));
            if check { check_version(&settings).await } else { ExitCode::SUCCESS }
        }
    }
}

/// The settings for a copy of the database's files in a temporary folder, which is removed when it is dropped.
async fn copied(settings: &Settings) -> Result<(Settings, tempfile::TempDir), String> {
    let copy = tempfile::tempdir().map_err(|error| error.to_string())?;
    if let Some(database) = Database::new(settings).map_err(|error| error.to_string())? {
        transfer::check_out(&database, copy.path()).await.map_err(|error| error.to_string())?;
    }
    Ok((Settings { user_data: copy.path().to_owned(), old_user_data: None, ..settings.clone() }, copy))
}

fn validate(mut files: Vec<PathBuf>, settings: &Settings, embedded: Option<EmbeddedFiles>) -> ExitCode {
    if files.is_empty() {
        files.push(settings.user_data.join(&settings.main_config));
    }
    let problems = panels::shared_services::load(&settings.user_data);
    for problem in &problems {
        println!("{problem}");
    }
    let mut failed = !problems.is_empty();
    for file in &files {
        failed |= !validate_file(file, settings, embedded);
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints the problems of a file, one per line, as `file:line:column: severity: path: reason`. Returns whether there
/// are no errors.
fn validate_file(file: &Path, settings: &Settings, embedded: Option<EmbeddedFiles>) -> bool {
    let name = file.display();
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            let folder = file.parent().unwrap_or(Path::new(""));
            let bare = file.file_name().unwrap_or_default().to_string_lossy();
            println!("{name}: error: {}", FileFailure::of_disk(&bare, &error).with_similar(folder, true).explained());
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
    let root = root_of_page(file, &document, settings);
    let read = match &root {
        Some(root) => Config::read_page(root, &document),
        None => Config::read(&document),
    };
    let config = match read {
        Ok(config) => config,
        Err(error) => {
            println!("{name}: error: {error}");
            return false;
        }
    };
    let plans = WidgetPlans::of(&config, &document, &settings.variables);
    let mut problems = panels::problems(&document, &config, &plans, root.is_none());
    if let Some(icons) = icon_check::icons_for(file, settings, embedded) {
        problems.extend(icon_check::problems(&config, &icons));
    }
    let locations = document.locations();
    problems.sort_by_key(|problem| locations.nearest(&problem.path));
    for problem in &problems {
        let (line, column) = locations.nearest(&problem.path).unwrap_or((1, 1));
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        println!("{name}:{line}:{column}: {severity}: {problem}");
    }
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    match (&root, errors) {
        // The schema applies only to main configs, and nothing else can be invalid.
        (Some(_), _) => println!("{name}: can be read as a page of the main config ({})", counted(warnings, "warning")),
        (None, _) => println!(
            "{name}: {} ({}, {})",
            if errors == 0 { "valid" } else { "invalid" },
            counted(errors, "error"),
            counted(warnings, "warning"),
        ),
    }
    errors == 0
}

/// The main config that lists the file as one of its pages. It is next to the file, or one folder up if pages have
/// their own folder. Any other file is treated as a main config.
fn root_of_page(file: &Path, document: &Document, settings: &Settings) -> Option<Document> {
    let is_called = |main: &str| Path::new(main).file_name() == file.file_name();
    if is_called(&settings.main_config) || document.value().get("pages").is_some() {
        return None;
    }
    let file = file.canonicalize().ok()?;
    let folders = file.ancestors().skip(1).take(3);
    let mains = folders.flat_map(|folder| [&settings.main_config, MAIN_FILE].map(|main| (folder, folder.join(main))));
    mains.into_iter().find_map(|(folder, main)| {
        let root = Document::parse(&std::fs::read(main).ok()?).ok()?;
        let pages = Config::read(&root).ok()?.pages;
        let is_listed = pages.iter().any(|page| match &page.source {
            PageSource::File(path) => folder.join(path).canonicalize().is_ok_and(|page| page == file),
            PageSource::Remote(_) => false,
        });
        is_listed.then_some(root)
    })
}

/// Prints bytes; the reader may stop before the end.
fn print_bytes(text: &[u8]) -> ExitCode {
    if io::stdout().write_all(text).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The manual page, in roff. There is one for all commands, so it lists them without references to other pages.
fn manual_page() -> io::Result<Vec<u8>> {
    let command = Arguments::command();
    let mut list = String::from("Commands:\n");
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        list.push_str(&format!("  portico {}\n          {about}\n", command.get_name()));
    }
    let page = clap_mangen::Man::new(command.after_long_help(format!("{list}\n{}", manual::environment())));
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_extra_section(&mut text)?;
    Ok(text)
}

/// Looks for a newer version at `UPDATE_URL`.
async fn check_version(settings: &Settings) -> ExitCode {
    let Some(address) = &settings.update_url else {
        println!("whether there is a newer version is unknown: set UPDATE_URL to the address of the newest release");
        return ExitCode::from(2);
    };
    let found = match HttpClient::new(settings.http_client()) {
        Ok(client) => new_version::find(&client, address).await,
        Err(error) => Err(error.to_string()),
    };
    match found {
        Ok(None) => {
            println!("this is the newest version");
            ExitCode::SUCCESS
        }
        Ok(Some(newer)) => {
            let page = newer.page.map(|page| format!(": {page}")).unwrap_or_default();
            println!("version {} is available{page}", newer.version);
            ExitCode::FAILURE
        }
        Err(reason) => {
            println!("whether there is a newer version is unknown: {reason}");
            ExitCode::from(2)
        }
    }
}

async fn healthcheck(settings: &Settings) -> ExitCode {
    match health(settings).await {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            println!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn hash_password(sha256: bool) -> ExitCode {
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
        eprintln!("portico: the password is empty; type one, or pass it on standard input");
        return ExitCode::FAILURE;
    }
    if sha256 {
        println!("{}", access::sha256_hex(password.as_bytes()));
        return ExitCode::SUCCESS;
    }
    match access::argon2_hash(&password) {
        Ok(hash) => {
            println!("{hash}");
            // Not part of the output, which may be redirected to a file.
            eprintln!(
                "Put this Argon2id hash in quotes after `hash:`. For a config that Dashy reads too, use \
                 `portico hash-password --sha256`."
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("portico: the password cannot be hashed: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::as_own;

    #[test]
    fn commands_of_the_other_container_are_ours() {
        let own = |arguments: &[&str]| as_own(arguments.iter().map(OsString::from).collect());
        for script in ["/app/services/healthcheck", "/app/services/healthcheck.js", "services/healthcheck.js"] {
            assert_eq!(own(&["node", script]), ["portico", "healthcheck"]);
            assert_eq!(own(&["/usr/local/bin/portico", "node", script]), ["portico", "healthcheck"]);
        }
        assert_eq!(own(&["/usr/local/bin/node", "server"]), ["portico", "serve"]);
        assert_eq!(own(&["node", "/app/other.js"]), ["node", "/app/other.js"]);
        assert_eq!(own(&["node"]), ["node"]);
        assert_eq!(own(&["portico", "validate", "node"]), ["portico", "validate", "node"]);
    }
}
