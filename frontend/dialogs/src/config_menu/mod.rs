//! The config menu: one dialog with tabs. Admins can manage the config; everybody can see what this browser has stored, the debug
//! information, and the version of the program.

mod about;
mod backups;
mod browser;
mod debug;
mod edit;
mod export;
mod managed;
mod open_menu;
mod styles;
mod tabs;

use app::{SETTINGS_ELEMENT, browser::element, built_view::IntoAny};
use config::json::Json as _;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use self::{
    open_menu::Menu,
    tabs::{Tab, Tabs},
};
use crate::{
    dialog::{Mounted, button, focus_in, hide_options, mount, place},
    own_colors::current_theme,
    page::page_data,
    style_sheets,
    texts::{self, fill, t},
    theme::keep_keys,
};

/// Opens the menu. On closing, the focus returns to `opener`, which knows the version of the program, and for admins the file.
///
/// # Errors
///
/// A file that it needs cannot be loaded.
pub async fn open(opener: HtmlElement) -> Result<(), JsValue> {
    style_sheets::load(&["config-menu"]).await?;
    texts::load().await;
    let Some(place) = place(false) else { return Ok(()) };
    hide_options();
    let Some(dialog) = mount(place, move |mounted| view! { <Menu opener mounted/> }) else { return Ok(()) };
    _ = dialog.show_modal();
    focus_in(&dialog, "[aria-selected=true]");
    Ok(())
}

#[component]
fn Menu(opener: HtmlElement, mounted: Mounted) -> impl IntoView {
    let version = opener.get_attribute("data-version").unwrap_or_default();
    let file = opener.get_attribute("data-file");
    let menu = Menu { node: NodeRef::new() };
    let title = t(if file.is_some() { "Config" } else { "About this dashboard" });
    let mut all = Vec::new();
    if let Some(file) = file.clone() {
        all.push(Tab::new("edit", t("Edit"), move || edit::content(menu)));
        all.push(Tab::new("export", t("Export"), move || export::content(menu, file.clone())));
        all.push(Tab::new("styles", t("Styles"), move || styles::content(menu)));
        all.push(Tab::new("backups", t("Backups"), move || backups::content(menu)));
        for (name, label) in [
            ("history", t("History")),
            ("tokens", t("Tokens")),
            ("alerts", t("Alerts")),
            ("widgets", t("Widgets")),
            ("found", t("Discovery")),
        ] {
            all.push(Tab::new(name, label, move || managed::content(name)));
        }
    }
    let is_admin = file.is_some();
    let (about, debug) = (version.clone(), version.clone());
    all.push(Tab::new("about", t("About"), move || about::content(&about, is_admin)));
    all.push(Tab::new("debug", t("Debug"), move || debug::content(debug.clone())));
    all.push(Tab::new("browser", t("This browser"), browser::content));
    let may_edit = element(SETTINGS_ELEMENT).is_some_and(|settings| settings.has_attribute("data-editor"));
    let note = (!may_edit)
        .then(|| view! { <p class="tools-note">{t("Only admins can see and change the config here.")}</p> }.into_any());
    view! {
        <dialog
            node_ref=menu.node class="tools-dialog" aria-labelledby="tools-title"
            on:keydown=keep_keys on:close=move |_| { _ = opener.focus(); mounted.remove() }
        >
            <div class="dialog-header">
                <h2 id="tools-title">{title.clone()}</h2>
                {button(t("Close"), "button", move || menu.close())}
            </div>
            <Tabs label=title tabs=all/>
            {note}
            <p class="tools-foot">{state(&version, file)}</p>
        </dialog>
    }
}

/// The state of the config, below all tabs.
fn state(version: &str, file: Option<String>) -> String {
    let configured = page_data().and_then(|data| data.member("look")?.member("language")?.text());
    let language = configured.or_else(|| window().navigator().language()).unwrap_or_default();
    let known = [
        file.unwrap_or_default(),
        fill(&t("theme {name}"), &[("name", &current_theme())]),
        fill(&t("language {name}"), &[("name", &language)]),
        ["Portico ", version].concat(),
    ];
    let known: Vec<_> = known.into_iter().filter(|part| !part.is_empty()).collect();
    known.join(" · ")
}
