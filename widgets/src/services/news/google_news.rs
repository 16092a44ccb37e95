//! Google News, whose feeds need no key: headlines with their source, without pictures and summaries.

use super::{Article, NewsQuery, NewsSource};
use crate::{FetchError, Request, WidgetContext, services::feed};

const BASE: &str = "https://news.google.com/rss";

/// The categories that have their own feed. For others, we search for their name.
const TOPICS: [(&str, &str); 13] = [
    ("academia", "SCIENCE"),
    ("business", "BUSINESS"),
    ("entertainment", "ENTERTAINMENT"),
    ("finance", "BUSINESS"),
    ("health", "HEALTH"),
    ("nation", "NATION"),
    ("programming", "TECHNOLOGY"),
    ("regional", "NATION"),
    ("science", "SCIENCE"),
    ("sport", "SPORTS"),
    ("sports", "SPORTS"),
    ("technology", "TECHNOLOGY"),
    ("world", "WORLD"),
];

/// The country to use if only the language is known.
const COUNTRIES: [(&str, &str); 12] = [
    ("ar", "EG"),
    ("cs", "CZ"),
    ("da", "DK"),
    ("el", "GR"),
    ("en", "US"),
    ("he", "IL"),
    ("ja", "JP"),
    ("ko", "KR"),
    ("pt", "BR"),
    ("sv", "SE"),
    ("uk", "UA"),
    ("zh", "TW"),
];

/// The feeds.
pub(crate) struct GoogleNews;

impl NewsSource for GoogleNews {
    async fn articles(&self, query: &NewsQuery<'_>, context: &dyn WidgetContext) -> Result<Vec<Article>, FetchError> {
        let feed = feed::fetch(context, &address(query)).await.map_err(|error| match error {
            FetchError::Message { .. } => FetchError::message(
                "Google News has no feed for this choice: check the options lang, country and category.",
            ),
            error => error,
        })?;
        let articles = feed.posts.into_iter().filter_map(|post| {
            // The source comes after the headline.
            let (title, source) = match post.title.rsplit_once(" - ") {
                Some((title, source)) => (title.trim().to_owned(), Some(source.trim().to_owned())),
                None => (post.title, None),
            };
            Some(Article { title, url: post.url?, source, published: post.date, ..Article::default() })
        });
        Ok(articles.collect())
    }
}

/// The address of the feed for a question.
fn address(query: &NewsQuery<'_>) -> String {
    let language = query.language;
    let usual = || COUNTRIES.iter().find(|(known, _)| *known == language).map(|(_, country)| (*country).to_owned());
    let country = query.country.map(str::to_uppercase).filter(|country| country.len() == 2 && country != "INT");
    let country = country.or_else(usual).unwrap_or_else(|| language.to_uppercase());
    let category = query.category.map(str::to_lowercase);
    let topic = category.as_deref().and_then(|category| TOPICS.iter().find(|(known, _)| *known == category));
    let words: Vec<&str> =
        [query.keywords, category.as_deref().filter(|_| topic.is_none() || query.keywords.is_some())]
            .into_iter()
            .flatten()
            .filter(|words| *words != "general")
            .collect();
    let request = match topic {
        _ if !words.is_empty() => Request::get(format!("{BASE}/search")).query("q", words.join(" ")),
        Some((_, topic)) => Request::get(format!("{BASE}/headlines/section/topic/{topic}")),
        None => Request::get(BASE),
    };
    request.query("hl", language).query("gl", &country).query("ceid", format!("{country}:{language}")).url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_has_its_feed() {
        let query = |category, keywords| NewsQuery { language: "en", country: None, category, keywords, count: 10 };
        for (query, expected) in [
            (query(None, None), "?hl=en&gl=US&ceid=US%3Aen"),
            (query(Some("Technology"), None), "/headlines/section/topic/TECHNOLOGY?hl=en&gl=US&ceid=US%3Aen"),
            (query(Some("food"), None), "/search?q=food&hl=en&gl=US&ceid=US%3Aen"),
            (query(Some("general"), None), "?hl=en&gl=US&ceid=US%3Aen"),
            (query(Some("science"), Some("two words")), "/search?q=two%20words%20science&hl=en&gl=US&ceid=US%3Aen"),
            (NewsQuery { language: "de", country: Some("at"), ..NewsQuery::default() }, "?hl=de&gl=AT&ceid=AT%3Ade"),
            (NewsQuery { language: "de", ..NewsQuery::default() }, "?hl=de&gl=DE&ceid=DE%3Ade"),
        ] {
            assert_eq!(address(&query), format!("{BASE}{expected}"));
        }
    }
}
