//! What reading does with a value that the schema refuses: what the author of a file is told beside what is wrong.

use std::collections::HashMap;

use crate::{
    model::Config,
    problem::{Problem, ProblemKind, Severity},
};

/// What reading a config did about its problems, by their paths.
#[derive(Debug)]
pub struct Effects<'a>(HashMap<&'a str, &'a str>);

impl<'a> Effects<'a> {
    /// The effects of the problems that reading has found.
    #[must_use]
    pub fn of(config: &'a Config) -> Self {
        let mut effects = HashMap::new();
        for problem in &config.problems {
            if let Some((_, effect)) = problem.message.rsplit_once("; ") {
                effects.entry(problem.path.as_str()).or_insert(effect);
            }
        }
        Self(effects)
    }

    /// A problem in a sentence that says what happens instead, for the author of a file that is in use.
    #[must_use]
    pub fn tell(&self, problem: &Problem) -> String {
        match self.effect(problem) {
            Some(effect) => format!("{problem}; {effect}"),
            None => problem.to_string(),
        }
    }

    /// What happens instead; `None` if the message says it.
    fn effect(&self, problem: &Problem) -> Option<&'a str> {
        if problem.severity != Severity::Error {
            return None;
        }
        self.0.get(problem.path.as_str()).copied().or_else(|| usual(problem))
    }
}

/// What happens to values that reading does not report.
fn usual(problem: &Problem) -> Option<&'static str> {
    if problem.message.ends_with("not an empty value") {
        return Some("counts as not set");
    }
    Some(match problem.kind {
        ProblemKind::UnknownKey => "ignored",
        ProblemKind::WrongType if problem.message.starts_with("must be text") => "used as text",
        ProblemKind::TooMany => "all are used",
        ProblemKind::Conflict => "the first is used",
        ProblemKind::Missing => missing(&problem.path),
        ProblemKind::Malformed if is_of_user(&problem.path) => "the user cannot sign in",
        // Widgets read their fields themselves.
        ProblemKind::WrongType if problem.path.contains("/widgets/") => "the widget says so if it cannot use it",
        ProblemKind::Malformed | ProblemKind::WrongType => "used as it is",
        ProblemKind::NotAllowed | ProblemKind::OutOfRange => "counts as not set",
        ProblemKind::Refused | ProblemKind::Legacy | ProblemKind::NotInEffect => return None,
    })
}

fn is_of_user(path: &str) -> bool {
    path.starts_with("/appConfig/auth/users/")
}

/// What happens without a required key.
fn missing(path: &str) -> &'static str {
    let list = path.rsplit('/').nth(2).unwrap_or_default();
    let key = path.rsplit('/').next().unwrap_or_default();
    match (list, key) {
        _ if is_of_user(path) => "the user cannot sign in",
        _ if path.starts_with("/appConfig/auth/") => "the dashboard stays closed",
        ("pages", "path") => "the page cannot be shown",
        ("pages", _) => "the page has no name",
        ("widgets", "type") => "the widget says so in its box",
        ("navLinks", "path") => "the link leads to the start page",
        (_, "sections") => "the page is empty",
        (_, "title" | "name") => "shown without one",
        _ => "counts as not set",
    }
}
