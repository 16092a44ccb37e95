//! The words of a page in its language.
//!
//! The server knows all languages. The bundles know English alone: what the server has drawn stays as it is when it is
//! hydrated, and what they draw themselves they look up among the texts that a page in another language carries.

#[cfg(feature = "hydrate")]
use leptos::prelude::document;

/// An element that nothing changes. The server draws it; the browser's bundle takes it as it is, and has no words of it.
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
pub use languages::{around, fill, t};

/// A text that the server draws, and that no bundle changes.
#[cfg(not(feature = "ssr"))]
pub fn t(text: &str) -> &str {
    text
}

/// Never drawn by a bundle; see [`t`].
#[cfg(not(feature = "ssr"))]
pub fn around(text: &str) -> (&str, &str) {
    (text, "")
}

/// A text that a bundle may draw. The inline script of the page keeps the texts of its language with the settings.
pub fn said(text: &str) -> String {
    #[cfg(feature = "hydrate")]
    {
        use crate::parts::live::property;
        let texts = document().get_element_by_id(crate::SETTINGS_ELEMENT).map(|settings| property(&settings, "texts"));
        texts.and_then(|texts| property(&texts, text).as_string()).unwrap_or_else(|| text.to_owned())
    }
    #[cfg(not(feature = "hydrate"))]
    t(text).to_owned()
}

/// The same with a value in the place of its `{name}`.
pub fn said_with(text: &str, value: &str) -> String {
    let text = said(text);
    let parts = text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?.1)));
    parts.map_or_else(String::new, |(before, after)| [before, value, after].concat())
}
