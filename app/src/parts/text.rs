//! Parts that are words: headings, paragraphs, notices, markup of services, buttons.

use widgets::panel::{ActionButton, Datum, Heading, Link, Notice, Paragraph, Phrase, Picture, RichText, Tone};

use super::{datum, markup::Markup, phrase, symbols, tone_class};

/// A title inside of a panel.
pub fn heading(heading: &Heading, m: &mut Markup) {
    m.open("div", "part part-heading");
    if let Some(picture) = &heading.picture {
        self::picture(picture, "heading-picture", m);
    }
    m.open("div", "heading-text");
    m.open("h3", "");
    if let Some(url) = &heading.url {
        datum::open_link(url, "", m);
        phrase::write(&heading.text, m);
        m.close();
    } else {
        phrase::write(&heading.text, m);
    }
    m.close();
    if let Some(subtitle) = &heading.subtitle {
        m.open("p", "subtitle");
        phrase::write(subtitle, m);
        m.close();
    }
    m.close();
    m.close();
}

/// A few sentences.
pub fn paragraph(paragraph: &Paragraph, m: &mut Markup) {
    let class = match (paragraph.monospace, paragraph.small) {
        (true, _) => "part part-paragraph monospace",
        (false, true) => "part part-paragraph small",
        (false, false) => "part part-paragraph",
    };
    let tone = tone_class(paragraph.tone);
    if paragraph.quote {
        m.open_with("blockquote", class, tone);
        m.open("p", "");
        phrase::write(&paragraph.text, m);
        m.close();
    } else {
        m.open_with(if paragraph.monospace { "pre" } else { "p" }, class, tone);
        // Long lines of a listing scroll, which a keyboard can do only in what has the focus.
        if paragraph.monospace {
            m.attr("tabindex", "0");
        }
        phrase::write(&paragraph.text, m);
    }
    m.close();
}

/// Text with harmless markup.
pub fn rich_text(text: &RichText, m: &mut Markup) {
    m.open("div", "part part-rich-text");
    m.trusted(text.html());
    m.close();
}

/// A sentence about a state.
pub fn notice(notice: &Notice, m: &mut Markup) {
    m.open("div", "part part-notice");
    m.open("p", tone_class(notice.tone));
    tone_symbol(notice.tone, m);
    m.open("span", "");
    phrase::write(&notice.text, m);
    m.close();
    m.close();
    m.close();
}

/// Says that a part has nothing to show.
pub fn empty(sentence: &str, m: &mut Markup) {
    m.element("p", "part part-empty", phrase::ours(sentence));
}

/// Where the data come from.
pub fn credit(link: &Link, m: &mut Markup) {
    m.open("p", "part part-credit");
    datum::open_link(&link.url, "", m);
    phrase::write(&link.text, m);
    m.close();
    m.close();
}

/// The mark of a tone, for those who do not see its colour.
pub fn tone_symbol(tone: Tone, m: &mut Markup) {
    m.trusted(match tone {
        Tone::Plain | Tone::Neutral => return,
        Tone::Success => symbols::GOOD,
        Tone::Warning => symbols::WARNING,
        Tone::Danger => symbols::DANGER,
        Tone::Info => symbols::INFO,
    });
}

/// The mark of a tone before a value. A number that is written with its sign says by it what the colour means.
pub fn value_symbol(tone: Tone, value: &Datum, m: &mut Markup) {
    if !matches!(value, Datum::Number { signed: true, .. }) {
        tone_symbol(tone, m);
    }
}

/// A picture beside other things.
pub fn picture(picture: &Picture, class: &'static str, m: &mut Markup) {
    let address = datum::address(&picture.url, m);
    m.void("img", class);
    m.attr("src", &address);
    m.attr("alt", &picture.alt);
    m.fixed(r#"loading="lazy" decoding="async" referrerpolicy="no-referrer""#);
}

/// A button that changes something, as a part of its own.
pub fn action(button: &ActionButton, m: &mut Markup) {
    m.open("div", "part part-action");
    action_button(button, m);
    m.close();
}

/// A button that changes something. What has a question opens it first.
pub fn action_button(button: &ActionButton, m: &mut Markup) {
    if let Some(question) = &button.question {
        m.open("details", "confirm");
        m.open_with("summary", "action", tone_class(button.tone));
        phrase::write(&button.label, m);
        m.close();
        m.open("div", "confirm-question");
        m.open("p", "");
        phrase::write(question, m);
        m.close();
        plain_button(button, m);
        m.close();
        m.close();
    } else {
        plain_button(button, m);
    }
}

fn plain_button(button: &ActionButton, m: &mut Markup) {
    m.open_with("button", "action", tone_class(button.tone));
    m.attr("type", "button");
    m.attr("data-action", &button.action.name);
    if !button.action.target.is_empty() {
        m.attr("data-target", &button.action.target);
    }
    phrase::write(&button.label, m);
    m.close();
}

/// Something with an explanation, which the pointer and the keyboard bring up and which is always read aloud. What is
/// explained stands above it if it may be cut off where it is.
pub fn hint(hint: Option<&Phrase>, explained: &str, m: &mut Markup) {
    if let Some(hint) = hint {
        m.text(" ");
        m.open("span", "hint visually-hidden");
        if !explained.is_empty() {
            m.open("strong", "explained");
            m.fixed(r#"aria-hidden="true""#);
            m.text(explained);
            m.close();
        }
        phrase::write(hint, m);
        m.close();
    }
}

/// Marks what was opened last as having an explanation.
pub fn hinted(hint: Option<&Phrase>, m: &mut Markup) {
    if hint.is_some() {
        m.fixed(r#"data-hinted tabindex="0""#);
    }
}
