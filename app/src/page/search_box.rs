//! The search box and what it found.

use std::sync::Arc;

use leptos::{ev, prelude::*};

use super::{PageSettings, PageState, symbols};
use crate::search::{
    matching,
    web::{self, Destination},
};

/// The box, and under it what Enter will do.
#[component]
pub fn SearchBox(settings: Arc<PageSettings>) -> impl IntoView {
    let state = expect_context::<PageState>();
    let settings = StoredValue::new(settings);
    let note = move || {
        settings.with_value(|settings| match state.query.with(|query| web::destination(&settings.web_search, query)) {
            Destination::Nothing => String::new(),
            Destination::Address(address) => format!("Enter opens {address}"),
            Destination::Results { engine, .. } => format!("Enter searches the web with {engine}"),
            Destination::UnknownEngine(name) => {
                format!("There is no search engine “{name}”; see searchEngine in the config")
            }
        })
    };
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        #[cfg(feature = "hydrate")]
        settings.with_value(|settings| crate::browser::search_web(state, &settings.web_search));
    };
    let empty = move || state.query.with(String::is_empty);

    view! {
        <form class="search" role="search" on:submit=submit>
            <label class="visually-hidden" for="search">"Search"</label>
            {symbols::search()}
            <input
                id="search"
                type="search"
                placeholder="Search"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-describedby="search-note"
                prop:value=move || state.query.get()
                on:input=move |event| state.query.set(event_target_value(&event))
            />
            <kbd class="search-hint" aria-hidden="true" hidden=move || !empty()>"/"</kbd>
            <button
                class="search-clear"
                type="button"
                aria-label="Clear the search"
                hidden=empty
                on:click=move |_| state.query.set(String::new())
            >
                {symbols::close()}
            </button>
            <p class="search-note" id="search-note">{note}</p>
        </form>
    }
}

/// Below the sections: how much was found, and what other pages have.
#[component]
pub fn Outcome(settings: Arc<PageSettings>) -> impl IntoView {
    let state = expect_context::<PageState>();
    let advice = if settings.web_search.disabled {
        "Press Escape to see all items again."
    } else {
        "Press Enter to search the web, or Escape to see all items again."
    };
    let count = move || match state.found.get().map(|hits| hits.len()) {
        None => ().into_any(),
        Some(0) => view! { <p class="no-results"><strong>"No results on this page"</strong><span>{advice}</span></p> }
            .into_any(),
        Some(1) => view! { <p class="visually-hidden">"1 result"</p> }.into_any(),
        Some(count) => view! { <p class="visually-hidden">{format!("{count} results")}</p> }.into_any(),
    };
    let elsewhere = move || {
        let items = state.elsewhere.with(|items| {
            let items = items.as_deref().unwrap_or_default();
            state.query.with(|query| matching::find_elsewhere(items, query))
        });
        (!items.is_empty()).then(|| {
            let links = items
                .into_iter()
                .map(|item| {
                    view! {
                        <li>
                            <a href=item.url target="_blank" rel="noopener noreferrer">
                                <span class="tile-title">{item.title}</span>
                                <span class="other-page-name">{item.page}</span>
                            </a>
                        </li>
                    }
                })
                .collect_view();
            view! {
                <section class="other-pages" aria-labelledby="other-pages-title">
                    <h2 id="other-pages-title">"On other pages"</h2>
                    <ul>{links}</ul>
                </section>
            }
        })
    };
    view! {
        <div class="search-outcome" role="status" aria-live="polite">{count}</div>
        {elsewhere}
    }
}
