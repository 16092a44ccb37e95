//! A small tour of a new dashboard, for those who may edit it: the search, the options, the pencil. It begins by itself while the
//! page is still the example, can be skipped, and never comes back to this browser.

use app::browser::{
    element, first, focus_in_place, listen,
    storage::{TOUR, write},
};
use leptos::{html, prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, KeyboardEvent};

use crate::{
    dialog::{Mounted, mount},
    style_sheets,
    texts::{self, fill, t},
};

/// The class of what a step points at.
const TARGET: &str = "tour-target";

/// What a step points at, its title, and what it says.
#[derive(Clone, PartialEq)]
struct Step {
    selector: &'static str,
    title: String,
    text: String,
}

impl Step {
    /// The steps whose targets are on the page.
    fn possible() -> Vec<Self> {
        let step = |selector, title, text| Self { selector, title, text };
        let all = [
            step(
                "#search",
                t("Just type to search"),
                t("What does not match disappears, and Enter opens the first hit."),
            ),
            step(
                "[popovertarget=options-panel]",
                t("Make it yours"),
                t("Sixty themes, the layout and the size of the tiles are in the options."),
            ),
            step(
                ".edit-button",
                t("Edit the page itself"),
                t(
                    "Add services and widgets, drag them, rename them. Each step can be undone, and nothing is written before you save.",
                ),
            ),
        ];
        all.into_iter().filter(|step| step.target().is_some()).collect()
    }

    fn target(&self) -> Option<Element> {
        let found: Element = first(self.selector)?.unchecked_into();
        // The search is shown with the box around its field.
        let around = if self.selector == "#search" { found.closest(".search").ok().flatten() } else { None };
        Some(around.unwrap_or(found))
    }

    fn mark(&self, on: bool) {
        if let Some(target) = self.target() {
            _ = target.class_list().toggle_with_force(TARGET, on);
        }
    }
}

/// Begins the tour.
///
/// # Errors
///
/// Its style sheet cannot be loaded.
pub async fn start() -> Result<(), JsValue> {
    style_sheets::load(&["tour"]).await?;
    texts::load().await;
    if let Some(page) = element("page") {
        mount(page, |mounted| view! { <Card mounted/> });
    }
    Ok(())
}

#[component]
fn Card(mounted: Mounted) -> impl IntoView {
    let node = NodeRef::<html::Section>::new();
    let steps = RwSignal::new(Step::possible());
    let at = RwSignal::new(0);
    let current = move || steps.with(|steps| steps.get(at.get()).cloned());
    let count = move || steps.with(Vec::len);
    let is_last = move || at.get() + 1 >= count();
    let mark = move |on| {
        if let Some(step) = untrack(current) {
            step.mark(on);
        }
    };
    let end = move || {
        mark(false);
        write(TOUR, Some("seen"));
        let had_focus = node.get_untracked().is_some_and(|card| card.contains(document().active_element().as_deref()));
        mounted.remove();
        if let Some(content) = element("content").filter(|_| had_focus) {
            focus_in_place(&content);
        }
    };
    let next = move |_| {
        if untrack(is_last) {
            end();
        } else {
            mark(false);
            at.update(|at| *at += 1);
            mark(true);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            end();
        }
    };
    // A page that changes has no card, and may have another language. A card that was removed has no node.
    listen(&document(), "portico:changed", false, move |_: Event| {
        if let (Some(card), Some(page)) = (node.try_get_untracked().flatten(), element("page")) {
            _ = page.append_child(&card);
            mark(true);
        }
    });
    listen(&document(), "portico:language", false, move |_: Event| {
        spawn_local(async move {
            texts::load().await;
            _ = steps.try_set(Step::possible());
        });
    });
    mark(true);
    let progress = move || {
        let (step, steps) = ((at.get() + 1).to_string(), count().to_string());
        fill(&t("{step} of {steps}"), &[("step", &step), ("steps", &steps)])
    };
    // What changes in it is announced. Its words change with the steps and with the language, which is when the steps are made anew.
    let word = move |text: fn() -> String| {
        steps.track();
        text()
    };
    view! {
        <section class="tour" node_ref=node aria-label=move || word(|| t("Tour")) on:keydown=on_key>
            <strong>{move || current().map(|step| step.title)}</strong>
            <p role="status">{move || current().map(|step| step.text)}</p>
            <div>
                <small>{progress}</small>
                <button class="button" type="button" hidden=is_last on:click=move |_| end()>{move || word(|| t("Skip"))}</button>
                <button class="button primary" type="button" on:click=next>
                    {move || if is_last() { t("Done") } else { word(|| t("Next")) }}
                </button>
            </div>
        </section>
    }
}
