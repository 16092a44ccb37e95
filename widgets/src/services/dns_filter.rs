//! The API of a DNS filter: Basic authentication, and the meaning of its errors.

use std::time::Duration;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::account::Account;
use crate::{
    FetchError, Moment, OptionProblems, Outside, Request,
    option_types::{BaseAddress, Secret, Text},
    outside::from_value_leniently,
};

/// Pause after a rejected login: each attempt counts towards a lockout of the whole address.
const PAUSE: Duration = Duration::from_secs(300);

/// How long widgets share the statistics: long enough for those that refresh at the same time.
const SHARED: Duration = Duration::from_secs(5);

/// The statistics as they are remembered, with the time at which they were fetched.
#[derive(Default, Deserialize)]
struct SharedStats {
    at: Option<Moment>,
    stats: Value,
}

/// Reports what is wrong with the options that all types of this service have.
pub(crate) fn check(hostname: &BaseAddress, username: &Text, password: &Secret, problems: &mut OptionProblems) {
    problems.require_option(hostname.is_set(), "hostname", "the address of AdGuard Home");
    let has_user = username.is_set() || !password.is_set();
    problems.require_option(has_user, "username", "the web user of AdGuard Home to whom the password belongs");
    let has_password = password.is_set() || !username.is_set();
    problems.require_option(has_password, "password", "the password of this web user of AdGuard Home");
}

/// Reads one part of the API; `path` begins with a slash and is below `/control`.
///
/// # Errors
///
/// The instance refuses the request, or the response has an unexpected shape.
pub(crate) async fn read<T: DeserializeOwned>(
    (hostname, username, password): (&BaseAddress, &Text, &Secret),
    path: &str,
    outside: &dyn Outside,
) -> Result<T, FetchError> {
    let address = hostname.without(&["/control"]);
    let account = Account::new("dns-filter", &address, username, password);
    account.refused_before(outside)?;
    let request = Request::get(address.join(&format!("/control{path}"), &[])).header("Accept", "application/json");
    let request = if username.is_set() { request.basic(username, password) } else { request };
    let mut reply = outside.exchange(request.clone().without_redirects()).await?;
    if let Some(location) = reply.redirect() {
        let path = location.split(['?', '#']).next().unwrap_or_default();
        match path.rsplit('/').next() {
            Some("login.html") => {
                return Err(FetchError::login_refused(format!(
                    "{}: sign-in needed (username and password).",
                    reply.host
                )));
            }
            Some("install.html") => {
                return Err(FetchError::message(format!("{}: the instance is not set up yet.", reply.host)));
            }
            // The instance has moved, or is behind a proxy that requires HTTPS.
            _ => reply = outside.exchange(request).await?,
        }
    }
    let host = &reply.host;
    match reply.status {
        401 | 403 => {
            let sentence = format!(
                "{host} refused the login. Check the options username and password; after several wrong tries it is locked for a \
                 while."
            );
            Err(account.refuse(outside, sentence, PAUSE))
        }
        200..=299 if reply.body.trim_ascii_start().starts_with(b"<") => {
            Err(FetchError::login_refused(page_in_place_of_data(host)))
        }
        _ => reply.json(),
    }
}

/// Reads the statistics. Several widgets show them, so they share a recent response.
///
/// # Errors
///
/// Those of [`read`].
pub(crate) async fn stats<T: DeserializeOwned>(
    access: (&BaseAddress, &Text, &Secret),
    outside: &dyn Outside,
) -> Result<T, FetchError> {
    let (hostname, username, password) = access;
    let address = hostname.without(&["/control"]);
    let key = Account::new("dns-filter", &address, username, password).key("stats");
    let kept = outside.kept(&key, SHARED, async {
        let stats: Value = read(access, "/stats", outside).await?;
        Ok(json!({ "at": outside.now(), "stats": stats }))
    });
    let SharedStats { at, stats } = serde_json::from_value(kept.await?).unwrap_or_default();
    outside.data_from(at.unwrap_or_else(|| outside.now()));
    from_value_leniently(stats).ok_or_else(|| FetchError::Unexpected {
        host: address.host().to_owned(),
        what: "data of another shape".to_owned(),
    })
}

fn page_in_place_of_data(host: &str) -> String {
    format!(
        "{host} sent a web page in place of data: sign-in needed (username and password), or the instance is not set up yet."
    )
}
