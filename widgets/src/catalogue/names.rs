//! Every name of a type that a file may contain, so that none is forgotten: the types in the specification, and their
//! names in other software.

use super::Kind;

/// Our types, each with its other names. Names are compared ignoring case.
const NAMES: [(&str, &[&str]); 102] = [
    ("alias-mail", &["addy", "anonaddy"]),
    ("api-response", &["custom-api", "customapi"]),
    ("apod", &[]),
    ("blacklist-check", &["BlacklistCheck"]),
    ("blank", &[]),
    ("bookmarks", &["Linkding"]),
    ("calendar", &["ical"]),
    ("ci-builds", &["drone-ci", "DroneCi"]),
    ("clock", &[]),
    ("cloud-notifications", &["nextcloud-notifications", "NextcloudNotifications"]),
    ("cloud-php-cache", &["nextcloud-php-opcache", "NextcloudPhpOpcache"]),
    ("cloud-stats", &["nextcloud-stats", "NextcloudStats"]),
    ("cloud-system", &["nextcloud-system", "NextcloudSystem"]),
    ("cloud-user", &["nextcloud-user", "NextcloudUser"]),
    ("cloud-user-status", &["nextcloud-user-status", "nextcloud-userstatus", "NextcloudUserStatus"]),
    ("code-host-profile-stats", &["github-profile-stats", "GitHubProfile"]),
    ("code-host-trending-repos", &["github-trending-repos", "GitHubTrending"]),
    ("coding-stats", &["code-stats", "CodeStats"]),
    ("containers", &["docker", "docker-containers"]),
    ("covid-stats", &["CovidStats"]),
    ("cron-checks", &["HealthChecks"]),
    ("cron-monitor", &["health-checks"]),
    ("crypto-price-chart", &["CryptoPriceChart"]),
    ("crypto-watch-list", &["CryptoWatchList"]),
    ("custom-list", &["CustomList"]),
    ("custom-search", &["CustomSearch"]),
    ("cve-vulnerabilities", &["CveVulnerabilities"]),
    ("data-feed", &[]),
    ("dns-filter-dns-info", &["adguard-dns-info", "AdGuardDnsInfo"]),
    ("dns-filter-lists-status", &["adguard-filter-status", "AdGuardFilterStatus"]),
    ("dns-filter-stats", &["adguard-stats", "AdGuardStats"]),
    ("dns-filter-top-domains", &["adguard-top-domains", "AdGuardTopDomains"]),
    ("dns-sinkhole-stats", &["pi-hole-stats", "PiHoleStats"]),
    ("dns-sinkhole-stats-v6", &["pi-hole-stats-v6", "PiHoleStatsV6"]),
    ("dns-sinkhole-top-queries", &["pi-hole-top-queries", "PiHoleTopQueries"]),
    ("dns-sinkhole-top-queries-v6", &["pi-hole-top-queries-v6", "PiHoleTopQueriesV6"]),
    ("dns-sinkhole-traffic", &["pi-hole-traffic", "PiHoleTraffic"]),
    ("dns-sinkhole-traffic-v6", &["pi-hole-traffic-v6", "PiHoleTrafficV6"]),
    ("domain-monitor", &["DomainMonitor"]),
    ("eth-gas-prices", &["EthGasPrices"]),
    ("exchange-rates", &["ExchangeRates"]),
    ("fact-quote", &["ChuckNorris"]),
    ("file-browser", &["filebrowser"]),
    ("flight-data", &["Flights"]),
    ("game-server-status", &["minecraft-status", "MinecraftStatus"]),
    ("hackernews-trending", &["HackernewsTrending"]),
    ("html-embed", &["embed", "EmbedWidget"]),
    ("iframe", &["IframeWidget"]),
    ("image", &["ImageWidget"]),
    ("joke", &["Jokes"]),
    ("message-stream", &["ntfy", "ntfy-stream", "NtfyStream"]),
    ("metrics-cpu-history", &["nd-cpu-history", "NdCpuHistory"]),
    ("metrics-load-history", &["nd-load-history", "NdLoadHistory"]),
    ("metrics-ram-history", &["nd-ram-history", "NdRamHistory"]),
    ("nas-download", &["synology-download", "SynologyDownload"]),
    ("news-headlines", &["NewsHeadlines"]),
    ("notes", &[]),
    ("prometheus-data", &["prometheus-metric", "prometheusmetric"]),
    ("public-holidays", &["PublicHolidays"]),
    ("public-ip", &["PublicIp"]),
    ("remote-monitoring", &["TacticalRMM", "trmm"]),
    ("rss-feed", &["RssFeed"]),
    ("service-figures", &[]),
    ("service-status", &[]),
    ("sports-scores", &["SportsScores"]),
    ("stock-price-chart", &["StockPriceChart"]),
    ("system-alerts", &["gl-alerts", "GlAlerts"]),
    ("system-compact-metrics", &["gl-compact-metrics", "GlCompactMetrics"]),
    ("system-cpu-cores", &["gl-current-cores", "GlCpuCores"]),
    ("system-cpu-current", &["gl-current-cpu", "GlCpuGauge", "system-cpu-gauge"]),
    ("system-cpu-history", &["gl-cpu-history", "GlCpuHistory"]),
    ("system-cpu-speedometer", &["gl-cpu-speedometer", "GlCpuSpeedometer"]),
    ("system-cpu-temperature", &["gl-cpu-temp", "GlCpuTemp"]),
    ("system-disk-io", &["gl-disk-io", "GlDiskIo"]),
    ("system-disk-space", &["gl-disk-space", "GlDiskSpace"]),
    ("system-gpu", &["system-gpu-current", "gl-gpu", "gl-current-gpu", "GlGpu"]),
    ("system-info", &["SystemInfo"]),
    ("system-ip-address", &["gl-ip-address", "GlIpAddress"]),
    ("system-load", &["gl-system-load", "GlSystemLoad"]),
    ("system-load-history", &["gl-load-history", "GlLoadHistory"]),
    ("system-memory-current", &["gl-current-mem", "GlMemGauge"]),
    ("system-memory-history", &["gl-mem-history", "GlMemHistory"]),
    ("system-memory-speedometer", &["gl-mem-speedometer", "GlMemSpeedometer"]),
    ("system-network-interfaces", &["gl-network-interfaces", "GlNetworkInterfaces"]),
    ("system-network-traffic", &["gl-network-activity", "gl-network-traffic", "GlNetworkTraffic"]),
    ("system-uptime", &["gl-uptime", "GlancesUptime"]),
    ("tennis-scores", &["live-tennis", "LiveTennis"]),
    ("tfl-status", &["TflStatus"]),
    ("time-tracking", &["rescue-time", "RescueTime"]),
    ("transit-connection", &["mvg-connection", "MvgConnection"]),
    ("transit-departures", &["mvg"]),
    ("uptime-monitor", &["uptime-kuma", "UptimeKuma"]),
    ("uptime-ping", &["stat-ping", "StatPing"]),
    ("uptime-status-page", &["uptime-kuma-status-page", "UptimeKumaStatusPage"]),
    ("usenet-downloads", &["Sabnzbd"]),
    ("virtualization-lists", &["Proxmox", "proxmox-lists"]),
    ("vpn-gateway-info", &["gluetun-status", "GluetunStatus"]),
    ("vpn-status", &["mullvad-status", "MullvadStatus"]),
    ("wallet-balance", &["WalletBalance"]),
    ("weather", &[]),
    ("weather-forecast", &["WeatherForecast"]),
    ("web-comic", &["xkcd-comic", "XkcdComic"]),
];

#[test]
fn every_name_leads_to_its_type() {
    for (name, aliases) in NAMES {
        for written in [name].iter().chain(aliases) {
            let found = Kind::parse(written).map(Kind::name);
            assert_eq!(found, Some(name), "`{written}`");
        }
    }
}

#[test]
fn no_type_is_missing_from_the_names() {
    for kind in Kind::ALL {
        let Some((_, aliases)) = NAMES.iter().find(|(name, _)| *name == kind.name()) else {
            panic!("{} is missing from NAMES", kind.name());
        };
        for alias in kind.aliases() {
            assert!(aliases.iter().any(|known| known.eq_ignore_ascii_case(alias)), "{alias} is missing from NAMES");
        }
    }
}
