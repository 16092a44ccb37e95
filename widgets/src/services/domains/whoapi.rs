//! WhoAPI, a paid service. It reports errors with a success status.

use serde::Deserialize;

use super::{DomainSource, Registration};
use crate::{FetchError, Moment, Request, WidgetContext, option_types::Secret, services::tolerant};

/// The service, with a key.
pub(crate) struct Whoapi<'a> {
    pub(crate) key: &'a Secret,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WhoisReply {
    #[serde(deserialize_with = "tolerant::number")]
    status: Option<f64>,
    #[serde(deserialize_with = "tolerant::flag")]
    registered: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    date_created: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    date_updated: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    date_expires: Option<String>,
    nameservers: serde_json::Value,
    #[serde(deserialize_with = "tolerant::text")]
    registry_domain_id: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    domain_status: Vec<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    contacts: Vec<ContactReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ContactReply {
    #[serde(rename = "type", deserialize_with = "tolerant::text")]
    role: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    organization: Option<String>,
}

impl DomainSource for Whoapi<'_> {
    /// The rest of the WHOIS data, which names people, is not even read.
    async fn registration(&self, domain: &str, context: &dyn WidgetContext) -> Result<Registration, FetchError> {
        let request = Request::get("https://api.whoapi.com/")
            .query("domain", domain)
            .query("r", "whois")
            .secret_query("apikey", self.key);
        let reply = context.exchange(request).await?;
        let body: WhoisReply = reply.json()?;
        // The cast saturates; codes have two digits.
        let Some(code) = body.status.map(|code| code as i64) else {
            return Err(reply.unexpected("data of another shape"));
        };
        match code {
            0 => Ok(body.registration()),
            10 => Err(FetchError::login_refused(
                "WhoAPI refused the key: check the option apiKey, or set provider: rdap.",
            )),
            12..=15 => Err(FetchError::login_refused(
                "WhoAPI reports a problem with the account of this key: check the account, or set provider: rdap.",
            )),
            4 => Err(FetchError::message(format!("WhoAPI does not support the ending of {domain}."))),
            1..=6 | 19 | 24 | 38 => Err(FetchError::message(format!(
                "WhoAPI does not accept {domain} as a domain: check the option domain."
            ))),
            7 => Err(FetchError::message("WhoAPI cannot query the registry of this domain. Set provider: rdap.")),
            16 => Err(FetchError::Message {
                sentence: "Too many requests to WhoAPI, next try at {time}.".to_owned(),
                retry_at: Some(reply.received.after(std::time::Duration::from_secs(60))),
            }),
            17 | 18 | 33..=36 => Err(FetchError::message(
                "The requests of this WhoAPI key are used up. Set provider: rdap, which needs no key.",
            )),
            26..=32 => Err(FetchError::message("WhoAPI could not reach the registry. The next refresh tries again.")),
            code => Err(FetchError::message(format!("WhoAPI could not answer (code {code})."))),
        }
    }
}

impl WhoisReply {
    fn registration(self) -> Registration {
        let time = |written: &Option<String>| Moment::parse_local(written.as_deref()?, 0);
        let contact = |role: &str| {
            let contact = self.contacts.iter().find(|contact| contact.role.as_deref() == Some(role))?;
            contact.organization.clone().or_else(|| contact.name.clone())
        };
        let name_servers = match &self.nameservers {
            serde_json::Value::Array(names) => names.iter().filter_map(|name| name.as_str()).collect(),
            serde_json::Value::String(name) => vec![name.as_str()],
            _ => Vec::new(),
        };
        let name_servers = name_servers.into_iter().map(|name| name.trim().to_ascii_lowercase());
        Registration {
            is_registered: self.registered == Some(true),
            created: time(&self.date_created),
            updated: time(&self.date_updated),
            expires: time(&self.date_expires),
            expires_at_registrar: None,
            name_servers: name_servers.filter(|name| !name.is_empty()).collect(),
            registrar: contact("registrar"),
            holder: contact("registrant").filter(|name| !name.to_ascii_lowercase().contains("redacted")),
            id: self.registry_domain_id,
            status: self.domain_status,
            is_signed: None,
        }
    }
}
