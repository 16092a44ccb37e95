//! The results as parts: tiles for single numbers, tables for several, charts for ranges.

use std::collections::BTreeMap;

use super::{
    metric::MetricQuery,
    reply::{QueryResult, Series},
};
use crate::{
    FetchError, Moment,
    option_types::ChartStyle,
    panel::{
        self, Chart, ChartShape, Column, Datum, Heading, Notice, Part, Phrase, Point, Row, Stat, Stats, Table, Tone,
    },
};

/// How many series are shown before "show more", and the maximum number in a chart.
const MAX_SERIES: usize = 20;

/// The parts of all metrics, in order. Consecutive numbers are side by side.
pub(super) fn parts(
    metrics: &[MetricQuery],
    results: &[Result<QueryResult, FetchError>],
    style: &ChartStyle,
) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (metric, result) in metrics.iter().zip(results) {
        match result {
            Ok(result) if result.series.is_empty() => push_stat(&mut parts, empty(metric)),
            Ok(result) if metric.range.is_some() => {
                parts.push(Heading::new(label(metric)).into());
                parts.push(chart(metric, result, style).into());
                parts.extend(warning(result).map(|text| Notice { text, tone: Tone::Warning }.into()));
            }
            Ok(result) if result.series.len() == 1 => push_stat(&mut parts, stat(metric, result)),
            Ok(result) => {
                parts.push(table(metric, result).into());
                parts.extend(warning(result).map(|text| Notice { text, tone: Tone::Warning }.into()));
            }
            Err(error) => {
                let hint = Some(Phrase::message(error.to_string()));
                push_stat(&mut parts, Stat { hint, ..Stat::new(label(metric), Datum::Missing) });
            }
        }
    }
    parts
}

fn push_stat(parts: &mut Vec<Part>, stat: Stat) {
    match parts.last_mut() {
        Some(Part::Stats(stats)) => stats.stats.push(stat),
        _ => parts.push(Stats { stats: vec![stat] }.into()),
    }
}

fn label(metric: &MetricQuery) -> Phrase {
    Phrase::foreign(&*metric.label)
}

fn empty(metric: &MetricQuery) -> Stat {
    let hint = "The query finds nothing at present. rate() needs a window of at least four scrape intervals.";
    Stat { hint: Some(hint.into()), ..Stat::new(label(metric), Phrase::from("No data")) }
}

fn warning(result: &QueryResult) -> Option<Phrase> {
    (!result.warnings.is_empty()).then(|| Phrase::foreign(result.warnings.join("; ")))
}

fn stat(metric: &MetricQuery, result: &QueryResult) -> Stat {
    let tone = if result.warnings.is_empty() { Tone::Plain } else { Tone::Warning };
    let value = result.series.first().map(|series| newest(metric, series));
    Stat { tone, hint: warning(result), ..Stat::new(label(metric), value) }
}

fn newest(metric: &MetricQuery, series: &Series) -> Datum {
    series.values.last().map_or(Datum::Missing, |(_, written)| metric.format.datum(written))
}

fn table(metric: &MetricQuery, result: &QueryResult) -> Table {
    let names = names(metric, &result.series);
    let rows = names
        .into_iter()
        .zip(&result.series)
        .map(|(name, series)| Row::new([Datum::text(&name), newest(metric, series)]));
    Table {
        columns: vec![Column::text(label(metric)), Column::number("Value")],
        rows: rows.collect(),
        one_line: true,
        ..Table::default()
    }
}

fn chart(metric: &MetricQuery, result: &QueryResult, style: &ChartStyle) -> Chart {
    let lines: Vec<Vec<(i64, Option<f64>)>> =
        result.series.iter().take(MAX_SERIES).map(|series| line(metric, result, series)).collect();
    let largest =
        lines.iter().flatten().filter_map(|(_, value)| *value).fold(0.0, |max: f64, value| max.max(value.abs()));
    let scale = metric.format.scale_of(largest);
    let names = names(metric, &result.series);
    let series = lines.into_iter().zip(names).enumerate().map(|(index, (line, name))| panel::Series {
        name: Phrase::foreign(name),
        color: style.color_of_list(index),
        points: line
            .into_iter()
            .map(|(second, value)| Point::at(Moment::from_seconds(second), value.map(|value| value * scale.factor)))
            .collect(),
        ..panel::Series::default()
    });
    Chart {
        title: label(metric),
        shape: if result.series.len() == 1 { ChartShape::Area } else { ChartShape::Line },
        series: series.collect(),
        unit: metric.format.sign().unwrap_or(scale.unit),
        decimals: scale.decimals,
        height: style.height(),
        ..Chart::default()
    }
}

/// The values by their times, with gaps where the server has left points out.
fn line(metric: &MetricQuery, result: &QueryResult, series: &Series) -> Vec<(i64, Option<f64>)> {
    let step = result.window.map_or(i64::MAX, |window| window.step);
    let mut line: Vec<(i64, Option<f64>)> = Vec::with_capacity(series.values.len());
    for (at, written) in &series.values {
        // Seconds since 1970 are small enough to be exact.
        let at = at.round() as i64;
        if !Moment::from_seconds(at).is_dated() {
            continue;
        }
        if let Some((before, _)) = line.last()
            && at - before > step.saturating_add(step / 2)
        {
            line.push((before + step, None));
        }
        line.push((at, metric.format.number(written)));
    }
    line
}

/// The names of the series: from the legend, or else the labels that differ, or else the query.
fn names(metric: &MetricQuery, series: &[Series]) -> Vec<String> {
    let differing: Vec<&String> = series
        .iter()
        .flat_map(|one| one.labels.keys())
        .filter(|name| series.iter().any(|other| other.labels.get(*name) != series[0].labels.get(*name)))
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let name = |one: &Series| match &metric.legend {
        Some(legend) => filled(legend, &one.labels),
        None => {
            let values = differing.iter().filter_map(|name| one.labels.get(*name));
            let values: Vec<&str> = values.map(String::as_str).filter(|value| !value.is_empty()).collect();
            values.join(", ")
        }
    };
    series.iter().map(name).map(|name| if name.trim().is_empty() { metric.label.clone() } else { name }).collect()
}

/// A legend with the names of labels in double braces replaced by their values.
fn filled(legend: &str, labels: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    let mut rest = legend;
    while let Some((before, name, after)) = rest
        .split_once("{{")
        .and_then(|(before, more)| more.split_once("}}").map(|(name, after)| (before, name, after)))
    {
        text.push_str(before);
        text.push_str(labels.get(name.trim()).map(String::as_str).unwrap_or_default());
        rest = after;
    }
    text + rest
}
