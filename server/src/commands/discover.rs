//! `portico discover`: what each source of discovery gives, and why something is dropped.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use config::{Config, Document, Problem, model::DiscoverySource};
use discovery::{AddressOrigin, Change, Connection, Found, Listing, Outcome, Surroundings, examine};
use serde_json::Value;

use super::{icon_check, output::counted};
use crate::{
    icons::Icons,
    platform::{assets::EmbeddedFiles, io_error},
    settings::Settings,
};

/// Runs the command for a config file, by default the main config. With `is_following`, it prints each change until it is
/// stopped.
pub async fn run(
    file: Option<PathBuf>,
    is_following: bool,
    settings: &Settings,
    embedded: Option<EmbeddedFiles>,
) -> ExitCode {
    let file = file.unwrap_or_else(|| settings.user_data.join(&settings.main_config));
    let icons = icon_check::icons_for(&file, settings, embedded);
    let sources = match sources(&file) {
        Ok((sources, warnings)) => {
            print!("{warnings}");
            sources
        }
        Err(reason) => {
            println!("problem: {reason}");
            return ExitCode::FAILURE;
        }
    };
    let context = Context { settings, folder: folder_of(&file), icons: icons.as_ref() };
    if is_following {
        let all = sources.iter().map(|source| context.follow(source));
        futures_util::future::join_all(all).await;
        // Following ends only with sources that cannot be used.
        return ExitCode::FAILURE;
    }
    let mut has_failed = false;
    for source in &sources {
        match context.look(source).await {
            Ok(text) => print!("{text}"),
            Err(problem) => {
                has_failed = true;
                print!("{problem}");
            }
        }
    }
    if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The report about all sources of a config file. The second value says whether all of them could be listed.
///
/// # Errors
///
/// Why there is nothing to report, as a sentence.
pub async fn report(file: &Path, settings: &Settings) -> Result<(String, bool), String> {
    let context = Context { settings, folder: folder_of(file), icons: None };
    let (sources, mut text) = sources(file)?;
    let mut is_good = true;
    for source in &sources {
        let looked = context.look(source).await;
        is_good &= looked.is_ok();
        text.push_str(&looked.unwrap_or_else(|problem| problem));
    }
    Ok((text, is_good))
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_owned()
}

/// The sources of a config file, and a line for each of their problems.
fn sources(file: &Path) -> Result<(Vec<DiscoverySource>, String), String> {
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|error| format!("`{name}`: {}", io_error::reason(&error)))?;
    let document = Document::parse(&bytes).map_err(|error| format!("`{name}` is not valid YAML: {error}"))?;
    let config = Config::read(&document).map_err(|error| format!("`{name}`: {error}"))?;
    let problems: Vec<&Problem> =
        config.problems.iter().filter(|problem| problem.path.starts_with("/appConfig/discovery")).collect();
    if config.app.discovery.is_empty() {
        return Err(match problems.first() {
            Some(problem) => format!("`{name}`: {}", plain(&problem.to_string())),
            None => format!(
                "`{name}` has no sources in `appConfig.discovery`; add one, such as `- url: unix:///var/run/docker.sock`"
            ),
        });
    }
    let warnings = problems.iter().map(|problem| format!("warning: `{name}`: {}\n", plain(&problem.to_string())));
    let warnings = warnings.collect();
    Ok((config.app.discovery, warnings))
}

/// What all sources share.
struct Context<'a> {
    settings: &'a Settings,
    folder: PathBuf,
    icons: Option<&'a Icons>,
}

impl Context<'_> {
    fn connection(&self, source: &DiscoverySource) -> Result<Connection, String> {
        let settings = self.settings.sources_in(&self.folder);
        Connection::new(source, &settings).map_err(|error| problem(source, &error.to_string()))
    }

    /// Lists a source once. An error is a line about the problem.
    async fn look(&self, source: &DiscoverySource) -> Result<String, String> {
        let listing = self.connection(source)?.list().await.map_err(|error| problem(source, &error.to_string()))?;
        Ok(self.shown(source, &listing))
    }

    async fn follow(&self, source: &DiscoverySource) {
        let connection = match self.connection(source) {
            Ok(connection) => connection,
            Err(problem) => return print!("{problem}"),
        };
        let mut last = String::new();
        let changed = |change| {
            match change {
                Change::Listed(listing) => {
                    let text = self.shown(source, &listing);
                    // Many events change nothing that is shown.
                    if text != last {
                        print!("{text}");
                    }
                    last = text;
                }
                Change::Lost(reason, wait) => {
                    print!("{}", problem(source, &format!("{reason}; next attempt in {} s", wait.as_secs())));
                }
            }
            true
        };
        connection.follow(changed).await;
    }

    /// The report about a source: what it gives, and what it does not.
    fn shown(&self, source: &DiscoverySource, listing: &Listing) -> String {
        let variable = |name: &str| self.settings.variables.get(name);
        let icon = |name: &str| self.icons.and_then(|icons| icons.named(name));
        let surroundings = Surroundings { variable: &variable, icon: &icon };
        let mut text = shown(source, &examine(&listing.resources, source, &surroundings));
        for missing in &listing.missing {
            _ = writeln!(text, "  missing: {}", plain(missing));
        }
        text
    }
}

fn problem(source: &DiscoverySource, reason: &str) -> String {
    format!("problem: {}: {}\n", plain(&source.title()), plain(reason))
}

/// The report about one source: found entries by section, then what was dropped although it has labels, then a count of the rest.
fn shown(source: &DiscoverySource, outcome: &Outcome) -> String {
    let (meant, others): (Vec<_>, Vec<_>) = outcome.dropped.iter().partition(|dropped| dropped.is_meant);
    let mut text =
        format!("ok: {}: {} found, {} dropped\n", plain(&source.title()), outcome.found.len(), outcome.dropped.len());
    let mut section = None;
    for found in &outcome.found {
        if section != Some(&found.section) {
            _ = writeln!(text, "  {}", plain(&found.section));
            section = Some(&found.section);
        }
        show_found(source, found, &mut text);
    }
    for dropped in meant {
        _ = writeln!(text, "  dropped {}: {}", plain(&dropped.container), plain(&dropped.reason));
    }
    for dropped in others {
        _ = writeln!(text, "  left out {}: {}", plain(&dropped.container), plain(&dropped.reason));
    }
    text
}

fn show_found(source: &DiscoverySource, found: &Found, text: &mut String) {
    let field = |key: &str| found.item.get(key).and_then(Value::as_str).map(plain);
    let title = field("title").unwrap_or_default();
    let address = field("url").unwrap_or_else(|| "no address".to_owned());
    let kind = if source.kubernetes.is_some() { "route" } else { "container" };
    let mut about = vec![format!("{kind} {}", plain(&found.container))];
    if !found.state.is_empty() {
        about.push(plain(&found.state));
    }
    about.push(match found.family {
        Some(family) => format!("labels of {}", family.word()),
        None => "no labels".to_owned(),
    });
    about.extend(found.address_origin.and_then(|origin| match origin {
        AddressOrigin::Label => None,
        AddressOrigin::Traefik => Some("address from Traefik's rule".to_owned()),
        AddressOrigin::Caddy => Some("address from Caddy's labels".to_owned()),
        AddressOrigin::Port => Some("address from a published port".to_owned()),
        AddressOrigin::Route => Some("address from its rules".to_owned()),
    }));
    about.extend(field("icon").map(|icon| format!("icon {icon}")));
    if !found.parts.is_empty() {
        about.push(counted(found.parts.len(), "part"));
    }
    // Options of widgets may contain keys; only the types are printed.
    let kinds = found.widgets.iter().filter_map(|widget| widget.get("type")?.as_str());
    about.extend(kinds.map(|kind| format!("widget {}", plain(kind))));
    _ = writeln!(text, "    {title}: {address} ({})", about.join(", "));
    for note in &found.notes {
        _ = writeln!(text, "      note: {}", plain(note));
    }
}

/// Foreign text on one line, without control characters, which could change what a terminal shows.
fn plain(text: &str) -> String {
    let is_hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|letter| if is_hidden(letter) { '\u{fffd}' } else { letter }).collect()
}
