//! A small line without axes.

use widgets::panel::{Decimals, Sparkline, Unit};

use super::{datum, ink::Ink, markup::Markup, phrase, strokes::push, text};

/// The line, as a part of its own.
pub fn sparkline(sparkline: &Sparkline, m: &mut Markup) {
    let Some((low, high)) = extremes(sparkline) else { return text::empty("No values yet", m) };
    m.open("figure", "part part-sparkline");
    drawing(sparkline, "", (low, high), m);
    m.open("figcaption", "visually-hidden");
    words(sparkline, (low, high), m);
    m.close();
    m.close();
}

/// The line in a table.
pub fn cell(sparkline: &Sparkline, m: &mut Markup) {
    let Some((low, high)) = extremes(sparkline) else { return m.element("span", "missing", datum::DASH) };
    drawing(sparkline, "cell-line", (low, high), m);
    m.open("span", "visually-hidden");
    words(sparkline, (low, high), m);
    m.close();
}

fn values(sparkline: &Sparkline) -> impl DoubleEndedIterator<Item = f64> {
    sparkline.values.iter().flatten().copied().filter(|value| value.is_finite())
}

fn extremes(sparkline: &Sparkline) -> Option<(f64, f64)> {
    values(sparkline).reduce(f64::min).zip(values(sparkline).reduce(f64::max))
}

fn drawing(sparkline: &Sparkline, class: &'static str, (low, high): (f64, f64), m: &mut Markup) {
    let (mut line, mut area) = (String::new(), String::new());
    let last = i64::try_from(sparkline.values.len()).unwrap_or(1).max(2) - 1;
    let finite = |value: &Option<f64>| value.filter(|value| value.is_finite());
    let mut x = 0;
    for run in sparkline.values.split(|value| finite(value).is_none()) {
        let from = x;
        for value in run.iter().filter_map(finite) {
            // Equal values are a line in the middle.
            let share = if high > low { (value - low) / (high - low) } else { 0.5 };
            #[allow(clippy::cast_possible_truncation)]
            let y = 950 - (share * 900.0) as i64;
            let letter = if x == from { 'M' } else { 'L' };
            push(&mut line, letter, x * 4000 / last, y);
            push(&mut area, letter, x * 4000 / last, y);
            x += 1;
        }
        if !run.is_empty() {
            area.push('V');
            area.push_str("1000H");
            area.push_str(&(from * 4000 / last).to_string());
            area.push('Z');
        }
        if run.len() == 1 {
            line.push_str("h0");
        }
        x += 1;
    }
    Ink::own(sparkline.color.as_ref(), sparkline.tone, 0).open("svg", class, m);
    m.fixed(r#"viewBox="0 0 4000 1000" preserveAspectRatio="none" role="img""#);
    m.attr("aria-label", &title(sparkline));
    for (class, path) in [("area", &area), ("line", &line)] {
        m.open("path", class);
        m.attr("d", path);
        m.close();
    }
    m.close();
}

/// What the line says, in words.
fn words(sparkline: &Sparkline, (low, high): (f64, f64), m: &mut Markup) {
    let latest = values(sparkline).next_back();
    let named = [("latest", latest), ("lowest", Some(low)), ("highest", Some(high))];
    for (index, (word, value)) in named.into_iter().enumerate() {
        let Some(value) = value else { continue };
        m.text(if index > 0 { ", " } else { "" });
        m.text(phrase::ours(word));
        m.text(" ");
        datum::write_number(value, &Unit::None, Decimals::Significant(4), false, m);
    }
}

fn title(sparkline: &Sparkline) -> String {
    if sparkline.title.is_empty() { phrase::ours("Chart").to_owned() } else { phrase::plain(&sparkline.title) }
}
