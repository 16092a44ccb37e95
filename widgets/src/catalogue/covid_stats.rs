//! `covid-stats`: figures of the Covid-19 pandemic, which are final.

use std::time::Duration;

use futures_util::future::join3;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Widget, WidgetContext, address,
    option_types::{ChartStyle, Flag, Lenient, Number, OneOrMany, Text},
    panel::{
        Cell, Chart, Column, Datum, Link, Notice, Paragraph, Part, Phrase, Picture, Point, Row, Series, Stat, Stats,
        Style, Table, Tone, Unit,
    },
    services::{calendar, tolerant},
};

/// 1 January 2020 in milliseconds since 1970: figures from before are a mistake.
const FIRST_DAY: f64 = 1_577_836_800_000.0;
const BASE: &str = "https://disease.sh/v3/covid-19";
/// The default number of days and of countries.
const USUAL_DAYS: f64 = 120.0;
const USUAL_COUNTRIES: f64 = 10.0;

/// Shows the figures of the Covid-19 pandemic, worldwide and by country, with data from disease.sh. They are final: new
/// ones are not collected.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CovidStats {
    /// Shows a chart of the last days of the series.
    show_chart: Flag,
    /// Shows a table of countries.
    show_countries: Flag,
    /// How many days the chart has, counted back from the end of the series, or `all`. Without it, 120.
    #[schemars(with = "Option<Number>")]
    num_days: Lenient<Days>,
    /// The countries by their codes, such as {example}. Without it, those with the most cases.
    #[schemars(extend("x-example" = "[AUT, CHE]"))]
    countries: OneOrMany<Lenient<Text>>,
    /// How many countries are listed if none are named. Without it, 10.
    limit: Option<Number>,
    #[serde(flatten)]
    chart: ChartStyle,
}

/// How much of the series is drawn.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Days {
    Last(Number),
    Whole(Whole),
}

/// The word for the whole series.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Whole {
    All,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FiguresReply {
    #[serde(deserialize_with = "tolerant::number")]
    updated: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    country: Option<String>,
    #[serde(deserialize_with = "tolerant::part")]
    country_info: Option<CountryReply>,
    #[serde(deserialize_with = "tolerant::number")]
    cases: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    deaths: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    recovered: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    active: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CountryReply {
    #[serde(deserialize_with = "tolerant::text")]
    flag: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct HistoryReply {
    cases: Value,
    deaths: Value,
    recovered: Value,
}

impl Widget for CovidStats {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::News;
    const USUAL_LINES: usize = 30;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let is_long_enough = match &self.num_days {
            Lenient::Unset | Lenient::Known(Days::Whole(_)) => true,
            Lenient::Known(Days::Last(days)) => days.get() >= 1.0,
            Lenient::Unknown(_) => false,
        };
        problems.require(is_long_enough, "numDays must be 1 or more, or all.");
        problems.require(self.limit.is_none_or(|limit| limit.get() >= 1.0), "limit must be 1 or more.");
        problems.require(!self.countries.is_all_wrong(), "countries must be a list of country codes such as DE.");
        for written in self.countries.iter().filter_map(Lenient::unknown) {
            problems.note(format!("'{written}' is not a country code; it is left out."));
        }
        self.chart.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        // The figures do not change.
        Some(Duration::from_secs(86_400))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let world = async { get(context, &format!("{BASE}/all?allowNull=true")).await?.json::<FiguresReply>() };
        let history = async { if self.show_chart.is_on() { Some(self.history(context).await) } else { None } };
        let countries = async { if self.shows_countries() { Some(self.listed(context).await) } else { None } };
        let (world, history, countries) = join3(world, history, countries).await;
        let mut parts: Vec<Part> = Vec::new();
        match (world, &history, &countries) {
            (Ok(world), ..) => parts.extend(world.figures()),
            (Err(error), None | Some(Err(_)), None | Some(Err(_))) => return Err(error),
            (Err(error), ..) => parts.push(failed(&error)),
        }
        match history {
            Some(Ok(history)) => parts.push(self.drawn(&history)),
            Some(Err(error)) => parts.push(failed(&error)),
            None => {}
        }
        match countries {
            Some(Ok(countries)) if countries.is_empty() => {
                parts.push(Notice::empty("None of these countries is known").into())
            }
            Some(Ok(countries)) => parts.push(table(countries)),
            Some(Err(error)) => parts.push(failed(&error)),
            None => {}
        }
        let note = "The figures end in 2024, the series in March 2023.";
        parts.push(Paragraph { small: true, ..Paragraph::new(note) }.into());
        Ok(Panel { credit: Link::parse("disease.sh", "https://disease.sh/"), ..Panel::new(parts) })
    }
}

impl CovidStats {
    fn codes(&self) -> Vec<&str> {
        let written = self.countries.iter().filter_map(|country| country.get()?.get());
        written.flat_map(|text| text.split(',')).map(str::trim).filter(|code| !code.is_empty()).collect()
    }

    /// Existing files list countries to have them shown.
    fn shows_countries(&self) -> bool {
        self.show_countries.is_on() || !self.codes().is_empty()
    }

    async fn history(&self, context: &dyn WidgetContext) -> Result<HistoryReply, FetchError> {
        let last = |days: f64| days.clamp(1.0, 2000.0).round().to_string();
        let days = match self.num_days.get() {
            Some(Days::Whole(Whole::All)) => "all".to_owned(),
            Some(Days::Last(days)) => last(days.get()),
            None => last(USUAL_DAYS),
        };
        get(context, &format!("{BASE}/historical/all?lastdays={days}")).await?.json()
    }

    async fn listed(&self, context: &dyn WidgetContext) -> Result<Vec<FiguresReply>, FetchError> {
        let codes: Vec<String> = self.codes().into_iter().map(address::encode).collect();
        let (url, limit) = if codes.is_empty() {
            let limit = self.limit.map_or(USUAL_COUNTRIES, Number::get).clamp(1.0, 1000.0).round();
            // Within its bounds, this is a small whole number.
            (format!("{BASE}/countries?sort=cases"), limit as usize)
        } else {
            (format!("{BASE}/countries/{}", codes.join(",")), codes.len())
        };
        let reply = context.exchange(Request::get(url).header("Accept", "application/json")).await?;
        if reply.status == 404 {
            return Ok(Vec::new());
        }
        // A single country is not in a list.
        let body = match reply.json::<Value>()? {
            Value::Array(countries) => countries,
            one @ Value::Object(_) => vec![one],
            _ => return Err(reply.unexpected("data of another shape")),
        };
        let mut countries: Vec<FiguresReply> = tolerant::as_entries(Value::Array(body));
        countries.truncate(limit);
        Ok(countries)
    }

    fn drawn(&self, history: &HistoryReply) -> Part {
        let shown = [
            ("Confirmed", &history.cases, Tone::Plain, 0),
            ("Recovered", &history.recovered, Tone::Plain, 1),
            ("Deaths", &history.deaths, Tone::Danger, 2),
        ];
        // In the last years of the series, recoveries were not counted.
        let series = shown.into_iter().map(|(name, days, tone, place)| (name, points(days), tone, place));
        let series =
            series.filter(|(_, points, ..)| points.iter().any(|point| point.1.is_some_and(|count| count > 0.0)));
        let series: Vec<Series> = series
            .enumerate()
            .map(|(position, (name, points, tone, place))| Series {
                name: name.into(),
                color: self.chart.color(position),
                tone,
                palette: Some(place),
                points,
                ..Series::default()
            })
            .collect();
        if series.is_empty() {
            return Notice::empty("No series for these days").into();
        }
        Chart {
            title: "Cases over time".into(),
            series,
            unit: Unit::Short,
            height: self.chart.height(),
            from_zero: true,
            ..Chart::default()
        }
        .into()
    }
}

async fn get(context: &dyn WidgetContext, url: &str) -> Result<crate::Response, FetchError> {
    context.exchange(Request::get(url).header("Accept", "application/json")).await
}

fn failed(error: &FetchError) -> Part {
    Notice::warning(Phrase::message(error.to_string())).into()
}

/// The counts of a series by day. The days are written in American order without zeros, `3/9/23`.
fn points(days: &Value) -> Vec<Point> {
    let read = |(day, count): (&String, &Value)| {
        let mut numbers = day.split('/').map(|number| number.trim().parse::<i16>().ok());
        let (month, day, year) = (numbers.next()??, numbers.next()??, numbers.next()??);
        let date = Date::new(2000 + year % 2000, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
        Some(Point::at(calendar::midnight(date), tolerant::as_number(count)))
    };
    let mut points: Vec<Point> = days.as_object().into_iter().flatten().filter_map(read).collect();
    points.sort_by_key(|point| point.0);
    points
}

fn count(value: Option<f64>) -> Datum {
    value.map_or(Datum::Missing, |value| Datum::number(value, Unit::None))
}

fn short(value: Option<f64>) -> Datum {
    value.map_or(Datum::Missing, Datum::short)
}

impl FiguresReply {
    fn figures(&self) -> Vec<Part> {
        let stats = vec![
            Stat::new("Active", count(self.active).toned(Tone::Warning)),
            Stat::new("Confirmed", count(self.cases)),
            Stat::new("Recovered", count(self.recovered).toned(Tone::Success)),
            Stat::new("Deaths", count(self.deaths).toned(Tone::Danger)),
        ];
        let mut parts = vec![Stats { stats }.into()];
        // In milliseconds since 1970.
        if let Some(updated) = self.updated.filter(|updated| *updated > FIRST_DAY) {
            let at = Datum::time(Moment::from_millis(updated as i64), Style::Date);
            let text = Phrase::from("Fetched by the service on {date}").with("date", at);
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        parts
    }
}

fn table(countries: Vec<FiguresReply>) -> Part {
    let columns = vec![
        Column::text("Country"),
        Column::number("Confirmed"),
        Column::number("Recovered"),
        Column::number("Deaths"),
    ];
    let rows = countries.into_iter().map(|country| {
        let flag = country.country_info.and_then(|info| info.flag);
        let name =
            Cell { picture: flag.as_deref().and_then(Picture::parse), ..Cell::from(Datum::from(country.country)) };
        let cells = vec![
            name,
            short(country.cases).into(),
            short(country.recovered).toned(Tone::Success).into(),
            short(country.deaths).toned(Tone::Danger).into(),
        ];
        Row { cells, ..Row::default() }
    });
    Table { columns, rows: rows.collect(), ..Table::default() }.into()
}
