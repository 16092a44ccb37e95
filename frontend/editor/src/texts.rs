//! The texts of the editor in the language of the page. Pages do not contain them: the editor loads them. In tests they are English.

use std::borrow::Cow;

#[cfg(target_arch = "wasm32")]
pub use self::loaded::{TextKind, load, start_loading};

#[cfg(target_arch = "wasm32")]
mod loaded {
    //! The settings element of the page has the texts: `texts` by their English, each a text or the forms of a text with a number
    //! by plural categories, and `fields` with what is known about fields.

    use std::cell::RefCell;

    use app::{
        SETTINGS_ELEMENT,
        browser::{element, root},
        plural_category, property,
    };
    use gloo_net::http::Request;
    use js_sys::{JSON, Object, Promise, Reflect};
    use wasm_bindgen::{JsCast as _, JsValue};
    use wasm_bindgen_futures::future_to_promise;
    use web_sys::HtmlElement;

    /// Texts that are loaded together.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum TextKind {
        /// Those of dialogs, which a local config needs too.
        Dialogs,
        /// Those of the editor, and what is known about fields.
        Editor,
    }

    thread_local! {
        /// The language in which each kind has been loaded.
        static LOADED: RefCell<Vec<(TextKind, String)>> = const { RefCell::new(Vec::new()) };
    }

    fn settings() -> Option<HtmlElement> {
        element(SETTINGS_ELEMENT)
    }

    /// A text, in the form for a number.
    pub fn found(text: &str, count: Option<usize>) -> Option<String> {
        let forms = property(&property(settings()?.as_ref(), "texts"), text);
        if let Some(text) = forms.as_string() {
            return Some(text);
        }
        let category = count.and_then(plural_category);
        let form = |category: &str| property(&forms, category).as_string();
        category.as_deref().and_then(form).or_else(|| form("other"))
    }

    /// What is known about a field.
    pub fn found_field(text: &str) -> Option<String> {
        property(&property(settings()?.as_ref(), "fields"), text).as_string()
    }

    /// Loads texts that pages do not contain, once for each language. Without them, the editor is in English.
    pub async fn load(base: &str, kind: TextKind) {
        let Some(settings) = settings() else { return };
        let language = root().get_attribute("lang").unwrap_or_default();
        let entry = (kind, language.clone());
        if LOADED.with_borrow(|loaded| loaded.contains(&entry)) {
            return;
        }
        // The page may have been in another language.
        _ = Reflect::delete_property(&settings, &"fields".into());
        if !settings.has_attribute("data-texts") {
            return;
        }
        LOADED.with_borrow_mut(|loaded| {
            loaded.retain(|(other, _)| *other != kind);
            loaded.push(entry);
        });
        let is_added = added(&settings, base, kind, &language).await.is_some();
        if !is_added {
            LOADED.with_borrow_mut(|loaded| loaded.retain(|(other, _)| *other != kind));
        }
    }

    /// Begins to load texts. The promise does not reject.
    pub fn start_loading(base: &str, kind: TextKind) -> Promise {
        let base = base.to_owned();
        future_to_promise(async move {
            load(&base, kind).await;
            Ok(JsValue::UNDEFINED)
        })
    }

    async fn added(settings: &HtmlElement, base: &str, kind: TextKind, language: &str) -> Option<()> {
        let name = match kind {
            TextKind::Dialogs => "dialogs",
            TextKind::Editor => "editor",
        };
        let answer = Request::get(&format!("{base}/language?of={language}&for={name}")).send().await.ok()?;
        let read = JSON::parse(&answer.text().await.ok().filter(|_| answer.ok())?).ok()?;
        let own = property(settings, "texts");
        match kind {
            TextKind::Dialogs => set(settings, "texts", [&read, &own]),
            TextKind::Editor => {
                set(settings, "texts", [&own, &property(&read, "texts")]);
                set(settings, "fields", [&property(&read, "fields"), &JsValue::UNDEFINED]);
            }
        }
        Some(())
    }

    /// Sets a property to the members of two objects; those of the second one count.
    fn set(settings: &HtmlElement, name: &str, [first, second]: [&JsValue; 2]) {
        let all = Object::new();
        for part in [first, second].into_iter().filter(|part| part.is_object()) {
            Object::assign(&all, part.unchecked_ref());
        }
        _ = Reflect::set(settings, &name.into(), &all);
    }
}

#[cfg(target_arch = "wasm32")]
use self::loaded::{found, found_field};

#[cfg(not(target_arch = "wasm32"))]
fn found(_text: &str, _: Option<usize>) -> Option<String> {
    None
}

#[cfg(not(target_arch = "wasm32"))]
fn found_field(_text: &str) -> Option<String> {
    #[cfg(test)]
    tests::FIELD_TEXTS.with_borrow_mut(|texts| texts.insert(_text.to_owned()));
    None
}

/// A text.
#[must_use]
pub fn t(english: &str) -> String {
    found(english, None).unwrap_or_else(|| english.to_owned())
}

/// A text with values in the place of `{name}`.
#[must_use]
pub fn fill(english: &str, values: &[(&str, &str)]) -> String {
    filled(t(english), values)
}

/// A text with a number, which is `{count}` in it. `other`, the English plural, is the key.
#[must_use]
pub fn t_count(one: &str, other: &str, count: usize, values: &[(&str, &str)]) -> String {
    let english = if count == 1 { one } else { other };
    let text = found(other, Some(count)).unwrap_or_else(|| english.to_owned());
    let number = digits(count as u64);
    let values: Vec<_> = values.iter().copied().chain([("count", number.as_str())]).collect();
    filled(text, &values)
}

/// The name or the description of a field of the config, or a value of one.
#[must_use]
pub fn field_text(english: &str) -> String {
    let key = english.split_whitespace().collect::<Vec<_>>().join(" ");
    found_field(&key).unwrap_or_else(|| english.to_owned())
}

/// A name of a field within a sentence. English writes it small there; other languages keep it as it is.
#[must_use]
pub fn within_sentence(name: &str) -> Cow<'_, str> {
    match found("Save", None) {
        Some(_) => name.into(),
        None => name.to_lowercase().into(),
    }
}

/// A number in the digits of the page's language.
#[must_use]
pub fn digits(number: impl Into<u64>) -> String {
    let number = number.into().to_string();
    #[cfg(target_arch = "wasm32")]
    if let Some(written) = app::in_digits(&number) {
        return written;
    }
    number
}

fn filled(text: String, values: &[(&str, &str)]) -> String {
    let mut rest = text.as_str();
    let mut filled = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let value = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, after))
        });
        match value {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{cell::RefCell, collections::BTreeSet};

    use super::{fill, t_count};

    thread_local! {
        /// What was looked up about fields.
        pub static FIELD_TEXTS: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    }

    #[test]
    fn values_stand_in_their_places() {
        assert_eq!(
            fill("Move “{name}” to {section}", &[("name", "{section}"), ("section", "Media")]),
            "Move “{section}” to Media"
        );
        let without_values = "Add `{` and {name}";
        assert_eq!(fill(without_values, &[]), without_values);
        let changes = |count| t_count("1 change, not saved", "{count} changes, not saved", count, &[]);
        assert_eq!((changes(1), changes(3)), ("1 change, not saved".to_owned(), "3 changes, not saved".to_owned()));
    }
}
