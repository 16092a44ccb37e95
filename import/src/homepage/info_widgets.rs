//! `widgets.yaml`: what is at the top of the page.

use serde_json::{Map, Value, json};

use super::{entries::named, settings::HomepageSettings};
use crate::{
    draft::{ConfigDraft, Put, SectionDraft, WidgetDraft},
    fields::{Fields, addresses, text_of},
    icons,
    report::{Report, SourceLocation},
    search_engines,
};

const KNOWN: [&str; 14] = [
    "datetime",
    "glances",
    "greeting",
    "kubernetes",
    "logo",
    "longhorn",
    "openmeteo",
    "openweathermap",
    "resources",
    "search",
    "stocks",
    "unifi_console",
    "weather",
    "weatherapi",
];

/// Widgets that are more than a few values: they stay cards.
const NEEDS_ROOM: [&str; 2] = ["custom-search", "notes"];

/// Whether Homepage has such a widget.
pub fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

/// A section with the widgets of a file, if there are any.
pub fn section(
    value: Value,
    place: &SourceLocation,
    settings: &mut HomepageSettings,
    draft: &mut ConfigDraft,
    report: &mut Report,
) -> Option<SectionDraft> {
    let mut section = SectionDraft::new("Overview");
    for (name, content) in named(value, place, report) {
        let place = place.child(&name);
        let lost = addresses(&content);
        let mut fields = Fields::of(content, place.clone(), report);
        if name == "logo" {
            logo(fields, draft, report);
            continue;
        }
        match widgets(&name, &mut fields, settings, report) {
            Some(mut widgets) => {
                for widget in &mut widgets {
                    widget.in_header = !NEEDS_ROOM.contains(&widget.kind);
                }
                section.widgets.extend(widgets);
                fields.finish_with(report, |key| match key {
                    "disk" => Some("a `system-disk-space` widget shows the disks of a machine with Glances"),
                    "focus" => Some("the search of the page can be used without clicking: just type"),
                    _ => None,
                });
            }
            None => report.lost(&place, format!("there is no such widget{lost}")),
        }
    }
    Some(section).filter(|section| !section.is_empty())
}

/// The widgets for one of Homepage; `None` if there is none.
pub fn widgets(
    name: &str,
    fields: &mut Fields,
    settings: &mut HomepageSettings,
    report: &mut Report,
) -> Option<Vec<WidgetDraft>> {
    Some(match name {
        "resources" => {
            report.changed(
                &fields.place,
                "`resources`: the figures are for the machine that Portico runs on, and are chosen by the widget",
            );
            fields.skip(&["cpu", "memory", "cputemp", "uptime", "units", "refresh", "network", "expanded"]);
            vec![WidgetDraft::new("system-info").labelled(fields.words("label"))]
        }
        "search" => search(fields, report).into_iter().collect(),
        "datetime" => vec![datetime(fields, report)],
        "openmeteo" | "openweathermap" | "weatherapi" | "weather" => vec![weather(name, fields, settings, report)],
        "greeting" => {
            fields.skip(&["text_size"]);
            vec![WidgetDraft::new("notes").with("content", fields.words("text"))]
        }
        "glances" => vec![glances(fields)],
        "stocks" => stocks(fields),
        _ => return None,
    })
}

fn search(fields: &mut Fields, report: &mut Report) -> Option<WidgetDraft> {
    let custom = fields.words("url");
    let mut engines = Vec::new();
    for provider in fields.texts("provider") {
        match search_engines::address_of(&provider).map(str::to_owned).or_else(|| custom.clone()) {
            Some(url) => engines.push(json!({ "title": search_engines::title_of(&provider), "url": url })),
            None => report.lost(&fields.place, format!("the search engine `{provider}`")),
        }
    }
    if engines.is_empty() {
        let url = custom.unwrap_or_else(|| "https://duckduckgo.com/?q=".to_owned());
        engines.push(json!({ "title": "Search", "url": url }));
    }
    let method = fields.words("target").map(|target| if target == "_self" { "sametab" } else { "newtab" });
    Some(WidgetDraft::new("custom-search").with("engines", Some(engines)).with("openingMethod", method))
}

fn datetime(fields: &mut Fields, report: &mut Report) -> WidgetDraft {
    fields.skip(&["text_size"]);
    let mut clock = WidgetDraft::new("clock").with("format", fields.words("locale"));
    let Some(mut format) = fields.mapping("format", report) else { return clock };
    let has_date = format.words("dateStyle").is_some();
    let time = format.words("timeStyle");
    // `hour12` wins, as in `Intl.DateTimeFormat`.
    let cycle = format.words("hourCycle").map(|cycle| cycle == "h11" || cycle == "h12");
    clock = clock
        .with("timeZone", format.words("timeZone"))
        .with("use12Hour", format.flag("hour12").or(cycle))
        .with("hideDate", (!has_date).then_some(true))
        .with("hideSeconds", time.filter(|style| style == "short").map(|_| true));
    format.finish(report);
    clock
}

fn weather(name: &str, fields: &mut Fields, settings: &mut HomepageSettings, report: &mut Report) -> WidgetDraft {
    fields.skip(&["cache", "timezone"]);
    let provider = fields.words("provider");
    let key = fields.words("apiKey").or_else(|| settings.provider(provider.as_deref()?));
    let is_open_weather_map = name == "openweathermap" || provider.as_deref() == Some("openweathermap");
    if !is_open_weather_map && name != "openmeteo" {
        report.changed(&fields.place, "the weather comes from Open-Meteo, which needs no key");
    }
    let label = fields.words("label");
    let key = key.filter(|_| is_open_weather_map);
    WidgetDraft::new("weather")
        .with("provider", Some(if key.is_some() { "openweathermap" } else { "open-meteo" }))
        .with("apiKey", key)
        .with("lat", fields.number("latitude"))
        .with("lon", fields.number("longitude"))
        .with("city", label)
        .with("units", fields.words("units").filter(|units| units == "imperial" || units == "metric"))
}

fn glances(fields: &mut Fields) -> WidgetDraft {
    fields.skip(&["cpu", "mem", "cputemp", "uptime", "diskUnits", "expanded"]);
    let mut system = Map::new();
    system.put("url", fields.words("url"));
    system.put("header", fields.words("label"));
    WidgetDraft::new("system-compact-metrics")
        .with("systems", Some(vec![system]))
        .with("username", fields.words("username"))
        .with("password", fields.words("password"))
        .with("apiVersion", fields.number("version"))
}

/// A chart for each share.
pub fn stocks(fields: &mut Fields) -> Vec<WidgetDraft> {
    fields.skip(&["provider", "color", "cache", "showUSMarketStatus"]);
    let shares = fields.list("watchlist");
    let chart = |share: &Value| {
        let symbol = text_of(share)?;
        let chart = WidgetDraft::new("stock-price-chart").labelled(Some(symbol.clone()));
        Some(chart.with("stock", Some(symbol)).with("provider", Some("yahoo")))
    };
    shares.iter().filter_map(chart).collect()
}

fn logo(mut fields: Fields, draft: &mut ConfigDraft, report: &mut Report) {
    let place = fields.place.clone();
    match fields.words("icon") {
        Some(icon) if icon.starts_with('/') || icon.contains("://") => {
            draft.page_info.put("logo", icons::of_homer(&icon, &place, report));
        }
        Some(icon) => report.lost(&place, format!("the logo `{icon}`; `pageInfo.logo` has to be an address or a path")),
        None => {}
    }
    fields.finish_with(report, |_| Some("the heading leads to the start of the dashboard"));
}
