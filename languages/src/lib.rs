//! The words of the interface in all its languages, and which of them a reader gets (docs/spec/behavior.md 18).
//!
//! The English text of a place is the key of its translations. `texts/en.toml` lists all keys, `texts/<code>.toml` translates
//! them. A text that a language does not have is shown in English. The words of panels are a list of their own: only what a
//! part or a widget says itself is looked up there ([`in_panel`]), never what a service has sent. So are messages about problems
//! ([`message`]), and what the editor says and knows about fields.
//!
//! The key of a text with a number is its English plural. Its translation has a form for each plural category of the language.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod catalogue;
mod choice;
mod dates;
mod durations;
mod formats;
mod locale;
mod messages;
mod plurals;
mod pseudo;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, cell::RefCell, future::poll_fn, pin::pin};

pub use self::{catalogue::Language, dates::LocalTime, locale::Locale, plurals::PluralCategory};

thread_local! {
    /// What is drawn on this thread now is in this language.
    static CURRENT: RefCell<Locale> = RefCell::default();
}

/// Draws something in a language: [`t`] and [`fill`] use it for as long as `draw` runs, on this thread.
pub fn with_locale<T>(locale: &Locale, draw: impl FnOnce() -> T) -> T {
    /// Sets the language back, also after a panic.
    struct Before(Option<Locale>);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.set(self.0.take().unwrap_or_default());
        }
    }
    let _before = Before(Some(CURRENT.replace(locale.clone())));
    draw()
}

/// The same for work that waits in between, on whatever thread it goes on. What it spawns is not part of it.
pub async fn with_locale_async<T>(locale: Locale, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    poll_fn(|context| with_locale(&locale, || work.as_mut().poll(context))).await
}

/// The language in which this thread draws now; English outside of [`with_locale`].
pub fn current_locale() -> Locale {
    CURRENT.with_borrow(Clone::clone)
}

/// A text in the language in which this thread draws now.
pub fn t(english: &str) -> &str {
    CURRENT.with_borrow(|locale| locale.language).text(english).unwrap_or(english)
}

/// The placeholders whose values are in the digits of the language. Others may be names, or what stands in a file.
const QUANTITIES: [&str; 5] = ["count", "failed", "longest", "percent", "seconds"];

/// The same with values in the place of `{name}`.
pub fn fill(english: &str, values: &[(&str, &str)]) -> String {
    let written = |&(name, value): &(&str, &str)| {
        if QUANTITIES.contains(&name) { in_digits(value.to_owned()) } else { value.to_owned() }
    };
    let written: Vec<_> = values.iter().map(written).collect();
    let values: Vec<_> = values.iter().zip(&written).map(|((name, _), value)| (*name, value.as_str())).collect();
    filled(t(english), &values)
}

/// A number in the digits of the locale in which this thread draws now.
pub fn in_digits(number: String) -> String {
    CURRENT.with_borrow(|locale| locale.in_digits(number))
}

/// A text with a number, in the form for it; `one` and `other` are the English forms, in which `{count}` stands for the number.
/// `values` are those of other placeholders.
pub fn t_count(one: &str, other: &str, count: u64, values: &[(&str, &str)]) -> String {
    let english = if count == 1 { one } else { other };
    let text = CURRENT.with_borrow(|locale| locale.language).counted(one, other, count).unwrap_or(english);
    let number = in_digits(count.to_string());
    let values: Vec<_> = values.iter().copied().chain([("count", number.as_str())]).collect();
    filled(text, &values)
}

/// An English message about a problem, with its values in it, in the language in which this thread draws now.
pub fn message(english: &str) -> Cow<'_, str> {
    CURRENT.with_borrow(|locale| locale.language).message(english)
}

/// The template of a message with values in the place of `{name}`, for code that knows languages.
pub fn fill_message(english: &str, values: &[(&str, &str)]) -> String {
    let text = CURRENT.with_borrow(|locale| locale.language).problem_text(english).unwrap_or(english);
    filled(text, values)
}

/// What ends a sentence in the language in which this thread draws now.
pub fn full_stop() -> &'static str {
    CURRENT.with_borrow(|locale| locale.language).full_stop()
}

/// One sentence after another. Chinese and Japanese have no space between them.
pub fn sentences(first: &str, second: &str) -> String {
    [first, if first.ends_with('。') { "" } else { " " }, second].concat()
}

/// Words of a panel in the language in which this thread draws now.
pub fn in_panel(english: &str) -> &str {
    CURRENT.with_borrow(|locale| locale.language).panel_text(english).unwrap_or(english)
}

/// The name of a type of widgets in the language in which this thread draws now.
pub fn name_of_type(english: &str) -> &str {
    CURRENT.with_borrow(|locale| locale.language).name_of_type(english).unwrap_or(english)
}

/// A number of a unit of time (`day`, `hour`, `minute` or `second`), in short and in the language in which this thread draws
/// now; none in English.
pub fn duration(count: u64, unit: &str) -> Option<String> {
    CURRENT.with_borrow(|locale| locale.duration(count, unit))
}

/// A text with values in the place of `{name}`.
pub fn filled(mut rest: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let named = after.split_once('}');
        let value = named.and_then(|(name, _)| values.iter().find(|(known, _)| *known == name));
        match (named, value) {
            (Some((_, after)), Some((_, value))) => {
                text.push_str(value);
                rest = after;
            }
            _ => {
                text.push('{');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}

/// A text in two pieces, before and after its only `{name}`, for a value that is an element.
pub fn split_at_placeholder(english: &str) -> (&str, &str) {
    let text = t(english);
    let Some((before, rest)) = text.split_once('{') else { return (text, "") };
    (before, rest.split_once('}').map_or("", |(_, after)| after))
}
