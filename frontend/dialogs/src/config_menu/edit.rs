//! The ways into edit mode.

use app::{
    browser::first,
    built_view::{AnyView, IntoAny},
};
use leptos::prelude::*;

use super::open_menu::Menu;
use crate::{
    page::page,
    texts::{t, words},
};

/// Each way: its label, the dialog that it opens (none begins on the page), and what it is for.
const WAYS: [(&str, Option<&str>, &str); 6] = [
    ("Edit on the page", None, "Items, sections and widgets, by mouse, touch or keyboard"),
    ("Edit as YAML", Some("yaml"), "The text of the file, with completion"),
    ("Page info", Some("page-info"), "Title, description, links and footer"),
    ("Settings", Some("settings"), "Theme, layout and all else of `appConfig`"),
    ("Pages", Some("pages"), "Which further pages there are"),
    ("Import", Some("import"), "From another dashboard, or from bookmarks"),
];

/// The content of the tab.
pub(super) fn content(menu: Menu) -> AnyView {
    let is_root = page().is_none_or(|page| page == "main");
    // Only the root lists the pages.
    let ways = WAYS.into_iter().filter(|(_, dialog, _)| is_root || *dialog != Some("pages"));
    let rows = ways.map(|(label, dialog, about)| {
        view! {
            <li>
                <button type="button" class="tools-way" on:click=move |_| menu.begin(dialog)>
                    <strong>{t(label)}</strong>
                    <span>{words(&t(about))}</span>
                </button>
            </li>
        }
        .into_any()
    });
    let rows: Vec<_> = rows.collect();
    let elsewhere = first(".edit-elsewhere")
        .map(|_| view! { <p>{t("The config is edited in the home view, on whole pages.")}</p> }.into_any());
    view! { <ul class="tools-ways" role="list">{rows}</ul> {elsewhere} }.into_any()
}
