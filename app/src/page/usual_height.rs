//! About how high the content of each type of widget is. Before the first answer a placeholder of this height stands in
//! the frame, so that the page below moves little when the panel comes.

use config::dashboard::WidgetView;

/// Height of a widget's edges and label, in pixels.
const FRAME: usize = 60;
/// Height of a line of a widget.
const LINE: usize = 22;
/// Space between two widgets.
const SPACE: usize = 12;

/// Types by the number of lines of their placeholders. A line has 22 px (`style/_widget-frame.scss`). The numbers are
/// those of the examples in the gallery, in the usual widths of a card. A few depend on nothing but the config.
const LINES: &[(usize, &[&str])] = &[
    (3, &["blank", "clock", "system-uptime"]),
    (4, &["dns-filter-dns-info"]),
    (5, &["public-ip"]),
    (6, &["custom-search", "fact-quote", "joke", "notes"]),
    (7, &["service-status", "system-compact-metrics"]),
    (
        8,
        &[
            "cloud-user-status",
            "crypto-watch-list",
            "exchange-rates",
            "news-headlines",
            "system-ip-address",
            "system-load",
        ],
    ),
    (
        9,
        &[
            "api-response",
            "data-feed",
            "system-cpu-current",
            "system-cpu-temperature",
            "system-disk-space",
            "system-gpu",
            "system-info",
            "system-memory-current",
            "tfl-status",
        ],
    ),
    (
        10,
        &[
            "bookmarks",
            "code-host-trending-repos",
            "message-stream",
            "tennis-scores",
            "time-tracking",
            "transit-connection",
        ],
    ),
    (
        11,
        &[
            "blacklist-check",
            "cloud-php-cache",
            "dns-sinkhole-top-queries-v6",
            "hackernews-trending",
            "public-holidays",
            "system-cpu-speedometer",
            "system-memory-speedometer",
            "usenet-downloads",
            "vpn-gateway-info",
        ],
    ),
    (
        12,
        &[
            "cloud-notifications",
            "cloud-stats",
            "cloud-user",
            "cve-vulnerabilities",
            "dns-filter-lists-status",
            "prometheus-data",
            "remote-monitoring",
            "transit-departures",
            "vpn-status",
            "weather",
        ],
    ),
    (13, &["dns-filter-top-domains", "flight-data", "system-network-interfaces", "virtualization-lists"]),
    (14, &["cron-monitor"]),
    (
        15,
        &[
            "apod",
            "ci-builds",
            "dns-filter-stats",
            "dns-sinkhole-top-queries",
            "iframe",
            "rss-feed",
            "system-alerts",
            "uptime-monitor",
            "weather-forecast",
            "web-comic",
        ],
    ),
    (16, &["dns-sinkhole-traffic-v6", "game-server-status", "sports-scores"]),
    (
        17,
        &[
            "cron-checks",
            "dns-sinkhole-stats-v6",
            "file-browser",
            "metrics-cpu-history",
            "nas-download",
            "system-cpu-cores",
        ],
    ),
    (18, &["system-cpu-history", "system-load-history", "system-memory-history", "system-network-traffic"]),
    (19, &["dns-sinkhole-stats", "wallet-balance"]),
    (20, &["cloud-system", "crypto-price-chart", "dns-sinkhole-traffic", "metrics-load-history", "stock-price-chart"]),
    (21, &["containers"]),
    (23, &["domain-monitor"]),
    (24, &["code-host-profile-stats"]),
    (26, &["alias-mail"]),
    (27, &["coding-stats"]),
    (28, &["calendar", "metrics-ram-history"]),
    (29, &["uptime-status-page"]),
    (30, &["covid-stats"]),
    (31, &["eth-gas-prices"]),
    (33, &["uptime-ping"]),
];

/// For all other types.
const USUAL: usize = 6;

/// The number of lines of the placeholder for a type.
pub(super) fn lines(kind: &str) -> usize {
    LINES.iter().find(|(_, kinds)| kinds.contains(&kind)).map_or(USUAL, |(lines, _)| *lines)
}

/// About how high the cards of widgets are, each with the space below it, in pixels.
pub(super) fn of_cards(widgets: &[WidgetView]) -> Vec<usize> {
    widgets.iter().map(|widget| FRAME + LINE * lines(&widget.kind) + SPACE).collect()
}

#[cfg(test)]
mod tests {
    use widgets::Kind;

    use super::*;

    #[test]
    fn each_type_is_there_once_under_its_name() {
        let mut listed: Vec<_> = LINES.iter().flat_map(|(_, kinds)| *kinds).copied().collect();
        let count = listed.len();
        listed.sort_unstable();
        listed.dedup();
        assert_eq!(listed.len(), count);
        for name in listed {
            assert!(Kind::ALL.iter().any(|kind| kind.name() == name), "there is no type `{name}`");
        }
    }

    #[test]
    fn what_is_not_listed_has_the_usual_height() {
        assert_eq!(lines("unknown"), USUAL);
        assert_ne!(lines("rss-feed"), USUAL);
    }
}
