//! The debug information for bug reports: the viewer's choices, but no addresses of items and nothing from the config.

use app::{
    SETTINGS_ELEMENT,
    browser::{element, elements, first, root, storage},
    built_view::{AnyView, IntoAny},
    property,
};
use config::json::Json as _;
use js_sys::{Array, Function, Promise};
use leptos::{html, prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::browser::{has_local_config, is_choice, stored};
use crate::{
    dialog::{acting_button, copy},
    own_colors::current_theme,
    page::{base, page_data},
    texts::t,
};

/// An error without the queries of addresses, which may be secret.
fn redacted(text: &str) -> String {
    let mut shown = String::new();
    let mut is_query = false;
    for letter in text.chars() {
        if letter.is_whitespace() || "'\")".contains(letter) {
            is_query = false;
        } else if !is_query && "?#".contains(letter) {
            is_query = true;
            shown.push_str("?…");
        }
        if !is_query {
            shown.push(letter);
        }
    }
    shown
}

/// Whether a worker of this dashboard is active.
async fn has_worker() -> bool {
    let workers = property(&window().navigator(), "serviceWorker");
    let Ok(find) = property(&workers, "getRegistration").dyn_into::<Function>() else { return false };
    let Ok(found) = find.call1(&workers, &[&base(), "/"].concat().into()) else { return false };
    let Ok(found) = found.dyn_into::<Promise>() else { return false };
    JsFuture::from(found).await.is_ok_and(|worker| worker.is_object() && property(&worker, "active").is_object())
}

fn shown_value(key: &str) -> String {
    let value = storage::read(key).unwrap_or_default();
    if is_choice(key) {
        format!("{key} = {value}")
    } else {
        format!("{key} ({} characters)", value.encode_utf16().count())
    }
}

async fn information(version: &str) -> String {
    let settings = element(SETTINGS_ELEMENT);
    let data = page_data();
    let look = |name: &str| data.as_ref().and_then(|data| data.member("look")?.member(name)?.text());
    let slug = data.as_ref().and_then(|data| data.member("slug")?.text()).unwrap_or_default();
    let count = |selector: &str| elements(selector).len();
    let media = |query: &str| match window().match_media(query).ok().flatten().is_some_and(|query| query.matches()) {
        true => "yes",
        false => "no",
    };
    let view = ["minimal", "workspace"].into_iter().find(|view| first(&[".view-", view].concat()).is_some());
    let page_version = settings.as_ref().and_then(|settings| settings.get_attribute("data-version"));
    let kinds: Vec<_> =
        elements("[data-widget]").iter().filter_map(|widget| widget.get_attribute("data-kind")).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    let worker = if has_worker().await { "active" } else { "none" };
    let window = window();
    let navigator = window.navigator();
    let languages: Vec<_> = navigator.languages().iter().filter_map(|language| language.as_string()).collect();
    let zone = property(
        &js_sys::Intl::DateTimeFormat::new(&Array::new(), &js_sys::Object::new()).resolved_options(),
        "timeZone",
    );
    let number = |object: &JsValue, name: &str| property(object, name).as_f64().unwrap_or_default();
    let screen = property(&window, "screen");
    let stored: Vec<_> = stored().iter().map(|key| shown_value(key)).collect();
    let errors = settings.as_ref().map(|settings| property(settings, "errors")).unwrap_or_default();
    let errors: Vec<_> = match errors.dyn_into::<Array>() {
        Ok(errors) => errors.iter().filter_map(|error| error.as_string()).map(|error| redacted(&error)).collect(),
        Err(_) => Vec::new(),
    };
    let or = |texts: Vec<String>, between: &str, none: &str| {
        if texts.is_empty() { none.to_owned() } else { texts.join(between) }
    };
    let lines = [
        ("Portico", version.to_owned()),
        (
            "Page",
            format!(
                "{slug}, {} view, version {}",
                view.unwrap_or("home"),
                page_version.as_deref().unwrap_or("unknown")
            ),
        ),
        (
            "Content",
            format!(
                "{} sections, {} items, {} widgets{kinds}",
                count("#content > section"),
                count("#content .item, #content .sub-items-group"),
                count(".widget-base"),
            ),
        ),
        ("Config", if has_local_config() { "a local one of this browser" } else { "the file" }.to_owned()),
        (
            "Configured",
            format!(
                "themes {} and {}, language {}",
                look("dayTheme").unwrap_or_default(),
                look("nightTheme").unwrap_or_default(),
                look("language").as_deref().unwrap_or("of the browser"),
            ),
        ),
        (
            "In use",
            format!(
                "theme {}, icons {}, class “{}”",
                current_theme(),
                root().get_attribute("data-icons").as_deref().unwrap_or("as configured"),
                element("page").map(|page| page.class_name()).unwrap_or_default(),
            ),
        ),
        (
            "Program",
            format!(
                "{}, offline worker {worker}, {}, {}",
                if root().has_attribute("data-ready") { "running" } else { "not running" },
                if navigator.on_line() { "online" } else { "offline" },
                if window.is_secure_context() { "secure" } else { "not secure" },
            ),
        ),
        ("Browser", navigator.user_agent().unwrap_or_default()),
        ("Languages", languages.join(", ")),
        ("Time zone", zone.as_string().unwrap_or_default()),
        (
            "Window",
            format!(
                "{} × {} of {} × {}, {} pixels each",
                number(&window, "innerWidth"),
                number(&window, "innerHeight"),
                number(&screen, "width"),
                number(&screen, "height"),
                number(&window, "devicePixelRatio"),
            ),
        ),
        (
            "System",
            format!(
                "dark {}, less motion {}, touch only {}",
                media("(prefers-color-scheme: dark)"),
                media("(prefers-reduced-motion: reduce)"),
                media("(hover: none)"),
            ),
        ),
        ("Stored here", or(stored, "; ", "nothing")),
        ("Errors", or(errors, "\n  ", "none in this tab")),
    ];
    lines.map(|(name, value)| [name, ": ", &value].concat()).join("\n")
}

/// The content of the tab.
pub fn content(version: String) -> AnyView {
    let text = RwSignal::new(String::new());
    let node = NodeRef::<html::Pre>::new();
    spawn_local(async move {
        let information = information(&version).await;
        _ = text.try_set(information);
    });
    let copy_text = move || copy(text.get_untracked(), node.get_untracked().map(|node| node.unchecked_into()));
    view! {
        <p>{t("To share when you ask for help. It contains no passwords, keys or addresses of your services.")}</p>
        <pre node_ref=node class="tools-text" tabindex="0" aria-label=t("Debug information")>{text}</pre>
        {acting_button(t("Copy"), Signal::stored(false), copy_text)}
    }
    .into_any()
}
