//! The accounts in a config (`appConfig.auth`): whom a draft would lock out.

use config::Document;
use serde_json::Value;

use crate::{
    schema::get,
    texts::{fill, t},
};

/// An account, as far as it matters here.
#[derive(Debug, Eq, PartialEq)]
struct Account {
    /// Its name in lower case, because case does not matter.
    name: String,
    is_admin: bool,
}

fn accounts(document: &Document) -> Vec<Account> {
    let value = document.to_json();
    let path = ["appConfig", "auth"].map(str::to_owned);
    // In the old format `auth` itself is the list.
    let users = get(&value, &path).map(|auth| auth.get("users").unwrap_or(auth));
    let account = |user: &Value| {
        let name = match &user["user"] {
            Value::String(name) => name.trim().to_lowercase(),
            name => name.to_string(),
        };
        Account { name, is_admin: user["type"] == "admin" }
    };
    users.and_then(Value::as_array).into_iter().flatten().map(account).collect()
}

/// What a user has to know before they save the accounts of a draft; `None` if all can still sign in. `person` is the name of
/// the one who edits, if they are signed in.
#[must_use]
pub fn warning(before: &Document, after: &Document, person: Option<&str>) -> Option<String> {
    let (before, after) = (accounts(before), accounts(after));
    if before == after {
        return None;
    }
    let has_admin = |accounts: &[Account]| accounts.iter().any(|account| account.is_admin);
    let mut said = Vec::new();
    if after.is_empty() {
        said.push(
            t("No account is left. Unless there is another kind of sign-in, anyone who reaches the dashboard can see and change everything."),
        );
    } else if !has_admin(&after) && (before.is_empty() || has_admin(&before)) {
        said.push(t("No account is an admin. The dashboard can then be edited only in its file."));
    }
    if let Some(person) = person.filter(|_| !after.is_empty()) {
        let own = |accounts: &[Account]| {
            accounts.iter().find(|account| account.name == person.to_lowercase()).map(|account| account.is_admin)
        };
        match (own(&before), own(&after)) {
            (Some(_), None) => said.push(fill(
                "Your own account `{name}` is gone. You are signed out when you save.",
                &[("name", person)],
            )),
            (Some(true), Some(false)) => {
                said.push(fill(
                    "This removes admin rights from your own account `{name}`. You will no longer be able to edit the dashboard.",
                    &[("name", person)],
                ));
            }
            _ => {}
        }
    }
    (!said.is_empty()).then(|| said.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(auth: &str) -> Document {
        Document::parse(format!("appConfig: {{ auth: {auth} }}\n").as_bytes()).unwrap()
    }

    #[test]
    fn those_who_lock_themselves_out_are_warned() {
        let before = document("{ users: [{ user: Ann, type: admin }, { user: ben }] }");
        let warning = |auth: &str, person: Option<&str>| warning(&before, &document(auth), person).unwrap_or_default();
        let harmless = [
            "{ users: [{ user: ann, type: admin, hash: x }] }",
            "[{ user: ann, type: admin }, { user: cleo, type: admin }]",
            "{ users: [{ user: ben }, { user: ANN, type: admin }] }",
        ];
        for auth in harmless {
            assert_eq!(warning(auth, Some("ann")), "", "{auth}");
        }
        for (auth, person, said) in [
            ("{}", Some("ann"), "No account is left."),
            ("[]", None, "No account is left."),
            ("{ users: [{ user: ben }] }", None, "No account is an admin."),
            ("{ users: [{ user: ben, type: admin }] }", Some("ann"), "Your own account `ann` is gone."),
            (
                "{ users: [{ user: ann }, { user: ben, type: admin }] }",
                Some("ann"),
                "This removes admin rights from your own account `ann`.",
            ),
            ("{ users: [{ user: ben }] }", Some("ann"), "No account is an admin."),
            ("{ users: [{ user: ben }] }", Some("ann"), "Your own account `ann` is gone."),
        ] {
            assert!(warning(auth, person).contains(said), "{auth}: {}", warning(auth, person));
        }
        // Somebody from a provider has no account here.
        assert_eq!(warning("{ users: [{ user: ann, type: admin }] }", Some("zoe")), "");
    }

    #[test]
    fn the_first_account_should_be_an_admin() {
        let open = Document::parse(b"pageInfo: {}").unwrap();
        assert!(
            warning(&open, &document("{ users: [{ user: ann }] }"), None).unwrap().contains("No account is an admin")
        );
        assert_eq!(warning(&open, &document("{ users: [{ user: ann, type: admin }] }"), None), None);
        assert_eq!(warning(&open, &open, None), None);
    }
}
