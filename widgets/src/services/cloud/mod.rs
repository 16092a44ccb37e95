//! The OCS API of a cloud storage server (Nextcloud): address, app password, capabilities, and the meaning of its
//! errors.

mod server_info;

use std::time::Duration;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

pub(crate) use self::server_info::ServerInfo;
use super::{account::Account, tolerant};
use crate::{
    FetchError, Method, OptionProblems, Request, Response, WidgetContext,
    option_types::{BaseAddress, Lenient, Secret, Text},
};

/// Pause after a rejected login: each attempt counts towards a lockout of the whole address.
const PAUSE: Duration = Duration::from_secs(900);
/// The API's code for a wrong name or password.
const NOT_LOGGED_IN: u16 = 997;

/// The options of widgets that sign in as a user of the server, flattened into theirs.
#[derive(Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Cloud {
    /// Address of the server with its path, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "https://cloud.example.org"))]
    hostname: Lenient<BaseAddress>,
    /// Name of the account, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "alice"))]
    username: Text,
    /// App password of the account (Settings, Security), or the name of an environment variable.
    #[schemars(extend("x-required" = true))]
    password: Secret,
}

/// The capabilities of the server that widgets need.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Capabilities {
    /// The displayed version, such as `28.0.4`.
    pub(crate) version: Option<String>,
    /// How the server presents itself; texts are empty where it does not say.
    pub(crate) theming: Theming,
    /// Supported operations on notifications: `list`, `delete`, `delete-all`.
    pub(crate) notifications: Vec<String>,
    /// Whether users can set a status.
    pub(crate) user_status: bool,
}

/// How a server presents itself.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Theming {
    #[serde(deserialize_with = "tolerant::text")]
    pub(crate) name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    pub(crate) url: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    pub(crate) slogan: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    pub(crate) logo: Option<String>,
}

impl Cloud {
    /// Reports what is wrong with these options.
    pub(crate) fn check(&self, problems: &mut OptionProblems) {
        self.check_address(problems);
        problems.require_option(self.username.is_set(), "username", "the name of an account at Nextcloud");
        let purpose = "an app password of this account (Settings, Security at Nextcloud)";
        problems.require_option(self.password.is_set(), "password", purpose);
        let password = self.password.reveal();
        if self.password.is_set() && !is_app_password(password) {
            problems.note(
                "password does not look like an app password (five groups of five characters). The login password works \
                 only without two-factor login.",
            );
        }
    }

    fn check_address(&self, problems: &mut OptionProblems) {
        let has_address = self.hostname.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "hostname", "the address of Nextcloud");
    }

    /// The base address, also for links.
    pub(crate) fn address(&self) -> BaseAddress {
        self.hostname.get().cloned().unwrap_or_default().without(&["/index.php"])
    }

    /// The key under which something about this account is remembered.
    pub(crate) fn key(&self, what: &str) -> String {
        self.account().key(what)
    }

    /// Reads one part of the API; `path` is below `/ocs/v2.php`, with braces for the segments. `None` if the response
    /// has no content.
    ///
    /// # Errors
    ///
    /// The server refuses the request, or the response has an unexpected shape.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        path: &str,
        segments: &[&str],
        context: &dyn WidgetContext,
    ) -> Result<Option<T>, FetchError> {
        self.send(Method::Get, path, segments, context).await
    }

    /// Deletes something.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub(crate) async fn delete(
        &self,
        path: &str,
        segments: &[&str],
        context: &dyn WidgetContext,
    ) -> Result<(), FetchError> {
        self.send::<Value>(Method::Delete, path, segments, context).await.map(|_| ())
    }

    /// The capabilities of the server. Widgets of the same account share the response for this long.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub(crate) async fn capabilities(
        &self,
        life: Duration,
        context: &dyn WidgetContext,
    ) -> Result<Capabilities, FetchError> {
        let key = self.key("capabilities");
        let kept = context.kept(&key, life, async {
            let reply = self.read::<CapabilitiesReply>("/cloud/capabilities", &[], context).await?.unwrap_or_default();
            Ok(json!(reply.read()))
        });
        Ok(serde_json::from_value(kept.await?).unwrap_or_default())
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        segments: &[&str],
        context: &dyn WidgetContext,
    ) -> Result<Option<T>, FetchError> {
        self.account().refused_before(context)?;
        let request = self.request(method, path, segments).basic(&self.username, &self.password);
        self.understand(&context.exchange(request).await?, context)
    }

    fn request(&self, method: Method, path: &str, segments: &[&str]) -> Request {
        let url = self.address().join(&format!("/ocs/v2.php{path}"), segments);
        // Some proxies drop the `Accept` header, so the query asks for JSON too.
        let request = Request::new(method, url).query("format", "json");
        request.header("OCS-APIRequest", "true").header("Accept", "application/json")
    }

    fn account(&self) -> Account {
        Account::new("cloud", &self.address(), &self.username, &self.password)
    }

    /// The data of a response, or the error for a rejection.
    fn understand<T: DeserializeOwned>(
        &self,
        reply: &Response,
        context: &dyn WidgetContext,
    ) -> Result<Option<T>, FetchError> {
        let (host, user) = (&reply.host, &self.username);
        let code = meta(reply).and_then(|meta| meta.statuscode);
        let is_refused = code == Some(f64::from(NOT_LOGGED_IN));
        match reply.status {
            204 => Ok(None),
            429 => {
                let sentence =
                    format!("{host}: too many failed logins. Wait, then check the options username and password.");
                Err(self.account().refuse(context, sentence, PAUSE))
            }
            status if status == 401 || is_refused => {
                let sentence = format!(
                    "{host}: access denied for user {user}. Check the options username and password (an app password)."
                );
                Err(self.account().refuse(context, sentence, PAUSE))
            }
            403 => Err(FetchError::login_refused(format!(
                "{host}: the app password of {user} does not allow this. Create another one (Settings, Security)."
            ))),
            503 => Err(FetchError::Message {
                sentence: format!("{host} has a problem (503), or is in maintenance mode."),
                retry_at: reply.retry_at(),
            }),
            _ => Ok(reply.json::<OcsReply<T>>()?.ocs.data),
        }
    }
}

/// Whether this is five groups of five characters.
fn is_app_password(password: &str) -> bool {
    let groups: Vec<&str> = password.split('-').collect();
    groups.len() == 5 && groups.iter().all(|group| group.chars().count() == 5)
}

/// The response's own status, if it comes from this API.
fn meta(reply: &Response) -> Option<MetaReply> {
    reply.any_json::<OcsReply<Value>>().ok()?.ocs.meta
}

#[derive(Deserialize)]
struct OcsReply<T> {
    ocs: EnvelopeReply<T>,
}

#[derive(Deserialize)]
struct EnvelopeReply<T> {
    #[serde(default, deserialize_with = "tolerant::part")]
    meta: Option<MetaReply>,
    data: Option<T>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MetaReply {
    #[serde(deserialize_with = "tolerant::number")]
    statuscode: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CapabilitiesReply {
    #[serde(deserialize_with = "tolerant::part")]
    version: Option<VersionReply>,
    #[serde(deserialize_with = "tolerant::part")]
    capabilities: Option<AppsReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct VersionReply {
    #[serde(deserialize_with = "tolerant::text")]
    string: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AppsReply {
    #[serde(deserialize_with = "tolerant::part")]
    theming: Option<Theming>,
    #[serde(deserialize_with = "tolerant::part")]
    notifications: Option<NotificationsReply>,
    #[serde(deserialize_with = "tolerant::part")]
    user_status: Option<UserStatusReply>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
struct NotificationsReply {
    #[serde(deserialize_with = "tolerant::entries")]
    ocs_endpoints: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UserStatusReply {
    #[serde(deserialize_with = "tolerant::flag")]
    enabled: Option<bool>,
}

impl CapabilitiesReply {
    fn read(self) -> Capabilities {
        let apps = self.capabilities.unwrap_or_default();
        Capabilities {
            version: self.version.and_then(|version| version.string),
            theming: apps.theming.unwrap_or_default(),
            notifications: apps.notifications.unwrap_or_default().ocs_endpoints,
            user_status: apps.user_status.and_then(|status| status.enabled).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn app_passwords_have_five_groups() {
        for (password, expected) in
            [("aB3dE-fG4hI-jK5lM-nO6pQ-rS7tU", true), ("hunter2", false), ("aB3dE-fG4hI-jK5lM-nO6pQ", false)]
        {
            assert_eq!(is_app_password(password), expected, "{password}");
        }
    }
}
