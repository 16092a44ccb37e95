//! Turns a view into markup that is kept, sent and inserted into the page.

use leptos::{
    attr::custom::{CustomAttr, custom_attribute},
    prelude::*,
};

/// The markup of a view that no browser hydrates, without the comments that Leptos needs for hydration.
///
/// Leptos escapes `<` in text and in attributes, so everything that looks like such a comment is one.
#[cfg(feature = "ssr")]
pub fn markup(view: impl IntoView) -> String {
    view.to_html().replace("<!>", "")
}

/// The same in the browser, which creates the elements and serializes them.
#[cfg(not(feature = "ssr"))]
pub fn markup(view: impl IntoView) -> String {
    let Ok(element) = document().create_element("div") else { return String::new() };
    view.build().mount(&element, None);
    element.inner_html().replace("<!---->", "")
}

/// Text that may be empty. For empty text, Leptos would write a space as a placeholder.
pub fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A sentence whose backticks enclose code, a name or a value.
pub fn with_code(sentence: &str) -> Vec<AnyView> {
    let count = sentence.matches('`').count();
    // The last one of an odd number encloses nothing.
    let parts = sentence.splitn(count - count % 2 + 1, '`').enumerate();
    let part = |(position, part): (usize, &str)| match text(part) {
        Some(part) if position % 2 == 1 => view! { <code>{part}</code> }.into_any(),
        part => part.into_any(),
    };
    parts.map(part).collect()
}

/// The attribute `class` of an element that may have no classes. Leptos would write `class=""`.
pub fn maybe_class(classes: Option<String>) -> CustomAttr<&'static str, Option<String>> {
    custom_attribute("class", classes)
}

/// Joins classes, any of which may be empty; `None` if all are.
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

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn backticks_enclose_code() {
        for (sentence, expected) in [
            ("the config has no key `banana`; ignored", "the config has no key <code>banana</code>; ignored"),
            ("`a` or `b`", "<code>a</code> or <code>b</code>"),
            ("No code, 5 < 6.", "No code, 5 &lt; 6."),
            ("`<b>` and `one more", "<code>&lt;b&gt;</code> and `one more"),
            ("``", ""),
            ("", ""),
        ] {
            assert_eq!(markup(with_code(sentence)), expected, "{sentence}");
        }
    }
}
