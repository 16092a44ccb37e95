//! Shares of a whole, as a ring with a legend.

use widgets::panel::{Donut, Slice};

use super::{
    datum,
    ink::Ink,
    markup::Markup,
    meter::{dashes, per_mille, percent},
    phrase, text,
};

/// Room between two slices, in thousandths of the ring.
const GAP: i64 = 6;

/// The ring.
pub fn donut(donut: &Donut, m: &mut Markup) {
    let total: f64 = donut.slices.iter().map(size).sum();
    if total <= 0.0 {
        return text::empty("No values yet", m);
    }
    let drawn = donut.slices.iter().filter(|slice| size(slice) > 0.0).count();
    m.open("div", "part part-donut");
    m.open("div", "ring");
    m.open("svg", "");
    m.fixed(r#"viewBox="0 0 100 100" role="img""#);
    m.attr("aria-label", &title(donut));
    m.open("g", "");
    // The first slice begins at the top.
    m.attr("transform", "rotate(-90 50 50)");
    let mut sum = 0.0;
    for (position, slice) in donut.slices.iter().enumerate() {
        let from = per_mille(sum / total);
        sum += size(slice);
        let length = per_mille(sum / total) - from;
        ink(slice, position).open("circle", "slice", m);
        m.fixed(r#"cx="50" cy="50" r="41" pathLength="1000""#);
        if drawn > 1 {
            let shown = if length > 0 { (length - GAP).max(2) } else { 0 };
            dashes(from, shown, m);
        }
        m.close();
    }
    m.close();
    m.close();
    if let Some(center) = &donut.center {
        m.open("p", "ring-value");
        datum::write(center, m);
        m.close();
    }
    m.close();
    m.open("ul", "legend");
    for (position, slice) in donut.slices.iter().enumerate() {
        m.open("li", "");
        ink(slice, position).swatch(None, m);
        m.open("span", "legend-label");
        phrase::write(&slice.label, m);
        m.close();
        m.text(" ");
        m.open("span", "legend-value");
        match &slice.value {
            Some(value) => datum::write(value, m),
            None => datum::write(&percent(size(slice) / total), m),
        }
        m.close();
        m.close();
    }
    m.close();
    m.close();
}

fn ink(slice: &Slice, position: usize) -> Ink<'_> {
    Ink::toned(slice.color.as_ref(), slice.tone, position)
}

/// The size of a slice; what is no size is nothing.
fn size(slice: &Slice) -> f64 {
    if slice.size.is_finite() { slice.size.max(0.0) } else { 0.0 }
}

fn title(donut: &Donut) -> String {
    if donut.title.is_empty() { phrase::ours("Shares").to_owned() } else { phrase::plain(&donut.title) }
}
