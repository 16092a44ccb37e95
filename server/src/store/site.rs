//! All config files as they are at one moment.

use std::{collections::BTreeMap, sync::Arc};

use bytes::Bytes;
use config::{Config, Document};

use super::FileFailure;

/// All config files as they are at one moment.
#[derive(Debug, Default)]
pub struct Site {
    /// Increases with every change; pages rendered for another revision are stale.
    pub revision: u64,
    /// The root config: the current one, or the last readable one.
    pub root: Option<Arc<ConfigFile>>,
    /// Why the file on disk is not the one in use.
    pub failure: Option<Arc<FileFailure>>,
    /// The files of sub-pages in the user-data directory, by the path in the root config.
    pub pages: BTreeMap<String, SubPageFile>,
}

/// The file of a sub-page.
#[derive(Clone, Debug, Default)]
pub struct SubPageFile {
    /// The current file, or its last readable version.
    pub file: Option<Arc<ConfigFile>>,
    /// Why the file on disk is not the one in use.
    pub failure: Option<Arc<FileFailure>>,
}

impl Site {
    /// The files that are on disk.
    pub fn stored_files(&self) -> impl Iterator<Item = &Arc<ConfigFile>> {
        let pages = self.pages.values().filter_map(|page| page.file.as_ref());
        self.root.iter().chain(pages).filter(|file| file.stored)
    }
}

impl SubPageFile {
    /// The file, if it matches the disk.
    pub fn current(&self) -> Option<&Arc<ConfigFile>> {
        self.file.as_ref().filter(|_| self.failure.is_none())
    }
}

/// A config file that was read successfully.
#[derive(Debug)]
pub struct ConfigFile {
    /// Its name inside the user-data directory.
    pub name: String,
    /// The bytes on disk.
    pub bytes: Bytes,
    /// The raw value.
    pub document: Document,
    /// The typed config: of the root, or of a page merged with the root.
    pub config: Config,
    /// The host it was fetched from; `None` for a file on this server.
    pub host: Option<String>,
    /// Whether it is on disk. The starter is shown from memory if it cannot be written.
    pub stored: bool,
}

impl ConfigFile {
    /// The same file with another meaning.
    #[must_use]
    pub fn with_config(&self, config: Config) -> Self {
        let Self { name, bytes, document, host, stored, .. } = self;
        let (name, bytes, document, host) = (name.clone(), bytes.clone(), document.clone(), host.clone());
        Self { name, bytes, document, config, host, stored: *stored }
    }
}
