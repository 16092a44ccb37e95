//! Environment variables in labels: `{{PORTICO_DOMAIN}}`, and as Homepage writes it, `{{HOMEPAGE_VAR_DOMAIN}}`.

/// Why a value with variables cannot be used, as the rest of a sentence.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum VariableProblem {
    /// The source does not allow labels to name it.
    NotAllowed(String),
    /// It is not set.
    Unset(String),
}

impl std::fmt::Display for VariableProblem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAllowed(name) => {
                write!(formatter, "names the variable `{name}`, which `allowedVariables` does not list")
            }
            Self::Unset(name) => write!(formatter, "names the variable `{name}`, which is not set"),
        }
    }
}

/// Our name for a variable: Homepage's begin with `HOMEPAGE_VAR_` or `HOMEPAGE_FILE_`, ours with `PORTICO_`.
pub fn own_name(written: &str) -> String {
    let short = ["HOMEPAGE_VAR_", "HOMEPAGE_FILE_"].iter().find_map(|prefix| written.strip_prefix(prefix));
    short.map_or_else(|| written.to_owned(), |short| format!("PORTICO_{short}"))
}

fn is_allowed(name: &str, allowed: &[String]) -> bool {
    allowed.iter().any(|allowed| own_name(allowed) == name)
}

/// Replaces the placeholders of a value.
///
/// # Errors
///
/// A variable is not allowed or not set.
pub fn replaced(
    text: &str,
    allowed: &[String],
    value_of: &dyn Fn(&str) -> Option<String>,
) -> Result<String, VariableProblem> {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((written, remaining)) = after.split_once("}}") else { break };
        let name = own_name(written.trim());
        result.push_str(before);
        if widgets::is_variable(&name) {
            if !is_allowed(&name, allowed) {
                return Err(VariableProblem::NotAllowed(name));
            }
            result.push_str(&value_of(&name).ok_or(VariableProblem::Unset(name))?);
        } else {
            result.push_str(&format!("{{{{{written}}}}}"));
        }
        rest = remaining;
    }
    result.push_str(rest);
    Ok(result)
}

/// Turns the placeholders in an option of a widget into the names that options may contain; the values stay on the server.
/// A name without braces would be replaced there too, so it must be allowed as well.
///
/// # Errors
///
/// A variable is not allowed.
pub fn for_option(text: &str, allowed: &[String]) -> Result<String, VariableProblem> {
    let mut result = text.to_owned();
    while let Some((before, after)) = result.split_once("{{") {
        let Some((written, rest)) = after.split_once("}}") else { break };
        result = format!("{before}{}{rest}", own_name(written.trim()));
    }
    // Whatever the server would take for the name of a variable.
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    for word in result.split(|letter| !is_part(letter)) {
        for start in ["PORTICO_", "DASHY_", "VITE_APP_", "VUE_APP_"].iter().filter_map(|prefix| word.find(prefix)) {
            let name = &word[start..];
            if !is_allowed(name, allowed) {
                return Err(VariableProblem::NotAllowed(name.to_owned()));
            }
        }
    }
    Ok(result)
}
