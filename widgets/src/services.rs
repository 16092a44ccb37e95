//! Clients of services that several widgets ask.

pub(crate) mod coingecko;
pub(crate) mod feed;
pub(crate) mod open_meteo;
pub(crate) mod openweathermap;
