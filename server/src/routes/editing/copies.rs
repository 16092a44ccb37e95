//! What saving a draft also writes to the files of other pages: copies of pages and of sections.

use std::sync::Arc;

use config::{Document, PageCopy, model::PageSource};
use http::StatusCode;
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

/// What could not be written to files of other pages.
#[derive(Debug, Default)]
pub(super) struct Failures {
    /// A sentence for each.
    pub(super) said: Vec<String>,
    /// What another save may write.
    pub(super) left: Vec<PageCopy>,
}

impl Failures {
    pub(super) fn is_empty(&self) -> bool {
        self.said.is_empty()
    }

    pub(super) fn add(&mut self, said: String, left: Option<PageCopy>) {
        self.said.push(said);
        self.left.extend(left);
    }
}

/// The copies that read and write only files of pages that the user sees, and the sections that are left out.
///
/// # Errors
///
/// A section cannot move to its page, so its own page must keep it.
pub(super) fn allowed(editing: &Editing, copies: Vec<PageCopy>) -> Result<(Vec<PageCopy>, Failures), ApiError> {
    let made: Vec<String> = copies.iter().filter_map(made_file).collect();
    let (mut allowed, mut left_out) = (Vec::new(), Failures::default());
    for copy in copies {
        match copy {
            // A copy may itself be copied before it is saved. Without its original, the page is empty.
            PageCopy::Page { file, of } => {
                let of = file_of(&of);
                if made.contains(&of) || is_page(editing, &of) {
                    allowed.push(PageCopy::Page { file, of });
                }
            }
            PageCopy::Section { file, comments, section, moved } => {
                let file = file_of(&file);
                if is_page(editing, &file) && !(moved && file == editing.name) {
                    allowed.push(PageCopy::Section { file, comments, section, moved });
                } else if moved {
                    return Err(ApiError::bad_request(format!(
                        "{} cannot move to `{file}`, which is not the file of another page. Nothing is saved. Undo that \
                         step, then save again.",
                        named(&parsed_section(&section))
                    )));
                } else {
                    let said = format!("The section was not copied: no page uses `{file}` any longer.");
                    left_out.add(said, Some(PageCopy::Section { file, comments, section, moved }));
                }
            }
        }
    }
    Ok((allowed, left_out))
}

/// The name of a page's file, from its path in a config.
fn file_of(path: &str) -> String {
    match PageSource::parse(path) {
        PageSource::File(name) | PageSource::Remote(name) => name,
    }
}

/// Whether a file is that of a page which the user sees.
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
pub(super) async fn add_sections(
    files: &Arc<Store>,
    by: &str,
    copies: &[PageCopy],
    failures: &mut Failures,
) -> Vec<String> {
    let mut said = Vec::new();
    for copy in copies {
        let PageCopy::Section { file, section, moved: false, .. } = copy else { continue };
        let section = parsed_section(section);
        let name = named(&section);
        match add_section(files, by, file, section, None).await {
            Ok(sentence) => said.push(sentence),
            Err(error) => {
                let said = format!("{name} was not added to `{file}`: {}", with_user(error).message);
                failures.add(said, Some(copy.clone()));
            }
        }
    }
    said
}

/// Adds the sections that leave the file `own` at the ends of their pages, before `own` is written without them. Says what was
/// done.
///
/// # Errors
///
/// One of them cannot be added, so `own` must keep it.
pub(super) async fn move_sections(
    files: &Arc<Store>,
    by: &str,
    own: &str,
    copies: &[PageCopy],
) -> Result<Vec<String>, ApiError> {
    let mut said = Vec::new();
    for (position, copy) in copies.iter().enumerate() {
        let PageCopy::Section { file, section, moved: true, .. } = copy else { continue };
        let section = parsed_section(section);
        let name = named(&section);
        let before = copies[..position].iter().filter(|earlier| *earlier == copy).count();
        match add_section(files, by, file, section, Some(before)).await {
            Ok(sentence) => said.push(sentence),
            Err(error) => {
                let mut error = with_user(error);
                // It is not the draft's own file that has changed.
                if error.status == StatusCode::CONFLICT {
                    error.status = StatusCode::INTERNAL_SERVER_ERROR;
                }
                said.push(format!("{name} cannot move to `{file}`, so `{own}` is not saved: {}", error.message));
                error.message = said.join(" ");
                return Err(error);
            }
        }
    }
    Ok(said)
}

/// The reason why the file `own` could not be saved after sections of it were added to other pages.
pub(super) fn after_moves(mut error: ApiError, own: &str, said: &[String]) -> ApiError {
    if !said.is_empty() {
        let said = said.join(" ");
        error.message = format!(
            "{said} But `{own}` is not saved, so it still has what moved: {} Saving again does not add it twice.",
            error.message
        );
    }
    error
}

fn parsed_section(section: &str) -> Value {
    serde_json::from_str(section).unwrap_or_default()
}

fn named(section: &Value) -> String {
    section["name"].as_str().map_or_else(|| "The section".to_owned(), |name| format!("“{name}”"))
}

/// Adds a section at the end of a page, unless the page has more than `before` equal ones: those are from an earlier save that
/// failed. Says what was done.
async fn add_section(
    files: &Arc<Store>,
    by: &str,
    file: &str,
    section: Value,
    before: Option<usize>,
) -> Result<String, ApiError> {
    let name = named(&section);
    let bytes = files.read_file(file).await?;
    let mut value = parsed(&bytes)?.to_json();
    match value["sections"].as_array_mut() {
        Some(sections) => {
            let equal = sections.iter().filter(|other| **other == section).count();
            if before.is_some_and(|before| equal > before) {
                return Ok(format!("{name} is in `{file}` already."));
            }
            sections.push(section);
        }
        None => value["sections"] = json!([section]),
    }
    let version = version_of(Some(&bytes));
    let changed = save_draft(files, by, file, Some(version), Document::from_json(value)).await?;
    Ok(match changed.backup {
        Some(backup) => format!("{name} was added to `{file}`. Its previous content is in the backup `{backup}`."),
        None => format!("{name} was added to `{file}`."),
    })
}
