//! A panel as markup, valid for every path prefix and in every language: one lookup serves all viewers, and all proxies in
//! front of the product.

use std::sync::{Arc, Mutex, PoisonError};

use app::parts::{self, PanelContext};
use languages::{Language, Locale, current_locale, with_locale};
use sha2::{Digest as _, Sha256};
use widgets::{Moment, Panel};

use super::tile_plan;

/// Placeholder for the path prefix in markup: a character that Unicode leaves unassigned. It must be removed from
/// external text first.
pub const PREFIX: &str = "\u{fdd0}";

/// In which form a panel is drawn.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum PanelForm {
    /// As a whole, in the frame of a widget.
    #[default]
    Card,
    /// As the figures of a tile.
    Tile,
    /// As a small fact in the bar below the header.
    Fact,
}

/// A panel, rendered in English, and in each other language on its first use.
#[derive(Debug)]
pub struct RenderedPanel {
    panel: Panel,
    /// The label of its widget.
    label: String,
    /// In which form it is drawn.
    form: PanelForm,
    english: Markup,
    translated: Mutex<Vec<(Language, Arc<Markup>)>>,
    /// A hash of the English markup: the same for the same panel, never 0, and small enough for a JavaScript number.
    pub version: u64,
    /// When it was looked up or, if it has data of an earlier lookup, when those were fetched.
    pub at: Moment,
}

/// The content of a panel's element.
#[derive(Debug)]
struct Markup {
    /// Without path prefixes.
    html: String,
    /// Where they go, as byte offsets.
    places: Box<[usize]>,
}

impl RenderedPanel {
    /// A card.
    #[cfg(test)]
    pub fn new(panel: Panel, label: String, at: Moment) -> Self {
        Self::in_form(PanelForm::Card, panel, label, at)
    }

    /// A panel as of now, of a widget with this label. [`PREFIX`] in it stands for the path prefix.
    pub fn in_form(form: PanelForm, panel: Panel, label: String, at: Moment) -> Self {
        let rendered = with_locale(&Locale::default(), || render(&panel, &label, form));
        let digest = Sha256::digest(rendered.as_bytes());
        let first = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let (english, version) = (Markup::of(&rendered), (first >> 11).max(1));
        Self { panel, label, form, english, translated: Mutex::default(), version, at }
    }

    /// The content of the panel's element on a page below a path prefix, in the language in which this thread draws now.
    pub fn html(&self, prefix: &str) -> String {
        let language = current_locale().language;
        if !language.has_panel_texts() {
            return self.english.below(prefix);
        }
        let mut translated = self.translated.lock().unwrap_or_else(PoisonError::into_inner);
        let known = translated.iter().find(|(known, _)| *known == language).map(|(_, markup)| Arc::clone(markup));
        let markup = known.unwrap_or_else(|| {
            let markup = Arc::new(Markup::of(&render(&self.panel, &self.label, self.form)));
            translated.push((language, Arc::clone(&markup)));
            markup
        });
        drop(translated);
        markup.below(prefix)
    }

    /// The number of bytes on a page.
    pub fn length(&self) -> usize {
        self.english.size()
    }

    /// The number of cached bytes. A panel takes about as many as its markup.
    pub fn size(&self) -> usize {
        let translated = self.translated.lock().unwrap_or_else(PoisonError::into_inner);
        2 * self.english.size() + translated.iter().map(|(_, markup)| markup.size()).sum::<usize>()
    }
}

impl Markup {
    fn of(markup: &str) -> Self {
        let mut html = String::with_capacity(markup.len());
        let mut places = Vec::new();
        let mut pieces = markup.split(PREFIX);
        html.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            places.push(html.len());
            html.push_str(piece);
        }
        Self { html, places: places.into() }
    }

    fn below(&self, prefix: &str) -> String {
        let mut html = String::with_capacity(self.html.len() + self.places.len() * prefix.len());
        let mut done = 0;
        for place in &self.places {
            html.push_str(&self.html[done..*place]);
            html.push_str(prefix);
            done = *place;
        }
        html.push_str(&self.html[done..]);
        html
    }

    fn size(&self) -> usize {
        self.html.len() + size_of_val(&*self.places)
    }
}

/// A panel as markup with [`PREFIX`], in the language in which this thread draws now.
fn render(panel: &Panel, label: &str, form: PanelForm) -> String {
    let context = PanelContext { base: PREFIX.to_owned(), label: label.to_owned() };
    match form {
        PanelForm::Card => parts::html(panel, &context),
        PanelForm::Tile => tile_plan::html(panel, PREFIX),
        PanelForm::Fact => parts::header_fact(panel, &context),
    }
}

#[cfg(test)]
mod tests {
    use widgets::panel::{Fact, Facts, Phrase};

    use super::*;

    #[test]
    fn every_prefix_stands_where_it_belongs() {
        for (markup, plain, below) in [
            ("", "", ""),
            ("<p>é</p>", "<p>é</p>", "<p>é</p>"),
            ("<i a=\"\u{fdd0}/é\"><i a=\"\u{fdd0}/b\">", "<i a=\"/é\"><i a=\"/b\">", "<i a=\"/x/é\"><i a=\"/x/b\">"),
            ("\u{fdd0}\u{fdd0}", "", "/x/x"),
        ] {
            let rendered = Markup::of(markup);
            assert_eq!((rendered.below(""), rendered.below("/x")), (plain.to_owned(), below.to_owned()), "{markup:?}");
            assert!(rendered.size() >= plain.len());
        }
    }

    fn facts(label: impl Into<Phrase>) -> RenderedPanel {
        let facts = Facts { facts: vec![Fact::new(label, Phrase::foreign("Memory"))] };
        RenderedPanel::new(Panel::new(vec![facts.into()]), String::new(), Moment::default())
    }

    #[test]
    fn the_same_panel_has_the_same_version() {
        assert_eq!(facts("Memory").version, facts("Memory").version);
        assert_ne!(facts("Memory").version, facts("Uptime").version);
        assert!((1..1 << 53).contains(&facts("Memory").version));
    }

    #[test]
    fn own_words_are_translated_and_those_of_services_are_not() {
        let german = Locale::from(Language::of_code("de").unwrap());
        let rendered = with_locale(&german, || facts("Memory"));
        let english = rendered.html("");
        assert_eq!(english.matches("Memory").count(), 2, "{english}");
        for _ in 0..2 {
            let html = with_locale(&german, || rendered.html(""));
            assert!(html.contains("Arbeitsspeicher") && html.matches("Memory").count() == 1, "{html}");
        }
        assert_eq!(rendered.html(""), english);
        // A service whose label happens to be one of our words.
        let html = with_locale(&german, || facts(Phrase::foreign("Uptime")).html(""));
        assert!(html.contains("Uptime"), "{html}");
        assert!(rendered.size() > 2 * rendered.length());
    }
}
