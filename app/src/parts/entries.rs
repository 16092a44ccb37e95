//! A list of titles with links, texts, dates and pictures.

use widgets::panel::{Datum, Entries, Entry, Tone};

use super::{datum, folding, ink::Ink, markup::Markup, phrase, text, tone_class};

/// The list.
pub fn entries(entries: &Entries, m: &mut Markup) {
    if entries.entries.is_empty() {
        return text::empty("Nothing to show", m);
    }
    let fold = folding::Fold::of(entries.folded_after, entries.entries.len());
    m.open("div", "part part-entries");
    m.open("ul", "");
    fold.mark(m);
    for (position, entry) in entries.entries.iter().enumerate() {
        m.open_with("li", fold.class(position), if entry.highlighted { "highlighted" } else { "" });
        self::entry(entry, m);
        m.close();
    }
    m.close();
    fold.button(m);
    m.close();
}

fn entry(entry: &Entry, m: &mut Markup) {
    if let Some(picture) = &entry.picture {
        text::picture(picture, "entry-picture", m);
    }
    m.open("div", "entry-body");
    m.open("p", "entry-title");
    if entry.tone != Tone::Plain {
        m.open_with("span", "dot", tone_class(entry.tone));
        text::tone_symbol(entry.tone, m);
        m.close();
    }
    if let Some(color) = &entry.color {
        Ink::own(Some(color), Tone::Plain, 0).swatch(None, m);
    }
    if let Some(url) = &entry.url {
        datum::open_link(url, "", m);
        phrase::write(&entry.title, m);
        m.close();
    } else {
        phrase::write(&entry.title, m);
    }
    m.close();
    if let Some(text) = &entry.text {
        m.open("p", "entry-text");
        phrase::write(text, m);
        m.close();
    }
    details(entry, m);
    m.close();
    if let Some(button) = &entry.action {
        text::action_button(button, m);
    }
}

fn details(entry: &Entry, m: &mut Markup) {
    if entry.author.is_none() && entry.date.is_none() && entry.values.is_empty() && entry.tags.is_empty() {
        return;
    }
    m.open("div", "entry-foot");
    m.open("ul", "entry-details");
    if let Some(author) = &entry.author {
        m.element("li", "", author);
    }
    if let Some(at) = entry.date {
        m.open("li", "");
        datum::write(&Datum::time(at, entry.date_style), m);
        m.close();
    }
    for value in &entry.values {
        m.open("li", "");
        datum::write(value, m);
        m.close();
    }
    m.close();
    if !entry.tags.is_empty() {
        m.open("ul", "entry-tags");
        for tag in &entry.tags {
            m.open("li", "tag");
            phrase::write(tag, m);
            m.close();
        }
        m.close();
    }
    m.close();
}
