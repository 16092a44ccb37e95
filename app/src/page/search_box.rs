//! The search box and its results.

use std::sync::Arc;

use leptos::{ev, prelude::*};

use super::{PageSettings, PageState, symbols};
use crate::{
    any_view::IntoAny,
    search::{
        Found,
        web::{self, Destination},
    },
    words::{fixed, t, t_count_for_script, t_for_script, t_for_script_with},
};

/// The box, with a hint about Enter below it.
#[component]
pub fn SearchBox(settings: Arc<PageSettings>) -> impl IntoView {
    let state = expect_context::<PageState>();
    let settings = StoredValue::new(settings);
    let note = move || {
        settings.with_value(|settings| {
            let web_search = &settings.web_search;
            let (destination, is_bang) =
                state.query.with(|query| (web::destination(web_search, query), web::has_bang(web_search, query)));
            if has_first(state) && !is_bang {
                return if destination == Destination::Nothing {
                    t_for_script("Enter opens what is highlighted")
                } else {
                    t_for_script("Enter opens what is highlighted, Shift+Enter the web")
                };
            }
            match destination {
                Destination::Nothing => String::new(),
                Destination::Address(address) => t_for_script_with("Enter opens {address}", &address),
                Destination::Results { engine, .. } => {
                    t_for_script_with("Enter searches the web with {engine}", &engine)
                }
                Destination::UnknownEngine(name) => t_for_script_with(web::UNKNOWN_ENGINE, &name),
            }
        })
    };
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        #[cfg(feature = "hydrate")]
        settings.with_value(|settings| crate::browser::use_results(crate::browser::ResultKey::Open, state, settings));
    };
    let empty = move || state.query.with(String::is_empty);
    // Without results, the way to the web is the first thing below, with its key.
    let is_below = move || {
        let is_search = settings.with_value(|settings| {
            let destination = state.query.with(|query| web::destination(&settings.web_search, query));
            matches!(destination, Destination::Address(_) | Destination::Results { .. })
        });
        is_search && state.found.with(|found| found.is_some_and(|found| !found.is_pending)) && !has_first(state)
    };
    // Without a script Enter asks the server (docs/spec/behavior.md 6.2), so only it needs a name for the text.
    #[cfg(feature = "ssr")]
    let sent = view! { <{..} name="q"/> };
    #[cfg(not(feature = "ssr"))]
    let sent = ();

    view! {
        <form class="search" role="search" on:submit=submit>
            {fixed! { <label class="visually-hidden" for="search">{t("Search")}</label> }}
            {symbols::search()}
            <input
                id="search"
                type="search"
                placeholder=t("Search")
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-describedby="search-note"
                prop:value=move || state.query.get()
                on:input=move |event| {
                    let text = event_target_value(&event);
                    settings.with_value(|settings| state.query.set(with_slash(state, settings, text)));
                }
                {..sent}
            />
            <kbd class="search-hint" aria-hidden="true" hidden=move || !empty()>"/"</kbd>
            <button
                class="search-clear"
                type="button"
                aria-label=t("Clear the search")
                hidden=empty
                on:click=move |_| state.clear_query()
            >
                {symbols::close()}
            </button>
            <p class="search-note" id="search-note" class:visually-hidden=is_below>{note}</p>
        </form>
    }
}

/// The text in the box; after the key `/`, with that character if the first word is a bang with it.
fn with_slash(state: PageState, settings: &PageSettings, text: String) -> String {
    if !state.by_slash.get_value() {
        return text;
    }
    // A word that is not complete can still become another one.
    let word = text.split_once(char::is_whitespace).map(|(word, _)| ["/", word].concat());
    if word.is_some() || text.is_empty() {
        state.by_slash.set_value(false);
    }
    if word.is_some_and(|word| web::has_bang(&settings.web_search, &word)) { ["/", &text].concat() } else { text }
}

/// Whether Enter opens an item, of this page or of another one.
fn has_first(state: PageState) -> bool {
    state.found.with(|found| found.is_some_and(|found| found.has_first))
        || state.found_elsewhere.with(|items| !items.is_empty())
}

/// Below the sections: the number of results, the results on other pages, and the web search.
#[component]
pub fn Outcome(settings: Arc<PageSettings>) -> impl IntoView {
    let state = expect_context::<PageState>();
    let count = move || {
        let others = state.found_elsewhere.with(Vec::len);
        match state.found.get() {
            None => ().into_any(),
            Some(found) if found.count + others == 0 && found.is_pending => ().into_any(),
            Some(found) if found.count + others == 0 => {
                let advice = t_for_script("Press Escape to see all items again.");
                view! { <p class="no-results"><strong>{t_for_script("No results on this page")}</strong><span>{advice}</span></p> }
                    .into_any()
            }
            Some(Found { count, .. }) => {
                let results = t_count_for_script("1 result", "{count} results", count);
                let others = (others > 0)
                    .then(|| [", ", &t_for_script_with("{count} on other pages", &others.to_string())].concat());
                view! { <p class="visually-hidden">{results}{others}</p> }.into_any()
            }
        }
    };
    let elsewhere = move || {
        let items = state.found_elsewhere.get();
        // If the page has no hit, Enter opens the first of these.
        let has_none = state.found.with(|found| found.is_some_and(|found| found.count == 0));
        let mut first = has_none.then_some("");
        (!items.is_empty()).then(|| {
            let links = items
                .into_iter()
                .map(|item| {
                    view! {
                        <li>
                            <a
                                href=item.url
                                target=(!item.target.is_empty()).then_some(item.target)
                                data-open=(!item.open.is_empty()).then_some(item.open)
                                data-first=first.take()
                                rel="noopener noreferrer"
                            >
                                <span class="tile-title">{item.title}</span>
                                <span class="other-page-name">{item.page}</span>
                            </a>
                        </li>
                    }
                })
                .collect_view();
            view! {
                <section class="other-pages" aria-labelledby="other-pages-title">
                    <h2 id="other-pages-title">{t_for_script("On other pages")}</h2>
                    <ul>{links}</ul>
                </section>
            }
        })
    };
    let to_web = move || {
        let (address, text) = match state.query.with(|query| web::destination(&settings.web_search, query)) {
            Destination::Address(address) => (address.clone(), t_for_script_with("Open {address}", &address)),
            Destination::Results { address, engine } => {
                (address, t_for_script_with("Search the web with {engine}", &engine))
            }
            Destination::Nothing | Destination::UnknownEngine(_) => return None,
        };
        Some(view! {
            <section aria-label=t_for_script("On the web")>
                <a class="web-row" href=address target="_blank" rel="noopener noreferrer">
                    {text}
                    <kbd>"Shift"</kbd>
                    <kbd>"Enter"</kbd>
                </a>
            </section>
        })
    };
    view! {
        <div class="search-outcome" role="status" aria-live="polite">{count}</div>
        {elsewhere}
        {to_web}
    }
}
