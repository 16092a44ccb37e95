//! Chooses the language for a reader.

use std::collections::BTreeMap;

use super::{Language, Locale};

/// Maximum number of a browser's languages that are considered.
const MAX_ACCEPTED: usize = 20;

/// The languages whose speakers mostly read one of ours, which comes next where we lack theirs: those of the CLDR's
/// `languageMatching` with a distance of 20 at most.
const RELATED: &[(&str, &str)] = &[
    ("af", "nl"),
    ("ay", "es"),
    ("be", "ru"),
    ("bo", "zh-CN"),
    ("br", "fr"),
    ("ca", "es"),
    ("co", "fr"),
    ("eu", "es"),
    ("fo", "da"),
    ("fy", "nl"),
    ("gn", "es"),
    ("gsw", "de"),
    ("kl", "da"),
    ("lb", "de"),
    ("ln", "fr"),
    ("mg", "fr"),
    ("oc", "fr"),
    ("qu", "es"),
    ("rm", "de"),
    ("ug", "zh-CN"),
    ("za", "zh-CN"),
];

/// Other codes of languages that [`Language::of_tag`] knows.
const OTHER_CODES: &[&str] = &["aeb", "afb", "apc", "arb", "ary", "arz", "cmn", "cn", "mo", "nn", "no", "yue"];
/// The scripts of all languages.
const SCRIPTS: &[&str] = &[
    "arab", "beng", "cyrl", "deva", "grek", "hang", "hani", "hans", "hant", "hira", "hrkt", "jpan", "kana", "kore",
    "latn",
];
/// The regions that make a difference: those of American English, and those that write traditional Chinese.
const REGIONS: &[&str] = &["as", "ca", "gu", "hk", "mh", "mo", "mp", "ph", "pr", "tw", "um", "us", "vi"];
/// A region that makes none.
const ANY_REGION: &str = "001";

/// The parts of a tag that count here, in lower case.
struct Tag {
    language: String,
    script: Option<String>,
    region: Option<String>,
}

impl Tag {
    fn parse(tag: &str) -> Self {
        let lower = tag.to_ascii_lowercase();
        let mut subtags = lower.split(['-', '_']);
        let language = subtags.next().unwrap_or_default().to_owned();
        let (mut script, mut region) = (None, None);
        // A single character begins an extension, such as `u-nu-latn`.
        for subtag in subtags.take_while(|subtag| subtag.len() > 1) {
            let is_word = subtag.chars().all(|letter| letter.is_ascii_alphabetic());
            match subtag.len() {
                4 if is_word && script.is_none() => script = Some(subtag.to_owned()),
                2 if is_word => region = Some(subtag.to_owned()),
                3 if subtag.chars().all(|digit| digit.is_ascii_digit()) => region = Some(subtag.to_owned()),
                _ => {}
            }
        }
        Self { language, script, region }
    }
}

impl Language {
    /// The nearest language for a tag as users and browsers write it; none if its speakers may not read any of ours.
    pub fn of_tag(tag: &str) -> Option<Self> {
        if let Some(language) = Self::known().find(|language| language.code().eq_ignore_ascii_case(tag)) {
            return Some(language);
        }
        let Tag { language, script, region } = Tag::parse(tag);
        let (script, region) = (script.as_deref(), region.as_deref());
        let code = match language.as_str() {
            // Chinese differs by script, which a region can imply.
            "zh" | "cn" | "cmn" | "yue" => match (script, region) {
                (Some("hant"), _) | (None, Some("tw" | "hk" | "mo")) => "zh-TW",
                (None, None) if language == "yue" => "zh-TW",
                (Some("hans") | None, _) => "zh-CN",
                _ => return None,
            },
            // Those that spell as Americans do, as in the CLDR.
            "en" => match region {
                None | Some("as" | "ca" | "gu" | "mh" | "mp" | "ph" | "pr" | "um" | "us" | "vi") => "en",
                Some(_) => "en-GB",
            },
            "no" | "nn" => "nb",
            // Dialects without a tag of their own in most browsers.
            "aeb" | "afb" | "apc" | "arb" | "ary" | "arz" => "ar",
            "mo" => "ro",
            other => other,
        };
        let language = Self::of_code(code)?;
        let is_readable = script.is_none_or(|script| code.starts_with("zh") || language.scripts().contains(&script));
        is_readable.then_some(language)
    }

    /// The nearest of some languages for a tag: that of [`Self::of_tag`], or another form of the same language.
    pub fn nearest(tag: &str, among: &[Self]) -> Option<Self> {
        let nearest = Self::of_tag(tag)?;
        let primary = |language: &Self| Tag::parse(language.code()).language;
        let same = || among.iter().find(|language| primary(language) == primary(&nearest));
        among.iter().find(|language| **language == nearest).or_else(same).copied()
    }

    /// [`Self::nearest`] as data for a script: the code by the beginning of a tag in lower case. For a tag with a script, only the
    /// entry `language-script` counts. For others, the first of `language-region`, `language-*` if the tag has a region, and
    /// `language`. The entries `~language` are for people whose languages have none of these: what they mostly read.
    pub fn nearest_by_tag(among: &[Self]) -> BTreeMap<String, &'static str> {
        let mut table = BTreeMap::new();
        let own = Self::all().map(|language| Tag::parse(language.code()).language);
        for code in own.chain(OTHER_CODES.iter().map(|code| (*code).to_owned())) {
            let plain = Self::nearest(&code, among);
            let mut add = |key: String, found: Option<Self>| {
                found.into_iter().for_each(|language| _ = table.insert(key.clone(), language.code()));
            };
            add(code.clone(), plain);
            for script in SCRIPTS {
                let tag = format!("{code}-{script}");
                add(tag.clone(), Self::nearest(&tag, among));
            }
            let elsewhere = Self::nearest(&format!("{code}-{ANY_REGION}"), among);
            if elsewhere != plain {
                add(format!("{code}-*"), elsewhere);
            }
            for region in REGIONS {
                let tag = format!("{code}-{region}");
                let found = Self::nearest(&tag, among);
                if found != elsewhere {
                    add(tag, found);
                }
            }
        }
        for (code, _) in RELATED {
            if let Some(language) = related(code).filter(|language| among.contains(language)) {
                table.insert(format!("~{code}"), language.code());
            }
        }
        table
    }

    /// The scripts that it is written in.
    fn scripts(self) -> &'static [&'static str] {
        match self.code() {
            "ar" => &["arab"],
            "bg" | "ky" | "ru" | "uk" => &["cyrl"],
            "bn" => &["beng"],
            "el" => &["grek"],
            "hi" => &["deva"],
            "ja" => &["jpan", "hrkt", "hira", "kana", "hani"],
            "ko" => &["kore", "hang"],
            _ => &["latn"],
        }
    }
}

pub(super) fn choose(chosen: Option<&str>, configured: Option<&str>, accepted: Option<&str>) -> Locale {
    if let Some(language) = chosen.and_then(Language::of_code) {
        return language.into();
    }
    if let Some((tag, language)) = configured.and_then(|tag| Some((tag, Language::of_tag(tag)?))) {
        let is_form =
            tag.len() > language.code().len() && tag.starts_with(language.code()) || is_british(tag, language);
        return Locale { language, tag: if is_form { tag } else { language.code() }.into() };
    }
    preferred(accepted.unwrap_or_default()).unwrap_or_default().into()
}

/// Whether a tag is a form of English that is spelled as in Great Britain, such as `en-AU`.
pub(super) fn is_british(tag: &str, language: Language) -> bool {
    language.code() == "en-GB" && tag.starts_with("en-") && Language::of_tag(tag) == Some(language)
}

/// The browser's preferred language among ours; if none is listed, one that speakers of its languages mostly read.
fn preferred(accepted: &str) -> Option<Language> {
    let mut wanted: Vec<(f32, &str)> = accepted
        .split(',')
        .take(MAX_ACCEPTED)
        .map(|entry| {
            let mut pieces = entry.split(';').map(str::trim);
            let tag = pieces.next().unwrap_or_default();
            let weight = pieces.find_map(|piece| piece.strip_prefix("q=")?.parse().ok());
            (weight.unwrap_or(1.0), tag)
        })
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    // Stable: of equal weights the first one counts.
    wanted.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let tags = || wanted.iter().map(|(_, tag)| *tag);
    tags().find_map(Language::of_tag).or_else(|| tags().find_map(related))
}

/// What speakers of a language that is not ours mostly read.
fn related(tag: &str) -> Option<Language> {
    let language = Tag::parse(tag).language;
    RELATED.iter().find(|(other, _)| *other == language).and_then(|(_, code)| Language::of_code(code))
}

impl Locale {
    /// The first supported one of these: the choice in this browser (the code of a language), the config's language,
    /// and the browser's languages, which are the value of `Accept-Language`. English if there is none.
    pub fn choose(chosen: Option<&str>, configured: Option<&str>, accepted: Option<&str>) -> Self {
        choose(chosen, configured, accepted)
    }

    /// The tag for the formats of a reader whose browser has this language: its own where it is a form of this one, such as
    /// `en-AU` on a British page.
    pub fn format_tag<'a>(&'a self, own: Option<&'a str>) -> &'a str {
        own.filter(|own| own.starts_with(&*self.tag) || is_british(own, self.language)).unwrap_or(&self.tag)
    }
}
