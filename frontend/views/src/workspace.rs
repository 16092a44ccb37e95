//! Opens items beside the sidebar of the workspace view (docs/spec/behavior.md 9). Without scripts, the links of the sidebar open in
//! the frame that the page has for browsers without them.

use std::{cell::RefCell, rc::Rc};

use app::{
    JsJson, SETTINGS_ELEMENT,
    browser::{closest, element, elements, first, listen},
    t_for_script,
};
use config::json::Json as _;
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, Event, HtmlAnchorElement, HtmlDetailsElement, HtmlElement, HtmlIFrameElement, MouseEvent, Url,
    UrlSearchParams,
};

use crate::browser::{is_plain, push_state};

/// The links that open beside the sidebar.
const OPENABLE: &str = "#content a[target=stage]";
/// What frames may do.
const ALLOWED: &str = "fullscreen; clipboard-write";
/// In a narrower window the sidebar lies over what is open.
const NARROW: &str = "(width < 780px)";

/// The part of the page beside the sidebar.
struct Stage {
    page: HtmlElement,
    bar: HtmlElement,
    frames: HtmlElement,
    hint: HtmlElement,
    /// What the hint says when nothing is wrong.
    usual_hint: String,
    /// The open frames, by address.
    open: RefCell<Vec<(String, HtmlIFrameElement)>>,
}

/// Starts the workspace; on a page in another view, does nothing.
pub fn install() {
    let (Some(page), Some(bar), Some(frames)) = (element("page"), element("stage-bar"), element("frames")) else {
        return;
    };
    let Some(hint) = first(".stage-hint") else { return };
    let usual_hint = hint.text_content().unwrap_or_default();
    let stage = Rc::new(Stage { page, bar, frames, hint, usual_hint, open: RefCell::default() });
    let on = |handle: fn(&Stage, &Event)| {
        let stage = Rc::clone(&stage);
        move |event: Event| handle(&stage, &event)
    };
    listen(&document(), "click", false, on(|stage, event| stage.on_click(event.unchecked_ref())));
    if let Ok(Some(close)) = stage.bar.query_selector("button") {
        listen(&close, "click", false, on(|stage, _| stage.close()));
    }
    listen(&document(), "toggle", true, on(Stage::on_toggle));
    // A new version of the page does not contain the open frames.
    listen(
        &document(),
        "portico:changed",
        false,
        on(|stage, _| {
            if !stage.bar.hidden() {
                stage.show(stage.shown_address().as_deref());
            }
        }),
    );
    listen(&window(), "popstate", false, on(|stage, _| stage.show_wanted()));
    stage.show_wanted();
}

/// A written address in full, if it is a web address.
fn web(written: &str) -> Option<String> {
    if written.trim().is_empty() {
        return None;
    }
    let address = Url::new_with_base(written, &window().location().href().ok()?).ok()?;
    ["http:", "https:"].contains(&address.protocol().as_str()).then(|| address.href())
}

fn links() -> impl Iterator<Item = HtmlAnchorElement> {
    elements(OPENABLE).into_iter().filter_map(|link| link.dyn_into().ok())
}

fn link_to(address: &str) -> Option<HtmlAnchorElement> {
    links().find(|link| link.href() == address)
}

fn section_of(link: &Element) -> Option<HtmlDetailsElement> {
    link.closest("details").ok()??.dyn_into().ok()
}

/// The address of the open page, with another address to show, or none.
fn own_address(shown: Option<&str>) -> Option<String> {
    let address = Url::new(&window().location().href().ok()?).ok()?;
    match shown {
        Some(shown) => address.search_params().set("url", shown),
        None => address.search_params().delete("url"),
    }
    Some(address.href())
}

/// What the server shows in a frame if the site allows it, else says that it does not.
fn framed(address: &str) -> Option<String> {
    let data = JsJson::parse(&element(SETTINGS_ELEMENT)?.text_content()?)?;
    let base = data.member("base").and_then(|base| base.text()).unwrap_or_default();
    Some([&base, "/framed?url=", &String::from(js_sys::encode_uri_component(address))].concat())
}

impl Stage {
    /// The link of the bar to what is open.
    fn bar_link(&self) -> Option<HtmlAnchorElement> {
        self.bar.query_selector("a").ok()??.dyn_into().ok()
    }

    /// The address of what is open.
    fn shown_address(&self) -> Option<String> {
        self.bar_link().map(|link| link.href())
    }

    /// The address to show first.
    fn landing(&self) -> Option<String> {
        web(&self.frames.get_attribute("data-landing")?)
    }

    /// Shows an address, or the empty view.
    fn show(&self, address: Option<&str>) {
        let link = address.and_then(link_to);
        for other in links() {
            _ = if link.as_ref() == Some(&other) {
                other.set_attribute("aria-current", "true")
            } else {
                other.remove_attribute("aria-current")
            };
        }
        if !self.frames.has_attribute("data-keep") {
            self.open.borrow_mut().retain(|(key, frame)| {
                let is_kept = Some(key.as_str()) == address;
                if !is_kept {
                    frame.remove();
                }
                is_kept
            });
        }
        for (key, frame) in self.open.borrow().iter() {
            frame.set_hidden(Some(key.as_str()) != address);
        }
        self.bar.set_hidden(address.is_none());
        let Some(address) = address else {
            _ = self.page.remove_attribute("data-stage");
            return;
        };
        _ = self.page.set_attribute("data-stage", "frame");
        let title = link.as_ref().and_then(|link| link.query_selector(".tile-title").ok()??.text_content());
        let title = title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
        let name = title.unwrap_or_else(|| Url::new(address).map(|address| address.host()).unwrap_or_default());
        if let Ok(Some(heading)) = self.bar.query_selector("h2") {
            heading.set_text_content(Some(&name));
        }
        if let Some(link) = self.bar_link() {
            link.set_href(address);
        }
        if !self.open.borrow().iter().any(|(key, _)| key == address) {
            self.add_frame(address, &name, link.is_some());
        }
    }

    fn add_frame(&self, address: &str, name: &str, is_item: bool) {
        let Ok(frame) = document().create_element("iframe").map(JsCast::unchecked_into::<HtmlIFrameElement>) else {
            return;
        };
        frame.set_title(name);
        _ = frame.set_attribute("allow", ALLOWED);
        // The server only knows which sites of items can be shown in a frame; other addresses are loaded directly.
        let is_elsewhere = Url::new(address).is_ok_and(|url| window().location().origin() != Ok(url.origin()));
        let is_known = is_elsewhere && (is_item || self.landing().as_deref() == Some(address));
        let source = if is_known { framed(address) } else { None };
        frame.set_src(source.as_deref().unwrap_or(address));
        _ = self.frames.append_child(&frame);
        self.open.borrow_mut().push((address.to_owned(), frame));
    }

    /// Opens an address as a history entry, so that "Back" returns from it.
    fn go(&self, address: &str) {
        if let Some(next) = own_address(Some(address)).filter(|next| window().location().href().as_ref() != Ok(next)) {
            push_state(&JsValue::NULL, "", &next);
        }
        self.show(Some(address));
    }

    /// Shows what the address of the page names, or else what the config names.
    fn show_wanted(&self) {
        let query = window().location().search().unwrap_or_default();
        let wanted = UrlSearchParams::new_with_str(&query).ok().and_then(|query| query.get("url"));
        let address = match &wanted {
            Some(wanted) => web(wanted),
            None => self.landing(),
        };
        let is_refused = wanted.is_some() && address.is_none();
        let refusal = || t_for_script("This cannot be opened here: only addresses that begin with http or https can.");
        let hint = if is_refused { refusal() } else { self.usual_hint.clone() };
        self.hint.set_text_content(Some(&hint));
        // Its section closes the others.
        if let Some(section) = address.as_deref().and_then(link_to).and_then(|link| section_of(&link)) {
            section.set_open(true);
        }
        self.show(address.as_deref());
    }

    fn on_click(&self, event: &MouseEvent) {
        let link = closest(event, OPENABLE).filter(|_| is_plain(event));
        let Some(link) = link.and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok()) else { return };
        // Other addresses, such as mail addresses, are left to the browser.
        let Some(address) = web(&link.href()) else {
            _ = link.remove_attribute("target");
            return;
        };
        event.prevent_default();
        self.go(&address);
        let is_narrow = window().match_media(NARROW).ok().flatten().is_some_and(|query| query.matches());
        if let Some(section) = section_of(&link).filter(|_| is_narrow) {
            section.set_open(false);
        }
    }

    /// Closes what is open.
    fn close(&self) {
        let address = self.shown_address().unwrap_or_default();
        self.open.borrow_mut().retain(|(key, frame)| {
            if *key == address {
                frame.remove();
            }
            *key != address
        });
        if let Some(next) = own_address(None) {
            push_state(&JsValue::NULL, "", &next);
        }
        self.show(None);
        let summary = link_to(&address).and_then(|link| section_of(&link)?.query_selector("summary").ok()?);
        if let Some(summary) = summary {
            _ = summary.unchecked_into::<HtmlElement>().focus();
        }
    }

    /// A section with widgets shows them instead of the open site, until another one is opened.
    fn on_toggle(&self, event: &Event) {
        let details = event.target().and_then(|target| target.dyn_into::<HtmlDetailsElement>().ok());
        let Some(details) = details.filter(HtmlDetailsElement::open) else { return };
        let Ok(Some(section)) = details.closest("#content > section") else { return };
        let widgets = element(&["stage-", section.id().trim_start_matches("s-")].concat());
        let has_current = section.query_selector("[aria-current]").is_ok_and(|current| current.is_some());
        if widgets.is_some() && !has_current {
            _ = self.page.remove_attribute("data-stage");
            self.bar.set_hidden(true);
        } else if widgets.is_none() && self.bar.hidden() && !self.page.has_attribute("data-stage") {
            let shown = self.open.borrow().iter().find(|(_, frame)| !frame.hidden()).map(|(key, _)| key.clone());
            if shown.is_some() {
                self.show(shown.as_deref());
            }
        }
    }
}
