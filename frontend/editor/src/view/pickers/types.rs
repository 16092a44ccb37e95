//! The grid of widget types. Each has a picture of itself.

use std::{collections::HashSet, rc::Rc};

use app::{
    built_view::{AnyView, IntoAny},
    editor_files::WidgetType,
    property,
};
use js_sys::{Array, Object, Reflect};
use leptos::{html, prelude::*, task::spawn_local};
use serde_json::json;
use wasm_bindgen::{
    JsCast as _, JsValue,
    prelude::{Closure, wasm_bindgen},
};
use web_sys::{Element, KeyboardEvent};

use super::gallery;
use crate::{
    calls::call,
    editor::{Editor, PICKER_TITLE},
    texts::{field_text, t, t_count},
    view::{grid, modal::Modal, picture::picture, pieces::with_code},
    widget_types::{TypeWords, first_sentence, rank},
};

#[wasm_bindgen]
extern "C" {
    /// Bound here, because the type of `web-sys` would compile Leptos once more for this bundle.
    type IntersectionObserver;
    #[wasm_bindgen(constructor)]
    fn new(callback: &JsValue, options: &Object) -> IntersectionObserver;
    #[wasm_bindgen(method)]
    fn observe(this: &IntersectionObserver, target: &Element);
    #[wasm_bindgen(method)]
    fn disconnect(this: &IntersectionObserver);
}

/// How far from the visible part of the list panels are drawn.
const MARGIN: &str = "300px";

/// Notices which types are seen.
struct Observer {
    observer: IntersectionObserver,
    _on_seen: Closure<dyn Fn(Array)>,
}

impl Observer {
    /// `seen` gets the names of the types whose places come near the visible part of the list.
    fn new(list: &Element, seen: RwSignal<HashSet<String>>) -> Self {
        let on_seen = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
            let near = entries.iter().filter(|entry| property(entry, "isIntersecting").is_truthy());
            let names = near
                .filter_map(|entry| property(&entry, "target").dyn_into::<Element>().ok()?.get_attribute("data-type"));
            let names: Vec<_> = names.collect();
            seen.update(|seen| seen.extend(names));
        });
        let options = Object::new();
        _ = Reflect::set(&options, &"root".into(), list);
        _ = Reflect::set(&options, &"rootMargin".into(), &MARGIN.into());
        Self { observer: IntersectionObserver::new(on_seen.as_ref(), &options), _on_seen: on_seen }
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// What a grid shows.
#[derive(Clone, Copy)]
struct Grid {
    types: RwSignal<Vec<WidgetType>>,
    /// The positions of the types that match, the best first.
    found: Memo<Vec<usize>>,
    /// The names of the types whose panels are drawn: only where they can be seen.
    seen: RwSignal<HashSet<String>>,
    /// Whether the panels are loaded.
    loaded: RwSignal<bool>,
    observer: RwSignal<Option<Rc<Observer>>, LocalStorage>,
    take: Callback<String>,
}

/// The dialog. `take` gets the chosen type, after it has been closed.
#[component]
pub fn Types(editor: Editor, title: String, take: Callback<String>) -> impl IntoView {
    let close = Callback::new(move |()| editor.close_picker());
    let take = Callback::new(move |kind: String| {
        editor.close_picker();
        take.run(kind);
    });
    let query = RwSignal::new(String::new());
    let types = RwSignal::new(Vec::<WidgetType>::new());
    let failure = RwSignal::new(None::<String>);
    let found = Memo::new(move |_| query.with(|text| types.with(|types| matching(types, text))));
    let grid = Grid {
        types,
        found,
        seen: RwSignal::new(HashSet::new()),
        loaded: RwSignal::new(false),
        observer: RwSignal::new_local(None),
        take,
    };
    let base = editor.base.get_value();
    let gallery_address = format!("{base}/widget-gallery");
    spawn_local(async move {
        match call::<Vec<WidgetType>>(&base, "editor-widgets", &json!({})).await {
            Ok(listed) => {
                // The dialog may have been closed in the meantime.
                if types.try_set(listed.into_iter().map(translated).collect()).is_none() {
                    gallery::load(&base).await;
                    _ = grid.loaded.try_set(true);
                }
            }
            Err(rejection) => _ = failure.try_set(Some(rejection.message)),
        }
    });
    let list = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(list) = list.get() {
            grid.observer.set(Some(Rc::new(Observer::new(&list, grid.seen))));
        }
    });
    let search = NodeRef::<html::Input>::new();
    let typed = move |event| {
        query.set(event_target_value(&event).trim().to_owned());
        if let Some(list) = list.get_untracked() {
            list.set_scroll_top(0);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        let (Some(search), Some(list)) = (search.get_untracked(), list.get_untracked()) else { return };
        let cells = grid::cells(&list, ".edit-type");
        let key = event.key();
        if event.target().as_ref() == Some(&search) {
            match key.as_str() {
                "Enter" if !query.with_untracked(String::is_empty) => {
                    event.prevent_default();
                    if let Some(first) = grid.name(found.with_untracked(|found| found.first().copied())) {
                        take.run(first);
                    }
                }
                "ArrowDown" | "ArrowUp" => {
                    event.prevent_default();
                    if let Some(cell) = if key == "ArrowDown" { cells.first() } else { cells.last() } {
                        _ = cell.focus();
                    }
                }
                _ => {}
            }
        } else if let Some(at) = grid::focused(&cells) {
            if key == "ArrowUp" && grid::is_in_first_row(&cells, at) {
                event.prevent_default();
                _ = search.focus();
            } else {
                grid::move_focus(&event, &cells);
            }
        }
    };
    // Without a search, the types are in categories; the results of one begin with the best.
    let groups = Memo::new(move |_| {
        if !query.with(String::is_empty) {
            return vec![None];
        }
        types.with(|types| {
            let mut categories: Vec<Option<String>> = Vec::new();
            for kind in types {
                if !categories.contains(&Some(kind.category.clone())) {
                    categories.push(Some(kind.category.clone()));
                }
            }
            categories
        })
    });
    let status = move || {
        if let Some(failure) = failure.get() {
            return failure;
        }
        let first = found.with(|found| found.first().copied());
        let count = found.with(Vec::len);
        match first.and_then(|first| types.with(|types| types.get(first).map(|kind| kind.title.clone()))) {
            None if types.with(Vec::is_empty) => String::new(),
            None => t("No widget matches these words."),
            Some(_) if query.with(String::is_empty) => {
                t_count("1 type of widgets", "{count} types of widgets", count, &[])
            }
            Some(name) => t_count(
                "1 type of widgets. Enter takes {name}.",
                "{count} types of widgets. Enter takes {name}.",
                count,
                &[("name", &name)],
            ),
        }
    };
    view! {
        <Modal title=title class="edit-picker" close title_id=PICKER_TITLE on:keydown=on_key>
            <label class="field edit-search">
                <span>{t("Search by what it shows, or by its service")}</span>
                <input node_ref=search type="search" autocomplete="off" spellcheck="false" autofocus=true on:input=typed/>
            </label>
            <div node_ref=list class="edit-scroll" class:searched=move || !query.with(String::is_empty)>
                <For each=move || groups.get() key=Clone::clone children=move |category| group(grid, category)/>
            </div>
            <p class="edit-status" class:failed=move || failure.with(Option::is_some) role="status">{status}</p>
            <div class="edit-buttons">
                <a class="button" href=gallery_address target="_blank" rel="noopener">{t("See them with sample data")}</a>
                <button class="button" type="button" on:click=move |_| close.run(())>{t("Cancel")}</button>
            </div>
        </Modal>
    }
}

/// A type in the language of the page. People look for the English names too.
fn translated(kind: WidgetType) -> WidgetType {
    WidgetType {
        title: field_text(&kind.title),
        about: field_text(&kind.about),
        category: field_text(&kind.category),
        words: [&*kind.words, &kind.title, &kind.category].join(" "),
        ..kind
    }
}

/// The positions of the types that match a text, the best first.
fn matching(types: &[WidgetType], text: &str) -> Vec<usize> {
    let ranked = types.iter().enumerate().filter_map(|(position, kind)| {
        let WidgetType { name, title, about, words, category, .. } = kind;
        Some((rank(&TypeWords { name, title, words, about, category }, text)?, position))
    });
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, position)| position).collect()
}

impl Grid {
    /// The name of the type at a position.
    fn name(self, position: Option<usize>) -> Option<String> {
        self.types.with_untracked(|types| Some(types.get(position?)?.name.clone()))
    }
}

/// The types of a category; all that match if there is none.
fn group(grid: Grid, category: Option<String>) -> AnyView {
    let heading = category.clone().map(|category| view! { <h3>{category}</h3> });
    let own = move || {
        let mut own = grid.found.get();
        if let Some(category) = &category {
            grid.types.with(|types| own.retain(|position| types[*position].category == *category));
        }
        own
    };
    let list = view! {
        <ul class="edit-types" role="list">
            <For each=own key=|position| *position children=move |position| cell(grid, position)/>
        </ul>
    };
    match heading {
        Some(heading) => view! { <section class="edit-category">{heading}{list}</section> }.into_any(),
        None => list.into_any(),
    }
}

/// A type: its picture, its name and the first sentence about it.
fn cell(grid: Grid, position: usize) -> AnyView {
    let Some(kind) = grid.types.with_untracked(|types| types.get(position).cloned()) else { return ().into_any() };
    let place = NodeRef::<html::Span>::new();
    Effect::new(move |_| {
        if let (Some(place), Some(observer)) = (place.get(), grid.observer.get()) {
            observer.observer.observe(&place);
        }
    });
    let name = kind.name.clone();
    let is_near = Memo::new(move |_| grid.loaded.get() && grid.seen.with(|seen| seen.contains(&name)));
    let name = kind.name.clone();
    Effect::new(move |_| {
        if is_near.get()
            && let (Some(place), Some(panel)) = (place.get(), gallery::panel(&name))
        {
            place.replace_children_with_node_1(&panel);
            _ = place.class_list().add_1("drawn");
        }
    });
    let name = kind.name.clone();
    let about = with_code(first_sentence(&kind.about));
    view! {
        <li>
            <button type="button" class="edit-type" title=kind.name.clone() on:click=move |_| grid.take.run(name.clone())>
                <span node_ref=place class="edit-type-picture" aria-hidden="true" inert=true data-type=kind.name.clone()>
                    {picture(kind.picture)}
                </span>
                <strong>{kind.title}</strong>
                <span>{about}</span>
            </button>
        </li>
    }
    .into_any()
}
