//! Glance's widgets that Portico has too.

use serde_json::{Value, json};

use super::services;
use crate::{
    draft::WidgetDraft,
    fields::{Fields, addresses, text_of},
    report::Report,
    search_engines,
};

/// The widgets for one of Glance; `None` if there is none.
pub fn widgets(kind: &str, fields: &mut Fields, title: Option<&str>, report: &mut Report) -> Option<Vec<WidgetDraft>> {
    Some(match kind {
        "rss" => rss(fields, title, report),
        "videos" => videos(fields, report),
        "hacker-news" => vec![hacker_news(fields)],
        "lobsters" => vec![lobsters(fields, report)],
        "reddit" => vec![reddit(fields, title, report)],
        "releases" => releases(fields, report),
        "weather" => vec![weather(fields)],
        "calendar" | "calendar-legacy" => vec![calendar(fields)],
        "clock" => clocks(fields),
        "search" => vec![search(fields, report)],
        "markets" | "stocks" => markets(fields, report),
        "iframe" => vec![
            WidgetDraft::new("iframe")
                .with("url", fields.words("source"))
                .with("frameHeight", fields.text("height"))
                .with("title", title),
        ],
        "html" => vec![WidgetDraft::new("html-embed").with("html", fields.text("source"))],
        "repository" => vec![
            WidgetDraft::new("code-host-profile-stats")
                .with("repos", fields.words("repository").map(|name| vec![name]))
                .with("hideProfileCard", Some(true))
                .with("hideLanguagesCard", Some(true)),
        ],
        "dns-stats" => services::dns_stats(fields)?,
        "docker-containers" => vec![services::containers(fields, report)],
        "server-stats" => services::server_stats(fields, report)?,
        _ => return None,
    })
}

/// Why there is no widget.
pub fn reason(kind: &str) -> String {
    match kind {
        "to-do" => "its tasks are stored in the browser; a `notes` widget has tasks that everybody sees".to_owned(),
        "custom-api" | "extension" => {
            format!("`{kind}` has its own template; an `api-response` widget shows fields of a response")
        }
        "dns-stats" => "there are widgets only for AdGuard Home and Pi-hole".to_owned(),
        "server-stats" => {
            "there is no widget for Glance's agent; the widgets that begin with `system-` show Glances".to_owned()
        }
        _ => format!("there is no widget for `{kind}`"),
    }
}

/// A list of posts.
fn feed(address: String, label: Option<String>, limit: Option<Value>) -> WidgetDraft {
    WidgetDraft::new("rss-feed")
        .labelled(label)
        .with("rssUrl", Some(address))
        .with("limit", limit)
        .with("parseLocally", Some(true))
}

/// A widget for each feed.
fn rss(fields: &mut Fields, title: Option<&str>, report: &mut Report) -> Vec<WidgetDraft> {
    let limit = fields.number("limit");
    let mut widgets = Vec::new();
    for value in fields.list("feeds") {
        let lost = addresses(&value);
        let mut entry = Fields::of(value, fields.place.child("feeds"), report);
        let Some(url) = entry.words("url") else {
            report.lost(&entry.place, format!("a feed without an address{lost}"));
            continue;
        };
        let label = entry.words("title").or_else(|| title.map(str::to_owned));
        let limit = entry.number("limit").or_else(|| limit.clone());
        widgets.push(feed(url, label, limit));
        entry.finish(report);
    }
    if widgets.len() > 1 {
        report.changed(&fields.place, "each feed is now a widget of its own");
    }
    widgets
}

/// The feeds of channels and playlists.
fn videos(fields: &mut Fields, report: &mut Report) -> Vec<WidgetDraft> {
    let limit = fields.number("limit");
    let mut widgets = Vec::new();
    for (key, query) in [("channels", "channel_id"), ("playlists", "playlist_id")] {
        for id in fields.texts(key) {
            let id = id.strip_prefix("playlist:").unwrap_or(&id);
            let address = format!("https://www.youtube.com/feeds/videos.xml?{query}={id}");
            widgets.push(feed(address, None, limit.clone()));
        }
    }
    report.changed(&fields.place, "videos are shown as lists of links, one widget per channel");
    widgets
}

fn hacker_news(fields: &mut Fields) -> WidgetDraft {
    let stories = match fields.words("sort-by").as_deref() {
        Some("new") => "newstories",
        Some("best") => "beststories",
        _ => "topstories",
    };
    WidgetDraft::new("hackernews-trending").with("stories", Some(stories)).with("limit", fields.number("limit"))
}

fn lobsters(fields: &mut Fields, report: &mut Report) -> WidgetDraft {
    let site = fields.words("instance-url").unwrap_or_else(|| "https://lobste.rs".to_owned());
    let tags = fields.texts("tags").join(",");
    let path = match (tags.is_empty(), fields.words("sort-by").as_deref()) {
        (false, _) => format!("t/{tags}.rss"),
        (true, Some("new")) => "newest.rss".to_owned(),
        (true, _) => "rss".to_owned(),
    };
    report.changed(&fields.place, "posts are read from the feed, without points and comments");
    feed(format!("{}/{path}", site.trim_end_matches('/')), None, fields.number("limit"))
}

fn reddit(fields: &mut Fields, title: Option<&str>, report: &mut Report) -> WidgetDraft {
    let name = fields.words("subreddit").unwrap_or_default();
    let order = fields.words("sort-by").unwrap_or_else(|| "hot".to_owned());
    report.changed(&fields.place, "posts are read from the feed, without points and comments");
    let label = title.map_or_else(|| format!("r/{name}"), str::to_owned);
    feed(format!("https://www.reddit.com/r/{name}/{order}/.rss"), Some(label), fields.number("limit"))
}

/// The feeds of releases of repositories.
fn releases(fields: &mut Fields, report: &mut Report) -> Vec<WidgetDraft> {
    let limit = fields.number("limit");
    let mut widgets = Vec::new();
    for value in fields.list("repositories") {
        let name = text_of(&value).or_else(|| value.get("repository").and_then(text_of)).unwrap_or_default();
        let (host, path) = name.split_once(':').unwrap_or(("github", name.as_str()));
        let address = match host {
            "github" => format!("https://github.com/{path}/releases.atom"),
            "gitlab" => format!("https://gitlab.com/{path}/-/releases.atom"),
            "codeberg" => format!("https://codeberg.org/{path}/releases.rss"),
            _ => {
                report.lost(&fields.place, format!("the releases of `{name}`; its host has no feed for them"));
                continue;
            }
        };
        widgets.push(feed(address, Some(path.to_owned()), limit.clone()));
    }
    report.changed(&fields.place, "releases are read from feeds, one widget per repository");
    widgets
}

fn weather(fields: &mut Fields) -> WidgetDraft {
    WidgetDraft::new("weather")
        .with("city", fields.words("location"))
        .with("units", fields.words("units"))
        .with("provider", Some("open-meteo"))
}

/// The month, without events.
fn calendar(fields: &mut Fields) -> WidgetDraft {
    let sunday = fields.flag("start-sunday").filter(|first| *first).map(|_| "sunday".to_owned());
    WidgetDraft::new("calendar").with("firstDay", fields.words("first-day-of-week").or(sunday))
}

/// The viewer's clock, and one for each further time zone.
fn clocks(fields: &mut Fields) -> Vec<WidgetDraft> {
    let use_12_hour = fields.words("hour-format").map(|format| format == "12h");
    let mut clocks = vec![WidgetDraft::new("clock").with("use12Hour", use_12_hour).with("hideSeconds", Some(true))];
    for zone in fields.list("timezones") {
        let text = |key: &str| zone.get(key).and_then(text_of);
        clocks.push(
            WidgetDraft::new("clock")
                .with("timeZone", text("timezone").or_else(|| text_of(&zone)))
                .with("customCityName", text("label"))
                .with("use12Hour", use_12_hour)
                .with("hideSeconds", Some(true)),
        );
    }
    clocks
}

/// The engine and the abbreviations of a search box, as engines.
fn search(fields: &mut Fields, report: &mut Report) -> WidgetDraft {
    let name = fields.words("search-engine").unwrap_or_else(|| "duckduckgo".to_owned());
    let (title, url) = match search_engines::address_of(&name) {
        Some(address) => (search_engines::title_of(&name), address.to_owned()),
        None => ("Search".to_owned(), ours(&name)),
    };
    let mut engines = vec![json!({ "title": title, "url": url })];
    for bang in fields.list("bangs") {
        let text = |key: &str| bang.get(key).and_then(text_of);
        let shortcut = text("shortcut");
        if let Some(shortcut) = &shortcut {
            let text =
                format!("the abbreviation `{shortcut}`; those of the page are in `appConfig.webSearch.searchBangs`");
            report.lost(&fields.place, text);
        }
        let title = text("title").or(shortcut).unwrap_or_default();
        engines.push(json!({ "title": title, "url": ours(&text("url").unwrap_or_default()) }));
    }
    let new_tab = fields.flag("new-tab");
    WidgetDraft::new("custom-search")
        .with("engines", Some(engines))
        .with("placeholder", fields.words("placeholder"))
        .with("openingMethod", Some(if new_tab == Some(true) { "newtab" } else { "sametab" }))
}

/// An address with the placeholder that we replace with the query.
fn ours(address: &str) -> String {
    address.replace("{QUERY}", "%s")
}

/// A chart for each share.
fn markets(fields: &mut Fields, report: &mut Report) -> Vec<WidgetDraft> {
    let mut charts = Vec::new();
    for value in fields.list("markets").into_iter().chain(fields.list("stocks")) {
        let mut market = Fields::of(value, fields.place.child("markets"), report);
        let symbol = market.words("symbol");
        let label = market.words("name").or_else(|| symbol.clone());
        market.finish_with(report, |key| match key {
            "chart-link" | "symbol-link" => Some("captions and charts are not links"),
            _ => None,
        });
        let chart = WidgetDraft::new("stock-price-chart").labelled(label);
        charts.push(chart.with("stock", symbol).with("provider", Some("yahoo")));
    }
    charts
}
