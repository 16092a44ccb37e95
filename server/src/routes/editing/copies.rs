//! What saving a draft also writes to the files of other pages: copies of pages and of sections.

use std::sync::Arc;

use config::{Document, PageCopy, model::PageSource};
use serde_json::{Value, json};

use super::{Editing, parsed};
use crate::{
    routes::{
        api::{save_draft, version_of},
        error::ApiError,
        save::with_user,
    },
    store::Store,
};

/// The copies that read and write only files of pages that the person sees. Says which sections are left out.
pub(super) fn allowed(editing: &Editing, copies: Vec<PageCopy>) -> (Vec<PageCopy>, Vec<String>) {
    let made: Vec<String> = copies.iter().filter_map(made_file).collect();
    let (mut allowed, mut said) = (Vec::new(), Vec::new());
    for copy in copies {
        match copy {
            // A copy may itself be copied before it is saved. Without its original, the page is empty.
            PageCopy::Page { file, of } => {
                let of = file_of(&of);
                if made.contains(&of) || is_page(editing, &of) {
                    allowed.push(PageCopy::Page { file, of });
                }
            }
            PageCopy::Section { file, comments, section } => {
                let file = file_of(&file);
                if is_page(editing, &file) {
                    allowed.push(PageCopy::Section { file, comments, section });
                } else {
                    said.push(format!("No section was copied to `{file}`, which is the file of no page any more."));
                }
            }
        }
    }
    (allowed, said)
}

/// The name of a page's file, from its path in a config.
fn file_of(path: &str) -> String {
    match PageSource::parse(path) {
        PageSource::File(name) | PageSource::Remote(name) => name,
    }
}

/// Whether a file is that of a page which the person sees.
fn is_page(editing: &Editing, file: &str) -> bool {
    let Some(root) = &editing.site.root else { return false };
    let mut pages = root.config.pages.iter().filter(|page| page.is_main || editing.viewer.sees(&page.visibility));
    file == root.name || pages.any(|page| matches!(&page.source, PageSource::File(path) if path == file))
}

fn made_file(copy: &PageCopy) -> Option<String> {
    match copy {
        PageCopy::Page { file, .. } => Some(file.clone()),
        PageCopy::Section { .. } => None,
    }
}

/// The content that a new file begins with, if it is a copy of one that can be read.
pub(super) async fn original(files: &Arc<Store>, copies: &[PageCopy], file: &str) -> Option<Document> {
    let of = |file: &str| {
        copies.iter().rev().find_map(|copy| match copy {
            PageCopy::Page { file: made, of } if made == file => Some(of.clone()),
            _ => None,
        })
    };
    let mut name = of(file)?;
    // The copy of a copy that is not saved yet is one of the first original.
    for _ in copies {
        name = of(&name).unwrap_or(name);
    }
    let document = parsed(&files.read_file(&name).await.ok()?).ok()?;
    let value = document.value();
    if value.get("pages").is_none() && value["appConfig"].get("auth").is_none() {
        return Some(document);
    }
    // New files of pages cannot have these; in older ones they have no effect.
    let mut value = document.to_json();
    value.as_object_mut()?.shift_remove("pages");
    if let Some(settings) = value["appConfig"].as_object_mut() {
        settings.shift_remove("auth");
    }
    Some(Document::from_json(value))
}

/// Adds the copied sections at the ends of their pages. Says what was done.
pub(super) async fn add_sections(files: &Arc<Store>, by: &str, copies: Vec<PageCopy>) -> Vec<String> {
    let mut said = Vec::new();
    for copy in copies {
        let PageCopy::Section { file, section, .. } = copy else { continue };
        let added: Value = serde_json::from_str(&section).unwrap_or_default();
        let name = added["name"].as_str().unwrap_or("The section").to_owned();
        said.push(match add_section(files, by, &file, added).await {
            Ok(Some(backup)) => {
                format!("“{name}” was added to `{file}`. Its previous content is in the backup `{backup}`.")
            }
            Ok(None) => format!("“{name}” was added to `{file}`."),
            Err(error) => format!("“{name}” was not added to `{file}`: {}", with_user(error).message),
        });
    }
    said
}

/// Returns the name of the backup, if there is one.
async fn add_section(files: &Arc<Store>, by: &str, file: &str, section: Value) -> Result<Option<String>, ApiError> {
    let bytes = files.read_file(file).await?;
    let mut value = parsed(&bytes)?.to_json();
    match value["sections"].as_array_mut() {
        Some(sections) => sections.push(section),
        None => value["sections"] = json!([section]),
    }
    let version = version_of(Some(&bytes));
    Ok(save_draft(files, by, file, Some(version), Document::from_json(value)).await?.backup)
}
