//! Lists of domains with counts, as several DNS servers have them.

use crate::{
    option_types::{Lenient, Number},
    panel::{Datum, Decimals, Heading, Meter, Notice, Part, Phrase, Unit, rows},
};

/// The default number of domains in a list.
const USUAL_COUNT: usize = 10;

/// How many domains are wanted: a whole number above zero, or else the default.
pub(crate) fn count(option: &Lenient<Number>) -> usize {
    known_count(option).unwrap_or(USUAL_COUNT)
}

/// Whether the option is set to something that is not a count.
pub(crate) fn is_wrong(option: &Lenient<Number>) -> bool {
    option.unknown().is_some() || (option.get().is_some() && known_count(option).is_none())
}

fn known_count(option: &Lenient<Number>) -> Option<usize> {
    let number = option.get()?.get();
    // The cast saturates.
    let count = number as usize;
    (number >= 1.0 && number.fract() == 0.0).then_some(count)
}

/// A heading with a bar for each domain below it, or a sentence instead if there are no domains. `whole` is the total of
/// all counts; if it is given, each bar names its share. These are bars, not a table: in half a tile a table cuts the
/// names, which are what people look for.
pub(crate) fn parts(
    title: &'static str,
    domains: &[(String, f64)],
    whole: Option<f64>,
    none: impl Into<Phrase>,
) -> Vec<Part> {
    let heading = Part::from(Heading::new(title));
    if domains.is_empty() {
        return vec![heading, Notice::empty(none).into()];
    }
    let whole = whole.filter(|whole| *whole > 0.0);
    // Even the most frequent domain has only a small share of all queries, so the bars are relative to that domain.
    let max = domains.iter().map(|(_, count)| *count).fold(1.0, f64::max);
    let bar = |(name, count): &(String, f64)| {
        // The root domain has no name.
        let name = if name.trim().is_empty() { "." } else { name.trim() };
        let text = match whole {
            Some(whole) => {
                let share = Datum::percent(((count / whole).clamp(0.0, 1.0) * 1000.0).round() / 10.0);
                Phrase::from("{count} · {share}").with("share", share.decimals(Decimals::Exactly(1)))
            }
            None => Phrase::from("{count}"),
        };
        Part::from(Meter {
            label: Phrase::foreign(name),
            share: (count / max * 1000.0).round() / 1000.0,
            text: Some(text.with("count", Datum::number(*count, Unit::None))),
            ..Meter::default()
        })
    };
    let mut parts = vec![heading];
    parts.extend(rows(domains.iter().map(|domain| [bar(domain)])));
    parts
}
