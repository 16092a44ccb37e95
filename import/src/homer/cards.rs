//! Smart cards: Homer's tiles that show data of their services.

use serde_json::{Map, Value, json};

use crate::{
    draft::{Put, SectionDraft, WidgetDraft},
    fields::Fields,
    mappings::WidgetMapping,
    report::Report,
};

/// Cards that need only the address of the service, and perhaps a key.
const MAPPINGS: &[WidgetMapping] = &[
    WidgetMapping {
        from: "AdGuardHome",
        to: "dns-filter-stats",
        options: &[("endpoint", "hostname"), ("username", "username"), ("password", "password")],
    },
    WidgetMapping { from: "DockerSocketProxy", to: "containers", options: &[("endpoint", "host")] },
    WidgetMapping { from: "Healthchecks", to: "cron-checks", options: &[("endpoint", "host"), ("apikey", "apiKey")] },
    WidgetMapping {
        from: "SABnzbd",
        to: "usenet-downloads",
        options: &[("endpoint", "sabnzbdUrl"), ("apikey", "apiKey")],
    },
    WidgetMapping { from: "UptimeKuma", to: "uptime-status-page", options: &[("endpoint", "host"), ("slug", "slug")] },
];

/// Takes the type of a card and its fields: a widget in the section, or a dot on the tile.
pub fn card(
    fields: &mut Fields,
    title: &str,
    url: Option<&str>,
    item: &mut Map<String, Value>,
    section: &mut SectionDraft,
    report: &mut Report,
) {
    let Some(kind) = fields.words("type").filter(|kind| kind != "Generic") else { return };
    // The service may have another address for programs than for people.
    let own = fields.words("endpoint");
    let is_weather = kind.eq_ignore_ascii_case("OpenWeather");
    if let Some(path) = own.as_deref().filter(|path| !is_weather && path.starts_with('/') && !path.starts_with("//")) {
        let text =
            format!("`endpoint` is a path on the host of Homer ({path}); write the whole address into the config");
        report.changed(&fields.place, text);
    }
    let endpoint = own.clone().or_else(|| url.map(str::to_owned));
    let interval = fields.number("updateIntervalMs").or_else(|| fields.number("updateInterval"));
    let interval = interval.and_then(|milliseconds| milliseconds.as_u64()).filter(|milliseconds| *milliseconds > 0);
    let interval = interval.map(|milliseconds| milliseconds / 1000);
    let widget = match kind.to_lowercase().as_str() {
        "ping" => {
            check_status(item, endpoint.filter(|endpoint| Some(endpoint.as_str()) != url), interval);
            let codes = fields.texts("successCodes").join(",");
            item.put("statusCheckAcceptCodes", Some(codes).filter(|codes| !codes.is_empty()));
            return;
        }
        "pihole" => {
            let version = fields.number("apiVersion").and_then(|version| version.as_u64());
            let kind = if version.is_some_and(|version| version >= 6) {
                "dns-sinkhole-stats-v6"
            } else {
                "dns-sinkhole-stats"
            };
            WidgetDraft::new(kind).with("hostname", endpoint).with("apiKey", fields.value("apikey"))
        }
        "glances" => WidgetDraft::new("system-compact-metrics").with("systems", Some(json!([{ "url": endpoint }]))),
        "openweather" => {
            if let Some(own) = own {
                report.lost(&fields.place, format!("`endpoint`: the weather comes from OpenWeatherMap itself ({own})"));
            }
            // It is the shape behind the picture.
            if item.shift_remove("backgroundColor").is_some() {
                report.lost(&fields.place, "`background`: the look comes from the widget");
            }
            weather(fields, report)
        }
        "proxmox" => proxmox(endpoint, fields),
        _ => match WidgetMapping::find(MAPPINGS, &kind) {
            Some(mapping) => {
                let mut widget = mapping.apply(fields);
                // The first option of each mapping is the address, which was taken above.
                let address = mapping.options.first().map_or("hostname", |(_, to)| *to);
                widget.options.put(address, endpoint);
                widget
            }
            None => {
                let place = fields.place.clone();
                let has_state = !kind.eq_ignore_ascii_case("CopyToClipboard") && endpoint.is_some();
                let other = endpoint.filter(|endpoint| Some(endpoint.as_str()) != url);
                let address = other.as_ref().map(|other| format!(" ({other})")).unwrap_or_default();
                report.lost(&place, format!("`type: {kind}`: there is no widget for this service{address}"));
                if has_state {
                    report.changed(&place, format!("`type: {kind}`: a dot shows whether the service responds"));
                    check_status(item, other, interval);
                }
                return;
            }
        },
    };
    let mut widget = widget.labelled(Some(title.to_owned()));
    widget.interval = interval.map(|seconds| seconds.clamp(2, 7200));
    section.widgets.push(widget);
}

/// Gives the tile a dot.
fn check_status(item: &mut Map<String, Value>, address: Option<String>, interval: Option<u64>) {
    item.insert("statusCheck".to_owned(), true.into());
    item.put("statusCheckUrl", address);
    item.put("statusCheckInterval", interval.map(|seconds| seconds.clamp(5, 86_400)));
}

fn weather(fields: &mut Fields, report: &mut Report) -> WidgetDraft {
    let units = fields.words("units");
    let is_known = |units: &String| matches!(units.as_str(), "metric" | "imperial");
    if let Some(units) = units.as_ref().filter(|units| !is_known(units)) {
        report.lost(&fields.place, format!("`units: {units}`: temperatures are in °C or °F"));
    }
    WidgetDraft::new("weather")
        .with("city", fields.words("location"))
        .with("apiKey", fields.value("apikey"))
        .with("units", units.filter(is_known))
}

/// The token is written as `PVEAPIToken=user@realm!name=secret`.
fn proxmox(endpoint: Option<String>, fields: &mut Fields) -> WidgetDraft {
    let token = fields.words("api_token").unwrap_or_default();
    let token = token.strip_prefix("PVEAPIToken=").unwrap_or(&token);
    let (user, rest) = token.split_once('!').unwrap_or((token, ""));
    let (name, secret) = rest.split_once('=').unwrap_or((rest, ""));
    let part = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    WidgetDraft::new("virtualization-lists")
        .with("cluster_url", endpoint)
        .with("user_name", part(user))
        .with("token_name", part(name))
        .with("token_uuid", part(secret))
        .with("node", fields.value("node"))
}
