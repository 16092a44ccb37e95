//! The languages and their words. A file is read when its language is first used.

use std::{
    collections::{BTreeMap, HashMap},
    io::Read as _,
    sync::OnceLock,
};

use flate2::read::GzDecoder;
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};

use super::dates::Dates;

/// A language of the interface.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Language(usize);

/// What is known of a language before its words are read.
struct CatalogueEntry {
    code: &'static str,
    /// What its speakers call it.
    name: &'static str,
    /// The file of its texts, compressed.
    file: &'static [u8],
    words: OnceLock<Translations>,
    formats: OnceLock<Formats>,
    scripts: OnceLock<String>,
    dialogs: OnceLock<String>,
}

impl CatalogueEntry {
    /// Reads the file.
    fn read<T: DeserializeOwned>(&self) -> T {
        let mut text = String::new();
        GzDecoder::new(self.file).read_to_string(&mut text).expect("a test reads it");
        toml::from_str(&text).expect("a test reads it")
    }
}

/// The translations by their English texts.
#[derive(Default, Deserialize)]
pub(super) struct Translations {
    /// Those of panels. What is the same word in English may be another one on the page around a panel.
    #[serde(default)]
    pub panels: HashMap<String, String>,
    /// Read separately, as [`Formats`].
    #[serde(default, rename = "durations")]
    _durations: IgnoredAny,
    #[serde(default, rename = "dates")]
    _dates: IgnoredAny,
    /// All others.
    #[serde(flatten)]
    pub page: HashMap<String, String>,
}

/// How durations and dates are written.
#[derive(Default, Deserialize)]
pub(super) struct Formats {
    /// The plural forms of the units of time, by their English names; none where durations stay English.
    #[serde(default)]
    pub durations: HashMap<String, Vec<String>>,
    pub dates: Dates,
}

/// The keys of all languages.
#[derive(Deserialize)]
pub(super) struct TextKeys {
    /// Texts that only the server writes.
    #[cfg(test)]
    pub page: Vec<String>,
    /// Texts that the scripts of a page need too.
    pub scripts: Vec<String>,
    /// Texts of dialogs, which load them when they are opened.
    pub dialogs: Vec<String>,
    /// Words of panels: what parts and widgets say themselves.
    #[cfg(test)]
    pub panels: Vec<String>,
}

macro_rules! languages {
    ($($code:literal $name:literal),+ $(,)?) => {
        const COUNT: usize = [$($code),+].len();
        static LANGUAGES: [CatalogueEntry; COUNT] = [
            $(CatalogueEntry {
                code: $code,
                name: $name,
                file: include_bytes!(concat!(env!("OUT_DIR"), "/", $code, ".gz")),
                words: OnceLock::new(),
                formats: OnceLock::new(),
                scripts: OnceLock::new(),
                dialogs: OnceLock::new(),
            }),+
        ];
    };
}

// English comes first; the others are sorted by name, as users look for them.
languages! {
    "en" "English",
    "en-GB" "English (UK)",
    "ar" "العربية",
    "az" "Azərbaycanca",
    "bg" "Български",
    "bn" "বাংলা",
    "cs" "Čeština",
    "da" "Dansk",
    "de" "Deutsch",
    "el" "Ελληνικά",
    "es" "Español",
    "fr" "Français",
    "gl" "Galego",
    "hi" "हिन्दी",
    "hu" "Magyar",
    "it" "Italiano",
    "ja" "日本語",
    "ko" "한국어",
    "ky" "Кыргызча",
    "nb" "Norsk bokmål",
    "nl" "Nederlands",
    "pl" "Polski",
    "pt" "Português",
    "ro" "Română",
    "ru" "Русский",
    "sk" "Slovenčina",
    "sl" "Slovenščina",
    "sv" "Svenska",
    "tr" "Türkçe",
    "uk" "Українська",
    "zh-CN" "简体中文",
    "zh-TW" "繁體中文",
    "zz-pirate" "Pirate",
}

impl Language {
    /// The language of the keys.
    pub const ENGLISH: Self = Self(0);

    /// All languages.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len()).map(Self)
    }

    fn entry(self) -> &'static CatalogueEntry {
        &LANGUAGES[self.0]
    }

    /// The language with exactly this code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::all().find(|language| language.code() == code)
    }

    /// The language for a tag as users and browsers write it: for the whole tag, or else without script and region.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let same = |code: &str| Self::all().find(|language| language.code().eq_ignore_ascii_case(code));
        same(tag).or_else(|| {
            let lower = tag.to_ascii_lowercase();
            let mut subtags = lower.split(['-', '_']);
            let base = subtags.next().unwrap_or_default();
            match base {
                // Chinese differs by script, which a region can imply.
                "zh" if subtags.any(|subtag| matches!(subtag, "hant" | "tw" | "hk" | "mo")) => same("zh-TW"),
                "zh" | "cn" => same("zh-CN"),
                "no" | "nn" => same("nb"),
                base => same(base),
            }
        })
    }

    /// Its code, which is a BCP 47 tag.
    pub fn code(self) -> &'static str {
        self.entry().code
    }

    /// What its speakers call it.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Whether it is written from right to left.
    pub fn is_rtl(self) -> bool {
        self.code() == "ar"
    }

    /// The translation of an English text; none where it stays English.
    pub fn text(self, english: &str) -> Option<&'static str> {
        if self == Self::ENGLISH { None } else { self.words().page.get(english).map(String::as_str) }
    }

    /// The translation of words of a panel; none where they stay English.
    pub fn panel_text(self, english: &str) -> Option<&'static str> {
        self.words().panels.get(english).map(String::as_str)
    }

    /// Whether panels look different in this language than in English.
    pub fn has_panel_texts(self) -> bool {
        !self.words().panels.is_empty()
    }

    /// What the scripts of a page say, as a JSON object from English texts to translations; none for English. It contains
    /// no character that HTML would take for its own but the quotation marks of JSON.
    pub fn for_scripts(self) -> Option<&'static str> {
        (self != Self::ENGLISH).then(|| self.entry().scripts.get_or_init(|| self.as_json(&keys().scripts)) as &str)
    }

    /// The same for the dialogs, which load it when they are opened.
    pub fn for_dialogs(self) -> &'static str {
        self.entry().dialogs.get_or_init(|| self.as_json(&keys().dialogs))
    }

    fn as_json(self, keys: &[String]) -> String {
        let known = keys.iter().filter_map(|key| Some((key.as_str(), self.text(key)?)));
        serde_json::to_string(&known.collect::<BTreeMap<_, _>>()).expect("its keys are texts")
    }

    pub(super) fn words(self) -> &'static Translations {
        let entry = self.entry();
        entry.words.get_or_init(|| if self == Self::ENGLISH { Translations::default() } else { entry.read() })
    }

    /// Pirates count and date in English.
    pub(super) fn formats(self) -> &'static Formats {
        let entry = if self.code() == "zz-pirate" { Self::ENGLISH.entry() } else { self.entry() };
        entry.formats.get_or_init(|| entry.read())
    }
}

/// The keys of all languages.
pub(super) fn keys() -> TextKeys {
    LANGUAGES[0].read()
}
