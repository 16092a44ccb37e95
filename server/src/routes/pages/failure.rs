//! Messages for when a file cannot be shown (docs/spec/behavior.md 20).
//!
//! The reason, the lines around an error and the names of files reveal content of the config, so only admins see them.
//! Others only learn that something is wrong. If the main config is broken, nobody can be identified as an admin, so
//! everybody also sees where the error is.

use app::fallback::PageFailure;
use config::{dashboard::PageNotice, model::page::Page};
use languages::{fill, full_stop, message, sentences, t};

use crate::store::{FileFailure, FileProblem};

/// The page for a main config that cannot be read and never could, so that it is unknown who may see what.
pub(super) fn closed(failure: Option<&FileFailure>) -> PageFailure {
    let Some(failure) = failure else { return PageFailure::default() };
    let reason = match failure.problem {
        FileProblem::Missing => {
            t("There is no main config file, and the user-data folder is not a new one.").to_owned()
        }
        FileProblem::NoFile => {
            t("Where the main config file should be, there is a folder or something else that is not a file.")
                .to_owned()
        }
        FileProblem::Unreadable => t("The server cannot read the main config file.").to_owned(),
        FileProblem::Content => match failure.place {
            Some((line, column)) => fill(
                "The main config file is not valid at line {line}, column {column}.",
                &[("line", &line.to_string()), ("column", &column.to_string())],
            ),
            None => t("The main config file is not valid.").to_owned(),
        },
    };
    let mut advice = advice(failure);
    advice.push(t("The server's log says more.").to_owned());
    PageFailure { title: t("The dashboard is closed").to_owned(), reason, advice, ..PageFailure::default() }
}

/// The message shown instead of a page.
pub(super) fn page_failure(page: &Page, failure: &FileFailure, is_admin: bool) -> PageFailure {
    for_admins(page, is_admin, || PageFailure {
        reason: format!("{}: {}", failure.name, message(&failure.reason)),
        excerpt: failure.excerpt.clone(),
        advice: advice(failure),
        ..PageFailure::default()
    })
}

/// The message shown instead of a page whose entry names no file.
pub(super) fn page_without_file(page: &Page, is_admin: bool) -> PageFailure {
    for_admins(page, is_admin, || PageFailure {
        reason: t("Its entry in the list of pages has no `path`.").to_owned(),
        advice: vec![t("Name the file of the page there, such as `path: lab.yml`.").to_owned()],
        ..PageFailure::default()
    })
}

/// A message about a page, whose details only admins see.
fn for_admins(page: &Page, is_admin: bool, details: impl FnOnce() -> PageFailure) -> PageFailure {
    let title = fill("The page “{name}” cannot be shown", &[("name", &page.name)]);
    if is_admin {
        return PageFailure { title, ..details() };
    }
    let reason = t("Its file cannot be read. An admin who opens this page sees why.").to_owned();
    PageFailure { title, reason, ..PageFailure::default() }
}

/// What to check.
fn advice(failure: &FileFailure) -> Vec<String> {
    if let Some(found) = &failure.similar {
        return vec![fill(
            "There is {found} beside it. Rename it to {file}.",
            &[
                ("found", &format!("`{found}`")),
                ("file", &format!("`{}`", failure.name.rsplit('/').next().unwrap_or_default())),
            ],
        )];
    }
    let advice = match failure.problem {
        FileProblem::Missing => vec![
            t("Is the file in the user-data folder?"),
            t("In a container: is the folder mounted at /app/user-data?"),
            t("USER_DATA_DIR chooses another folder."),
        ],
        FileProblem::NoFile => vec![
            t("Put the file in its place."),
            t(
                "In a container: if the file that you mount does not exist, Docker creates an empty folder in its place.",
            ),
        ],
        FileProblem::Unreadable => vec![
            t("May the user that the server runs as read the file and open the folders around it?"),
            t("The server tries again by itself as soon as the file changes."),
        ],
        FileProblem::Content => {
            let command = fill("{command} prints all problems with their lines.", &[("command", "`portico validate`")]);
            return vec![t("Correct the file and reload; the server reads it again by itself.").to_owned(), command];
        }
    };
    advice.into_iter().map(str::to_owned).collect()
}

/// The notice above the last version that worked.
pub(super) fn stale_notice(failure: &FileFailure, is_admin: bool) -> PageNotice {
    if !is_admin {
        return out_of_date();
    }
    PageNotice {
        title: fill("{file} cannot be read", &[("file", &failure.name)]),
        detail: reason_and(failure, t("This page shows the last valid version.")),
        excerpt: failure.excerpt.clone(),
        link: None,
    }
}

/// The notice above the last copy of a remote page.
pub(super) fn stale_copy_notice(page: &Page, failure: &FileFailure, is_admin: bool) -> PageNotice {
    if !is_admin {
        return out_of_date();
    }
    PageNotice {
        title: fill("The source of “{name}” cannot be read", &[("name", &page.name)]),
        detail: reason_and(failure, t("What you see is the last copy.")),
        excerpt: None,
        link: None,
    }
}

/// Why a file cannot be read, as a sentence, and what is shown.
fn reason_and(failure: &FileFailure, shown: &str) -> String {
    sentences(&format!("{}{}", message(&failure.reason), full_stop()), shown)
}

fn out_of_date() -> PageNotice {
    PageNotice {
        title: t("This page may be out of date").to_owned(),
        detail: t("Its latest version cannot be read. What you see is the last one that worked.").to_owned(),
        excerpt: None,
        link: None,
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use config::Document;

    use super::closed;
    use crate::store::FileFailure;

    #[test]
    fn the_advice_fits_what_is_wrong() {
        for (kind, reason, advice) in [
            (io::ErrorKind::NotFound, "There is no main config file", "Is the file in the user-data folder?"),
            (io::ErrorKind::IsADirectory, "there is a folder", "Put the file in its place"),
            (io::ErrorKind::PermissionDenied, "cannot read", "May the user"),
            (io::ErrorKind::FileTooLarge, "is not valid.", "Correct the file"),
        ] {
            let failure = closed(Some(&FileFailure::of_disk("conf.yml", &kind.into())));
            assert!(failure.reason.contains(reason) && failure.advice[0].contains(advice), "{kind}: {failure:?}");
        }
    }

    #[test]
    fn a_closed_dashboard_tells_the_place_and_nothing_else() {
        let error = Document::parse(b"a: 1\nkey: secret-mark\nkey: secret-mark\n").unwrap_err();
        let failure = FileFailure::of_syntax("name-mark.yml", error);
        assert!(
            failure.reason.contains("key") && failure.excerpt.as_deref().unwrap_or_default().contains("secret-mark")
        );
        let told = closed(Some(&failure));
        assert!(told.reason.contains("line 3, column 1"), "{told:?}");
        assert!(told.excerpt.is_none() && !format!("{told:?}").contains("mark"), "{told:?}");
    }
}
