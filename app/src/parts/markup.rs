//! From a view to the markup that is kept, sent and put into the page.

use leptos::{
    attr::custom::{CustomAttr, custom_attribute},
    prelude::*,
};

/// The markup of a view that no browser hydrates, so it has none of the comments by which Leptos finds its places again.
///
/// Leptos escapes `<` in text and in attributes, so whatever looks like such a comment is one.
#[cfg(feature = "ssr")]
pub fn markup(view: impl IntoView) -> String {
    view.to_html().replace("<!>", "")
}

/// The same in the browser, which builds the elements and writes them out.
#[cfg(not(feature = "ssr"))]
pub fn markup(view: impl IntoView) -> String {
    let Ok(element) = document().create_element("div") else { return String::new() };
    view.build().mount(&element, None);
    element.inner_html().replace("<!---->", "")
}

/// Text that may be empty. Leptos would write a space for empty text, as a place for what comes later.
pub fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The attribute `class` of an element that may have none. Leptos would write `class=""`.
pub fn maybe_class(classes: Option<String>) -> CustomAttr<&'static str, Option<String>> {
    custom_attribute("class", classes)
}

/// Classes side by side, of which any may be empty; nothing if all are.
pub fn classes<const COUNT: usize>(classes: [&str; COUNT]) -> Option<String> {
    let mut all = String::new();
    for class in classes.into_iter().filter(|class| !class.is_empty()) {
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(class);
    }
    (!all.is_empty()).then_some(all)
}
