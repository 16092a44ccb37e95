//! The problems of the config file, in the options of admins. Static, so it is not part of the browser's bundle.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use config::Dashboard;
use leptos::prelude::*;

use crate::{
    parts::markup::with_code,
    words::{split_at_placeholder, t, t_count},
};

/// Maximum number of listed problems; `portico validate` prints them all.
const MAX_LISTED: usize = 20;

/// The problems of the file of a page, and hints.
#[derive(Clone, Debug)]
pub struct FileProblems {
    file: String,
    problems: Vec<String>,
    hints: Vec<String>,
}

impl FileProblems {
    /// The problems of a page; `None` if there are none, or the viewer may not see them.
    pub fn of(dashboard: &Dashboard) -> Option<Self> {
        let (problems, hints) = (dashboard.problems.clone(), dashboard.hints.clone());
        let is_empty = problems.is_empty() && hints.is_empty();
        (!is_empty).then(|| Self { file: dashboard.file.clone(), problems, hints })
    }

    /// Their numbers and the lists. Hints are about things that work, so they can be closed until there are others.
    pub fn list(self) -> impl IntoView + use<> {
        let Self { file, problems, hints } = self;
        let title = |count: usize, one: &str, other: &str| t_count(one, other, count as u64, &[("file", &file)]);
        let shown_problems = (!problems.is_empty()).then(|| {
            let title = title(problems.len(), "1 problem in {file}", "{count} problems in {file}");
            view! {
                <details class="file-problems">
                    <summary>{title}</summary>
                    {lines(problems)}
                </details>
            }
        });
        let shown_hints = (!hints.is_empty()).then(|| {
            let title = title(hints.len(), "1 hint in {file}", "{count} hints in {file}");
            let key = key_of(&hints);
            view! {
                <details class="file-problems file-hints" data-hints=key>
                    <summary>{title}</summary>
                    {lines(hints)}
                    <p>
                        <button class="button" type="button" data-module="" data-dismiss="hints">{t("Do not show again")}</button>
                    </p>
                </details>
            }
        });
        view! { {shown_problems} {shown_hints} }
    }
}

fn lines(messages: Vec<String>) -> impl IntoView + use<> {
    let more = (messages.len() > MAX_LISTED).then(|| {
        let (before, after) = split_at_placeholder("{command} prints all.");
        view! { <p class="options-note">{before}<code>"portico validate"</code>{after}</p> }
    });
    let lines = messages.into_iter().take(MAX_LISTED).map(|line| view! { <li>{with_code(&line)}</li> }).collect_view();
    view! { <ul>{lines}</ul> {more} }
}

/// A short text that changes with the hints.
fn key_of(hints: &[String]) -> String {
    let mut hasher = DefaultHasher::new();
    hints.hash(&mut hasher);
    format!("{:x}", hasher.finish())
}
