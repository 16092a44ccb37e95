//! The list of all widgets: their names, and the way from a name to the code.

mod dispatch;
#[cfg(test)]
mod docs;
mod manual;
mod nearest;
mod options;
#[cfg(test)]
mod tests;

mod api_response;
mod clock;
mod cron_checks;
mod crypto_price_chart;
mod crypto_watch_list;
mod custom_list;
mod custom_search;
mod dns_filter_stats;
mod dns_sinkhole_stats_v6;
mod dns_sinkhole_traffic_v6;
mod exchange_rates;
mod game_server_status;
mod hackernews_trending;
mod image;
mod joke;
mod metrics_cpu_history;
mod nas_download;
mod public_holidays;
mod public_ip;
mod rss_feed;
mod system_info;
mod system_network_traffic;
mod tfl_status;
mod weather;
mod weather_forecast;

use dispatch::catalogue;
pub(crate) use dispatch::read;
pub use manual::{Manual, OptionManual};

// The first name is ours, and the documented one; the others are what existing files write, the component names of
// their software among them.
catalogue! {
    "api-response" | "custom-api" | "customapi" => api_response::ApiResponse,
    "clock" => clock::Clock,
    "cron-checks" | "cron-monitor" | "health-checks" | "HealthChecks" => cron_checks::CronChecks,
    "crypto-price-chart" | "CryptoPriceChart" => crypto_price_chart::CryptoPriceChart,
    "crypto-watch-list" | "CryptoWatchList" => crypto_watch_list::CryptoWatchList,
    "custom-list" | "CustomList" => custom_list::CustomList,
    "custom-search" | "CustomSearch" => custom_search::CustomSearch,
    "dns-filter-stats" | "adguard-stats" | "AdGuardStats" => dns_filter_stats::DnsFilterStats,
    "dns-sinkhole-stats-v6" | "pi-hole-stats-v6" | "PiHoleStatsV6" => dns_sinkhole_stats_v6::DnsSinkholeStatsV6,
    "dns-sinkhole-traffic-v6" | "pi-hole-traffic-v6" | "PiHoleTrafficV6" =>
        dns_sinkhole_traffic_v6::DnsSinkholeTrafficV6,
    "exchange-rates" | "ExchangeRates" => exchange_rates::ExchangeRates,
    "game-server-status" | "minecraft-status" | "MinecraftStatus" => game_server_status::GameServerStatus,
    "hackernews-trending" | "HackernewsTrending" => hackernews_trending::HackernewsTrending,
    "image" | "ImageWidget" => image::Image,
    "joke" | "Jokes" => joke::Joke,
    "metrics-cpu-history" | "nd-cpu-history" | "NdCpuHistory" => metrics_cpu_history::MetricsCpuHistory,
    "nas-download" | "synology-download" | "SynologyDownload" => nas_download::NasDownload,
    "public-holidays" | "PublicHolidays" => public_holidays::PublicHolidays,
    "public-ip" | "PublicIp" => public_ip::PublicIp,
    "rss-feed" | "RssFeed" => rss_feed::RssFeed,
    "system-info" | "SystemInfo" => system_info::SystemInfo,
    "system-network-traffic" | "gl-network-traffic" | "GlNetworkTraffic" | "gl-network-activity" =>
        system_network_traffic::SystemNetworkTraffic,
    "tfl-status" | "TflStatus" => tfl_status::TflStatus,
    "weather" => weather::Weather,
    "weather-forecast" | "WeatherForecast" => weather_forecast::WeatherForecast,
}
