//! What widgets are about, for the list in which people choose one.

use super::Kind;

/// A category of widgets, in the order in which they are offered.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Category {
    /// Clocks, calendars, the weather.
    TimeAndWeather,
    /// Text, links, pictures and frames.
    TextAndLinks,
    /// Whether services run.
    Uptime,
    /// Processors, memory, disks, containers.
    Servers,
    /// DNS, VPN, addresses.
    Network,
    /// Files, downloads, mail.
    FilesAndCloud,
    /// Code, builds and work.
    Development,
    /// Headlines and feeds.
    News,
    /// Trains, buses, planes.
    Travel,
    /// Prices and rates.
    Money,
    /// Jokes, comics, sports.
    Fun,
    /// Data of any service.
    OwnData,
    /// What is in no other.
    Other,
}

/// The kinds of each category. Those that are nowhere are in [`Category::Other`].
const MEMBERS: [(Category, &[Kind]); 12] = [
    (
        Category::TimeAndWeather,
        &[Kind::Clock, Kind::Calendar, Kind::PublicHolidays, Kind::Weather, Kind::WeatherForecast],
    ),
    (
        Category::TextAndLinks,
        &[
            Kind::Blank,
            Kind::Bookmarks,
            Kind::CustomList,
            Kind::CustomSearch,
            Kind::HtmlEmbed,
            Kind::Iframe,
            Kind::Image,
            Kind::Notes,
        ],
    ),
    (
        Category::Uptime,
        &[
            Kind::CronChecks,
            Kind::CronMonitor,
            Kind::DomainMonitor,
            Kind::GameServerStatus,
            Kind::MessageStream,
            Kind::ServiceStatus,
            Kind::UptimeMonitor,
            Kind::UptimePing,
            Kind::UptimeStatusPage,
        ],
    ),
    (
        Category::Servers,
        &[
            Kind::Containers,
            Kind::MetricsCpuHistory,
            Kind::MetricsLoadHistory,
            Kind::MetricsRamHistory,
            Kind::RemoteMonitoring,
            Kind::SystemAlerts,
            Kind::SystemCompactMetrics,
            Kind::SystemCpuCores,
            Kind::SystemCpuCurrent,
            Kind::SystemCpuHistory,
            Kind::SystemCpuSpeedometer,
            Kind::SystemCpuTemperature,
            Kind::SystemDiskIo,
            Kind::SystemDiskSpace,
            Kind::SystemGpu,
            Kind::SystemInfo,
            Kind::SystemLoad,
            Kind::SystemLoadHistory,
            Kind::SystemMemoryCurrent,
            Kind::SystemMemoryHistory,
            Kind::SystemMemorySpeedometer,
            Kind::SystemUptime,
            Kind::VirtualizationLists,
        ],
    ),
    (
        Category::Network,
        &[
            Kind::BlacklistCheck,
            Kind::DnsFilterDnsInfo,
            Kind::DnsFilterListsStatus,
            Kind::DnsFilterStats,
            Kind::DnsFilterTopDomains,
            Kind::DnsSinkholeStats,
            Kind::DnsSinkholeStatsV6,
            Kind::DnsSinkholeTopQueries,
            Kind::DnsSinkholeTopQueriesV6,
            Kind::DnsSinkholeTraffic,
            Kind::DnsSinkholeTrafficV6,
            Kind::PublicIp,
            Kind::SystemIpAddress,
            Kind::SystemNetworkInterfaces,
            Kind::SystemNetworkTraffic,
            Kind::VpnGatewayInfo,
            Kind::VpnStatus,
        ],
    ),
    (
        Category::FilesAndCloud,
        &[
            Kind::AliasMail,
            Kind::CloudNotifications,
            Kind::CloudPhpCache,
            Kind::CloudStats,
            Kind::CloudSystem,
            Kind::CloudUser,
            Kind::CloudUserStatus,
            Kind::FileBrowser,
            Kind::NasDownload,
            Kind::UsenetDownloads,
        ],
    ),
    (
        Category::Development,
        &[
            Kind::CiBuilds,
            Kind::CodeHostProfileStats,
            Kind::CodeHostTrendingRepos,
            Kind::CodingStats,
            Kind::CveVulnerabilities,
            Kind::TimeTracking,
        ],
    ),
    (Category::News, &[Kind::CovidStats, Kind::HackernewsTrending, Kind::NewsHeadlines, Kind::RssFeed]),
    (Category::Travel, &[Kind::FlightData, Kind::TflStatus, Kind::TransitConnection, Kind::TransitDepartures]),
    (
        Category::Money,
        &[
            Kind::CryptoPriceChart,
            Kind::CryptoWatchList,
            Kind::EthGasPrices,
            Kind::ExchangeRates,
            Kind::StockPriceChart,
            Kind::WalletBalance,
        ],
    ),
    (Category::Fun, &[Kind::Apod, Kind::FactQuote, Kind::Joke, Kind::SportsScores, Kind::TennisScores, Kind::WebComic]),
    (Category::OwnData, &[Kind::ApiResponse, Kind::DataFeed, Kind::PrometheusData]),
];

impl Category {
    /// Its heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::TimeAndWeather => "Time and weather",
            Self::TextAndLinks => "Text, links and pictures",
            Self::Uptime => "Services and uptime",
            Self::Servers => "Servers and containers",
            Self::Network => "Network",
            Self::FilesAndCloud => "Files, cloud and mail",
            Self::Development => "Code and work",
            Self::News => "News",
            Self::Travel => "Travel",
            Self::Money => "Money",
            Self::Fun => "For fun",
            Self::OwnData => "Data of any service",
            Self::Other => "More",
        }
    }

    /// Its Material Design glyph, without `mdi-`.
    #[must_use]
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::TimeAndWeather => "clock-outline",
            Self::TextAndLinks => "text-box-outline",
            Self::Uptime => "heart-pulse",
            Self::Servers => "server",
            Self::Network => "lan",
            Self::FilesAndCloud => "cloud-outline",
            Self::Development => "code-tags",
            Self::News => "newspaper-variant-outline",
            Self::Travel => "train",
            Self::Money => "chart-line",
            Self::Fun => "star-outline",
            Self::OwnData => "database-outline",
            Self::Other => "widgets-outline",
        }
    }
}

impl Kind {
    /// What it is about.
    #[must_use]
    pub fn category(self) -> Category {
        let own = MEMBERS.iter().find(|(_, kinds)| kinds.contains(&self));
        own.map_or(Category::Other, |(category, _)| *category)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_widget_is_in_one_category() {
        for kind in Kind::ALL {
            let categories = MEMBERS.iter().filter(|(_, kinds)| kinds.contains(kind)).count();
            assert_eq!(categories, 1, "put `{}` into one category of MEMBERS", kind.name());
        }
    }

    #[test]
    fn categories_are_in_their_order() {
        assert!(MEMBERS.iter().map(|(category, _)| category).is_sorted());
    }
}
