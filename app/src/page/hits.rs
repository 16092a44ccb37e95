//! Search results for browsers without scripts (docs/spec/behavior.md 6.2). With scripts, [`super::search_box`] shows the results
//! instead.

use config::dashboard::WebSearchView;
use leptos::prelude::*;

use crate::{
    backend::ElsewhereItem,
    search::web::{self, Destination},
    words::{fill, t, t_count_for_script, t_for_script, t_for_script_with},
};

/// A search and its results.
#[derive(Clone, Debug, Default)]
pub struct SearchOutcome {
    /// The text as it was typed.
    pub text: String,
    /// The number of matching tiles on the page.
    pub count: usize,
    /// The matching items of other pages, best first.
    pub elsewhere: Vec<ElsewhereItem>,
    /// The configured web search.
    pub web_search: WebSearchView,
}

/// Above the sections: the number of results, and a link that shows everything again.
pub fn summary(outcome: &SearchOutcome) -> impl IntoView + use<> {
    let count = outcome.count + outcome.elsewhere.len();
    let results = match count {
        0 => t_for_script("No results"),
        _ => t_count_for_script("1 result", "{count} results", count),
    };
    let text = fill("{results} for “{text}”", &[("results", &results), ("text", outcome.text.trim())]);
    view! {
        <noscript>
            <p class="hits" role="status"><strong>{text}</strong>" "<a href="?">{t("Show everything")}</a></p>
        </noscript>
    }
}

/// Below the sections: the results on other pages, and a link to the web search.
pub fn elsewhere(outcome: SearchOutcome) -> impl IntoView {
    let SearchOutcome { text, elsewhere, web_search, .. } = outcome;
    let links = elsewhere.into_iter().map(|item| {
        // Opening methods that need a script fall back to a new tab.
        let target = if item.open.is_empty() { item.target } else { "_blank".to_owned() };
        view! {
            <li>
                <a href=item.url target=(!target.is_empty()).then_some(target) rel="noopener noreferrer">
                    <span class="tile-title">{item.title}</span>
                    <span class="other-page-name">{item.page}</span>
                </a>
            </li>
        }
    });
    let links = links.collect::<Vec<_>>();
    let others = (!links.is_empty()).then(|| {
        view! {
            <section class="other-pages" aria-label=t("On other pages")>
                <h2>{t("On other pages")}</h2>
                <ul>{links}</ul>
            </section>
        }
    });
    let (address, text) = match web::destination(&web_search, &text) {
        Destination::Address(address) => (Some(address.clone()), t_for_script_with("Open {address}", &address)),
        Destination::Results { address, engine } => {
            (Some(address), t_for_script_with("Search the web with {engine}", &engine))
        }
        Destination::Nothing | Destination::UnknownEngine(_) => (None, String::new()),
    };
    let to_web = address.map(|address| {
        view! { <section aria-label=t("On the web")><a class="web-row" href=address rel="noopener noreferrer">{text}</a></section> }
    });
    view! { <noscript>{others}{to_web}</noscript> }
}
