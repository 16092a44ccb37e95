//! `public-holidays`: the next holidays of a country or one of its regions.

use std::time::Duration;

use jiff::{Span, civil::Date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Audience, Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, Lenient, Text},
    panel::{self, Datum, Entries, Heading, Link, Notice, Part, Phrase, Style, Unit},
    services::{
        calendar,
        holidays::{
            Holiday, HolidayDate, HolidayQuery, HolidaySource, HolidayType, LocalText, enrico::Enrico, nager::Nager,
            open_holidays::OpenHolidays,
        },
    },
};

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
    /// The country by its code of two or three letters, such as {example} or `gbr`.
    #[schemars(extend("x-required" = true, "x-example" = "GB"))]
    country: Text,
    /// The region by the second half of its ISO 3166-2 code, such as {example} for Bavaria or `eng` for England. Without it,
    /// only holidays of the whole country are shown, which are few in countries with regions.
    #[schemars(extend("x-example" = "by"))]
    state: Text,
    /// Which kind of days is shown.
    #[schemars(extend("default" = "public_holiday"))]
    holiday_type: Lenient<HolidayType>,
    /// How many months ahead are shown.
    months_to_show: Bounded<1, 12, 24>,
    /// Language of the names, such as {example}. Without it, the country's usual one.
    #[schemars(extend("x-example" = "en"))]
    lang: Text,
}

/// A service for when the usual one does not respond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fallback {
    Nager,
    OpenHolidays,
}

impl Fallback {
    /// The services that have such days, better one first.
    fn knowing(kind: HolidayType) -> &'static [Self] {
        match kind {
            HolidayType::All | HolidayType::PublicHoliday => &[Self::Nager, Self::OpenHolidays],
            HolidayType::SchoolHoliday => &[Self::OpenHolidays],
            HolidayType::Observance => &[Self::Nager],
            HolidayType::OtherDay | HolidayType::ExtraWorkingDay => &[],
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Nager => "Nager.Date",
            Self::OpenHolidays => "OpenHolidays",
        }
    }

    fn credit(self) -> Option<Link> {
        match self {
            Self::Nager => Link::parse("Holidays by Nager.Date", "https://date.nager.at/"),
            Self::OpenHolidays => Link::parse("Holidays by OpenHolidays", "https://www.openholidaysapi.org/"),
        }
    }

    async fn holidays(self, query: &HolidayQuery<'_>, context: &dyn WidgetContext) -> Result<Vec<Holiday>, FetchError> {
        match self {
            Self::Nager => Nager.holidays(query, context).await,
            Self::OpenHolidays => OpenHolidays.holidays(query, context).await,
        }
    }
}

impl Widget for PublicHolidays {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("region", "state")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::TimeAndWeather;
    const USUAL_LINES: usize = 11;
    const AUDIENCE: Audience = Audience::Language;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.country.is_set(), "country", "a country by its code");
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

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let today = calendar::today(context.now(), context.viewer());
        // The 31st becomes the last day of a shorter month.
        let last = Span::new().try_months(self.months());
        let last = last.and_then(|months| today.checked_add(months)).unwrap_or(Date::MAX);
        let (mut holidays, credit) = self.holidays(context, today, last).await?;
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
        context: &dyn WidgetContext,
        from: Date,
        to: Date,
    ) -> Result<(Vec<Holiday>, Option<Link>), FetchError> {
        let region = self.region();
        let kind = self.holiday_type.or_default();
        let query = HolidayQuery { country: &self.country, region: region.as_deref(), kind, from, to };
        let error = match usual(&query, context).await {
            Err(error) if error.is_outage() => error,
            usual => return Ok((usual?, None)),
        };
        for service in Fallback::knowing(kind) {
            let key = format!("{}/{}/{}/{from}/{to}", service.name(), query.place(), kind.word());
            let kept =
                context.kept(&key, LIFE_ELSEWHERE, async { Ok(json!(service.holidays(&query, context).await?)) });
            if let Ok(holidays) = kept.await
                && let Ok(holidays) = serde_json::from_value(holidays)
            {
                context.log(&format!("{} stands in for the usual service: {error}", service.name()));
                return Ok((holidays, service.credit()));
            }
        }
        Err(error)
    }

    /// The region in the service's form: `by`, also for `DE-BY`.
    fn region(&self) -> Option<String> {
        let written = self.state.get()?;
        Some(written.rsplit('-').next().unwrap_or(written).to_lowercase())
    }

    /// A list per year. The days are shown without a year, so a year other than the current one is shown above its
    /// list.
    fn parts(&self, holidays: &[Holiday], today: Date) -> Vec<Part> {
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

/// The holidays of the usual service.
async fn usual(query: &HolidayQuery<'_>, context: &dyn WidgetContext) -> Result<Vec<Holiday>, FetchError> {
    let HolidayQuery { kind, from, to, .. } = query;
    let region = query.region.unwrap_or_default();
    let key = format!("enrico/{}/{region}/{}/{from}/{to}", query.country.to_lowercase(), kind.word());
    let kept = context.kept(&key, LIFE, async { Ok(json!(Enrico.holidays(query, context).await?)) });
    serde_json::from_value(kept.await?).map_err(|_| FetchError::message("The holidays cannot be read."))
}

impl Holiday {
    /// The holiday as shown; `None` if it is over, or its date does not exist.
    fn entry(&self, lang: Option<&str>, today: Date) -> Option<panel::ListEntry> {
        let first = self.date.date()?;
        let last = self.date_to.and_then(HolidayDate::date).filter(|last| *last > first);
        if last.unwrap_or(first) < today {
            return None;
        }
        let observed = self
            .observed_on
            .and_then(HolidayDate::date)
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
fn text<'a>(texts: &'a [LocalText], lang: Option<&str>) -> &'a str {
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
