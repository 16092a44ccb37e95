//! Lists whose end is folded away behind "show more".

use super::{markup::Markup, phrase};

/// Where a list is folded.
#[derive(Clone, Copy)]
pub struct Fold(Option<usize>);

impl Fold {
    /// A fold after so many of `count` rows; none if nothing would be hidden.
    pub fn of(after: Option<usize>, count: usize) -> Self {
        Self(after.filter(|after| *after > 0 && *after < count))
    }

    /// The class of a row.
    pub fn class(self, position: usize) -> &'static str {
        if self.0.is_some_and(|after| position >= after) { "beyond" } else { "" }
    }

    /// Marks the list that was opened last.
    pub fn mark(self, m: &mut Markup) {
        if let Some(after) = self.0 {
            m.attr("data-fold", &after.to_string());
        }
    }

    /// The button below; it and the list stand in one element of the class `part`.
    pub fn button(self, m: &mut Markup) {
        if self.0.is_some() {
            m.open("button", "more");
            m.fixed(r#"type="button" aria-expanded="false" data-more"#);
            more_and_less(m);
            m.close();
        }
    }
}

/// Both words; the style sheet shows the one that fits the state.
pub fn more_and_less(m: &mut Markup) {
    m.element("span", "when-folded", phrase::ours("Show more"));
    m.element("span", "when-open", phrase::ours("Show less"));
}
