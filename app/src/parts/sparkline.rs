//! A small line without axes.

use widgets::panel::{Decimals, Sparkline, Unit};

use super::{chart::push, datum, ink::Ink, markup::Markup, phrase, text};

/// The line.
pub fn sparkline(sparkline: &Sparkline, m: &mut Markup) {
    let values = || sparkline.values.iter().flatten().copied().filter(|value| value.is_finite());
    let (Some(low), Some(high)) = (values().reduce(f64::min), values().reduce(f64::max)) else {
        return text::empty("No values yet", m);
    };
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
    m.open("figure", "part part-sparkline");
    Ink::own(sparkline.color.as_ref(), sparkline.tone, 0).open("svg", "", m);
    m.fixed(r#"viewBox="0 0 4000 1000" preserveAspectRatio="none" role="img""#);
    m.attr("aria-label", &title(sparkline));
    for (class, path) in [("area", &area), ("line", &line)] {
        m.open("path", class);
        m.attr("d", path);
        m.close();
    }
    m.close();
    m.open("figcaption", "visually-hidden");
    let latest = values().next_back();
    for (index, (word, value)) in
        [("latest", latest), ("lowest", Some(low)), ("highest", Some(high))].into_iter().enumerate()
    {
        let Some(value) = value else { continue };
        m.text(if index > 0 { ", " } else { "" });
        m.text(phrase::ours(word));
        m.text(" ");
        datum::write_number(value, &Unit::None, Decimals::Usual, false, m);
    }
    m.close();
    m.close();
}

fn title(sparkline: &Sparkline) -> String {
    if sparkline.title.is_empty() { phrase::ours("Chart").to_owned() } else { phrase::plain(&sparkline.title) }
}
