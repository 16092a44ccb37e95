//! Enrico: holidays of all kinds, with regions, without a key.

use serde::Deserialize;

use super::{Holiday, HolidayQuery, HolidaySource};
use crate::{
    FetchError, Request, WidgetContext,
    panel::{PlainText, teaser},
};

const HOLIDAYS: &str = "https://kayaposoft.com/enrico/json/v3.0/getHolidaysForDateRange";

/// The service.
pub(crate) struct Enrico;

#[derive(Deserialize)]
struct ErrorReply {
    error: String,
}

impl HolidaySource for Enrico {
    async fn holidays(
        &self,
        query: &HolidayQuery<'_>,
        context: &dyn WidgetContext,
    ) -> Result<Vec<Holiday>, FetchError> {
        let mut request = Request::get(HOLIDAYS)
            .query("fromDate", query.from)
            .query("toDate", query.to)
            .query("country", query.country);
        if let Some(region) = query.region.filter(|region| !region.is_empty()) {
            request = request.query("region", region);
        }
        let reply = context.exchange(request.query("holidayType", query.kind.word())).await?;
        // The body explains errors, whatever the status: the older version sends 200.
        if reply.body.trim_ascii_start().starts_with(b"{")
            && let Ok(ErrorReply { error }) = reply.any_json()
        {
            let sentence = teaser(&PlainText::read(&error).text, 200);
            let sentence = sentence.trim_end_matches('.');
            return Err(if sentence.is_empty() {
                reply.unexpected("an error without an explanation")
            } else {
                FetchError::message(format!("kayaposoft.com: {sentence}. Check the options country and state."))
            });
        }
        reply.json()
    }
}
