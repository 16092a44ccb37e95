//! The weather, from any source, and what the weather widgets share: the place, the units, and how values are shown. To
//! add a source, add a file with an `impl` of [`WeatherSource`] and a [`Provider`].

mod data;
mod open_meteo;
mod openweathermap;
mod openweathermap_parts;
mod options;
mod values;

use self::{open_meteo::OpenMeteo, openweathermap::OpenWeatherMap};
use crate::{FetchError, WidgetContext};

pub(crate) use data::{Conditions, Day, Forecast, local_day};
pub(crate) use options::{Provider, WeatherOptions, WeatherSource};
pub(crate) use values::{Units, time_there, whole};

impl WeatherOptions {
    /// The current weather from the chosen service.
    ///
    /// # Errors
    ///
    /// Those of [`WeatherSource::current`].
    pub(crate) async fn current(&self, context: &dyn WidgetContext) -> Result<Conditions, FetchError> {
        match self.provider() {
            Provider::Openweathermap => OpenWeatherMap { options: self }.current(context).await,
            Provider::OpenMeteo => OpenMeteo { options: self }.current(context).await,
        }
    }

    /// The forecast of the chosen service.
    ///
    /// # Errors
    ///
    /// Those of [`WeatherSource::forecast`].
    pub(crate) async fn forecast(&self, days: usize, context: &dyn WidgetContext) -> Result<Forecast, FetchError> {
        match self.provider() {
            Provider::Openweathermap => OpenWeatherMap { options: self }.forecast(days, context).await,
            Provider::OpenMeteo => OpenMeteo { options: self }.forecast(days, context).await,
        }
    }
}
