//! Public transport of any network. To add a network, add a file with an `impl` of [`Transit`].

pub(crate) mod mvg;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    FetchError, Moment, OptionProblems, WidgetContext,
    option_types::{Color, Lenient, OneOrMany, Text},
};

/// The documented products.
pub(crate) const PRODUCTS: [&str; 4] = ["TRAM", "UBAHN", "SBAHN", "BUS"];
/// Other products that exist.
const OTHER_PRODUCTS: [&str; 3] = ["BAHN", "REGIONAL_BUS", "SCHIFF"];

/// Which departures are shown.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Filters {
    /// Names of lines, such as {example}.
    #[schemars(extend("x-example" = "U6"))]
    line: Lenient<OneOrMany<Text>>,
    /// Products.
    product: Lenient<OneOrMany<Text>>,
    /// Destinations, or parts of their names.
    destination: Lenient<OneOrMany<Text>>,
}

impl Filters {
    /// Reports what is wrong with the filters.
    pub(crate) fn check(&self, problems: &mut OptionProblems) {
        for (name, filter) in [("line", &self.line), ("product", &self.product), ("destination", &self.destination)] {
            if filter.unknown().is_some() {
                problems.note(format!("filters.{name} must be text or a list of texts; it is ignored."));
            }
        }
        // A wrong product costs only itself.
        let none_is_left = self.products().is_empty();
        for written in words(&self.product).filter(|written| product(written).is_none()) {
            let sentence = format!("Unknown product '{written}'. Use {}.", PRODUCTS.join(", "));
            if none_is_left { problems.error(sentence) } else { problems.note(sentence) }
        }
    }

    /// The products in the service's terms; empty for the default.
    pub(crate) fn products(&self) -> Vec<&'static str> {
        words(&self.product).filter_map(product).collect()
    }

    /// Adds the products of another option.
    pub(crate) fn with_products(self, products: &Lenient<OneOrMany<Text>>) -> Self {
        Self { product: products.clone(), ..self }
    }

    /// Whether anything is filtered out.
    pub(crate) fn is_set(&self) -> bool {
        [&self.line, &self.product, &self.destination].into_iter().any(|filter| words(filter).next().is_some())
    }

    /// Whether to show a line.
    pub(crate) fn has_line(&self, label: &str) -> bool {
        words(&self.line).next().is_none() || words(&self.line).any(|line| line.eq_ignore_ascii_case(label.trim()))
    }

    /// Whether to show a destination.
    pub(crate) fn has_destination(&self, destination: &str) -> bool {
        let destination = destination.to_lowercase();
        words(&self.destination).next().is_none()
            || words(&self.destination).any(|part| destination.contains(&part.to_lowercase()))
    }
}

fn words(filter: &Lenient<OneOrMany<Text>>) -> impl Iterator<Item = &str> {
    filter.get().into_iter().flatten().flat_map(|text| text.split(',')).map(str::trim).filter(|word| !word.is_empty())
}

/// The service's word for a product, in upper or lower case, with or without dashes.
fn product(written: &str) -> Option<&'static str> {
    let plain = |word: &str| word.replace(['-', '_', ' '], "").to_ascii_uppercase();
    PRODUCTS.into_iter().chain(OTHER_PRODUCTS).find(|known| plain(known) == plain(written))
}

/// A stop or another place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TransitPlace {
    pub(crate) name: String,
    /// The id of a stop.
    pub(crate) id: Option<String>,
    /// Latitude and longitude, for places that are not stops.
    pub(crate) position: Option<(f64, f64)>,
}

/// A time at a stop, and how many seconds its local time is ahead of UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LocalTime {
    pub(crate) at: Moment,
    pub(crate) offset: i32,
}

/// One departure. Texts are unchecked, as received.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Departure {
    pub(crate) line: String,
    pub(crate) color: Option<Color>,
    pub(crate) destination: String,
    pub(crate) planned: Option<LocalTime>,
    /// The actual departure time, if it is known.
    pub(crate) live: Option<LocalTime>,
    pub(crate) delay_minutes: Option<i64>,
    pub(crate) is_cancelled: bool,
    /// Whether something else runs instead.
    pub(crate) is_replaced: bool,
    pub(crate) platform: Option<String>,
    /// Whether it leaves from another platform than usual.
    pub(crate) is_moved: bool,
    pub(crate) occupancy: Option<Occupancy>,
    pub(crate) messages: Vec<String>,
}

/// How full a vehicle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occupancy {
    Low,
    Medium,
    High,
}

/// One connection between two places.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Journey {
    pub(crate) legs: Vec<Leg>,
}

/// One leg of a connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Leg {
    /// The line; `None` for a walk.
    pub(crate) line: Option<String>,
    pub(crate) color: Option<Color>,
    pub(crate) destination: String,
    pub(crate) from: Stop,
    pub(crate) to: Stop,
    pub(crate) is_replaced: bool,
    /// Whether something is out of order on the way.
    pub(crate) is_disturbed: bool,
    /// The names of the stops between the two.
    pub(crate) via: Vec<String>,
    pub(crate) messages: Vec<String>,
}

/// A stop on a connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stop {
    pub(crate) name: String,
    pub(crate) planned: Option<LocalTime>,
    pub(crate) delay_minutes: i64,
    pub(crate) platform: Option<String>,
}

/// A network of public transport.
pub(crate) trait Transit {
    /// Finds a place by its name or id, optionally only stops.
    ///
    /// # Errors
    ///
    /// The service does not respond. A missing place is not an error.
    fn place(
        &self,
        written: &str,
        stops_only: bool,
        context: &dyn WidgetContext,
    ) -> impl Future<Output = Result<Option<TransitPlace>, FetchError>>;

    /// The name of the stop with an id; `None` if the service does not know it, or does not respond.
    fn stop_name(&self, id: &str, context: &dyn WidgetContext) -> impl Future<Output = Option<String>>;

    /// The departures of a stop, beginning in so many minutes, soonest first.
    ///
    /// # Errors
    ///
    /// The service does not respond.
    fn departures(
        &self,
        stop: &str,
        filters: &Filters,
        offset_minutes: i64,
        context: &dyn WidgetContext,
    ) -> impl Future<Output = Result<Vec<Departure>, FetchError>>;

    /// The next connections between two places.
    ///
    /// # Errors
    ///
    /// The service does not respond.
    fn journeys(
        &self,
        from: &TransitPlace,
        to: &TransitPlace,
        filters: &Filters,
        context: &dyn WidgetContext,
    ) -> impl Future<Output = Result<Vec<Journey>, FetchError>>;
}
