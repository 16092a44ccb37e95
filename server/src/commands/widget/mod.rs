//! `portico widget`: lists widgets, shows their options, and tries one with a live or a recorded service.

#[cfg(test)]
mod tests;

use std::{
    cell::RefCell,
    collections::HashSet,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use app::parts::{self, PanelContext};
use async_trait::async_trait;
use clap::Subcommand;
use serde_json::{Value, json};
use widgets::{
    Case, Entry, FetchError, Kind, Moment, OptionProblems, OptionSeverity, Panel, PendingValue, Request, Response,
    Side, ViewerHints, WidgetContext,
};

use crate::{
    http_client::HttpClient,
    panels::{
        Secrets,
        context::{ServerContext, WidgetMemory, end_unused_sessions},
        demo,
        own_addresses::OwnAddresses,
    },
    platform::system_info::Machine,
    settings::{HttpClientSettings, Settings},
};

/// Number of characters in a line about an option, without its indentation.
const LINE: usize = 90;

/// What to do with widgets.
#[derive(Debug, Subcommand)]
pub enum WidgetCommand {
    /// Lists all types with their other names, or those that match some words.
    List {
        /// Only types that match all of these words: what they show, their service, or one of their names.
        #[arg(long, value_name = "WORD", num_args = 1..)]
        search: Vec<String>,
    },
    /// Prints the documentation of a type: its options, their defaults and bounds, and an example.
    Show {
        /// The type, by any of its names.
        kind: String,
        /// Prints it as JSON, the options as a JSON Schema.
        #[arg(long)]
        json: bool,
    },
    /// Fetches once and prints the panel as JSON, with the requests that were made.
    Try {
        /// The type, by any of its names.
        kind: String,
        /// A YAML or JSON file with the options, or with a whole entry (`options`, `useProxy`, …).
        #[arg(long)]
        options: Option<PathBuf>,
        /// A case file: its options and recorded responses replace the options file and the network.
        #[arg(long, conflicts_with = "options")]
        replay: Option<PathBuf>,
        /// Prints only the markup of the panel, as it would be in a page.
        #[arg(long)]
        html: bool,
    },
}

/// The output format.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Panel, problems and requests as JSON.
    Json,
    /// The panel as markup.
    Html,
}

/// Runs the command.
pub async fn run(command: WidgetCommand, settings: &Settings) -> ExitCode {
    let outcome = match command {
        WidgetCommand::List { search } if search.is_empty() => Ok(list()),
        WidgetCommand::List { search: words } => search(&words),
        WidgetCommand::Show { kind, json } => show(&kind, json),
        WidgetCommand::Try { kind, options, replay, html } => {
            let form = if html { Form::Html } else { Form::Json };
            try_once(&kind, options.as_deref(), replay.as_deref(), form, settings).await
        }
    };
    match outcome {
        Ok(text) => {
            // A reader that needs only the beginning closes the pipe. That is not a failure.
            _ = writeln!(io::stdout(), "{text}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("portico: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn list() -> String {
    let mut kinds = Kind::ALL.to_vec();
    kinds.sort_by_key(|kind| kind.name());
    let width = kinds.iter().map(|kind| kind.name().len()).max().unwrap_or_default();
    let line = |kind: &Kind| format!("{:width$}  {}", kind.name(), kind.aliases().join(", ")).trim_end().to_owned();
    kinds.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The types that match all words, each with its description, services and other names.
fn search(words: &[String]) -> Result<String, String> {
    let found = Kind::search(words);
    if found.is_empty() {
        let written = words.join(" ");
        return Err(match Kind::corrected_search(words) {
            Some(corrected) => format!("no widget matches `{written}`; did you mean `{corrected}`?"),
            None => format!(
                "no widget matches `{written}`; try fewer words, or see all of them with `portico widget list`. A \
                 service without a widget of its own can be shown by api-response (its data), iframe (its page) or \
                 service-status (whether it is up)"
            ),
        });
    }
    let mut text = String::new();
    for kind in found {
        let manual = kind.manual();
        _ = writeln!(text, "{}", kind.name());
        lines(&manual.about).iter().for_each(|line| _ = writeln!(text, "    {line}"));
        let aliases = kind.aliases();
        let aliases = if aliases.is_empty() { String::new() } else { format!("Also known as {}", aliases.join(", ")) };
        for line in [manual.services(), aliases].iter().filter(|line| !line.is_empty()) {
            lines(line).iter().for_each(|line| _ = writeln!(text, "    {line}"));
        }
    }
    Ok(text.trim_end().to_owned())
}

fn find(written: &str) -> Result<Kind, String> {
    Kind::parse(written).ok_or_else(|| match Kind::nearest_name(written) {
        Some(name) => format!("there is no widget `{written}`; did you mean `{name}`?"),
        None => format!("there is no widget `{written}`; see `portico widget list`"),
    })
}

fn show(written: &str, as_json: bool) -> Result<String, String> {
    let kind = find(written)?;
    let manual = kind.manual();
    let example = demo::example(kind).map(|case| manual.entry(&case));
    if as_json {
        let about = json!({
            "type": kind.name(), "aliases": kind.aliases(), "about": manual.about, "runs": manual.runs(),
            "options": kind.schema(), "example": example,
        });
        return serde_json::to_string_pretty(&about).map_err(|error| error.to_string());
    }
    let mut text = format!("{}\n\n{}\n", kind.name(), manual.about);
    if !kind.aliases().is_empty() {
        _ = writeln!(text, "\nAlso known as {}.", kind.aliases().join(", "));
    }
    if !kind.services().is_empty() {
        _ = writeln!(text, "\n{}", manual.services());
    }
    _ = writeln!(text, "\n{}", format!("{}\n{}", manual.runs(), manual.looks_again()).trim_end());
    if !manual.options.is_empty() {
        text.push_str("\nOptions\n");
    }
    for option in &manual.options {
        _ = write!(text, "\n  {}: {}\n", option.name, option.value);
        lines(&option.meaning).iter().for_each(|line| _ = writeln!(text, "      {line}"));
    }
    if let Some(entry) = example {
        let yaml = serde_yaml::to_string(&[entry]).map_err(|error| error.to_string())?;
        text.push_str("\nExample\n\n");
        yaml.trim_end().lines().for_each(|line| _ = writeln!(text, "  {line}"));
    }
    Ok(text.trim_end().to_owned())
}

/// A text wrapped into lines that fit a terminal.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + word.chars().count() < LINE) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

async fn try_once(
    written: &str,
    options: Option<&Path>,
    replay: Option<&Path>,
    form: Form,
    settings: &Settings,
) -> Result<String, String> {
    let kind = find(written)?;
    match replay {
        Some(path) => {
            let case: Case = read_yaml(path)?;
            let folder = path.parent().unwrap_or(Path::new("."));
            let (entry, problems) = case.entry();
            let recorded = case.recorded(|name| fs::read(folder.join(name))).map_err(|error| error.to_string())?;
            let secrets = Secrets::of(Some(kind), &entry, Vec::new());
            report(kind, entry, problems, &recorded, secrets, form).await
        }
        None => {
            let mut problems = OptionProblems::default();
            let value = options.map(read_yaml::<Value>).transpose()?.unwrap_or_default();
            let value = if value.get("options").is_some() { value } else { json!({ "options": value }) };
            let mut entry = Entry::read(&value, false, &mut problems);
            let used = RefCell::default();
            let lookup = |name: &str| settings.variables.get(name).inspect(|value| add(&used, value));
            widgets::resolve(&mut entry.options, &lookup, &mut problems);
            let secrets = Secrets::of(Some(kind), &entry, used.into_inner());
            // The server is another process here, so its port is not special.
            let http_client = HttpClientSettings { own_ports: Vec::new(), ..settings.http_client() };
            let http_client = HttpClient::new(http_client).map_err(|error| error.to_string())?;
            let machine = Machine::new(settings.container.clone());
            let own = OwnAddresses::new(settings.user_data.clone(), machine);
            let memory = WidgetMemory::default();
            let context = ServerContext::new(http_client.clone(), memory.clone(), &entry, ViewerHints::default());
            let report = report(kind, entry, problems, &context.with_own(own), secrets, form).await;
            memory.set_panels(HashSet::new());
            end_unused_sessions(&http_client, &memory).await;
            report
        }
    }
}

fn add(used: &RefCell<Vec<String>>, value: &str) {
    used.borrow_mut().push(value.to_owned());
}

fn read_yaml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let read = |error: io::Error| format!("{}: {}", path.display(), crate::platform::io_error::reason(&error));
    let text = fs::read_to_string(path).map_err(read)?;
    serde_yaml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Fetches once, and prints the panel or the error, the problems of the options, and the requests.
async fn report(
    kind: Kind,
    entry: Entry,
    mut problems: OptionProblems,
    context: &dyn WidgetContext,
    secrets: Secrets,
    form: Form,
) -> Result<String, String> {
    for problem in kind.plan(&entry, &entry).problems.all() {
        match problem.severity {
            OptionSeverity::Advice => problems.advise(&problem.sentence),
            OptionSeverity::Note => problems.note(&problem.sentence),
            OptionSeverity::Error => problems.error(&problem.sentence),
        }
    }
    let watched = Watched { context, secrets: &secrets, requests: Mutex::default(), log_lines: Mutex::default() };
    let outcome: Result<Panel, FetchError> = if problems.errors().is_empty() {
        kind.fetch(&entry, &watched).await
    } else {
        Err(FetchError::Config { problems: problems.errors() })
    };
    let outcome = outcome
        .map(|mut panel| {
            secrets.blank_panel(&mut panel);
            panel
        })
        .map_err(|error| secrets.blank(&sentence(kind, &error)).into_owned());
    if let Form::Html = form {
        let panel = outcome?;
        let label = entry.label.clone().unwrap_or_default();
        let html = parts::html(&panel, &PanelContext { base: String::new(), label });
        return Ok(html);
    }
    let failed = outcome.is_err();
    let report = json!({
        "type": kind.name(),
        "panel": outcome.as_ref().ok(),
        "error": outcome.as_ref().err(),
        "notes": problems.all().iter().map(|problem| secrets.blank(&problem.sentence)).collect::<Vec<_>>(),
        "requests": *lock(&watched.requests),
        "log": *lock(&watched.log_lines),
    });
    let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
    if failed {
        println!("{text}");
        return Err(format!("{} has nothing to show", kind.name()));
    }
    Ok(text)
}

/// The sentence of an error, with what to do about it.
fn sentence(kind: Kind, error: &FetchError) -> String {
    let advice = kind.advice(error).map(|(words, values)| {
        let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        languages::filled(words, &values)
    });
    [Some(error.to_string()), advice].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records outgoing requests, with secrets blanked.
struct Watched<'a> {
    context: &'a dyn WidgetContext,
    secrets: &'a Secrets,
    requests: Mutex<Vec<String>>,
    log_lines: Mutex<Vec<String>>,
}

#[async_trait]
impl WidgetContext for Watched<'_> {
    async fn exchange(&self, request: Request) -> Result<Response, FetchError> {
        let line = format!("{} {}", request.method.word(), request.shown_url());
        let line = self.secrets.blank(&line).into_owned();
        let position = {
            let mut requests = lock(&self.requests);
            requests.push(line);
            requests.len() - 1
        };
        let reply = self.context.exchange(request).await;
        if let Some(line) = lock(&self.requests).get_mut(position) {
            _ = match &reply {
                Ok(reply) => write!(line, " → {} ({} bytes)", reply.status, reply.body.len()),
                Err(error) => write!(line, " → {}", self.secrets.blank(&error.to_string())),
            };
        }
        reply
    }

    fn now(&self) -> Moment {
        self.context.now()
    }

    fn side(&self) -> Side {
        self.context.side()
    }

    fn viewer(&self) -> &ViewerHints {
        self.context.viewer()
    }

    fn log(&self, line: &str) {
        lock(&self.log_lines).push(self.secrets.blank(line).into_owned());
    }

    fn recall(&self, key: &str) -> Option<Value> {
        self.context.recall(key)
    }

    fn remember(&self, key: &str, value: Value, life: Duration) {
        self.context.remember(key, value, life);
    }

    fn forget(&self, key: &str) {
        self.context.forget(key);
    }

    fn logout_request(&self, key: &str, request: Request) {
        self.context.logout_request(key, request);
    }

    async fn recall_or_make(&self, key: &str, life: Duration, make: PendingValue<'_>) -> Result<Value, FetchError> {
        self.context.recall_or_make(key, life, make).await
    }
}
