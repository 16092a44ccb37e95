//! `public-holidays`: the next holidays of a country or one of its regions.

mod elsewhere;

use std::time::Duration;

use jiff::{Span, civil::Date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Audience, Entry, FetchError, OptionProblems, Outside, Panel, Reach, Request, Widget,
    option_types::{Bounded, Lenient, Text},
    panel::{self, Datum, Entries, Heading, Link, Notice, Part, Phrase, PlainText, Style, Unit, teaser},
    services::calendar,
};

const HOLIDAYS: &str = "https://kayaposoft.com/enrico/json/v3.0/getHolidaysForDateRange";
/// How long a response is kept: holidays change once a year.
const LIFE: Duration = Duration::from_secs(24 * 3600);
/// The same for the fallback services, so that the usual one is soon tried again.
const LIFE_ELSEWHERE: Duration = Duration::from_secs(6 * 3600);
/// Countries that have regions with their own holidays, by both of their codes.
const WITH_REGIONS: [&str; 20] = [
    "aus", "au", "bel", "be", "can", "ca", "che", "ch", "deu", "de", "esp", "es", "gbr", "gb", "nzl", "nz", "svk",
    "sk", "usa", "us",
];

/// Shows the next public holidays (bank holidays) of a country, or of one of its regions. If the usual service does not
/// respond, others are used that have most of the same data.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PublicHolidays {
    /// The country by its code of two or three letters, such as `GB` or `gbr`. Required.
    country: Text,
    /// The region by the second half of its ISO 3166-2 code, such as `by` for Bavaria or `eng` for England. Without it,
    /// only holidays of the whole country are shown, which are few in countries with regions.
    state: Text,
    /// Which kind of days is shown.
    #[schemars(extend("default" = "public_holiday"))]
    holiday_type: Lenient<HolidayType>,
    /// How many months ahead are shown.
    months_to_show: Bounded<1, 12, 24>,
    /// Language of the names, such as `en`. Without it, the country's usual one.
    lang: Text,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum HolidayType {
    All,
    #[default]
    PublicHoliday,
    Observance,
    SchoolHoliday,
    OtherDay,
    ExtraWorkingDay,
}

impl HolidayType {
    const fn word(self) -> &'static str {
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

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct HolidayReply {
    date: DateReply,
    date_to: Option<DateReply>,
    observed_on: Option<DateReply>,
    name: Vec<TextReply>,
    note: Vec<TextReply>,
    holiday_type: String,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct DateReply {
    day: i8,
    month: i8,
    year: i16,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct TextReply {
    lang: String,
    text: String,
}

#[derive(Deserialize)]
struct ErrorReply {
    error: String,
}

impl Widget for PublicHolidays {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("region", "state")];
    const REACH: Reach = Reach::ViaServer;
    const AUDIENCE: Audience = Audience::Language;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require(self.country.is_set(), "country is missing (a code such as GB or gbr).");
        let types = "all, public_holiday, observance, school_holiday, other_day or extra_working_day";
        if self.holiday_type.unknown().is_some() {
            problems.error(format!("holidayType must be {types}."));
        }
        self.months_to_show.check("monthsToShow", problems);
    }

    /// Often enough for "tomorrow" to be true; the service is queried once a day.
    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(3600))
    }

    async fn fetch(&self, outside: &dyn Outside) -> Result<Panel, FetchError> {
        let today = calendar::today(outside.now(), outside.viewer());
        // The 31st becomes the last day of a shorter month.
        let last = Span::new().try_months(self.months());
        let last = last.and_then(|months| today.checked_add(months)).unwrap_or(Date::MAX);
        let (mut holidays, credit) = self.holidays(outside, today, last).await?;
        holidays.sort_by_key(|holiday| holiday.date.date());
        let parts = self.parts(&holidays, today);
        if parts.is_empty() {
            return Ok(Panel { credit, ..self.empty() });
        }
        Ok(Panel { credit, ..Panel::new(parts) })
    }
}

impl PublicHolidays {
    fn months(&self) -> u32 {
        u32::try_from(self.months_to_show.get()).unwrap_or(12)
    }

    /// The holidays between two days, and the service that returned them if it is not the usual one.
    async fn holidays(
        &self,
        outside: &dyn Outside,
        from: Date,
        to: Date,
    ) -> Result<(Vec<HolidayReply>, Option<Link>), FetchError> {
        let error = match self.usual(outside, from, to).await {
            Err(error) if error.is_outage() => error,
            usual => return Ok((usual?, None)),
        };
        let kind = self.holiday_type.or_default();
        let country = elsewhere::Country::new(&self.country, self.region().as_deref());
        let wanted = elsewhere::Wanted { country, kind, from, to };
        for service in elsewhere::Service::knowing(kind) {
            let key = format!("{}/{}/{}/{from}/{to}", service.name(), wanted.country, kind.word());
            let kept =
                outside.kept(&key, LIFE_ELSEWHERE, async { Ok(json!(service.holidays(outside, &wanted).await?)) });
            if let Ok(holidays) = kept.await
                && let Ok(holidays) = serde_json::from_value(holidays)
            {
                outside.remark(&format!("{} stands in for the usual service: {error}", service.name()));
                return Ok((holidays, service.credit()));
            }
        }
        Err(error)
    }

    async fn usual(&self, outside: &dyn Outside, from: Date, to: Date) -> Result<Vec<HolidayReply>, FetchError> {
        let kind = self.holiday_type.or_default().word();
        let region = self.region().unwrap_or_default();
        let key = format!("enrico/{}/{region}/{kind}/{from}/{to}", self.country.to_lowercase());
        let kept = outside.kept(&key, LIFE, async {
            let mut request =
                Request::get(HOLIDAYS).query("fromDate", from).query("toDate", to).query("country", &self.country);
            if !region.is_empty() {
                request = request.query("region", &region);
            }
            let reply = outside.exchange(request.query("holidayType", kind)).await?;
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
            Ok(json!(reply.json::<Vec<HolidayReply>>()?))
        });
        serde_json::from_value(kept.await?).map_err(|_| FetchError::message("The holidays cannot be read."))
    }

    /// The region in the service's form: `by`, also for `DE-BY`.
    fn region(&self) -> Option<String> {
        let written = self.state.get()?;
        Some(written.rsplit('-').next().unwrap_or(written).to_lowercase())
    }

    /// A list per year. The days are shown without a year, so a year other than the current one is shown above its
    /// list.
    fn parts(&self, holidays: &[HolidayReply], today: Date) -> Vec<Part> {
        let mut parts = Vec::new();
        for days in holidays.chunk_by(|one, next| one.date.year == next.date.year) {
            let entries: Vec<panel::ListEntry> =
                days.iter().filter_map(|holiday| holiday.entry(self.lang.get(), today)).collect();
            if entries.is_empty() {
                continue;
            }
            let year = days.first().map_or(today.year(), |holiday| holiday.date.year);
            if year > today.year() {
                parts.push(Heading::new(Phrase::foreign(year.to_string())).into());
            }
            parts.push(Entries::new(entries).into());
        }
        parts
    }

    fn empty(&self) -> Panel {
        let sentence = match self.months() {
            1 => Phrase::from("No holidays in the next month"),
            months => Phrase::from("No holidays in the next {n} months").with("n", Datum::count(months)),
        };
        let mut panel = Panel::empty(sentence);
        let has_regions = WITH_REGIONS.contains(&self.country.to_lowercase().as_str());
        if has_regions && !self.state.is_set() {
            panel.parts.push(Notice::empty("Most holidays in this country are regional: set state").into());
        }
        panel
    }
}

impl From<Date> for DateReply {
    fn from(date: Date) -> Self {
        Self { day: date.day(), month: date.month(), year: date.year() }
    }
}

impl DateReply {
    fn date(self) -> Option<Date> {
        Date::new(self.year, self.month, self.day).ok()
    }
}

impl HolidayReply {
    /// The holiday as shown; `None` if it is over, or its date does not exist.
    fn entry(&self, lang: Option<&str>, today: Date) -> Option<panel::ListEntry> {
        let first = self.date.date()?;
        let last = self.date_to.and_then(DateReply::date).filter(|last| *last > first);
        if last.unwrap_or(first) < today {
            return None;
        }
        let observed = self
            .observed_on
            .and_then(DateReply::date)
            .map(|date| Phrase::from("observed {date}").with("date", calendar::day(date, Style::ShortDate)));
        let (kind, tag) = self.kind();
        let (title, kind) = match text(&self.name, lang) {
            "" => (kind, None),
            name => (Phrase::foreign(name), tag),
        };
        let note = text(&self.note, lang);
        Some(panel::ListEntry {
            day: Some(last.map_or_else(|| calendar::day(first, Style::ShortDate), |last| calendar::days(first, last))),
            text: (!note.is_empty()).then(|| Phrase::foreign(note)),
            opens: true,
            values: vec![distance(first, today)],
            tags: kind.into_iter().chain(observed).collect(),
            highlighted: first <= today,
            ..panel::ListEntry::new(title)
        })
    }

    /// The kind of day, as a title and as a tag. Public holidays have no tag, because most days are of this kind.
    fn kind(&self) -> (Phrase, Option<Phrase>) {
        let (title, tag) = match self.holiday_type.as_str() {
            "" | "public_holiday" => return ("Public holiday".into(), None),
            "observance" => ("Observance", "observance"),
            "school_holiday" => ("School holiday", "school holiday"),
            "other_day" => ("Other day", "other day"),
            "extra_working_day" => ("Extra working day", "extra working day"),
            "postal_holiday" => ("Postal holiday", "postal holiday"),
            other => {
                let words = Phrase::foreign(other.replace('_', " "));
                return (words.clone(), Some(words));
            }
        };
        (title.into(), Some(tag.into()))
    }
}

/// The text in a language, or else the first one that is not blank.
fn text<'a>(texts: &'a [TextReply], lang: Option<&str>) -> &'a str {
    let language = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    let wanted = lang.map(language);
    let filled = || texts.iter().filter(|text| !text.text.trim().is_empty());
    let chosen = filled().find(|text| wanted.as_ref().is_some_and(|wanted| language(&text.lang) == *wanted));
    chosen.or_else(|| filled().next()).map(|text| text.text.trim()).unwrap_or_default()
}

/// The distance to the day; a holiday that has begun counts as today.
fn distance(first: Date, today: Date) -> Datum {
    let days = today.until(first).map_or(0, |time| time.get_days().max(0));
    Datum::number(f64::from(days), Unit::DaysAhead)
}
