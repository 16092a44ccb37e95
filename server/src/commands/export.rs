//! `portico export`: what a guest sees, as files for any web server.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::Args;
use languages::Language;

use super::output::counted;
use crate::{
    http_client,
    panels::shared_services,
    platform::{assets::Assets, assets::EmbeddedFiles, io_error::reason},
    routes::{
        app_state::AppState,
        export::{Export, ExportOptions, export},
    },
    settings::{ExportSettings, Settings},
};

/// Lists the files of the last export in the folder, so that the next one removes those that it no longer has, and no others.
const LIST: &str = ".portico-export";
/// Stands for all languages.
const ALL: &str = "all";

/// Arguments of `portico export`.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// The folder for the files: new, empty, or with an earlier export.
    folder: PathBuf,
    /// The path at which the web server shows the folder, such as `/start/`.
    #[arg(long, value_name = "PATH", default_value = "/")]
    base: String,
    /// The languages of the pages, such as `de` or `en,de,fr`, or `all`; by default, that of the config.
    ///
    /// The first one is shown to browsers without scripts. All others choose by their own languages.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    language: Vec<String>,
    /// Only this page, by its name in addresses; `main` is the main page. May be repeated.
    #[arg(long, value_name = "NAME")]
    page: Vec<String>,
    /// Without copies in browsers for offline use.
    #[arg(long)]
    no_offline: bool,
    /// How many seconds to wait for the data of widgets.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    wait: u64,
}

/// Runs the command.
pub async fn run(arguments: &ExportArguments, settings: Settings, embedded: Option<EmbeddedFiles>) -> ExitCode {
    match written(arguments, settings, embedded).await {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            eprintln!("portico: {text}");
            ExitCode::FAILURE
        }
    }
}

async fn written(
    ExportArguments { folder, base, language, page, no_offline, wait }: &ExportArguments,
    settings: Settings,
    embedded: Option<EmbeddedFiles>,
) -> Result<String, String> {
    let old = earlier(folder)?;
    let base = prefix(base)?;
    let options = ExportOptions {
        languages: languages(language)?,
        all_languages: language.iter().any(|code| code == ALL),
        pages: page.clone(),
        has_worker: !no_offline,
        wait: Duration::from_secs(*wait),
    };
    let main = settings.user_data.join(&settings.main_config);
    // The start would write an example, which nobody wants to export.
    if settings.main_address.is_none() && !main.exists() {
        return Err(format!("there is no `{}`; set USER_DATA_DIR to the folder with your config", main.display()));
    }
    let http_client_runtime = http_client::dedicated_runtime().map_err(|error| error.to_string())?;
    let settings = Settings {
        base: base.clone(),
        export: Some(ExportSettings { base: base.clone(), ..ExportSettings::default() }),
        enable_api: false,
        metrics_address: None,
        http_client_runtime: Some(http_client_runtime),
        ..settings
    };
    if embedded.is_none() {
        themes::read_from(|path| {
            fs::read_to_string(format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../style/{}"), path)).ok()
        });
    }
    for problem in shared_services::load(&settings.user_data) {
        eprintln!("{problem}");
    }
    let assets = Assets::load(embedded, &base).map_err(|error| error.to_string())?;
    let portico = AppState::start(settings, assets, Instant::now()).await.map_err(|error| error.to_string())?;
    eprintln!("Rendering the pages and waiting for their widgets, at most {wait} s …");
    let Export { files, pages, without_data, left_out, missing } =
        export(&portico, &options).await.map_err(|error| error.to_string())?;
    let failed = |path: &Path, error: &io::Error| format!("`{}` cannot be written: {}", path.display(), reason(error));
    for (name, content) in &files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        fs::write(&path, content).map_err(|error| failed(&path, &error))?;
    }
    for name in old.iter().filter(|name| !files.contains_key(*name)) {
        _ = fs::remove_file(folder.join(name));
    }
    let list = files.keys().map(|name| format!("{name}\n")).collect::<String>();
    fs::write(folder.join(LIST), list).map_err(|error| failed(&folder.join(LIST), &error))?;
    let mut text = format!(
        "{} and {} in `{}`; serve the folder at {base}/",
        counted(pages, "page"),
        counted(files.len() - pages, "other file"),
        folder.display()
    );
    for (what, names) in [
        ("Widgets without data", without_data),
        ("Widgets about the viewer, which need the server and are left out", left_out),
        ("Links to pages that are not exported", missing),
    ] {
        if !names.is_empty() {
            let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
            text.push_str(&format!("\n{what}: {}", names.join(", ")));
        }
    }
    Ok(text)
}

/// The files of the export that is in a folder.
///
/// # Errors
///
/// The folder has something else in it, or cannot be read.
fn earlier(folder: &Path) -> Result<BTreeSet<String>, String> {
    match fs::read_to_string(folder.join(LIST)) {
        Ok(list) => return Ok(list.lines().filter(|name| is_inside(name)).map(str::to_owned).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(format!("`{}` cannot be read: {}", folder.join(LIST).display(), reason(&error))),
    }
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Err(format!(
            "`{}` has files that are not from an export; name a new or an empty folder, so that nothing is overwritten",
            folder.display()
        )),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(format!("`{}` cannot be read: {}", folder.display(), reason(&error)))
        }
        _ => Ok(BTreeSet::new()),
    }
}

/// Whether a name in the list stays inside the folder: the list is a file that anybody may edit.
fn is_inside(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// The languages of these codes, without repetitions.
///
/// # Errors
///
/// There is no language of a code.
fn languages(codes: &[String]) -> Result<Vec<Language>, String> {
    let mut found = Vec::new();
    for code in codes.iter().filter(|code| *code != ALL) {
        let Some(language) = Language::of_tag(code.trim()) else {
            let known: Vec<_> = Language::all().map(Language::code).collect();
            return Err(format!("`--language {code}` is none of {}, and not `{ALL}`", known.join(", ")));
        };
        if !found.contains(&language) {
            found.push(language);
        }
    }
    Ok(found)
}

/// The path prefix without a slash at its end.
///
/// # Errors
///
/// It is not a path.
fn prefix(base: &str) -> Result<String, String> {
    let path = base.trim_matches('/');
    let is_path = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte))
        && path.split('/').all(|part| !matches!(part, "." | "..") && (!part.is_empty() || path.is_empty()));
    match (is_path, path) {
        (true, "") => Ok(String::new()),
        (true, path) => Ok(format!("/{path}")),
        (false, _) => Err(format!("`--base {base}` is not a path such as `/start/`")),
    }
}
