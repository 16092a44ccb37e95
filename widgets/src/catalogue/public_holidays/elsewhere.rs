//! Fallback services for holidays, used if the usual one does not respond.

use std::fmt;

use futures_util::future::try_join_all;
use jiff::civil::Date;
use serde::Deserialize;

use super::{DateReply, HolidayReply, HolidayType, TextReply};
use crate::{FetchError, Outside, Request, panel::Link};

/// Three-letter codes with two-letter codes, for the countries that the usual service supports (ISO 3166-1).
const CODES: &str = "agoAO argAR ausAU autAT belBE bgrBG bihBA blrBY braBR canCA cheCH chlCL chnCN colCO cypCY czeCZ \
    deuDE dnkDK espES estEE finFI fraFR gbrGB grcGR hkgHK hrvHR hunHU imnIM irlIE islIS isrIL itaIT jpnJP korKR ltuLT \
    luxLU lvaLV mexMX mkdMK mneME nldNL norNO nzlNZ perPE phlPH polPL prtPT rouRO rusRU sgpSG slvSV srbRS svkSK svnSI \
    sweSE turTR ukrUA usaUS xkxXK zafZA";

/// A country, or one of its regions.
#[derive(Debug)]
pub(super) struct Country {
    /// Two letters in upper case.
    code: String,
    /// ISO 3166-2 code: `DE-BY`.
    region: Option<String>,
}

impl Country {
    /// The country with a two- or three-letter code, and the second half of its region's code.
    pub(super) fn new(written: &str, region: Option<&str>) -> Self {
        let lower = written.trim().to_lowercase();
        let long =
            CODES.split_whitespace().find_map(|pair| pair.strip_prefix(lower.as_str())).filter(|_| lower.len() == 3);
        let code = long.map_or_else(|| lower.to_uppercase(), str::to_owned);
        let region = region.map(|region| format!("{code}-{}", region.to_uppercase()));
        Self { code, region }
    }
}

impl fmt::Display for Country {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.region.as_deref().unwrap_or(&self.code))
    }
}

/// Which days are requested.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) country: Country,
    pub(super) kind: HolidayType,
    /// The first day, and the last.
    pub(super) from: Date,
    pub(super) to: Date,
}

/// A fallback service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Service {
    Nager,
    OpenHolidays,
}

impl Service {
    /// The services that have such days, better one first.
    pub(super) fn knowing(kind: HolidayType) -> &'static [Self] {
        match kind {
            HolidayType::All | HolidayType::PublicHoliday => &[Self::Nager, Self::OpenHolidays],
            HolidayType::SchoolHoliday => &[Self::OpenHolidays],
            HolidayType::Observance => &[Self::Nager],
            HolidayType::OtherDay | HolidayType::ExtraWorkingDay => &[],
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Nager => "Nager.Date",
            Self::OpenHolidays => "OpenHolidays",
        }
    }

    pub(super) fn credit(self) -> Option<Link> {
        match self {
            Self::Nager => Link::parse("Holidays by Nager.Date", "https://date.nager.at/"),
            Self::OpenHolidays => Link::parse("Holidays by OpenHolidays", "https://www.openholidaysapi.org/"),
        }
    }

    /// The requested days.
    ///
    /// # Errors
    ///
    /// The service does not respond, or does not know the country.
    pub(super) async fn holidays(
        self,
        outside: &dyn Outside,
        wanted: &Wanted,
    ) -> Result<Vec<HolidayReply>, FetchError> {
        match self {
            Self::Nager => of_nager(outside, wanted).await,
            Self::OpenHolidays => of_open_holidays(outside, wanted).await,
        }
    }
}

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

async fn of_nager(outside: &dyn Outside, wanted: &Wanted) -> Result<Vec<HolidayReply>, FetchError> {
    let Wanted { country, kind, from, to } = wanted;
    let years = (from.year()..=to.year()).map(|year| async move {
        let url =
            format!("https://date.nager.at/api/v3/PublicHolidays/{year}/{}", crate::address::encode(&country.code));
        // The service returns an empty response for countries that it knows, but has no holidays for.
        let reply = outside.exchange(Request::get(url)).await?;
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
        HolidayReply {
            date: DateReply::from(holiday.date),
            name: vec![
                TextReply { lang: String::new(), text: holiday.local_name },
                TextReply { lang: "en".to_owned(), text: holiday.name },
            ],
            holiday_type: word.word().to_owned(),
            ..HolidayReply::default()
        }
    });
    Ok(days.filter(|day| is_wanted(day, *kind)).collect())
}

/// One or several days from OpenHolidays.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OpenReply {
    start_date: Date,
    end_date: Date,
    #[serde(rename = "type")]
    kind: String,
    name: Vec<OpenTextReply>,
    comment: Vec<OpenTextReply>,
    nationwide: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OpenTextReply {
    language: String,
    text: String,
}

impl From<OpenTextReply> for TextReply {
    fn from(reply: OpenTextReply) -> Self {
        Self { lang: reply.language, text: reply.text }
    }
}

async fn of_open_holidays(outside: &dyn Outside, wanted: &Wanted) -> Result<Vec<HolidayReply>, FetchError> {
    let Wanted { country, kind, from, to } = wanted;
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
        outside.exchange(request).await?.json::<Vec<OpenReply>>()
    });
    let all = try_join_all(lists).await?.into_iter().flatten();
    let days = all.filter(|holiday| holiday.nationwide || country.region.is_some()).map(|holiday| {
        let word = match holiday.kind.as_str() {
            "School" | "BackToSchool" | "EndOfLessons" => HolidayType::SchoolHoliday,
            "Observance" => HolidayType::Observance,
            "Optional" => HolidayType::OtherDay,
            _ => HolidayType::PublicHoliday,
        };
        HolidayReply {
            date: DateReply::from(holiday.start_date),
            date_to: (holiday.end_date > holiday.start_date).then(|| DateReply::from(holiday.end_date)),
            name: holiday.name.into_iter().map(TextReply::from).collect(),
            note: holiday.comment.into_iter().map(TextReply::from).collect(),
            holiday_type: word.word().to_owned(),
            ..HolidayReply::default()
        }
    });
    Ok(days.filter(|day| is_wanted(day, *kind)).collect())
}

fn is_wanted(day: &HolidayReply, kind: HolidayType) -> bool {
    kind == HolidayType::All || day.holiday_type == kind.word()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_and_regions_are_called_by_their_short_codes() {
        for (written, region, expected) in [
            ("gbr", Some("eng"), "GB-ENG"),
            ("DE", Some("by"), "DE-BY"),
            ("aut", None, "AT"),
            ("in", None, "IN"),
            ("", None, ""),
        ] {
            assert_eq!(Country::new(written, region).to_string(), expected);
        }
    }
}
