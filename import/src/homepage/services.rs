//! `services.yaml`: groups of services, which may contain groups.

use serde_json::Value;

use super::{
    discovery::{Containers, Discovery},
    entries::{named, target},
    service_widgets,
    settings::Group,
};
use crate::{
    draft::{Put, SectionDraft, is_bare, item, put_tags},
    fields::{Fields, number_of},
    icons,
    report::{Report, SourceLocation},
};

/// The groups of a file; those inside others follow them.
pub fn groups(value: Value, place: &SourceLocation, discovery: &Discovery, report: &mut Report) -> Vec<Group> {
    let groups = named(value, place, report).into_iter();
    groups.map(|(name, content)| group(name.clone(), name, content, place, discovery, report)).collect()
}

/// A group; `heading` also names the groups around it.
fn group(
    name: String,
    heading: String,
    content: Value,
    place: &SourceLocation,
    discovery: &Discovery,
    report: &mut Report,
) -> Group {
    let place = place.child(&name);
    let mut group = Group { name, section: SectionDraft::new(heading.clone()), inner: Vec::new() };
    let mut services = Vec::new();
    for (name, content) in named(content, &place, report) {
        if content.is_array() {
            let heading = format!("{heading} / {name}");
            group.inner.push(self::group(name, heading, content, &place, discovery, report));
        } else {
            services.push((name, content));
        }
    }
    let usual = |position: usize| (position + 1) * 100;
    let weight = |position: usize, content: &Value| {
        let weight = content.get("weight").and_then(number_of).and_then(|weight| weight.as_f64());
        weight.unwrap_or_else(|| usual(position) as f64)
    };
    let mut services: Vec<_> = services
        .into_iter()
        .enumerate()
        .map(|(position, (name, content))| (weight(position, &content), name, content))
        .collect();
    services.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut containers = Containers::default();
    for (_, name, content) in services {
        service(&name, content, &place, &mut group.section, discovery, &mut containers, report);
    }
    discovery.show(containers, &mut group.section, &place, report);
    group
}

fn service(
    name: &str,
    content: Value,
    place: &SourceLocation,
    section: &mut SectionDraft,
    discovery: &Discovery,
    containers: &mut Containers,
    report: &mut Report,
) {
    let place = place.child(name);
    let mut fields = Fields::of(content, place.clone(), report);
    // It determines the order of the services.
    fields.skip(&["weight", "id"]);
    let url = fields.words("href");
    let mut item = item(Some(name.to_owned()), url.clone());
    item.put("description", fields.words("description"));
    let icon = fields.words("icon");
    item.put("icon", icon.and_then(|icon| icons::of_homepage(&icon, &place, report)));
    item.put("target", target(fields.words("target"), &place, report));
    if let Some(check) = status_check(&mut fields, url.as_deref(), &place, report) {
        item.insert("statusCheck".to_owned(), true.into());
        item.put("statusCheckUrl", Some(check).filter(|check| Some(check) != url.as_ref()));
    }
    put_tags(&mut item, fields.texts("keywords"), &place, report);
    let has_container = discovery.take_container(&mut fields, &mut item, containers, report);
    let before = section.widgets.len();
    let mut figures = Vec::new();
    for widget in fields.list("widget").into_iter().chain(fields.list("widgets")) {
        if let Some(entry) = service_widgets::figures(&widget, &place, report) {
            figures.push(entry);
            continue;
        }
        section.widgets.extend(service_widgets::widgets(widget, name, &place, report));
    }
    item.put("figures", Some(figures).filter(|figures| !figures.is_empty()));
    // A tile that leads nowhere would only repeat the caption.
    if has_container || section.widgets.len() == before || !is_bare(&item) {
        section.items.push(item);
    }
    fields.finish_with(report, |key| {
        Some(match key {
            "server" | "showStats" => "without `container` there is nothing to show",
            "namespace" | "app" | "podSelector" | "external" => {
                "annotations of a route in Kubernetes give a tile the state of its pods"
            }
            "proxmoxNode" | "proxmoxVMID" | "proxmoxType" => {
                "a `virtualization-lists` widget shows the guests of Proxmox; tiles do not"
            }
            "statusStyle" => "all dots look the same",
            "ping" => "the dot shows the state of `siteMonitor`",
            _ => return None,
        })
    });
}

/// The address to check, if the item gets a dot.
fn status_check(fields: &mut Fields, url: Option<&str>, place: &SourceLocation, report: &mut Report) -> Option<String> {
    if let Some(monitor) = fields.words("siteMonitor") {
        return Some(monitor);
    }
    let host = fields.words("ping")?;
    if let Some(url) = url.filter(|url| host_of(url) == host_of(&host)) {
        report.changed(place, "`ping`: the dot shows whether the address responds over HTTP");
        return Some(url.to_owned());
    }
    report.changed(place, format!("`ping` of {host}: the dot shows whether it responds over HTTP"));
    Some(if host.contains("://") { host } else { format!("http://{host}") })
}

fn host_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#', ':']).next().unwrap_or_default()
}
