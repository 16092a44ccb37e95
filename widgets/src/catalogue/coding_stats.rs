//! `coding-stats`: how much a user programs, from Code::Stats.

use std::{collections::BTreeMap, time::Duration};

use jiff::{
    Span, ToSpan as _,
    civil::{Date, Weekday},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Audience, Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{BaseAddress, Bounded, Flag, Text},
    panel::{Datum, Donut, Heading, HeatDay, HeatMap, Meter, Notice, Part, Phrase, Slice, Stat, Stats, Unit},
    services::{calendar, tolerant, weeks::first_weekday},
};

/// Maximum number of languages and machines shown separately.
const MAX_SLICES: usize = 9;

/// Shows the programming activity of a user from Code::Stats: level, points by day, languages and machines.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CodingStats {
    /// Name of a user whose profile is public, such as {example}, or the name of an environment variable.
    #[schemars(extend("x-required" = true, "x-example" = "alice"))]
    username: Text,
    /// Address of your own instance. Without it, `https://codestats.net`.
    hostname: Text,
    /// How many months of history are shown.
    months_to_show: Bounded<1, 6, 24>,
    /// Hides level and points.
    hide_meta: Flag,
    /// Hides the history.
    hide_history: Flag,
    /// Hides the languages.
    hide_languages: Flag,
    /// Hides the machines.
    hide_machines: Flag,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ProfileReply {
    #[serde(deserialize_with = "tolerant::text")]
    user: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    total_xp: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    new_xp: Option<f64>,
    machines: Value,
    languages: Value,
    dates: Value,
}

impl Widget for CodingStats {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("user", "username"), ("host", "hostname")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Development;
    const USUAL_LINES: usize = 27;
    // The history ends on the viewer's current day.
    const AUDIENCE: Audience = Audience::Language;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.username.is_set(), "username", "the name of a user of Code::Stats");
        let sentence = "hostname must be an http(s) address, for example https://codestats.net.";
        problems.require(BaseAddress::parse_secure(&self.hostname).is_ok(), sentence);
        self.months_to_show.check("monthsToShow", problems);
        if entry.refreshes_more_often_than(Duration::from_secs(5 * 60)) {
            problems.note("An `updateInterval` below 300 may exceed the fair-use limit of the service.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(45 * 60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let hidden = [self.hide_meta, self.hide_history, self.hide_languages, self.hide_machines];
        if hidden.iter().all(|hide| hide.is_on()) {
            return Ok(Panel::empty("All parts of this widget are hidden"));
        }
        let base = self.base();
        let url = base.join("/api/users/{}", &[&self.username]);
        let reply = context.exchange(Request::get(url).header("Accept", "application/json")).await?;
        if reply.status == 404 {
            return Err(FetchError::message(format!(
                "{}: user not found, or the profile is private: check the option username.",
                reply.host
            )));
        }
        let profile: ProfileReply = reply.json()?;
        if profile.user.is_none() && profile.total_xp.is_none() {
            return Err(reply.unexpected("data of another shape"));
        }
        let viewer = context.viewer();
        let today = calendar::today(context.now(), viewer);
        Ok(self.panel(&profile, today, first_weekday(viewer.locale.as_deref())))
    }
}

impl CodingStats {
    /// The instance.
    fn base(&self) -> BaseAddress {
        let written = self.hostname.get().unwrap_or("https://codestats.net");
        BaseAddress::parse_secure(written).unwrap_or_default()
    }

    fn panel(&self, profile: &ProfileReply, today: Date, first_weekday: Weekday) -> Panel {
        let user = profile.user.as_deref().unwrap_or(&self.username);
        let total = profile.total_xp.map(|total| total.max(0.0));
        let mut parts: Vec<Part> = Vec::new();
        if !self.hide_meta.is_on() {
            parts.extend(meta(total, profile.new_xp.unwrap_or_default()));
        }
        if total == Some(0.0) {
            parts.push(Notice::empty("No activity yet").into());
        } else {
            if !self.hide_history.is_on() {
                parts.push(self.history(&profile.dates, today, first_weekday));
            }
            let shares = [
                (self.hide_languages, false, "Languages", &profile.languages),
                (self.hide_machines, true, "Machines", &profile.machines),
            ];
            let shown = shares.into_iter().filter(|(hide, ..)| !hide.is_on());
            parts.extend(shown.filter_map(|(_, flat, title, xps)| divided(title, xps, flat)));
        }
        let page = BaseAddress::parse(&self.base().public()).unwrap_or_default().join("/users/{}", &[user]);
        Panel::new(parts).titled(Heading::new(Phrase::foreign(user)).linked(&page))
    }

    /// The points of each day, up to today.
    fn history(&self, dates: &Value, today: Date, first_weekday: Weekday) -> Part {
        let months = Span::new().try_months(self.months_to_show.get());
        let first = months.and_then(|months| today.checked_sub(months)).unwrap_or(today);
        let known: BTreeMap<Date, f64> = dates
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(day, xp)| Some((day.parse().ok()?, tolerant::as_number(xp)?)))
            .filter(|(day, xp)| (first..=today).contains(day) && *xp > 0.0)
            .collect();
        let max = known.values().copied().fold(0.0, f64::max);
        let day = |day: Date| match known.get(&day) {
            Some(xp) => HeatDay {
                day: calendar::midnight(day),
                value: Datum::number(*xp, Unit::Sign("XP".to_owned())),
                level: heat(*xp, max),
            },
            None => HeatDay { day: calendar::midnight(day), ..HeatDay::default() },
        };
        let days = first.series(1.day()).take_while(|day| *day <= today).map(day).collect();
        let first_row = first.weekday().since(first_weekday).unsigned_abs();
        HeatMap { title: "Points by day".into(), first_row, days }.into()
    }
}

/// The intensity of a day's color. Single days are extreme, so it follows the square root.
fn heat(points: f64, max: f64) -> u8 {
    let share = (points / max).sqrt() * f64::from(HeatMap::LEVELS);
    // From 1 to the number of colors.
    (share.ceil() as u8).clamp(1, HeatMap::LEVELS)
}

/// The level for a number of points.
fn level(points: f64) -> f64 {
    (0.025 * points.max(0.0).sqrt()).floor()
}

/// The number of points at which a level begins.
fn points(level: f64) -> f64 {
    (level / 0.025).powi(2)
}

/// The level, and the points of which it is made.
fn meta(total: Option<f64>, new: f64) -> Vec<Part> {
    let xp = || Unit::Sign("XP".to_owned());
    let mut stats = vec![Stat::new("Total XP", Datum::from(total.map(Datum::short)))];
    if new > 0.0 {
        stats.push(Stat::new("Last 12 hours", Datum::number(new, xp()).signed()));
    }
    let meter = total.map(|total| meter(total).into());
    meter.into_iter().chain([Stats { stats }.into()]).collect()
}

/// The way to the next level.
fn meter(total: f64) -> Meter {
    let level = level(total);
    let (from, to) = (points(level), points(level + 1.0));
    let share = if to > from { ((total - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
    let share = (share * 1000.0).round() / 1000.0;
    let text = Phrase::from("{percent} of the way to level {next}")
        .with("percent", Datum::percent((share * 100.0).floor()))
        .with("next", Datum::number(level + 1.0, Unit::None));
    let label = Phrase::from("Level {level}").with("level", Datum::number(level, Unit::None));
    Meter { label, share, text: Some(text), ..Meter::default() }
}

/// The shares of the points, largest first; `None` if there are none.
fn divided(title: &'static str, xps: &Value, flat: bool) -> Option<Part> {
    let mut shares: Vec<(&str, f64)> = xps
        .as_object()?
        .iter()
        .filter_map(|(name, xp)| Some((name.as_str(), tolerant::as_number(xp.get("xps")?)?)))
        .filter(|(_, xp)| *xp > 0.0)
        .collect();
    shares.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(other.0)));
    let others: f64 = shares.iter().skip(MAX_SLICES).map(|(_, xp)| xp).sum();
    let shown = shares.iter().take(MAX_SLICES);
    let mut slices: Vec<Slice> = shown
        .map(|(name, xp)| {
            let hint = Phrase::from("{points}, level {level}")
                .with("points", Datum::number(*xp, Unit::Sign("XP".to_owned())))
                .with("level", Datum::number(level(*xp), Unit::None));
            Slice { label: Phrase::foreign(*name), size: *xp, hint: Some(hint), ..Slice::default() }
        })
        .collect();
    if others > 0.0 {
        slices.push(Slice { label: "Others".into(), size: others, ..Slice::default() });
    }
    (!slices.is_empty()).then(|| Donut { title: title.into(), slices, flat, ..Donut::default() }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_the_formula_of_the_service() {
        for (xp, expected) in [(0.0, 0.0), (1599.0, 0.0), (1600.0, 1.0), (1_010_291.0, 25.0), (-5.0, 0.0)] {
            assert!((level(xp) - expected).abs() < f64::EPSILON, "{xp}");
        }
        assert!((points(25.0) - 1_000_000.0).abs() < 1e-6);
    }
}
