//! Metrics for Prometheus, in the names and units that it recommends. They are off unless `METRICS_ADDR` is set; then one set
//! counts for the whole process.
//!
//! All labels have few values: templates of routes, types of widgets, and words of our own. None is an address or a name of a
//! person.

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{
        OnceLock, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use prometheus_client::{
    encoding::{EncodeLabelSet, prometheus_text, text},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::{Registry, Unit},
};

use super::process;

/// Upper bounds of the buckets of times, in seconds. Few, because each route has all of them.
const BUCKETS: [f64; 6] = [0.001, 0.01, 0.05, 0.25, 1.0, 5.0];

/// The values of the label `status`.
const STATUS_CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// The metrics of this process, once they are on.
static METRICS: OnceLock<Metrics> = OnceLock::new();

type Seconds = Counter<f64, AtomicU64>;

/// The metrics, with their registry.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_seconds: Family<RouteLabel, Histogram, fn() -> Histogram>,
    /// The metrics of each route that has been requested, from the two families above. Finding them there needs a copy of the
    /// route each time.
    routes: RwLock<HashMap<Box<str>, RouteMetrics>>,
    pages: Family<ResultLabel, Counter>,
    panels: Family<ResultLabel, Counter>,
    lookups: Family<WidgetLabels, Counter>,
    lookup_seconds: Histogram,
    widget_seconds: Family<WidgetLabel, Seconds>,
    widget_success: Family<WidgetLabel, Gauge>,
    checks: Family<ResultLabel, Counter>,
    check_seconds: Histogram,
    sign_ins: Family<SignInLabels, Counter>,
    writes: Family<ResultLabel, Counter>,
    alerts: Family<ResultLabel, Counter>,
    refused: Family<ReasonLabel, Counter>,
    state: StateGauges,
    process: ProcessGauges,
}

/// The metrics of a route.
#[derive(Debug)]
struct RouteMetrics {
    seconds: Histogram,
    /// In the order of [`STATUS_CLASSES`]. A class without responses has no line in the exposition.
    by_status: [OnceLock<Counter>; STATUS_CLASSES.len()],
}

/// What is only known at a scrape.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// Open event streams.
    pub streams: usize,
    /// Cached panels.
    pub panels: usize,
    /// Tasks of all runtimes that have not ended.
    pub tasks: usize,
    /// Services by the result of their last check: up, down, and not checked yet.
    pub services: [usize; 3],
    /// Whether the main config is valid.
    pub is_config_valid: bool,
    /// Additional pages whose file cannot be read.
    pub broken_pages: usize,
    /// Pages in files of their own.
    pub pages: usize,
    /// The number of the current version of the config files.
    pub revision: u64,
    /// Whether files can be written to the user-data folder.
    pub is_writable: bool,
    /// `None` without a database.
    pub database: Option<DatabaseState>,
}

/// The database as this server sees it.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseState {
    /// Whether it can be reached.
    pub is_up: bool,
    /// How many queries this server has sent.
    pub queries: u64,
    /// How many leases this server holds.
    pub leases: usize,
}

#[derive(Debug, Default)]
struct StateGauges {
    streams: Gauge,
    panels: Gauge,
    tasks: Gauge,
    services: Family<StateLabel, Gauge>,
    config_valid: Gauge,
    broken_pages: Gauge,
    pages: Gauge,
    revision: Gauge,
    writable: Gauge,
    /// Empty without a database.
    database: Family<StateLabel, Gauge>,
    database_queries: Counter,
    leases: Gauge,
}

#[derive(Debug, Default)]
struct ProcessGauges {
    resident: Gauge,
    virtual_memory: Gauge,
    open_files: Gauge,
    max_files: Gauge,
    cpu: Seconds,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct RequestLabels {
    route: String,
    status: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct RouteLabel {
    route: String,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ResultLabel {
    result: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct WidgetLabel {
    widget: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct WidgetLabels {
    widget: &'static str,
    result: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct SignInLabels {
    method: &'static str,
    result: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ReasonLabel {
    reason: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct StateLabel {
    state: &'static str,
}

/// Starts counting, unless it has started.
pub fn turn_on() -> &'static Metrics {
    METRICS.get_or_init(Metrics::new)
}

/// The metrics, if they are on.
pub fn metrics() -> Option<&'static Metrics> {
    METRICS.get()
}

fn times() -> Histogram {
    Histogram::new(BUCKETS)
}

impl Metrics {
    fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::default(),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(times),
            routes: RwLock::default(),
            pages: Family::default(),
            panels: Family::default(),
            lookups: Family::default(),
            lookup_seconds: times(),
            widget_seconds: Family::default(),
            widget_success: Family::default(),
            checks: Family::default(),
            check_seconds: times(),
            sign_ins: Family::default(),
            writes: Family::default(),
            alerts: Family::default(),
            refused: Family::default(),
            state: StateGauges::default(),
            process: ProcessGauges::default(),
        };
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let mut registry = Registry::default();
        let own = registry.sub_registry_with_prefix("portico");
        own.register("build", "The version of the program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        own.register("http_requests", "Requests by route and class of status", metrics.requests.clone());
        own.register_with_unit(
            "http_request_duration",
            "Time until the headers of the response",
            Unit::Seconds,
            metrics.request_seconds.clone(),
        );
        own.register("page_cache_requests", "Requested pages: rendered (miss) or cached (hit)", metrics.pages.clone());
        own.register("panel_cache_requests", "Requested panels: cached (hit) or not (miss)", metrics.panels.clone());
        own.register("widget_lookups", "Lookups by widget type and result", metrics.lookups.clone());
        own.register_with_unit(
            "widget_lookup_duration",
            "Time of a lookup of any widget",
            Unit::Seconds,
            metrics.lookup_seconds.clone(),
        );
        own.register_with_unit(
            "widget_lookup",
            "Time spent in lookups, by widget type",
            Unit::Seconds,
            metrics.widget_seconds.clone(),
        );
        own.register_with_unit(
            "widget_last_success_timestamp",
            "When a widget of this type got new data last",
            Unit::Seconds,
            metrics.widget_success.clone(),
        );
        own.register("status_checks", "Status checks by result", metrics.checks.clone());
        own.register_with_unit(
            "status_check_duration",
            "Response time of services that are up",
            Unit::Seconds,
            metrics.check_seconds.clone(),
        );
        own.register("sign_ins", "Attempts to sign in by method and result", metrics.sign_ins.clone());
        own.register("config_writes", "Writes of config files by result", metrics.writes.clone());
        own.register("alerts", "Messages about services by result", metrics.alerts.clone());
        own.register("outbound_refused", "Requests to other hosts that the guards refused", metrics.refused.clone());
        let state = &metrics.state;
        own.register("event_streams", "Open event streams", state.streams.clone());
        own.register("panels", "Cached panels", state.panels.clone());
        own.register("runtime_tasks", "Tasks that have not ended", state.tasks.clone());
        own.register("services", "Watched services by state", state.services.clone());
        own.register("config_valid", "Whether the main config is valid (1) or not (0)", state.config_valid.clone());
        own.register("pages", "Pages in files of their own", state.pages.clone());
        own.register("broken_pages", "Pages whose file cannot be read", state.broken_pages.clone());
        own.register("config_revision", "The number of the current version of the files", state.revision.clone());
        own.register("folder_writable", "Whether the user-data folder can be written to", state.writable.clone());
        own.register("database", "Whether the database can be used (1) or not (0)", state.database.clone());
        own.register("database_queries", "Queries to the database", state.database_queries.clone());
        own.register(
            "leases",
            "Leases that this server holds: work that it does for all servers",
            state.leases.clone(),
        );
        let own = registry.sub_registry_with_prefix("process");
        let process = &metrics.process;
        own.register_with_unit("resident_memory", "Memory in use", Unit::Bytes, process.resident.clone());
        own.register_with_unit("virtual_memory", "Virtual memory", Unit::Bytes, process.virtual_memory.clone());
        own.register("open_fds", "Open file descriptors", process.open_files.clone());
        own.register("max_fds", "Maximum number of open file descriptors", process.max_files.clone());
        own.register_with_unit("cpu", "Time on all processors", Unit::Seconds, process.cpu.clone());
        let start = Gauge::<f64, AtomicU64>::default();
        start.set(started);
        own.register_with_unit("start_time", "When the process started, since 1970", Unit::Seconds, start);
        metrics.registry = registry;
        metrics
    }

    /// Counts a response: its route, as a template, and the time until its headers.
    pub fn request(&self, route: &str, status: u16, took: Duration) {
        let class = usize::from(status / 100).clamp(1, STATUS_CLASSES.len()) - 1;
        let count = |metrics: &RouteMetrics| {
            let new = || {
                let labels = RequestLabels { route: route.to_owned(), status: STATUS_CLASSES[class] };
                self.requests.get_or_create_owned(&labels)
            };
            metrics.by_status[class].get_or_init(new).inc();
            metrics.seconds.observe(took.as_secs_f64());
        };
        if let Some(metrics) = self.routes.read().unwrap_or_else(PoisonError::into_inner).get(route) {
            return count(metrics);
        }
        let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
        count(routes.entry(route.into()).or_insert_with(|| RouteMetrics {
            seconds: self.request_seconds.get_or_create_owned(&RouteLabel { route: route.to_owned() }),
            by_status: Default::default(),
        }));
    }

    /// Counts a requested page.
    pub fn page(&self, is_cached: bool) {
        self.pages.get_or_create(&hit(is_cached)).inc();
    }

    /// Counts a requested panel.
    pub fn panel(&self, is_cached: bool) {
        self.panels.get_or_create(&hit(is_cached)).inc();
    }

    /// Counts a finished lookup of a widget.
    pub fn lookup(&self, widget: &'static str, is_ok: bool, took: Duration) {
        self.lookups.get_or_create(&WidgetLabels { widget, result: outcome(is_ok) }).inc();
        self.lookup_seconds.observe(took.as_secs_f64());
        self.widget_seconds.get_or_create(&WidgetLabel { widget }).inc_by(took.as_secs_f64());
        if is_ok {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            self.widget_success.get_or_create(&WidgetLabel { widget }).set(whole(now));
        }
    }

    /// Counts a status check; `took` is the response time of a service that is up.
    pub fn check(&self, is_up: bool, took: Duration) {
        self.checks.get_or_create(&ResultLabel { result: if is_up { "up" } else { "down" } }).inc();
        if is_up {
            self.check_seconds.observe(took.as_secs_f64());
        }
    }

    /// Counts an attempt to sign in. `method` is a word of ours.
    pub fn sign_in(&self, method: &'static str, is_ok: bool) {
        self.sign_ins.get_or_create(&SignInLabels { method, result: outcome(is_ok) }).inc();
    }

    /// Counts a write of a config file.
    pub fn write(&self, is_ok: bool) {
        self.writes.get_or_create(&ResultLabel { result: outcome(is_ok) }).inc();
    }

    /// Counts an alert that was sent, or could not be.
    pub fn alert(&self, is_ok: bool) {
        self.alerts.get_or_create(&ResultLabel { result: outcome(is_ok) }).inc();
    }

    /// Counts a request to another host that the guards refused. `reason` is a word of ours.
    pub fn refused(&self, reason: &'static str) {
        self.refused.get_or_create(&ReasonLabel { reason }).inc();
    }

    /// All metrics as text: OpenMetrics, or the older format of Prometheus.
    pub fn text(&self, state: State, is_open_metrics: bool) -> String {
        self.state.set(state);
        self.process.read();
        let mut written = String::with_capacity(16 * 1024);
        let result = if is_open_metrics {
            text::encode(&mut written, &self.registry)
        } else {
            prometheus_text::encode(&mut written, &self.registry)
        };
        if let Err(error) = result {
            // Writing to a `String` cannot fail.
            _ = writeln!(written, "# {error}");
        }
        written
    }
}

impl StateGauges {
    fn set(&self, state: State) {
        self.streams.set(whole(state.streams));
        self.panels.set(whole(state.panels));
        self.tasks.set(whole(state.tasks));
        for (state, count) in ["up", "down", "waiting"].into_iter().zip(state.services) {
            self.services.get_or_create(&StateLabel { state }).set(whole(count));
        }
        self.config_valid.set(state.is_config_valid.into());
        self.broken_pages.set(whole(state.broken_pages));
        self.pages.set(whole(state.pages));
        self.revision.set(whole(state.revision));
        self.writable.set(state.is_writable.into());
        if let Some(database) = state.database {
            self.database.get_or_create(&StateLabel { state: "up" }).set(database.is_up.into());
            self.database_queries.inner().store(database.queries, Ordering::Relaxed);
            self.leases.set(whole(database.leases));
        }
    }
}

impl ProcessGauges {
    fn read(&self) {
        let Some(usage) = process::usage() else { return };
        self.resident.set(whole(usage.resident_bytes));
        self.virtual_memory.set(whole(usage.virtual_bytes));
        self.open_files.set(whole(usage.open_files));
        self.max_files.set(whole(usage.max_files));
        self.cpu.inner().store(usage.cpu_seconds.to_bits(), Ordering::Relaxed);
    }
}

fn whole(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

fn hit(is_cached: bool) -> ResultLabel {
    ResultLabel { result: if is_cached { "hit" } else { "miss" } }
}

fn outcome(is_ok: bool) -> &'static str {
    if is_ok { "success" } else { "failure" }
}
