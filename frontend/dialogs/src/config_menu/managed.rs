//! The tabs that the server renders: it returns their content as markup, and a click on an element with `data-do` sends its value
//! back. The server checks who may do what.

use app::{
    JsJson,
    browser::root,
    built_view::{AnyView, IntoAny},
    property,
};
use gloo_net::http::Request;
use js_sys::{Array, Function, JSON, Object, Reflect};
use leptos::{ev, html, prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, FormData, HtmlElement, HtmlFormElement, HtmlTableElement, HtmlTableRowElement, HtmlTableSectionElement,
};

use crate::{
    calls::{problem_of, time_text, unreachable},
    page::address,
    texts::words,
};

/// The markup of a tab, after an action if there is one.
async fn markup(name: &str, action: Option<&str>) -> Result<String, String> {
    let address = address(&["manage/", name].concat());
    let response = match action {
        None => Request::get(&address).send().await,
        Some(action) => {
            let request = Request::post(&address).header("Content-Type", "application/json").body(action);
            let Ok(request) = request else { return Err(unreachable()) };
            request.send().await
        }
    };
    let Ok(response) = response else { return Err(unreachable()) };
    let text = response.text().await.unwrap_or_default();
    if response.ok() { Ok(text) } else { Err(problem_of(&response, JsJson::parse(&text))) }
}

/// A tab while it is shown.
#[derive(Clone, Copy)]
struct ManagedTab {
    name: &'static str,
    node: NodeRef<html::Div>,
    problem: RwSignal<Option<String>>,
}

impl ManagedTab {
    /// Shows the tab, after an action if there is one.
    async fn show(self, action: Option<&str>) {
        let markup = markup(self.name, action).await;
        let Some(node) = self.node.get_untracked() else { return };
        node.set_inner_html(markup.as_deref().unwrap_or_default());
        _ = self.problem.try_set(markup.err());
        let times = node.query_selector_all("time");
        let Ok(times) = times else { return };
        for time in (0..times.length()).filter_map(|at| times.item(at)?.dyn_into::<Element>().ok()) {
            let at = time.get_attribute("datetime").unwrap_or_default();
            time.set_text_content(Some(&time_text(&JsValue::from_str(&at))));
        }
    }

    /// Does what a button is for.
    async fn act(self, button: HtmlElement, action: String) {
        _ = button.set_attribute("disabled", "");
        self.show(Some(&action)).await;
        let Some(node) = self.node.get_untracked() else { return };
        // The button is a new one.
        let buttons = node.query_selector_all("[data-do]").ok();
        let again = buttons.and_then(|buttons| {
            let all = (0..buttons.length()).filter_map(|at| buttons.item(at)?.dyn_into::<HtmlElement>().ok());
            all.into_iter().find(|button| button.get_attribute("data-do").as_deref() == Some(&action))
        });
        let panel = || node.parent_element()?.dyn_into::<HtmlElement>().ok();
        if let Some(element) = again.or_else(panel) {
            _ = element.focus();
        }
    }
}

/// The content of the tab with this name.
pub fn content(name: &'static str) -> AnyView {
    let tab = ManagedTab { name, node: NodeRef::new(), problem: RwSignal::new(None) };
    spawn_local(tab.show(None));
    let on_submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(form) = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok()) else { return };
        if let Some(action) = form_action(&form) {
            spawn_local(async move { tab.show(Some(&action)).await });
        }
    };
    let on_click = move |event: ev::MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let button = target.and_then(|target| target.closest("button").ok()?);
        let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) else { return };
        if button.has_attribute("data-sort") {
            sort(&button);
        } else if let Some(action) = button.get_attribute("data-do").filter(|action| !action.is_empty()) {
            spawn_local(tab.act(button, action));
        }
    };
    let problem = move || Some(view! { <p class="tools-problem" role="alert">{words(&tab.problem.get()?)}</p> });
    view! {
        {problem}
        <div node_ref=tab.node class="tools-managed" on:submit=on_submit on:click=on_click></div>
    }
    .into_any()
}

/// A form as an action: its fields below its name.
fn form_action(form: &HtmlFormElement) -> Option<String> {
    let fields = Object::from_entries(&FormData::new_with_form(form).ok()?.into()).ok()?;
    let action = Object::new();
    _ = Reflect::set(&action, &form.get_attribute("data-form")?.into(), &fields);
    JSON::stringify(&action).ok().map(String::from)
}

/// Sorts a table by the column of a button; numbers begin with the largest.
fn sort(button: &HtmlElement) {
    let closest = |selector: &str| button.closest(selector).ok().flatten();
    let (Some(heading), Some(table)) = (closest("th"), closest("table")) else { return };
    let Some(headings) = heading.parent_element().map(|row| row.children()) else { return };
    let headings: Vec<_> = (0..headings.length()).filter_map(|at| headings.item(at)).collect();
    let body = table.unchecked_ref::<HtmlTableElement>().t_bodies().item(0);
    let (Some(column), Some(body)) = (headings.iter().position(|other| *other == heading), body) else { return };
    let rows = body.unchecked_ref::<HtmlTableSectionElement>().rows();
    let rows = (0..rows.length()).filter_map(|at| rows.item(at)?.dyn_into::<HtmlTableRowElement>().ok());
    let rows = rows.filter_map(|row| {
        let cell = row.cells().item(column as u32)?;
        let number = cell.get_attribute("data-value").and_then(|value| value.parse::<f64>().ok());
        Some((row, number, cell.text_content().unwrap_or_default()))
    });
    let mut rows: Vec<_> = rows.collect();
    let is_number = rows.iter().all(|(_, number, _)| number.is_some());
    let is_rising = match heading.get_attribute("aria-sort").as_deref() {
        None | Some("none") => !is_number,
        before => before == Some("descending"),
    };
    rows.sort_by(|one, other| {
        let order = match (one.1, other.1) {
            (Some(one), Some(other)) if is_number => one.total_cmp(&other),
            _ => compared(&one.2, &other.2),
        };
        if is_rising { order } else { order.reverse() }
    });
    for other in &headings {
        _ = other.set_attribute("aria-sort", "none");
    }
    _ = heading.set_attribute("aria-sort", if is_rising { "ascending" } else { "descending" });
    for (row, ..) in rows {
        _ = body.append_child(&row);
    }
}

/// The order of two texts in the language of the page.
fn compared(one: &str, other: &str) -> std::cmp::Ordering {
    let language = root().get_attribute("lang").unwrap_or_default();
    let text = JsValue::from_str(one);
    let compare = property(&js_sys::JsString::from(one), "localeCompare").dyn_into::<Function>();
    let order = compare.and_then(|compare| compare.apply(&text, &Array::of2(&other.into(), &language.into())));
    order.ok().and_then(|order| order.as_f64()).unwrap_or_default().total_cmp(&0.0)
}
