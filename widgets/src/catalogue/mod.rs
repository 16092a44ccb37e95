//! The list of all widgets: their names, and the way from a name to the code.

mod dispatch;
#[cfg(all(test, feature = "server"))]
mod docs;
#[cfg(feature = "server")]
mod manual;
#[cfg(feature = "server")]
mod options;
#[cfg(all(test, feature = "server"))]
mod tests;

#[cfg(feature = "server")]
mod api_response;
#[cfg(feature = "server")]
mod clock;
#[cfg(feature = "server")]
mod cron_checks;
#[cfg(feature = "server")]
mod crypto_price_chart;
#[cfg(feature = "server")]
mod crypto_watch_list;
#[cfg(feature = "server")]
mod custom_list;
#[cfg(feature = "server")]
mod custom_search;
#[cfg(feature = "server")]
mod dns_filter_stats;
#[cfg(feature = "server")]
mod dns_sinkhole_stats_v6;
#[cfg(feature = "server")]
mod dns_sinkhole_traffic_v6;
#[cfg(feature = "server")]
mod exchange_rates;
#[cfg(feature = "server")]
mod game_server_status;
#[cfg(feature = "server")]
mod hackernews_trending;
#[cfg(feature = "server")]
mod image;
#[cfg(feature = "server")]
mod joke;
#[cfg(feature = "server")]
mod metrics_cpu_history;
#[cfg(feature = "server")]
mod nas_download;
#[cfg(feature = "server")]
mod public_holidays;
mod public_ip;
#[cfg(feature = "server")]
mod rss_feed;
#[cfg(feature = "server")]
mod system_info;
#[cfg(feature = "server")]
mod system_network_traffic;
#[cfg(feature = "server")]
mod tfl_status;
#[cfg(feature = "server")]
mod weather;
#[cfg(feature = "server")]
mod weather_forecast;

use dispatch::catalogue;
#[cfg(feature = "server")]
pub(crate) use dispatch::read;
#[cfg(feature = "server")]
pub use manual::{Manual, OptionManual};

// The first name is ours, and the documented one; the others are what existing files write, the component names of
// their software among them. Only widgets that a browser may run are compiled into its bundle.
catalogue! {
    #[cfg(feature = "server")]
    "api-response" | "custom-api" | "customapi" => api_response::ApiResponse,
    #[cfg(feature = "server")]
    "clock" => clock::Clock,
    #[cfg(feature = "server")]
    "cron-checks" | "HealthChecks" => cron_checks::CronChecks,
    #[cfg(feature = "server")]
    "crypto-price-chart" | "CryptoPriceChart" => crypto_price_chart::CryptoPriceChart,
    #[cfg(feature = "server")]
    "crypto-watch-list" | "CryptoWatchList" => crypto_watch_list::CryptoWatchList,
    #[cfg(feature = "server")]
    "custom-list" | "CustomList" => custom_list::CustomList,
    #[cfg(feature = "server")]
    "custom-search" | "CustomSearch" => custom_search::CustomSearch,
    #[cfg(feature = "server")]
    "dns-filter-stats" | "adguard-stats" | "AdGuardStats" => dns_filter_stats::DnsFilterStats,
    #[cfg(feature = "server")]
    "dns-sinkhole-stats-v6" | "pi-hole-stats-v6" | "PiHoleStatsV6" => dns_sinkhole_stats_v6::DnsSinkholeStatsV6,
    #[cfg(feature = "server")]
    "dns-sinkhole-traffic-v6" | "pi-hole-traffic-v6" | "PiHoleTrafficV6" =>
        dns_sinkhole_traffic_v6::DnsSinkholeTrafficV6,
    #[cfg(feature = "server")]
    "exchange-rates" | "ExchangeRates" => exchange_rates::ExchangeRates,
    #[cfg(feature = "server")]
    "game-server-status" | "minecraft-status" | "MinecraftStatus" => game_server_status::GameServerStatus,
    #[cfg(feature = "server")]
    "hackernews-trending" | "HackernewsTrending" => hackernews_trending::HackernewsTrending,
    #[cfg(feature = "server")]
    "image" | "ImageWidget" => image::Image,
    #[cfg(feature = "server")]
    "joke" | "Jokes" => joke::Joke,
    #[cfg(feature = "server")]
    "metrics-cpu-history" | "nd-cpu-history" | "NdCpuHistory" => metrics_cpu_history::MetricsCpuHistory,
    #[cfg(feature = "server")]
    "nas-download" | "synology-download" | "SynologyDownload" => nas_download::NasDownload,
    #[cfg(feature = "server")]
    "public-holidays" | "PublicHolidays" => public_holidays::PublicHolidays,
    "public-ip" | "PublicIp" => public_ip::PublicIp,
    #[cfg(feature = "server")]
    "rss-feed" | "RssFeed" => rss_feed::RssFeed,
    #[cfg(feature = "server")]
    "system-info" | "SystemInfo" => system_info::SystemInfo,
    #[cfg(feature = "server")]
    "system-network-traffic" | "gl-network-traffic" | "GlNetworkTraffic" | "gl-network-activity" =>
        system_network_traffic::SystemNetworkTraffic,
    #[cfg(feature = "server")]
    "tfl-status" | "TflStatus" => tfl_status::TflStatus,
    #[cfg(feature = "server")]
    "weather" => weather::Weather,
    #[cfg(feature = "server")]
    "weather-forecast" | "WeatherForecast" => weather_forecast::WeatherForecast,
}
