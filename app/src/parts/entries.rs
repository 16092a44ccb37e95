//! A list of titles with links, texts, dates and pictures.

use widgets::panel::{Datum, Entries, Entry, Phrase, Tone};

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
    if let Some(day) = &entry.day {
        m.open("p", "entry-day");
        datum::write(day, m);
        m.close();
    }
    m.open("div", "entry-body");
    if entry.state.is_some() {
        m.open("div", "entry-head");
    }
    m.open("p", "entry-title");
    if entry.tone != Tone::Plain && entry.state.is_none() {
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
    if let Some(source) = &entry.source {
        m.text(" ");
        m.element("span", "entry-source", source);
    }
    m.close();
    if let Some(state) = &entry.state {
        m.open_with("p", "entry-state", tone_class(entry.tone));
        text::tone_symbol(entry.tone, m);
        phrase::write(state, m);
        m.close();
        m.close();
    }
    // When something was written and by whom belongs to its title, other values to the thing as a whole.
    let has_byline = entry.author.is_some() || entry.date.is_some();
    if has_byline {
        details(entry, m);
    }
    if let Some(text) = &entry.text {
        entry_text(text, entry.opens, m);
    }
    if let (true, Some(url)) = (entry.goes_on, &entry.url) {
        // For the pointer alone: the keyboard and those who listen have the title, which leads to the same place.
        datum::open_link(url, "entry-open", m);
        m.fixed(r#"tabindex="-1" aria-hidden="true""#);
        m.text(phrase::ours("Open"));
        m.close();
    }
    if !has_byline {
        details(entry, m);
    }
    m.close();
    if let Some(button) = &entry.action {
        text::action_button(button, m);
    }
}

/// The text; only its first lines if it is long, with a switch for the rest if there is one.
fn entry_text(text: &Phrase, opens: bool, m: &mut Markup) {
    let length = Length::of(&phrase::plain(text));
    let class = match length {
        Length::Short if opens => "entry-text whole",
        Length::Middle if opens => "entry-text middle",
        _ => "entry-text",
    };
    m.open("p", class);
    phrase::write(text, m);
    m.close();
    if opens && length != Length::Short {
        // The text stands before it and is always read aloud: the switch changes what is seen.
        m.open("details", "entry-rest");
        m.open("summary", "");
        folding::more_and_less(m);
        m.close();
        m.close();
    }
}

/// How much room a text takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// Little more than its first lines even in a narrow tile.
    Short,
    /// The same in a wide one.
    Middle,
    Long,
}

impl Length {
    fn of(text: &str) -> Self {
        // A line of its own is as good as a few dozen letters.
        let letters = text.chars().count() + 30 * text.matches('\n').count();
        match letters {
            0..=150 => Self::Short,
            151..=300 => Self::Middle,
            _ => Self::Long,
        }
    }
}

fn details(entry: &Entry, m: &mut Markup) {
    if entry.author.is_none() && entry.date.is_none() && entry.values.is_empty() && entry.tags.is_empty() {
        return;
    }
    m.open("div", "entry-foot");
    m.open("ul", "entry-details");
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
    if let Some(author) = &entry.author {
        m.open("li", "");
        phrase::write(&Phrase::from("by {author}").with("author", author.as_str()), m);
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
