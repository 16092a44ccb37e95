//! What a person is told when a file cannot be shown (docs/spec/behaviour.md 20).

use app::fallback::Failure;
use config::{dashboard::Notice, model::page::Page};

use crate::store::{Fault, FileFailure};

/// The panel in place of the root.
pub(super) fn root_failure(failure: &FileFailure) -> Failure {
    let name = &failure.name;
    let advice = match failure.fault {
        Fault::Missing => vec![
            format!("Is there a file named {name} in the user-data folder?"),
            "In a container: is the folder mounted at /app/user-data?".to_owned(),
            "USER_DATA_DIR chooses another folder.".to_owned(),
        ],
        Fault::NoFile => vec![
            format!("Put a file named {name} in its place."),
            "In a container: Docker makes an empty folder of a file that is to be mounted and does not exist."
                .to_owned(),
        ],
        Fault::Unreadable => vec![
            format!("May the user that the server runs as read {name} and open the folders around it?"),
            "The server tries again by itself as soon as the file changes.".to_owned(),
        ],
        Fault::Content => vec![
            format!("Correct {name} and reload; the server reads it again by itself."),
            "`portico validate` prints all problems with their lines.".to_owned(),
        ],
    };
    Failure {
        title: format!("{} cannot be shown", failure.name),
        reason: failure.reason.clone(),
        excerpt: failure.excerpt.clone(),
        advice,
        last_good: None,
    }
}

/// The panel in place of another page.
pub(super) fn page_failure(page: &Page, failure: &FileFailure) -> Failure {
    if page.path.is_empty() {
        return Failure {
            title: format!("The page “{}” cannot be shown", page.name),
            reason: "its entry in the list of pages has no `path`".to_owned(),
            advice: vec!["Name the file of the page there, such as `path: lab.yml`.".to_owned()],
            ..Failure::default()
        };
    }
    Failure { title: format!("The page “{}” cannot be shown", page.name), ..root_failure(failure) }
}

/// What is said above the last version that worked.
pub(super) fn stale_notice(failure: &FileFailure) -> Notice {
    Notice {
        title: format!("{} cannot be read", failure.name),
        detail: format!("{}. What you see is the last version that worked.", failure.reason),
        excerpt: failure.excerpt.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::root_failure;
    use crate::store::FileFailure;

    #[test]
    fn the_advice_fits_what_is_wrong() {
        for (kind, reason, advice) in [
            (io::ErrorKind::NotFound, "does not exist", "Is there a file named conf.yml"),
            (io::ErrorKind::IsADirectory, "a directory", "Put a file named conf.yml in its place"),
            (io::ErrorKind::PermissionDenied, "permission denied", "May the user"),
            (io::ErrorKind::FileTooLarge, "2 MB", "Correct conf.yml"),
        ] {
            let failure = root_failure(&FileFailure::of_disk("conf.yml", &kind.into()));
            assert!(failure.reason.contains(reason) && failure.advice[0].contains(advice), "{kind}: {failure:?}");
        }
    }
}
