//! `public-ip`: the public IP address of the viewer, or of the server.

use std::{net::IpAddr, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Audience, Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Response, Side, Widget,
    WidgetContext,
    option_types::{Flag, Lenient, Secret},
    panel::{Datum, Fact, Facts, Headline, Link, Part, Phrase},
};

/// The number of seconds per request for providers that allow a thousand requests a day.
const SHORTEST_UPDATE: Duration = Duration::from_secs(90);

/// Shows the public IP address, its provider and its approximate location. It is the visitor's address; with `useProxy`
/// it is that of the server.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PublicIp {
    /// Service that reports the address; without it, `ipinfo`. `ip-api` works only with `useProxy`.
    provider: Lenient<Provider>,
    /// Key of the provider: `ipgeolocation` requires one, `ipinfo` allows more requests with one. Optional. Keys stay
    /// on the server, so with a key the server sends the request, and the address is the server's.
    api_key: Secret,
    /// Shows only the address.
    hide_location: Flag,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Provider {
    #[default]
    Ipinfo,
    #[serde(alias = "service", alias = "the service")]
    Freeipapi,
    Ipquery,
    IpApi,
    Ipgeolocation,
}

/// Where a response contains each value, as JSON pointers; the first one with a value is used.
struct Layout {
    ip: &'static str,
    isp: &'static [&'static str],
    city: &'static str,
    region: &'static str,
    country: &'static str,
    country_code: &'static str,
    /// Latitude and longitude, or both in one text.
    position: &'static [&'static str],
}

impl Provider {
    const fn name(self) -> &'static str {
        match self {
            Self::Ipinfo => "ipinfo",
            Self::Freeipapi => "freeipapi",
            Self::Ipquery => "ipquery",
            Self::IpApi => "ip-api",
            Self::Ipgeolocation => "ipgeolocation",
        }
    }

    fn request(self, key: &Secret) -> Request {
        match self {
            Self::Ipinfo if key.is_set() => Request::get("https://ipinfo.io/json").bearer(key),
            Self::Ipinfo => Request::get("https://ipinfo.io/json"),
            Self::Freeipapi => Request::get("https://free.freeipapi.com/api/json"),
            Self::Ipquery => Request::get("https://api.ipquery.io/").query("format", "json"),
            Self::IpApi => Request::get("http://ip-api.com/json"),
            Self::Ipgeolocation => Request::get("https://api.ipgeolocation.io/ipgeo").secret_query("apiKey", key),
        }
    }

    const fn layout(self) -> Layout {
        match self {
            Self::Ipinfo => Layout {
                ip: "/ip",
                isp: &["/org"],
                city: "/city",
                region: "/region",
                country: "",
                country_code: "/country",
                position: &["/loc"],
            },
            Self::Freeipapi => Layout {
                ip: "/ipAddress",
                isp: &["/asnOrganization"],
                city: "/cityName",
                region: "/regionName",
                country: "/countryName",
                country_code: "/countryCode",
                position: &["/latitude", "/longitude"],
            },
            Self::Ipquery => Layout {
                ip: "/ip",
                isp: &["/isp/org", "/isp/isp"],
                city: "/location/city",
                region: "/location/state",
                country: "/location/country",
                country_code: "/location/country_code",
                position: &["/location/latitude", "/location/longitude"],
            },
            Self::IpApi => Layout {
                ip: "/query",
                isp: &["/isp"],
                city: "/city",
                region: "/regionName",
                country: "/country",
                country_code: "/countryCode",
                position: &["/lat", "/lon"],
            },
            Self::Ipgeolocation => Layout {
                ip: "/ip",
                isp: &["/organization", "/isp"],
                city: "/city",
                region: "/state_prov",
                country: "/country_name",
                country_code: "/country_code2",
                position: &["/latitude", "/longitude"],
            },
        }
    }
}

impl Widget for PublicIp {
    const REACH: Reach = Reach::BrowserByDefault;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 5;
    const AUDIENCE: Audience = Audience::Viewer;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        if let Some(written) = self.provider.unknown() {
            problems.error(format!(
                "Provider '{written}' is unknown. Use one of: ipinfo, freeipapi, ipquery, ip-api, ipgeolocation."
            ));
        }
        match self.provider.or_default() {
            Provider::Ipgeolocation => {
                problems.require_option(self.api_key.is_set(), "apiKey", "a key of ipgeolocation.io");
            }
            Provider::IpApi => problems.require(entry.use_proxy, "ip-api works only over HTTP: set useProxy: true."),
            Provider::Ipinfo | Provider::Freeipapi | Provider::Ipquery => {}
        }
        let is_scarce = match self.provider.or_default() {
            Provider::Ipinfo => !self.api_key.is_set(),
            Provider::Ipgeolocation => true,
            Provider::Freeipapi | Provider::Ipquery | Provider::IpApi => false,
        };
        if is_scarce && entry.refreshes_more_often_than(SHORTEST_UPDATE) {
            problems.note("The provider allows 1,000 requests a day: an updateInterval below 90 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30 * 60))
    }

    fn origins(&self) -> Vec<String> {
        let request = self.provider.or_default().request(&Secret::default());
        let (scheme, host, _) = crate::address::authority(&request.url);
        vec![format!("{scheme}{host}")]
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let provider = self.provider.or_default();
        let reply = context.exchange(provider.request(&self.api_key)).await.map_err(|error| match error {
            // Extensions that block trackers also block these hosts, and the browser does not say why.
            FetchError::CallBlocked { host } | FetchError::Unreachable { host, .. }
                if context.side() == Side::Browser =>
            {
                FetchError::message(format!(
                    "{host} could not be reached from this browser; an extension may block it. Choose another provider \
                     or set useProxy to true."
                ))
            }
            error => error,
        })?;
        let body = read(provider, &reply)?;
        Ok(self.panel(provider, &body, context.side()))
    }
}

/// The response as JSON, if its status is a success.
fn read(provider: Provider, reply: &Response) -> Result<Value, FetchError> {
    let host = reply.host.clone();
    match reply.status {
        423 => return Err(FetchError::TooMany { host, retry_at: reply.retry_at() }),
        // ip-api has its own header with the seconds to wait.
        429 => {
            let seconds = reply.header("x-ttl").and_then(|seconds| seconds.trim().parse::<u32>().ok());
            let retry_at = seconds.map(|seconds| reply.received.after(Duration::from_secs(seconds.into())));
            return Err(FetchError::TooMany { host, retry_at: retry_at.or_else(|| reply.retry_at()) });
        }
        _ => {}
    }
    let body: Value = reply.json()?;
    if provider == Provider::IpApi && body.pointer("/status").is_some_and(|status| status != "success") {
        let reason = text(&body, "/message").unwrap_or_default();
        let is_private = reason.contains("private range") || reason.contains("reserved range");
        let which = if is_private { "a private address" } else { "this address" };
        return Err(FetchError::message(format!("ip-api cannot look up {which}.")));
    }
    let ip = text(&body, provider.layout().ip).and_then(|ip| ip.parse::<IpAddr>().ok());
    if ip.is_none() {
        return Err(FetchError::message(format!("Unexpected answer from {}.", provider.name())));
    }
    Ok(body)
}

impl PublicIp {
    fn panel(&self, provider: Provider, body: &Value, side: Side) -> Panel {
        let layout = provider.layout();
        let ip = text(body, layout.ip).unwrap_or_default();
        let is_private = body.pointer("/bogon") == Some(&Value::Bool(true));
        let caption = match side {
            _ if is_private => Some(Phrase::from("Private address")),
            Side::Server => Some(Phrase::from("Address of the server")),
            Side::Browser => None,
        };
        let mut parts: Vec<Part> = vec![Headline { caption, copyable: true, ..Headline::new(ip) }.into()];
        if !self.hide_location.is_on() {
            let isp = layout.isp.iter().find_map(|pointer| Some(without_number(&text(body, pointer)?)?.to_owned()));
            let facts = Facts::present([Fact::new("Provider", isp), Fact::new("Place", place(&layout, body))]);
            if !facts.facts.is_empty() {
                parts.push(facts.into());
            }
        }
        Panel::new(parts)
    }
}

/// Flag, city and region, or else the country, with a link to a map if the position is known.
fn place(layout: &Layout, body: &Value) -> Datum {
    let code = text(body, layout.country_code).unwrap_or_default();
    let names: Vec<String> = [layout.city, layout.region].iter().filter_map(|pointer| text(body, pointer)).collect();
    let names = if names.is_empty() {
        text(body, layout.country).unwrap_or_else(|| code.clone())
    } else {
        // A city state names its city twice.
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if names.first() == names.get(1) { names[0].to_owned() } else { names.join(", ") }
    };
    let place = format!("{} {names}", flag(&code));
    let place = place.trim();
    let link = position(layout, body).and_then(|(latitude, longitude)| {
        let map = format!("https://www.openstreetmap.org/#map=10/{latitude}/{longitude}");
        Link::parse(Phrase::foreign(place), &map)
    });
    match link {
        Some(link) if !place.is_empty() => Datum::Link(link),
        _ => Datum::text(place),
    }
}

fn position(layout: &Layout, body: &Value) -> Option<(f64, f64)> {
    let written: Vec<String> = layout.position.iter().filter_map(|pointer| text(body, pointer)).collect();
    let written = written.join(",");
    let (latitude, longitude) = written.split_once(',')?;
    let (latitude, longitude) = (latitude.trim().parse::<f64>().ok()?, longitude.trim().parse::<f64>().ok()?);
    ((-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude)).then_some((latitude, longitude))
}

/// The text or number at a JSON pointer, unless it is blank.
fn text(body: &Value, pointer: &str) -> Option<String> {
    let text = match body.pointer(pointer).filter(|_| !pointer.is_empty())? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Removes the number of an autonomous system: `Example Net` for `AS64500 Example Net`, `None` for `AS64500`.
fn without_number(isp: &str) -> Option<&str> {
    let (first, rest) = isp.split_once(' ').unwrap_or((isp, ""));
    let digits = first.strip_prefix("AS").filter(|digits| !digits.is_empty());
    let is_number = digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    Some(if is_number { rest.trim() } else { isp }).filter(|name| !name.is_empty())
}

/// The flag of a country as two regional indicators.
fn flag(code: &str) -> String {
    let is_code = code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_alphabetic());
    let letters = code.bytes().filter(|_| is_code);
    letters.filter_map(|letter| char::from_u32(0x1F1E6 + u32::from(letter.to_ascii_uppercase() - b'A'))).collect()
}
