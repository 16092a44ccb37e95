//! Renames an item, a sub-item, a section, a widget or the page in place (docs/editing.md).

use std::{any::Any, cell::RefCell};

use app::browser::{element, first};
use leptos::{ev::SubmitEvent, html, mount::mount_to, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::{
    command::Command,
    draggable::{Draggable, Named},
    run::run,
};
use crate::{
    editor::{Editor, focus},
    edits::List,
    texts::{fill, t},
};

/// The least width of the field, in pixels.
const MIN_WIDTH: f64 = 160.0;
/// The distance of the field from the edges of the window, in pixels.
const GAP: f64 = 8.0;
/// The greatest width and the usual height of the line of a widget without a label, in pixels.
const LINE: (f64, f64) = (240.0, 36.0);

thread_local! {
    /// The open field.
    static OPEN: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
    /// What gets the focus when the page has been drawn with its new name.
    static AFTERWARDS: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What a field says, and where it is.
struct Field {
    /// The element with the name; `None` if there is no name yet.
    own: Option<HtmlElement>,
    /// The element that the field covers.
    covered: Element,
    /// The selector of what has the focus afterwards.
    owner: String,
    label: String,
    /// What the field says if it is empty.
    needs: String,
    before: String,
}

impl Field {
    fn new(source: &Named) -> Self {
        let place: Element = match source {
            Named::Entry(Draggable { element, .. }) | Named::Page(element) => element.clone().into(),
        };
        let list = match source {
            Named::Entry(Draggable { spot, .. }) => spot.list,
            Named::Page(_) => List::Pages,
        };
        let within = |selector: &str| place.query_selector(selector).ok().flatten();
        let own = within(match list {
            List::Items(_) | List::SubItems(..) => ":scope > :is(.tile-title, .group-title)",
            List::Sections => "h2:not(.visually-hidden)",
            List::Widgets(_) => ".widget-label",
            List::Pages => "h1",
        });
        let before = own.as_ref().and_then(|own| own.text_content()).unwrap_or_default().trim().to_owned();
        let name = |unnamed: String| if before.is_empty() { unnamed } else { before.clone() };
        let (label, needs) = match list {
            List::Items(_) => (fill("Title of {name}", &[("name", &name(t("the item")))]), t("An item needs a title.")),
            List::SubItems(..) => {
                (fill("Title of {name}", &[("name", &name(t("the sub-item")))]), t("An item needs a title."))
            }
            List::Sections => {
                (fill("Name of {name}", &[("name", &name(t("the section")))]), t("A section needs a name."))
            }
            List::Widgets(_) => (
                fill("Label of {name}", &[("name", &name(t("the widget")))]),
                t("Type a label. To remove it, open the form of the widget."),
            ),
            List::Pages => (fill("Title of {name}", &[("name", &name(t("the page")))]), t("A page needs a title.")),
        };
        let owner = match source {
            Named::Page(_) => ".page-title".to_owned(),
            Named::Entry(Draggable { spot, .. }) if list == List::Sections => {
                format!("#s-{} .section-heading", spot.index)
            }
            Named::Entry(Draggable { spot, .. }) => spot.selector(),
        };
        // A widget without a label shows its type beside its buttons.
        let heading = if list == List::Sections { within(".section-heading") } else { None };
        let covered = own.clone().or(heading).unwrap_or_else(|| place.clone());
        Self { own: own.and_then(|own| own.dyn_into().ok()), covered, owner, label, needs, before }
    }

    /// The left edge, the middle and the width of what the field covers. The line of a widget without a label is as high as its
    /// buttons.
    fn place(&self) -> [f64; 3] {
        let bounds = self.covered.get_bounding_client_rect();
        if self.own.is_some() || self.covered.closest(".widget-base").ok().flatten().as_ref() != Some(&self.covered) {
            return [bounds.left(), bounds.top() + bounds.height() / 2.0, bounds.width()];
        }
        let buttons = self.covered.query_selector(".widget-tools").ok().flatten();
        let (top, height) = buttons.map_or((bounds.top(), LINE.1), |buttons| {
            let buttons = buttons.get_bounding_client_rect();
            (buttons.top(), buttons.height())
        });
        [bounds.left(), top + height / 2.0, bounds.width().min(LINE.0)]
    }
}

/// Puts a field over the name of an element. Enter and a click elsewhere rename, Escape cancels.
pub fn rename(editor: Editor, source: Named) {
    let Some(place) = element("editor") else { return };
    close();
    let field = Field::new(&source);
    let at = field.place();
    let form = NodeRef::<html::Form>::new();
    let input = NodeRef::<html::Input>::new();
    let handle = mount_to(place, move || view! { <NameField editor source field form input/> });
    if let Some(form) = form.get_untracked() {
        put(&form, at);
    }
    OPEN.set(Some(Box::new(handle)));
    if let Some(input) = input.get_untracked() {
        _ = input.focus();
        input.select();
    }
}

#[component]
fn NameField(
    editor: Editor,
    source: Named,
    field: Field,
    form: NodeRef<html::Form>,
    input: NodeRef<html::Input>,
) -> impl IntoView {
    let Field { owner, label, needs, before, .. } = field;
    let problem = RwSignal::new(String::new());
    let is_open = StoredValue::new(true);
    let typed = move || input.get_untracked().map(|input| input.value().trim().to_owned()).unwrap_or_default();
    let shut = move || {
        is_open.set_value(false);
        if let Some(form) = form.get_untracked() {
            form.remove();
        }
        close();
    };
    let (known, source) = (before.clone(), StoredValue::new_local(source));
    let apply = StoredValue::new_local(move || {
        let name = typed();
        shut();
        if name.is_empty() || name == known {
            return;
        }
        let command = source.with_value(|source| match source {
            Named::Page(_) => Command::RenamePage(name),
            Named::Entry(Draggable { spot, .. }) => Command::Rename(*spot, name),
        });
        run(editor, command);
    });
    let owner = StoredValue::new(owner);
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        if typed().is_empty() {
            problem.set(needs.clone());
            return;
        }
        let owner = owner.get_value();
        apply.with_value(|apply| apply());
        focus_if_free(&owner);
        // The server may draw it again under its new name.
        AFTERWARDS.set(Some(owner));
    };
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            let owner = owner.get_value();
            shut();
            focus_if_free(&owner);
        }
    };
    let on_blur = move |_| {
        if is_open.get_value() {
            apply.with_value(|apply| apply());
        }
    };
    view! {
        <form class="rename" node_ref=form aria-label=t("Rename") on:submit=on_submit>
            <input
                type="text" node_ref=input autocomplete="off" spellcheck="false" aria-label=label value=before
                aria-describedby="rename-problem" aria-invalid=move || problem.with(|problem| (!problem.is_empty()).then_some("true"))
                on:keydown=on_key on:blur=on_blur
            />
            <p id="rename-problem" role="alert">{problem}</p>
        </form>
    }
}

/// Puts the field where the name is, within the window.
fn put(form: &HtmlElement, [left, middle, width]: [f64; 3]) {
    let number =
        |value: Result<wasm_bindgen::JsValue, _>| value.ok().and_then(|value| value.as_f64()).unwrap_or_default();
    let window = window();
    let inner = number(window.inner_width());
    let size = (width + 4.0 * GAP).max(MIN_WIDTH).min(inner - 2.0 * GAP);
    let left = (left - GAP).min(inner - size - GAP).max(GAP) + window.scroll_x().unwrap_or_default();
    let top = middle + window.scroll_y().unwrap_or_default();
    for (name, value) in [("inline-size", size), ("left", left), ("top", top)] {
        _ = form.style().set_property(name, &format!("{value}px"));
    }
}

/// Removes the field, after the event that is being handled.
fn close() {
    let open = OPEN.take();
    spawn_local(async move { drop(open) });
}

/// Moves the focus back to what was renamed, unless it has moved on already.
fn focus_if_free(selector: &str) {
    let body = document().body().map(Element::from);
    if document().active_element() == body && first(selector).is_some() {
        focus(selector);
    }
}

/// The page has been drawn again.
pub fn page_drawn() {
    if let Some(selector) = AFTERWARDS.take() {
        focus_if_free(&selector);
    }
}
