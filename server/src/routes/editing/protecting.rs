//! Protects a dashboard that everybody may change: writes the first account into the main config.

use std::sync::Arc;

use bytes::Bytes;
use config::Document;
use http::{StatusCode, request::Parts};
use serde_json::{Value, json};

use super::{Editing, begin, parsed};
use crate::{
    access::SignInMethod,
    routes::{
        api::{save_draft, version_of},
        app_state::AppState,
        error::ApiError,
        save::with_user,
    },
};

/// Minimum length of the password, in characters.
const MIN_PASSWORD: usize = 8;

pub(super) async fn protect(
    portico: &Arc<AppState>,
    request: &Parts,
    name: &str,
    password: String,
) -> Result<String, ApiError> {
    let Editing { viewer, site, name: file, read_only, .. } = begin(portico, request, None)?;
    if let Some(reason) = read_only {
        return Err(ApiError::new(StatusCode::FORBIDDEN, reason));
    }
    if portico.access_control.policy(&site).kind != SignInMethod::Open {
        return Err(ApiError::bad_request("This dashboard has a sign-in already. Load the page again."));
    }
    let name = name.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(ApiError::bad_request("Enter a name for the account."));
    }
    if password.chars().count() < MIN_PASSWORD {
        return Err(ApiError::bad_request(format!("The password needs at least {MIN_PASSWORD} characters.")));
    }
    let hash = portico.access_control.hash_password(password).await;
    let hash = hash.map_err(|error| ApiError::bad_request(format!("The password cannot be hashed: {error}.")))?;
    let before = portico.store.read_file(&file).await?;
    let account = json!({ "user": name, "hash": hash, "type": "admin" });
    let document = parsed(&Bytes::from(with_account(&parsed(&before)?, &before, account)))?;
    let by = viewer.name_for_log();
    save_draft(&portico.store, by, &file, Some(version_of(Some(&before))), document).await.map_err(with_user)?;
    Ok(format!("The account `{name}` may change this dashboard; others have to sign in."))
}

/// The text of a config with its first account. What a person wrote stays as it is, unless there is no simple place for the lines.
fn with_account(document: &Document, text: &[u8], account: Value) -> String {
    let mut value = document.to_json();
    if !value["appConfig"].is_object() {
        value["appConfig"] = json!({});
    }
    if !value["appConfig"]["auth"].is_object() {
        value["appConfig"]["auth"] = json!({});
    }
    let text = String::from_utf8_lossy(text);
    let written = inserted(&text, &account);
    value["appConfig"]["auth"]["users"] = json!([account]);
    let fits = |text: &String| Document::parse(text.as_bytes()).is_ok_and(|read| read.to_json() == value);
    written.filter(fits).unwrap_or_else(|| Document::from_json(value.clone()).print())
}

/// The text with the lines of the account, below `appConfig` or at the end.
fn inserted(text: &str, account: &Value) -> Option<String> {
    const KEY: &str = "appConfig:";
    let lines: Vec<&str> = text.lines().collect();
    let is_content = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let at = lines.iter().position(|line| line.starts_with(KEY));
    let indent = match at {
        Some(at) => {
            let rest = lines[at][KEY.len()..].trim();
            if !rest.is_empty() && !rest.starts_with('#') {
                return None;
            }
            let next = lines[at + 1..].iter().find(is_content).map_or("", |line| line);
            next.len() - next.trim_start_matches(' ').len()
        }
        None => 0,
    };
    let step = " ".repeat(if indent == 0 { 2 } else { indent });
    // A string of JSON is one of YAML too.
    let new = format!(
        "{step}auth:\n{step}{step}users:\n{step}{step}{step}- user: {}\n{step}{step}{step}  hash: {}\n{step}{step}{step}  type: admin\n",
        account["user"], account["hash"]
    );
    Some(match at {
        Some(at) => {
            let (above, below) = (lines[..=at].join("\n"), lines[at + 1..].join("\n"));
            format!("{above}\n{new}{below}\n")
        }
        None => format!("{}\n\n{KEY}\n{new}", text.trim_end()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn protected(text: &str) -> String {
        let account = json!({ "user": "ann", "hash": "$argon2id$x", "type": "admin" });
        with_account(&Document::parse(text.as_bytes()).unwrap(), text.as_bytes(), account)
    }

    #[test]
    fn what_a_person_wrote_stays() {
        let users = "users:\n      - user: \"ann\"\n        hash: \"$argon2id$x\"\n        type: admin\n";
        for (text, expected) in [
            (
                "# Ours\nappConfig: # look\n  # Dark.\n  theme: nord\nsections: []\n",
                format!("# Ours\nappConfig: # look\n  auth:\n    {users}  # Dark.\n  theme: nord\nsections: []\n"),
            ),
            ("sections: [] # none\n", format!("sections: [] # none\n\nappConfig:\n  auth:\n    {users}")),
        ] {
            assert_eq!(protected(text), expected);
        }
    }

    #[test]
    fn other_forms_are_printed_anew() {
        for text in ["appConfig: { theme: nord }\n", "appConfig:\n  auth:\n    users: []\n  theme: nord\n"] {
            let value = Document::parse(protected(text).as_bytes()).unwrap().to_json();
            assert_eq!(value["appConfig"]["theme"], "nord");
            assert_eq!(value["appConfig"]["auth"]["users"][0]["type"], "admin");
        }
    }
}
