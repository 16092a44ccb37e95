//! `news-headlines`: current news by language, country, category or keywords.

use std::{cmp::Reverse, collections::HashSet, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, Flag, Lenient, Secret, Text},
    panel::{self, Entries, Link, Notice, Paragraph, Part, Phrase, Picture, SafeUrl, Style, teaser},
    services::news::{Article, NewsQuery, NewsSource, currents::Currents, google_news::GoogleNews},
};

/// How many characters of a summary are shown.
const TEASER: usize = 200;

/// Shows current headlines. Without a key they come from Google News; a key of currentsapi.services adds pictures,
/// summaries and more categories.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NewsHeadlines {
    /// Key of currentsapi.services, which is free, or the name of an environment variable. Optional.
    api_key: Secret,
    /// Country code, such as {example}. Without it, any.
    #[schemars(extend("x-example" = "AT"))]
    country: Text,
    /// Category, such as {example}, `business`, `science`, `world` or `sports`. Without it, any.
    #[schemars(extend("x-example" = "technology"))]
    category: Text,
    /// Two-letter language code. Without it, `en`.
    lang: Text,
    /// How many articles are listed. Plans of Currents may return fewer.
    count: Bounded<1, 10, 200>,
    /// Words that articles must contain. Optional.
    keywords: Text,
    /// Hides the pictures.
    hide_images: Flag,
    /// Which service is used: `currents` or `google-news`. Without it, Currents if there is a key, otherwise Google
    /// News.
    provider: Lenient<Provider>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Provider {
    Currents,
    GoogleNews,
}

impl Widget for NewsHeadlines {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::News;
    const USUAL_LINES: usize = 8;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        if let Some(written) = self.provider.unknown() {
            problems.note(format!("provider '{written}' is unknown. Use currents or google-news."));
        }
        let has_key = self.provider() == Provider::GoogleNews || self.api_key.is_set();
        let purpose = "a key of Currents, free at currentsapi.services (or set provider: google-news)";
        problems.require_option(has_key, "apiKey", purpose);
        let is_language = self.language().len() == 2 && self.language().bytes().all(|byte| byte.is_ascii_lowercase());
        problems.require(is_language, "lang must be a language by its two letters, such as en.");
        self.count.check("count", problems);
        if entry.refreshes_more_often_than(Duration::from_secs(300)) {
            problems.note("An updateInterval below 300 uses up requests for nothing new.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(20 * 60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let language = self.language();
        let query = NewsQuery {
            language: &language,
            country: self.country.get(),
            category: self.category.get(),
            keywords: self.keywords.get(),
            count: self.count.count(),
        };
        match self.provider() {
            Provider::Currents => {
                let articles = Currents { key: &self.api_key }.articles(&query, context).await?;
                let credit = Link::parse("Currents API", "https://currentsapi.services/");
                Ok(Panel { credit, ..self.panel(articles) })
            }
            Provider::GoogleNews => {
                let articles = GoogleNews.articles(&query, context).await?;
                let mut panel = self.panel(articles);
                let text = "An apiKey for currentsapi.services adds pictures and summaries.";
                panel.parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
                Ok(Panel { credit: Link::parse("Google News", "https://news.google.com/"), ..panel })
            }
        }
    }
}

impl NewsHeadlines {
    fn provider(&self) -> Provider {
        let usual = if self.api_key.is_set() { Provider::Currents } else { Provider::GoogleNews };
        self.provider.get().copied().unwrap_or(usual)
    }

    fn language(&self) -> String {
        self.lang.get().unwrap_or("en").to_ascii_lowercase()
    }

    fn panel(&self, mut articles: Vec<Article>) -> Panel {
        // A story may come several times, and articles without a link are useless.
        let mut seen = HashSet::new();
        articles.retain(|article| {
            let is_page = SafeUrl::parse(&article.url).is_some_and(|url| url.is_remote());
            is_page && !article.title.is_empty() && seen.insert(article.url.clone())
        });
        articles.sort_by_key(|article| Reverse(article.published));
        articles.truncate(self.count.count());
        let part: Part = if articles.is_empty() {
            Notice::empty("No articles for this choice").into()
        } else {
            let entries = articles.into_iter().map(|article| self.entry(article)).collect();
            Entries::new(entries).into()
        };
        Panel::new(vec![part])
    }

    fn entry(&self, article: Article) -> panel::ListEntry {
        let picture = article.picture.filter(|_| !self.hide_images.is_on());
        panel::ListEntry {
            url: SafeUrl::parse(&article.url),
            source: article.source.filter(|source| !source.is_empty()),
            text: (!article.text.is_empty()).then(|| Phrase::foreign(teaser(&article.text, TEASER))),
            date: article.published,
            date_style: Style::Relative,
            author: article.author,
            picture: picture.as_deref().and_then(Picture::parse),
            tags: article.categories.into_iter().map(Phrase::foreign).collect(),
            ..panel::ListEntry::new(Phrase::foreign(article.title))
        }
    }
}
