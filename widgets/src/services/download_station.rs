//! The API of a NAS's download manager: the paths of its parts, the session, and the meaning of its error codes.

use std::time::Duration;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::account::Account;
use crate::{
    FetchError, Request, WidgetContext,
    option_types::{BaseAddress, Lenient, Number, Secret},
};

/// Pause after a rejected login: the NAS blocks addresses that try too often.
const PAUSE: Duration = Duration::from_secs(300);
/// How long a session is kept, unless the NAS ends it earlier.
const SESSION: Duration = Duration::from_secs(12 * 3600);
const DAY: Duration = Duration::from_secs(86_400);
const TASK_API: &str = "SYNO.DownloadStation.Task";
const AUTH_API: &str = "SYNO.API.Auth";
const SESSION_NAME: &str = "DownloadStation";
/// The codes for a session that has ended or lost its permission.
const SESSION_ENDED: [i64; 4] = [105, 106, 107, 119];

/// A NAS and an account on it.
pub(crate) struct Nas<'a> {
    address: BaseAddress,
    username: &'a str,
    password: &'a Secret,
    account: Account,
}

impl<'a> Nas<'a> {
    /// The account of a user.
    pub(crate) fn new(hostname: &BaseAddress, username: &'a str, password: &'a Secret) -> Self {
        let address = hostname.without(&["/webapi"]);
        let account = Account::new("download-station", &address, username, password);
        Self { address, username, password, account }
    }

    /// Reads the list of tasks, with their transfers and times.
    ///
    /// # Errors
    ///
    /// The download manager is missing, the login is rejected, or the response has an unexpected shape.
    pub(crate) async fn tasks<T: DeserializeOwned>(&self, context: &dyn WidgetContext) -> Result<T, FetchError> {
        let paths = self.paths(context).await?;
        let sid = self.session(&paths, context).await?;
        match self.list(&paths, &sid, context).await? {
            Ok(tasks) => Ok(tasks),
            Err(code) if SESSION_ENDED.contains(&code) => {
                // Another widget may have logged in again meanwhile.
                if context.recall(&self.session_key()).as_ref() == Some(&sid) {
                    context.forget(&self.session_key());
                }
                let sid = self.session(&paths, context).await?;
                let again = self.list(&paths, &sid, context).await?;
                again.map_err(|code| self.explained(code))
            }
            Err(code) => Err(self.explained(code)),
        }
    }

    fn session_key(&self) -> String {
        self.account.key("session")
    }

    /// The paths of the parts of the API, which depend on the version of the system.
    async fn paths(&self, context: &dyn WidgetContext) -> Result<Paths, FetchError> {
        let key = format!("download-station/{}/paths", self.address.public());
        let kept = context.kept(&key, DAY, async {
            let request = Request::get(self.address.join("/webapi/query.cgi", &[]))
                .query("api", "SYNO.API.Info")
                .query("version", 1)
                .query("method", "query")
                .query("query", format_args!("{AUTH_API},{TASK_API}"));
            let reply: Envelope<Value> = context.exchange(request).await?.json()?;
            let apis = reply.result().map_err(|code| self.explained(code))?;
            let path = |api: &str| apis[api]["path"].as_str().filter(|path| is_plain(path));
            let Some(tasks) = path(TASK_API) else {
                let host = self.address.host();
                return Err(FetchError::message(format!("{host}: Download Station is not installed or not running.")));
            };
            let newest = apis[AUTH_API]["maxVersion"].as_i64().unwrap_or(3);
            Ok(json!({
                "auth": path(AUTH_API).unwrap_or("entry.cgi"),
                "auth_version": newest.clamp(3, 6),
                "tasks": tasks,
            }))
        });
        let kept = kept.await?;
        let text = |name: &str| kept[name].as_str().unwrap_or_default().to_owned();
        Ok(Paths { auth: text("auth"), auth_version: kept["auth_version"].as_i64().unwrap_or(3), tasks: text("tasks") })
    }

    async fn session(&self, paths: &Paths, context: &dyn WidgetContext) -> Result<Value, FetchError> {
        let sid = context.kept(&self.session_key(), SESSION, self.log_in(paths, context)).await?;
        let request = Request::get(self.address.join(&format!("/webapi/{}", paths.auth), &[]))
            .query("api", AUTH_API)
            .query("version", 3)
            .query("method", "logout")
            .query("session", SESSION_NAME)
            .secret_query("_sid", &Secret::from(sid.as_str().unwrap_or_default()));
        context.logout_request(&self.session_key(), request);
        Ok(sid)
    }

    async fn log_in(&self, paths: &Paths, context: &dyn WidgetContext) -> Result<Value, FetchError> {
        self.account.refused_before(context)?;
        // Sent in a form, because addresses end up in logs.
        let request = Request::post(self.address.join(&format!("/webapi/{}", paths.auth), &[])).form(&[
            ("api", AUTH_API),
            ("version", &paths.auth_version.to_string()),
            ("method", "login"),
            ("account", self.username),
            ("passwd", self.password.reveal()),
            ("session", SESSION_NAME),
            ("format", "sid"),
        ]);
        let reply = context.exchange(request).await?;
        match reply.json::<Envelope<LoginReply>>()?.result() {
            Ok(login) => login.sid.map(Value::String).ok_or_else(|| reply.unexpected("no session")),
            Err(code) => {
                let sentence = format!("{}: {}.", self.address.host(), rejection(code));
                Err(self.account.refuse(context, sentence, PAUSE))
            }
        }
    }

    /// The list, or the code of the error.
    async fn list<T: DeserializeOwned>(
        &self,
        paths: &Paths,
        sid: &Value,
        context: &dyn WidgetContext,
    ) -> Result<Result<T, i64>, FetchError> {
        let sid = Secret::from(sid.as_str().unwrap_or_default());
        let request = Request::get(self.address.join(&format!("/webapi/{}", paths.tasks), &[]))
            .query("api", TASK_API)
            .query("version", 1)
            .query("method", "list")
            .query("additional", "transfer,detail")
            .query("offset", 0)
            .query("limit", -1)
            .secret_query("_sid", &sid);
        let reply: Envelope<T> = context.exchange(request).await?.json()?;
        Ok(reply.result())
    }

    fn explained(&self, code: i64) -> FetchError {
        let host = self.address.host();
        FetchError::message(match code {
            101..=104 => format!("{host} does not know this request ({code}); its version may be too old."),
            105 => format!(
                "{host}: the account may not use Download Station. Allow it on the NAS, or set another username."
            ),
            106 => {
                format!("{host} has ended the session, because it was not used for too long. It is renewed next time.")
            }
            107 => format!("{host}: the account is in use by another program at the same time."),
            119 => format!("{host} has ended the session. It is renewed next time."),
            code => format!("{host} has a problem ({code})."),
        })
    }
}

/// Why a login is rejected.
fn rejection(code: i64) -> String {
    match code {
        400 => "wrong account or password. Check the options username and password",
        401 => "the account is disabled. Enable it on the NAS, or set another username",
        402 => "the account may not use Download Station. Allow it on the NAS, or set another username",
        403 | 404 | 406 => "accounts with two-factor login are not supported. Set a username without it",
        407 => {
            "it blocks the address of this server after too many wrong passwords. Unblock it on the NAS, and check the \
             options username and password"
        }
        408..=410 => "the password has expired. Change it on the NAS, and set the option password",
        code => return format!("the login failed ({code})"),
    }
    .to_owned()
}

/// Whether a path is safe: paths come from the NAS and become parts of addresses.
fn is_plain(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    !path.is_empty() && !path.starts_with('/') && !path.contains("..") && path.bytes().all(is_plain)
}

struct Paths {
    auth: String,
    auth_version: i64,
    tasks: String,
}

/// The envelope of all responses; the HTTP status is 200 even for errors.
#[derive(Deserialize)]
struct Envelope<T> {
    #[serde(default)]
    success: bool,
    data: Option<T>,
    error: Option<ErrorReply>,
}

#[derive(Deserialize)]
struct ErrorReply {
    #[serde(default)]
    code: Lenient<Number>,
}

#[derive(Deserialize)]
struct LoginReply {
    sid: Option<String>,
}

impl<T> Envelope<T> {
    /// The data, or the code of the error.
    fn result(self) -> Result<T, i64> {
        // Codes are small whole numbers.
        let code = self.error.and_then(|error| error.code.get().map(|code| code.get() as i64)).unwrap_or(100);
        self.data.filter(|_| self.success).ok_or(code)
    }
}
