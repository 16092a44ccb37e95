//! The problems of a config file: those that the config crate finds, and those that only its widgets can find.

use std::collections::HashSet;

use config::{
    Document, Effects, Problem, ProblemKind, Severity,
    check::{check_page, check_read},
};
use languages::{Language, fill, message};
use nearest::nearest;
use serde_json::Value;

use super::WidgetPlans;
use crate::store::ConfigFile;

/// All problems of a file, without duplicates and without those of what a page inherits. The schema is checked only if
/// `is_main` is set.
pub fn problems(document: &Document, config: &config::Config, plans: &WidgetPlans, is_main: bool) -> Vec<Problem> {
    let mut problems = if is_main { check_read(document, config) } else { check_page(config) };
    problems.retain(|problem| is_main || is_of(document, &problem.path));
    let mut paths: HashSet<_> = problems.iter().map(|problem| problem.path.clone()).collect();
    for problem in plans.problems() {
        // A sentence about a shared field begins with its name, and the schema may have said the same.
        let field = problem.message.split(' ').next().unwrap_or_default();
        let path = &problem.path;
        if !paths.contains(&format!("{path}/{field}")) && !paths.contains(&format!("{path}/options/{field}")) {
            paths.insert(path.clone());
            problems.push(problem.clone());
        }
    }
    problems.extend(unknown_language(config).filter(|problem| is_main || is_of(document, &problem.path)));
    with_ids_together(problems)
}

/// A warning if the texts of the interface are not translated into the language of the config.
fn unknown_language(config: &config::Config) -> Option<Problem> {
    let tag = config.app.language.as_deref().filter(|tag| Language::of_tag(tag).is_none())?;
    let codes: Vec<_> = Language::all().map(Language::code).collect();
    let hint = match nearest(tag, codes.iter().copied()) {
        Some(code) => format!("did you mean `{code}`?"),
        None => format!("there are: {}", codes.join(", ")),
    };
    Some(Problem {
        path: "/appConfig/language".to_owned(),
        kind: ProblemKind::NotAllowed,
        message: format!("the interface has no language `{tag}`; {hint}"),
        effect: None,
        severity: Severity::Warning,
    })
}

/// One problem for all ids that Dashy has generated, at the first of them.
fn with_ids_together(mut problems: Vec<Problem>) -> Vec<Problem> {
    let is_id = |problem: &Problem| problem.kind == ProblemKind::Legacy && problem.path.ends_with("/id");
    let count = problems.iter().filter(|problem| is_id(problem)).count();
    let mut is_first = true;
    problems.retain(|problem| !is_id(problem) || std::mem::take(&mut is_first));
    if count > 1
        && let Some(problem) = problems.iter_mut().find(|problem| is_id(problem))
    {
        problem.message =
            format!("{count} entries have an `id`, which is generated, and used here only by `sortBy: item-id`");
    }
    problems
}

/// Whether a problem is about something in this file. A page also has the `pageInfo` and `appConfig` of the main file, whose
/// problems are reported on the main page.
fn is_of(document: &Document, path: &str) -> bool {
    let is_laid_over = path.starts_with("/pageInfo/") || path.starts_with("/appConfig/");
    let end = path.match_indices('/').nth(2).map_or(path.len(), |(end, _)| end);
    !is_laid_over || document.value().pointer(&path[..end]).is_some()
}

/// What an admin is told about a file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct AdminMessages {
    /// What is wrong.
    pub problems: Vec<String>,
    /// What works, but could be done better.
    pub hints: Vec<String>,
}

/// The problems that an admin sees on the page of a file, each with its line and with what happens instead, in the order of
/// the file. Notes appear only in `portico validate`.
pub fn admin_messages(file: &ConfigFile, plans: &WidgetPlans, is_main: bool) -> AdminMessages {
    let mut problems = problems(&file.document, &file.config, plans, is_main);
    problems.retain(|problem| problem.severity != Severity::Note);
    if problems.is_empty() {
        return AdminMessages::default();
    }
    let locations = file.document.locations();
    problems.sort_by_cached_key(|problem| locations.nearest(&problem.path));
    let effects = Effects::of(&file.config);
    let line = |problem: &Problem| {
        let (line, _) = locations.nearest(&problem.path).unwrap_or((1, 1));
        let told = effects.tell(problem);
        let about = place_name(file.document.value(), &problem.path);
        let message = match told.strip_prefix(&format!("{}: ", problem.path)) {
            Some(sentence) if !about.is_empty() => format!("{about}: {}", message(sentence)),
            _ => message(&told).into_owned(),
        };
        fill("Line {line}: {message}", &[("line", &line.to_string()), ("message", &message)])
    };
    let (hints, problems): (Vec<&Problem>, Vec<&Problem>) = problems.iter().partition(|problem| problem.is_advice());
    AdminMessages { problems: problems.into_iter().map(line).collect(), hints: hints.into_iter().map(line).collect() }
}

/// The lists whose elements people know by name.
const NAMED: [&str; 5] = ["sections", "items", "subItems", "widgets", "pages"];

/// What a JSON pointer leads to, as people call it: `Media › weather › options.city` for `/sections/0/widgets/2/options/city`.
fn place_name(document: &Value, path: &str) -> String {
    let mut at = Some(document);
    let mut names: Vec<String> = Vec::new();
    let mut keys: Vec<String> = Vec::new();
    for step in path.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")) {
        let list = at.filter(|value| value.is_array());
        at = at.and_then(|value| match value {
            Value::Array(list) => list.get(step.parse::<usize>().ok()?),
            value => value.get(&step),
        });
        let known = list.and(keys.last()).filter(|key| NAMED.contains(&key.as_str()));
        let name_of = |entry: &Value| {
            let texts = ["name", "title", "label", "type"].into_iter().filter_map(|key| entry.get(key)?.as_str());
            texts.map(str::trim).find(|text| !text.is_empty()).map(str::to_owned)
        };
        match at.and_then(name_of).filter(|_| known.is_some()) {
            Some(name) => {
                keys.pop();
                names.push(name);
            }
            None => keys.push(step),
        }
    }
    names.extend((!keys.is_empty()).then(|| keys.join(".")));
    names.join(" › ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_place_has_the_names_that_people_know() {
        let document = json!({
            "sections": [
                { "name": "Media", "items": [{ "title": "Jellyfin" }], "widgets": [{ "type": "weather" }, { "type": "clock", "label": "Lima" }] },
                { "name": " ", "widgets": [{}] },
            ],
            "appConfig": { "auth": { "users": [{ "user": "ada" }] } },
        });
        for (path, expected) in [
            ("/sections/0/widgets/0", "Media › weather"),
            ("/sections/0/widgets/1/options/timeZone", "Media › Lima › options.timeZone"),
            ("/sections/0/items/0/url", "Media › Jellyfin › url"),
            ("/sections/1/widgets/0", "sections.1.widgets.0"),
            ("/appConfig/auth/users/0/hash", "appConfig.auth.users.0.hash"),
            ("/pageInfo", "pageInfo"),
            ("", ""),
        ] {
            assert_eq!(place_name(&document, path), expected);
        }
    }
}
