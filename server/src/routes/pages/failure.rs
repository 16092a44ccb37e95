//! Messages for when a file cannot be shown (docs/spec/behaviour.md 20).
//!
//! The reason, the lines around an error and the names of files reveal content of the config, so only admins see them.
//! Others only learn that something is wrong. If the main config is broken, nobody can be identified as an admin, so
//! everybody also sees where the error is.

use app::fallback::PageFailure;
use config::{dashboard::PageNotice, model::page::Page};
use languages::{fill, t};

use crate::store::{FileFailure, FileFault};

/// The page for a main config that cannot be read and never could, so that it is unknown who may see what.
pub(super) fn closed(failure: Option<&FileFailure>) -> PageFailure {
    let Some(failure) = failure else { return PageFailure::default() };
    let reason = match failure.fault {
        FileFault::Missing => "There is no main config file, and the user-data folder is not a new one.".to_owned(),
        FileFault::NoFile => {
            "Where the main config file should be, there is a folder or something else that is not a file.".to_owned()
        }
        FileFault::Unreadable => "The server cannot read the main config file.".to_owned(),
        FileFault::Content => match failure.place {
            Some((line, column)) => format!("The main config file is not valid at line {line}, column {column}."),
            None => "The main config file is not valid.".to_owned(),
        },
    };
    let mut advice = advice(failure.fault, "the main config file");
    advice.push("The server's log says more.".to_owned());
    PageFailure { title: t("The dashboard is closed").to_owned(), reason, advice, ..PageFailure::default() }
}

/// The message shown instead of a page.
pub(super) fn page_failure(page: &Page, failure: &FileFailure, is_admin: bool) -> PageFailure {
    let title = fill("The page “{name}” cannot be shown", &[("name", &page.name)]);
    if !is_admin {
        let reason = t("Its file cannot be read. An admin who opens this page sees why.").to_owned();
        return PageFailure { title, reason, ..PageFailure::default() };
    }
    if page.path.is_empty() {
        return PageFailure {
            title,
            reason: "its entry in the list of pages has no `path`".to_owned(),
            advice: vec!["Name the file of the page there, such as `path: lab.yml`.".to_owned()],
            ..PageFailure::default()
        };
    }
    PageFailure {
        title,
        reason: format!("{}: {}", failure.name, failure.reason),
        excerpt: failure.excerpt.clone(),
        advice: advice(failure.fault, &failure.name),
        last_good: None,
    }
}

/// What to check, for a file of this name.
fn advice(fault: FileFault, name: &str) -> Vec<String> {
    match fault {
        FileFault::Missing => vec![
            format!("Is {name} in the user-data folder?"),
            "In a container: is the folder mounted at /app/user-data?".to_owned(),
            "USER_DATA_DIR chooses another folder.".to_owned(),
        ],
        FileFault::NoFile => vec![
            format!("Put a file in the place of {name}."),
            "In a container: Docker makes an empty folder of a file that is to be mounted and does not exist."
                .to_owned(),
        ],
        FileFault::Unreadable => vec![
            format!("May the user that the server runs as read {name} and open the folders around it?"),
            "The server tries again by itself as soon as the file changes.".to_owned(),
        ],
        FileFault::Content => vec![
            format!("Correct {name} and reload; the server reads it again by itself."),
            "The command \"portico validate\" prints all problems with their lines.".to_owned(),
        ],
    }
}

/// The notice above the last version that worked.
pub(super) fn stale_notice(failure: &FileFailure, is_admin: bool) -> PageNotice {
    if !is_admin {
        return out_of_date();
    }
    PageNotice {
        title: format!("{} cannot be read", failure.name),
        detail: format!("{}. What you see is the last version that worked.", failure.reason),
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
        title: format!("The source of “{}” cannot be read", page.name),
        detail: format!("{}. What you see is the last copy.", failure.reason),
        excerpt: None,
        link: None,
    }
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
            (
                io::ErrorKind::NotFound,
                "There is no main config file",
                "Is the main config file in the user-data folder?",
            ),
            (io::ErrorKind::IsADirectory, "there is a folder", "Put a file in the place of"),
            (io::ErrorKind::PermissionDenied, "cannot read", "May the user"),
            (io::ErrorKind::FileTooLarge, "is not valid.", "Correct the main config file"),
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
