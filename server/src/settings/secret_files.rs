//! Secrets in files: `API_TOKEN_FILE` holds the path of a file with the value of `API_TOKEN`, as container secrets do.

use std::{collections::HashMap, fs};

use super::values::SettingsError;

/// The variables that hold a secret, each with the one that names a file instead. The name of the Basic account is no secret,
/// but stored beside its password.
pub(super) const SECRETS: [(&str, &str); 6] = [
    ("API_TOKEN", "API_TOKEN_FILE"),
    ("BASIC_AUTH_USERNAME", "BASIC_AUTH_USERNAME_FILE"),
    ("BASIC_AUTH_PASSWORD", "BASIC_AUTH_PASSWORD_FILE"),
    ("SESSION_SECRET", "SESSION_SECRET_FILE"),
    ("OIDC_CLIENT_SECRET", "OIDC_CLIENT_SECRET_FILE"),
    ("DATABASE_URL", "DATABASE_URL_FILE"),
];

/// The secrets that are given as files, by the names of their variables, without trailing line breaks. A variable that
/// holds the secret itself wins.
///
/// # Errors
///
/// A file that cannot be read or is empty: protection must never be silently off.
pub(super) fn read(variable: impl Fn(&str) -> Option<String>) -> Result<HashMap<&'static str, String>, SettingsError> {
    let text = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
    let mut secrets = HashMap::new();
    for (name, of_file) in SECRETS {
        let Some(path) = text(of_file).filter(|_| text(name).is_none()) else { continue };
        let path = path.trim();
        let failed = |reason: &str| SettingsError { name: of_file, reason: format!("`{path}`: {reason}") };
        let content = fs::read_to_string(path).map_err(|error| failed(crate::platform::io_error::reason(&error)))?;
        let value = content.trim_end_matches(['\r', '\n']);
        if value.trim().is_empty() {
            return Err(failed("the file is empty"));
        }
        secrets.insert(name, value.to_owned());
    }
    Ok(secrets)
}
