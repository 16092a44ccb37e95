//! `fact-quote`: a random made-up fact about Chuck Norris.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Action, ActionOutcome, Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{Lenient, OneOrMany, Text},
    panel::{ActionButton, Link, Paragraph, Part, Phrase, teaser},
    services::tolerant,
};

/// All categories of the service.
const CATEGORIES: [&str; 16] = [
    "animal",
    "career",
    "celebrity",
    "dev",
    "explicit",
    "fashion",
    "food",
    "history",
    "money",
    "movie",
    "music",
    "political",
    "religion",
    "science",
    "sport",
    "travel",
];
/// The action of the button for another fact.
const ANOTHER: &str = "another";

/// Shows a random made-up fact about Chuck Norris, from chucknorris.io.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FactQuote {
    /// The category of the facts: `animal`, `career`, `celebrity`, `dev`, `explicit`, `fashion`, `food`, `history`,
    /// `money`, `movie`, `music`, `political`, `religion`, `science`, `sport` or `travel`; several as a list or with
    /// commas between them. Without it, anything, and that includes explicit facts.
    categories: OneOrMany<Lenient<Text>>,
}

impl Widget for FactQuote {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("category", "categories")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Fun;
    const USUAL_LINES: usize = 6;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require(!self.categories.is_all_wrong(), "categories must be a list of categories such as science.");
        for written in self.categories.iter().filter_map(Lenient::unknown) {
            problems.note(format!("categories: {written} is not a category and is left out."));
        }
        let unknown: Vec<String> = self.words().filter(|word| !is_category(word)).collect();
        // The service rejects the whole request because of one wrong name, so leave it out.
        let none_is_left = !unknown.is_empty() && self.categories().is_empty();
        for word in &unknown {
            let sentence = format!("Unknown category '{word}'. The categories are {}.", CATEGORIES.join(", "));
            if none_is_left { problems.error(sentence) } else { problems.note(sentence) }
        }
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let mut fact = self.draw(context).await?;
        if fact.value.is_none() {
            fact = self.draw(context).await?;
        }
        let Some(sentence) = fact.value else { return Ok(Panel::empty("No fact found")) };
        let mut parts: Vec<Part> = vec![Paragraph { quote: true, ..Paragraph::new(Phrase::foreign(sentence)) }.into()];
        if let Some(category) = fact.categories.first() {
            parts.push(Paragraph { small: true, ..Paragraph::new(Phrase::foreign(category)) }.into());
        }
        let action = Action { name: ANOTHER.to_owned(), target: String::new() };
        parts.push(ActionButton { action, label: "Another one".into(), ..ActionButton::default() }.into());
        let credit = fact.url.and_then(|url| Link::parse("chucknorris.io", &url));
        Ok(Panel { credit, ..Panel::new(parts) })
    }

    /// The panel is fetched again after an action, which is all that the button is for.
    async fn act(&self, action: &Action, _context: &dyn WidgetContext) -> Result<ActionOutcome, FetchError> {
        if action.name != ANOTHER {
            return Err(FetchError::message("There is no such action."));
        }
        Ok(ActionOutcome::Changed)
    }
}

impl FactQuote {
    fn words(&self) -> impl Iterator<Item = String> {
        let words = self.categories.iter().filter_map(Lenient::get).flat_map(|text| text.split(','));
        words.map(|word| word.trim().to_ascii_lowercase()).filter(|word| !word.is_empty())
    }

    /// The known categories, separated by commas.
    fn categories(&self) -> String {
        let mut categories: Vec<String> = Vec::new();
        for word in self.words().filter(|word| is_category(word)) {
            if !categories.contains(&word) {
                categories.push(word);
            }
        }
        categories.join(",")
    }

    async fn draw(&self, context: &dyn WidgetContext) -> Result<FactReply, FetchError> {
        let categories = self.categories();
        let mut request = Request::get("https://api.chucknorris.io/jokes/random").header("Accept", "application/json");
        if !categories.is_empty() {
            // The service requires unencoded commas, and plain words need no encoding.
            request.url.push_str("?category=");
            request.url.push_str(&categories);
        }
        let reply = context.exchange(request).await?;
        if reply.status == 404
            && let Ok(FactReply { message: Some(message), .. }) = reply.any_json()
        {
            return Err(FetchError::message(teaser(&format!("api.chucknorris.io: {message}"), 200)));
        }
        reply.json()
    }
}

fn is_category(word: &str) -> bool {
    CATEGORIES.contains(&word)
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FactReply {
    #[serde(deserialize_with = "tolerant::text")]
    value: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    url: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    categories: Vec<String>,
    #[serde(deserialize_with = "tolerant::text")]
    message: Option<String>,
}
