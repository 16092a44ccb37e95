//! The server functions, and the trait that answers them.
//!
//! They live under `/fn/`, never `/api/`. The server provides a [`Backend`] as context; the functions here hold no
//! rules of their own.

#[cfg(feature = "ssr")]
use std::sync::Arc;

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// An item of another page, as the search offers it below this page's hits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ElsewhereItem {
    /// Title of the item.
    pub title: String,
    /// What else the search looks at: provider, description, tags.
    pub words: String,
    /// Where it leads.
    pub url: String,
    /// Name of its page.
    pub page: String,
}

/// Answers the server functions; implemented by the server.
#[cfg(feature = "ssr")]
pub trait Backend: Send + Sync {
    /// The items of all other pages that the viewer of this request may see. `slug` names the page being shown.
    fn items_elsewhere(&self, request: &http::request::Parts, slug: &str) -> Vec<ElsewhereItem>;
}

/// The backend as it is provided to server functions.
#[cfg(feature = "ssr")]
pub type SharedBackend = Arc<dyn Backend>;

/// The items of all pages but `slug` that this viewer may see, for the search.
#[server(prefix = "/fn", endpoint = "items-elsewhere", input = server_fn::codec::GetUrl)]
pub async fn items_elsewhere(
    /// Slug of the page being shown.
    slug: String,
) -> Result<Vec<ElsewhereItem>, ServerFnError> {
    let backend = expect_context::<SharedBackend>();
    let request = expect_context::<http::request::Parts>();
    Ok(backend.items_elsewhere(&request, &slug))
}
