//! The language of a page.

use std::sync::Arc;

use super::{Language, LocalTime};

const ARABIC_INDIC_DIGITS: [char; 10] = ['٠', '١', '٢', '٣', '٤', '٥', '٦', '٧', '٨', '٩'];

/// The regions that write Arabic with these digits, as in the CLDR. Browsers know them.
const ARABIC_INDIC_REGIONS: [&str; 21] = [
    "bh", "dj", "eg", "er", "il", "iq", "jo", "km", "kw", "lb", "mr", "om", "ps", "qa", "sa", "sd", "so", "ss", "sy",
    "td", "ye",
];

/// The language of a page, and the tag by which browsers and formats know it.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Locale {
    /// The language of its words.
    pub language: Language,
    /// A BCP 47 tag, such as `de-AT`: the code of the language, or one with a region that the config names.
    pub tag: Arc<str>,
}

impl Default for Locale {
    fn default() -> Self {
        Language::ENGLISH.into()
    }
}

impl From<Language> for Locale {
    fn from(language: Language) -> Self {
        Self { language, tag: language.code().into() }
    }
}

impl Locale {
    /// The locale for dates and times of a tag: English outside of North America writes them as in Great Britain.
    pub fn of_formats(tag: &str) -> Option<Self> {
        let language = Language::of_tag(tag)?;
        let is_american = ["en", "en-us", "en-ca", "en-ph"].contains(&tag.to_ascii_lowercase().as_str());
        let is_british = language == Language::ENGLISH && !is_american;
        let language = if is_british { Language::of_code("en-GB")? } else { language };
        Some(Self { language, tag: tag.into() })
    }

    /// A date or a time of day; see [`Language::date`].
    pub fn date(&self, style: &str, at: LocalTime) -> Option<String> {
        self.language.date(style, at).map(|date| self.in_digits(date))
    }

    /// A number of a unit of time; see [`Language::duration`].
    pub fn duration(&self, count: u64, unit: &str) -> Option<String> {
        self.language.duration(count, unit).map(|duration| self.in_digits(duration))
    }

    /// A number in the digits of the region, or else of the language.
    pub fn in_digits(&self, number: String) -> String {
        if !self.has_arabic_indic_digits() {
            return self.language.in_digits(number);
        }
        let own = |letter: char| letter.to_digit(10).map_or(letter, |digit| ARABIC_INDIC_DIGITS[digit as usize]);
        number.chars().map(own).collect()
    }

    fn has_arabic_indic_digits(&self) -> bool {
        let tag = self.tag.to_ascii_lowercase();
        self.language.code() == "ar"
            && match tag.split_once("-u-nu-") {
                Some((_, system)) => system == "arab",
                None => ARABIC_INDIC_REGIONS.contains(&tag.rsplit('-').next().unwrap_or_default()),
            }
    }
}
