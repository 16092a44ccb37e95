//! News from any source. To add a source, add a file with an `impl` of [`NewsSource`].

pub(crate) mod currents;
pub(crate) mod google_news;

use crate::{FetchError, Moment, WidgetContext};

/// Which news are wanted. Fields that are not set match anything.
#[derive(Debug, Default)]
pub(crate) struct NewsQuery<'a> {
    /// Two-letter code.
    pub(crate) language: &'a str,
    pub(crate) country: Option<&'a str>,
    pub(crate) category: Option<&'a str>,
    pub(crate) keywords: Option<&'a str>,
    pub(crate) count: usize,
}

/// One article. Texts have no markup. Addresses are as found, so they must be checked before they are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Article {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) text: String,
    /// The publisher.
    pub(crate) source: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) picture: Option<String>,
    pub(crate) published: Option<Moment>,
    pub(crate) categories: Vec<String>,
}

/// A source of news.
pub(crate) trait NewsSource {
    /// Fetches articles, in any order.
    ///
    /// # Errors
    ///
    /// The source has no news, or rejects its key.
    fn articles(
        &self,
        query: &NewsQuery<'_>,
        context: &dyn WidgetContext,
    ) -> impl Future<Output = Result<Vec<Article>, FetchError>>;
}
