//! A field for a web search, with a link for each engine that follows what is typed.

use widgets::panel::{OpeningMethod, SearchBox};

use super::{markup::Markup, phrase, text};

/// The field.
pub fn search_box(search: &SearchBox, m: &mut Markup) {
    if search.engines.is_empty() {
        return text::empty("There is no search engine", m);
    }
    m.open("form", "part part-search");
    m.attr("role", "search");
    // Landmarks of one page need different names.
    let label = &m.surroundings.label;
    m.attr("aria-label", if label.is_empty() { phrase::ours("Web search") } else { label });
    m.void("input", "");
    m.attr("type", "search");
    m.attr("aria-label", phrase::ours("Search the web"));
    m.fixed(r#"autocomplete="off" enterkeyhint="search""#);
    if let Some(placeholder) = &search.placeholder {
        m.attr("placeholder", placeholder);
    }
    m.open("ul", "engines");
    for (position, engine) in search.engines.iter().enumerate() {
        m.open("li", "");
        m.open("a", if position == 0 { "engine first" } else { "engine" });
        // It leads nowhere until there is a text; the keys find it all the same, and lead to the field.
        m.fixed(r#"tabindex="0" role="link""#);
        m.attr("data-engine", engine.url.as_str());
        // Until there is a workspace its links open as those of items do.
        if search.opening_method != OpeningMethod::SameTab {
            m.attr("target", "_blank");
        }
        m.attr("rel", "noopener noreferrer");
        m.text(&engine.title);
        m.close();
        m.close();
    }
    m.close();
    m.close();
}
