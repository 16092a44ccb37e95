//! `appConfig.webSearch` (docs/spec/config.md 5.6) and the built-in search engines (docs/spec/behavior.md 6.1).

use super::{
    block::Block,
    cursor::{Cursor, brief},
    words::words,
};
use crate::{dashboard::OpeningMethod, effect::Effect, problem::ProblemKind};

/// What Enter in the search box does when no item is selected.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "webSearch")]
pub struct WebSearch {
    /// Enter does nothing, and the hint under the search box is not shown.
    #[config(key = "disableWebSearch")]
    pub disabled: bool,
    /// The search engine. `custom` means the address in `customSearchEngine`.
    ///
    /// Its key as written.
    #[config(
        key = "searchEngine",
        rule = Rule::Word(engine_words),
        read = read_engine,
        default = DEFAULT_ENGINE
    )]
    pub engine: Option<String>,
    /// Address of your own search engine; the query is appended to it. Used while `searchEngine` is `custom`.
    #[config(key = "customSearchEngine", read = read_prefix, examples("https://searx.example/search?q="))]
    pub custom_engine: Option<String>,
    /// Where the results open.
    pub opening_method: SearchOpening,
    /// Opens input that looks like an address, instead of searching for it; `https://` is added if it is missing.
    pub open_urls_directly: bool,
    /// Abbreviations for other search engines: the abbreviation, and the name or address of the engine. They are added
    /// to the built-in ones such as `/w`. Example: `{ '!r': reddit, '/map':
    /// 'https://www.openstreetmap.org/search?query=' }`.
    ///
    /// Abbreviation and address prefix, in the order of the file.
    #[config(key = "searchBangs", rule = Rule::Map, read = read_bangs, preset = Preset::EmptyMapping)]
    pub bangs: Vec<(String, String)>,
}

/// Where search results open.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SearchOpening {
    /// New browser tab.
    #[default]
    NewTab,
    /// Same tab.
    SameTab,
    /// The workspace view.
    Workspace,
}

impl From<SearchOpening> for OpeningMethod {
    fn from(opening: SearchOpening) -> Self {
        match opening {
            SearchOpening::NewTab => Self::NewTab,
            SearchOpening::SameTab => Self::SameTab,
            SearchOpening::Workspace => Self::Workspace,
        }
    }
}

words!(SearchOpening: "newtab" => NewTab, "sametab" => SameTab, "workspace" => Workspace);

/// Key of the engine that is used if the config names none.
pub const DEFAULT_ENGINE: &str = "duckduckgo";

/// Key that means the config's own address.
pub const CUSTOM_ENGINE: &str = "custom";

/// The engines: key, name as its makers write it, and address prefix.
pub const ENGINES: &[(&str, &str, &str)] = &[
    (DEFAULT_ENGINE, "DuckDuckGo", "https://duckduckgo.com/?q="),
    ("google", "Google", "https://google.com/search?q="),
    ("brave", "Brave Search", "https://search.brave.com/search?q="),
    ("kagi", "Kagi", "https://kagi.com/search?q="),
    ("whoogle", "Whoogle", "https://whoogle.sdf.org/search?q="),
    ("qwant", "Qwant", "https://www.qwant.com/?q="),
    ("startpage", "Startpage", "https://www.startpage.com/do/search?query="),
    ("perplexity", "Perplexity", "https://www.perplexity.ai/search?q="),
    ("uruky", "Uruky", "https://uruky.com/search?q="),
    ("searx-bar", "searx.bar", "https://searx.bar/search?q="),
    ("searx-info", "searx.info", "https://searx.info/search?q="),
    ("searx-tiekoetter", "searx.tiekoetter.com", "https://searx.tiekoetter.com/search?q="),
    ("searx-bissisoft", "searx.bissisoft.com", "https://searx.bissisoft.com/search?q="),
    ("ecosia", "Ecosia", "https://www.ecosia.org/search?q="),
    ("metager", "MetaGer", "https://metager.org/meta/meta.ger3?eingabe="),
    ("swisscows", "Swisscows", "https://swisscows.com/web?query="),
    ("mojeek", "Mojeek", "https://www.mojeek.com/search?q="),
    ("peekier", "Peekier", "https://peekier.com/#!"),
    ("wikipedia", "Wikipedia", "https://en.wikipedia.org/w/?search="),
    ("stackoverflow", "Stack Overflow", "https://stackoverflow.com/search?q="),
    ("wolframalpha", "Wolfram|Alpha", "https://www.wolframalpha.com/input/?i="),
    ("reddit", "Reddit", "https://www.reddit.com/search/?q="),
    ("youtube", "YouTube", "https://youtube.com/results?q="),
    ("github", "GitHub", "https://github.com/search?q="),
    ("bbc", "BBC", "https://www.bbc.co.uk/search?q="),
];

/// The built-in bangs, with the keys of their engines.
pub const BUILT_IN_BANGS: &[(&str, &str)] = &[
    ("/b", "bbc"),
    ("/d", "duckduckgo"),
    ("/g", "google"),
    ("/r", "reddit"),
    ("/w", "wikipedia"),
    ("/y", "youtube"),
    ("/gh", "github"),
    ("/so", "stackoverflow"),
    ("/wa", "wolframalpha"),
];

/// Address prefix of the engine with a key, in upper or lower case.
pub fn engine_address(key: &str) -> Option<&'static str> {
    find_engine(key).map(|(_, _, address)| *address)
}

/// Name of the engine with a key, in upper or lower case.
pub fn engine_name(key: &str) -> Option<&'static str> {
    find_engine(key).map(|(_, name, _)| *name)
}

fn find_engine(key: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    ENGINES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(key))
}

fn engine_words() -> Vec<&'static str> {
    ENGINES.iter().map(|(key, ..)| *key).chain([CUSTOM_ENGINE]).collect()
}

fn read_engine(cursor: &Cursor<'_>) -> Option<String> {
    let key = cursor.filled_text()?;
    if engine_address(&key).is_none() && !key.eq_ignore_ascii_case(CUSTOM_ENGINE) {
        let message = format!("there is no search engine `{}`", brief(&key));
        cursor.warn(ProblemKind::NotAllowed, message, Effect::WebSearchFails);
    }
    Some(key)
}

fn read_bangs(bangs: &Cursor<'_>) -> Vec<(String, String)> {
    let written = bangs.mapping().into_iter().flatten().map(|(bang, _)| bang);
    written
        .filter_map(|bang| {
            let cursor = bangs.key(bang);
            let engine = cursor.text().and_then(|key| engine_address(key.trim())).map(str::to_owned);
            let prefix = engine.or_else(|| read_prefix(&cursor))?;
            Some((bang.trim().to_owned(), prefix)).filter(|(bang, _)| !bang.is_empty())
        })
        .collect()
}

/// An address to which the encoded query is appended.
fn read_prefix(cursor: &Cursor<'_>) -> Option<String> {
    let text = cursor.filled_text()?;
    let prefix = crate::address::web(&text);
    if prefix.is_none() {
        cursor.warn(ProblemKind::Malformed, "is neither a known search engine nor a web address", Effect::Ignored);
    }
    prefix
}
