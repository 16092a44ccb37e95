//! What the page looks like in edit mode and with a local config: it has the theme, the colors, the layout and the size of the
//! config. Those that this browser has chosen for itself are put aside in edit mode, and come back afterwards
//! (docs/spec/behavior.md 14).

use std::cell::{OnceCell, RefCell};

use app::browser::{
    first, root,
    storage::{CUSTOM_COLORS, LAYOUT, SIZE, page_key, read, read_object},
};
use js_sys::{Array, Object, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{
    JsCast as _, JsValue,
    prelude::{Closure, wasm_bindgen},
};
use web_sys::{Document, Element};

use crate::dom::all_in;

#[wasm_bindgen]
extern "C" {
    /// A style sheet that the policy of the page allows.
    #[wasm_bindgen(js_name = CSSStyleSheet)]
    #[derive(Clone)]
    type Sheet;
    #[wasm_bindgen(constructor, js_class = "CSSStyleSheet")]
    fn new(options: &Object) -> Sheet;
    #[wasm_bindgen(method, js_name = replaceSync)]
    fn replace(this: &Sheet, css: &str);
}

/// The elements whose classes name the layout and the size.
const LAID_OUT: &str = "#page, .item-group-container";
/// How these classes begin.
const ORIENTATION: &str = "orientation";
const ITEM_SIZE: &str = "item-size";
/// What the options offer.
const ORIENTATIONS: [&str; 4] = ["auto", "horizontal", "vertical", "masonry"];
const SIZES: [&str; 3] = ["small", "medium", "large"];
const DARK: &str = "(prefers-color-scheme: dark)";

/// The themes of a document: the one of its root element, and those for day and night.
#[derive(Clone, Default, PartialEq)]
struct Themes {
    theme: Option<String>,
    day: Option<String>,
    night: Option<String>,
}

impl Themes {
    fn of(root: &Element) -> Self {
        let name = |attribute| root.get_attribute(attribute);
        Self { theme: name("data-theme"), day: name("data-day"), night: name("data-night") }
    }
}

thread_local! {
    /// The themes before edit mode or a local config: of the saved page, or the one chosen in this browser.
    static SAVED: OnceCell<Themes> = const { OnceCell::new() };
    /// The style sheets that replace those of the saved page.
    static SHEETS: RefCell<Vec<Sheet>> = const { RefCell::new(Vec::new()) };
    /// The theme that was chosen in this browser, while edit mode has put it aside; empty for the theme of the system.
    static OWN_THEME: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The classes of layout and size before edit mode.
    static OWN_LAYOUT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn is_editing() -> bool {
    root().has_attribute("data-editing")
}

fn is_dark() -> bool {
    window().match_media(DARK).ok().flatten().is_some_and(|query| query.matches())
}

fn set(root: &Element, attribute: &str, value: Option<&str>) {
    _ = match value.filter(|value| !value.is_empty()) {
        Some(value) => root.set_attribute(attribute, value),
        None => root.remove_attribute(attribute),
    };
}

fn disable(selector: &str, is_disabled: bool) {
    for sheet in all_in(&document(), selector) {
        _ = Reflect::set(&sheet, &"disabled".into(), &is_disabled.into());
    }
}

/// Replaces our style sheets of the open page; they come before its others.
fn adopt(sheets: Vec<Sheet>) {
    let before = SHEETS.replace(sheets.clone());
    let adopted = Array::from(&app::property(&document(), "adoptedStyleSheets"));
    let is_other = |sheet: &JsValue| !before.iter().any(|old| JsValue::from(old.clone()) == *sheet);
    let all: Array = sheets.into_iter().map(JsValue::from).chain(adopted.iter().filter(is_other)).collect();
    _ = Reflect::set(&document(), &"adoptedStyleSheets".into(), &all);
}

/// Shows the theme of a document from the server, or that of the saved page again. A theme chosen in this browser stays, except in
/// edit mode.
pub fn show_theme(page: Option<&Document>) {
    let root = root();
    let saved = SAVED.with(|saved| saved.get_or_init(|| Themes::of(&root)).clone());
    adopt(Vec::new());
    if page.is_some() && is_editing() {
        put_theme_aside(&root);
    } else if page.is_none()
        && let Some(name) = OWN_THEME.take()
    {
        return bring_theme_back(&root, &saved, &name);
    }
    if root.has_attribute("data-chosen") {
        return;
    }
    let of_page = page.and_then(Document::document_element).map(|root| Themes::of(&root));
    let wanted = of_page.unwrap_or_else(|| saved.clone());
    let is_other = OWN_THEME.with_borrow(Option::is_some)
        || (&wanted.day, &wanted.night) != (&saved.day, &saved.night)
        || saved.day.is_none() && wanted.theme != saved.theme;
    disable("style.theme", is_other);
    set(&root, "data-day", wanted.day.as_deref());
    set(&root, "data-night", wanted.night.as_deref());
    let shown = match (&wanted.day, is_dark()) {
        (Some(_), true) => wanted.night,
        (Some(day), false) => Some(day.clone()),
        (None, _) => wanted.theme,
    };
    set(&root, "data-theme", shown.as_deref().filter(|name| *name != "default"));
    if let Some(page) = page.filter(|_| is_other) {
        // A parsed document has inert scripts in the place of styles (`frontend/stream.js`).
        adopt(all_in(page, "head script.theme").iter().map(sheet_of).collect());
    }
}

fn sheet_of(style: &Element) -> Sheet {
    let options = Object::new();
    _ = Reflect::set(&options, &"media".into(), &style.get_attribute("media").unwrap_or_default().into());
    let sheet = Sheet::new(&options);
    sheet.replace(&style.text_content().unwrap_or_default());
    sheet
}

fn put_theme_aside(root: &Element) {
    if !root.has_attribute("data-chosen") {
        return;
    }
    OWN_THEME.set(Some(root.get_attribute("data-theme").unwrap_or_default()));
    _ = root.remove_attribute("data-chosen");
    disable("link.theme", true);
}

fn bring_theme_back(root: &Element, saved: &Themes, name: &str) {
    disable("link.theme", false);
    disable("style.theme", true);
    set(root, "data-theme", Some(name));
    set(root, "data-day", saved.day.as_deref());
    set(root, "data-night", saved.night.as_deref());
    _ = root.set_attribute("data-chosen", "");
}

/// The kind of a class that names the layout or the size.
fn kind_of(class: &str) -> Option<&str> {
    class.rsplit_once('-').map(|(kind, _)| kind).filter(|kind| [ORIENTATION, ITEM_SIZE].contains(kind))
}

/// The classes of layout and size of a document.
pub fn layout_of(page: &Document) -> Vec<String> {
    let classes = page.get_element_by_id("page").map(|page| page.class_name()).unwrap_or_default();
    classes.split_whitespace().filter(|class| kind_of(class).is_some()).map(str::to_owned).collect()
}

/// Shows a layout and a size.
pub fn show_layout(classes: &[String]) {
    for element in all_in(&document(), LAID_OUT) {
        let before = element.class_name();
        let shown = |class: &str| {
            let new = kind_of(class).and_then(|kind| classes.iter().find(|new| kind_of(new) == Some(kind)));
            new.cloned().unwrap_or_else(|| class.to_owned())
        };
        let after = before.split_whitespace().map(shown).collect::<Vec<_>>().join(" ");
        if after != before {
            element.set_class_name(&after);
        }
    }
}

/// Puts the colors of this browser aside, and remembers the layout and the size. Themes follow with the first page that is shown.
pub fn put_choices_aside() {
    OWN_LAYOUT.set(layout_of(&document()));
    _ = root().remove_attribute("style");
}

/// Shows the choices of this browser again: its theme and colors, the layout and the size. `is_saved` tells whether the page is
/// now as the draft was.
pub fn bring_choices_back(is_saved: bool) {
    show_theme(None);
    let theme = root().get_attribute("data-theme").unwrap_or_else(|| "default".to_owned());
    let colors = app::property(&read_object(CUSTOM_COLORS), &theme);
    if let (Some(colors), Some(root)) = (colors.dyn_ref::<Object>(), first(":root")) {
        for entry in Object::entries(colors).iter() {
            let entry = Array::from(&entry);
            if let (Some(name), Some(color)) = (entry.get(0).as_string(), entry.get(1).as_string()) {
                _ = root.style().set_property(&format!("--{name}"), &color);
            }
        }
    }
    if !is_saved {
        OWN_LAYOUT.with_borrow(|classes| show_layout(classes));
    }
    let chosen = |key: &str, kind: &str, offered: &[&str]| {
        read(&page_key(key)).filter(|name| offered.contains(&name.as_str())).map(|name| format!("{kind}-{name}"))
    };
    let layout = chosen(LAYOUT, ORIENTATION, &ORIENTATIONS);
    let size = chosen(SIZE, ITEM_SIZE, &SIZES);
    show_layout(&layout.into_iter().chain(size).collect::<Vec<_>>());
}

/// Keeps the colors of this browser aside when the system changes between day and night: the page itself would bring them back.
pub fn follow_system() {
    thread_local! {
        static FOLLOWED: OnceCell<()> = const { OnceCell::new() };
    }
    if FOLLOWED.with(|followed| followed.set(()).is_err()) {
        return;
    }
    let Ok(Some(query)) = window().match_media(DARK) else { return };
    let changed = Closure::<dyn Fn()>::new(|| {
        if is_editing() {
            _ = root().remove_attribute("style");
        }
    });
    _ = query.add_event_listener_with_callback("change", changed.as_ref().unchecked_ref());
    changed.forget();
    // The browser may drop a query without references, together with its listeners.
    std::mem::forget(query);
}
