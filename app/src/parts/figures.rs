//! Parts that are a few values: one large one, several side by side, labels with values.

use widgets::panel::{Fact, Facts, Headline, Stat, Stats};

use super::{datum, markup::Markup, phrase, symbols, text, tone_class};

/// One large value.
pub fn headline(headline: &Headline, m: &mut Markup) {
    m.open("div", "part part-headline");
    m.open_with("p", "headline-value", tone_class(headline.tone));
    text::value_symbol(headline.tone, &headline.value, m);
    m.open("span", "value");
    datum::write(&headline.value, m);
    m.close();
    m.close();
    if headline.copyable && !headline.value.is_missing() {
        m.open("button", "copy");
        m.fixed(r#"type="button" data-copy"#);
        m.trusted(symbols::COPY);
        m.element("span", "visually-hidden", phrase::ours("Copy"));
        m.close();
        m.open("span", "copied");
        m.attr("role", "status");
        m.close();
    }
    if let Some(change) = &headline.change {
        let fell = datum::is_negative(change);
        m.open(
            "p",
            match fell {
                Some(true) => "change tone-danger",
                Some(false) => "change tone-success",
                None => "change",
            },
        );
        match fell {
            Some(true) => m.trusted(symbols::DOWN),
            Some(false) => m.trusted(symbols::UP),
            None => {}
        }
        datum::write(change, m);
        m.close();
    }
    if let Some(caption) = &headline.caption {
        m.open("p", "caption");
        phrase::write(caption, m);
        m.close();
    }
    m.close();
}

/// A few numbers with labels.
pub fn stats(stats: &Stats, m: &mut Markup) {
    if stats.stats.is_empty() {
        return text::empty("Nothing to show", m);
    }
    m.open("dl", "part part-stats");
    for Stat { label, value, tone, more, hint } in &stats.stats {
        m.open("div", "stat");
        text::hinted(hint.as_ref(), m);
        m.open("dt", "");
        phrase::write(label, m);
        m.close();
        m.open("dd", tone_class(*tone));
        text::value_symbol(*tone, value, m);
        datum::write(value, m);
        text::hint(hint.as_ref(), "", m);
        m.close();
        if let Some(more) = more {
            m.open_with("dd", "second", tone_class(more.tone));
            text::value_symbol(more.tone, &more.value, m);
            datum::write(&more.value, m);
            m.close();
        }
        m.close();
    }
    m.close();
}

/// Labels and values, one below the other.
pub fn facts(facts: &Facts, m: &mut Markup) {
    if facts.facts.is_empty() {
        return text::empty("Nothing to show", m);
    }
    m.open("dl", "part part-facts");
    for Fact { label, value, more, tone, hint } in &facts.facts {
        m.open("div", "fact");
        m.open("dt", "");
        phrase::write(label, m);
        m.close();
        m.open("dd", "");
        m.open("span", tone_class(*tone));
        text::hinted(hint.as_ref(), m);
        text::value_symbol(*tone, value, m);
        datum::write(value, m);
        datum::write_all(more, m);
        text::hint(hint.as_ref(), "", m);
        m.close();
        m.close();
        m.close();
    }
    m.close();
}
