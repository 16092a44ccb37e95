//! The list of all widgets: their names, and their modules.

mod advice;
mod dispatch;
#[cfg(test)]
mod docs;
mod kind;
#[cfg(test)]
mod lenience;
mod manual;
#[cfg(test)]
mod names;
mod nearest_name;
#[cfg(test)]
mod option_lenience;
mod options;
mod read;
#[cfg(test)]
mod required_options;
mod search;
#[cfg(test)]
mod tests;
mod title;
#[cfg(test)]
mod visible_rows;

mod alias_mail;
mod api_response;
mod apod;
mod blacklist_check;
mod blank;
mod bookmarks;
mod calendar;
mod ci_builds;
mod clock;
mod cloud_notifications;
mod cloud_php_cache;
mod cloud_stats;
mod cloud_system;
mod cloud_user;
mod cloud_user_status;
mod code_host_profile_stats;
mod code_host_trending_repos;
mod coding_stats;
mod containers;
mod covid_stats;
mod cron_checks;
mod cron_monitor;
mod crypto_price_chart;
mod crypto_watch_list;
mod custom_list;
mod custom_search;
mod cve_vulnerabilities;
mod data_feed;
mod dns_filter_dns_info;
mod dns_filter_lists_status;
mod dns_filter_stats;
mod dns_filter_top_domains;
mod dns_sinkhole_stats;
mod dns_sinkhole_stats_v6;
mod dns_sinkhole_top_queries;
mod dns_sinkhole_top_queries_v6;
mod dns_sinkhole_traffic;
mod dns_sinkhole_traffic_v6;
mod domain_monitor;
mod eth_gas_prices;
mod exchange_rates;
mod fact_quote;
mod file_browser;
mod flight_data;
mod game_server_status;
mod hackernews_trending;
mod html_embed;
mod iframe;
mod image;
mod joke;
mod message_stream;
mod metrics_cpu_history;
mod metrics_load_history;
mod metrics_ram_history;
mod nas_download;
mod news_headlines;
mod notes;
mod prometheus_data;
mod public_holidays;
mod public_ip;
mod remote_monitoring;
mod rss_feed;
mod service_figures;
mod service_status;
mod sports_scores;
mod stock_price_chart;
mod system_alerts;
mod system_compact_metrics;
mod system_cpu_cores;
mod system_cpu_current;
mod system_cpu_history;
mod system_cpu_speedometer;
mod system_cpu_temperature;
mod system_disk_io;
mod system_disk_space;
mod system_gpu;
mod system_info;
mod system_ip_address;
mod system_load;
mod system_load_history;
mod system_memory_current;
mod system_memory_history;
mod system_memory_speedometer;
mod system_network_interfaces;
mod system_network_traffic;
mod system_uptime;
mod tennis_scores;
mod tfl_status;
mod time_tracking;
mod transit_connection;
mod transit_departures;
mod uptime_monitor;
mod uptime_ping;
mod uptime_status_page;
mod usenet_downloads;
mod virtualization_lists;
mod vpn_gateway_info;
mod vpn_status;
mod wallet_balance;
mod weather;
mod weather_forecast;
mod web_comic;

pub use api_response::{ResponseContent, ServiceFile, ValueNode};
pub use dispatch::response_content;
pub use kind::Kind;
pub use manual::{Manual, OptionManual};
pub(crate) use read::{check, read};
pub use service_figures::{figure_labels, has_figures};
pub use title::title_of;

// The first name is the documented one; the others are used in existing files, including component names of other
// software. After `of` are the services, and after `also` other words that people search for: `portico widget list
// --search`. The words of the names and of the description need not be repeated there.
macro_rules! catalogue {
    ($generate:ident) => {
        $generate! {
            "alias-mail" | "addy" | "anonaddy", of "addy.io" and "AnonAddy", also "mail" => alias_mail::AliasMail,
            "api-response" | "custom-api" | "customapi", also "REST" => api_response::ApiResponse,
            "apod", of "NASA", also "space" => apod::Apod,
            "blacklist-check" | "BlacklistCheck", of "blacklistchecker.com",
                also "DNSBL" and "reputation" => blacklist_check::BlacklistCheck,
            "blank", also "spacer" and "empty" and "gap" => blank::Blank,
            "bookmarks" | "linkding", of "linkding", also "favorites" and "read later" => bookmarks::Bookmarks,
            "calendar" | "ical", of "iCalendar" and "Google Calendar" and "Nextcloud" and "iCloud" and "Outlook",
                also "CalDAV" and "appointments" and "birthdays" => calendar::Calendar,
            "ci-builds" | "drone-ci" | "DroneCi", of "Drone" and "Woodpecker" and "Gitea" and "Forgejo",
                also "continuous integration" and "pipelines" => ci_builds::CiBuilds,
            "clock" => clock::Clock,
            "cloud-notifications" | "nextcloud-notifications" | "NextcloudNotifications", of "Nextcloud" =>
                cloud_notifications::CloudNotifications,
            "cloud-php-cache" | "nextcloud-php-opcache" | "NextcloudPhpOpcache", of "Nextcloud" =>
                cloud_php_cache::CloudPhpCache,
            "cloud-stats" | "nextcloud-stats" | "NextcloudStats", of "Nextcloud" => cloud_stats::CloudStats,
            "cloud-system" | "nextcloud-system" | "NextcloudSystem", of "Nextcloud" => cloud_system::CloudSystem,
            "cloud-user" | "nextcloud-user" | "NextcloudUser", of "Nextcloud" => cloud_user::CloudUser,
            "cloud-user-status" | "nextcloud-user-status" | "NextcloudUserStatus" | "nextcloud-userstatus", of "Nextcloud" =>
                cloud_user_status::CloudUserStatus,
            "code-host-profile-stats" | "github-profile-stats" | "GitHubProfile", of "GitHub" =>
                code_host_profile_stats::CodeHostProfileStats,
            "code-host-trending-repos" | "github-trending-repos" | "GitHubTrending", of "GitHub" =>
                code_host_trending_repos::CodeHostTrendingRepos,
            "coding-stats" | "code-stats" | "CodeStats", of "Code::Stats" => coding_stats::CodingStats,
            "containers" | "docker" | "docker-containers", of "Docker" and "Podman", also "Compose" => containers::Containers,
            "covid-stats" | "CovidStats", of "disease.sh", also "coronavirus" => covid_stats::CovidStats,
            "cron-checks" | "HealthChecks", of "Healthchecks" => cron_checks::CronChecks,
            "cron-monitor" | "health-checks", of "Healthchecks" => cron_monitor::CronMonitor,
            "crypto-price-chart" | "CryptoPriceChart", of "CoinGecko",
                also "cryptocurrency" and "Bitcoin" and "BTC" and "Ethereum" and "ETH" => crypto_price_chart::CryptoPriceChart,
            "crypto-watch-list" | "CryptoWatchList", of "CoinGecko" and "CoinPaprika",
                also "cryptocurrency" and "Bitcoin" and "BTC" and "Ethereum" and "ETH" => crypto_watch_list::CryptoWatchList,
            "custom-list" | "CustomList", also "releases" => custom_list::CustomList,
            "custom-search" | "CustomSearch", also "Google" and "DuckDuckGo" => custom_search::CustomSearch,
            "cve-vulnerabilities" | "CveVulnerabilities", of "NVD",
                also "CVEs" and "exploits" => cve_vulnerabilities::CveVulnerabilities,
            "data-feed", also "news" and "blogs" and "podcasts" => data_feed::DataFeed,
            "dns-filter-dns-info" | "adguard-dns-info" | "AdGuardDnsInfo", of "AdGuard Home",
                also "ad blocker" => dns_filter_dns_info::DnsFilterDnsInfo,
            "dns-filter-lists-status" | "adguard-filter-status" | "AdGuardFilterStatus", of "AdGuard Home",
                also "ad blocker" and "block lists" => dns_filter_lists_status::DnsFilterListsStatus,
            "dns-filter-stats" | "adguard-stats" | "AdGuardStats", of "AdGuard Home",
                also "ad blocker" => dns_filter_stats::DnsFilterStats,
            "dns-filter-top-domains" | "adguard-top-domains" | "AdGuardTopDomains", of "AdGuard Home",
                also "ad blocker" => dns_filter_top_domains::DnsFilterTopDomains,
            "dns-sinkhole-stats" | "pi-hole-stats" | "PiHoleStats", of "Pi-hole" => dns_sinkhole_stats::DnsSinkholeStats,
            "dns-sinkhole-stats-v6" | "pi-hole-stats-v6" | "PiHoleStatsV6", of "Pi-hole" =>
                dns_sinkhole_stats_v6::DnsSinkholeStatsV6,
            "dns-sinkhole-top-queries" | "pi-hole-top-queries" | "PiHoleTopQueries", of "Pi-hole" =>
                dns_sinkhole_top_queries::DnsSinkholeTopQueries,
            "dns-sinkhole-top-queries-v6" | "pi-hole-top-queries-v6" | "PiHoleTopQueriesV6", of "Pi-hole" =>
                dns_sinkhole_top_queries_v6::DnsSinkholeTopQueriesV6,
            "dns-sinkhole-traffic" | "pi-hole-traffic" | "PiHoleTraffic", of "Pi-hole" =>
                dns_sinkhole_traffic::DnsSinkholeTraffic,
            "dns-sinkhole-traffic-v6" | "pi-hole-traffic-v6" | "PiHoleTrafficV6", of "Pi-hole" =>
                dns_sinkhole_traffic_v6::DnsSinkholeTrafficV6,
            "domain-monitor" | "DomainMonitor", of "RDAP" and "WhoAPI",
                also "expiry" and "renewal" => domain_monitor::DomainMonitor,
            "eth-gas-prices" | "EthGasPrices", of "Blockscout",
                also "ether" and "gwei" and "cryptocurrency" => eth_gas_prices::EthGasPrices,
            "exchange-rates" | "ExchangeRates", of "ExchangeRate-API",
                also "currencies" and "forex" and "money" and "euro" and "dollar" => exchange_rates::ExchangeRates,
            "fact-quote" | "chucknorris", of "chucknorris.io", also "jokes" and "fun" => fact_quote::FactQuote,
            "file-browser" | "filebrowser", of "FileBrowser Quantum" => file_browser::FileBrowser,
            "flight-data" | "Flights", of "AeroDataBox", also "airplanes" and "airlines" => flight_data::FlightData,
            "game-server-status" | "minecraft-status" | "MinecraftStatus", of "Minecraft" and "mcsrvstat.us",
                also "gaming" => game_server_status::GameServerStatus,
            "hackernews-trending" | "HackernewsTrending", of "Hacker News",
                also "HN" and "news" and "Y Combinator" => hackernews_trending::HackernewsTrending,
            "html-embed" | "embed" | "EmbedWidget", also "JavaScript" and "snippet" => html_embed::HtmlEmbed,
            "iframe" | "IframeWidget", also "web page" => iframe::Iframe,
            "image" | "ImageWidget", also "camera" and "GIF" => image::Image,
            "joke" | "Jokes", of "JokeAPI", also "humor" and "fun" => joke::Joke,
            "message-stream" | "ntfy" | "ntfy-stream" | "NtfyStream", of "ntfy",
                also "notifications" and "push" and "alerts" => message_stream::MessageStream,
            "metrics-cpu-history" | "nd-cpu-history" | "NdCpuHistory", of "Netdata" => metrics_cpu_history::MetricsCpuHistory,
            "metrics-load-history" | "nd-load-history" | "NdLoadHistory", of "Netdata" =>
                metrics_load_history::MetricsLoadHistory,
            "metrics-ram-history" | "nd-ram-history" | "NdRamHistory", of "Netdata" => metrics_ram_history::MetricsRamHistory,
            "nas-download" | "synology-download" | "SynologyDownload", of "Synology Download Station",
                also "BitTorrent" and "DSM" => nas_download::NasDownload,
            "news-headlines" | "NewsHeadlines", of "Google News" and "Currents" => news_headlines::NewsHeadlines,
            "notes", also "checklist" and "memo" and "text" => notes::Notes,
            "prometheus-data" | "prometheus-metric" | "prometheusmetric", of "Prometheus",
                also "metrics" and "VictoriaMetrics" and "Thanos" and "Mimir" => prometheus_data::PrometheusData,
            "public-holidays" | "PublicHolidays", of "Enrico" and "Nager.Date" and "OpenHolidays",
                also "vacation" => public_holidays::PublicHolidays,
            "public-ip" | "PublicIp", of "ipinfo.io" and "freeipapi.com" and "ipquery.io" and "ipgeolocation.io",
                also "WAN" and "ISP" and "external IP" and "geolocation" => public_ip::PublicIp,
            "remote-monitoring" | "trmm" | "TacticalRMM", of "Tactical RMM", also "RMM" => remote_monitoring::RemoteMonitoring,
            "rss-feed" | "RssFeed", also "news" and "blogs" and "podcasts" => rss_feed::RssFeed,
            "service-figures", of "Sonarr" and "Radarr" and "Jellyfin" and "Plex" and "Immich" and "qBittorrent" and "Transmission",
                also "numbers" and "counts" and "media server" and "downloads" => service_figures::ServiceFigures,
            "service-status",
                also "monitoring" and "ping" and "latency" and "availability" and "health" => service_status::ServiceStatus,
            "sports-scores" | "SportsScores", of "TheSportsDB",
                also "soccer" and "NBA" and "NFL" and "NHL" and "Bundesliga" and "Premier League" =>
                    sports_scores::SportsScores,
            "stock-price-chart" | "StockPriceChart", of "Yahoo Finance" and "Alpha Vantage",
                also "shares" and "ticker" and "market" => stock_price_chart::StockPriceChart,
            "system-alerts" | "gl-alerts" | "GlAlerts", of "Glances" => system_alerts::SystemAlerts,
            "system-compact-metrics" | "gl-compact-metrics" | "GlCompactMetrics", of "Glances",
                also "CPU" and "memory" and "RAM" and "disks" => system_compact_metrics::SystemCompactMetrics,
            "system-cpu-cores" | "gl-current-cores" | "GlCpuCores", of "Glances" => system_cpu_cores::SystemCpuCores,
            "system-cpu-current" | "system-cpu-gauge" | "gl-current-cpu" | "GlCpuGauge", of "Glances" =>
                system_cpu_current::SystemCpuCurrent,
            "system-cpu-history" | "gl-cpu-history" | "GlCpuHistory", of "Glances" => system_cpu_history::SystemCpuHistory,
            "system-cpu-speedometer" | "gl-cpu-speedometer" | "GlCpuSpeedometer", of "Glances" =>
                system_cpu_speedometer::SystemCpuSpeedometer,
            "system-cpu-temperature" | "gl-cpu-temp" | "GlCpuTemp", of "Glances",
                also "heat" and "thermal" => system_cpu_temperature::SystemCpuTemperature,
            "system-disk-io" | "gl-disk-io" | "GlDiskIo", of "Glances",
                also "drives" and "storage" and "throughput" and "IOPS" => system_disk_io::SystemDiskIo,
            "system-disk-space" | "gl-disk-space" | "GlDiskSpace", of "Glances",
                also "drives" and "storage" and "HDD" and "SSD" => system_disk_space::SystemDiskSpace,
            "system-gpu" | "system-gpu-current" | "gl-gpu" | "gl-current-gpu" | "GlGpu", of "Glances",
                also "graphics card" and "video card" and "NVIDIA" and "AMD" => system_gpu::SystemGpu,
            "system-info" | "SystemInfo", also "host" and "kernel" and "hardware" => system_info::SystemInfo,
            "system-ip-address" | "gl-ip-address" | "GlIpAddress", of "Glances",
                also "LAN" => system_ip_address::SystemIpAddress,
            "system-load" | "gl-system-load" | "GlSystemLoad", of "Glances" => system_load::SystemLoad,
            "system-load-history" | "gl-load-history" | "GlLoadHistory", of "Glances" => system_load_history::SystemLoadHistory,
            "system-memory-current" | "gl-current-mem" | "GlMemGauge", of "Glances",
                also "RAM" => system_memory_current::SystemMemoryCurrent,
            "system-memory-history" | "gl-mem-history" | "GlMemHistory", of "Glances",
                also "RAM" => system_memory_history::SystemMemoryHistory,
            "system-memory-speedometer" | "gl-mem-speedometer" | "GlMemSpeedometer", of "Glances",
                also "RAM" => system_memory_speedometer::SystemMemorySpeedometer,
            "system-network-interfaces" | "gl-network-interfaces" | "GlNetworkInterfaces", of "Glances",
                also "bandwidth" and "Ethernet" and "Wi-Fi" and "LAN" and "NIC" =>
                    system_network_interfaces::SystemNetworkInterfaces,
            "system-network-traffic" | "gl-network-traffic" | "GlNetworkTraffic" | "gl-network-activity", of "Glances",
                also "bandwidth" and "throughput" => system_network_traffic::SystemNetworkTraffic,
            "system-uptime" | "gl-uptime" | "GlancesUptime", of "Glances" => system_uptime::SystemUptime,
            "tennis-scores" | "live-tennis" | "LiveTennis", of "Live Tennis API",
                also "sports" and "ATP" and "WTA" => tennis_scores::TennisScores,
            "tfl-status" | "TflStatus", of "Transport for London",
                also "metro" and "subway" and "trains" and "public transport" => tfl_status::TflStatus,
            "time-tracking" | "rescue-time" | "RescueTime", of "RescueTime", also "screen time" => time_tracking::TimeTracking,
            "transit-connection" | "mvg-connection" | "MvgConnection", of "MVG",
                also "metro" and "subway" and "U-Bahn" and "S-Bahn" and "timetable" => transit_connection::TransitConnection,
            "transit-departures" | "mvg", of "MVG",
                also "underground" and "metro" and "subway" and "U-Bahn" and "S-Bahn" and "timetable" =>
                    transit_departures::TransitDepartures,
            "uptime-monitor" | "uptime-kuma" | "UptimeKuma", of "Uptime Kuma",
                also "monitoring" and "ping" and "heartbeat" and "availability" => uptime_monitor::UptimeMonitor,
            "uptime-ping" | "stat-ping" | "StatPing", of "Statping",
                also "monitoring" and "availability" => uptime_ping::UptimePing,
            "uptime-status-page" | "uptime-kuma-status-page" | "UptimeKumaStatusPage", of "Uptime Kuma",
                also "monitoring" and "ping" and "heartbeat" and "availability" => uptime_status_page::UptimeStatusPage,
            "usenet-downloads" | "sabnzbd", of "SABnzbd", also "NZB" and "newsgroups" => usenet_downloads::UsenetDownloads,
            "virtualization-lists" | "proxmox-lists" | "Proxmox", of "Proxmox VE",
                also "VMs" and "LXC" and "QEMU" and "KVM" and "PVE" and "hypervisor" =>
                    virtualization_lists::VirtualizationLists,
            "vpn-gateway-info" | "gluetun-status" | "GluetunStatus", of "Gluetun",
                also "WireGuard" and "OpenVPN" => vpn_gateway_info::VpnGatewayInfo,
            "vpn-status" | "mullvad-status" | "MullvadStatus", of "Mullvad", also "WireGuard" => vpn_status::VpnStatus,
            "wallet-balance" | "WalletBalance", of "BlockCypher" and "mempool.space" and "litecoinspace.org",
                also "cryptocurrency" and "BTC" and "ETH" and "LTC" => wallet_balance::WalletBalance,
            "weather", of "Open-Meteo" and "OpenWeatherMap",
                also "temperature" and "rain" and "wind" and "humidity" => weather::Weather,
            "weather-forecast" | "WeatherForecast", of "Open-Meteo" and "OpenWeatherMap",
                also "temperature" and "rain" and "wind" and "week" => weather_forecast::WeatherForecast,
            "web-comic" | "xkcd-comic" | "XkcdComic", of "xkcd", also "cartoon" => web_comic::WebComic,
        }
    };
}

use catalogue;
