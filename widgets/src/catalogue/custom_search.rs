//! `custom-search`: a search field with the user's own engines. The browser sends the text directly to the engine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Lenient, OneOrMany, Text},
    panel::{SafeUrl, SearchBox, SearchEngine, SearchTarget},
};

/// A search field with a button for each of your search engines. Enter uses the first one.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomSearch {
    /// The search engines, each with a `title` and a `url`, such as {example}. The text is appended
    /// to the `url`, or replaces `%s` or `{query}` in it.
    #[schemars(extend("x-required" = true, "x-example" = r#"[{ title: DuckDuckGo, url: "https://duckduckgo.com/?q=" }]"#))]
    engines: OneOrMany<Lenient<Engine>>,
    /// Placeholder of the empty field. Optional.
    placeholder: Text,
    /// Where the results open.
    #[schemars(extend("default" = "newtab"))]
    opening_method: Lenient<SearchTarget>,
}

/// One search engine as written in the options.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Engine {
    /// The text on its button.
    title: Text,
    /// The address of its results.
    url: Text,
}

/// Why an engine cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EngineError {
    Incomplete,
    Address,
    /// The address contains a user name or a password.
    User,
}

impl Widget for CustomSearch {
    const REACH: Reach = Reach::Local;
    const CATEGORY: Category = Category::TextAndLinks;
    const USUAL_LINES: usize = 6;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let purpose = "a list of search engines, each with a title and a url";
        problems.require_option(!self.engines.is_empty(), "engines", purpose);
        let has_good_one = self.engines.iter().any(|engine| read(engine).is_ok());
        for (index, engine) in self.engines.iter().enumerate() {
            let number = index + 1;
            let error = match read(engine) {
                Ok(_) => continue,
                Err(EngineError::Incomplete) => "title and url are required.",
                Err(EngineError::Address) => "url must be an http(s) address.",
                Err(EngineError::User) => {
                    "url must not contain a user name or password, because every browser would see them."
                }
            };
            let sentence = format!("Engine {number}: {error}");
            // An invalid engine is left out; the others still work.
            if has_good_one { problems.note(sentence) } else { problems.error(sentence) }
        }
        if let Some(written) = self.opening_method.unknown() {
            problems.note(format!("openingMethod '{written}' is not newtab, sametab or workspace; newtab is used."));
        }
    }

    async fn fetch(&self, _context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let field = SearchBox {
            engines: self.engines.iter().filter_map(|engine| read(engine).ok()).collect(),
            placeholder: self.placeholder.get().map(str::to_owned),
            opening_method: self.opening_method.or_default(),
        };
        Ok(Panel::new(vec![field.into()]))
    }
}

/// Reads an engine; an error if it cannot be used.
fn read(engine: &Lenient<Engine>) -> Result<SearchEngine, EngineError> {
    let engine = engine.get().ok_or(EngineError::Incomplete)?;
    let (title, url) = engine.title.get().zip(engine.url.get()).ok_or(EngineError::Incomplete)?;
    Ok(SearchEngine { title: title.to_owned(), url: address(url)? })
}

/// The address of an engine, with `https://` if no scheme is written, and `%s` in the place of the text.
fn address(written: &str) -> Result<SafeUrl, EngineError> {
    let written = written.replace("{query}", "%s");
    let has_scheme = written.split_once(':').is_some_and(|(before, after)| {
        // `searx.lan:8080` is a host with its port.
        !before.contains(['/', '?', '#']) && !after.starts_with(|first: char| first.is_ascii_digit())
    });
    let written =
        if has_scheme { written } else { format!("https://{}", written.strip_prefix("//").unwrap_or(&written)) };
    if crate::address::has_user(&written) {
        return Err(EngineError::User);
    }
    SafeUrl::parse(&written).filter(SafeUrl::is_remote).ok_or(EngineError::Address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_on_the_web() {
        for (written, expected) in [
            ("https://find.example/?q=", Ok("https://find.example/?q=")),
            ("https://find.example/{query}?lang=en", Ok("https://find.example/%s?lang=en")),
            ("searx.lan/?q=", Ok("https://searx.lan/?q=")),
            ("searx.lan:8080/?q=", Ok("https://searx.lan:8080/?q=")),
            ("find.example/?next=http://other&q=", Ok("https://find.example/?next=http://other&q=")),
            ("//searx.lan/?q=", Ok("https://searx.lan/?q=")),
            ("javascript:alert(", Err(EngineError::Address)),
            ("java\nscript:alert(", Err(EngineError::Address)),
            ("data:text/html,", Err(EngineError::Address)),
            ("mailto:anna@example.com?subject=", Err(EngineError::Address)),
            ("ftp://files.example/", Err(EngineError::Address)),
            ("/search?q=", Err(EngineError::Address)),
            ("https://anna:pw@find.example/?q=", Err(EngineError::User)),
        ] {
            assert_eq!(address(written).as_ref().map(SafeUrl::as_str).map_err(|error| *error), expected, "{written:?}");
        }
    }
}
