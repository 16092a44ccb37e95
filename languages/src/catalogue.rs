//! The languages and their words. A file is read when its language is first used.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::Read as _,
    sync::OnceLock,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    dates::Dates,
    plurals::{self, PluralCategory},
    pseudo::pseudo,
};

/// A language of the interface.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Language(usize);

/// What is known of a language before its words are read.
struct CatalogueEntry {
    code: &'static str,
    /// What its speakers call it.
    name: &'static str,
    /// The file of its texts, compressed; `build.rs` makes it.
    file: &'static [u8],
    /// The same for the texts of the editor.
    editor_file: &'static [u8],
    words: OnceLock<Translations>,
    names: OnceLock<Words>,
    formats: OnceLock<Formats>,
    browsers: OnceLock<Option<String>>,
    scripts: OnceLock<String>,
    dialogs: OnceLock<String>,
    editor: OnceLock<String>,
}

/// Maximum length of the name of a field or of a type of widgets, in bytes. Longer keys in the table of fields are descriptions.
const MAX_NAME: usize = 40;

/// Reads a file.
fn read<T: DeserializeOwned>(file: &[u8]) -> T {
    let mut text = String::new();
    brotli::Decompressor::new(file, file.len()).read_to_string(&mut text).expect("a test reads it");
    serde_json::from_str(&text).expect("a test reads it")
}

/// A translation.
#[derive(Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum Translation {
    /// One text, whatever its values are.
    Text(String),
    /// A text with a number, by the plural categories of the language.
    Forms(BTreeMap<PluralCategory, String>),
}

impl Translation {
    /// The text for a number in this category.
    pub fn of(&self, category: PluralCategory) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Forms(forms) => {
                forms.get(&category).or_else(|| forms.get(&PluralCategory::Other)).map(String::as_str)
            }
        }
    }
}

/// The translations by their English texts.
type Words = HashMap<&'static str, Translation>;

/// The translations of all but the editor.
#[derive(Default)]
pub(super) struct Translations {
    page: Words,
    /// Those of panels. What is the same word in English may be another one on the page around a panel.
    panels: Words,
    /// Those of messages: what is wrong with a config, an import, a sign-in.
    problems: Words,
}

/// Translations in the order of the keys; none where one is missing.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Packed {
    page: Vec<Option<Translation>>,
    panels: Vec<Option<Translation>>,
    problems: Vec<Option<Translation>>,
    editor: Vec<Option<Translation>>,
    fields: Vec<Option<Translation>>,
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
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct TextKeys {
    /// All texts around panels: those that only the server writes, and the next two.
    pub page: Vec<String>,
    /// Texts that the scripts of a page need too.
    pub scripts: Vec<String>,
    /// Texts of dialogs, which load them when they are opened.
    pub dialogs: Vec<String>,
    /// Words of panels: what parts and widgets say themselves.
    pub panels: Vec<String>,
    /// Messages.
    pub problems: Vec<String>,
    /// Texts of the editor.
    pub editor: Vec<String>,
    /// Names and descriptions of fields.
    pub fields: Vec<String>,
}

macro_rules! languages {
    ($($code:literal $name:literal),+ $(,)?) => {
        const COUNT: usize = [$($code),+].len();
        static LANGUAGES: [CatalogueEntry; COUNT] = [
            $(CatalogueEntry {
                code: $code,
                name: $name,
                file: include_bytes!(concat!(env!("OUT_DIR"), "/", $code, ".br")),
                editor_file: include_bytes!(concat!(env!("OUT_DIR"), "/", $code, ".editor.br")),
                words: OnceLock::new(),
                names: OnceLock::new(),
                formats: OnceLock::new(),
                browsers: OnceLock::new(),
                scripts: OnceLock::new(),
                dialogs: OnceLock::new(),
                editor: OnceLock::new(),
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

/// The entry of [`Language::PSEUDO`].
static PSEUDO: CatalogueEntry = CatalogueEntry {
    code: "en-XA",
    name: "Pseudo-language",
    file: LANGUAGES[0].file,
    editor_file: LANGUAGES[0].editor_file,
    words: OnceLock::new(),
    names: OnceLock::new(),
    formats: OnceLock::new(),
    browsers: OnceLock::new(),
    scripts: OnceLock::new(),
    dialogs: OnceLock::new(),
    editor: OnceLock::new(),
};

impl Language {
    /// The language of the keys.
    pub const ENGLISH: Self = Self(0);
    /// Made of English: in brackets, with accents, and 40 % longer. A text that does not go through this crate, or has no room for
    /// translations, stands out. Only development builds have it, and no list offers it.
    pub const PSEUDO: Self = Self(COUNT);

    /// All languages.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COUNT).map(Self)
    }

    /// Those that a tag may name.
    pub(super) fn known() -> impl Iterator<Item = Self> {
        Self::all().chain(cfg!(debug_assertions).then_some(Self::PSEUDO))
    }

    fn entry(self) -> &'static CatalogueEntry {
        LANGUAGES.get(self.0).unwrap_or(&PSEUDO)
    }

    /// The language with exactly this code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::known().find(|language| language.code() == code)
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

    /// The plural categories that whole numbers up to a thousand have. A text with a number needs a form for each.
    pub fn plural_categories(self) -> &'static [PluralCategory] {
        plurals::categories(self.code())
    }

    /// The plural category of a whole number.
    pub fn plural_category(self, count: u64) -> PluralCategory {
        plurals::category(self.code(), count)
    }

    /// The translation of an English text; none where it stays English.
    pub fn text(self, english: &str) -> Option<&'static str> {
        self.found(|words| &words.page, english, PluralCategory::Other)
    }

    /// The translation of words of a panel; none where they stay English.
    pub fn panel_text(self, english: &str) -> Option<&'static str> {
        self.found(|words| &words.panels, english, PluralCategory::Other)
    }

    /// The translation of the name of a type of widgets, which is in the table of fields; none where it stays English.
    pub fn name_of_type(self, english: &str) -> Option<&'static str> {
        match self {
            Self::ENGLISH => None,
            Self::PSEUDO => Some(pseudo(english)),
            _ => self.names().get(english)?.of(PluralCategory::Other),
        }
    }

    /// The translation of a message; none where it stays English.
    pub fn problem_text(self, english: &str) -> Option<&'static str> {
        let sentence = || self.panel_text(english).filter(|_| is_sentence(english));
        self.found(|words| &words.problems, english, PluralCategory::Other)
            .or_else(|| self.text(english))
            .or_else(sentence)
    }

    /// The translation of a text with a number; `one` and `other` are its English forms, of which `other` is the key.
    pub fn counted(self, one: &str, other: &str, count: u64) -> Option<&'static str> {
        let category = self.plural_category(count);
        match self {
            Self::ENGLISH => None,
            Self::PSEUDO => Some(pseudo(if count == 1 { one } else { other })),
            _ => {
                let words = self.words();
                match words.page.get(other).or_else(|| words.problems.get(other))? {
                    // A language without forms of it may have the singular as a text of its own.
                    Translation::Text(text) => self.text(one).filter(|_| count == 1).or(Some(text)),
                    forms => forms.of(category),
                }
            }
        }
    }

    fn found(
        self,
        table: impl Fn(&'static Translations) -> &'static Words,
        english: &str,
        category: PluralCategory,
    ) -> Option<&'static str> {
        match self {
            Self::ENGLISH => None,
            Self::PSEUDO => Some(pseudo(english)),
            _ => table(self.words()).get(english)?.of(category),
        }
    }

    /// Whether panels look different in this language than in English.
    pub fn has_panel_texts(self) -> bool {
        self == Self::PSEUDO || !self.words().panels.is_empty()
    }

    /// What the scripts of a page say, as a JSON object from English texts to translations; none for English. A text with a number
    /// has an object from plural categories to its forms. It contains no character that HTML would take for its own but the
    /// quotation marks of JSON.
    pub fn for_scripts(self) -> Option<&'static str> {
        (self != Self::ENGLISH).then(|| self.entry().scripts.get_or_init(|| self.as_json(&keys().scripts)) as &str)
    }

    /// The same for the dialogs, which load it when they are opened.
    pub fn for_dialogs(self) -> &'static str {
        self.entry().dialogs.get_or_init(|| self.as_json(&keys().dialogs))
    }

    /// How dates, durations and times from now are written, as a JSON object for browsers that lack the language; none where all
    /// browsers have it. `app/src/document/inline/formats.js` reads it.
    pub fn formats_for_browsers(self) -> Option<&'static str> {
        let entry = self.entry();
        let made = || {
            let mut tables: serde_json::Map<String, serde_json::Value> = read(entry.file);
            tables.retain(|name, _| ["browsers", "dates", "durations"].contains(&name.as_str()));
            tables.contains_key("browsers").then(|| {
                tables.insert("code".to_owned(), entry.code.into());
                serde_json::Value::from(tables).to_string()
            })
        };
        entry.browsers.get_or_init(made).as_deref()
    }

    /// What the editor says, and what it knows about fields, in JSON: `{ "texts": …, "fields": … }`, each as in
    /// [`Self::for_scripts`].
    pub fn for_editor(self) -> &'static str {
        self.entry().editor.get_or_init(|| {
            let keys = editor_keys();
            if self == Self::ENGLISH {
                return "{}".to_owned();
            }
            if self == Self::PSEUDO {
                let all = |keys: &'static [String]| json(keys.iter().map(|key| (key.as_str(), pseudo(key))));
                return for_editor(&all(&keys.editor), &all(&keys.fields));
            }
            let Packed { editor, fields, .. } = read(self.entry().editor_file);
            let (editor, fields) = (paired(&keys.editor, editor), paired(&keys.fields, fields));
            // What the page says too needs no second translation.
            let words = &self.words().page;
            let text = |key: &'static String| editor.get(key.as_str()).or_else(|| words.get(key.as_str()));
            let texts = json(keys.editor.iter().filter_map(|key| Some((key.as_str(), text(key)?))));
            for_editor(&texts, &json(fields.iter().map(|(key, text)| (*key, text))))
        })
    }

    fn as_json(self, keys: &'static [String]) -> String {
        if self == Self::PSEUDO {
            return json(keys.iter().map(|key| (key.as_str(), pseudo(key))));
        }
        let words = &self.words().page;
        json(keys.iter().filter_map(|key| Some((key.as_str(), words.get(key.as_str())?))))
    }

    fn words(self) -> &'static Translations {
        let entry = self.entry();
        entry.words.get_or_init(|| {
            if self == Self::ENGLISH || self == Self::PSEUDO {
                return Translations::default();
            }
            let Packed { page, panels, problems, .. } = read(entry.file);
            let keys = keys();
            Translations {
                page: paired(&keys.page, page),
                panels: paired(&keys.panels, panels),
                problems: paired(&keys.problems, problems),
            }
        })
    }

    /// The names in the table of fields. Pages need no more of it.
    fn names(self) -> &'static Words {
        let entry = self.entry();
        entry.names.get_or_init(|| {
            let Packed { fields, .. } = read(entry.editor_file);
            let mut names = paired(&editor_keys().fields, fields);
            names.retain(|key, _| key.len() <= MAX_NAME);
            names.shrink_to_fit();
            names
        })
    }

    /// Pirates count and date in English.
    pub(super) fn formats(self) -> &'static Formats {
        let entry = if self.code() == "zz-pirate" { Self::ENGLISH.entry() } else { self.entry() };
        entry.formats.get_or_init(|| read(entry.file))
    }
}

/// What the editor gets, from two objects in JSON.
fn for_editor(texts: &str, fields: &str) -> String {
    format!("{{\"texts\":{texts},\"fields\":{fields}}}")
}

/// Translations with their keys.
fn paired(keys: &'static [String], texts: Vec<Option<Translation>>) -> Words {
    keys.iter().zip(texts).filter_map(|(key, text)| Some((key.as_str(), text?))).collect()
}

fn json<T: Serialize>(texts: impl Iterator<Item = (&'static str, T)>) -> String {
    serde_json::to_string(&texts.collect::<BTreeMap<_, _>>()).expect("its keys are texts")
}

/// The keys of all languages, without those of the editor.
pub(super) fn keys() -> &'static TextKeys {
    static KEYS: OnceLock<TextKeys> = OnceLock::new();
    KEYS.get_or_init(|| read(LANGUAGES[0].file))
}

/// Whether a text is the key of a message, of the page or of a sentence of panels as it is, without values.
pub(super) fn has_message_key(text: &str) -> bool {
    static KNOWN: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let all = || keys().problems.iter().chain(&keys().page).chain(panel_sentences()).map(String::as_str).collect();
    KNOWN.get_or_init(all).contains(text)
}

/// The sentences among the words of panels: what an error says is one, whether it is the panel or a message in it.
pub(super) fn panel_sentences() -> impl Iterator<Item = &'static String> {
    keys().panels.iter().filter(|key| is_sentence(key))
}

fn is_sentence(key: &str) -> bool {
    key.ends_with('.')
}

/// The keys of the editor.
pub(super) fn editor_keys() -> &'static TextKeys {
    static KEYS: OnceLock<TextKeys> = OnceLock::new();
    KEYS.get_or_init(|| read(LANGUAGES[0].editor_file))
}
