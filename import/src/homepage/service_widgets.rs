//! Widgets for services that Portico supports too.

use serde_json::{Map, Value};

use super::{info_widgets, settings::HomepageSettings};
use crate::{
    draft::{Put, WidgetDraft},
    fields::{Fields, addresses},
    mappings::WidgetMapping,
    report::{Report, SourceLocation},
    variables::find_variable,
};

/// Types that have a conversion of their own below.
const OWN: [&str; 11] = [
    "pihole",
    "proxmox",
    "minecraft",
    "glances",
    "calendar",
    "coinmarketcap",
    "openmeteo",
    "openweathermap",
    "stocks",
    "weather",
    "weatherapi",
];
/// Fields that figures do not have, and why.
const NEEDLESS: &[(&str, &str)] = &[
    ("version", "the version is found by asking the service"),
    ("refreshInterval", "the server asks as often as the figures change"),
    ("enableBlocks", "figures are always shown"),
    ("enableQueue", "only figures are shown, no lists"),
    ("enableNowPlaying", "only figures are shown, no lists"),
    ("enableLeechProgress", "only figures are shown, no lists"),
    ("enableLeechSize", "only figures are shown, no lists"),
    ("enableUser", "only figures are shown, no lists"),
    ("showEpisodeNumber", "only figures are shown, no lists"),
    ("expandOneStreamToTwoRows", "only figures are shown, no lists"),
];

const MAPPINGS: &[WidgetMapping] = &[
    WidgetMapping {
        from: "adguard",
        to: "dns-filter-stats",
        options: &[("url", "hostname"), ("username", "username"), ("password", "password")],
    },
    WidgetMapping {
        from: "customapi",
        to: "api-response",
        options: &[
            ("url", "url"),
            ("method", "method"),
            ("headers", "headers"),
            ("requestBody", "requestBody"),
            ("username", "username"),
            ("password", "password"),
            ("display", "display"),
            ("format", "format"),
            ("mappings", "mappings"),
        ],
    },
    WidgetMapping {
        from: "diskstation",
        to: "nas-download",
        options: &[("url", "hostname"), ("username", "username"), ("password", "password")],
    },
    WidgetMapping {
        from: "downloadstation",
        to: "nas-download",
        options: &[("url", "hostname"), ("username", "username"), ("password", "password")],
    },
    WidgetMapping { from: "gluetun", to: "vpn-gateway-info", options: &[("url", "hostname"), ("key", "apiKey")] },
    WidgetMapping { from: "healthchecks", to: "cron-checks", options: &[("url", "host"), ("key", "apiKey")] },
    WidgetMapping { from: "iframe", to: "iframe", options: &[("src", "url")] },
    WidgetMapping { from: "netdata", to: "metrics-cpu-history", options: &[("url", "host")] },
    WidgetMapping {
        from: "nextcloud",
        to: "cloud-stats",
        options: &[("url", "hostname"), ("username", "username"), ("password", "password"), ("key", "token")],
    },
    WidgetMapping {
        from: "prometheusmetric",
        to: "prometheus-data",
        options: &[("url", "url"), ("metrics", "metrics")],
    },
    WidgetMapping { from: "sabnzbd", to: "usenet-downloads", options: &[("url", "sabnzbdUrl"), ("key", "apiKey")] },
    WidgetMapping { from: "uptimekuma", to: "uptime-status-page", options: &[("url", "host"), ("slug", "slug")] },
];

/// The figures for a service's widget, if Portico shows them in the tile: the entry as it is, because the form is the same.
/// A service for which there is a widget of our own gets that instead.
pub fn figures(value: &Value, place: &SourceLocation, report: &mut Report) -> Option<Value> {
    let kind = value.get("type")?.as_str()?.trim().to_lowercase();
    if OWN.contains(&kind.as_str()) || WidgetMapping::find(MAPPINGS, &kind).is_some() || !widgets::has_figures(&kind) {
        return None;
    }
    let mut entry = value.as_object()?.clone();
    let place = place.child("widget");
    for (name, reason) in NEEDLESS {
        if entry.shift_remove(*name).is_some() {
            report.changed(&place, format!("`{name}`: {reason}"));
        }
    }
    Some(entry.into())
}

/// The widgets for a service's widget; if there is none, that is noted.
pub fn widgets(value: Value, service: &str, place: &SourceLocation, report: &mut Report) -> Vec<WidgetDraft> {
    let lost = addresses(&value);
    let place = place.child("widget");
    let mut fields = Fields::of(value, place.clone(), report);
    let kind = fields.words("type").unwrap_or_default().to_lowercase();
    let interval = fields.number("refreshInterval").and_then(|milliseconds| milliseconds.as_u64());
    let mut widgets = match kind.as_str() {
        "pihole" => vec![pihole(&mut fields)],
        "proxmox" => vec![proxmox(&mut fields, report)],
        "minecraft" => vec![minecraft(&mut fields)],
        "glances" => glances(&mut fields, report),
        "calendar" => vec![calendar(&mut fields, report)],
        "coinmarketcap" => vec![coins(&mut fields)],
        "openmeteo" | "openweathermap" | "stocks" | "weather" | "weatherapi" => {
            info_widgets::widgets(&kind, &mut fields, &mut HomepageSettings::default(), report).unwrap_or_default()
        }
        _ => WidgetMapping::find(MAPPINGS, &kind).map(|mapping| mapping.apply(&mut fields)).into_iter().collect(),
    };
    if widgets.is_empty() {
        report.lost(&place, format!("there is no widget for `{kind}`; `api-response` may show what it answers{lost}"));
        return widgets;
    }
    for widget in &mut widgets {
        widget.interval = interval.map(|milliseconds| (milliseconds / 1000).clamp(2, 7200));
        if widget.label.is_none() {
            widget.label = Some(service.to_owned());
        }
    }
    fields.finish_with(report, |key| {
        Some(match key {
            "fields" => "the widget shows what it always shows",
            "color" | "highlight" => "the look comes from the theme",
            "hideErrors" => "errors are shown, unless the widget has `ignoreErrors: true`",
            "uuid" => "the widget shows all checks of the project",
            _ => return None,
        })
    });
    widgets
}

fn pihole(fields: &mut Fields) -> WidgetDraft {
    let is_new = fields.number("version").and_then(|version| version.as_u64()).is_some_and(|version| version >= 6);
    WidgetDraft::new(if is_new { "dns-sinkhole-stats-v6" } else { "dns-sinkhole-stats" })
        .with("hostname", fields.value("url"))
        .with("apiKey", fields.value("key"))
}

/// The user is written as `user@realm!token`.
fn proxmox(fields: &mut Fields, report: &mut Report) -> WidgetDraft {
    let user = fields.words("username").unwrap_or_default();
    if !user.contains('!') && find_variable(&user).is_some() {
        report.changed(
            &fields.place,
            "`username`: set `token_name` to what is after the `!` in it, and leave that out of it",
        );
    }
    let (user, token) = user.split_once('!').map_or((user.as_str(), None), |(user, token)| (user, Some(token)));
    WidgetDraft::new("virtualization-lists")
        .with("cluster_url", fields.value("url"))
        .with("user_name", Some(user))
        .with("token_name", token)
        .with("token_uuid", fields.value("password"))
        .with("node", fields.value("node"))
}

fn minecraft(fields: &mut Fields) -> WidgetDraft {
    let address = fields.words("url").unwrap_or_default();
    let server = address.split_once("://").map_or(address.as_str(), |(_, server)| server);
    WidgetDraft::new("game-server-status").with("server", Some(server.trim_end_matches('/')))
}

fn coins(fields: &mut Fields) -> WidgetDraft {
    WidgetDraft::new("crypto-watch-list")
        .with("assets", Some(fields.texts("slugs")).filter(|slugs| !slugs.is_empty()))
        .with("currency", fields.words("currency"))
}

/// One figure of a machine, by `metric`.
fn glances(fields: &mut Fields, report: &mut Report) -> Vec<WidgetDraft> {
    let metric = fields.words("metric").unwrap_or_else(|| "info".to_owned());
    let (metric, which) = metric.split_once(':').unwrap_or((metric.as_str(), ""));
    let kind = match metric {
        "cpu" => "system-cpu-history",
        "memory" => "system-memory-history",
        "info" => "system-compact-metrics",
        "network" => "system-network-traffic",
        "disk" => "system-disk-io",
        "fs" => "system-disk-space",
        "sensor" => "system-cpu-temperature",
        _ => {
            report.lost(&fields.place, format!("there is no widget for Glances' `{metric}`"));
            return Vec::new();
        }
    };
    if !which.is_empty() {
        report.changed(&fields.place, format!("`{which}`: the widget `{kind}` shows all of its kind"));
    }
    fields.skip(&["chart", "pointsLimit", "diskUnits"]);
    let url = fields.value("url");
    let widget = if kind == "system-compact-metrics" {
        let mut system = Map::new();
        system.put("url", url);
        WidgetDraft::new(kind).with("systems", Some(vec![system]))
    } else {
        WidgetDraft::new(kind).with("hostname", url)
    };
    let widget = widget
        .with("username", fields.value("username"))
        .with("password", fields.value("password"))
        .with("apiVersion", fields.number("version"));
    vec![widget]
}

/// The calendars with an address; those of services are noted. Without any, it is the month alone.
fn calendar(fields: &mut Fields, report: &mut Report) -> WidgetDraft {
    let mut calendars = Vec::new();
    for integration in fields.list("integrations") {
        let place = fields.place.child("integrations");
        let lost = addresses(&integration);
        let mut integration = Fields::of(integration, place.clone(), report);
        let kind = integration.words("type").unwrap_or_default();
        if kind != "ical" {
            report.lost(&place, format!("events of `{kind}`; give the address of its calendar (.ics) instead{lost}"));
            continue;
        }
        let mut calendar = Map::new();
        for key in ["url", "name"] {
            calendar.put(key, integration.words(key));
        }
        integration.finish(report);
        calendars.push(calendar);
    }
    let view = fields.words("view").map(|view| if view == "agenda" { "agenda" } else { "month" });
    WidgetDraft::new("calendar")
        .with("calendars", Some(calendars).filter(|calendars| !calendars.is_empty()))
        .with("view", view)
        .with("limit", fields.number("maxEvents"))
        .with("firstDay", fields.words("firstDayInWeek"))
        .with("timeZone", fields.words("timezone"))
}
