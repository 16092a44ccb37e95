//! RDAP, the successor of WHOIS: the registry itself responds (RFC 9083).

use serde::Deserialize;
use serde_json::Value;

use super::{DomainSource, Registration};
use crate::{FetchError, Moment, Request, WidgetContext, services::tolerant};

/// The directory, which redirects to the registry of a domain.
const DIRECTORY: &str = "https://rdap.org/domain/";
const ACCEPT: &str = "application/rdap+json, application/json";

/// The registries.
pub(crate) struct Rdap;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DomainReply {
    #[serde(deserialize_with = "tolerant::text")]
    ldh_name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    handle: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    status: Vec<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    events: Vec<EventReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    nameservers: Vec<NameServerReply>,
    #[serde(rename = "secureDNS", deserialize_with = "tolerant::part")]
    secure_dns: Option<SecureReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    entities: Vec<EntityReply>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventReply {
    event_action: String,
    event_date: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NameServerReply {
    ldh_name: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SecureReply {
    #[serde(deserialize_with = "tolerant::flag")]
    delegation_signed: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EntityReply {
    #[serde(deserialize_with = "tolerant::entries")]
    roles: Vec<String>,
    #[serde(deserialize_with = "tolerant::text")]
    handle: Option<String>,
    vcard_array: Value,
}

impl DomainSource for Rdap {
    /// Queries the directory, and then the registry. Both may respond with 404, but it means different things.
    async fn registration(&self, domain: &str, context: &dyn WidgetContext) -> Result<Registration, FetchError> {
        let request = Request::get(format!("{DIRECTORY}{domain}")).header("Accept", ACCEPT).without_redirects();
        let reply = context.exchange(request).await?;
        if reply.status == 429 {
            return Err(FetchError::Message {
                sentence: "rdap.org allows no more requests for now. With an apiKey of WhoAPI, that service is used \
                    instead."
                    .to_owned(),
                retry_at: reply.retry_at(),
            });
        }
        if reply.status == 404 {
            let end = domain.rsplit('.').next().unwrap_or_default();
            return Err(FetchError::message(format!(
                "rdap.org knows no registry for .{end} that can be queried. With an apiKey of WhoAPI, that service is used instead."
            )));
        }
        let reply = match reply.redirect() {
            Some(address) if address.starts_with("https://") => {
                context.exchange(Request::get(address).header("Accept", ACCEPT)).await?
            }
            Some(_) => return Err(reply.unexpected("a redirect to an address without TLS")),
            None => reply,
        };
        match reply.status {
            404 => Ok(Registration::default()),
            400 => Err(FetchError::message(format!(
                "{} does not accept {domain} as a name: check the option domain.",
                reply.host
            ))),
            _ => {
                let body: DomainReply = reply.json()?;
                if body.ldh_name.is_none() && body.events.is_empty() {
                    return Err(reply.unexpected("data of another shape"));
                }
                Ok(body.registration())
            }
        }
    }
}

impl DomainReply {
    fn registration(self) -> Registration {
        let event = |action: &str| {
            let event = self.events.iter().find(|event| event.event_action.eq_ignore_ascii_case(action))?;
            Moment::parse(&event.event_date)
        };
        let person = |role: &str| {
            let entity =
                self.entities.iter().find(|entity| entity.roles.iter().any(|one| one.eq_ignore_ascii_case(role)))?;
            entity.name()
        };
        let expires = event("expiration");
        Registration {
            is_registered: true,
            created: event("registration"),
            updated: event("last changed"),
            expires,
            expires_at_registrar: event("registrar expiration").filter(|at| Some(*at) != expires),
            name_servers: self.nameservers.iter().map(|server| server.ldh_name.to_ascii_lowercase()).collect(),
            registrar: person("registrar"),
            holder: person("registrant").filter(|name| !name.to_ascii_lowercase().contains("redacted")),
            is_signed: self.secure_dns.as_ref().and_then(|dns| dns.delegation_signed),
            id: self.handle,
            status: self.status,
        }
    }
}

impl EntityReply {
    /// The name or the organization on its card; its handle if there is neither.
    fn name(&self) -> Option<String> {
        let rows = self.vcard_array.get(1).and_then(Value::as_array);
        let row = |name: &str| {
            let row = rows?.iter().find(|row| row.get(0).is_some_and(|key| key == name))?;
            let text = row.get(3)?.as_str()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        row("fn").or_else(|| row("org")).or_else(|| self.handle.clone())
    }
}
