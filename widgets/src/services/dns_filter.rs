//! The API of a DNS filter: Basic authentication, and the meaning of its errors.

use std::time::Duration;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::account::Account;
use crate::{
    FetchError, Moment, OptionProblems, Request, WidgetContext,
    context::from_value_leniently,
    option_types::{BaseAddress, Secret, Text},
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

/// The options of all widgets of a DNS filter, flattened into theirs.
#[derive(Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Filter {
    /// Address of the instance, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.2:3000"))]
    hostname: BaseAddress,
    /// Name of the web user, such as {example}. Without it, no login is sent, as for an instance without users.
    #[schemars(extend("x-example" = "admin"))]
    username: Text,
    /// Password of the web user, or the name of an environment variable. Required with `username`.
    password: Secret,
}

impl Filter {
    /// Reports what is wrong with these options.
    pub(crate) fn check(&self, problems: &mut OptionProblems) {
        let Self { hostname, username, password } = self;
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
        &self,
        path: &str,
        context: &dyn WidgetContext,
    ) -> Result<T, FetchError> {
        let address = self.address();
        let account = self.account();
        account.refused_before(context)?;
        let request = Request::get(address.join(&format!("/control{path}"), &[])).header("Accept", "application/json");
        let has_login = self.username.is_set();
        let request = if has_login { request.basic(&self.username, &self.password) } else { request };
        let mut reply = context.exchange(request.clone().without_redirects()).await?;
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
                _ => reply = context.exchange(request).await?,
            }
        }
        let host = &reply.host;
        match reply.status {
            401 | 403 => {
                let sentence = format!(
                    "{host} refused the login. Check the options username and password; after several wrong tries it is locked for a \
                     while."
                );
                Err(account.refuse(context, sentence, PAUSE))
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
    /// Those of [`Self::read`].
    pub(crate) async fn stats<T: DeserializeOwned>(&self, context: &dyn WidgetContext) -> Result<T, FetchError> {
        let key = self.account().key("stats");
        let kept = context.kept(&key, SHARED, async {
            let stats: Value = self.read("/stats", context).await?;
            Ok(json!({ "at": context.now(), "stats": stats }))
        });
        let SharedStats { at, stats } = serde_json::from_value(kept.await?).unwrap_or_default();
        context.data_from(at.unwrap_or_else(|| context.now()));
        from_value_leniently(stats).ok_or_else(|| FetchError::Unexpected {
            host: self.address().host().to_owned(),
            what: "data of another shape".to_owned(),
        })
    }

    fn address(&self) -> BaseAddress {
        self.hostname.without(&["/control"])
    }

    fn account(&self) -> Account {
        Account::new("dns-filter", &self.address(), &self.username, &self.password)
    }
}

fn page_in_place_of_data(host: &str) -> String {
    format!(
        "{host} sent a web page in place of data: sign-in needed (username and password), or the instance is not set up yet."
    )
}
