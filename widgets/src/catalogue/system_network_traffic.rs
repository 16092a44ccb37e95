//! `system-network-traffic`: the recent network traffic of a machine.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, ChartStyle},
    panel::{Chart, ChartShape, Point, Series, Unit},
    services::system_monitor::{
        Monitor,
        history::{HistoryReply, TimedValue, past, timed},
    },
};

/// Draws how much data a machine has recently sent and received, from its system monitor.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemNetworkTraffic {
    #[serde(flatten)]
    monitor: Monitor,
    /// Maximum number of points.
    limit: Bounded<2, 100, 100_000>,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for SystemNetworkTraffic {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 18;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
        self.limit.check("limit", problems);
        self.chart.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(10))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let path = format!("network/history/{}", self.limit.get());
        let history: HistoryReply = self.monitor.read("network", &path, context).await?;
        let (sent, received) = (
            summed(&history, TrafficDirection::Sent, context.now()),
            summed(&history, TrafficDirection::Received, context.now()),
        );
        let all = sent.iter().chain(&received).map(|(at, _)| *at);
        let (Some(first), Some(last)) = (all.clone().min(), all.max()) else {
            return Ok(Panel::empty("No history yet"));
        };
        if sent.len().max(received.len()) < 2 {
            return Ok(Panel::empty("No history yet"));
        }
        // Points of the same second have no time span to name.
        let title = past(last.since(first), "Network traffic", "Network traffic: past {time}");
        // Outgoing traffic is drawn downwards, so that neither hides the other.
        let series = |index: usize, name: &'static str, points: Vec<Rate>| Series {
            name: name.into(),
            color: self.chart.color(index),
            // The accent is for the downloads, which are most of it.
            palette: Some(if index == 0 { 1 } else { 0 }),
            below: index == 0,
            points: points.into_iter().map(|(at, rate)| Point::at(at, rate.map(f64::round))).collect(),
            ..Series::default()
        };
        let chart = Chart {
            title: title.clone(),
            shape: ChartShape::Area,
            series: vec![series(0, "Upload", sent), series(1, "Download", received)],
            unit: Unit::BytesPerSecond,
            height: self.chart.height(),
            from_zero: true,
            ..Chart::default()
        };
        Ok(Panel::new(vec![chart.into()]).titled(title))
    }
}

/// Bytes per second at a time.
type Rate = TimedValue;

#[derive(Clone, Copy, PartialEq, Eq)]
enum TrafficDirection {
    Sent,
    Received,
}

/// The endings of series names: the direction, and whether the values are rates. Version 4 sends rates, older versions
/// send bytes since the previous point.
const ENDINGS: [(&str, TrafficDirection, bool); 4] = [
    ("_bytes_sent_rate_per_sec", TrafficDirection::Sent, true),
    ("_bytes_recv_rate_per_sec", TrafficDirection::Received, true),
    ("_tx", TrafficDirection::Sent, false),
    ("_rx", TrafficDirection::Received, false),
];

/// The sum over the interfaces that lead out of the machine.
fn summed(history: &HistoryReply, direction: TrafficDirection, now: Moment) -> Vec<Rate> {
    // Bridges and interfaces of containers repeat the traffic of the real network cards.
    let has_card = history.iter().filter_map(|(name, _)| interface(name)).any(|(interface, ..)| is_card(interface));
    let counts = |interface: &str| !["lo", "lo0"].contains(&interface) && (is_card(interface) || !has_card);
    let series = history.iter().filter_map(|(name, points)| {
        let (interface, its_direction, is_rate) = interface(name)?;
        (its_direction == direction && counts(interface)).then(|| {
            let points = timed(points, now);
            if is_rate { points } else { rates(&points) }
        })
    });
    let mut series: Vec<Vec<Rate>> = series.collect();
    series.sort_by_key(Vec::len);
    let Some(mut sum) = series.pop() else { return Vec::new() };
    for shorter in &series {
        // Times differ by microseconds and lengths by a few points, so match the series from their newest points
        // backwards.
        for ((_, rate), (_, more)) in sum.iter_mut().rev().zip(shorter.iter().rev()) {
            *rate = match (*rate, more) {
                (Some(one), Some(other)) => Some(one + other),
                (one, other) => one.or(*other),
            };
        }
    }
    sum
}

/// The interface, the direction and the kind of values of a series. Names of interfaces may contain underscores
/// themselves.
fn interface(name: &str) -> Option<(&str, TrafficDirection, bool)> {
    ENDINGS.iter().find_map(|(ending, direction, is_rate)| Some((name.strip_suffix(ending)?, *direction, *is_rate)))
}

fn is_card(interface: &str) -> bool {
    let interface = interface.to_ascii_lowercase();
    ["eth", "en", "wl"].iter().any(|beginning| interface.starts_with(beginning))
}

/// Converts bytes since the previous point to bytes per second.
fn rates(points: &[Rate]) -> Vec<Rate> {
    let pairs = points.windows(2).map(|pair| {
        let seconds = pair[1].0.since(pair[0].0).as_secs_f64();
        (pair[1].0, pair[1].1.filter(|_| seconds > 0.0).map(|bytes| bytes / seconds))
    });
    pairs.collect()
}
