//! The files of pages that a draft adds: created when the draft is saved, so that a draft that is discarded leaves none behind.

use std::sync::Arc;

use config::{Document, PageCopy};
use http::StatusCode;
use serde_json::{Value, json};

use super::copies::{self, Failures};
use crate::{
    routes::{api::save_draft, save::with_user},
    store::{FileName, Store},
};

/// A page with a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct NewPage {
    title: Value,
    path: String,
}

/// The pages that are in the draft of the main file and were not in the file, without those on other hosts.
pub(super) fn added(before: &Document, after: &Document) -> Vec<NewPage> {
    let known = pages(before);
    let mut added = pages(after);
    added.retain(|page| !page.path.contains("://") && known.iter().all(|known| known.path != page.path));
    added
}

/// The pages whose files an earlier save could not create: they are listed already, and a copy names their files, which are
/// still missing.
pub(super) async fn still_missing(files: &Store, before: &Document, copies: &[PageCopy]) -> Vec<NewPage> {
    let mut missing = Vec::new();
    for page in pages(before) {
        let is_copied = copies.iter().any(|copy| matches!(copy, PageCopy::Page { file, .. } if *file == page.path));
        if is_copied && files.read_file(&page.path).await.is_err_and(|failure| failure.is_missing()) {
            missing.push(page);
        }
    }
    missing
}

fn pages(document: &Document) -> Vec<NewPage> {
    let pages = document.value()["pages"].as_array().into_iter().flatten();
    let page = |page: &Value| Some(NewPage { title: page["name"].clone(), path: page["path"].as_str()?.to_owned() });
    pages.filter_map(page).collect()
}

/// Creates the files that are not there, each as a copy or with nothing but the title of its page. Says what was done.
pub(super) async fn create(
    files: &Arc<Store>,
    by: &str,
    pages: Vec<NewPage>,
    copies: &[PageCopy],
    failures: &mut Failures,
) -> Vec<String> {
    let mut said = Vec::new();
    for NewPage { title, path } in pages {
        if path == files.main() {
            continue;
        }
        let Ok(file) = FileName::parse(&path) else {
            let reason = "because its name must end with `.yml` and hold no `/`. Put the file there yourself.";
            failures.add(format!("No file `{path}` is created, {reason}"), None);
            continue;
        };
        let original = copies::original(files, copies, file.as_str()).await;
        let content = match &original {
            Some(_) => "is a copy of the other page",
            None => "is still empty. Open the page to fill it",
        };
        let empty = || Document::from_json(json!({ "pageInfo": { "title": title }, "sections": [] }));
        let document = original.unwrap_or_else(empty);
        // The state of a file that is not there.
        let missing = Some(String::new());
        match save_draft(files, by, file.as_str(), missing, document).await {
            Ok(_) => said.push(format!("`{path}` was created and {content}.")),
            Err(error) if error.status == StatusCode::CONFLICT => {
                said.push(format!("`{path}` exists already; the page shows its content."));
            }
            Err(error) => {
                let known = copies.iter().find(|copy| matches!(copy, PageCopy::Page { file, .. } if *file == path));
                // A page that is the copy of itself is empty.
                let again = known.cloned().unwrap_or(PageCopy::Page { file: path.clone(), of: path.clone() });
                failures.add(format!("`{path}` is not created: {}", with_user(error).message), Some(again));
            }
        }
    }
    said
}
