//! Clients of services that several widgets ask.

mod account;
pub(crate) mod calendar;
pub(crate) mod cloud;
pub(crate) mod coingecko;
pub(crate) mod coinpaprika;
pub(crate) mod cron_projects;
pub(crate) mod dns_blacklists;
pub(crate) mod dns_filter;
pub(crate) mod dns_sinkhole;
pub(crate) mod dns_sinkhole_v6;
pub(crate) mod dns_traffic;
pub(crate) mod download_station;
pub(crate) mod feed;
pub(crate) mod gas;
pub(crate) mod github;
pub(crate) mod ical;
pub(crate) mod metrics_server;
pub(crate) mod news;
pub(crate) mod open_meteo;
pub(crate) mod openweathermap;
pub(crate) mod status_labels;
pub(crate) mod stocks;
pub(crate) mod system_monitor;
pub(crate) mod tolerant;
pub(crate) mod top_domains;
pub(crate) mod transit;
pub(crate) mod weather;
