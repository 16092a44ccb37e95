//! The user's own headers, any of which may be a key.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use crate::{OptionProblems, Request, option_types::Secret};

/// Headers by name. An invalid value is kept as a blank one, to note it.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Headers(BTreeMap<String, Secret>);

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Option::<BTreeMap<String, Value>>::deserialize(deserializer);
        let written = written.map_err(|_| de::Error::custom("must be a mapping of names and texts"))?;
        let secret = |value: Value| serde_json::from_value(value).unwrap_or_default();
        Ok(Self(written.unwrap_or_default().into_iter().map(|(name, value)| (name, secret(value))).collect()))
    }
}

impl Headers {
    /// Notes headers that cannot be sent.
    pub(super) fn check(&self, problems: &mut OptionProblems) {
        for (name, _) in self.0.iter().filter(|(name, value)| !is_sent(name, value)) {
            problems.note(format!("headers: '{}' cannot be sent.", name.escape_debug()));
        }
    }

    /// Adds the headers that can be sent to a request.
    pub(super) fn add_to(&self, request: Request) -> Request {
        let sent = self.0.iter().filter(|(name, value)| is_sent(name, value));
        sent.fold(request, |request, (name, value)| request.secret_header(&**name, value))
    }
}

fn is_sent(name: &str, value: &Secret) -> bool {
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let is_ours = ["host", "content-length", "connection", "transfer-encoding"];
    is_name
        && !is_ours.contains(&name.to_ascii_lowercase().as_str())
        && value.is_set()
        && !value.reveal().contains(char::is_control)
}
