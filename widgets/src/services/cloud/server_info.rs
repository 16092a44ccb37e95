//! What an administrator may know about the whole server: one response of which several widgets show parts.

use std::time::Duration;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{super::account::Account, Cloud, OcsReply, PAUSE, meta};
use crate::{FetchError, Method, OptionProblems, Response, WidgetContext, option_types::Secret};

/// How long widgets share a response: long enough for those that refresh at the same time.
const SHARED: Duration = Duration::from_secs(5);
/// Path of the server information.
const PATH: &str = "/apps/serverinfo/api/v1/info";

/// The options of widgets that show the state of the server, flattened into theirs.
#[derive(Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ServerInfo {
    #[serde(flatten)]
    cloud: Cloud,
    /// Monitoring token of the server (`occ config:app:set serverinfo token`), or the name of an environment variable.
    /// Optional: with it, neither `username` nor `password` is required.
    token: Secret,
}

impl ServerInfo {
    /// Reports what is wrong with these options.
    pub(crate) fn check(&self, problems: &mut OptionProblems) {
        if self.token.is_set() {
            self.cloud.check_address(problems);
        } else {
            self.cloud.check(problems);
        }
    }

    /// The key under which something about this server is remembered.
    pub(crate) fn key(&self, what: &str) -> String {
        self.account().key(what)
    }

    /// The state without apps and updates, for which the server would have to query other servers. Widgets that refresh
    /// at the same time share it.
    ///
    /// # Errors
    ///
    /// The server refuses the request, or the response has an unexpected shape.
    pub(crate) async fn read<T: DeserializeOwned>(&self, context: &dyn WidgetContext) -> Result<T, FetchError> {
        let kept =
            context.kept(&self.key("info"), SHARED, self.query("skipApps=true&skipUpdate=true", context)).await?;
        self.shaped(kept)
    }

    /// The state with apps and updates. The server takes long to compute it.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub(crate) async fn read_with_updates<T: DeserializeOwned>(
        &self,
        context: &dyn WidgetContext,
    ) -> Result<T, FetchError> {
        let data = self.query("skipApps=false&skipUpdate=false", context).await?;
        self.shaped(data)
    }

    fn shaped<T: DeserializeOwned>(&self, data: Value) -> Result<T, FetchError> {
        serde_json::from_value(data).map_err(|_| self.unexpected())
    }

    fn unexpected(&self) -> FetchError {
        FetchError::Unexpected {
            host: self.cloud.address().host().to_owned(),
            what: "data of another shape".to_owned(),
        }
    }

    async fn query(&self, query: &str, context: &dyn WidgetContext) -> Result<Value, FetchError> {
        self.account().refused_before(context)?;
        self.cloud.account().refused_before(context)?;
        let request = self.cloud.request(Method::Get, &format!("{PATH}?{query}"), &[]);
        let request = if self.token.is_set() {
            request.secret_header("NC-Token", &self.token)
        } else {
            request.basic(&self.cloud.username, &self.cloud.password)
        };
        let reply = context.exchange(request).await?;
        if let Some(sentence) = self.rejection(&reply) {
            return Err(self.account().refuse(context, sentence, PAUSE));
        }
        let data: Option<Value> = self.cloud.understand(&reply, context)?;
        data.filter(Value::is_object).ok_or_else(|| self.unexpected())
    }

    /// The account under which responses are remembered: somebody who may not see these may see others.
    fn account(&self) -> Account {
        let secret = if self.token.is_set() { &self.token } else { &self.cloud.password };
        Account::new("cloud-server-info", &self.cloud.address(), &self.cloud.username, secret)
    }

    /// The reason for a rejection that is not about the login itself.
    fn rejection(&self, reply: &Response) -> Option<String> {
        let (host, user) = (&reply.host, &self.cloud.username);
        match reply.status {
            401 | 403 | 429 if self.token.is_set() => {
                Some(format!("{host} refused the monitoring token: check the option token."))
            }
            401 if meta(reply)?.statuscode == Some(401.0) && is_unauthorized(reply) => Some(format!(
                "{host}: this widget needs an administrator account, and {user} is not one. Set another username, or a \
                 monitoring token."
            )),
            _ => None,
        }
    }
}

/// Whether the response means that the login is valid but may not see this.
fn is_unauthorized(reply: &Response) -> bool {
    let body = reply.any_json::<OcsReply<Value>>().ok();
    body.and_then(|body| body.ocs.data).is_some_and(|data| data["message"] == "Unauthorized")
}
