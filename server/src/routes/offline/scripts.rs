//! The scripts for offline use. They are plain JavaScript with types in comments: a WebAssembly worker would be many
//! times as large, and pages load these before anything else of the program. `tools/embedded-scripts.mjs` minifies them.

use std::sync::OnceLock;

use app::document::OfflineScript;
use bytes::Bytes;
use http::HeaderValue;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::Switches;
use crate::platform::{
    assets::{Assets, etag},
    encoding::EncodedBody,
};

/// Made of `page.js`.
const PAGE: &str = include_str!("page.min.js");
/// Made of the modules in `worker/`.
const WORKER: &str = include_str!("worker.min.js");
/// Made of `removal.js`.
pub(super) const REMOVAL: &str = include_str!("removal.min.js");

/// The scripts for one path prefix.
#[derive(Debug)]
pub struct OfflineScripts {
    base: String,
    /// The program's files whose names contain a hash of their content, in order.
    files: Vec<String>,
    /// Identifies this version of the program.
    version: String,
    /// File name of the script of pages.
    name: String,
    page: OnceLock<Script>,
    worker: OnceLock<Script>,
    removal: OnceLock<Script>,
}

/// A script that is ready to be sent.
#[derive(Debug)]
pub(super) struct Script {
    pub etag: HeaderValue,
    pub body: EncodedBody,
}

impl OfflineScripts {
    /// The scripts for the files of this program below a path prefix (without a trailing slash).
    pub fn new(assets: &Assets, base: &str) -> Self {
        let mut files: Vec<String> = assets
            .names()
            // Editing needs the server, and few viewers use the editor.
            .filter(|name| !name.starts_with("edit-") && !name.starts_with("editor-"))
            .filter(|name| assets.get(name).is_some_and(|asset| asset.immutable))
            .map(str::to_owned)
            .collect();
        files.sort();
        let name = format!("page-{}.js", hash(&[PAGE]));
        files.push(format!("offline/{name}"));
        let version = hash(&[env!("CARGO_PKG_VERSION"), WORKER, &files.join("\n")]);
        Self {
            base: base.to_owned(),
            files,
            version,
            name,
            page: OnceLock::new(),
            worker: OnceLock::new(),
            removal: OnceLock::new(),
        }
    }

    /// What pages need to know about them.
    pub fn script(&self, switches: Switches) -> OfflineScript {
        OfflineScript {
            script: format!("{}/offline/{}", self.base, self.name),
            version: switches.worker.then(|| self.version.clone()),
            compat: switches.compat,
        }
    }

    /// The script of pages, if that is its name.
    pub(super) fn page(&self, name: &str) -> Option<&Script> {
        (name == self.name).then(|| self.page.get_or_init(|| Script::new(PAGE.to_owned())))
    }

    /// The worker.
    pub(super) fn worker(&self) -> &Script {
        self.worker.get_or_init(|| self.with_settings(WORKER))
    }

    /// The worker that removes itself, for when the worker is off.
    pub(super) fn removal(&self) -> &Script {
        self.removal.get_or_init(|| self.with_settings(REMOVAL))
    }

    fn with_settings(&self, script: &str) -> Script {
        let settings = json!({ "version": self.version, "base": self.base, "files": self.files });
        Script::new(format!("const PORTICO={settings};\n{script}"))
    }
}

impl Script {
    fn new(text: String) -> Self {
        let bytes = Bytes::from(text);
        Self { etag: etag(&bytes), body: EncodedBody::new(bytes) }
    }
}

/// Identifies these texts.
pub(super) fn hash(texts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update(text.len().to_le_bytes());
        digest.update(text);
    }
    hex::encode(&digest.finalize()[..8])
}
