//! The API of a system monitor that people run on the machine to be monitored: address, login, versions. The modules
//! below contain what several widgets make of its responses.

pub(crate) mod cpu;
pub(crate) mod dial;
pub(crate) mod history;
pub(crate) mod memory;
mod readings;
pub(crate) mod uptime;

use std::time::Duration;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

pub(crate) use self::readings::Readings;
use crate::{
    FetchError, OptionProblems, Request, Response, WidgetContext,
    option_types::{BaseAddress, Lenient, Number, Secret, Text},
};

/// The versions of the API to try, in this order, if the options name none.
const VERSIONS: [u32; 3] = [4, 3, 2];
/// How long the version that responded is remembered.
const DAY: Duration = Duration::from_secs(86_400);

/// The unit of temperatures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) enum Units {
    #[default]
    #[serde(alias = "c")]
    C,
    #[serde(alias = "f")]
    F,
}

/// The options of widgets that monitor one machine, flattened into theirs.
#[derive(Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Monitor {
    /// Address of the system monitor, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.10:61208"))]
    hostname: Lenient<BaseAddress>,
    #[serde(flatten)]
    access: Access,
}

/// How to access a monitor. Flattened into the options of widgets that monitor several machines.
#[derive(Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Access {
    /// Name of its user, if it has a password. Without it, `glances`.
    username: Text,
    /// Its password, or the name of an environment variable. Without it, no login is sent.
    password: Secret,
    /// Version of its API: 2, 3 or 4. Without it, the one that responds.
    api_version: Lenient<Number>,
}

impl Monitor {
    /// Other names that people use for its options.
    pub(crate) const SYNONYMS: &'static [(&'static str, &'static str)] = &[("host", "hostname"), ("url", "hostname")];

    /// Reports what is wrong with these options.
    pub(crate) fn check(&self, problems: &mut OptionProblems) {
        let has_address = self.hostname.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "hostname", "the address of Glances");
        self.access.check(problems);
    }

    /// Reads a part such as `network/history/100`. `part` is its name in messages.
    ///
    /// # Errors
    ///
    /// The monitor refuses, does not have this part, or responds with something else.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        part: &str,
        path: &str,
        context: &dyn WidgetContext,
    ) -> Result<T, FetchError> {
        self.access.read(&self.address(), part, path, context).await
    }

    /// Reads a part; `None` if it is switched off on the machine.
    ///
    /// # Errors
    ///
    /// The monitor refuses, or responds with something else.
    pub(crate) async fn read_if_offered<T: DeserializeOwned>(
        &self,
        path: &str,
        context: &dyn WidgetContext,
    ) -> Result<Option<T>, FetchError> {
        self.access.read_if_offered(&self.address(), path, context).await
    }

    /// Reads a part that is a list. Entries that cannot be read are left out.
    ///
    /// # Errors
    ///
    /// As [`Self::read`], and if no entry can be read.
    pub(crate) async fn list(&self, part: &str, context: &dyn WidgetContext) -> Result<Vec<Readings>, FetchError> {
        let list: Vec<Value> = self.read(part, part, context).await?;
        Readings::of_list(list).ok_or_else(|| self.unexpected())
    }

    /// The error for data of an unexpected shape.
    pub(crate) fn unexpected(&self) -> FetchError {
        FetchError::Unexpected { host: self.address().host().to_owned(), what: "data of another shape".to_owned() }
    }

    /// The key under which something about this machine is remembered.
    pub(crate) fn key(&self, what: &str) -> String {
        self.access.key(&self.address(), what)
    }

    fn address(&self) -> BaseAddress {
        self.hostname.get().cloned().unwrap_or_default()
    }
}

impl Access {
    /// Reports what is wrong with these options.
    pub(crate) fn check(&self, problems: &mut OptionProblems) {
        let is_version = |number: &Number| number.get() >= 2.0 && number.get() <= 1000.0 && number.get().fract() == 0.0;
        let is_wrong = self.api_version.unknown().is_some() || !self.api_version.get().is_none_or(is_version);
        problems.require(!is_wrong, "apiVersion must be 2, 3 or 4.");
    }

    /// Like [`Monitor::read`], from the monitor at this address.
    ///
    /// # Errors
    ///
    /// The monitor refuses, does not have this part, or responds with something else.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        address: &BaseAddress,
        part: &str,
        path: &str,
        context: &dyn WidgetContext,
    ) -> Result<T, FetchError> {
        let offered = self.read_if_offered(address, path, context).await?;
        offered.ok_or_else(|| {
            let host = address.host();
            FetchError::message(format!("{host} does not offer {part}: this part is switched off on the machine."))
        })
    }

    /// Like [`Monitor::read_if_offered`], from the monitor at this address.
    ///
    /// # Errors
    ///
    /// The monitor refuses, or responds with something else.
    pub(crate) async fn read_if_offered<T: DeserializeOwned>(
        &self,
        address: &BaseAddress,
        path: &str,
        context: &dyn WidgetContext,
    ) -> Result<Option<T>, FetchError> {
        let reply = self.get(address, path, context).await?;
        let host = &reply.host;
        match reply.status {
            400 if reply.text().contains("Invalid host header") => Err(FetchError::message(format!(
                "{host} only accepts other host names: allow this one in its settings."
            ))),
            400 => Ok(None),
            401 => Err(FetchError::login_refused(if self.password.is_set() {
                format!("{host} refused the password: check the options username and password.")
            } else {
                format!("{host} asks for a password: set the options username and password.")
            })),
            _ => reply.json().map(Some),
        }
    }

    /// The key under which something about the machine at this address is remembered.
    pub(crate) fn key(&self, address: &BaseAddress, what: &str) -> String {
        format!("system-monitor/{}/{}/{what}", address.public(), self.username())
    }

    fn username(&self) -> &str {
        self.username.get().unwrap_or("glances")
    }

    /// Queries the version that the options name, or else the one known to respond, or else all of them.
    async fn get(
        &self,
        address: &BaseAddress,
        path: &str,
        context: &dyn WidgetContext,
    ) -> Result<Response, FetchError> {
        if let Some(version) = self.api_version.get() {
            // The check has ensured a whole number in range.
            return self.get_version(address, version.get() as u32, path, context).await;
        }
        let key = format!("system-monitor/{}/version", address.public());
        let known =
            context.recall(&key).as_ref().and_then(Value::as_u64).and_then(|version| u32::try_from(version).ok());
        let mut reply = self.get_version(address, known.unwrap_or(VERSIONS[0]), path, context).await?;
        for version in VERSIONS {
            if reply.status != 404 {
                break;
            }
            if version == known.unwrap_or(VERSIONS[0]) {
                continue;
            }
            reply = self.get_version(address, version, path, context).await?;
            if reply.status != 404 {
                context.remember(&key, json!(version), DAY);
            }
        }
        Ok(reply)
    }

    async fn get_version(
        &self,
        address: &BaseAddress,
        version: u32,
        path: &str,
        context: &dyn WidgetContext,
    ) -> Result<Response, FetchError> {
        // People copy addresses with the version they saw, which may be unknown to us.
        let written = address.public();
        let version_in_it = &written[written.trim_end_matches(|digit: char| digit.is_ascii_digit()).len()..];
        let address = address.without(&[&format!("/api/{version_in_it}"), "/api"]);
        let url = address.join(&format!("/api/{version}/{path}"), &[]);
        let request = Request::get(url).header("Accept", "application/json");
        let request = if self.password.is_set() { request.basic(self.username(), &self.password) } else { request };
        context.exchange(request).await
    }
}
