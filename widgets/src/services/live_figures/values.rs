//! How the values of figures are written.

use figures::{Figure, FigureUnit};
use serde_json::Value;

use crate::{
    Moment,
    panel::{Datum, Decimals, Phrase, Unit},
};

/// The label of a figure: our words, which the page translates where it knows them.
pub(crate) fn label(text: &str) -> Phrase {
    Phrase::Ours(text.to_owned())
}

/// The value of a figure, with its whole if it has one.
pub(super) fn datum(figure: &Figure, value: &Value, whole: &Value, now: Moment) -> Datum {
    let shown = single(figure, value, now);
    if shown.is_missing() || whole.is_null() {
        return shown;
    }
    Phrase::from("{part} / {whole}").with("part", shown).with("whole", single(figure, whole, now)).into()
}

fn single(figure: &Figure, value: &Value, now: Moment) -> Datum {
    if let Some(word) = figure.words.get(&text(value)) {
        return Datum::text(word);
    }
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().trim_end_matches('%').trim_end().parse().ok(),
        _ => None,
    };
    let with = |unit: Unit| number.map_or(Datum::Missing, |number| Datum::number(number, unit));
    match figure.unit {
        FigureUnit::Text => Datum::text(&text(value)),
        FigureUnit::Age => moment(value).map_or(Datum::Missing, |at| {
            // Until then, or since then.
            let (earlier, later) = if at <= now { (at, now) } else { (now, at) };
            Datum::seconds(later.since(earlier).as_secs() as f64)
        }),
        FigureUnit::Count => number.map_or_else(|| Datum::text(&text(value)), Datum::short),
        FigureUnit::Number => with(Unit::None),
        FigureUnit::Bytes => with(Unit::Bytes),
        FigureUnit::BytesPerSecond => with(Unit::BytesPerSecond),
        FigureUnit::BitsPerSecond => with(Unit::BitsPerSecond),
        FigureUnit::Percent => {
            // Whole percents fit into a tile, and are all that anybody reads there.
            number.map_or(Datum::Missing, |number| Datum::percent(number.round()).decimals(Decimals::Exactly(0)))
        }
        FigureUnit::Milliseconds => {
            number.map_or(Datum::Missing, |number| Datum::number(number.round(), Unit::Milliseconds))
        }
        FigureUnit::Seconds => with(Unit::Seconds),
        FigureUnit::Celsius => number.map_or(Datum::Missing, |number| Datum::number(number.round(), Unit::Celsius)),
    }
}

/// A value as text; lists and objects are none.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 1e15 => format!("{whole:.0}"),
            _ => number.to_string(),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
    }
}

/// The moment that a value stands for: RFC 3339, or seconds or milliseconds since 1970.
pub(super) fn moment(value: &Value) -> Option<Moment> {
    /// Numbers above this count milliseconds; seconds reach it in the year 5138.
    const MILLISECONDS: f64 = 1e11;
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    let at = match number {
        // The cast saturates beyond its range, and the result is not a date.
        Some(number) if number.abs() > MILLISECONDS => Moment::from_millis(number as i64),
        Some(number) => Moment::from_seconds(number as i64),
        None => Moment::parse_local(value.as_str()?.trim(), 0)?,
    };
    Some(at).filter(|at| at.is_dated())
}
