//! Offline use of a static export: a worker of its own, because no server names the viewer of a copy, and every file is known.

use std::collections::BTreeMap;

use app::document::OfflineScript;
use serde_json::json;

use super::scripts::{REMOVAL, hash};

/// Made of the modules in `exported/`.
const PAGE: &str = include_str!("exported/page.min.js");
/// Made of `exported/worker.js`.
const WORKER: &str = include_str!("exported/worker.min.js");
/// The path of the worker below the prefix.
const WORKER_PATH: &str = "service-worker.js";

/// The files that a browser keeps: a hash of the content by the address below the prefix. It is empty for a file whose name
/// contains one.
pub type KeptFiles = BTreeMap<String, String>;

/// The scripts for the offline use of an export.
#[derive(Clone, Copy, Debug)]
pub struct ExportedScripts<'a> {
    /// Path prefix of the export, without a trailing slash.
    base: &'a str,
}

impl<'a> ExportedScripts<'a> {
    /// Those for an export below a path prefix.
    pub fn new(base: &'a str) -> Self {
        Self { base }
    }

    /// What pages need to know about them; nothing without a worker.
    pub fn script(&self, has_worker: bool) -> OfflineScript {
        if !has_worker {
            return OfflineScript::default();
        }
        // The list of files has the hash of each page, so a page does not have that of the list.
        OfflineScript {
            script: format!("{}/{}", self.base, page_path()),
            version: Some(hash(&[WORKER])),
            compat: false,
        }
    }

    /// The files: the script of pages, the worker, and its lists of files. `shared` are those of all languages, `trees` those of
    /// each folder with pages by its name, which is empty for the first language.
    pub fn files(&self, shared: &KeptFiles, trees: &BTreeMap<String, KeptFiles>) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::from([(page_path(), PAGE.as_bytes().to_vec())]);
        let lists =
            trees.iter().map(|(name, list)| (format!("pages{}{name}", if name.is_empty() { "" } else { "-" }), list));
        let mut version = vec![WORKER.to_owned()];
        for (name, list) in lists.chain([("files".to_owned(), shared)]) {
            let text = json!(list).to_string();
            version.push(text.clone());
            files.insert(format!("offline/{name}.json"), text.into_bytes());
        }
        let version: Vec<&str> = version.iter().map(String::as_str).collect();
        files.insert(WORKER_PATH.to_owned(), self.with_settings(&hash(&version), WORKER));
        files
    }

    /// The worker that removes that of an earlier export.
    pub fn removal(&self) -> (String, Vec<u8>) {
        (WORKER_PATH.to_owned(), self.with_settings("", REMOVAL))
    }

    fn with_settings(&self, version: &str, script: &str) -> Vec<u8> {
        let settings = json!({ "version": version, "base": self.base, "files": [] });
        format!("const PORTICO={settings};\n{script}").into_bytes()
    }
}

/// The path of the script of pages below the prefix.
pub fn page_path() -> String {
    format!("offline/exported-{}.js", hash(&[PAGE]))
}
