//! Nager.Date: public holidays of about a hundred countries, without a key.

use futures_util::future::try_join_all;
use jiff::civil::Date;
use serde::Deserialize;

use super::{Holiday, HolidayDate, HolidayQuery, HolidaySource, HolidayType, LocalText};
use crate::{FetchError, Request, WidgetContext};

/// The service.
pub(crate) struct Nager;

/// A day from Nager.Date.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct NagerReply {
    date: Date,
    local_name: String,
    name: String,
    /// Whether it applies to the whole country.
    global: bool,
    counties: Option<Vec<String>>,
    types: Vec<String>,
}

impl HolidaySource for Nager {
    async fn holidays(
        &self,
        query: &HolidayQuery<'_>,
        context: &dyn WidgetContext,
    ) -> Result<Vec<Holiday>, FetchError> {
        let HolidayQuery { from, to, .. } = query;
        let country = &query.place();
        let years = (from.year()..=to.year()).map(|year| async move {
            let url =
                format!("https://date.nager.at/api/v3/PublicHolidays/{year}/{}", crate::address::encode(&country.code));
            // The service returns an empty response for countries that it knows, but has no holidays for.
            let reply = context.exchange(Request::get(url)).await?;
            if reply.status == 204 { Ok(Vec::new()) } else { reply.json::<Vec<NagerReply>>() }
        });
        let all = try_join_all(years).await?.into_iter().flatten();
        let is_here = |holiday: &NagerReply| {
            let counties = holiday.counties.as_deref().unwrap_or_default();
            holiday.global || country.region.as_ref().is_some_and(|region| counties.contains(region))
        };
        let days = all.filter(|holiday| (*from..=*to).contains(&holiday.date) && is_here(holiday)).map(|holiday| {
            let has = |name: &str| holiday.types.iter().any(|known| known == name);
            let word = if has("Public") || has("Bank") || holiday.types.is_empty() {
                HolidayType::PublicHoliday
            } else if has("School") {
                HolidayType::SchoolHoliday
            } else if has("Observance") {
                HolidayType::Observance
            } else {
                HolidayType::OtherDay
            };
            Holiday {
                date: HolidayDate::from(holiday.date),
                name: vec![
                    LocalText { lang: String::new(), text: holiday.local_name },
                    LocalText { lang: "en".to_owned(), text: holiday.name },
                ],
                holiday_type: word.word().to_owned(),
                ..Holiday::default()
            }
        });
        Ok(days.filter(|day| query.wants(day)).collect())
    }
}
