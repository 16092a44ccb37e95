//! Environment variables: how other configs name them, and the names that Portico reads.
//!
//! The names are replaced in the text before it is parsed, just as the other programs insert the values. Otherwise
//! `key: {{NAME}}` without quotes would be read as a mapping.

use crate::report::{Report, SourceLocation};

/// The prefixes of names that widget options may contain.
const PREFIXES: [&str; 4] = ["PORTICO_", "DASHY_", "VITE_APP_", "VUE_APP_"];

/// Replaces `{{HOMEPAGE_VAR_NAME}}` and `{{HOMEPAGE_FILE_NAME}}`.
pub fn of_homepage(text: &str, place: &SourceLocation, report: &mut Report) -> String {
    replace(text, "{{", "}}", |written| {
        let written = written.trim();
        let (name, suffix) = match written.strip_prefix("HOMEPAGE_VAR_") {
            Some(name) => (name, ""),
            None => (written.strip_prefix("HOMEPAGE_FILE_")?, "_FILE"),
        };
        let ours = name_for(name, suffix)?;
        let what = if suffix.is_empty() { "value" } else { "file" };
        let todo = format!("set the environment variable `{ours}` to the {what} that `{written}` has now");
        report.needs_variable(place, &ours, todo);
        Some(ours)
    })
}

/// Replaces `${NAME}`, `${secret:name}` and `${readFileFromEnv:NAME}`.
pub fn of_glance(text: &str, place: &SourceLocation, report: &mut Report) -> String {
    // A backslash takes its meaning away.
    let parts = text.split("\\${").map(|part| of_unescaped(part, place, report));
    parts.collect::<Vec<_>>().join("${")
}

fn of_unescaped(text: &str, place: &SourceLocation, report: &mut Report) -> String {
    replace(text, "${", "}", |written| {
        let (ours, todo) = if let Some(secret) = written.strip_prefix("secret:") {
            let ours = name_for(&secret.replace(['-', '.'], "_").to_uppercase(), "_FILE")?;
            let todo = format!("set the environment variable `{ours}` to `/run/secrets/{secret}`");
            (ours, todo)
        } else if let Some(name) = written.strip_prefix("readFileFromEnv:") {
            let ours = name_for(name, "_FILE")?;
            let todo = format!("set the environment variable `{ours}` to the path that `{name}` has now");
            (ours, todo)
        } else {
            let ours = name_for(written, "")?;
            let todo = format!("set the environment variable `{ours}` to the value that `{written}` has now");
            (ours, todo)
        };
        report.needs_variable(place, &ours, todo);
        Some(ours)
    })
}

/// Our name for a variable; `None` if it is not the name of one.
fn name_for(name: &str, suffix: &str) -> Option<String> {
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let prefix = if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) { "" } else { "PORTICO_" };
    is_name.then(|| format!("{prefix}{name}{suffix}"))
}

fn replace(text: &str, open: &str, close: &str, mut ours: impl FnMut(&str) -> Option<String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        let (before, after) = rest.split_at(start);
        result.push_str(before);
        let written = &after[open.len()..];
        let line = written.split('\n').next().unwrap_or_default();
        let name = line.find(close).map(|end| &line[..end]);
        match name.and_then(|name| Some((name, ours(name)?))) {
            Some((name, new)) => {
                result.push_str(&new);
                rest = &written[name.len() + close.len()..];
            }
            None => {
                result.push_str(open);
                rest = written;
            }
        }
    }
    result.push_str(rest);
    result
}

/// Whether a text contains a name that [`of_homepage`] or [`of_glance`] may have put there.
pub fn find_variable(text: &str) -> Option<&str> {
    let start = PREFIXES.iter().filter_map(|prefix| text.find(prefix)).min()?;
    let name = &text[start..];
    let end = name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(name.len());
    Some(&name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    fn replaced(replace: fn(&str, &SourceLocation, &mut Report) -> String, text: &str) -> (String, usize) {
        let mut report = Report::new(Source::Homepage);
        let text = replace(text, &SourceLocation::file("f"), &mut report);
        (text, report.notes.len())
    }

    #[test]
    fn names_of_homepage_become_ours() {
        for (written, expected, notes) in [
            ("key: {{HOMEPAGE_VAR_SONARR_KEY}}", "key: PORTICO_SONARR_KEY", 1),
            ("a: \"{{HOMEPAGE_FILE_TOKEN}}\" {{HOMEPAGE_VAR_A}}", "a: \"PORTICO_TOKEN_FILE\" PORTICO_A", 2),
            ("a: {{other}} {{HOMEPAGE_VAR_}} {{", "a: {{other}} {{HOMEPAGE_VAR_}} {{", 0),
        ] {
            assert_eq!(replaced(of_homepage, written), (expected.to_owned(), notes));
        }
    }

    #[test]
    fn names_of_glance_become_ours() {
        for (written, expected, notes) in [
            ("token: ${GITHUB_TOKEN}", "token: PORTICO_GITHUB_TOKEN", 1),
            ("a: ${secret:github-token} ${readFileFromEnv:KEY}", "a: PORTICO_GITHUB_TOKEN_FILE PORTICO_KEY_FILE", 2),
            ("a: ${DASHY_KEY}", "a: DASHY_KEY", 1),
            ("a: ${not a name} $ {x}", "a: ${not a name} $ {x}", 0),
            ("a: \\${A} ${B}", "a: ${A} PORTICO_B", 1),
        ] {
            assert_eq!(replaced(of_glance, written), (expected.to_owned(), notes));
        }
    }

    #[test]
    fn variables_are_found_in_texts() {
        assert_eq!(find_variable("http://PORTICO_HOST:80/"), Some("PORTICO_HOST"));
        assert_eq!(find_variable("http://portico.example"), None);
    }
}
