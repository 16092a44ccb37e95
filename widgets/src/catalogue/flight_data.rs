//! `flight-data`: arrivals and departures of an airport.
//!
//! A row begins with the time that counts, and names the scheduled one in words: screen readers do not say that a text is
//! struck out.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{Bounded, Lenient, Secret, Text},
    panel::{self, Datum, Entries, Heading, Link, Notice, Part, Phrase, Style, Tone},
    services::tolerant,
};

const HOST: &str = "aerodatabox.p.rapidapi.com";
/// The time span of the board in minutes, the longest that the service allows.
const MINUTES: u32 = 720;
/// Flights longer ago than this are not shown.
const GONE: Duration = Duration::from_secs(30 * 60);
/// Delays from this many minutes on are highlighted.
const DELAY: i64 = 5;
/// The free plan allows a few hundred boards a month.
const SHORTEST_UPDATE: Duration = Duration::from_secs(30 * 60);

/// Shows which planes arrive at an airport and depart from it in the next twelve hours, with data from AeroDataBox.
/// Times are local to the airport.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FlightData {
    /// ICAO code of the airport, such as {example}, not the three-letter code.
    #[schemars(extend("x-required" = true, "x-example" = "EGLL"))]
    airport: Text,
    /// Key for AeroDataBox at RapidAPI, or the name of an environment variable. Required: there is no service without a
    /// key.
    api_key: Secret,
    /// How many flights each board lists.
    limit: Bounded<1, 8, 100>,
    /// `arrival`, `departure` or `both`. Without it, `both`.
    direction: Lenient<FlightDirection>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FlightDirection {
    #[serde(alias = "arrivals")]
    Arrival,
    #[serde(alias = "departures")]
    Departure,
    #[default]
    Both,
}

impl FlightDirection {
    const fn word(self) -> &'static str {
        match self {
            Self::Arrival => "Arrival",
            Self::Departure => "Departure",
            Self::Both => "Both",
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BoardsReply {
    #[serde(deserialize_with = "tolerant::entries")]
    departures: Vec<FlightReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    arrivals: Vec<FlightReply>,
    #[serde(deserialize_with = "tolerant::text")]
    message: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FlightReply {
    #[serde(deserialize_with = "tolerant::part")]
    movement: Option<MovementReply>,
    #[serde(deserialize_with = "tolerant::text")]
    number: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    #[serde(deserialize_with = "tolerant::part")]
    aircraft: Option<ModelReply>,
    #[serde(deserialize_with = "tolerant::part")]
    airline: Option<NameReply>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct MovementReply {
    #[serde(deserialize_with = "tolerant::part")]
    airport: Option<NameReply>,
    #[serde(deserialize_with = "tolerant::part")]
    scheduled_time: Option<TimeReply>,
    /// The same in responses of very old plans.
    #[serde(deserialize_with = "tolerant::text")]
    scheduled_time_local: Option<String>,
    /// The newest estimate, or the actual time.
    #[serde(deserialize_with = "tolerant::part")]
    revised_time: Option<TimeReply>,
    /// An estimate from earlier flights.
    #[serde(deserialize_with = "tolerant::part")]
    predicted_time: Option<TimeReply>,
    /// When it touched down or took off.
    #[serde(deserialize_with = "tolerant::part")]
    runway_time: Option<TimeReply>,
    #[serde(deserialize_with = "tolerant::text")]
    terminal: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    gate: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    baggage_belt: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NameReply {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    iata: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ModelReply {
    #[serde(deserialize_with = "tolerant::text")]
    model: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TimeReply {
    #[serde(deserialize_with = "tolerant::text")]
    local: Option<String>,
}

impl Widget for FlightData {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Travel;
    const USUAL_LINES: usize = 13;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        let is_code = self.airport.len() == 4 && self.airport.bytes().all(|byte| byte.is_ascii_alphanumeric());
        problems.require_option(self.airport.is_set(), "airport", "the ICAO code of an airport");
        problems.require(
            is_code || !self.airport.is_set(),
            "airport must be a 4-character ICAO code such as EGLL (not LHR).",
        );
        problems.require_option(self.api_key.is_set(), "apiKey", "a key for AeroDataBox at RapidAPI");
        if let Some(written) = self.direction.unknown() {
            problems
                .note(format!("direction '{written}' is unknown, so both are shown. Use arrival, departure or both."));
        }
        self.limit.check("limit", problems);
        if entry.refreshes_more_often_than(SHORTEST_UPDATE) {
            problems
                .note("The free plan has a few hundred requests a month: an updateInterval below 1800 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(7200))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let direction = self.direction.or_default();
        let airport = self.airport.to_ascii_uppercase();
        let request = Request::get(format!("https://{HOST}/flights/airports/icao/{airport}"))
            .query("offsetMinutes", -30)
            .query("durationMinutes", MINUTES)
            .query("direction", direction.word())
            .query("withLeg", false)
            .query("withCancelled", true)
            .query("withCodeshared", false)
            .query("withCargo", true)
            .query("withPrivate", true)
            .query("withLocation", false)
            .secret_header("x-rapidapi-key", &self.api_key)
            .header("x-rapidapi-host", HOST);
        let reply = context.exchange(request).await?;
        match reply.status {
            401 => {
                return Err(FetchError::login_refused(format!("{HOST} refused the key: check the option apiKey.")));
            }
            403 => {
                return Err(FetchError::login_refused(format!(
                    "{HOST} refused the key: it needs a subscription to AeroDataBox at RapidAPI; the basic one is free."
                )));
            }
            429 => {
                return Err(FetchError::Message {
                    sentence: format!(
                        "{HOST} allows no more requests with this key for now: raise updateInterval, or take a larger plan \
                         at RapidAPI."
                    ),
                    retry_at: reply.retry_at(),
                });
            }
            400 => {
                return Err(FetchError::message(format!(
                    "{HOST} knows no airport {airport}: check the option airport."
                )));
            }
            _ => {}
        }
        // Without flights the response has no body.
        let boards: BoardsReply = if reply.status == 204 { BoardsReply::default() } else { reply.json()? };
        if boards.message.is_some() && boards.departures.is_empty() && boards.arrivals.is_empty() {
            return Err(reply.unexpected("a message in place of flights"));
        }
        let mut parts: Vec<Part> = Vec::new();
        if direction != FlightDirection::Arrival {
            parts.extend(self.board(boards.departures, true, context.now()));
        }
        if direction != FlightDirection::Departure {
            parts.extend(self.board(boards.arrivals, false, context.now()));
        }
        let credit = Link::parse("AeroDataBox", "https://aerodatabox.com/");
        Ok(Panel { credit, ..Panel::new(parts).titled(Phrase::foreign(airport)) })
    }
}

impl FlightData {
    fn board(&self, flights: Vec<FlightReply>, leaves: bool, now: Moment) -> Vec<Part> {
        let is_there = |flight: &FlightReply| flight.best().is_none_or(|(at, _)| now.since(at) <= GONE);
        let mut flights: Vec<FlightReply> = flights.into_iter().filter(is_there).collect();
        flights.sort_by_key(|flight| flight.best().map_or(i64::MAX, |(at, _)| at.millis()));
        flights.truncate(self.limit.count());
        let heading: &'static str = if leaves { "Departures" } else { "Arrivals" };
        let mut parts: Vec<Part> = vec![Heading::new(heading).into()];
        if flights.is_empty() {
            parts.push(Notice::empty("No flights in the next 12 hours").into());
        } else {
            let entries = flights.into_iter().map(FlightReply::entry).collect();
            parts.push(Entries::new(entries).into());
        }
        parts
    }
}

/// A local time at the airport, and how many seconds it is ahead of UTC.
fn local(time: Option<&TimeReply>) -> Option<(Moment, i32)> {
    Moment::parse_with_offset(time?.local.as_deref()?)
}

fn clock((at, offset): (Moment, i32)) -> Datum {
    Datum::Time { at, style: Style::Time, offset: Some(offset) }
}

impl MovementReply {
    fn scheduled(&self) -> Option<(Moment, i32)> {
        let old = || Moment::parse_with_offset(self.scheduled_time_local.as_deref()?);
        local(self.scheduled_time.as_ref()).or_else(old)
    }

    /// The actual time, or the best estimate.
    fn revised(&self) -> Option<(Moment, i32)> {
        [&self.revised_time, &self.runway_time, &self.predicted_time].into_iter().find_map(|time| local(time.as_ref()))
    }
}

impl FlightReply {
    /// The most accurate known time.
    fn best(&self) -> Option<(Moment, i32)> {
        let movement = self.movement.as_ref()?;
        movement.revised().or_else(|| movement.scheduled())
    }

    /// A row of the board: the time and the other airport, and below them the flight.
    fn entry(self) -> panel::ListEntry {
        let (words, tone): (Phrase, Tone) = match self.status.as_deref() {
            Some("Departed") => ("Departed".into(), Tone::Success),
            Some("Arrived") => ("Arrived".into(), Tone::Success),
            Some("Boarding") => ("Boarding".into(), Tone::Success),
            Some("Expected") => ("Expected".into(), Tone::Plain),
            Some("EnRoute") => ("On its way".into(), Tone::Plain),
            Some("CheckIn") => ("Check-in".into(), Tone::Plain),
            Some("GateClosed") => ("Gate closed".into(), Tone::Plain),
            Some("Approaching") => ("Approaching".into(), Tone::Plain),
            Some("Delayed") => ("Delayed".into(), Tone::Warning),
            Some("Canceled") => ("Canceled".into(), Tone::Danger),
            Some("CanceledUncertain") => ("Probably canceled".into(), Tone::Danger),
            Some("Diverted") => ("Diverted".into(), Tone::Danger),
            Some("Unknown") | None => ("Unknown".into(), Tone::Neutral),
            Some(other) => (Phrase::foreign(other), Tone::Neutral),
        };
        let movement = self.movement.unwrap_or_default();
        let scheduled = movement.scheduled();
        let revised = movement.revised();
        let minutes = scheduled
            .zip(revised)
            .map_or(0, |(scheduled, revised)| (revised.0.millis() - scheduled.0.millis()) / 60_000);
        let change = scheduled.filter(|_| minutes.abs() >= DELAY).map(|scheduled| {
            let change = Datum::number(minutes as f64, panel::Unit::None).signed();
            let change = if minutes > 0 { change.toned(Tone::Warning) } else { change };
            Phrase::from("{change} min, scheduled for {time}").with("change", change).with("time", clock(scheduled))
        });
        // A late flight is late, whatever else is known.
        let tone = if minutes >= DELAY && tone == Tone::Plain { Tone::Warning } else { tone };
        let text = |words: &'static str, value: Option<String>| {
            value.map(|value| Datum::from(Phrase::from(words).with("value", value)))
        };
        let airport = movement.airport.unwrap_or_default();
        let name = airport.name.filter(|name| !name.eq_ignore_ascii_case("unknown"));
        let place = match (name, airport.iata) {
            (Some(name), Some(iata)) => Some(format!("{name} ({iata})")),
            (name, iata) => name.or(iata),
        };
        let title = place.map_or_else(|| Phrase::from("Unknown airport"), Phrase::foreign);
        let title = match revised.or(scheduled) {
            Some(time) => Phrase::from("{time} {airport}").with("time", clock(time)).with("airport", title),
            None => title,
        };
        let values = [
            self.number.map(Datum::from),
            change.map(Datum::from),
            self.airline.and_then(|airline| airline.name).map(Datum::from),
            text("Terminal {value}", movement.terminal),
            text("Gate {value}", movement.gate),
            text("Belt {value}", movement.baggage_belt),
            self.aircraft.and_then(|aircraft| aircraft.model).map(Datum::from),
        ];
        panel::ListEntry {
            state: Some(words),
            tone,
            values: values.into_iter().flatten().collect(),
            ..panel::ListEntry::new(title)
        }
    }
}
