//! `?q=…` at the address of a page: the search for browsers without scripts (docs/spec/behavior.md 6.2).
//!
//! A page with hits is the usual rendered page, with the attributes that `app/src/browser/search/` would set. So it is not
//! rendered separately or cached, and a script can continue from there.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use app::{backend::ElsewhereItem, document, page::hits::SearchOutcome};
use config::{
    Dashboard, View, Viewer,
    dashboard::Hits,
    search::{self, Entry, Query, Texts},
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use tokio::sync::Semaphore;
use url::form_urlencoded;

use super::{PageTarget, Rendered, view};
use crate::{
    platform::blocking_pool,
    routes::{app_state::AppState, backend::ServerBackend, error::ApiError, language},
    store::Site,
};

/// How many searches may run or wait. Each makes a page of its own.
const MAX_SEARCHES: usize = 16;

static SEARCHES: Semaphore = Semaphore::const_new(MAX_SEARCHES);

/// When a client should search again if there are too many, in seconds.
const RETRY_AFTER: u32 = 2;

/// The page with the hits for the query in its address; unchanged if there is no query.
///
/// # Errors
///
/// Too many others search.
pub(super) async fn searched(
    portico: &Arc<AppState>,
    site: &Arc<Site>,
    viewer: &Viewer,
    target: &PageTarget,
    request: &Parts,
    rendered: Arc<Rendered>,
) -> Result<Arc<Rendered>, ApiError> {
    let Some((text, query)) =
        requested_query(request).filter(|_| target.widget.is_none() && target.view != View::Workspace)
    else {
        return Ok(rendered);
    };
    let Ok(_place) = SEARCHES.try_acquire() else {
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too many searches at once, try again in a moment");
        return Err(error.with_header(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER)));
    };
    let (portico, site, viewer) = (Arc::clone(portico), Arc::clone(site), viewer.clone());
    let (target, request, page) = (target.clone(), request.clone(), Arc::clone(&rendered));
    let search = move || {
        let dashboard = view(&portico, &site, &viewer, &target).ok()?.0.dashboard;
        let hits = dashboard.search(&text);
        let count = hits.tiles.len() + hits.widgets.len();
        let elsewhere = if dashboard.other_pages {
            elsewhere(ServerBackend(Arc::clone(&portico)).other_items(&viewer, &dashboard.slug), &query, count > 0)
        } else {
            Vec::new()
        };
        let outcome = SearchOutcome { text: text.clone(), count, elsewhere, web_search: dashboard.web_search.clone() };
        let html = page.html_now(&portico, &request.headers);
        let locale = language::of(&site, &request.headers);
        let outcome = languages::with_locale(&locale, || document::search_outcome(outcome));
        let html = marked(&html, &changes(&dashboard, &hits, &text), &outcome);
        Some(Arc::new(page.with_html(html)))
    };
    Ok(blocking_pool::compute(search).await.ok().flatten().unwrap_or(rendered))
}

/// The search text in an address, as written and parsed.
fn requested_query(request: &Parts) -> Option<(String, Query)> {
    let mut pairs = form_urlencoded::parse(request.uri.query()?.as_bytes());
    let text = pairs.find(|(name, _)| name == "q")?.1.into_owned();
    let query = Query::of(&text);
    (!query.is_empty()).then_some((text, query))
}

/// The matching items.
fn elsewhere(items: Vec<ElsewhereItem>, query: &Query, page_has_hits: bool) -> Vec<ElsewhereItem> {
    let entry = |(position, item): (usize, &ElsewhereItem)| {
        let texts = Texts { title: &item.title, url: Some(&item.url), others: &[&item.words], opened: 0 };
        Entry::new(position, None, texts)
    };
    let entries: Vec<_> = items.iter().enumerate().map(entry).collect();
    let found = search::elsewhere(&entries, query, page_has_hits, |position| &items[position].page);
    found.into_iter().map(|position| items[position].clone()).collect()
}

/// What a search does to an element.
#[derive(Clone, Debug, Eq, PartialEq)]
enum ElementChange {
    /// Adds attributes.
    Attributes(Cow<'static, str>),
    /// Opens the section's `<details>`.
    Open,
}

/// What a search does to a page, by the ids of elements.
fn changes(dashboard: &Dashboard, hits: &Hits, text: &str) -> HashMap<String, ElementChange> {
    let add = |attributes: &'static str| ElementChange::Attributes(Cow::Borrowed(attributes));
    let mut changes = HashMap::new();
    for section in &dashboard.sections {
        let is_hit = |item: usize| hits.tiles.contains(&(section.index, item));
        let is_found = |widget: usize| hits.widgets.contains(&(section.index, widget));
        let has_widget = section.widgets.iter().any(|widget| is_found(widget.index));
        if has_widget || section.items.iter().any(|item| is_hit(item.index)) {
            if section.collapsed {
                changes.insert(format!("s-{}", section.index), ElementChange::Open);
            }
            for item in section.items.iter().filter(|item| !is_hit(item.index)) {
                changes.insert(format!("i-{}-{}", section.index, item.index), add(" hidden"));
            }
            for widget in section.widgets.iter().filter(|widget| !is_found(widget.index)) {
                changes.insert(format!("widget-{}-{}", section.index, widget.index), add(" hidden"));
            }
        } else {
            changes.insert(format!("s-{}", section.index), add(" hidden"));
        }
    }
    if let Some((section, item, sub_item)) = hits.first {
        let sub_item = sub_item.map(|position| format!("-{position}")).unwrap_or_default();
        changes.insert(format!("i-{section}-{item}{sub_item}"), add(" data-first"));
    }
    let value = text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    changes.insert("search".to_owned(), ElementChange::Attributes(format!(" value=\"{value}\"").into()));
    changes
}

/// A rendered page with changes, and with markup above and below its sections. Text and attributes in a page are escaped,
/// so everything that looks like an element is one.
fn marked(html: &str, changes: &HashMap<String, ElementChange>, [above, below]: &[String; 2]) -> String {
    const ID: &str = " id=\"";
    let mut marked = String::with_capacity(html.len() + 16 * changes.len() + above.len() + below.len());
    let html = html.replacen("<div id=\"page\" class=\"page ", "<div id=\"page\" class=\"page searching ", 1);
    let (top, rest) = html.split_at(html.find("<main").unwrap_or(0));
    let (main, bottom) = rest.split_at(rest.find("</main>").map_or(0, |at| at + "</main>".len()));
    for (text, added) in [(top, above.as_str()), (main, below.as_str())] {
        let mut parts = text.split(ID);
        marked.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let (id, after) = part.split_once('"').unwrap_or((part, ""));
            marked.push_str(ID);
            marked.push_str(id);
            marked.push('"');
            match changes.get(id) {
                Some(ElementChange::Attributes(attributes)) => {
                    marked.push_str(attributes);
                    marked.push_str(after);
                }
                Some(ElementChange::Open) => marked.push_str(&after.replacen("<details", "<details open", 1)),
                None => marked.push_str(after),
            }
        }
        marked.push_str(added);
    }
    marked.push_str(bottom);
    marked
}
