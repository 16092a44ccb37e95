//! What is wrong in the config file, in the options of admins. Static, so the browser's bundle knows nothing of it.

use config::Dashboard;
use leptos::prelude::*;

/// Most problems that are listed; `portico validate` has them all.
const MAX_LISTED: usize = 20;

/// The problems of the file that a page is made of.
#[derive(Clone, Debug)]
pub struct FileProblems {
    file: String,
    problems: Vec<String>,
}

impl FileProblems {
    /// Those of a page; none if there are none, or if they are not for this viewer.
    pub fn of(dashboard: &Dashboard) -> Option<Self> {
        let problems = dashboard.problems.clone();
        (!problems.is_empty()).then(|| Self { file: dashboard.file.clone(), problems })
    }

    /// How many there are, and which.
    pub fn list(self) -> impl IntoView + use<> {
        let Self { file, problems } = self;
        let count = problems.len();
        let title = if count == 1 { format!("1 problem in {file}") } else { format!("{count} problems in {file}") };
        let more = (count > MAX_LISTED).then(|| {
            view! { <p class="options-note"><code>"portico validate"</code>" prints all."</p> }
        });
        let lines = problems.into_iter().take(MAX_LISTED).map(|line| view! { <li>{line}</li> }).collect_view();
        view! {
            <details class="file-problems">
                <summary>{title}</summary>
                <ul>{lines}</ul>
                {more}
            </details>
        }
    }
}
