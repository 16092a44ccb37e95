//! Parts that show a share: the bar and the dial.

use widgets::panel::{Datum, Gauge, Meter, Tone, Unit};

use super::{datum, ink::Ink, markup::Markup, phrase, text, tone_class};

/// The half circle of a dial.
const ARC: &str = "M12 66A48 48 0 0 1 108 66";
/// The half circle around it, on which the steps are.
const RIM: &str = "M4 66A56 56 0 0 1 116 66";

/// A bar that is partly full.
pub fn meter(meter: &Meter, m: &mut Markup) {
    let mille = per_mille(meter.share);
    m.open("div", "part part-meter");
    m.open("p", "meter-words");
    m.open("span", "meter-label");
    phrase::write(&meter.label, m);
    m.close();
    // That all is well need not be said, only that it is not.
    let tone = if meter.tone == Tone::Success { Tone::Plain } else { meter.tone };
    m.open_with("span", "meter-value", tone_class(tone));
    text::tone_symbol(tone, m);
    match &meter.text {
        Some(words) => phrase::write(words, m),
        None => datum::write(&percent(meter.share.max(0.0)), m),
    }
    m.close();
    m.close();
    let (full, rest) = meter.pieces.unwrap_or((meter.tone, Tone::Plain));
    Ink::toned(meter.color.as_ref(), full, 0).open("svg", "bar", m);
    m.attr("role", "meter");
    m.attr("aria-label", &label(&meter.label));
    m.fixed(r#"aria-valuemin="0" aria-valuemax="100""#);
    m.attr("aria-valuenow", &tenths(mille));
    if rest != Tone::Plain {
        m.open_with("rect", "fill", tone_class(rest));
        m.fixed(r#"width="100%" height="100%""#);
        m.close();
    }
    m.open("rect", "fill");
    m.attr("width", &(tenths(mille) + "%"));
    m.attr("height", "100%");
    m.close();
    m.close();
    m.close();
}

/// A dial.
pub fn gauge(gauge: &Gauge, m: &mut Markup) {
    let mille = per_mille(gauge.share);
    let tone = tone_at(gauge);
    m.open("div", "part part-gauge");
    m.open("div", "dial");
    m.open("svg", "");
    m.fixed(r#"viewBox="0 0 120 72" role="meter""#);
    m.attr("aria-label", &label(&gauge.label));
    m.fixed(r#"aria-valuemin="0" aria-valuemax="100""#);
    m.attr("aria-valuenow", &tenths(mille));
    m.attr("aria-valuetext", &datum::plain(&gauge.value));
    arc("dial-track", "", ARC, (0, 1000), m);
    for (position, (from, tone)) in gauge.steps.iter().enumerate() {
        let end = gauge.steps.get(position + 1).map_or(1000, |next| per_mille(next.0));
        let from = per_mille(*from);
        if end > from {
            // A little room between two steps tells them apart without their colours.
            arc("dial-step", tone_class(*tone), RIM, (from, (end - from - 8).max(1)), m);
        }
    }
    if mille > 0 {
        Ink::toned(None, tone, 0).open("g", "", m);
        arc("dial-fill", "", ARC, (0, mille), m);
        m.close();
    }
    m.close();
    m.open("p", "dial-value");
    datum::write(&gauge.value, m);
    m.close();
    m.close();
    m.open("p", "dial-label");
    text::tone_symbol(if tone == Tone::Success { Tone::Plain } else { tone }, m);
    phrase::write(&gauge.label, m);
    m.close();
    m.close();
}

fn arc(class: &str, tone: &str, path: &str, (from, length): (i64, i64), m: &mut Markup) {
    m.open_with("path", class, tone);
    m.attr("d", path);
    m.attr("pathLength", "1000");
    if length < 1000 {
        dashes(from, length, m);
    }
    m.close();
}

/// Draws only a piece of a line whose whole length is a thousand.
pub fn dashes(from: i64, length: i64, m: &mut Markup) {
    let mut dash = length.to_string();
    // A gap as long as the rest would be closed by rounding.
    dash.push_str(" 2000");
    m.attr("stroke-dasharray", &dash);
    if from > 0 {
        m.number_attr("stroke-dashoffset", -from);
    }
}

/// A share of a whole in thousandths, within the whole.
pub fn per_mille(share: f64) -> i64 {
    // Clamped, so nothing is lost; what is no number is nothing.
    #[allow(clippy::cast_possible_truncation)]
    let mille = (share.clamp(0.0, 1.0) * 1000.0 + 0.5) as i64;
    mille
}

/// A share as a percentage with one decimal at most.
pub fn percent(share: f64) -> Datum {
    Datum::number((share * 1000.0 + 0.5).floor() / 10.0, Unit::Percent)
}

fn tenths(mille: i64) -> String {
    let mut text = (mille / 10).to_string();
    if mille % 10 > 0 {
        text.push('.');
        text.push_str(&(mille % 10).to_string());
    }
    text
}

fn tone_at(gauge: &Gauge) -> Tone {
    gauge.steps.iter().take_while(|(from, _)| *from <= gauge.share).last().map_or(Tone::Plain, |(_, tone)| *tone)
}

fn label(words: &widgets::panel::Phrase) -> String {
    if words.is_empty() { phrase::ours("Share").to_owned() } else { phrase::plain(words) }
}
