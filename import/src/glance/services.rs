//! The widgets of Glance about machines and services in your own network.

use serde_json::Value;

use crate::{
    draft::WidgetDraft,
    fields::{Fields, addresses},
    report::Report,
};

/// DNS filters; `None` for one without a widget.
pub fn dns_stats(fields: &mut Fields) -> Option<Vec<WidgetDraft>> {
    let service = fields.words("service").unwrap_or_else(|| "pihole".to_owned());
    let hide_chart = fields.flag("hide-graph").filter(|hidden| *hidden);
    let insecure = fields.flag("allow-insecure") == Some(true);
    let (stats, domains, key) = match service.as_str() {
        "adguard" => ("dns-filter-stats", "dns-filter-top-domains", "password"),
        "pihole" => ("dns-sinkhole-stats", "dns-sinkhole-top-queries", "token"),
        "pihole-v6" => ("dns-sinkhole-stats-v6", "dns-sinkhole-top-queries-v6", "password"),
        _ => return None,
    };
    let is_adguard = service == "adguard";
    let hides_domains = fields.flag("hide-top-domains") == Some(true);
    let (url, user, secret) = (fields.value("url"), fields.value("username"), fields.value(key));
    let with_login = |widget: WidgetDraft| {
        let mut widget = widget
            .with("hostname", url.clone())
            .with("username", user.clone().filter(|_| is_adguard))
            .with(if is_adguard { "password" } else { "apiKey" }, secret.clone());
        widget.insecure = insecure;
        widget
    };
    let mut widgets = vec![with_login(WidgetDraft::new(stats)).with("hideChart", hide_chart.filter(|_| !is_adguard))];
    if !hides_domains {
        let count = if is_adguard { "limit" } else { "count" };
        widgets.push(with_login(WidgetDraft::new(domains)).with(count, Some(5)));
    }
    Some(widgets)
}

/// The containers of Docker.
pub fn containers(fields: &mut Fields, report: &mut Report) -> WidgetDraft {
    let host = fields.words("sock-path").map(|path| match path.contains("://") {
        true => path,
        false => format!("unix://{path}"),
    });
    let running_only = fields.flag("running-only") == Some(true);
    if fields.flag("hide-by-default") == Some(true) {
        report.changed(&fields.place, "`hide-by-default`: list the containers to show in `names`");
    }
    WidgetDraft::new("containers").with("host", host).with("showStopped", running_only.then_some(false))
}

/// The machine of the dashboard; those with an agent are noted. `None` if there are no others.
pub fn server_stats(fields: &mut Fields, report: &mut Report) -> Option<Vec<WidgetDraft>> {
    let mut widgets = Vec::new();
    let servers = fields.list("servers");
    let none_named = servers.is_empty();
    for server in servers {
        let lost = addresses(&server);
        let name = server.get("name").and_then(Value::as_str).map(str::to_owned);
        if server.get("type").and_then(Value::as_str) == Some("remote") {
            let text = format!(
                "there is no widget for Glance's agent; the widgets that begin with `system-` show Glances{lost}"
            );
            report.lost(&fields.place.child(name.as_deref().unwrap_or("remote")), text);
        } else {
            report.changed(&fields.place, "the figures are for the machine that Portico runs on");
            widgets.push(WidgetDraft::new("system-info").labelled(name));
        }
    }
    if none_named {
        widgets.push(WidgetDraft::new("system-info"));
    }
    (!widgets.is_empty()).then_some(widgets)
}
