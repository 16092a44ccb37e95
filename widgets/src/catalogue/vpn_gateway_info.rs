//! `vpn-gateway-info`: the public address and the location of a VPN gateway.

use std::time::Duration;

use futures_util::future::join3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{BaseAddress, Lenient, OneOrMany, Secret, Text},
    panel::{Datum, Fact, Facts, Headline, Notice, Part, Phrase, Tone},
    services::tolerant,
};

/// Shows the public address, the location and the forwarded port of a Gluetun VPN gateway.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VpnGatewayInfo {
    /// Address of the control server, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://gluetun:8000"))]
    hostname: BaseAddress,
    /// What is shown, as a list or separated by commas: `public_ip`, `region`, `country`, `city`, `location`, `organization`,
    /// `postal_code`, `timezone`, `forwarded_port`, `status`. Without it, `public_ip`.
    visible_fields: OneOrMany<Lenient<Text>>,
    /// API key of a role of the control server, or the name of an environment variable. Without it, none is sent.
    api_key: Secret,
    /// User of a role of the control server, such as {example}. Without it, none is sent.
    #[schemars(extend("x-example" = "portico"))]
    username: Text,
    /// Password of that user, or the name of an environment variable. Required with `username`.
    password: Secret,
}

/// The available fields, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VpnField {
    Status,
    PublicIp,
    ForwardedPort,
    Country,
    Region,
    City,
    PostalCode,
    Location,
    Timezone,
    Organization,
}

impl VpnField {
    const ALL: [(&'static str, Self); 10] = [
        ("public_ip", Self::PublicIp),
        ("region", Self::Region),
        ("country", Self::Country),
        ("city", Self::City),
        ("location", Self::Location),
        ("organization", Self::Organization),
        ("postal_code", Self::PostalCode),
        ("timezone", Self::Timezone),
        ("forwarded_port", Self::ForwardedPort),
        ("status", Self::Status),
    ];

    fn parse(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let name = if name == "organisation" { "organization" } else { &name };
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
    }
}

impl Widget for VpnGatewayInfo {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("host", "hostname"), ("url", "hostname")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 11;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.hostname.is_set(), "hostname", "the address of the control server of Gluetun");
        let has_user = self.username.is_set() || !self.password.is_set();
        problems.require_option(has_user, "username", "the user of Gluetun to whom the password belongs");
        let has_password = self.password.is_set() || !self.username.is_set();
        problems.require_option(has_password, "password", "the password of this user of Gluetun");
        problems.require(!self.visible_fields.is_all_wrong(), "visibleFields must be a list of names of fields.");
        let known: Vec<&str> = VpnField::ALL.iter().map(|(name, _)| *name).collect();
        let unknown: Vec<&str> = self.names().filter(|name| VpnField::parse(name).is_none()).collect();
        for name in &unknown {
            let sentence = format!("Unknown field '{name}' in visibleFields, known are {}.", known.join(", "));
            // An unknown name is left out, unless it is the only one.
            if unknown.len() == self.names().count() {
                problems.error(sentence);
            } else {
                problems.note(sentence);
            }
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let fields = self.fields();
        let shows = |field: VpnField| fields.contains(&field);
        let port = async { if shows(VpnField::ForwardedPort) { self.forwarded_ports(context).await } else { None } };
        let status = async { if shows(VpnField::Status) { self.status(context).await } else { None } };
        let (reply, ports, status) = join3(self.get("/v1/publicip/ip", context), port, status).await;
        let reply = reply?;
        if matches!(reply.status, 401 | 403) {
            return Err(FetchError::login_refused(format!(
                "{}: the control server refuses: add a role for GET /v1/publicip/ip, or check the key (apiKey, or username \
                 and password).",
                reply.host
            )));
        }
        let place: PlaceReply = reply.json()?;
        let mut parts: Vec<Part> = Vec::new();
        match &place.public_ip {
            None => parts.push(Notice::warning("No public address: the VPN is not connected").into()),
            Some(ip) if shows(VpnField::PublicIp) => {
                let caption = Some("VPN IP".into());
                parts.push(Headline { caption, copyable: true, ..Headline::new(ip.as_str()) }.into());
            }
            Some(_) => {}
        }
        let text = |text: &Option<String>| Datum::from(text.as_deref());
        let all = [
            (
                VpnField::Status,
                Fact::new("Status", status.as_deref().map(state)).toned(status.as_deref().map_or(Tone::Neutral, tone)),
            ),
            (VpnField::ForwardedPort, Fact::new("Forwarded port", ports.map(ports_text))),
            (VpnField::Country, Fact::new("Country", text(&place.country))),
            (VpnField::Region, Fact::new("Region", text(&place.region))),
            (VpnField::City, Fact::new("City", text(&place.city))),
            (VpnField::PostalCode, Fact::new("Postal code", text(&place.postal_code))),
            (VpnField::Location, Fact::new("Location", text(&place.location))),
            (VpnField::Timezone, Fact::new("Timezone", text(&place.timezone))),
            (VpnField::Organization, Fact::new("Organization", text(&place.organization))),
        ];
        // These were chosen by name, so those that the gateway does not know are a dash.
        let facts: Vec<Fact> = all.into_iter().filter(|(field, _)| shows(*field)).map(|(_, fact)| fact).collect();
        if !facts.is_empty() {
            parts.push(Facts { facts }.into());
        }
        Ok(Panel::new(parts))
    }
}

impl VpnGatewayInfo {
    fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.visible_fields.iter().flat_map(|names| match names {
            Lenient::Known(names) => names.split(',').collect(),
            Lenient::Unknown(written) => vec![written.as_str()],
            Lenient::Unset => Vec::new(),
        });
        names.map(str::trim).filter(|name| !name.is_empty())
    }

    fn fields(&self) -> Vec<VpnField> {
        let fields: Vec<VpnField> = self.names().filter_map(VpnField::parse).collect();
        if fields.is_empty() { vec![VpnField::PublicIp] } else { fields }
    }

    async fn get(&self, path: &str, context: &dyn WidgetContext) -> Result<Response, FetchError> {
        let request = Request::get(self.hostname.join(path, &[])).header("Accept", "application/json");
        let request = if self.api_key.is_set() {
            request.secret_header("X-API-Key", &self.api_key)
        } else if self.username.is_set() {
            request.basic(&self.username, &self.password)
        } else {
            request
        };
        context.exchange(request).await
    }

    /// The response of the newer path, or of the older one if the newer one is refused or unknown. A failure leaves out
    /// the field, not the widget.
    async fn first_available(&self, newer: &str, older: &str, context: &dyn WidgetContext) -> Option<Response> {
        let reply = self.get(newer, context).await.ok()?;
        if matches!(reply.status, 401 | 404) { self.get(older, context).await.ok() } else { Some(reply) }
    }

    async fn forwarded_ports(&self, context: &dyn WidgetContext) -> Option<Vec<u16>> {
        let reply = self.first_available("/v1/portforward", "/v1/openvpn/portforwarded", context).await?;
        let reply: PortReply = reply.json().ok()?;
        let ports = match (reply.ports, reply.port) {
            (Some(ports), None) => ports,
            (Some(ports), Some(_)) if !ports.is_empty() => ports,
            (_, Some(port)) => vec![port],
            // It says nothing about ports, which is not the same as none.
            (None, None) => return None,
        };
        let ports = ports.iter().filter_map(tolerant::as_number).filter(|port| (1.0..=65_535.0).contains(port));
        // In range, so the cast is exact.
        Some(ports.map(|port| port as u16).collect())
    }

    async fn status(&self, context: &dyn WidgetContext) -> Option<String> {
        let reply = self.first_available("/v1/vpn/status", "/v1/openvpn/status", context).await?;
        reply.json::<StatusReply>().ok()?.status
    }
}

fn ports_text(ports: Vec<u16>) -> Datum {
    if ports.is_empty() {
        return Phrase::from("none").into();
    }
    let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
    Datum::text(&ports.join(", "))
}

fn state(status: &str) -> Phrase {
    match status {
        "running" => "Running".into(),
        "stopped" => "Stopped".into(),
        "starting" => "Starting".into(),
        "stopping" => "Stopping".into(),
        "crashed" => "Crashed".into(),
        "completed" => "Completed".into(),
        other => Phrase::foreign(other),
    }
}

fn tone(status: &str) -> Tone {
    if status == "running" { Tone::Success } else { Tone::Danger }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PlaceReply {
    /// Empty while the tunnel is down.
    #[serde(alias = "ip", deserialize_with = "tolerant::text")]
    public_ip: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    region: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    country: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    city: Option<String>,
    #[serde(alias = "loc", deserialize_with = "tolerant::text")]
    location: Option<String>,
    #[serde(alias = "org", deserialize_with = "tolerant::text")]
    organization: Option<String>,
    #[serde(alias = "postal", deserialize_with = "tolerant::text")]
    postal_code: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    timezone: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PortReply {
    port: Option<Value>,
    ports: Option<Vec<Value>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusReply {
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
}
