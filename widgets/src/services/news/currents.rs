//! Currents, a service with a free key: pictures, summaries and categories.

use jiff::fmt::strtime;
use serde::Deserialize;

use super::{Article, NewsQuery, NewsSource};
use crate::{
    FetchError, Moment, Request, WidgetContext, address, option_types::Secret, panel::PlainText, services::tolerant,
};

const BASE: &str = "https://api.currentsapi.services/v1";

/// Pause after the daily limit, since retrying soon is useless.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(3600);

/// The service, with a user's key.
pub(crate) struct Currents<'a> {
    pub(crate) key: &'a Secret,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NewsReply {
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    news: serde_json::Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ArticleReply {
    #[serde(deserialize_with = "tolerant::text")]
    title: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    description: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    url: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    author: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    image: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    published: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    category: Vec<String>,
}

impl NewsSource for Currents<'_> {
    async fn articles(&self, query: &NewsQuery<'_>, context: &dyn WidgetContext) -> Result<Vec<Article>, FetchError> {
        // The endpoint for the latest news ignores keywords.
        let path = if query.keywords.is_some() { "/search" } else { "/latest-news" };
        let mut request = Request::get(format!("{BASE}{path}"))
            .secret_header("Authorization", self.key)
            .query("language", query.language)
            .query("page_size", query.count);
        let filters = [
            ("country", query.country.map(str::to_uppercase)),
            ("category", query.category.map(str::to_lowercase)),
            ("keywords", query.keywords.map(str::to_owned)),
        ];
        for (name, value) in filters {
            if let Some(value) = value {
                request = request.query(name, value);
            }
        }
        let reply = context.exchange(request).await?;
        let body = reply.any_json::<NewsReply>();
        let status = body.as_ref().ok().and_then(|body| body.status.clone()).unwrap_or_default();
        if matches!(reply.status, 401 | 403) || status == "401" {
            return Err(FetchError::login_refused(
                "api.currentsapi.services refused the key: check the option apiKey, or leave it out.",
            ));
        }
        if reply.status == 429 {
            return Err(FetchError::Message {
                sentence:
                    "This key for currentsapi.services has no requests left today. Set provider: google-news, which \
                    needs no key."
                        .to_owned(),
                retry_at: reply.retry_at().or_else(|| Some(reply.received.after(PAUSE))),
            });
        }
        if reply.status == 400 {
            return Err(FetchError::message(
                "api.currentsapi.services refused the choice: check the options lang, country and category.",
            ));
        }
        reply.ok()?;
        let body = body?;
        if !body.news.is_array() {
            return Err(reply.unexpected("an answer without news"));
        }
        Ok(tolerant::as_entries::<ArticleReply>(body.news).into_iter().filter_map(ArticleReply::article).collect())
    }
}

impl ArticleReply {
    fn article(self) -> Option<Article> {
        let url = self.url?;
        let text = |text: Option<String>| text.map(|text| PlainText::read(&text).text).unwrap_or_default();
        // Articles without a picture have the word `None`.
        let picture = self.image.filter(|image| image != "None").map(|image| match image.strip_prefix("//") {
            Some(rest) => format!("https://{rest}"),
            None => image,
        });
        // Handles and email addresses are not names.
        let author = Some(text(self.author)).filter(|author| !author.is_empty() && !author.contains('@'));
        let published = self.published.as_deref().and_then(|written| {
            let time = strtime::parse("%Y-%m-%d %H:%M:%S %z", written).and_then(|time| time.to_timestamp()).ok();
            time.map(|time| Moment::from_millis(time.as_millisecond())).or_else(|| Moment::parse(written))
        });
        Some(Article {
            title: text(self.title),
            source: Some(address::host(&url).trim_start_matches("www.").to_owned()),
            url,
            text: text(self.description),
            author,
            picture,
            published,
            categories: self.category,
        })
    }
}
