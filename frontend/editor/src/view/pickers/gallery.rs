//! Pictures of the types of widgets: their panels with sample data, as the gallery of widgets shows them
//! (`server/src/routes/gallery.rs`).

use std::{cell::RefCell, collections::HashMap, time::Duration};

use app::write_texts;
use gloo_net::http::Request;
use leptos::prelude::document;
use wasm_bindgen::{JsCast as _, prelude::wasm_bindgen};
use web_sys::{Document, Element};

use crate::{
    dom::{load_style_sheet, wait},
    view::grid::cells,
};

/// How often the gallery is asked for panels that are not ready, and how long to wait between two attempts.
const MAX_ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(700);
/// What a picture leaves out: it must neither load another page, nor run anything.
const LEFT_OUT: &str = "iframe, script, object, embed, audio, video, noscript";

#[wasm_bindgen]
extern "C" {
    /// Bound here, because the type of `web-sys` would compile Leptos once more for this bundle.
    #[wasm_bindgen(js_name = DOMParser)]
    type DomParser;
    #[wasm_bindgen(constructor, js_class = "DOMParser")]
    fn new() -> DomParser;
    #[wasm_bindgen(method, js_name = parseFromString)]
    fn parse(this: &DomParser, text: &str, kind: &str) -> Document;
}

thread_local! {
    /// The panels by type. They stay for the next time.
    static PANELS: RefCell<HashMap<String, Element>> = RefCell::default();
}

/// The picture of a type, if it is loaded: its panel, without life.
pub fn panel(kind: &str) -> Option<Element> {
    PANELS.with_borrow(|panels| panels.get(kind)?.clone_node_with_deep(true).ok()?.dyn_into().ok())
}

/// Loads the panels. What cannot be loaded has no picture.
pub async fn load(base: &str) {
    for _ in 0..MAX_ATTEMPTS {
        let Ok(answer) = Request::get(&format!("{base}/widget-gallery")).send().await else { return };
        let Ok(markup) = answer.text().await else { return };
        if !answer.ok() || read(base, &markup) == 0 {
            return;
        }
        wait(PAUSE).await;
    }
}

/// Takes the panels out of the gallery. Returns how many are not ready.
fn read(base: &str, markup: &str) -> usize {
    let Some(gallery) = DomParser::new().parse(&without_styles(markup), "text/html").document_element() else {
        return 0;
    };
    load_sheet(base, &gallery);
    let mut waiting = 0;
    for frame in cells(&gallery, ".widget-base") {
        let inside = |selector: &str| frame.query_selector(selector).ok().flatten();
        let panel = inside(".widget-body[data-state=content] > .panel");
        if let Some(panel) = panel.and_then(|panel| without_life(&panel)) {
            let kind = frame.get_attribute("data-kind").unwrap_or_default();
            PANELS.with_borrow_mut(|panels| panels.insert(kind, panel));
        } else if inside(".widget-body[data-state=loading]").is_some() {
            waiting += 1;
        }
    }
    waiting
}

/// The markup without its own styles: the policy of the page would refuse them, and report each.
fn without_styles(markup: &str) -> String {
    let mut rest = markup;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("<style") {
        kept.push_str(before);
        rest = after.split_once("</style>").map_or("", |(_, after)| after);
    }
    kept + rest
}

/// Loads the style sheet of widgets. A page without widgets has not.
fn load_sheet(base: &str, gallery: &Element) {
    let Ok(Some(link)) = gallery.query_selector("link[rel=stylesheet][href*='/widgets-']") else { return };
    let href = link.get_attribute("href").unwrap_or_default();
    let Some((_, name)) = href.rsplit_once("/widgets-") else { return };
    load_style_sheet(&format!("{base}/widgets-{name}"));
}

/// A copy of a panel for this page that cannot be found by an id.
fn without_life(panel: &Element) -> Option<Element> {
    let copy: Element = document().import_node_with_deep(panel, true).ok()?.dyn_into().ok()?;
    for one in cells(&copy, LEFT_OUT) {
        one.remove();
    }
    _ = copy.remove_attribute("id");
    for one in cells(&copy, "[id]") {
        _ = one.remove_attribute("id");
    }
    write_texts(&copy);
    Some(copy)
}
