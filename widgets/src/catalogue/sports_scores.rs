//! `sports-scores`: results and coming games of a team or a league.

use std::{cmp::Reverse, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Entry, FetchError, Moment, OptionProblems, Outside, Panel, Reach, Request, Widget, address,
    option_types::{Bounded, Flag, Lenient, Secret, Text},
    panel::{self, Datum, Entries, Link, Notice, Paragraph, Part, Phrase, Picture, SafeUrl, Style, Tone},
    services::tolerant,
};

const BASE: &str = "https://www.thesportsdb.com/api/v1/json";
/// The key that everybody may use. It shows few games.
const PUBLIC_KEY: &str = "123";

/// Shows results or coming games of one team or one league: football, basketball, ice hockey and more, from
/// TheSportsDB. Its public key shows one game of most lists, and of teams only games at home; a key of your own shows all.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SportsScores {
    /// Number of the team, as in the address of its page at thesportsdb.com. Required without `leagueId`; goes before it.
    team_id: Text,
    /// Number of the league. Required without `teamId`.
    league_id: Text,
    /// `past` or `future`. Without it, `past`.
    past_or_future: Lenient<Time>,
    /// Key of TheSportsDB, or the name of an environment variable. Without it, the public key is used.
    api_key: Secret,
    /// How many games are listed.
    limit: Bounded<1, 15, 100>,
    /// Hides the pictures.
    hide_image: Flag,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Time {
    #[default]
    Past,
    Future,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct EventsReply {
    // Which of the two depends on the question; nothing found is null.
    #[serde(deserialize_with = "tolerant::entries")]
    events: Vec<EventReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    results: Vec<EventReply>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EventReply {
    #[serde(deserialize_with = "tolerant::text")]
    id_event: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_event: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_league: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    int_round: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_home_team: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_away_team: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_home_team_badge: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    int_home_score: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    int_away_score: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_timestamp: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    date_event: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_time: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_status: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_venue: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_thumb: Option<String>,
}

impl Widget for SportsScores {
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require(
            self.team_id.is_set() || self.league_id.is_set(),
            "Give teamId or leagueId (the number in the address of the team or league page on thesportsdb.com).",
        );
        for (name, id) in [("teamId", &self.team_id), ("leagueId", &self.league_id)] {
            problems.require(id.bytes().all(|byte| byte.is_ascii_digit()), &format!("{name} must be a number."));
        }
        problems.require(self.past_or_future.unknown().is_none(), "pastOrFuture must be past or future.");
        self.limit.check("limit", problems);
        if entry.looks_more_often_than(Duration::from_secs(60)) {
            problems.note("TheSportsDB allows 30 requests a minute for all: an updateInterval below 60 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15 * 60))
    }

    async fn fetch(&self, outside: &dyn Outside) -> Result<Panel, FetchError> {
        let is_past = self.past_or_future.or_default() == Time::Past;
        let (question, id) = match (self.team_id.get(), is_past) {
            (Some(team), true) => ("eventslast", team),
            (Some(team), false) => ("eventsnext", team),
            (None, true) => ("eventspastleague", &*self.league_id),
            (None, false) => ("eventsnextleague", &*self.league_id),
        };
        let key = if self.api_key.is_set() { address::encode(self.api_key.reveal()) } else { PUBLIC_KEY.to_owned() };
        let request = Request::get(format!("{BASE}/{key}/{question}.php")).query("id", id);
        let reply = outside.exchange(request).await?;
        // A wrong key is an address that does not exist.
        if matches!(reply.status, 401 | 403 | 404) {
            return Err(if self.api_key.is_set() {
                FetchError::login_refused(
                    "www.thesportsdb.com refused the key: check the option apiKey, or leave it out.",
                )
            } else {
                FetchError::told("www.thesportsdb.com no longer takes its public key: set the option apiKey.")
            });
        }
        let unknown = reply.status == 200 && reply.body.trim_ascii().is_empty();
        let answer: EventsReply = if unknown { EventsReply::default() } else { reply.json()? };
        let events = if answer.events.is_empty() { answer.results } else { answer.events };
        Ok(self.panel(events, is_past))
    }
}

impl SportsScores {
    fn panel(&self, mut events: Vec<EventReply>, is_past: bool) -> Panel {
        if is_past {
            events.sort_by_key(|event| Reverse(event.start()));
        } else {
            events.sort_by_key(|event| (event.start().is_none(), event.start()));
        }
        let mut parts: Vec<Part> = Vec::new();
        if events.is_empty() {
            let words: &'static str = if is_past { "No past events" } else { "No upcoming events" };
            parts.push(Notice::empty(words).into());
        } else {
            let events = events.into_iter().take(self.limit.count());
            let entries = events.map(|event| event.entry(self.hide_image.is_on(), is_past)).collect();
            parts.push(Entries { entries, folded_after: None }.into());
        }
        if !self.api_key.is_set() {
            let text = "The public key shows one game of most lists, and of teams only games at home. An apiKey of \
                TheSportsDB shows all.";
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        Panel { credit: Link::parse("TheSportsDB", "https://www.thesportsdb.com/"), ..Panel::new(parts) }
    }
}

/// The words for a state; those of the service where it is another.
fn status(written: &str) -> Phrase {
    match written {
        "FT" | "Match Finished" | "AP" => "finished".into(),
        "AET" | "AOT" => "after overtime".into(),
        "PEN" => "after penalties".into(),
        "NS" | "Not Started" => "not started".into(),
        "HT" => "half-time".into(),
        "1H" => "first half".into(),
        "2H" => "second half".into(),
        "PST" => "postponed".into(),
        "CANC" | "ABD" => "cancelled".into(),
        other => Phrase::foreign(other),
    }
}

impl EventReply {
    fn start(&self) -> Option<Moment> {
        let stamp = self.str_timestamp.as_deref().and_then(|written| Moment::parse_local(written, 0));
        stamp.or_else(|| {
            let day = self.date_event.as_deref()?;
            let time = self.str_time.as_deref().unwrap_or("00:00:00");
            Moment::parse_local(&format!("{day} {time}"), 0).or_else(|| Moment::parse_local(day, 0))
        })
    }

    fn entry(self, hides_picture: bool, is_past: bool) -> panel::Entry {
        let start = self.start();
        let title = match (&self.str_home_team, &self.str_away_team) {
            (Some(home), Some(away)) => format!("{home} – {away}"),
            _ => self.str_event.clone().unwrap_or_else(|| "?".to_owned()),
        };
        let score = match (&self.int_home_score, &self.int_away_score) {
            (Some(home), Some(away)) => Some(Phrase::foreign(format!("{home} : {away}"))),
            _ => None,
        };
        let link = |thing: &str, id: &Option<String>| {
            let id = id.as_deref().filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()))?;
            SafeUrl::parse(&format!("https://www.thesportsdb.com/{thing}/{id}"))
        };
        let round = self.int_round.as_deref().filter(|round| *round != "0");
        let values = [
            start.map(|at| Datum::time(at, Style::DateTime)),
            self.str_league.as_deref().map(Datum::text),
            round.map(|round| Phrase::from("Round {round}").with("round", round).into()),
            self.str_venue.as_deref().map(Datum::text),
        ];
        let picture = self.str_thumb.or(self.str_home_team_badge).filter(|_| !hides_picture);
        // That a coming game has not begun says its date.
        let state = self.str_status.as_deref().filter(|state| is_past || !["NS", "Not Started"].contains(state));
        let is_off = matches!(self.str_status.as_deref(), Some("PST" | "CANC" | "ABD"));
        panel::Entry {
            url: link("event", &self.id_event),
            state: score,
            values: values.into_iter().flatten().collect(),
            picture: picture.as_deref().and_then(Picture::parse),
            tags: state.map(status).into_iter().collect(),
            tone: if is_off { Tone::Danger } else { Tone::Plain },
            ..panel::Entry::new(Phrase::foreign(title))
        }
    }
}
