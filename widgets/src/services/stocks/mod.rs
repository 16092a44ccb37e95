//! Prices of shares, whoever tells them. A further source is a file with an `impl` of [`StockSource`].

pub(crate) mod alpha_vantage;
pub(crate) mod yahoo;

use std::time::Duration;

use jiff::civil::Date;

use super::calendar;
use crate::{FetchError, Moment, Outside};

/// Which price of a day or of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Open,
    High,
    Low,
    Close,
    Volume,
}

/// What is wanted.
pub(crate) struct Question<'a> {
    /// A symbol such as `NET`, with the exchange behind a dot if it is not one of the USA.
    pub(crate) symbol: &'a str,
    pub(crate) field: Field,
    /// How many minutes are between two prices; without it there is one for each day.
    pub(crate) minutes: Option<u16>,
}

/// The prices of one share, the oldest first.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Prices {
    /// Three letters, if the source names it.
    pub(crate) currency: Option<String>,
    pub(crate) points: Vec<(Moment, f64)>,
}

/// Who knows the prices of shares.
pub(crate) trait StockSource {
    /// Asks for the last prices.
    ///
    /// # Errors
    ///
    /// If the source does not know the share, has nothing, or refuses its key.
    fn prices(
        &self,
        question: &Question<'_>,
        outside: &dyn Outside,
    ) -> impl Future<Output = Result<Prices, FetchError>>;
}

/// A time that is the same day for viewers in nearly every zone: noon in UTC.
fn noon(day: Date) -> Moment {
    calendar::midnight(day).after(Duration::from_secs(12 * 3600))
}
