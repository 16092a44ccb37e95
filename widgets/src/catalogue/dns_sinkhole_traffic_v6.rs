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
        let series = |index: usize, name: &'static str, tone: Tone, value: fn(&SlotReply) -> f64| Series {
            below: false,
            name: name.into(),
            color: self.chart.color(index),
            tone,
            points: slots.iter().map(|slot| Point::at(slot.at(), Some(value(slot)))).collect(),
        };
        let chart = Chart {
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
        };
        Ok(Panel::new(vec![chart.into()]).titled("Recent queries and ads"))
    }
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
