//! The list of all widgets: their names, and the way from a name to the code.

mod dispatch;
#[cfg(test)]
mod docs;
mod manual;
#[cfg(test)]
mod names;
mod nearest;
mod options;
#[cfg(test)]
mod tests;

mod alias_mail;
mod api_response;
mod apod;
mod blacklist_check;
mod blank;
mod bookmarks;
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
mod iframe;
mod image;
mod joke;
mod metrics_cpu_history;
mod metrics_load_history;
mod metrics_ram_history;
mod nas_download;
mod news_headlines;
mod prometheus_data;
mod public_holidays;
mod public_ip;
mod remote_monitoring;
mod rss_feed;
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

use dispatch::catalogue;
pub(crate) use dispatch::read;
pub use manual::{Manual, OptionManual};

// The first name is ours, and the documented one; the others are what existing files write, the component names of
// their software among them.
catalogue! {
    "alias-mail" | "addy" | "anonaddy" => alias_mail::AliasMail,
    "api-response" | "custom-api" | "customapi" => api_response::ApiResponse,
    "apod" => apod::Apod,
    "blacklist-check" | "BlacklistCheck" => blacklist_check::BlacklistCheck,
    "blank" => blank::Blank,
    "bookmarks" | "linkding" => bookmarks::Bookmarks,
    "ci-builds" | "drone-ci" | "DroneCi" => ci_builds::CiBuilds,
    "clock" => clock::Clock,
    "cloud-notifications" | "nextcloud-notifications" | "NextcloudNotifications" =>
        cloud_notifications::CloudNotifications,
    "cloud-php-cache" | "nextcloud-php-opcache" | "NextcloudPhpOpcache" => cloud_php_cache::CloudPhpCache,
    "cloud-stats" | "nextcloud-stats" | "NextcloudStats" => cloud_stats::CloudStats,
    "cloud-system" | "nextcloud-system" | "NextcloudSystem" => cloud_system::CloudSystem,
    "cloud-user" | "nextcloud-user" | "NextcloudUser" => cloud_user::CloudUser,
    "cloud-user-status" | "nextcloud-user-status" | "NextcloudUserStatus" | "nextcloud-userstatus" =>
        cloud_user_status::CloudUserStatus,
    "code-host-profile-stats" | "github-profile-stats" | "GitHubProfile" =>
        code_host_profile_stats::CodeHostProfileStats,
    "code-host-trending-repos" | "github-trending-repos" | "GitHubTrending" =>
        code_host_trending_repos::CodeHostTrendingRepos,
    "coding-stats" | "code-stats" | "CodeStats" => coding_stats::CodingStats,
    "covid-stats" | "CovidStats" => covid_stats::CovidStats,
    "cron-checks" | "HealthChecks" => cron_checks::CronChecks,
    "cron-monitor" | "health-checks" => cron_monitor::CronMonitor,
    "crypto-price-chart" | "CryptoPriceChart" => crypto_price_chart::CryptoPriceChart,
    "crypto-watch-list" | "CryptoWatchList" => crypto_watch_list::CryptoWatchList,
    "custom-list" | "CustomList" => custom_list::CustomList,
    "custom-search" | "CustomSearch" => custom_search::CustomSearch,
    "cve-vulnerabilities" | "CveVulnerabilities" => cve_vulnerabilities::CveVulnerabilities,
    "data-feed" => data_feed::DataFeed,
    "dns-filter-dns-info" | "adguard-dns-info" | "AdGuardDnsInfo" => dns_filter_dns_info::DnsFilterDnsInfo,
    "dns-filter-lists-status" | "adguard-filter-status" | "AdGuardFilterStatus" =>
        dns_filter_lists_status::DnsFilterListsStatus,
    "dns-filter-stats" | "adguard-stats" | "AdGuardStats" => dns_filter_stats::DnsFilterStats,
    "dns-filter-top-domains" | "adguard-top-domains" | "AdGuardTopDomains" =>
        dns_filter_top_domains::DnsFilterTopDomains,
    "dns-sinkhole-stats" | "pi-hole-stats" | "PiHoleStats" => dns_sinkhole_stats::DnsSinkholeStats,
    "dns-sinkhole-stats-v6" | "pi-hole-stats-v6" | "PiHoleStatsV6" => dns_sinkhole_stats_v6::DnsSinkholeStatsV6,
    "dns-sinkhole-top-queries" | "pi-hole-top-queries" | "PiHoleTopQueries" =>
        dns_sinkhole_top_queries::DnsSinkholeTopQueries,
    "dns-sinkhole-top-queries-v6" | "pi-hole-top-queries-v6" | "PiHoleTopQueriesV6" =>
        dns_sinkhole_top_queries_v6::DnsSinkholeTopQueriesV6,
    "dns-sinkhole-traffic" | "pi-hole-traffic" | "PiHoleTraffic" => dns_sinkhole_traffic::DnsSinkholeTraffic,
    "dns-sinkhole-traffic-v6" | "pi-hole-traffic-v6" | "PiHoleTrafficV6" =>
        dns_sinkhole_traffic_v6::DnsSinkholeTrafficV6,
    "domain-monitor" | "DomainMonitor" => domain_monitor::DomainMonitor,
    "eth-gas-prices" | "EthGasPrices" => eth_gas_prices::EthGasPrices,
    "exchange-rates" | "ExchangeRates" => exchange_rates::ExchangeRates,
    "fact-quote" | "chucknorris" => fact_quote::FactQuote,
    "file-browser" | "filebrowser" => file_browser::FileBrowser,
    "flight-data" | "Flights" => flight_data::FlightData,
    "game-server-status" | "minecraft-status" | "MinecraftStatus" => game_server_status::GameServerStatus,
    "hackernews-trending" | "HackernewsTrending" => hackernews_trending::HackernewsTrending,
    "iframe" | "IframeWidget" => iframe::Iframe,
    "image" | "ImageWidget" => image::Image,
    "joke" | "Jokes" => joke::Joke,
    "metrics-cpu-history" | "nd-cpu-history" | "NdCpuHistory" => metrics_cpu_history::MetricsCpuHistory,
    "metrics-load-history" | "nd-load-history" | "NdLoadHistory" => metrics_load_history::MetricsLoadHistory,
    "metrics-ram-history" | "nd-ram-history" | "NdRamHistory" => metrics_ram_history::MetricsRamHistory,
    "nas-download" | "synology-download" | "SynologyDownload" => nas_download::NasDownload,
    "news-headlines" | "NewsHeadlines" => news_headlines::NewsHeadlines,
    "prometheus-data" | "prometheus-metric" | "prometheusmetric" => prometheus_data::PrometheusData,
    "public-holidays" | "PublicHolidays" => public_holidays::PublicHolidays,
    "public-ip" | "PublicIp" => public_ip::PublicIp,
    "remote-monitoring" | "trmm" | "TacticalRMM" => remote_monitoring::RemoteMonitoring,
    "rss-feed" | "RssFeed" => rss_feed::RssFeed,
    "sports-scores" | "SportsScores" => sports_scores::SportsScores,
    "stock-price-chart" | "StockPriceChart" => stock_price_chart::StockPriceChart,
    "system-alerts" | "gl-alerts" | "GlAlerts" => system_alerts::SystemAlerts,
    "system-compact-metrics" | "gl-compact-metrics" | "GlCompactMetrics" =>
        system_compact_metrics::SystemCompactMetrics,
    "system-cpu-cores" | "gl-current-cores" | "GlCpuCores" => system_cpu_cores::SystemCpuCores,
    "system-cpu-current" | "system-cpu-gauge" | "gl-current-cpu" | "GlCpuGauge" => system_cpu_current::SystemCpuCurrent,
    "system-cpu-history" | "gl-cpu-history" | "GlCpuHistory" => system_cpu_history::SystemCpuHistory,
    "system-cpu-speedometer" | "gl-cpu-speedometer" | "GlCpuSpeedometer" =>
        system_cpu_speedometer::SystemCpuSpeedometer,
    "system-cpu-temperature" | "gl-cpu-temp" | "GlCpuTemp" => system_cpu_temperature::SystemCpuTemperature,
    "system-disk-io" | "gl-disk-io" | "GlDiskIo" => system_disk_io::SystemDiskIo,
    "system-disk-space" | "gl-disk-space" | "GlDiskSpace" => system_disk_space::SystemDiskSpace,
    "system-info" | "SystemInfo" => system_info::SystemInfo,
    "system-ip-address" | "gl-ip-address" | "GlIpAddress" => system_ip_address::SystemIpAddress,
    "system-load" | "gl-system-load" | "GlSystemLoad" => system_load::SystemLoad,
    "system-load-history" | "gl-load-history" | "GlLoadHistory" => system_load_history::SystemLoadHistory,
    "system-memory-current" | "gl-current-mem" | "GlMemGauge" => system_memory_current::SystemMemoryCurrent,
    "system-memory-history" | "gl-mem-history" | "GlMemHistory" => system_memory_history::SystemMemoryHistory,
    "system-memory-speedometer" | "gl-mem-speedometer" | "GlMemSpeedometer" =>
        system_memory_speedometer::SystemMemorySpeedometer,
    "system-network-interfaces" | "gl-network-interfaces" | "GlNetworkInterfaces" =>
        system_network_interfaces::SystemNetworkInterfaces,
    "system-network-traffic" | "gl-network-traffic" | "GlNetworkTraffic" | "gl-network-activity" =>
        system_network_traffic::SystemNetworkTraffic,
    "system-uptime" | "gl-uptime" | "GlancesUptime" => system_uptime::SystemUptime,
    "tfl-status" | "TflStatus" => tfl_status::TflStatus,
    "time-tracking" | "rescue-time" | "RescueTime" => time_tracking::TimeTracking,
    "transit-connection" | "mvg-connection" | "MvgConnection" => transit_connection::TransitConnection,
    "transit-departures" | "mvg" => transit_departures::TransitDepartures,
    "uptime-monitor" | "uptime-kuma" | "UptimeKuma" => uptime_monitor::UptimeMonitor,
    "uptime-ping" | "stat-ping" | "StatPing" => uptime_ping::UptimePing,
    "uptime-status-page" | "uptime-kuma-status-page" | "UptimeKumaStatusPage" =>
        uptime_status_page::UptimeStatusPage,
    "usenet-downloads" | "sabnzbd" => usenet_downloads::UsenetDownloads,
    "virtualization-lists" | "proxmox-lists" | "Proxmox" => virtualization_lists::VirtualizationLists,
    "vpn-gateway-info" | "gluetun-status" | "GluetunStatus" => vpn_gateway_info::VpnGatewayInfo,
    "vpn-status" | "mullvad-status" | "MullvadStatus" => vpn_status::VpnStatus,
    "wallet-balance" | "WalletBalance" => wallet_balance::WalletBalance,
    "weather" => weather::Weather,
    "weather-forecast" | "WeatherForecast" => weather_forecast::WeatherForecast,
    "web-comic" | "xkcd-comic" | "XkcdComic" => web_comic::WebComic,
}
