//! The API of a DNS ad blocker of version 6: one session for all widgets of an instance.

use std::time::Duration;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::account::Account;
use crate::{
    FetchError, Method, OptionProblems, Request, Response, WidgetContext,
    option_types::{BaseAddress, Secret},
};

/// Pause after a rejected login.
const PAUSE: Duration = Duration::from_secs(60);
/// How long an unused session lives if the instance does not say.
const USUAL_VALIDITY: Duration = Duration::from_secs(1800);

/// Why most logins are rejected.
const WRONG_PASSWORD: &str = "wrong password: check the option apiKey (the admin password or an application password)";

const PASSWORD_NEEDED: &str = "asks for its password: set the option apiKey to it, or to an application password.";

/// The header with the session id.
const SESSION_HEADER: &str = "X-FTL-SID";

/// An instance, as given in the options.
pub(crate) struct Instance {
    address: BaseAddress,
    password: Secret,
    account: Account,
}

/// Reports what is missing in the options that all types of this service have.
pub(crate) fn check(hostname: &BaseAddress, problems: &mut OptionProblems) {
    problems.require_option(hostname.is_set(), "hostname", "the address of Pi-hole");
}

impl Instance {
    /// The instance at an address, ignoring the path that people copy from their browser.
    pub(crate) fn new(hostname: &BaseAddress, api_key: &Secret) -> Self {
        let address = hostname.without(&["/admin", "/api"]);
        let account = Account::new("dns-sinkhole-v6", &address, "", api_key);
        Self { address, password: api_key.clone(), account }
    }

    /// The host, for titles.
    pub(crate) fn host(&self) -> &str {
        self.address.host()
    }

    /// The admin page of the instance.
    pub(crate) fn admin_page(&self) -> String {
        format!("{}/admin", self.address.public())
    }

    /// Reads one part of the API; `path` begins with a slash and is below `/api`.
    ///
    /// # Errors
    ///
    /// The login is rejected, or the response has an unexpected shape.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        path: &str,
        context: &dyn WidgetContext,
    ) -> Result<T, FetchError> {
        if !self.password.is_set() {
            // An instance without a password answers everybody.
            let reply = self.get(path, &Value::Null, context).await?;
            return match (reply.status, rejection(&reply)) {
                (401, _) => Err(FetchError::login_refused(format!("{} {PASSWORD_NEEDED}", reply.host))),
                (404, Some(reason)) => Err(FetchError::message(format!("{}: {reason}.", reply.host))),
                _ => reply.json(),
            };
        }
        let session = self.session(context).await?;
        let reply = self.get(path, &session, context).await?;
        if reply.status != 401 {
            self.extend(&session, context);
            return reply.json();
        }
        // Changing the password ends all sessions. Another widget may have logged in again meanwhile.
        if context.recall(&self.session_key()).as_ref() == Some(&session) {
            context.forget(&self.session_key());
        }
        let session = self.session(context).await?;
        self.get(path, &session, context).await?.json()
    }

    async fn get(&self, path: &str, session: &Value, context: &dyn WidgetContext) -> Result<Response, FetchError> {
        let request = Request::get(self.address.join(&format!("/api{path}"), &[])).header("Accept", "application/json");
        // An instance without a password has sessions without an id.
        let request = match session["sid"].as_str() {
            Some(sid) => request.secret_header(SESSION_HEADER, &Secret::from(sid)),
            None => request,
        };
        context.exchange(request).await
    }

    fn session_key(&self) -> String {
        self.account.key("session")
    }

    /// The open session, or a new one. Sessions are limited, so all widgets share one.
    async fn session(&self, context: &dyn WidgetContext) -> Result<Value, FetchError> {
        let session = context.kept(&self.session_key(), USUAL_VALIDITY, self.log_in(context)).await?;
        if let Some(sid) = session["sid"].as_str() {
            // Whatever the response, the session is gone.
            let request = Request::new(Method::Delete, self.address.join("/api/auth", &[]));
            context.logout_request(&self.session_key(), request.secret_header(SESSION_HEADER, &Secret::from(sid)));
        }
        Ok(session)
    }

    /// Extends the remembered session, because each call prolongs it at the instance.
    fn extend(&self, session: &Value, context: &dyn WidgetContext) {
        if context.recall(&self.session_key()).as_ref() == Some(session) {
            let validity = session["validity"].as_u64().map_or(USUAL_VALIDITY, Duration::from_secs);
            context.remember(&self.session_key(), session.clone(), validity);
        }
    }

    async fn log_in(&self, context: &dyn WidgetContext) -> Result<Value, FetchError> {
        self.account.refused_before(context)?;
        let body = json!({ "password": self.password.reveal() });
        let request =
            Request::post(self.address.join("/api/auth", &[])).header("Accept", "application/json").json(&body);
        let reply = context.exchange(request).await?;
        if let Some(reason) = rejection(&reply) {
            return Err(self.account.refuse(context, format!("{}: {reason}.", reply.host), PAUSE));
        }
        if let Err(error) = reply.ok() {
            let wished = error.retry_at().map_or(PAUSE, |at| at.since(context.now()));
            return Err(self.account.refuse(context, error.to_string(), wished.max(PAUSE)));
        }
        let session = reply.json::<LoginReply>()?.session;
        if !session.valid {
            return Err(self.account.refuse(context, format!("{}: {WRONG_PASSWORD}.", reply.host), PAUSE));
        }
        Ok(json!({ "sid": session.sid, "validity": session.validity.and_then(|seconds| u64::try_from(seconds).ok()) }))
    }
}

/// Why a login is rejected, if the response says so.
fn rejection(reply: &Response) -> Option<&'static str> {
    let error = reply.any_json::<ErrorReply>().map(|reply| reply.error).unwrap_or_default();
    match (reply.status, error.key.as_str()) {
        (401, _) => Some(WRONG_PASSWORD),
        (400, _) if error.message.contains("2FA") => {
            Some("two-factor login is on: create an application password, and set it as apiKey")
        }
        (429, "api_seats_exceeded") => {
            Some("too many open sessions on the server; close some or raise webserver.api.max_sessions")
        }
        (429, _) => Some("too many logins in a short time; the next try is at {time}"),
        // Version 6 responds to unknown paths with JSON, so this is an older version.
        (404, "") => Some("this is not version 6: use the type without -v6"),
        _ => None,
    }
}

#[derive(Deserialize)]
struct LoginReply {
    session: SessionReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SessionReply {
    valid: bool,
    sid: Option<String>,
    validity: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorReply {
    error: ErrorBody,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorBody {
    key: String,
    message: String,
}
