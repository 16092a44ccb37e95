//! The scripts for offline use. They are plain JavaScript with types in comments: a WebAssembly worker would be many
//! times as large, and pages load these before anything else of the program.

use std::sync::{LazyLock, OnceLock};

use app::document::Companion;
use bytes::Bytes;
use http::HeaderValue;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::Switches;
use crate::platform::{
    assets::{Assets, etag},
    encoding::EncodedBody,
};

/// The scripts as they are sent.
static PAGE: LazyLock<String> = LazyLock::new(|| without_comments(include_str!("page.js")));
static WORKER: LazyLock<String> = LazyLock::new(|| without_comments(include_str!("worker.js")));
static REMOVAL: LazyLock<String> = LazyLock::new(|| without_comments(include_str!("removal.js")));

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
            // Nobody can edit without the server, and few viewers use the editor.
            .filter(|name| !name.starts_with("edit-") && !name.starts_with("editor-"))
            .filter(|name| assets.get(name).is_some_and(|asset| asset.immutable))
            .map(str::to_owned)
            .collect();
        files.sort();
        let name = format!("page-{}.js", hash(&[&PAGE]));
        files.push(format!("offline/{name}"));
        let version = hash(&[env!("CARGO_PKG_VERSION"), &WORKER, &files.join("\n")]);
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
    pub fn companion(&self, switches: Switches) -> Companion {
        Companion {
            script: format!("{}/offline/{}", self.base, self.name),
            version: switches.worker.then(|| self.version.clone()),
            compat: switches.compat,
        }
    }

    /// The script of pages, if that is its name.
    pub(super) fn page(&self, name: &str) -> Option<&Script> {
        (name == self.name).then(|| self.page.get_or_init(|| Script::new(PAGE.clone())))
    }

    /// The worker.
    pub(super) fn worker(&self) -> &Script {
        self.worker.get_or_init(|| self.with_settings(&WORKER))
    }

    /// The worker that removes itself, for when the worker is off.
    pub(super) fn removal(&self) -> &Script {
        self.removal.get_or_init(|| self.with_settings(&REMOVAL))
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

/// A script without comments, indentation and empty lines. Comments with types begin with `/**` and may be anywhere; all
/// others are on their own lines.
fn without_comments(script: &str) -> String {
    let mut code = String::with_capacity(script.len());
    let mut rest = script;
    while let Some((before, comment)) = rest.split_once("/**") {
        code.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    let lines = code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn hash(texts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update(text.len().to_le_bytes());
        digest.update(text);
    }
    hex::encode(&digest.finalize()[..8])
}

#[cfg(test)]
mod tests {
    use super::{PAGE, REMOVAL, WORKER, without_comments};

    #[test]
    fn comments_go_and_nothing_else_does() {
        let script = "// One.\n/** @import { A } from 'b' */\n\nconst a = /** @type {A} */ (b);\n  /**\n   * Two.\n   */\n  f('http://x');\n";
        assert_eq!(without_comments(script), "const a =  (b);\nf('http://x');");
    }

    #[test]
    fn the_scripts_hold_no_comments() {
        for script in [&*PAGE, &*WORKER, &*REMOVAL] {
            assert!(
                script.len() > 500 && !script.contains("/**") && !script.contains("\n//") && !script.contains("@type")
            );
        }
    }
}
