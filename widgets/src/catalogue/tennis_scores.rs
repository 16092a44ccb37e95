//! `tennis-scores`: tennis matches that are being played, are over, or are to come.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{Bounded, Flag, Lenient, Secret},
    panel::{self, Cell, Column, Datum, Entries, Heading, Link, Part, Phrase, Row, Style, Table},
    services::tolerant,
};

const ADDRESS: &str = "https://api.livetennisapi.com/api/public/v1/matches";
/// Maximum number of sets of a match.
const MAX_SETS: usize = 5;
/// The free plan allows 30 requests a minute, and a limited number a day.
const SHORTEST_UPDATE: Duration = Duration::from_secs(30);

/// Shows the scores of tennis matches of the ATP, WTA, Challenger and ITF tours, from the Live Tennis API: those that are
/// being played, or the next or the last ones.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TennisScores {
    /// Your key, free at livetennisapi.com, or the name of an environment variable.
    #[schemars(extend("x-required" = true))]
    api_key: Secret,
    /// The tour: `atp`, `wta`, `challenger` or `itf`. Without it, all.
    tour: Lenient<Tour>,
    /// Which matches are shown: those that are `live`, `upcoming` or `completed`.
    #[schemars(extend("default" = "live"))]
    status: Lenient<MatchStatus>,
    /// Maximum number of matches.
    limit: Bounded<1, 5, 50>,
    /// Hides the names of tournaments and rounds.
    hide_tournament: Flag,
    /// Hides the ranks of players.
    hide_rankings: Flag,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tour {
    #[default]
    All,
    Atp,
    Wta,
    Challenger,
    Itf,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum MatchStatus {
    #[default]
    Live,
    Upcoming,
    Completed,
}

#[derive(Deserialize)]
struct MatchesReply {
    #[serde(deserialize_with = "tolerant::entries")]
    data: Vec<MatchReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MatchReply {
    #[serde(deserialize_with = "tolerant::text")]
    tournament: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    round: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    scheduled_time: Option<String>,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    players: PlayersReply,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    score: ScoreReply,
    /// 1 or 2.
    #[serde(deserialize_with = "tolerant::number")]
    winner: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PlayersReply {
    #[serde(deserialize_with = "tolerant::lenient_part")]
    p1: PlayerReply,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    p2: PlayerReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PlayerReply {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    ranking: Option<f64>,
}

/// The score, each value for the first and for the second player.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ScoreReply {
    /// The games of each set.
    #[serde(deserialize_with = "tolerant::positions")]
    games: Vec<Option<Vec<Option<f64>>>>,
    /// The points of the current game, such as `40` or `AD`.
    #[serde(deserialize_with = "tolerant::positions")]
    points: Vec<Option<String>>,
    /// Who serves: 1 or 2.
    #[serde(deserialize_with = "tolerant::number")]
    server: Option<f64>,
}

impl Widget for TennisScores {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Fun;
    const USUAL_LINES: usize = 10;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.api_key.is_set(), "apiKey", "a key of the Live Tennis API");
        if let Some(written) = self.tour.unknown() {
            problems.note(format!("tour '{written}' is unknown, so all are shown. Use atp, wta, challenger or itf."));
        }
        if let Some(written) = self.status.unknown() {
            problems.note(format!("status '{written}' is unknown, so live is used. Use live, upcoming or completed."));
        }
        self.limit.check("limit", problems);
        if entry.refreshes_more_often_than(SHORTEST_UPDATE) {
            problems.note("The Live Tennis API limits requests: an updateInterval below 30 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(120))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let (status, nothing) = match self.status.or_default() {
            MatchStatus::Live => ("live", "No match is being played"),
            MatchStatus::Upcoming => ("upcoming", "No matches are planned"),
            MatchStatus::Completed => ("completed", "No matches have been played"),
        };
        let mut request = Request::get(ADDRESS).query("status", status).query("limit", self.limit.get());
        let tour = match self.tour.or_default() {
            Tour::All => None,
            Tour::Atp => Some("atp"),
            Tour::Wta => Some("wta"),
            Tour::Challenger => Some("challenger"),
            Tour::Itf => Some("itf"),
        };
        if let Some(tour) = tour {
            request = request.query("tour", tour);
        }
        let reply = context.exchange(request.secret_header("X-API-Key", &self.api_key)).await?;
        let mut matches = read(&reply)?;
        matches.truncate(self.limit.count());
        for found in &mut matches {
            if self.hide_tournament.is_on() {
                (found.tournament, found.round) = (None, None);
            }
            if self.hide_rankings.is_on() {
                (found.players.p1.ranking, found.players.p2.ranking) = (None, None);
            }
        }
        let credit = Link::parse(Phrase::foreign("Live Tennis API"), "https://livetennisapi.com/");
        let panel = if matches.is_empty() {
            Panel::empty(nothing)
        } else if self.status.or_default() == MatchStatus::Upcoming {
            Panel::new(vec![Entries::new(matches.iter().map(MatchReply::entry).collect()).into()])
        } else {
            Panel::new(matches.iter().flat_map(MatchReply::board).collect())
        };
        Ok(Panel { credit, ..panel })
    }
}

fn read(reply: &Response) -> Result<Vec<MatchReply>, FetchError> {
    match reply.status {
        401 => Err(FetchError::login_refused("The Live Tennis API refused the key: check the option apiKey.")),
        403 => Err(FetchError::login_refused(
            "The plan of this key at the Live Tennis API does not include these matches.",
        )),
        _ => {
            let matches = reply.json::<MatchesReply>()?.data.into_iter();
            Ok(matches.filter(|found| found.players.p1.name.is_some() || found.players.p2.name.is_some()).collect())
        }
    }
}

impl PlayerReply {
    fn name(&self) -> Phrase {
        self.name.as_deref().map_or_else(|| "To be decided".into(), Phrase::foreign)
    }
}

impl MatchReply {
    fn players(&self) -> [&PlayerReply; 2] {
        [&self.players.p1, &self.players.p2]
    }

    /// A match that is to come.
    fn entry(&self) -> panel::ListEntry {
        let [one, other] = self.players().map(PlayerReply::name);
        let title = Phrase::from("{one} – {other}").with("one", one).with("other", other);
        let about = [&self.tournament, &self.round].into_iter().flatten().map(|text| Datum::text(text));
        let start = self.scheduled_time.as_deref().and_then(Moment::parse);
        panel::ListEntry {
            values: start.map(|at| Datum::time(at, Style::DateTime)).into_iter().chain(about).collect(),
            ..panel::ListEntry::new(title)
        }
    }

    /// The scoreboard of a match: its players with their games in each set, and the points of the current game.
    fn board(&self) -> Vec<Part> {
        let heading = Heading {
            text: self.tournament.as_deref().map_or_else(|| "Tennis".into(), Phrase::foreign),
            url: None,
            picture: None,
            subtitle: self.round.as_deref().map(Phrase::foreign),
        };
        let of = |side: usize| self.score.games.get(side).cloned().flatten().unwrap_or_default();
        let games = [of(0), of(1)];
        let sets = games.iter().map(Vec::len).max().unwrap_or_default().min(MAX_SETS);
        let has_points = self.winner.is_none() && self.score.points.iter().any(Option::is_some);
        let set = |number: usize| Column {
            name: Phrase::from("Set {number}").with("number", Datum::count(number)),
            ..Column::number("")
        };
        let mut columns = vec![Column::text("Player")];
        columns.extend((1..=sets).map(set));
        columns.extend(has_points.then(|| Column::number("Points")));
        let rows = self.players().into_iter().zip(&games).enumerate().map(|(side, (player, games))| {
            let mut cells = vec![self.name_cell(side, player)];
            let number =
                |set: usize| games.get(set).copied().flatten().map(|games| Datum::count(games.max(0.0) as usize));
            cells.extend((0..sets).map(|set| Cell::from(Datum::from(number(set)))));
            let points = self.score.points.get(side).and_then(Option::as_deref);
            cells.extend(has_points.then(|| Cell::from(points.map_or(Datum::Missing, Datum::text))));
            Row { cells, ..Row::default() }
        });
        let rows = rows.collect();
        vec![heading.into(), Table { columns, rows, headless: true, one_line: true, ..Table::default() }.into()]
    }

    fn name_cell(&self, side: usize, player: &PlayerReply) -> Cell {
        let is_side = |number: Option<f64>| number == Some([1.0, 2.0][side]);
        let name = player.name.as_deref().unwrap_or_default();
        let value = if name.is_empty() {
            Datum::Words(player.name())
        } else if is_side(self.winner) {
            Datum::strong(name, "winner")
        } else if is_side(self.score.server) && self.winner.is_none() {
            Datum::strong(name, "serving")
        } else {
            Datum::text(name)
        };
        let rank = player
            .ranking
            .map(|rank| Phrase::from("Rank {number}").with("number", Datum::count(rank.max(0.0) as usize)));
        Cell { hint: rank, ..value.into() }
    }
}
