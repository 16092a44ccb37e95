//! `dns-sinkhole-traffic-v6`: the DNS queries of a day, permitted and blocked, by version 6 of an ad blocker.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Entry, FetchError, Moment, Outside, Panel, Problems, Reach, Widget,
    option_types::{BaseAddress, ChartLook, Secret},
    panel::{Chart, ChartShape, Point, Series, Tone},
    services::dns_sinkhole_v6::{self, Instance},
};

/// Draws the DNS queries of the last 24 hours, permitted and blocked ones, in steps of ten minutes. For version 6 and
/// later of the ad blocker.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsSinkholeTrafficV6 {
    /// Address of the instance, such as `http://192.168.1.2`. Required.
    hostname: BaseAddress,
    /// Password of the instance, or better an application password made for this. With two-factor login only that works.
    /// Required.
    api_key: Secret,
    #[serde(flatten)]
    chart: ChartLook,
}

impl Widget for DnsSinkholeTrafficV6 {
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, _entry: &Entry, problems: &mut Problems) {
        dns_sinkhole_v6::check(&self.hostname, &self.api_key, problems);
        self.chart.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, outside: &impl Outside) -> Result<Panel, FetchError> {
        let instance = Instance::new(&self.hostname, &self.api_key);
        let mut slots = instance.read::<HistoryReply>("/history", outside).await?.history;
        if slots.is_empty() {
            return Ok(Panel::empty("No data yet"));
        }
        slots.sort_by(|one, other| one.timestamp.total_cmp(&other.timestamp));
        let summed = summed(&slots);
        let narrow = (slots.len() > MOST_NARROW).then(|| Box::new(self.chart(&summed)));
        let chart = Chart { narrow, ..self.chart(&slots) };
        Ok(Panel::new(vec![chart.into()]).titled("Recent queries and ads"))
    }
}

impl DnsSinkholeTrafficV6 {
    fn chart(&self, slots: &[SlotReply]) -> Chart {
        let series = |index: usize, name: &'static str, tone: Tone, value: fn(&SlotReply) -> f64| Series {
            name: name.into(),
            color: self.chart.color(index),
            tone,
            points: slots.iter().map(|slot| Point::at(slot.at(), Some(value(slot)))).collect(),
            ..Series::default()
        };
        Chart {
            title: "Recent queries and ads".into(),
            shape: ChartShape::Bars,
            series: vec![
                // The service counts all queries; a bar is the sum of both series.
                series(0, "Allowed", Tone::Success, |slot| (slot.total - slot.blocked).max(0.0)),
                series(1, "Blocked", Tone::Danger, |slot| slot.blocked),
            ],
            height: self.chart.height(),
            from_zero: true,
            stacked: true,
            ..Chart::default()
        }
    }
}

/// So many bars can be told apart where there is little room.
const MOST_NARROW: usize = 48;

/// Eight bars of three hours each are drawn there.
const BARS: usize = 8;
const BAR_SECONDS: f64 = 3.0 * 3600.0;

/// The sums of the hours of a bar, counted back from the newest slot. A device that was off leaves some out.
fn summed(slots: &[SlotReply]) -> Vec<SlotReply> {
    let Some(newest) = slots.last().map(|slot| slot.timestamp) else { return Vec::new() };
    let bars = (0..BARS).rev().filter_map(|bar| {
        // A handful.
        #[allow(clippy::cast_precision_loss)]
        let end = newest - bar as f64 * BAR_SECONDS;
        let of_bar = slots.iter().filter(|slot| slot.timestamp <= end && slot.timestamp > end - BAR_SECONDS);
        of_bar.fold(None, |sum: Option<SlotReply>, slot| {
            let (total, blocked) = sum.map_or((0.0, 0.0), |sum| (sum.total, sum.blocked));
            let timestamp = end - BAR_SECONDS / 2.0;
            Some(SlotReply { timestamp, total: total + slot.total, blocked: blocked + slot.blocked })
        })
    });
    bars.collect()
}

#[derive(Deserialize)]
struct HistoryReply {
    #[serde(default)]
    history: Vec<SlotReply>,
}

#[derive(Deserialize)]
struct SlotReply {
    timestamp: f64,
    #[serde(default)]
    total: f64,
    #[serde(default)]
    blocked: f64,
}

impl SlotReply {
    /// The middle of the slot; the fraction of a second says nothing.
    fn at(&self) -> Moment {
        #[allow(clippy::cast_possible_truncation)]
        Moment::from_seconds(self.timestamp as i64)
    }
}
