//! The history of one machine kept by a metrics server, from version 1 of its API.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    FetchError, Moment, OptionProblems, Request, WidgetContext,
    option_types::{BaseAddress, Lenient, Text},
    panel::{Datum, Phrase, Point},
    services::tolerant,
};

/// How far back the charts reach, in seconds, and their number of points.
const SECONDS: u32 = 600;
const POINTS: u32 = 60;

/// The options of all widgets of a metrics server, flattened into theirs.
#[derive(Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MetricsServer {
    /// Address of the metrics server, such as {example}. For a machine that reports to it:
    /// `http://parent:19999/host/name`.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.1:19999"))]
    host: Lenient<BaseAddress>,
    /// Version of its API. Without it, `v1`.
    api_version: Text,
}

impl MetricsServer {
    /// Reports what is wrong with these options.
    pub(crate) fn check(&self, problems: &mut OptionProblems) {
        problems.require_option(self.host.get().is_some_and(BaseAddress::is_set), "host", "the address of Netdata");
    }

    /// Fetches the last ten minutes of a chart such as `system.cpu`.
    ///
    /// # Errors
    ///
    /// The server does not have the chart, rejects the login, or the response has an unexpected shape.
    pub(crate) async fn chart(&self, chart: &str, context: &dyn WidgetContext) -> Result<ChartData, FetchError> {
        let address = self.host.get().cloned().unwrap_or_default();
        let version = self.api_version.get().unwrap_or("v1");
        let request = Request::get(address.join("/api/{}/data", &[version]))
            .query("chart", chart)
            .query("after", format_args!("-{SECONDS}"))
            .query("points", POINTS)
            .query("group", "average")
            .query("format", "json")
            .query("options", "seconds");
        let reply = context.exchange(request).await?;
        let host = &reply.host;
        match reply.status {
            403 => Err(FetchError::message(format!(
                "{host} does not allow requests from this server (403): allow it in the settings of Netdata (allow connections from)."
            ))),
            404 => Err(FetchError::message(format!(
                "{host} has no chart {chart} (404): the machine runs another system, or does not collect this."
            ))),
            412 => Err(FetchError::message(format!(
                "{host} asks for a token (412): switch off the bearer protection of Netdata."
            ))),
            _ => ChartData::of(reply.json()?).ok_or_else(|| reply.unexpected("data of another shape")),
        }
    }
}

/// The recorded data of one of the server's charts.
pub(crate) struct ChartData {
    /// The names of the series; they depend on the monitored machine.
    pub(crate) names: Vec<String>,
    /// The values of all series by time, oldest first. `None` where nothing was collected.
    pub(crate) rows: Vec<(Moment, Vec<Option<f64>>)>,
}

impl ChartData {
    /// The time span covered, in whole minutes if it is longer than one.
    pub(crate) fn span(&self) -> Duration {
        let (Some((first, _)), Some((last, _))) = (self.rows.first(), self.rows.last()) else { return Duration::ZERO };
        let seconds = last.since(*first).as_secs();
        // A row covers the time since the previous one, so the exact difference is one step short.
        Duration::from_secs(if seconds < 60 { seconds } else { (seconds + 30) / 60 * 60 })
    }

    /// The title with the time span covered; without it if there is only a single row. `with_time` has a placeholder
    /// `{time}`.
    pub(crate) fn title(&self, title: &'static str, with_time: &'static str) -> Phrase {
        match self.span().as_secs_f64() {
            0.0 => Phrase::from(title),
            span => Phrase::from(with_time).with("time", Datum::seconds(span)),
        }
    }

    /// The values of the newest row with collected data.
    pub(crate) fn newest(&self) -> Option<&[Option<f64>]> {
        let with_values = |values: &&Vec<Option<f64>>| values.iter().any(Option::is_some);
        self.rows.iter().rev().map(|(_, values)| values).find(with_values).map(Vec::as_slice)
    }

    /// The points of one series.
    pub(crate) fn points(&self, series: usize) -> Vec<Point> {
        let value = |values: &[Option<f64>]| values.get(series).copied().flatten().map(rounded);
        self.rows.iter().map(|(at, values)| Point::at(*at, value(values))).collect()
    }
}

/// Values have seven digits, of which at most two decimals are shown.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

impl ChartData {
    /// The data of a response; `None` if it has none, which is not the same as an empty list.
    fn of(reply: DataReply) -> Option<Self> {
        let table = reply.result.unwrap_or(TableReply { labels: reply.labels, data: reply.data });
        let rows = table.data?.into_iter().filter_map(|row| {
            let mut values = row.into_iter();
            // Seconds since 1970 are small enough to be exact.
            let at = Moment::from_seconds(values.next().flatten()? as i64);
            Some((at, values.collect()))
        });
        let mut rows: Vec<_> = rows.collect();
        // The order depends on the version and on options.
        rows.sort_by_key(|(at, _)| *at);
        let names = table.labels.into_iter().skip(1).map(Option::unwrap_or_default).collect();
        Some(Self { names, rows })
    }
}

/// The data itself, or wrapped in `result`.
#[derive(Deserialize)]
struct DataReply {
    #[serde(default, deserialize_with = "tolerant::positions")]
    labels: Vec<Option<String>>,
    data: Option<Vec<Vec<Option<f64>>>>,
    result: Option<TableReply>,
}

#[derive(Deserialize)]
struct TableReply {
    #[serde(default, deserialize_with = "tolerant::positions")]
    labels: Vec<Option<String>>,
    data: Option<Vec<Vec<Option<f64>>>>,
}
