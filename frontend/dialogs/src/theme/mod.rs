//! The dialog for choosing a theme and an accent color. The focused theme is shown at once and stored in this browser; Escape and
//! “Cancel” restore the previous one.

mod accents;
mod card;
mod current;
mod for_all;

use std::cell::RefCell;

use app::{
    JsJson,
    browser::{
        element, first, root,
        storage::{self, page_key, read, write},
    },
    built_view::IntoAny,
};
use config::json::{FromJson, Json as _, member};
use gloo_net::http::Request;
use leptos::{ev, html, prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, HtmlInputElement};

use self::{
    accents::{Accents, current_accent},
    card::{Card, Choice, configured_swatch, title},
};
pub use self::{
    current::{own_rules, show},
    for_all::choose_for,
};
use crate::{
    dialog::{self, button, hide_options, mount, place},
    host, own_colors,
    page::page_data,
    style_sheets,
    texts::{self, fill, t},
};

/// A theme of the product, as the list of the server describes it.
#[derive(Clone, Debug, Default, FromJson)]
struct ListedTheme {
    name: String,
    about: String,
    light: Vec<String>,
    dark: Vec<String>,
    hues: Vec<String>,
}

impl ListedTheme {
    fn swatch(&self, dark: bool) -> Vec<String> {
        if dark { self.dark.clone() } else { self.light.clone() }
    }

    fn choice(&self, dark: bool) -> Choice {
        let Self { name, about, hues, .. } = self.clone();
        Choice { label: title(&name), name, about: t(&about), swatch: self.swatch(dark), hues }
    }
}

/// The themes of the product, and those of the config.
#[derive(Clone, Debug, Default)]
struct Themes {
    listed: Vec<ListedTheme>,
    /// The names of the themes that the config defines.
    own: Vec<String>,
    /// The number of style sheets in the config.
    style_sheets: usize,
    /// The themes of the config by day and by night.
    configured: [String; 2],
}

thread_local! {
    static LISTED: RefCell<Option<Vec<ListedTheme>>> = const { RefCell::new(None) };
}

impl Themes {
    /// Loads the list and the style sheet of the dialogs.
    async fn load() -> Result<Self, JsValue> {
        style_sheets::load(&["theme-chooser"]).await?;
        let listed = match LISTED.with_borrow(Clone::clone) {
            Some(listed) => listed,
            None => {
                let unreachable = |_| JsValue::from_str("the list of themes cannot be loaded");
                let response = Request::get(&current::address("list.json")).send().await.map_err(unreachable)?;
                let text = response.text().await.map_err(unreachable)?;
                let listed = JsJson::parse(&text).and_then(|list| Vec::from_json(&list)).unwrap_or_default();
                LISTED.set(Some(Clone::clone(&listed)));
                listed
            }
        };
        let look = page_data().and_then(|data| data.member("look"));
        let text = |name: &str| {
            look.as_ref().and_then(|look| look.member(name)?.text()).unwrap_or_else(|| "default".to_owned())
        };
        Ok(Self {
            listed,
            own: look.as_ref().map(|look| member(look, "themes")).unwrap_or_default(),
            style_sheets: look
                .as_ref()
                .and_then(|look| Some(look.member("styleSheets")?.elements().len()))
                .unwrap_or_default(),
            configured: [text("dayTheme"), text("nightTheme")],
        })
    }

    fn listed(&self, name: &str) -> Option<&ListedTheme> {
        self.listed.iter().find(|theme| theme.name == name)
    }

    /// The colors of a theme by its name.
    fn swatch(&self, name: &str, dark: bool) -> Vec<String> {
        self.listed(name).map_or_else(|| configured_swatch(name), |theme| theme.swatch(dark))
    }

    /// The themes that the config defines.
    fn own(&self, about: &str, dark: bool) -> impl Iterator<Item = Choice> {
        self.own.iter().map(move |name| Choice {
            name: name.clone(),
            label: name.clone(),
            about: about.to_owned(),
            swatch: self.swatch(name, dark),
            hues: Vec::new(),
        })
    }

    /// The themes of the product, without that of the system.
    fn product(&self, dark: bool) -> impl Iterator<Item = Choice> {
        self.listed.iter().filter(|theme| theme.name != "default").map(move |theme| theme.choice(dark))
    }
}

/// Everything that the dialog offers for this browser.
fn choices(themes: &Themes) -> Vec<Choice> {
    let dark = current::is_dark();
    let configured = &themes.configured[usize::from(dark)];
    // The page notes it only if there is one for the day and one for the night.
    if root().get_attribute("data-day").is_none_or(|day| day.is_empty()) && configured != "default" {
        _ = root().set_attribute("data-only", configured);
    }
    let choice = |name: &str, label: String, about: String, swatch: Vec<String>| Choice {
        name: name.to_owned(),
        label,
        about,
        swatch,
        hues: Vec::new(),
    };
    let general = [
        choice("", t("As configured"), t("What the config file says"), themes.swatch(configured, dark)),
        choice("default", t("System"), t("Follows the system by day and night"), themes.swatch("default", dark)),
        choice("light", t("Light"), t("The day of the system theme"), themes.swatch("default", false)),
        choice("dark", t("Dark"), t("The night of the system theme"), themes.swatch("default", true)),
    ];
    // The style sheets themselves are part of every page; under their names they can style a theme of their own. These are
    // the names that Dashy keeps in browsers.
    let sheets = (1..=themes.style_sheets).map(|count| {
        let label = fill(&t("External style sheet {count}"), &[("count", &count.to_string())]);
        let swatch = themes.swatch("default", dark);
        choice(&format!("External Stylesheet {count}"), label, t("A style sheet of the config"), swatch)
    });
    let own = themes.own(&t("A theme of the config"), dark).collect::<Vec<_>>();
    general.into_iter().chain(own).chain(sheets).chain(themes.product(dark)).collect()
}

/// Opens the dialog. On closing, the focus returns to `opener`.
///
/// # Errors
///
/// A file that it needs cannot be loaded.
pub async fn open(opener: HtmlElement) -> Result<(), JsValue> {
    let themes = Themes::load().await?;
    // What themes look like is not among the texts of the page.
    texts::load().await;
    let Some(place) = place(false).filter(|_| first("dialog[open]").is_none()) else { return Ok(()) };
    hide_options();
    let choices = choices(&themes);
    show_dialog(mount(place, move |mounted| view! { <Chooser choices opener mounted/> }));
    Ok(())
}

/// Shows a dialog of themes, with the focus on the chosen one.
fn show_dialog(dialog: Option<web_sys::HtmlDialogElement>) {
    let Some(dialog) = dialog else { return };
    _ = dialog.show_modal();
    let input = |selector: &str| dialog.query_selector(selector).ok().flatten();
    let Some(input) = input(".theme-list :checked").or_else(|| input(".theme-list input")) else { return };
    _ = input.unchecked_ref::<HtmlElement>().focus();
    if let Ok(Some(card)) = input.closest("label") {
        scroll_to(&card, &dialog);
    }
}

/// Scrolls the list so that a card is in its middle.
fn scroll_to(card: &Element, dialog: &Element) {
    let Some(list) = dialog.query_selector(".theme-list").ok().flatten() else { return };
    let (card, shown) = (card.get_bounding_client_rect(), list.get_bounding_client_rect());
    let distance = (card.top() + card.height() / 2.0) - (shown.top() + shown.height() / 2.0);
    list.set_scroll_top(list.scroll_top() + distance as i32);
}

/// The name of the theme that was chosen in this browser; empty for that of the config.
fn chosen_theme() -> String {
    let stored = read(&page_key(storage::THEME));
    // Where the browser forbids storage, the choice lasts for this visit.
    stored.or_else(|| root().has_attribute("data-chosen").then(own_colors::current_theme)).unwrap_or_default()
}

#[component]
fn Chooser(choices: Vec<Choice>, opener: HtmlElement, mounted: dialog::Mounted) -> impl IntoView {
    let (chosen_before, colors_before) = (chosen_theme(), own_colors::stored());
    let chosen = RwSignal::new(chosen_before.clone());
    let filter = RwSignal::new(String::new());
    let note = RwSignal::new(String::new());
    let accent = RwSignal::new(current_accent());
    let node = NodeRef::<html::Dialog>::new();
    let notes: Vec<_> = choices.iter().map(|choice| (choice.name.clone(), choice.about.clone())).collect();
    let keep = move |name: &str| write(&page_key(storage::THEME), (!name.is_empty()).then_some(name));
    let choose = Callback::new(move |name: String| {
        keep(&name);
        let about = notes.iter().find(|(known, _)| *known == name).map(|(_, about)| about.clone());
        note.set(about.unwrap_or_default());
        chosen.set(name.clone());
        spawn_local(async move {
            show(&name).await;
            _ = accent.try_set(current_accent());
        });
    });
    let close = move || {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    let colors_before = StoredValue::new_local(colors_before);
    let chosen_before = StoredValue::new(chosen_before);
    let go_back = move || {
        own_colors::store(&colors_before.get_value());
        let name = chosen_before.get_value();
        keep(&name);
        close();
        spawn_local(async move { show(&name).await });
    };
    let for_everybody = move || {
        let name = chosen.get_untracked();
        spawn_local(async move {
            // From now on this browser shows the theme of everybody.
            keep("");
            show("").await;
            close();
            let Some(editor) = host::editor().await else { return };
            if editor.begin(None).await.is_err() || !editor.is_running() {
                return;
            }
            let is_default = ["", "default"].contains(&name.as_str());
            let value = if is_default { JsValue::NULL } else { JsValue::from_str(&name) };
            let name = if is_default { "default" } else { &name };
            let label = fill(&t("Theme “{name}” for everybody"), &[("name", &title(name))]);
            editor.change_setting("theme", &value, Some(&label));
        });
    };
    // If filtering has left a single theme, arrow keys change nothing, but still show the focused theme.
    let on_focus = move |event: ev::FocusEvent| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let Some(input) = input.filter(HtmlInputElement::checked) else { return };
        if input.value() != chosen.get_untracked() {
            choose.run(input.value());
        }
    };
    let cards =
        choices.into_iter().map(|choice| view! { <Card choice group="theme" chosen filter choose/> }.into_any());
    let cards: Vec<_> = cards.collect();
    // Those who may edit the page lead everybody to it.
    let for_all = first(".pencil").is_some().then(|| button(t("For everybody"), "button theme-for-all", for_everybody));
    view! {
        <dialog
            node_ref=node class="theme-dialog" aria-labelledby="theme-dialog-title"
            on:keydown=keep_keys on:cancel=move |event: Event| { event.prevent_default(); go_back() }
            on:close=move |_| { _ = opener.focus(); mounted.remove() }
        >
            <div class="dialog-header">
                <h2 id="theme-dialog-title">{t("Theme")}</h2>
                {for_all}
                {button(t("Cancel"), "button", go_back)}
                {button(t("Keep"), "button primary", close)}
            </div>
            <Filter filter label=t("Find a theme")/>
            <fieldset class="theme-list" on:focusin=on_focus>
                <legend class="visually-hidden">{t("Theme")}</legend>
                {cards}
            </fieldset>
            <p class="theme-about" aria-live="polite">{note}</p>
            <Accents accent/>
        </dialog>
    }
}

/// Keys in a dialog must not trigger shortcuts of the page.
pub fn keep_keys(event: ev::KeyboardEvent) {
    event.stop_propagation();
}

/// The field that filters a list.
#[component]
pub fn Filter(
    /// What is typed.
    filter: RwSignal<String>,
    /// Its label.
    label: String,
) -> impl IntoView {
    view! {
        <input
            type="search" placeholder=label.clone() aria-label=label autocomplete="off" prop:value=filter
            on:input:target=move |event| filter.set(event.target().value())
        />
    }
}

/// The element of the editor's dialogs.
fn editor_place() -> Option<HtmlElement> {
    element("editor").or_else(|| place(false))
}
