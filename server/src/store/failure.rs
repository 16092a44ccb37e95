//! Why a file cannot be loaded, in plain words.

use std::{io, path::Path};

use config::DocumentError;

use crate::platform::io_error::reason;

/// Why a config file cannot be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FileFailure {
    /// Name of the file.
    pub name: String,
    /// The reason in words. It may quote the file, so it is for admins and the log.
    pub reason: String,
    /// Line and column of the place, both from 1, for YAML that does not parse.
    pub place: Option<(usize, usize)>,
    /// The lines around the place. For admins only.
    pub excerpt: Option<String>,
    /// What is wrong.
    pub problem: FileProblem,
    /// The name of a file beside a missing one that may be the one that was meant, such as `conf.yaml`.
    pub similar: Option<String>,
}

/// What is wrong with a config file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FileProblem {
    /// The file does not exist.
    Missing,
    /// Something with that name exists, but it is not a file.
    NoFile,
    /// It cannot be read.
    Unreadable,
    /// Its content is not a valid config.
    Content,
}

impl FileFailure {
    /// For a failed disk operation.
    pub fn of_disk(name: &str, error: &io::Error) -> Self {
        let problem = match error.kind() {
            io::ErrorKind::NotFound => FileProblem::Missing,
            _ if is_no_file(error) => FileProblem::NoFile,
            io::ErrorKind::FileTooLarge => FileProblem::Content,
            _ => FileProblem::Unreadable,
        };
        let reason = match error.kind() {
            io::ErrorKind::FileTooLarge => "the file is larger than 2 MB; larger config files are not read",
            _ => reason(error),
        };
        Self { name: name.to_owned(), reason: reason.to_owned(), place: None, excerpt: None, problem, similar: None }
    }

    /// For a link whose target does not exist.
    pub fn of_dangling_link(name: &str) -> Self {
        let reason = "it is a link to a file that does not exist".to_owned();
        Self { problem: FileProblem::Missing, ..Self::of_content(name, reason) }
    }

    /// For invalid content.
    pub fn of_content(name: &str, reason: String) -> Self {
        Self { name: name.to_owned(), reason, place: None, excerpt: None, problem: FileProblem::Content, similar: None }
    }

    /// For a text that is not YAML.
    pub fn of_syntax(name: &str, error: DocumentError) -> Self {
        let reason = error.to_string();
        Self {
            place: (error.line > 0).then_some((error.line, error.column)),
            excerpt: Some(error.excerpt).filter(|excerpt| !excerpt.is_empty()),
            ..Self::of_content(name, reason)
        }
    }

    /// The same, after a look into the folder for a file that may have been meant: one with the other extension, or in
    /// other case; for the main config also one with a usual name.
    pub fn with_similar(mut self, directory: &Path, is_main: bool) -> Self {
        if self.problem != FileProblem::Missing {
            return self;
        }
        let path = directory.join(&self.name);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        let usual: &[&str] = if is_main { &["conf", "config", "dashy"] } else { &[] };
        let stems: Vec<_> = std::iter::once(&*stem).chain(usual.iter().copied()).collect();
        let rank = |name: &str| {
            let name = name.to_lowercase();
            let stem = name.strip_suffix(".yml").or_else(|| name.strip_suffix(".yaml"))?;
            stems.iter().position(|known| *known == stem)
        };
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.path().is_file());
        let found = files.filter_map(|entry| entry.file_name().into_string().ok());
        self.similar = found.filter_map(|name| Some((rank(&name)?, name))).min().map(|(_, name)| name);
        self
    }

    /// The reason, with the file that may have been meant, for the log.
    pub fn explained(&self) -> String {
        match &self.similar {
            Some(found) => format!("{}; there is `{found}` beside it: rename that one", self.reason),
            None => self.reason.clone(),
        }
    }

    /// Whether no file of that name exists.
    pub fn is_missing(&self) -> bool {
        matches!(self.problem, FileProblem::Missing | FileProblem::NoFile)
    }
}

/// Whether an operation failed because the name belongs to a folder, a pipe or a device.
pub(super) fn is_no_file(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::IsADirectory | io::ErrorKind::Unsupported)
}
