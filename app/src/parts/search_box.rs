//! A field for a web search, with a link for each engine that follows what is typed.

use leptos::{either::Either, prelude::*};
use widgets::panel::{self, SearchEngine, SearchTarget};

use super::{PanelContext, markup::text, notice::Empty, phrase::ours};

/// The field.
#[component]
pub fn SearchBox<'a>(search: &'a panel::SearchBox, context: &'a PanelContext) -> impl IntoView {
    if search.engines.is_empty() {
        return Either::Left(view! { <Empty sentence="There is no search engine"/> });
    }
    // Landmarks on one page need different names.
    let label = text(&context.label).unwrap_or_else(|| ours("Web search").to_owned());
    let method = (search.opening_method == SearchTarget::Workspace).then_some("workspace");
    let target = (search.opening_method != SearchTarget::SameTab).then_some("_blank");
    let engine = |(position, engine): (usize, &SearchEngine)| {
        // The link has no target until there is a text; it is still focusable, and leads to the field.
        view! {
            <li>
                <a
                    class=if position == 0 { "engine first" } else { "engine" }
                    tabindex="0"
                    role="link"
                    data-engine=engine.url.as_str().to_owned()
                    target=target
                    data-open=method
                    rel="noopener noreferrer"
                >
                    {text(&engine.title)}
                </a>
            </li>
        }
    };
    Either::Right(view! {
        <form class="part part-search" role="search" aria-label=label>
            <input
                type="search"
                aria-label=ours("Search the web")
                autocomplete="off"
                enterkeyhint="search"
                placeholder=search.placeholder.clone()
            />
            <ul class="engines">{search.engines.iter().enumerate().map(engine).collect_view()}</ul>
        </form>
    })
}
