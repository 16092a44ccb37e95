//! Holidays of countries and regions, from any source. To add a source, add a file with an `impl` of [`HolidaySource`].

mod country;
pub(crate) mod enrico;
pub(crate) mod nager;
pub(crate) mod open_holidays;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FetchError, WidgetContext};

pub(crate) use country::Country;

/// Which days are wanted.
pub(crate) struct HolidayQuery<'a> {
    /// The code of the country as written, with two or three letters.
    pub(crate) country: &'a str,
    /// The second half of the region's ISO 3166-2 code, in lower case: `by` for `DE-BY`.
    pub(crate) region: Option<&'a str>,
    pub(crate) kind: HolidayType,
    /// The first day, and the last.
    pub(crate) from: Date,
    pub(crate) to: Date,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HolidayType {
    All,
    #[default]
    PublicHoliday,
    Observance,
    SchoolHoliday,
    OtherDay,
    ExtraWorkingDay,
}

impl HolidayType {
    /// The word in options and requests.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::PublicHoliday => "public_holiday",
            Self::Observance => "observance",
            Self::SchoolHoliday => "school_holiday",
            Self::OtherDay => "other_day",
            Self::ExtraWorkingDay => "extra_working_day",
        }
    }
}

/// One day or several, in the form of Enrico, so that its responses need no conversion.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Holiday {
    pub(crate) date: HolidayDate,
    pub(crate) date_to: Option<HolidayDate>,
    pub(crate) observed_on: Option<HolidayDate>,
    pub(crate) name: Vec<LocalText>,
    pub(crate) note: Vec<LocalText>,
    pub(crate) holiday_type: String,
}

/// A date, which may not exist.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct HolidayDate {
    pub(crate) day: i8,
    pub(crate) month: i8,
    pub(crate) year: i16,
}

/// A text in one language.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LocalText {
    pub(crate) lang: String,
    pub(crate) text: String,
}

/// A source of holidays.
pub(crate) trait HolidaySource {
    /// Fetches the days of a country or of one of its regions, in any order.
    ///
    /// # Errors
    ///
    /// The source does not know the country, or does not respond.
    fn holidays(
        &self,
        query: &HolidayQuery<'_>,
        context: &dyn WidgetContext,
    ) -> impl Future<Output = Result<Vec<Holiday>, FetchError>>;
}

impl HolidayQuery<'_> {
    /// The country or region by its short codes.
    pub(crate) fn place(&self) -> Country {
        Country::new(self.country, self.region)
    }

    /// Whether a day is of the wanted kind.
    fn wants(&self, day: &Holiday) -> bool {
        self.kind == HolidayType::All || day.holiday_type == self.kind.word()
    }
}

impl From<Date> for HolidayDate {
    fn from(date: Date) -> Self {
        Self { day: date.day(), month: date.month(), year: date.year() }
    }
}

impl HolidayDate {
    /// The date, if it exists.
    pub(crate) fn date(self) -> Option<Date> {
        Date::new(self.year, self.month, self.day).ok()
    }
}
