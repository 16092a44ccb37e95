//! News, whoever collects them. A further source is a file with an `impl` of [`NewsSource`].

pub(crate) mod currents;
pub(crate) mod google_news;

use crate::{FetchError, Moment, Outside};

/// What news are wanted. What is not said may be anything.
#[derive(Debug, Default)]
pub(crate) struct Question<'a> {
    /// Two letters.
    pub(crate) language: &'a str,
    pub(crate) country: Option<&'a str>,
    pub(crate) category: Option<&'a str>,
    pub(crate) keywords: Option<&'a str>,
    pub(crate) count: usize,
}

/// One article. Texts have no markup; addresses are as they were found, so they must be checked before they are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Article {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) text: String,
    /// Who published it.
    pub(crate) source: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) picture: Option<String>,
    pub(crate) published: Option<Moment>,
    pub(crate) categories: Vec<String>,
}

/// Who collects news.
pub(crate) trait NewsSource {
    /// Asks for articles, in any order.
    ///
    /// # Errors
    ///
    /// If the source has nothing, or refuses its key.
    fn articles(
        &self,
        question: &Question<'_>,
        outside: &dyn Outside,
    ) -> impl Future<Output = Result<Vec<Article>, FetchError>>;
}
