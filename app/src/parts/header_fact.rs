//! A panel as a small fact in the bar below the header: its most important values, each with its label, in one line.

use leptos::prelude::*;
use widgets::{
    Panel,
    panel::{Cell, Chart, Datum, ListEntry, Meter, Part, Phrase, Table, Tone},
};

use super::{
    PanelContext,
    clock::Clock,
    color::level_tone,
    markup::{classes, markup, text},
    share::per_mille,
    tone::{ValueSymbol, tone_class},
    value::{Value, plain, plain_value},
    weather::Sky,
};
use crate::any_view::{AnyView, IntoAny};

/// How many values of one widget the bar shows.
const MOST: usize = 3;
/// A longer text of a meter is replaced by its share.
const SHORT: usize = 12;

/// One value with its label.
#[derive(Default)]
struct Fact {
    label: Datum,
    value: Datum,
    /// More values after the first.
    more: Vec<Datum>,
    /// More after the label.
    more_label: Option<Datum>,
    tone: Tone,
    /// How full it is, from 0 to 1.
    share: Option<f64>,
}

impl Fact {
    fn new(label: impl Into<Datum>, value: impl Into<Datum>) -> Self {
        Self { label: label.into(), value: value.into(), ..Self::default() }
    }

    fn of_meter(meter: &Meter) -> Self {
        let percent = Datum::percent((meter.share * 100.0).clamp(0.0, 100.0).round());
        let text = meter.text.as_ref().filter(|text| is_short(text)).map(|text| text.clone().into());
        Self { tone: meter.tone, share: Some(meter.share), ..Self::new(meter.label.clone(), text.unwrap_or(percent)) }
    }

    fn of_entry(entry: &ListEntry) -> Self {
        let date = entry.date.map(|at| Datum::time(at, entry.date_style));
        let when = entry.day.clone().or(date).or_else(|| entry.values.first().cloned());
        let when = when.unwrap_or_else(|| entry.state.clone().map(Datum::from).into());
        let more_label = entry.day.as_ref().and_then(|_| entry.values.first().cloned());
        Self { more_label, tone: entry.tone, ..Self::new(when, entry.title.clone()) }
    }
}

/// Whether a text takes little more room than a number.
fn is_short(text: &Phrase) -> bool {
    plain(text).chars().count() <= SHORT
}

/// The panel as a fact; empty if it has nothing that fits.
#[must_use]
pub fn header_fact(panel: &Panel, context: &PanelContext) -> String {
    let own_label = Some(&context.label).filter(|label| !label.is_empty());
    let found = panel.parts.iter().find_map(|part| of_part(part, own_label, context));
    let title =
        || panel.title.as_ref().map(|title| simple(vec![Fact::new(title.text.clone(), Datum::Missing)], None, context));
    markup(found.or_else(title))
}

/// What there is to say about a part; `None` if it has nothing for a line.
fn of_part(part: &Part, label: Option<&String>, context: &PanelContext) -> Option<AnyView> {
    let facts = match part {
        Part::Clock(clock) => return Some(view! { <span class="header-fact"><Clock clock/></span> }.into_any()),
        Part::Weather(weather) => {
            let name = label.map(|label| text(label).into_any()).or_else(|| {
                let place = view! { <Value datum=&weather.label context/> };
                (!weather.label.is_missing()).then(|| place.into_any())
            });
            let sky = plain(&weather.description);
            return Some(
                view! {
                    <span class="header-fact" title=sky.clone()>
                        <Sky icon=weather.icon night=weather.night/>
                        <b><Value datum=&weather.temperature context/></b>
                        {name.map(|name| view! { " " <small>{name}</small> })}
                        <span class="visually-hidden">{[", ", &sky].concat()}</span>
                    </span>
                }
                .into_any(),
            );
        }
        Part::Meter(meter) => vec![Fact::of_meter(meter)],
        Part::Gauge(gauge) => {
            let tone = gauge.steps.iter().take_while(|(from, _)| *from <= gauge.share).last();
            let tone = tone.map_or(Tone::Plain, |(_, tone)| *tone);
            vec![Fact { tone, share: Some(gauge.share), ..Fact::new(gauge.label.clone(), gauge.value.clone()) }]
        }
        Part::Headline(headline) => {
            let value = Fact { tone: headline.tone, ..Fact::new(headline.caption.clone(), headline.value.clone()) };
            vec![value]
        }
        Part::Stats(stats) => stats
            .stats
            .iter()
            .map(|stat| Fact { tone: stat.tone, ..Fact::new(stat.label.clone(), stat.value.clone()) })
            .collect(),
        Part::Facts(facts) => facts
            .facts
            .iter()
            .map(|fact| Fact {
                more: fact.more.clone(),
                tone: fact.tone,
                ..Fact::new(fact.label.clone(), fact.value.clone())
            })
            .collect(),
        Part::Entries(entries) => entries.entries.first().map(Fact::of_entry).into_iter().collect(),
        Part::Table(table) => of_table(table),
        Part::Chart(chart) => of_chart(chart),
        Part::Donut(donut) => match &donut.center {
            Some(center) => vec![Fact::new(donut.title.clone(), center.clone())],
            None => {
                let slices = donut.slices.iter();
                slices.map(|slice| Fact::new(slice.label.clone(), slice.value.clone())).collect()
            }
        },
        Part::Notice(notice) => vec![Fact { tone: notice.tone, ..Fact::new(notice.text.clone(), Datum::Missing) }],
        Part::Paragraph(paragraph) => vec![Fact::new(paragraph.text.clone(), Datum::Missing)],
        Part::Columns(columns) => {
            return columns.columns.iter().flatten().find_map(|part| of_part(part, label, context));
        }
        Part::Details(details) => return details.parts.iter().find_map(|part| of_part(part, label, context)),
        _ => Vec::new(),
    };
    (!facts.is_empty()).then(|| simple(facts, label, context))
}

/// The first row: its name, and the value of each other column.
fn of_table(table: &Table) -> Vec<Fact> {
    let Some(row) = table.rows.first() else { return Vec::new() };
    let is_value = |cell: &&Cell| cell.line.is_none() && cell.shares.is_empty();
    let value = |cell: &Cell| Fact { tone: cell.tone, ..Fact::new(Datum::Missing, cell.value.clone()) };
    match row.cells.as_slice() {
        [name, only] => vec![Fact { tone: only.tone, ..Fact::new(name.value.clone(), only.value.clone()) }],
        [_, rest @ ..] => {
            let columns = table.columns.iter().skip(1);
            let cells = rest.iter().zip(columns).filter(|(cell, _)| is_value(cell));
            cells.map(|(cell, column)| Fact { label: column.name.clone().into(), ..value(cell) }).collect()
        }
        [] => Vec::new(),
    }
}

/// The latest value of each series.
fn of_chart(chart: &Chart) -> Vec<Fact> {
    let latest = |series: &widgets::panel::Series| {
        let value = series.points.iter().rev().find_map(|point| point.1)?;
        let value = Datum::number(value, chart.unit.clone()).decimals(chart.decimals);
        Some(Fact::new(series.name.clone(), value))
    };
    chart.series.iter().filter_map(latest).collect()
}

/// Values with their labels. The label of the widget replaces that of a single value, and precedes several.
fn simple(mut facts: Vec<Fact>, label: Option<&String>, context: &PanelContext) -> AnyView {
    facts.truncate(MOST);
    let name = match (facts.as_mut_slice(), label) {
        ([only], Some(label)) if !only.value.is_missing() => {
            only.label = Datum::text(label);
            None
        }
        (_, label) => label.map(|label| view! { <small class="header-fact-name">{text(label)}</small> }),
    };
    let facts = facts.into_iter().map(|fact| one(&fact, context)).collect_view();
    view! { {name}{facts} }.into_any()
}

/// A value and its label. The bar of a share is for the eye only: the value says the same.
fn one(fact: &Fact, context: &PanelContext) -> AnyView {
    let Fact { label, value, more, more_label, share, .. } = fact;
    // What is as it should be does not stand out.
    let tone = level_tone(fact.tone);
    let class = classes(["header-fact", tone_class(tone)]);
    let whole = plain_value(label);
    let label = (!label.is_missing()).then(|| {
        let more = more_label.as_ref().map(|datum| view! { " " <Value datum context/> });
        view! { <small title=whole><Value datum=label context/>{more}</small> }
    });
    let value = (!value.is_missing()).then(|| {
        let more = more.iter().map(|datum| view! { " " <Value datum context/> }).collect_view();
        view! { <b><ValueSymbol tone value/><Value datum=value context/>{more}</b> " " }
    });
    let bar = share.map(|share| {
        let class = classes(["header-fact-share", tone_class(tone)]);
        view! {
            <svg class=class viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width="100" height="4"></rect>
                <rect class="full" width=(per_mille(share) / 10).to_string() height="4"></rect>
            </svg>
        }
    });
    view! { <span class=class>{value}{label}{bar}<span class="visually-hidden">", "</span></span> }.into_any()
}

#[cfg(test)]
mod tests {
    use widgets::panel::{Gauge, Stat, Stats, Unit};

    use super::*;

    fn fact(part: impl Into<Part>, label: &str) -> String {
        let context = PanelContext { label: label.to_owned(), ..PanelContext::default() };
        header_fact(&Panel::new(vec![part.into()]), &context)
    }

    #[test]
    fn the_label_of_a_widget_replaces_that_of_a_single_value() {
        let gauge = || Gauge {
            label: "Memory".into(),
            value: Datum::percent(38.0),
            share: 0.38,
            steps: vec![(0.0, Tone::Success), (0.8, Tone::Danger)],
            ..Gauge::default()
        };
        let html = fact(gauge(), "");
        assert!(html.contains("<small title=\"Memory\">Memory</small>") && html.contains("width=\"38\""), "{html}");
        let html = fact(gauge(), "RAM");
        assert!(html.contains(">RAM</small>") && !html.contains(">Memory<"), "{html}");
    }

    #[test]
    fn of_many_values_the_first_three_are_shown() {
        let stats =
            (1..6).map(|number| Stat::new(Phrase::foreign(format!("n{number}")), Datum::count(number))).collect();
        let html = fact(Stats { stats }, "Queue");
        assert!(
            html.contains("header-fact-name\">Queue<") && html.contains(">n3<") && !html.contains(">n4<"),
            "{html}"
        );
    }

    #[test]
    fn a_long_text_of_a_meter_gives_way_to_its_share() {
        let meter = |text: &str| Meter {
            label: "1 min".into(),
            share: 0.577,
            text: Some(Phrase::foreign(text)),
            ..Meter::default()
        };
        assert!(fact(meter("2.31"), "").contains("2.31"));
        let html = fact(meter("232.1 GB free of 464.2 GB"), "");
        assert!(html.contains("58") && !html.contains("232.1"), "{html}");
    }

    #[test]
    fn a_list_is_its_first_entry_and_a_chart_its_latest_values() {
        let entry = |title: &str, value: f64| ListEntry {
            values: vec![Datum::number(value, Unit::None)],
            ..ListEntry::new(Phrase::foreign(title))
        };
        let html = fact(widgets::panel::Entries::new(vec![entry("Choir", 7.0), entry("Market", 8.0)]), "");
        assert!(html.contains("Choir") && !html.contains("Market"), "{html}");
        let points = vec![widgets::panel::Point(0, Some(3.0)), widgets::panel::Point(1, Some(4.0))];
        let series = vec![widgets::panel::Series { name: "CPU".into(), points, ..Default::default() }];
        let html = fact(Chart { series, ..Chart::default() }, "");
        assert!(html.contains("CPU") && html.contains('4') && !html.contains('3'), "{html}");
        assert_eq!(header_fact(&Panel::default(), &PanelContext::default()), "");
    }
}
