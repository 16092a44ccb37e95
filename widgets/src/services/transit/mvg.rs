//! Munich (MVG): the API of its own pages. It needs no key, and may change.

use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Departure, Filters, Journey, Leg, LocalTime, Occupancy, Stop, Transit, TransitPlace};
use crate::{
    FetchError, Moment, Request, Response, WidgetContext,
    option_types::Color,
    services::{calendar, tolerant},
};

const BASE: &str = "https://www.mvg.de/api/bgw-pt/v3";
/// The list of stops, which is not part of the API of journeys. That one finds no stops by their ids.
const STOPS: &str = "https://www.mvg.de/.rest/zdm/stations";
const ZONE: &str = "Europe/Berlin";
/// How long the location of a place is remembered.
const PLACE_LIFE: Duration = Duration::from_secs(86_400);

/// The network of Munich.
pub(crate) struct Mvg;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PlaceReply {
    #[serde(rename = "type", deserialize_with = "tolerant::text")]
    kind: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    place: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    global_id: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    latitude: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    longitude: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DepartureReply {
    #[serde(deserialize_with = "tolerant::number")]
    planned_departure_time: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    realtime_departure_time: Option<f64>,
    #[serde(deserialize_with = "tolerant::flag")]
    realtime: Option<bool>,
    #[serde(deserialize_with = "tolerant::number")]
    delay_in_minutes: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    transport_type: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    label: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    destination: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    cancelled: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    sev: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    platform: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    stop_position_number: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    platform_changed: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    occupancy: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    messages: Vec<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    infos: Vec<InfoReply>,
}

#[derive(Deserialize)]
struct InfoReply {
    message: String,
    #[serde(rename = "type", default, deserialize_with = "tolerant::text")]
    kind: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RouteReply {
    #[serde(deserialize_with = "tolerant::entries")]
    parts: Vec<LegReply>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct LegReply {
    #[serde(deserialize_with = "tolerant::part")]
    from: Option<StopReply>,
    #[serde(deserialize_with = "tolerant::part")]
    to: Option<StopReply>,
    #[serde(deserialize_with = "tolerant::part")]
    line: Option<LineReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    intermediate_stops: Vec<StopReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    messages: Vec<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    infos: Vec<InfoReply>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct StopReply {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    // At the end of a leg this is the arrival.
    #[serde(deserialize_with = "tolerant::text")]
    planned_departure: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    departure_delay_in_minutes: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    arrival_delay_in_minutes: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    platform: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct LineReply {
    #[serde(deserialize_with = "tolerant::text")]
    label: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    transport_type: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    destination: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    sev: Option<bool>,
}

impl Transit for Mvg {
    async fn place(
        &self,
        written: &str,
        stops_only: bool,
        context: &dyn WidgetContext,
    ) -> Result<Option<TransitPlace>, FetchError> {
        if is_id(written) {
            return Ok(Some(TransitPlace { id: Some(written.to_owned()), ..TransitPlace::default() }));
        }
        let key = format!("mvg/place/{stops_only}/{}", written.to_lowercase());
        let kept = context.kept(&key, PLACE_LIFE, async {
            let request = Request::get(format!("{BASE}/locations")).query("query", written);
            let request = if stops_only { request.query("locationTypes", "STATION") } else { request };
            let found: Vec<PlaceReply> = entries(&send(request, context).await?)?;
            Ok(json!(best(found, written, stops_only)))
        });
        let place: Option<TransitPlace> = serde_json::from_value(kept.await?).unwrap_or_default();
        if place.is_none() {
            context.forget(&key);
        }
        Ok(place)
    }

    async fn stop_name(&self, id: &str, context: &dyn WidgetContext) -> Option<String> {
        let key = format!("mvg/name/{id}");
        let kept = context.kept(&key, PLACE_LIFE, async {
            let request = Request::get(format!("{STOPS}/{}", crate::address::encode(id)));
            let reply = context.exchange(request.header("Accept", "application/json")).await?;
            // A stop that it does not know is not asked for every minute.
            let stop = if reply.status == 404 { StopReply::default() } else { reply.json()? };
            Ok(json!(stop.name))
        });
        kept.await.ok()?.as_str().map(str::to_owned)
    }

    async fn departures(
        &self,
        stop: &str,
        filters: &Filters,
        offset_minutes: i64,
        context: &dyn WidgetContext,
    ) -> Result<Vec<Departure>, FetchError> {
        // Filters are applied only afterwards, so request more.
        let limit = if filters.is_set() { 80 } else { 30 };
        let request = Request::get(format!("{BASE}/departures"))
            .query("globalId", stop)
            .query("limit", limit)
            .query("offsetInMinutes", offset_minutes);
        let reply = send(with_products(request, filters), context).await?;
        let mut departures: Vec<Departure> =
            entries::<DepartureReply>(&reply)?.into_iter().map(DepartureReply::departure).collect();
        departures
            .sort_by_key(|departure| departure.live.or(departure.planned).map_or(i64::MAX, |time| time.at.millis()));
        Ok(departures)
    }

    async fn journeys(
        &self,
        from: &TransitPlace,
        to: &TransitPlace,
        filters: &Filters,
        context: &dyn WidgetContext,
    ) -> Result<Vec<Journey>, FetchError> {
        let request = Request::get(format!("{BASE}/routes"));
        let request = at(at(request, from, "origin"), to, "destination");
        let now = Timestamp::from_millisecond(context.now().millis()).unwrap_or_default();
        let request = request
            .query("routingDateTime", now.strftime("%Y-%m-%dT%H:%M:%S%.3fZ"))
            .query("routingDateTimeIsArrival", false);
        let reply = send(with_products(request, filters), context).await?;
        Ok(entries::<RouteReply>(&reply)?.into_iter().map(RouteReply::journey).collect())
    }
}

/// Whether this is the id of a stop, such as `de:09162:2`.
fn is_id(written: &str) -> bool {
    let is_number = |piece: &str, min: usize, max: usize| {
        (min..=max).contains(&piece.len()) && piece.bytes().all(|byte| byte.is_ascii_digit())
    };
    match written.split(':').collect::<Vec<_>>().as_slice() {
        ["de", region, stop] => is_number(region, 2, 5) && is_number(stop, 1, 9),
        _ => false,
    }
}

async fn send(request: Request, context: &dyn WidgetContext) -> Result<Response, FetchError> {
    let reply = context.exchange(request.header("Accept", "application/json")).await?;
    let message = || reply.any_json::<Value>().ok()?.get("message")?.as_str().map(str::to_owned);
    match reply.status {
        400 => Err(FetchError::message(crate::panel::teaser(
            &format!("www.mvg.de refused the request: {}", message().unwrap_or_else(|| "no reason given".to_owned())),
            200,
        ))),
        _ => Ok(reply),
    }
}

/// The entries of a list that can be read. A retired endpoint responds with a page and a success status.
fn entries<T: serde::de::DeserializeOwned>(reply: &Response) -> Result<Vec<T>, FetchError> {
    match reply.json::<Value>()? {
        list @ Value::Array(_) => Ok(tolerant::as_entries(list)),
        _ => Err(reply.unexpected("data of another shape")),
    }
}

fn with_products(request: Request, filters: &Filters) -> Request {
    let chosen = filters.products();
    let products = if chosen.is_empty() { vec!["UBAHN", "TRAM", "BUS", "SBAHN"] } else { chosen };
    // The products are plain words, and the service requires unescaped commas.
    let sign = if request.url.contains('?') { '&' } else { '?' };
    let url = format!("{}{sign}transportTypes={}", request.url, products.join(","));
    Request { url, ..request }
}

/// Adds a place to a request: a stop by its id, any other place by its position.
fn at(request: Request, place: &TransitPlace, role: &'static str) -> Request {
    match (&place.id, place.position) {
        (None, Some((latitude, longitude))) => {
            request.query(&format!("{role}Latitude"), latitude).query(&format!("{role}Longitude"), longitude)
        }
        (id, _) => request.query(&format!("{role}StationGlobalId"), id.clone().unwrap_or_default()),
    }
}

/// The place whose name is as written, or else the first one.
fn best(found: Vec<PlaceReply>, written: &str, stops_only: bool) -> Option<TransitPlace> {
    let written = written.trim().to_lowercase();
    let is_stop = |place: &PlaceReply| place.global_id.is_some() && place.kind.as_deref() != Some("ADDRESS");
    let is_called = |place: &PlaceReply| {
        let name = place.name.as_deref().unwrap_or_default().to_lowercase();
        let with_town = format!("{}, {name}", place.place.as_deref().unwrap_or_default().to_lowercase());
        name == written || with_town == written
    };
    let mut found: Vec<PlaceReply> = found.into_iter().filter(|place| !stops_only || is_stop(place)).collect();
    let exact = found.iter().position(|place| is_stop(place) && is_called(place));
    let place = if found.is_empty() { return None } else { found.swap_remove(exact.unwrap_or(0)) };
    let is_stop = is_stop(&place);
    let place = TransitPlace {
        name: place.name.unwrap_or_default(),
        id: place.global_id.filter(|_| is_stop),
        position: place.latitude.zip(place.longitude),
    };
    (place.id.is_some() || place.position.is_some()).then_some(place)
}

/// The official colors of lines.
fn color(kind: Option<&str>, label: &str) -> Option<Color> {
    let color = match (kind, label) {
        (Some("UBAHN"), "U1" | "U7") => "#52822f",
        (Some("UBAHN"), "U2" | "U8") => "#c20831",
        (Some("UBAHN"), "U3") => "#ec6726",
        (Some("UBAHN"), "U4") => "#00a984",
        (Some("UBAHN"), "U5") => "#bc7a00",
        (Some("UBAHN"), "U6") => "#0065ae",
        (Some("SBAHN"), _) => "#408335",
        (Some("TRAM"), _) => "#d82020",
        (Some("BUS" | "REGIONAL_BUS"), _) => "#00586a",
        _ => return None,
    };
    Color::parse(color)
}

/// A time in milliseconds, in Munich's time zone.
fn local(millis: Option<f64>) -> Option<LocalTime> {
    // Times are far from the limits of this type.
    let at = Moment::from_millis(millis? as i64);
    let offset = calendar::offset_seconds(ZONE, at).unwrap_or_default();
    at.is_dated().then(|| LocalTime { at, offset: i32::try_from(offset).unwrap_or_default() })
}

fn messages(messages: Vec<String>, infos: Vec<InfoReply>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for message in messages.into_iter().chain(infos.into_iter().map(|info| info.message)) {
        let message = crate::panel::PlainText::read(&message).text;
        if !message.is_empty() && !all.contains(&message) {
            all.push(message);
        }
    }
    all
}

impl DepartureReply {
    fn departure(self) -> Departure {
        let label = self.label.unwrap_or_default();
        let is_live = self.realtime == Some(true);
        let planned = local(self.planned_departure_time);
        let live = local(self.realtime_departure_time).filter(|_| is_live);
        let delay = planned.zip(live).map(|(planned, live)| (live.at.millis() - planned.at.millis()) / 60_000);
        Departure {
            color: color(self.transport_type.as_deref(), &label),
            line: label,
            destination: self.destination.unwrap_or_default(),
            planned,
            live,
            delay_minutes: self.delay_in_minutes.map(|minutes| minutes as i64).or(delay),
            is_cancelled: self.cancelled == Some(true),
            is_replaced: self.sev == Some(true),
            platform: self.platform.or(self.stop_position_number),
            is_moved: self.platform_changed == Some(true),
            occupancy: match self.occupancy.as_deref() {
                Some("LOW") => Some(Occupancy::Low),
                Some("MEDIUM") => Some(Occupancy::Medium),
                Some("HIGH") => Some(Occupancy::High),
                _ => None,
            },
            messages: messages(self.messages, self.infos),
        }
    }
}

impl RouteReply {
    fn journey(self) -> Journey {
        let legs = self.parts.into_iter().map(|leg| {
            let line = leg.line.unwrap_or_default();
            let walks = line.transport_type.as_deref() == Some("PEDESTRIAN");
            let label = line.label.unwrap_or_default();
            Leg {
                color: color(line.transport_type.as_deref(), &label),
                line: (!walks && !label.is_empty()).then_some(label),
                destination: line.destination.unwrap_or_default(),
                from: leg.from.unwrap_or_default().stop(true),
                to: leg.to.unwrap_or_default().stop(false),
                is_replaced: line.sev == Some(true),
                is_disturbed: leg.infos.iter().any(|info| info.kind.as_deref() == Some("INCIDENT")),
                via: leg.intermediate_stops.into_iter().filter_map(|stop| stop.name).collect(),
                messages: messages(leg.messages, leg.infos),
            }
        });
        Journey { legs: legs.collect() }
    }
}

impl StopReply {
    fn stop(self, leaves: bool) -> Stop {
        let delay = if leaves { self.departure_delay_in_minutes } else { self.arrival_delay_in_minutes };
        let planned = self.planned_departure.as_deref().and_then(Moment::parse_with_offset);
        let planned = planned.map(|(at, offset)| LocalTime { at, offset });
        Stop {
            name: self.name.unwrap_or_default(),
            planned,
            delay_minutes: delay.unwrap_or_default() as i64,
            platform: self.platform,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinguished_from_names() {
        for (written, expected) in [
            ("de:09162:2", true),
            ("de:091:7000", true),
            ("de:09162:2:50", false),
            ("de:9:2", false),
            ("at:09162:2", false),
            ("Marienplatz", false),
            ("de:09162:", false),
        ] {
            assert_eq!(is_id(written), expected, "{written}");
        }
    }
}
