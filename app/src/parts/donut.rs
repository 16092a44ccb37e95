//! Shares of a whole, as a ring with a legend.

use widgets::panel::{Decimals, Donut, Slice};

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
    // Of nothing there are no shares; but a value in the middle says more than that there is none.
    if total <= 0.0 && donut.center.is_none() {
        return text::empty("No values yet", m);
    }
    let share = |size: f64| if total > 0.0 { size / total } else { 0.0 };
    let drawn = donut.slices.iter().filter(|slice| size(slice) > 0.0).count();
    m.open("figure", "part part-donut");
    if !donut.title.is_empty() {
        m.open("figcaption", "");
        phrase::write(&donut.title, m);
        m.close();
    }
    m.open("div", "ring");
    m.open("svg", "");
    // The legend says in words what the ring shows.
    m.fixed(r#"viewBox="0 0 100 100" aria-hidden="true""#);
    m.open("g", "");
    // The first slice begins at the top.
    m.attr("transform", "rotate(-90 50 50)");
    if drawn == 0 {
        m.open("circle", "ring-track");
        m.fixed(r#"cx="50" cy="50" r="41""#);
        m.close();
    }
    let mut sum = 0.0;
    for (position, slice) in donut.slices.iter().enumerate() {
        let from = per_mille(share(sum));
        sum += size(slice);
        let length = per_mille(share(sum)) - from;
        ink(slice, position).open("circle", "slice", m);
        m.fixed(r#"cx="50" cy="50" r="41" pathLength="1000""#);
        // The only slice is a whole ring; those without a size are nothing.
        if drawn > 1 || length == 0 {
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
            None => datum::write(&percent(share(size(slice))).decimals(Decimals::Exactly(1)), m),
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
