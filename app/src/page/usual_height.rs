//! About how high the content of each type of widget is. Before the first answer a placeholder of this height stands in
//! the frame, so that the page below moves little when the panel comes.

/// Types by the number of lines of their placeholders. A line has 22 px (`style/_widget-frame.scss`). The numbers are
/// those of the examples in the gallery, in the usual widths of a card. A few depend on nothing but the config.
const LINES: &[(usize, &[&str])] = &[
    (3, &["system-uptime"]),
    (4, &["dns-filter-dns-info"]),
    (5, &["public-ip"]),
    (7, &["joke", "service-status", "system-compact-metrics"]),
    (
        8,
        &[
            "cloud-user-status",
            "crypto-watch-list",
            "exchange-rates",
            "fact-quote",
            "news-headlines",
            "system-ip-address",
            "system-load",
        ],
    ),
    (9, &["system-cpu-current", "system-cpu-temperature", "system-disk-space", "system-memory-current", "tfl-status"]),
    (
        10,
        &[
            "api-response",
            "bookmarks",
            "code-host-trending-repos",
            "data-feed",
            "system-info",
            "time-tracking",
            "transit-connection",
        ],
    ),
    (
        11,
        &[
            "cloud-php-cache",
            "dns-sinkhole-top-queries-v6",
            "hackernews-trending",
            "system-cpu-speedometer",
            "system-memory-speedometer",
            "vpn-gateway-info",
        ],
    ),
    (
        12,
        &[
            "blacklist-check",
            "cloud-notifications",
            "cloud-stats",
            "cloud-user",
            "cve-vulnerabilities",
            "dns-filter-lists-status",
            "prometheus-data",
            "public-holidays",
            "remote-monitoring",
            "transit-departures",
            "usenet-downloads",
            "weather",
        ],
    ),
    (13, &["dns-filter-top-domains", "system-network-interfaces", "vpn-status"]),
    (14, &["flight-data", "virtualization-lists"]),
    (15, &["apod", "ci-builds", "cron-monitor", "dns-sinkhole-top-queries", "iframe", "uptime-monitor", "web-comic"]),
    (16, &["dns-filter-stats", "dns-sinkhole-traffic-v6", "game-server-status", "rss-feed", "weather-forecast"]),
    (17, &["file-browser", "metrics-cpu-history", "sports-scores", "system-alerts", "system-cpu-cores"]),
    (
        18,
        &[
            "cron-checks",
            "nas-download",
            "system-cpu-history",
            "system-load-history",
            "system-memory-history",
            "system-network-traffic",
        ],
    ),
    (19, &["dns-sinkhole-stats-v6"]),
    (
        20,
        &[
            "cloud-system",
            "crypto-price-chart",
            "dns-sinkhole-stats",
            "dns-sinkhole-traffic",
            "stock-price-chart",
            "wallet-balance",
        ],
    ),
    (21, &["metrics-load-history"]),
    (22, &["containers"]),
    (24, &["domain-monitor"]),
    (25, &["code-host-profile-stats"]),
    (28, &["alias-mail", "coding-stats"]),
    (29, &["calendar", "metrics-ram-history", "uptime-status-page"]),
    (31, &["covid-stats", "eth-gas-prices"]),
    (34, &["uptime-ping"]),
];

/// For all other types.
const USUAL: usize = 6;

/// The number of lines of the placeholder for a type.
pub(super) fn lines(kind: &str) -> usize {
    LINES.iter().find(|(_, kinds)| kinds.contains(&kind)).map_or(USUAL, |(lines, _)| *lines)
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
