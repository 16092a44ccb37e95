//! The list of all widgets: their names, and the way from a name to the code.

mod dispatch;
#[cfg(all(test, feature = "server"))]
mod docs;
#[cfg(feature = "server")]
mod options;
#[cfg(all(test, feature = "server"))]
mod tests;

#[cfg(feature = "server")]
mod clock;
#[cfg(feature = "server")]
mod crypto_price_chart;
mod public_ip;
#[cfg(feature = "server")]
mod rss_feed;
#[cfg(feature = "server")]
mod weather;

use dispatch::catalogue;
#[cfg(feature = "server")]
pub(crate) use dispatch::read;

// The first name is ours, and the documented one; the others are what existing files write, the component names of
// their software among them. Only widgets that a browser may run are compiled into its bundle.
catalogue! {
    #[cfg(feature = "server")]
    "clock" => clock::Clock,
    #[cfg(feature = "server")]
    "crypto-price-chart" | "CryptoPriceChart" => crypto_price_chart::CryptoPriceChart,
    "public-ip" | "PublicIp" => public_ip::PublicIp,
    #[cfg(feature = "server")]
    "rss-feed" | "RssFeed" => rss_feed::RssFeed,
    #[cfg(feature = "server")]
    "weather" => weather::Weather,
}
