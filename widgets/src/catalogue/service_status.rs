//! `service-status`: items of the dashboard, from its own status checks. The server answers `/service-status` itself,
//! from its history of results.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    address::encode,
    option_types::{Flag, Lenient, OneOrMany},
    panel::{Cell, Column, Datum, Decimals, Paragraph, Part, Phrase, Row, Sparkline, Table, Tone, Unit},
};

/// Shows the status of items of the dashboard, from its own status checks: whether they are up, their uptime in the
/// last 24 hours, and how fast they respond. Checks run while somebody is looking; for this widget, items without an
/// interval are checked once a minute.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ServiceStatus {
    /// Titles of the items to show, in this order; `Section/Title` if several items have the same title. Without it,
    /// all items with a status dot that are not hidden from anybody.
    items: OneOrMany<Lenient<String>>,
    /// Shows a small chart of the response times of the last 24 hours.
    show_chart: Flag<true>,
}

#[derive(Debug, Deserialize)]
struct StatusReply {
    services: Vec<ServiceReply>,
    /// The requested titles that are not items with a status dot.
    #[serde(default)]
    unknown: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ServiceReply {
    title: String,
    section: String,
    up: Option<bool>,
    /// The result of the last check, such as `200 - OK`.
    outcome: Option<String>,
    /// Share of the checks that succeeded, 0 to 1.
    uptime: Option<f64>,
    checks: u32,
    /// The mean response time in milliseconds.
    millis: Option<f64>,
    /// The same for each hour.
    hours: Vec<Option<f64>>,
}

impl Widget for ServiceStatus {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 7;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require(!self.items.is_all_wrong(), "items must be a list of titles of items.");
        for written in self.items.iter().filter_map(Lenient::unknown) {
            problems.note(format!("items: {written} is not a title and is left out."));
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let items = self.items.iter().filter_map(Lenient::get).map(|item| format!("item={}", encode(item.trim())));
        let query = items.collect::<Vec<_>>().join("&");
        let address = if query.is_empty() { "/service-status".to_owned() } else { format!("/service-status?{query}") };
        let reply = context.exchange(Request::get(address)).await?;
        if reply.status == 404 {
            return Err(FetchError::message("Pages of other hosts cannot show the services of this dashboard."));
        }
        let told = reply.json().map_err(|_| FetchError::message("The server's own status checks cannot be read."));
        let StatusReply { services, unknown } = told?;
        if services.is_empty() && unknown.is_empty() {
            return Ok(Panel::empty("No item has a status check: set statusCheck to true."));
        }
        let mut parts: Vec<Part> = Vec::new();
        if !services.is_empty() {
            parts.push(self.table(&services).into());
        }
        parts.extend(unknown.iter().map(|item| {
            let sentence =
                Phrase::from("There is no item with a status check called {item}").with("item", item.as_str());
            Paragraph { small: true, ..Paragraph::new(sentence) }.into()
        }));
        Ok(Panel::new(parts))
    }
}

impl ServiceStatus {
    fn table(&self, services: &[ServiceReply]) -> Table {
        let mut columns =
            vec![Column::text("Service"), Column::text("State"), Column::number("Uptime"), Column::number("Time")];
        if self.show_chart.is_on() {
            columns.push(Column::lines("24 h"));
        }
        let rows = services.iter().map(|service| self.row(service)).collect();
        Table { columns, rows, one_line: true, ..Table::default() }
    }

    fn row(&self, service: &ServiceReply) -> Row {
        let (state, tone) = match service.up {
            Some(true) => ("Up", Tone::Success),
            Some(false) => ("Down", Tone::Danger),
            None => ("Not checked", Tone::Neutral),
        };
        let percent = |share: f64| Datum::percent((share.clamp(0.0, 1.0) * 1000.0).floor() / 10.0);
        let checks =
            Phrase::from("{count} checks in 24 hours").with("count", Datum::number(service.checks, Unit::None));
        let millis = service
            .millis
            .map(|millis| Datum::number(millis.max(0.0).round(), Unit::Milliseconds).decimals(Decimals::Exactly(0)));
        let mut cells = vec![
            Cell {
                value: Datum::text(&service.title),
                hint: (!service.section.is_empty()).then(|| Phrase::foreign(&service.section)),
                ..Cell::default()
            },
            Cell {
                value: Phrase::from(state).into(),
                tone,
                hint: service.outcome.as_deref().map(Phrase::message),
                ..Cell::default()
            },
            Cell {
                value: service.uptime.map(percent).into(),
                hint: (service.checks > 0).then_some(checks),
                ..Cell::default()
            },
            Datum::from(millis).into(),
        ];
        if self.show_chart.is_on() {
            let title = Phrase::from("Response time of {service}").with("service", service.title.as_str());
            cells.push(Sparkline { title, values: service.hours.clone(), ..Sparkline::default() }.into());
        }
        Row { cells, ..Row::default() }
    }
}
