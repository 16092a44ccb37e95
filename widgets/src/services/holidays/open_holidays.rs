//! OpenHolidays: public and school holidays of European countries, without a key.

use futures_util::future::try_join_all;
use jiff::civil::Date;
use serde::Deserialize;

use super::{Holiday, HolidayDate, HolidayQuery, HolidaySource, HolidayType, LocalText};
use crate::{FetchError, Request, WidgetContext};

/// The service.
pub(crate) struct OpenHolidays;

/// One or several days from OpenHolidays.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OpenReply {
    start_date: Date,
    end_date: Date,
    #[serde(rename = "type")]
    kind: String,
    name: Vec<OpenLocalText>,
    comment: Vec<OpenLocalText>,
    nationwide: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OpenLocalText {
    language: String,
    text: String,
}

impl From<OpenLocalText> for LocalText {
    fn from(reply: OpenLocalText) -> Self {
        Self { lang: reply.language, text: reply.text }
    }
}

impl HolidaySource for OpenHolidays {
    async fn holidays(
        &self,
        query: &HolidayQuery<'_>,
        context: &dyn WidgetContext,
    ) -> Result<Vec<Holiday>, FetchError> {
        let HolidayQuery { kind, from, to, .. } = query;
        let country = &query.place();
        let paths: &[&str] = match kind {
            HolidayType::SchoolHoliday => &["SchoolHolidays"],
            HolidayType::All => &["PublicHolidays", "SchoolHolidays"],
            _ => &["PublicHolidays"],
        };
        let lists = paths.iter().map(|path| async move {
            let mut request = Request::get(format!("https://openholidaysapi.org/{path}"))
                .query("countryIsoCode", &country.code)
                .query("validFrom", from)
                .query("validTo", to);
            if let Some(region) = &country.region {
                request = request.query("subdivisionCode", region);
            }
            context.exchange(request).await?.json::<Vec<OpenReply>>()
        });
        let all = try_join_all(lists).await?.into_iter().flatten();
        let days = all.filter(|holiday| holiday.nationwide || country.region.is_some()).map(|holiday| {
            let word = match holiday.kind.as_str() {
                "School" | "BackToSchool" | "EndOfLessons" => HolidayType::SchoolHoliday,
                "Observance" => HolidayType::Observance,
                "Optional" => HolidayType::OtherDay,
                _ => HolidayType::PublicHoliday,
            };
            Holiday {
                date: HolidayDate::from(holiday.start_date),
                date_to: (holiday.end_date > holiday.start_date).then(|| HolidayDate::from(holiday.end_date)),
                name: holiday.name.into_iter().map(LocalText::from).collect(),
                note: holiday.comment.into_iter().map(LocalText::from).collect(),
                holiday_type: word.word().to_owned(),
                ..Holiday::default()
            }
        });
        Ok(days.filter(|day| query.wants(day)).collect())
    }
}
