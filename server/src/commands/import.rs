//! `portico import`: turns the config of another dashboard, or the bookmarks of a browser, into a `conf.yml`.

use std::{
    collections::HashSet,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, builder::PossibleValuesParser};
use import::{Imported, MAX_BYTES, Source, SourceFile};

use crate::platform::io_error::reason;

/// What to import, and where to write it.
#[derive(Args, Debug)]
pub struct ImportArguments {
    /// A file, or a folder with the files of one dashboard; or several of them. Files that these include are found.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The format of the files; detected if left out.
    #[arg(long, value_name = "SOURCE", value_parser = PossibleValuesParser::new(Source::ALL.map(Source::name)))]
    from: Option<String>,
    /// The file to write the config to; by default, it is printed.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrites an existing file.
    #[arg(long, requires = "output")]
    force: bool,
}

/// Runs the command: writes the config to the file or to standard output, and the report to standard error.
pub fn run(arguments: &ImportArguments) -> ExitCode {
    match convert(arguments) {
        Ok(imported) => {
            eprint!("{}", imported.report);
            match write(&imported.yaml, arguments) {
                Ok(()) => ExitCode::SUCCESS,
                Err(message) => fail(&message),
            }
        }
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("portico: {message}");
    ExitCode::FAILURE
}

fn convert(arguments: &ImportArguments) -> Result<Imported, String> {
    if let Some(output) = arguments.output.as_deref().filter(|output| output.exists() && !arguments.force) {
        return Err(exists(output));
    }
    let files = read(&arguments.paths)?;
    let source = arguments.from.as_deref().and_then(Source::named);
    import::import(source, &files).map_err(|error| match error {
        import::ImportError::UnknownKind => format!("{error}, with `--from`"),
        other => other.to_string(),
    })
}

/// The files at the paths, and those that they include.
fn read(paths: &[PathBuf]) -> Result<Vec<SourceFile>, String> {
    let mut named = Vec::new();
    for path in paths {
        named.extend(files_at(path)?);
    }
    let mut known: HashSet<PathBuf> = named.iter().filter_map(|path| path.canonicalize().ok()).collect();
    // Each with the folder that its name is relative to.
    let mut files = Vec::new();
    for path in &named {
        files.push((path.parent().unwrap_or(Path::new("")).to_owned(), read_file(path)?));
    }
    let mut next = 0;
    while let Some((folder, file)) = files.get(next) {
        let mut found = Vec::new();
        for included in import::included_paths(&file.text) {
            let mut names = import::candidates_of_inclusion(&file.name, included).into_iter();
            let Some(name) = names.find(|name| is_yaml(name) && folder.join(name).is_file()) else { continue };
            let path = folder.join(&name);
            // Each file is read once, so circles end.
            if path.canonicalize().is_ok_and(|path| known.insert(path)) {
                found.push((folder.clone(), SourceFile { name, ..read_file(&path)? }));
            }
        }
        files.extend(found);
        next += 1;
    }
    Ok(files.into_iter().map(|(_, file)| file).collect())
}

fn is_yaml(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".yml") || name.ends_with(".yaml")
}

/// The files at a path. In a folder, only those that dashboards and browsers write, sorted by name.
fn files_at(path: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |path: &Path, error: &io::Error| format!("`{}` cannot be read: {}", path.display(), reason(error));
    if !fs::metadata(path).map_err(|error| cannot(path, &error))?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| cannot(path, &error))? {
        let path = entry.map_err(|error| cannot(path, &error))?.path();
        if is_config(&path) && path.is_file() {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(format!("`{}` contains no files that end in .yml, .yaml or .html", path.display()));
    }
    paths.sort();
    Ok(paths)
}

fn is_config(path: &Path) -> bool {
    let has_ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| ["yml", "yaml", "html", "htm"].iter().any(|known| ending.eq_ignore_ascii_case(known)));
    // Other files of Homepage, which the report names.
    has_ending || path.ends_with("custom.css") || path.ends_with("custom.js")
}

fn read_file(path: &Path) -> Result<SourceFile, String> {
    let shown = path.display();
    let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
    if size > MAX_BYTES as u64 {
        return Err(format!("`{shown}` has {size} bytes; at most 4 MB ({MAX_BYTES} bytes) can be imported"));
    }
    let bytes = fs::read(path).map_err(|error| format!("`{shown}` cannot be read: {}", reason(&error)))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("`{shown}` is not UTF-8; save it as UTF-8"))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(SourceFile { name, text })
}

fn write(yaml: &str, arguments: &ImportArguments) -> Result<(), String> {
    let Some(output) = &arguments.output else {
        return io::stdout()
            .write_all(yaml.as_bytes())
            .map_err(|error| format!("the config cannot be printed: {error}"));
    };
    let mut options = OpenOptions::new();
    options.write(true);
    if arguments.force {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let written = options.open(output).and_then(|mut file| file.write_all(yaml.as_bytes()));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists(output),
        _ => format!("`{}` cannot be written: {}", output.display(), reason(&error)),
    })?;
    eprintln!("\nThe config was written to `{}`. Check it with `portico validate`.", output.display());
    Ok(())
}

fn exists(output: &Path) -> String {
    format!("`{}` exists already; choose another name, or overwrite it with `--force`", output.display())
}
