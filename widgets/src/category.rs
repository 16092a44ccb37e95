//! What widgets are about, for the list in which users choose one.

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
}

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
        }
    }
}
