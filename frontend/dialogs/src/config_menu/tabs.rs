//! A list of tabs with their panels: arrow keys, Home and End move between tabs.

use std::rc::Rc;

use app::built_view::{AnyView, IntoAny};
use leptos::{ev::KeyboardEvent, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// A tab. Its content is made anew whenever it is shown.
pub struct Tab {
    name: &'static str,
    label: String,
    content: Rc<dyn Fn() -> AnyView>,
}

impl Tab {
    /// A tab with its name in ids, its label, and its content.
    pub fn new(name: &'static str, label: String, content: impl Fn() -> AnyView + 'static) -> Self {
        Self { name, label, content: Rc::new(content) }
    }
}

/// The tabs, of which the first is shown.
#[component]
pub fn Tabs(
    /// What they are for.
    label: String,
    /// All of them.
    tabs: Vec<Tab>,
) -> impl IntoView {
    let shown = RwSignal::new(0_usize);
    let list = NodeRef::<html::Div>::new();
    let count = tabs.len();
    let buttons = move || -> Vec<HtmlElement> {
        let Some(list) = list.get_untracked() else { return Vec::new() };
        let children = list.children();
        (0..children.length()).filter_map(|at| children.item(at)?.dyn_into().ok()).collect()
    };
    let show = move |at: usize| {
        shown.set(at);
        if let (Some(tab), Some(list)) = (buttons().get(at), list.get_untracked()) {
            bring_into_view(tab, &list);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        let buttons = buttons();
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let at = buttons.iter().position(|tab| target.as_ref() == Some(tab));
        let Some(at) = at else { return };
        let is_mirrored = list.get_untracked().is_some_and(|list| list.matches(":dir(rtl)").unwrap_or_default());
        let next = match (event.key().as_str(), is_mirrored) {
            ("ArrowRight", false) | ("ArrowLeft", true) => (at + 1) % count,
            ("ArrowRight" | "ArrowLeft", _) => (at + count - 1) % count,
            ("Home", _) => 0,
            ("End", _) => count - 1,
            _ => return,
        };
        event.prevent_default();
        show(next);
        _ = buttons[next].focus();
    };
    let heads = tabs.iter().enumerate().map(|(at, tab)| {
        let is_shown = move || shown.get() == at;
        view! {
            <button
                type="button" role="tab" id=["tools-tab-", tab.name].concat() aria-controls=["tools-panel-", tab.name].concat()
                aria-selected=move || is_shown().to_string() tabindex=move || if is_shown() { "0" } else { "-1" }
                on:click=move |_| show(at)
            >
                {tab.label.clone()}
            </button>
        }
        .into_any()
    });
    let heads: Vec<_> = heads.collect();
    let panels = tabs.into_iter().enumerate().map(|(at, tab)| {
        let content = StoredValue::new_local(tab.content);
        let content = move || (shown.get() == at).then(|| content.get_value()());
        view! {
            <div
                role="tabpanel" id=["tools-panel-", tab.name].concat() class="tools-body" tabindex="0"
                aria-labelledby=["tools-tab-", tab.name].concat() hidden=move || shown.get() != at
            >
                {content}
            </div>
        }
        .into_any()
    });
    let panels: Vec<_> = panels.collect();
    view! {
        <div node_ref=list role="tablist" class="tools-tabs" aria-label=label on:keydown=on_key>{heads}</div>
        {panels}
    }
}

/// Scrolls the list of tabs so that a tab is visible.
fn bring_into_view(tab: &HtmlElement, list: &HtmlElement) {
    let (tab, shown) = (tab.get_bounding_client_rect(), list.get_bounding_client_rect());
    let beyond = (tab.right() - shown.right()).max(0.0) + (tab.left() - shown.left()).min(0.0);
    list.set_scroll_left(list.scroll_left() + beyond as i32);
}
