//! Messages about problems: what is wrong with a config, an import, a service, a sign-in. The crates that write them know no
//! languages, and the log, the command line and the REST API have them in English. Where a page shows one, it is matched with the
//! templates in the list `problems`: `must be {wanted}, not {kind}` is the key of "must be a number, not text".

use std::{borrow::Cow, sync::OnceLock};

use super::{
    Language,
    catalogue::{has_message_key, keys, panel_sentences},
};

/// How many letters a text of the page needs around its values to be a template too: `{count} results` would match too much.
const MIN_LETTERS: usize = 12;
/// A template with fewer letters matches only values with digits.
const MIN_LETTERS_WITHOUT_DIGITS: usize = 3;
/// The marks around what a user wrote: the first one, and what ends it. An apostrophe may be part of a word.
const MARKS: [(char, &str); 4] = [('`', "`"), ('“', "”"), ('"', "\""), ('\'', "' ")];

/// A longer message, or one of more sentences, is no message of ours. The time to find its parts grows with both.
const MAX_BYTES: usize = 4000;
const MAX_SENTENCES: usize = 30;

/// What may follow any message.
const ENDINGS: [&str; 5] = [
    "(did you mean `{word}`?)",
    "such as `{example}`",
    "for example {example}",
    "or to the name of an environment variable",
    "at line {line}, column {column}",
];

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

    /// How many letters are the same in all its messages.
    fn letters(&self) -> usize {
        self.pieces.iter().flat_map(|piece| piece.chars()).filter(|char| char.is_alphabetic()).count()
    }

    /// The values in a message; none if it was not made of this template. Each value ends where the next piece first begins, and
    /// one in marks does not go on behind them.
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
        let is_torn = values.iter().zip(&self.pieces).any(|((_, value), before)| {
            MARKS.into_iter().any(|(open, close)| before.ends_with(open) && value.contains(close))
        });
        // A value is no more than a sentence, unless it is called a message.
        let is_long = values.iter().any(|(name, value)| *name != "message" && value.contains(". "));
        // "at {time}" would also match "at least one".
        let is_vague = self.letters() < MIN_LETTERS_WITHOUT_DIGITS
            && !values.iter().any(|(_, value)| value.contains(|char: char| char.is_ascii_digit()));
        (!rest.is_empty() && !is_torn && !is_long && !is_vague).then_some(values)
    }
}

/// The templates, the most specific first. Those of the page and the sentences of panels are the last ones: alerts repeat what
/// the page says about a service, and panels say why a part of them is missing.
fn templates() -> &'static [Template] {
    static TEMPLATES: OnceLock<Vec<Template>> = OnceLock::new();
    TEMPLATES.get_or_init(|| {
        let mut templates = sorted(keys().problems.iter(), 1);
        templates.extend(sorted(keys().page.iter().chain(panel_sentences()), MIN_LETTERS));
        templates
    })
}

/// The templates among some keys, the most specific first.
fn sorted(keys: impl Iterator<Item = &'static String>, min_letters: usize) -> Vec<Template> {
    let templates = keys.filter_map(|key| Template::parse(key));
    let mut templates: Vec<_> = templates.filter(|template| template.letters() >= min_letters).collect();
    templates.sort_by_key(|template| std::cmp::Reverse(template.weight()));
    templates
}

impl Language {
    /// What ends a sentence.
    #[must_use]
    pub fn full_stop(self) -> &'static str {
        match self.code() {
            "ja" | "zh-CN" | "zh-TW" => "。",
            "bn" | "hi" => "।",
            _ => ".",
        }
    }

    /// An English message in this language, as far as it has translations. A message may be several sentences, begin with the place
    /// in a config (`/pageInfo/title: …`), and end with what happens instead (`…; ignored`).
    pub fn message<'a>(self, english: &'a str) -> Cow<'a, str> {
        if self == Self::ENGLISH || english.is_empty() || english.len() > MAX_BYTES {
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
        if ends.len() > MAX_SENTENCES {
            return english.into();
        }
        for end in ends.into_iter().rev() {
            if let Some(text) = self.whole_message(&english[..end]) {
                return super::sentences(&text, &self.message(&english[end + 1..])).into();
            }
        }
        let Some((first, rest)) = english.split_once(". ") else {
            return self.in_parts(english).map_or(english.into(), Into::into);
        };
        let first = &english[..=first.len()];
        super::sentences(self.in_parts(first).as_deref().unwrap_or(first), &self.message(rest)).into()
    }

    /// A message of which only a part is listed, such as `url must be a CSS color`, `nas.lan: no list`, or "a list (did you mean `b`?)".
    fn in_parts(self, english: &str) -> Option<String> {
        let translated = |part: &str| match self.message(part) {
            Cow::Owned(text) => Some(text),
            Cow::Borrowed(_) => None,
        };
        if let Some(text) = english.strip_suffix('.').and_then(translated) {
            return Some(text + self.full_stop());
        }
        for ending in ENDINGS {
            let Some(template) = Template::parse(ending) else {
                let Some(before) = english.strip_suffix(ending) else { continue };
                return Some([&self.message(before.trim_end()), " ", self.problem_text(ending)?].concat());
            };
            let Some(at) = template.pieces.first().and_then(|first| english.rfind(first)) else { continue };
            let (Some(values), Some(text)) = (template.values(&english[at..]), self.problem_text(ending)) else {
                continue;
            };
            let before = english[..at].trim_end_matches([' ', ',']);
            return Some([&self.message(before), &english[before.len()..at], &super::filled(text, &values)].concat());
        }
        if let Some((before, inner)) = english.strip_suffix(')').and_then(|text| text.rsplit_once(" ("))
            && let Some(before) = translated(before)
        {
            return Some([&before, " (", &self.message(inner), ")"].concat());
        }
        // The name of an option, a host or a file.
        let (name, rest) = match english.strip_prefix('`').and_then(|text| text.split_once("`: ")) {
            Some((name, rest)) => (&english[..name.len() + 3], rest),
            None => english.split_once(' ')?,
        };
        let is_name = name.ends_with(':') || name.ends_with('`') || rest.starts_with("must ");
        is_name.then(|| translated(rest)).flatten().map(|text| [name, " ", &text].concat())
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
    use super::{Language, Template};

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

    #[test]
    fn a_value_in_marks_ends_with_them() {
        let values = |key, message| Template::parse(key).unwrap().values(message);
        for (key, one, two) in [
            ("`{name}` is stored.", "`a` is stored.", "`a` is stored. `b` is stored."),
            ("There is no page “{name}”.", "There is no page “a”.", "There is no page “a”. Write “b”."),
            ("tour '{name}' is unknown.", "tour 'a' is unknown.", "tour 'b' is unknown. tour 'a' is unknown."),
        ] {
            assert_eq!(values(key, one).unwrap().len(), 1, "{one}");
            assert_eq!(values(key, two), None, "{two}");
        }
        let apostrophe = values("tour '{name}' is unknown.", "tour 'Anna's' is unknown.");
        assert_eq!(apostrophe, Some(vec![("name", "Anna's")]));
    }

    #[test]
    fn long_texts_of_the_page_are_templates_too() {
        let german = Language::of_code("de").unwrap();
        let pings = german.message("3 of 4 pings answered");
        assert!(pings.contains('3') && !pings.contains("answered"), "{pings}");
        assert_eq!(Template::parse("{count} results").unwrap().letters(), 7);
        assert_eq!(german.message("12 results"), "12 results");
    }

    #[test]
    fn sentences_end_and_follow_as_in_the_language() {
        let [japanese, hindi, german] = ["ja", "hi", "de"].map(|code| Language::of_code(code).unwrap());
        let message =
            "url must be a CSS color. nas.lan refused the key or password. Nobody lists this. must be a CSS color.";
        let shown = japanese.message(message);
        let color = japanese.problem_text("must be a CSS color").unwrap();
        assert!(shown.starts_with(&format!("url {color}。nas.lan ")), "{shown}");
        assert!(shown.ends_with(&format!("。Nobody lists this. {color}。")), "{shown}");
        let color = hindi.problem_text("must be a CSS color").unwrap();
        assert_eq!(hindi.message("must be a CSS color. must be a CSS color."), format!("{color}। {color}।"));
        let color = german.problem_text("must be a CSS color").unwrap();
        assert_eq!(german.message("must be a CSS color. must be a CSS color."), format!("{color}. {color}."));
    }

    #[test]
    fn errors_in_panels_are_messages_too() {
        let german = Language::of_code("de").unwrap();
        let shown = german.message("nas.lan could not be reached (connection refused).");
        let reason = german.text("connection refused").unwrap();
        assert!(shown.contains("nas.lan") && shown.contains(reason) && !shown.contains("reached"), "{shown}");
        // Other words of panels are no messages.
        assert_eq!(german.message("Memory"), "Memory");
    }

    #[test]
    fn what_is_listed_in_parts_is_translated_in_parts() {
        let pseudo = Language::PSEUDO;
        let shown = |english: &str| pseudo.message(english).into_owned();
        let list = shown("must be a CSS color");
        assert!(list.starts_with('⟦'), "{list}");
        for (english, expected) in [
            ("url must be a CSS color", format!("url {list}")),
            ("nas.lan: must be a CSS color.", format!("nas.lan: {list}.")),
            ("`a b`: must be a CSS color", format!("`a b`: {list}")),
            ("`footerText` is now called `footer`", format!("`footerText` {}", shown("is now called `footer`"))),
            ("must be a CSS color (`/a/b`)", format!("{list} (`/a/b`)")),
            ("must be a CSS color at line 2, column 3", format!("{list} {}", shown("at line 2, column 3"))),
            ("must be a CSS color (did you mean `b`?)", format!("{list} {}", shown("(did you mean `b`?)"))),
            ("must be a CSS color, for example a.", format!("{list}, {}.", shown("for example a"))),
            ("Nobody lists this", "Nobody lists this".to_owned()),
            ("Nobody: lists this", "Nobody: lists this".to_owned()),
        ] {
            assert_eq!(shown(english), expected);
        }
    }
}
