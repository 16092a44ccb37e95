//! Messages about problems: what is wrong with a config, an import, a service, a sign-in. The crates that write them know no
//! languages, and the log, the command line and the REST API have them in English. Where a page shows one, it is matched with the
//! templates in the list `problems`: `must be {wanted}, not {kind}` is the key of "must be a number, not text".

use std::{borrow::Cow, sync::OnceLock};

use super::{
    Language,
    catalogue::{has_message_key, keys},
};

/// A key with placeholders.
struct Template {
    key: &'static str,
    /// What is around the placeholders: one piece more than there are names.
    pieces: Vec<&'static str>,
    names: Vec<&'static str>,
}

impl Template {
    /// None if there is no placeholder, or nothing but placeholders.
    fn parse(key: &'static str) -> Option<Self> {
        let (mut pieces, mut names, mut rest) = (Vec::new(), Vec::new(), key);
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}')?;
            pieces.push(before);
            names.push(name);
            rest = after;
        }
        pieces.push(rest);
        let has_letters = pieces.iter().any(|piece| piece.contains(char::is_alphabetic));
        (!names.is_empty() && has_letters).then_some(Self { key, pieces, names })
    }

    /// How much of it is the same in all its messages.
    fn weight(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len()).sum()
    }

    /// The values in a message; none if it was not made of this template. Each value ends where the next piece first begins.
    fn values<'a>(&self, message: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
        let (first, others) = self.pieces.split_first()?;
        let (last, inner) = others.split_last()?;
        let mut rest = message.strip_prefix(first)?.strip_suffix(last)?;
        let mut values = Vec::new();
        for (piece, name) in inner.iter().zip(&self.names) {
            // A value is never empty.
            let start = rest.chars().next()?.len_utf8();
            let at = start + rest[start..].find(piece)?;
            values.push((*name, &rest[..at]));
            rest = &rest[at + piece.len()..];
        }
        values.push((*self.names.last()?, rest));
        (!rest.is_empty()).then_some(values)
    }
}

/// The templates, the most specific first.
fn templates() -> &'static [Template] {
    static TEMPLATES: OnceLock<Vec<Template>> = OnceLock::new();
    TEMPLATES.get_or_init(|| {
        let mut templates: Vec<_> = keys().problems.iter().filter_map(|key| Template::parse(key)).collect();
        templates.sort_by_key(|template| std::cmp::Reverse(template.weight()));
        templates
    })
}

impl Language {
    /// An English message in this language, as far as it has translations. A message may be several sentences, begin with the place
    /// in a config (`/pageInfo/title: …`), and end with what happens instead (`…; ignored`).
    pub fn message<'a>(self, english: &'a str) -> Cow<'a, str> {
        if self == Self::ENGLISH || english.is_empty() {
            return english.into();
        }
        let is_place = |place: &str| place.starts_with('/') && !place.contains(' ');
        if let Some((place, rest)) = english.split_once(": ").filter(|(place, _)| is_place(place)) {
            return [place, ": ", &self.message(rest)].concat().into();
        }
        if let Some((before, effect)) = english.rsplit_once("; ").filter(|(_, effect)| has_message_key(effect)) {
            return [&*self.message(before), "; ", self.problem_text(effect).unwrap_or(effect)].concat().into();
        }
        if let Some(text) = self.whole_message(english) {
            return text.into();
        }
        // The longest beginning that is a message of its own.
        let ends: Vec<_> = english.match_indices(". ").map(|(at, _)| at + 1).collect();
        for end in ends.into_iter().rev() {
            if let Some(text) = self.whole_message(&english[..end]) {
                return [&text, " ", &self.message(&english[end + 1..])].concat().into();
            }
        }
        match english.split_once(". ") {
            Some((first, rest)) => [first, ". ", &self.message(rest)].concat().into(),
            None => english.into(),
        }
    }

    fn whole_message(self, english: &str) -> Option<String> {
        if has_message_key(english) {
            return self.problem_text(english).map(str::to_owned);
        }
        let (template, values) = templates().iter().find_map(|template| Some((template, template.values(english)?)))?;
        let text = self.problem_text(template.key)?;
        // A value may be words of ours, such as `a number`, or the message that is the cause. What a user wrote is in code or
        // quotation marks.
        let own = |name: &str, value: &str| {
            let is_quoted =
                ["`{", "“{", "\"{", "'{"].iter().any(|open| template.key.contains(&[open, name, "}"].concat()));
            if is_quoted { value.to_owned() } else { self.message(value).into_owned() }
        };
        let values: Vec<_> = values.into_iter().map(|(name, value)| (name, own(name, value))).collect();
        let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Some(super::filled(text, &values))
    }
}

#[cfg(test)]
mod tests {
    use super::Template;

    #[test]
    fn a_message_shows_the_values_of_its_template() {
        let values = |key, message| Template::parse(key).unwrap().values(message);
        assert_eq!(
            values("must be {wanted}, not {kind}", "must be a number, not text"),
            Some(vec![("wanted", "a number"), ("kind", "text")])
        );
        assert_eq!(values("`{key}` needs `{other}`", "`a` needs `b`"), Some(vec![("key", "a"), ("other", "b")]));
        assert_eq!(
            values("{host} sent {count} KB.", "nas.lan sent 12 KB."),
            Some(vec![("host", "nas.lan"), ("count", "12")])
        );
        assert_eq!(values("must be {wanted}, not {kind}", "must be , not text"), None, "a value is never empty");
        assert_eq!(values("must be {wanted}, not {kind}", "has to be a number"), None);
        assert!(Template::parse("{a}: {b}").is_none(), "it would match everything");
        assert!(Template::parse("no values").is_none());
    }
}
