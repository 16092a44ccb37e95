//! The words of a page in its language.
//!
//! The server knows all languages; the bundles know only English. Hydration keeps the texts that the server has rendered, and
//! for what bundles render themselves, a page in another language contains the texts.

#[cfg(feature = "hydrate")]
use leptos::prelude::document;

/// An element that never changes. The server renders it; the bundle keeps it as it is, and does not contain its texts.
macro_rules! fixed {
    ($($view:tt)*) => {{
        #[cfg(feature = "ssr")]
        {
            view! { $($view)* }
        }
        #[cfg(not(feature = "ssr"))]
        {
            leptos::tachys::html::InertElement::new("<i></i>")
        }
    }};
}
pub(crate) use fixed;

#[cfg(feature = "ssr")]
pub use languages::{fill, split_at_placeholder, t, t_count};

/// A text that only the server renders.
#[cfg(not(feature = "ssr"))]
pub fn t(text: &str) -> &str {
    text
}

/// The `dir` of an element with a text of the config, which keeps its own direction on pages that run from right to left.
/// The element itself needs it, so that a text that is too long for it loses its end, not its beginning.
pub fn own_direction() -> Option<&'static str> {
    is_rtl().then_some("auto")
}

/// Whether the page runs from right to left.
#[cfg(feature = "ssr")]
pub fn is_rtl() -> bool {
    languages::current_locale().language.is_rtl()
}

/// Bundles never render it; see [`t`].
#[cfg(not(feature = "ssr"))]
pub fn is_rtl() -> bool {
    false
}

/// Bundles never render it; see [`t`].
#[cfg(not(feature = "ssr"))]
pub fn split_at_placeholder(text: &str) -> (&str, &str) {
    (text, "")
}

/// A text that a bundle may render. The inline script of the page keeps the texts of its language at the settings element.
pub fn t_for_script(text: &str) -> String {
    #[cfg(feature = "hydrate")]
    {
        use crate::parts::live::property;
        let texts = document().get_element_by_id(crate::SETTINGS_ELEMENT).map(|settings| property(&settings, "texts"));
        texts.and_then(|texts| property(&texts, text).as_string()).unwrap_or_else(|| text.to_owned())
    }
    #[cfg(not(feature = "hydrate"))]
    t(text).to_owned()
}

/// A text with a number that a bundle may render, in the form for it. `other`, the English plural, is its key.
pub fn t_count_for_script(one: &str, other: &str, count: usize) -> String {
    #[cfg(feature = "hydrate")]
    {
        use crate::parts::live::{plural_category, property};
        let english = if count == 1 { one } else { other };
        let settings = document().get_element_by_id(crate::SETTINGS_ELEMENT);
        let texts = settings.map(|settings| property(&settings, "texts")).unwrap_or_default();
        let text = property(&texts, other);
        let form = match text.as_string() {
            // A language without forms of it may have the singular as a text of its own.
            Some(text) => property(&texts, english).as_string().or(Some(text)),
            None => plural_category(count).and_then(|category| property(&text, &category).as_string()),
        };
        form.unwrap_or_else(|| english.to_owned()).replace("{count}", &in_digits(count.to_string()))
    }
    #[cfg(not(feature = "hydrate"))]
    {
        #[cfg(feature = "ssr")]
        let text = t_count(one, other, count as u64, &[]);
        #[cfg(not(feature = "ssr"))]
        let text = if count == 1 { one } else { other }.replace("{count}", &count.to_string());
        text
    }
}

/// A number in the digits of the page's language.
#[cfg(feature = "ssr")]
pub use languages::in_digits;

/// A number in the digits of the page's language; other texts stay as they are.
#[cfg(not(feature = "ssr"))]
pub fn in_digits(number: String) -> String {
    #[cfg(feature = "hydrate")]
    if let Some(text) = crate::parts::live::in_digits(&number) {
        return text;
    }
    number
}

/// The same as [`t_for_script`], with a value in place of its `{name}`.
pub fn t_for_script_with(text: &str, value: &str) -> String {
    let is_number = text.contains("{count}") || text.contains("{percent}");
    let value = if is_number { in_digits(value.to_owned()) } else { value.to_owned() };
    let text = t_for_script(text);
    let parts = text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?.1)));
    parts.map_or_else(String::new, |(before, after)| [before, &value, after].concat())
}
