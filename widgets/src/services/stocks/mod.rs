//! Share prices from any source. To add a source, add a file with an `impl` of [`StockSource`].

pub(crate) mod alpha_vantage;
pub(crate) mod yahoo;

use std::time::Duration;

use jiff::civil::Date;

use super::calendar;
use crate::{FetchError, Moment, WidgetContext};

/// Which price of a day or an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PriceField {
    Open,
    High,
    Low,
    Close,
    Volume,
}

/// Which prices are wanted.
pub(crate) struct PriceQuery<'a> {
    /// A symbol such as `NET`, with the exchange after a dot if it is not in the USA.
    pub(crate) symbol: &'a str,
    pub(crate) field: PriceField,
    /// Minutes between two prices; `None` means one price per day.
    pub(crate) minutes: Option<u16>,
}

/// The prices of one share, oldest first.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Prices {
    /// Three-letter code, if the source gives one.
    pub(crate) currency: Option<String>,
    pub(crate) points: Vec<(Moment, f64)>,
}

/// A source of share prices.
pub(crate) trait StockSource {
    /// Fetches the latest prices.
    ///
    /// # Errors
    ///
    /// The source does not know the share, has no prices, or rejects its key.
    fn prices(
        &self,
        query: &PriceQuery<'_>,
        context: &dyn WidgetContext,
    ) -> impl Future<Output = Result<Prices, FetchError>>;
}

/// Noon in UTC: a time on the same date for viewers in nearly every zone.
fn noon(day: Date) -> Moment {
    calendar::midnight(day).after(Duration::from_secs(12 * 3600))
}
