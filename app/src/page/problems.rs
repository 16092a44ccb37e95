//! The problems of the config file, in the options of admins. Static, so it is not part of the browser's bundle.

use config::Dashboard;
use leptos::prelude::*;

use crate::{
    parts::markup::with_code,
    words::{fill, split_at_placeholder, t_for_script_with},
};

/// Maximum number of listed problems; `portico validate` prints them all.
const MAX_LISTED: usize = 20;

/// The problems of the file of a page.
#[derive(Clone, Debug)]
pub struct FileProblems {
    file: String,
    problems: Vec<String>,
}

impl FileProblems {
    /// The problems of a page; `None` if there are none, or the viewer may not see them.
    pub fn of(dashboard: &Dashboard) -> Option<Self> {
        let problems = dashboard.problems.clone();
        (!problems.is_empty()).then(|| Self { file: dashboard.file.clone(), problems })
    }

    /// Their number and the list.
    pub fn list(self) -> impl IntoView + use<> {
        let Self { file, problems } = self;
        let count = problems.len();
        let title = if count == 1 {
            t_for_script_with("1 problem in {file}", &file)
        } else {
            fill("{count} problems in {file}", &[("count", &count.to_string()), ("file", &file)])
        };
        let more = (count > MAX_LISTED).then(|| {
            let (before, after) = split_at_placeholder("{command} prints all.");
            view! { <p class="options-note">{before}<code>"portico validate"</code>{after}</p> }
        });
        let lines =
            problems.into_iter().take(MAX_LISTED).map(|line| view! { <li>{with_code(&line)}</li> }).collect_view();
        view! {
            <details class="file-problems">
                <summary>{title}</summary>
                <ul>{lines}</ul>
                {more}
            </details>
        }
    }
}
