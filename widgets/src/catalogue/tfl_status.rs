//! `tfl-status`: how the railway lines of London run.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{Color, Flag, Lenient, OneOrMany},
    panel::{self, Details, Entries, Notice, Part, Phrase, Tone},
};

const STATUS: &str = "https://api.tfl.gov.uk/line/mode/dlr,elizabeth-line,overground,tram,tube/status";
/// The service caches its responses for this long, so more frequent requests show nothing new.
const SHORTEST_UPDATE: Duration = Duration::from_secs(60);
/// Severities, worst first.
const WORST_FIRST: [i64; 21] = [1, 2, 16, 3, 4, 5, 11, 6, 8, 7, 9, 15, 14, 12, 13, 17, 0, 19, 20, 18, 10];

/// Shows the status of the Underground (the Tube), Overground, DLR, Elizabeth line and trams of London.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TflStatus {
    /// Lists all lines at once. Otherwise those with a good service are collapsed into one row.
    show_all: Flag,
    /// Sorts by name. Otherwise the worst come first.
    sort_alphabetically: Flag,
    /// Names of the lines to show, such as {example}; `London Overground` means all of its lines. Without it, all
    /// lines.
    #[schemars(extend("x-example" = "Jubilee"))]
    lines_to_show: OneOrMany<Lenient<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LineReply {
    id: String,
    name: String,
    mode_name: String,
    line_statuses: Vec<StatusReply>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct StatusReply {
    status_severity: Option<i64>,
    status_severity_description: String,
    reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ErrorReply {
    message: String,
}

/// A line with its statuses, worst first.
#[derive(Debug)]
struct Line {
    /// Its color on the maps.
    color: Option<&'static str>,
    name: String,
    severity: Option<i64>,
    states: Vec<String>,
    reasons: Vec<String>,
}

impl Widget for TflStatus {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Travel;
    const USUAL_LINES: usize = 9;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        // A wrong entry costs only itself.
        let wrong: Vec<&str> = self.lines_to_show.iter().filter_map(Lenient::unknown).collect();
        let none_is_left = !wrong.is_empty() && self.wanted().is_empty();
        problems.require(!none_is_left, "linesToShow must be a list of names of lines.");
        for written in wrong.into_iter().filter(|_| !none_is_left) {
            problems.note(format!("'{written}' in linesToShow is not the name of a line; it is left out."));
        }
        if entry.refreshes_more_often_than(SHORTEST_UPDATE) {
            problems.note("Transport for London has news once a minute; a shorter updateInterval shows nothing new.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(120))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let reply = context.exchange(Request::get(STATUS)).await?;
        if reply.status == 429 {
            return Err(FetchError::TooMany { retry_at: retry_at(&reply), host: reply.host });
        }
        let lines: Vec<LineReply> = reply.json()?;
        let wanted = self.wanted();
        let unknown: Vec<&str> =
            wanted.iter().copied().filter(|name| !lines.iter().any(|line| line.is_called(name))).collect();
        let is_wanted = |line: &LineReply| wanted.is_empty() || wanted.iter().any(|name| line.is_called(name));
        let mut lines: Vec<Line> = lines.into_iter().filter(is_wanted).map(Line::from).collect();
        lines.sort_by_cached_key(|line| {
            let rank = if self.sort_alphabetically.is_on() { 0 } else { rank(line.severity) };
            (rank, line.name.to_lowercase())
        });
        let mut parts = self.parts(lines);
        // If the list is shorter than requested, the reason comes first.
        parts.splice(
            0..0,
            unknown
                .into_iter()
                .map(|name| Notice::warning(Phrase::from("No line called {name}").with("name", name)).into()),
        );
        Ok(Panel::new(parts))
    }
}

impl TflStatus {
    /// The names of the lines to show; empty for all.
    fn wanted(&self) -> Vec<&str> {
        let written = self.lines_to_show.iter().filter_map(Lenient::get);
        // A comma-separated text is a habit from other software, and the name of a line never has a comma.
        written.flat_map(|text| text.split(',')).map(str::trim).filter(|name| !name.is_empty()).collect()
    }

    fn parts(&self, lines: Vec<Line>) -> Vec<Part> {
        if lines.is_empty() {
            return vec![Notice::empty("No lines").into()];
        }
        if self.show_all.is_on() {
            return vec![list(&lines)];
        }
        let (good, disrupted): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(Line::is_good);
        let mut parts = Vec::new();
        if !disrupted.is_empty() {
            parts.push(list(&disrupted));
        }
        let summary = match (disrupted.is_empty(), good.len()) {
            (_, 0) => return parts,
            (true, _) => Phrase::from("Good service on all lines"),
            (false, 1) => Phrase::from("Good service on 1 other line"),
            (false, count) => Phrase::from("Good service on {n} other lines").with("n", panel::Datum::count(count)),
        };
        parts.push(Details { summary, parts: vec![list(&good)], ..Details::default() }.into());
        parts
    }
}

impl LineReply {
    /// Whether a name means this line.
    fn is_called(&self, name: &str) -> bool {
        let name = plain(name);
        // Until 2024 the Overground was a single line, and existing files name it.
        let is_overground = matches!(name.as_str(), "london overground" | "overground");
        plain(&self.name) == name || plain(&self.id) == name || is_overground && self.mode_name == "overground"
    }
}

/// A name in the form in which it is compared: lower case, with `&`, without `line` at its end. Ids are names with
/// hyphens.
fn plain(name: &str) -> String {
    let name = name.trim().to_lowercase().replace('-', " ").replace(" and ", " & ");
    name.strip_suffix(" line").unwrap_or(&name).trim().to_owned()
}

/// The rank of a severity; lower is worse. Unknown severities come before those that are only informative.
fn rank(severity: Option<i64>) -> usize {
    let place = |severity: i64| WORST_FIRST.iter().position(|known| *known == severity);
    severity.and_then(place).or_else(|| place(0)).unwrap_or_default()
}

impl From<LineReply> for Line {
    fn from(reply: LineReply) -> Self {
        let mut statuses = reply.line_statuses;
        statuses.sort_by_key(|status| rank(status.status_severity));
        let mut line = Self {
            severity: statuses.first().and_then(|status| status.status_severity),
            states: Vec::new(),
            reasons: Vec::new(),
            color: color(&reply.id),
            name: reply.name,
        };
        for status in statuses {
            let reason = status.reason.map(|reason| without_name(&reason, &line.name)).unwrap_or_default();
            for (texts, text) in [(&mut line.states, status.status_severity_description), (&mut line.reasons, reason)] {
                if !text.is_empty() && !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        line
    }
}

impl Line {
    fn is_good(&self) -> bool {
        self.tone() == Tone::Success
    }

    fn tone(&self) -> Tone {
        match self.severity {
            Some(10 | 18) => Tone::Success,
            Some(7..=9 | 11..=17) => Tone::Warning,
            Some(1..=6) => Tone::Danger,
            Some(0 | 19) => Tone::Info,
            _ => Tone::Neutral,
        }
    }
}

/// When the service allows the next request. It says so in a sentence: "Try again in 23 seconds."
fn retry_at(reply: &Response) -> Option<Moment> {
    let explained = || reply.any_json::<ErrorReply>().ok().and_then(|error| seconds(&error.message));
    reply.retry_at().or_else(|| Some(reply.received.after(Duration::from_secs(explained()?))))
}

/// The number before the word `seconds`.
fn seconds(sentence: &str) -> Option<u64> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let pair = words.windows(2).find(|pair| pair[1].starts_with("second"))?;
    pair[0].parse().ok().filter(|seconds| *seconds <= 3600)
}

/// The color of a line on the maps, by its id.
fn color(id: &str) -> Option<&'static str> {
    Some(match id {
        "bakerloo" => "#b36305",
        "central" => "#e32017",
        "circle" => "#ffd300",
        "district" => "#00782a",
        "dlr" => "#00a4a7",
        "elizabeth" => "#6950a1",
        "hammersmith-city" => "#f3a9bb",
        "jubilee" => "#a0a5a9",
        "liberty" => "#606667",
        "lioness" => "#ef9600",
        "metropolitan" => "#9b0056",
        "mildmay" => "#2774ae",
        "northern" => "light-dark(#000000, #ffffff)",
        "piccadilly" => "#003688",
        "suffragette" => "#5ba763",
        "tram" => "#84b817",
        "victoria" => "#0098d4",
        "waterloo-city" => "#95cdba",
        "weaver" => "#893b67",
        "windrush" => "#d22730",
        _ => return None,
    })
}

/// A reason with single spaces and without the name of its line at the beginning, as in "Jubilee Line: Minor delays".
fn without_name(reason: &str, name: &str) -> String {
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    match reason.split_once(':') {
        Some((before, rest)) if plain(before).contains(&plain(name)) => rest.trim().to_owned(),
        _ => reason,
    }
}

fn list(lines: &[Line]) -> Part {
    let entries = lines.iter().map(|line| panel::ListEntry {
        text: (!line.reasons.is_empty()).then(|| Phrase::foreign(line.reasons.join("\n"))),
        opens: true,
        state: (!line.states.is_empty()).then(|| Phrase::foreign(line.states.join(" · "))),
        tone: line.tone(),
        color: line.color.map(Color::fixed),
        ..panel::ListEntry::new(Phrase::foreign(&line.name))
    });
    Entries::new(entries.collect()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_severity_has_a_rank() {
        let mut known = WORST_FIRST;
        known.sort_unstable();
        assert!(known.iter().copied().eq(0..=20));
        assert!(rank(Some(1)) < rank(Some(6)) && rank(Some(6)) < rank(Some(99)) && rank(None) < rank(Some(10)));
    }

    #[test]
    fn the_wait_is_in_the_sentence() {
        for (sentence, expected) in [
            ("Rate limit is exceeded. Try again in 23 seconds.", Some(23)),
            ("Try again in 1 second.", Some(1)),
            ("Try again in 99999999 seconds.", None),
            ("Try again in some seconds.", None),
            ("Rate limit is exceeded.", None),
        ] {
            assert_eq!(seconds(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn reasons_lose_only_the_name_of_their_line() {
        for (reason, name, expected) in [
            ("JUBILEE LINE:  Minor delays:  see below. ", "Jubilee", "Minor delays: see below."),
            ("Elizabeth line: No service", "Elizabeth line", "No service"),
            ("Hammersmith & City Line: Closed", "Hammersmith & City", "Closed"),
            ("HAMMERSMITH AND CITY LINE: Closed", "Hammersmith & City", "Closed"),
            ("Saturday: No service", "Northern", "Saturday: No service"),
            ("Works", "Northern", "Works"),
        ] {
            assert_eq!(without_name(reason, name), expected);
        }
    }
}
