//! Parts about days: the weather, months, a heat map.

use widgets::{Moment, Panel, option_types::Color, panel::*};

use super::{NOON, figures::facts, one, text};

pub(super) fn weather() -> Panel {
    let day = |icon, day: i64, high: f64, low: f64| {
        vec![
            WeatherSummary {
                icon,
                temperature: Datum::number(high, Unit::Celsius),
                lowest: Some(Datum::number(low, Unit::Celsius)),
                label: Datum::Time {
                    at: Moment::from_seconds(NOON.seconds() + day * 86_400),
                    style: Style::Weekday,
                    offset: Some(0),
                },
                ..WeatherSummary::default()
            }
            .into(),
        ]
    };
    Panel::new(vec![
        WeatherSummary {
            icon: WeatherIcon::FewClouds,
            temperature: Datum::number(19.0, Unit::Celsius),
            description: text("broken clouds"),
            label: Datum::text("São Paulo, BR"),
            ..WeatherSummary::default()
        }
        .into(),
        Columns {
            columns: vec![
                day(WeatherIcon::Rain, 1, 12.0, 7.0),
                day(WeatherIcon::Thunderstorm, 2, 9.0, 4.0),
                day(WeatherIcon::Snow, 3, 1.0, -3.0),
                day(WeatherIcon::Fog, 4, 6.0, 2.0),
            ],
        }
        .into(),
        Details { parts: vec![facts().parts[0].clone()], ..Details::default() }.into(),
    ])
    .credited(Link::parse(text("Open-Meteo"), "https://open-meteo.com/").unwrap())
}

pub(super) fn forecast() -> Panel {
    let degrees = |value: f64| Datum::number(value, Unit::Sign("°".to_owned())).decimals(Decimals::Exactly(0));
    let day = |label: Datum, icon, description: &str, (low, high): (f64, f64), rain: f64| ForecastDay {
        label,
        icon,
        description: text(description),
        lowest: degrees(low),
        highest: degrees(high),
        rain: if rain > 0.0 { Datum::percent(rain) } else { Datum::Missing },
        parts: vec![facts().parts[0].clone()],
    };
    let later = |days: i64| Datum::Time {
        at: Moment::from_seconds(NOON.seconds() + days * 86_400),
        style: Style::ShortDate,
        offset: Some(0),
    };
    one(Forecast {
        days: vec![
            day(Phrase::from("Today").into(), WeatherIcon::FewClouds, "broken clouds", (7.0, 14.0), 0.0),
            day(later(1), WeatherIcon::Rain, "heavy rain with strong gusts in the afternoon", (9.0, 12.0), 80.0),
            day(later(2), WeatherIcon::Snow, "light snow", (-3.0, 1.0), 35.0),
            ForecastDay {
                highest: Datum::Missing,
                parts: vec![],
                ..day(later(3), WeatherIcon::Fog, "", (2.0, 2.0), 0.0)
            },
            ForecastDay { label: later(4), icon: WeatherIcon::Clouds, ..ForecastDay::default() },
        ],
        ..Forecast::default()
    })
}

pub(super) fn month() -> Panel {
    let day = |position: i64| {
        let day = Moment::from_seconds(1_793_491_200 + position * 86_400);
        let number = u32::try_from(position).unwrap_or_default() + 1;
        MonthDay { day, number, ..MonthDay::default() }
    };
    let mut days: Vec<MonthDay> = (0..14).map(day).collect();
    let event = |title: &str| MonthEvent { title: text(title), ..MonthEvent::default() };
    days[2].events = vec![MonthEvent { at: Some(NOON), ..event("Lunch with Ada") }];
    days[2].today = true;
    days[3].events = ["One", "Two", "Three", "Four"]
        .map(|title| MonthEvent { color: Color::parse("#2e8b57"), offset: Some(3600), ..event(title) })
        .to_vec();
    days[3].more = 2;
    days[13].outside = true;
    one(Month { month: days[0].day, weeks: days.chunks(7).map(<[MonthDay]>::to_vec).collect() })
}

pub(super) fn heat_map() -> Panel {
    let day = |position: u8| HeatDay {
        day: Moment::from_seconds(1_793_491_200 + i64::from(position) * 86_400),
        value: if position.is_multiple_of(5) { Datum::Missing } else { Datum::count(usize::from(position)) },
        level: position % 5,
    };
    one(HeatMap { title: text("Points by day"), first_row: 6, days: (0..20).map(day).collect() })
}
