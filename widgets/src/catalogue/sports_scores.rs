//! `sports-scores`: results and upcoming games of a team or a league.

use std::{cmp::Reverse, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Action, ActionOutcome, Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Widget,
    WidgetContext, address,
    option_types::{Bounded, Flag, Lenient, Secret, Text},
    panel::{
        self, ActionButton, Columns, Datum, Details, Entries, Link, Notice, Paragraph, Part, Phrase, Picture, SafeUrl,
        Style, Tone,
    },
    services::tolerant,
};

const BASE: &str = "https://www.thesportsdb.com/api/v1/json";
/// The action of the buttons: shows the games of another team or league, or past games instead of future ones.
const SHOW: &str = "show";
/// Pause that the service requires after too many requests.
const PAUSE: Duration = Duration::from_secs(60);
/// Maximum number of teams and leagues to switch to.
const MAX_OTHERS: usize = 20;
/// The states of games that are over; without a state, a score is the result.
const ENDED: [&str; 7] = ["FT", "AET", "AOT", "PEN", "AP", "Match Finished", ""];
/// The public key, which shows only a few games.
const PUBLIC_KEY: &str = "123";

/// Shows results or upcoming games of one team or one league: football, basketball, ice hockey and more, from
/// TheSportsDB. Its public key shows one game of most lists, and only home games of teams; your own key shows all.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SportsScores {
    /// Number of the team, such as {example}, as in the address of its page at thesportsdb.com. Required without `leagueId`; takes precedence.
    #[schemars(extend("x-example" = "133604"))]
    team_id: Text,
    /// Number of the league, such as {example}. Required without `teamId`.
    #[schemars(extend("x-example" = "4328"))]
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

/// The team or league.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TeamSide {
    Team,
    League,
}

/// Which games are shown: those of the options, or those a viewer has switched to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    side: TeamSide,
    id: String,
    time: Time,
}

impl Choice {
    /// Reads the target of an action, which cannot be trusted.
    fn parse(target: &str) -> Option<Self> {
        let mut words = target.split('-');
        let side = match words.next()? {
            "team" => TeamSide::Team,
            "league" => TeamSide::League,
            _ => return None,
        };
        let id = words.next().filter(|id| (1..=12).contains(&id.len()) && is_number(id))?;
        let time = match words.next()? {
            "past" => Time::Past,
            "future" => Time::Future,
            _ => return None,
        };
        words.next().is_none().then(|| Self { side, id: id.to_owned(), time })
    }

    fn button(&self, label: Phrase) -> Vec<Part> {
        let side = if self.side == TeamSide::Team { "team" } else { "league" };
        let time = if self.time == Time::Past { "past" } else { "future" };
        let action = Action { name: SHOW.to_owned(), target: format!("{side}-{}-{time}", self.id) };
        vec![ActionButton { action, label, ..ActionButton::default() }.into()]
    }
}

fn is_number(id: &str) -> bool {
    id.bytes().all(|byte| byte.is_ascii_digit())
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct EventsReply {
    // Which of the two depends on the request; null if nothing was found.
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
    id_league: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    id_home_team: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    id_away_team: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    int_round: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_home_team: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_away_team: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_home_team_badge: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_away_team_badge: Option<String>,
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
    #[serde(deserialize_with = "tolerant::flag")]
    str_postponed: Option<bool>,
    #[serde(deserialize_with = "tolerant::text")]
    str_venue: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    str_thumb: Option<String>,
}

impl Widget for SportsScores {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Fun;
    const USUAL_LINES: usize = 16;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        let has_subject = self.team_id.is_set() || self.league_id.is_set();
        let purpose =
            "the number in the address of the team's page at thesportsdb.com (or leagueId to that of a league)";
        problems.require_option(has_subject, "teamId", purpose);
        for (name, id) in [("teamId", &self.team_id), ("leagueId", &self.league_id)] {
            problems.require(is_number(id), &format!("{name} must be a number."));
        }
        problems.require(self.past_or_future.unknown().is_none(), "pastOrFuture must be past or future.");
        self.limit.check("limit", problems);
        if entry.refreshes_more_often_than(Duration::from_secs(60)) {
            problems.note("TheSportsDB allows 30 requests a minute for all: an updateInterval below 60 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15 * 60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        self.games(&self.choice(), context).await
    }

    /// Shows other games to the viewer who pressed the button; nothing is stored.
    async fn act(&self, action: &Action, context: &dyn WidgetContext) -> Result<ActionOutcome, FetchError> {
        let choice = Choice::parse(&action.target).filter(|_| action.name == SHOW);
        let choice = choice.ok_or_else(|| FetchError::message("There is no such action."))?;
        Ok(ActionOutcome::Shown(Box::new(self.games(&choice, context).await?)))
    }
}

impl SportsScores {
    /// The games chosen by the options.
    fn choice(&self) -> Choice {
        let (side, id) = match self.team_id.get() {
            Some(team) => (TeamSide::Team, team),
            None => (TeamSide::League, &*self.league_id),
        };
        Choice { side, id: id.to_owned(), time: self.past_or_future.or_default() }
    }

    async fn games(&self, choice: &Choice, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let question = match (choice.side, choice.time) {
            (TeamSide::Team, Time::Past) => "eventslast",
            (TeamSide::Team, Time::Future) => "eventsnext",
            (TeamSide::League, Time::Past) => "eventspastleague",
            (TeamSide::League, Time::Future) => "eventsnextleague",
        };
        let id = choice.id.as_str();
        let key = if self.api_key.is_set() { address::encode(self.api_key.reveal()) } else { PUBLIC_KEY.to_owned() };
        let request = Request::get(format!("{BASE}/{key}/{question}.php")).query("id", id);
        let reply = context.exchange(request).await?;
        // The key is a part of the path, so a wrong one gives 404.
        if matches!(reply.status, 401 | 403 | 404) {
            return Err(if self.api_key.is_set() {
                FetchError::login_refused(
                    "www.thesportsdb.com refused the key: check the option apiKey, or leave it out.",
                )
            } else {
                FetchError::message("www.thesportsdb.com no longer takes its public key: set the option apiKey.")
            });
        }
        if reply.status == 429 {
            let retry_at = reply.retry_at().or_else(|| Some(reply.received.after(PAUSE)));
            return Err(FetchError::TooMany { host: reply.host, retry_at });
        }
        let unknown = reply.status == 200 && reply.body.trim_ascii().is_empty();
        let body: EventsReply = if unknown { EventsReply::default() } else { reply.json()? };
        let events = if body.events.is_empty() { body.results } else { body.events };
        Ok(self.panel(events, choice))
    }

    fn panel(&self, mut events: Vec<EventReply>, choice: &Choice) -> Panel {
        let is_past = choice.time == Time::Past;
        if is_past {
            events.sort_by_key(|event| Reverse(event.start()));
        } else {
            events.sort_by_key(|event| (event.start().is_none(), event.start()));
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut others = Vec::new();
        if events.is_empty() {
            let words: &'static str = if is_past { "No past events" } else { "No upcoming events" };
            parts.push(Notice::empty(words).into());
        } else {
            events.truncate(self.limit.count());
            others = others_of(&events, choice);
            let entries = events.into_iter().map(|event| event.entry(self.hide_image.is_on(), is_past)).collect();
            parts.push(Entries::new(entries).into());
        }
        let (words, time) = if is_past { ("Coming games", Time::Future) } else { ("Results", Time::Past) };
        others.insert(0, Choice { time, ..choice.clone() }.button(Phrase::from(words)));
        let usual = self.choice();
        if *choice != usual {
            parts.push(Columns { columns: vec![usual.button("Back".into())] }.into());
        }
        let others = Columns { columns: others }.into();
        parts.push(Details { summary: "Other games".into(), parts: vec![others], ..Details::default() }.into());
        if !self.api_key.is_set() {
            let text = "The public key of TheSportsDB shows one game of most lists, and only home games of teams; your own key shows all.";
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        Panel { credit: Link::parse("TheSportsDB", "https://www.thesportsdb.com/"), ..Panel::new(parts) }
    }
}

/// Buttons for the teams and leagues of these games, except the one that is shown.
fn others_of(events: &[EventReply], choice: &Choice) -> Vec<Vec<Part>> {
    let sides = |event: &EventReply| {
        [
            (TeamSide::League, event.id_league.clone(), event.str_league.clone()),
            (TeamSide::Team, event.id_home_team.clone(), event.str_home_team.clone()),
            (TeamSide::Team, event.id_away_team.clone(), event.str_away_team.clone()),
        ]
    };
    let mut seen = vec![choice.clone()];
    let mut buttons = Vec::new();
    for (side, id, name) in events.iter().flat_map(sides) {
        let (Some(id), Some(name)) = (id.filter(|id| is_number(id)), name) else { continue };
        let other = Choice { side, id, time: choice.time };
        if !seen.contains(&other) && buttons.len() < MAX_OTHERS {
            buttons.push(other.button(Phrase::foreign(name)));
            seen.push(other);
        }
    }
    buttons
}

/// The words for a state; the service's own if it is an unknown one.
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
        "CANC" | "ABD" => "canceled".into(),
        other => Phrase::foreign(other),
    }
}

/// A venue, linked to a search for it on a map.
fn place(venue: &str) -> Datum {
    let search = format!("https://www.openstreetmap.org/search?query={}", address::encode(venue));
    Link::parse(Phrase::foreign(venue), &search).map_or_else(|| Datum::text(venue), Datum::from)
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

    /// By how much the home team has won; `None` until the game is over.
    fn lead(&self) -> Option<f64> {
        let is_over = self.str_status.as_deref().is_none_or(|state| ENDED.contains(&state));
        let score = |written: &Option<String>| written.as_deref()?.trim().parse::<f64>().ok();
        Some(score(&self.int_home_score)? - score(&self.int_away_score)?).filter(|_| is_over)
    }

    fn entry(self, hides_picture: bool, is_past: bool) -> panel::ListEntry {
        let start = self.start();
        let lead = self.lead();
        let team = |name: &str, lead: Option<f64>| match lead {
            Some(lead) if lead > 0.0 => Datum::strong(name, "winner"),
            _ => Datum::text(name),
        };
        let title = match (&self.str_home_team, &self.str_away_team) {
            (Some(home), Some(away)) => Phrase::from("{home} – {away}")
                .with("home", team(home, lead))
                .with("away", team(away, lead.map(|lead| -lead))),
            _ => Phrase::foreign(self.str_event.clone().unwrap_or_else(|| "–".to_owned())),
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
            self.str_venue.as_deref().map(place),
        ];
        // A picture of the game, or else the badges of both teams.
        let (picture, opposite) = match self.str_thumb {
            _ if hides_picture => (None, None),
            Some(thumb) => (Some(thumb), None),
            None => (self.str_home_team_badge, self.str_away_team_badge),
        };
        // Its date already says that an upcoming game has not begun.
        let has_not_begun = ["NS", "Not Started"];
        let state = self.str_status.as_deref().filter(|state| is_past || !has_not_begun.contains(state));
        // A postponed game may still have the state of one that has not begun.
        let is_postponed = self.str_postponed == Some(true)
            && self.str_status.as_deref().is_none_or(|state| has_not_begun.contains(&state));
        let state = if is_postponed { Some("PST") } else { state };
        let is_off = matches!(state, Some("PST" | "CANC" | "ABD"));
        panel::ListEntry {
            url: link("event", &self.id_event),
            state: score,
            values: values.into_iter().flatten().collect(),
            picture: picture.as_deref().and_then(Picture::parse),
            opposite: opposite.as_deref().and_then(Picture::parse),
            tags: state.map(status).into_iter().collect(),
            tone: if is_off { Tone::Danger } else { Tone::Plain },
            ..panel::ListEntry::new(title)
        }
    }
}
