//! What a search found, for browsers without scripts (docs/spec/behaviour.md 6.2). Where there are scripts, [`super::search_box`]
//! shows the same, and nothing of this is seen.

use config::dashboard::WebSearchView;
use leptos::prelude::*;

use crate::{
    backend::ElsewhereItem,
    search::web::{self, Destination},
    words::{fill, said, said_with, t},
};

/// What was searched, and found.
#[derive(Clone, Debug, Default)]
pub struct SearchOutcome {
    /// The text as it was typed.
    pub text: String,
    /// How many tiles of the page match.
    pub count: usize,
    /// The items of other pages that match, the best first.
    pub elsewhere: Vec<ElsewhereItem>,
    /// Where the web is searched.
    pub web_search: WebSearchView,
}

/// Above the sections: how much was found, and the way back.
pub fn summary(outcome: &SearchOutcome) -> impl IntoView + use<> {
    let count = outcome.count + outcome.elsewhere.len();
    let results = match count {
        0 => said("No results"),
        1 => said("1 result"),
        _ => said_with("{count} results", &count.to_string()),
    };
    let text = fill("{results} for “{text}”", &[("results", &results), ("text", outcome.text.trim())]);
    view! {
        <noscript>
            <p class="hits" role="status"><strong>{text}</strong>" "<a href="?">{t("Show everything")}</a></p>
        </noscript>
    }
}

/// Below the sections: what other pages have, and the way to the web.
pub fn elsewhere(outcome: SearchOutcome) -> impl IntoView {
    let SearchOutcome { text, elsewhere, web_search, .. } = outcome;
    let links = elsewhere.into_iter().map(|item| {
        // What needs a script opens a new tab.
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
        Destination::Address(address) => (Some(address.clone()), said_with("Open {address}", &address)),
        Destination::Results { address, engine } => (Some(address), said_with("Search the web with {engine}", &engine)),
        Destination::Nothing | Destination::UnknownEngine(_) => (None, String::new()),
    };
    let to_web = address.map(|address| {
        view! { <section aria-label=t("On the web")><a class="web-row" href=address rel="noopener noreferrer">{text}</a></section> }
    });
    view! { <noscript>{others}{to_web}</noscript> }
}
