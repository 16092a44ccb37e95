//! The styles of the config, and those of this browser.

use app::{
    browser::first,
    built_view::{AnyView, IntoAny},
};
use leptos::{prelude::*, task::spawn_local};

use super::open_menu::Menu;
use crate::{
    colors,
    dialog::button,
    host,
    texts::{t, words},
};

/// The content of the tab.
pub(super) fn content(menu: Menu) -> AnyView {
    let own_colors = move || {
        menu.close();
        spawn_local(async {
            if colors::open(None, first(".options > button")).await.is_err() {
                host::say_unreachable();
            }
        });
    };
    view! {
        <p>{words(&t("For everybody, in the config. You see each change at once, and save it with the rest of the draft."))}</p>
        <p class="tools-actions">
            {menu.editor_button("Custom CSS", "styles")}
            {menu.editor_button("Colors of the theme", "colors")}
        </p>
        <p>{t("For you, in this browser.")}</p>
        <p class="tools-actions">{button(t("Colors in this browser"), "button", own_colors)}</p>
    }
    .into_any()
}
