//! `joke`: a random joke.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Action, ActionOutcome, Audience, Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget,
    WidgetContext,
    option_types::{Flag, Lenient, OneOrMany, Text},
    panel::{ActionButton, Notice, Paragraph, Part, Phrase, teaser},
};

/// The words for categories, and the service's names for them.
const CATEGORIES: [(&str, &str); 12] = [
    ("all", ANY),
    ("any", ANY),
    ("programming", "Programming"),
    ("coding", "Programming"),
    ("development", "Programming"),
    ("misc", "Misc"),
    ("miscellaneous", "Misc"),
    ("dark", "Dark"),
    ("pun", "Pun"),
    ("spooky", "Spooky"),
    ("halloween", "Spooky"),
    ("christmas", "Christmas"),
];
const ANY: &str = "Any";
const LANGUAGES: [&str; 6] = ["en", "cs", "de", "es", "fr", "pt"];
/// The service has only a few jokes in these languages.
const SMALL_LANGUAGES: [&str; 4] = ["cs", "es", "fr", "pt"];
/// The action of the button for another joke.
const ANOTHER: &str = "another";
/// The code for a filter that no joke matches.
const NO_MATCH: i64 = 106;
/// How long the last joke is remembered.
const DAY: Duration = Duration::from_secs(86_400);

/// Shows a random joke. Without `safeMode`, some jokes may be offensive.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Joke {
    /// Category of jokes: `all`, `programming`, `pun`, `dark`, `spooky`, `christmas` or `misc`; several as a list or
    /// separated by commas. Without it, all.
    category: OneOrMany<Lenient<Text>>,
    /// Leaves out jokes that may be offensive, including all dark ones.
    safe_mode: Flag,
    /// Language: `en`, `cs`, `de`, `es`, `fr` or `pt`. Without it, the viewer's language if there are jokes in it,
    /// otherwise English. There are only a few in `cs`, `es`, `fr` and `pt`.
    language: Text,
}

impl Widget for Joke {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Fun;
    const USUAL_LINES: usize = 6;
    const AUDIENCE: Audience = Audience::Language;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require(!self.category.is_all_wrong(), "category must be a list of categories such as pun.");
        for written in self.category.iter().filter_map(Lenient::unknown) {
            problems.note(format!("category: {written} is not a category and is left out."));
        }
        // A wrong word costs only itself.
        let none_is_left = self.words().all(|word| category(word).is_none());
        for word in self.words().filter(|word| category(word).is_none()) {
            let known = "all, programming, pun, dark, spooky, christmas, misc";
            let sentence = format!("Unknown category '{word}'. The categories are {known}.");
            if none_is_left { problems.error(sentence) } else { problems.note(sentence) }
        }
        if self.language.is_set() && known_language(&self.language).is_none() {
            let written = &self.language;
            problems.error(format!("Unknown language '{written}'. The languages are {}.", LANGUAGES.join(", ")));
        }
        if self.safe_mode.is_on() && self.categories() == "Dark" {
            problems.note("There are no dark jokes in safe mode.");
        }
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let language = known_language(&self.language)
            .or_else(|| known_language(context.viewer().language()))
            .unwrap_or(LANGUAGES[0]);
        let categories = self.categories();
        let mut joke = self.other_than_last(&categories, language, context).await?;
        let mut parts = Vec::new();
        if joke.is_none() && categories != ANY && SMALL_LANGUAGES.contains(&language) {
            joke = self.other_than_last(ANY, language, context).await?;
            let sentence = "There is no joke of this category in this language; this one is of any category.";
            parts.extend(joke.is_some().then(|| Part::from(Notice::empty(sentence))));
        }
        let Some(joke) = joke else {
            return Ok(Panel::empty("There is no joke for this choice of category and language"));
        };
        parts.extend(joke.lines().map(|text| Part::from(Paragraph { quote: true, ..Paragraph::new(text) })));
        if !joke.category.is_empty() {
            parts.push(Paragraph { small: true, ..Paragraph::new(Phrase::foreign(joke.category)) }.into());
        }
        let action = Action { name: ANOTHER.to_owned(), target: String::new() };
        parts.push(ActionButton { action, label: "Another one".into(), ..ActionButton::default() }.into());
        Ok(Panel::new(parts))
    }

    /// The panel is fetched again after an action, which is all that the button is for.
    async fn act(&self, action: &Action, _context: &dyn WidgetContext) -> Result<ActionOutcome, FetchError> {
        if action.name != ANOTHER {
            return Err(FetchError::message("There is no such action."));
        }
        Ok(ActionOutcome::Changed)
    }
}

impl Joke {
    fn words(&self) -> impl Iterator<Item = &str> {
        let written = self.category.iter().filter_map(Lenient::get);
        written.flat_map(|text| text.split(',')).map(str::trim).filter(|word| !word.is_empty())
    }

    /// The categories as they appear in the address.
    fn categories(&self) -> String {
        let mut categories = Vec::new();
        for category in self.words().filter_map(category) {
            if !categories.contains(&category) {
                categories.push(category);
            }
        }
        if categories.is_empty() || categories.contains(&ANY) { ANY.to_owned() } else { categories.join(",") }
    }

    /// A joke other than the previous one, if a second attempt returns another; `None` if none matches.
    async fn other_than_last(
        &self,
        categories: &str,
        language: &str,
        context: &dyn WidgetContext,
    ) -> Result<Option<JokeReply>, FetchError> {
        let Some(mut joke) = self.draw(categories, language, context).await? else { return Ok(None) };
        let key = format!("joke/last/{language}/{categories}");
        if context.recall(&key) == Some(json!(joke.id))
            && let Ok(Some(other)) = self.draw(categories, language, context).await
        {
            joke = other;
        }
        context.remember(&key, json!(joke.id), DAY);
        Ok(Some(joke))
    }

    /// One joke; `None` if none matches.
    async fn draw(
        &self,
        categories: &str,
        language: &str,
        context: &dyn WidgetContext,
    ) -> Result<Option<JokeReply>, FetchError> {
        let mut request = Request::get(format!("https://v2.jokeapi.dev/joke/{categories}")).query("lang", language);
        if self.safe_mode.is_on() {
            // The service requires the bare word.
            request.url.push_str("&safe-mode");
        }
        let reply = context.exchange(request).await?;
        if reply.status == 429 {
            let retry_at = reply.retry_at();
            let when = if retry_at.is_some() { "at {time}" } else { "later" };
            let sentence = format!("Too many requests to v2.jokeapi.dev, try again {when}.");
            return Err(FetchError::Message { sentence, retry_at });
        }
        // The body explains errors, whatever the status.
        let joke: JokeReply = reply.any_json().or_else(|error| reply.ok().and(Err(error)))?;
        match (joke.error, joke.code) {
            (true, Some(NO_MATCH)) => Ok(None),
            (true, _) => Err(joke.explained().unwrap_or_else(|| reply.unexpected("an error without a reason"))),
            (false, _) if joke.lines().next().is_none() => Err(reply.unexpected("no joke")),
            (false, _) => Ok(Some(joke)),
        }
    }
}

fn category(word: &str) -> Option<&'static str> {
    CATEGORIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, name)| *name)
}

/// The language of a tag such as `de-AT`, if there are jokes in it.
fn known_language(tag: &str) -> Option<&'static str> {
    let language = tag.split(['-', '_']).next().unwrap_or_default();
    LANGUAGES.iter().find(|known| known.eq_ignore_ascii_case(language)).copied()
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JokeReply {
    error: bool,
    code: Option<i64>,
    message: String,
    caused_by: Vec<String>,
    category: String,
    joke: Option<String>,
    setup: Option<String>,
    delivery: Option<String>,
    id: Option<i64>,
}

impl JokeReply {
    /// The text, or its two parts.
    fn lines(&self) -> impl Iterator<Item = Phrase> {
        let lines = [&self.joke, &self.setup, &self.delivery].into_iter().flatten();
        lines.map(|line| line.trim()).filter(|line| !line.is_empty()).map(Phrase::foreign)
    }

    /// The error, if the service says why there is no joke.
    fn explained(&self) -> Option<FetchError> {
        let reasons = [Some(self.message.as_str()), self.caused_by.first().map(String::as_str)];
        let reasons = reasons.into_iter().flatten().map(str::trim).filter(|reason| !reason.is_empty());
        let reasons: Vec<&str> = reasons.collect();
        (!reasons.is_empty()).then(|| FetchError::message(teaser(&reasons.join(": "), 200)))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::{Moment, Recorded};

    #[test]
    fn the_same_joke_is_not_shown_twice_in_a_row() {
        let joke = |id: i64| {
            json!({ "request": { "url": "https://v2.jokeapi.dev/joke/Any?lang=en" },
                    "response": { "body": { "error": false, "id": id, "joke": format!("Joke {id}") } } })
        };
        let exchanges = serde_json::from_value(json!([joke(1), joke(1), joke(2), joke(2), joke(2)])).unwrap();
        let context = Recorded::new(exchanges, Moment::default());
        let told = || {
            let joke = Joke::default().other_than_last(ANY, "en", &context).now_or_never().unwrap();
            joke.unwrap().and_then(|joke| joke.id)
        };
        // The third is a repetition despite the second attempt: some collections are small.
        assert_eq!([told(), told(), told()], [Some(1), Some(2), Some(2)]);
        assert_eq!(context.unused(), Vec::<&str>::new());
    }
}
