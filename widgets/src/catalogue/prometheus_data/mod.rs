//! `prometheus-data`: numbers and charts of a metrics database, from the user's own queries.

mod format;
mod headers;
mod metric;
mod reply;
mod show;

use std::{collections::BTreeMap, time::Duration};

use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::{
    headers::Headers,
    metric::{Metric, MetricQuery},
    reply::QueryResult,
};
use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{BaseAddress, ChartStyle, Lenient, OneOrMany, Secret, Text},
};

/// Further metrics are left out.
const MAX_METRICS: usize = 20;
/// How many queries run at the same time.
const PARALLEL: usize = 4;
/// Longer queries are sent in the body.
const MAX_IN_ADDRESS: usize = 2000;

/// Shows numbers and charts from a Prometheus server, or another server with its API, from queries in PromQL.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PrometheusData {
    /// Address of the server with its path, such as {example} or `https://example.com/prometheus`.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.5:9090"))]
    url: Lenient<BaseAddress>,
    /// What is shown, up to 20 metrics, such as {example}: each with a `query`, and optionally with a `label`, a `format`, a `range` such
    /// as `6h` for a chart, and a `legend` such as `{{instance}}`.
    #[schemars(extend("x-required" = true, "x-example" = "[{ label: Targets, query: sum(up) }]"))]
    metrics: OneOrMany<Lenient<Metric>>,
    /// The query, instead of `metrics`, if there is only one. Optional.
    query: Text,
    /// Label of the only query. Without it, the query is shown.
    label: Text,
    /// Format of the numbers of the only query. Without it, as numbers.
    #[schemars(extend("type" = ["string", "object"], "properties" = format::properties()))]
    format: Lenient<Value>,
    /// How far back the chart of the only query reaches, such as {example}. Without it, a number is shown.
    #[schemars(extend("x-example" = "6h"))]
    range: Text,
    /// Names of its series, such as {example}. Without it, the labels that differ.
    #[schemars(extend("x-example" = "{{instance}}"))]
    legend: Text,
    /// User name, if the server requires a login. Optional.
    username: Text,
    /// The password, or the name of an environment variable. Optional.
    password: Secret,
    /// A token sent as Bearer, or the name of an environment variable. Optional.
    token: Secret,
    /// Additional headers by name, such as {example}. Optional.
    #[schemars(extend("x-example" = "X-Scope-OrgID"))]
    #[schemars(with = "BTreeMap<String, String>")]
    headers: Headers,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for PrometheusData {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("host", "url"), ("hostname", "url")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::OwnData;
    const USUAL_LINES: usize = 12;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.url.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "url", "the address of Prometheus");
        self.check_metrics(problems);
        self.headers.check(problems);
        self.chart.check(problems);
        if entry.refreshes_more_often_than(Duration::from_secs(5)) {
            problems.note("Queries cost the server work: an updateInterval below 5 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let metrics = self.metrics();
        // Boxed, because the compiler cannot handle a stream of borrowing futures otherwise.
        let queries: Vec<_> = metrics.iter().map(|metric| Box::pin(self.query(metric, context))).collect();
        let mut results: Vec<Result<QueryResult, FetchError>> =
            stream::iter(queries).buffered(PARALLEL).collect().await;
        if !results.is_empty() && results.iter().all(Result::is_err) {
            return results.swap_remove(0).map(|_| Panel::default());
        }
        Ok(Panel::new(show::parts(&metrics, &results, &self.chart)))
    }
}

impl PrometheusData {
    /// The metrics as written in the options; the only query if there are none.
    fn written(&self) -> Vec<Lenient<Metric>> {
        if self.metrics.is_empty() && self.query.is_set() {
            let metric = Metric {
                query: self.query.clone(),
                label: self.label.clone(),
                format: self.format.clone(),
                range: self.range.clone(),
                legend: self.legend.clone(),
            };
            return vec![Lenient::Known(metric)];
        }
        self.metrics.as_slice().to_vec()
    }

    /// The metrics that can be queried.
    fn metrics(&self) -> Vec<MetricQuery> {
        self.written().iter().filter_map(|metric| metric.get()?.read().ok()).take(MAX_METRICS).collect()
    }

    fn check_metrics(&self, problems: &mut OptionProblems) {
        let written = self.written();
        problems.require_option(!written.is_empty(), "metrics", "a list of at least one query (or set query)");
        let has_good_one = !self.metrics().is_empty();
        for (index, metric) in written.iter().enumerate() {
            let number = index + 1;
            let error = match metric.get() {
                None => Some(format!("Entry {number} of metrics has no query.")),
                Some(metric) => {
                    if let Some(note) = metric.format_note() {
                        problems.note(format!("Entry {number} of metrics: {note}"));
                    }
                    metric.read().err().map(|error| error.sentence(number))
                }
            };
            // An invalid metric is left out; the others still work.
            match error {
                Some(error) if has_good_one => problems.note(error),
                Some(error) => problems.error(error),
                None => {}
            }
        }
        if written.len() > MAX_METRICS {
            problems
                .note(format!("metrics has more than {MAX_METRICS} entries; only the first {MAX_METRICS} are used."));
        }
    }

    async fn query(&self, metric: &MetricQuery, context: &dyn WidgetContext) -> Result<QueryResult, FetchError> {
        let mut fields = vec![("query", metric.query.clone())];
        let window = metric.window(context.now());
        if let Some(window) = &window {
            fields.extend([
                ("start", window.start.to_string()),
                ("end", window.end.to_string()),
                ("step", window.step.to_string()),
            ]);
        }
        let path = if window.is_some() { "/api/v1/query_range" } else { "/api/v1/query" };
        // People copy addresses from their browser.
        let address = self.url.get().cloned().unwrap_or_default().without(&["/api/v1", "/graph", "/query"]);
        let url = address.join(path, &[]);
        let mut request = if metric.query.len() > MAX_IN_ADDRESS {
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            Request::post(url).form(&fields)
        } else {
            fields.iter().fold(Request::get(url), |request, (name, value)| request.query(name, value))
        };
        request = request.header("Accept", "application/json");
        if self.token.is_set() {
            request = request.bearer(&self.token);
        } else if self.password.is_set() || self.username.is_set() {
            request = request.basic(&self.username, &self.password);
        }
        let request = self.headers.add_to(request);
        let has_login = self.token.is_set() || self.password.is_set();
        let reply = context.exchange(request).await?;
        reply::read(&reply, window, has_login)
    }
}
