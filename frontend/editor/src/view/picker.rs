//! The types of widgets, with a search.

use leptos::prelude::*;
use serde_json::json;

use super::{bar::words, modal::Modal};
use crate::{
    editor::{Editor, Way},
    edits::List,
};

/// The list of all types, to add one to a section.
#[component]
pub fn Picker(editor: Editor, section: usize) -> impl IntoView {
    let query = RwSignal::new(String::new());
    let close = Callback::new(move |()| editor.go(Way::Stay));
    let types = editor.file.with_untracked(|file| file.widgets.clone());
    let found = move || {
        let query = query.get().to_lowercase();
        let fits = |text: &str| query.split_whitespace().all(|word| text.contains(word));
        let rows: Vec<_> = types
            .iter()
            .filter(|kind| fits(&format!("{} {} {}", kind.name, kind.about, kind.words).to_lowercase()))
            .map(|kind| {
                let (name, about) = (kind.name.clone(), words(first_sentence(&kind.about)));
                let chosen = name.clone();
                let choose = move |_| editor.open_new(List::Widgets(section), json!({ "type": chosen }));
                view! {
                    <li>
                        <button class="edit-type" type="button" on:click=choose>
                            <strong>{name}</strong>
                            <span>{about}</span>
                        </button>
                    </li>
                }
            })
            .collect();
        if rows.is_empty() {
            view! { <p class="edit-text">"No widget is found by these words."</p> }.into_any()
        } else {
            view! { <ul class="edit-types" role="list">{rows}</ul> }.into_any()
        }
    };
    view! {
        <Modal title="Add widget".to_owned() class="edit-picker" close>
            <label class="field edit-search">
                <span>"Search by what it shows, or by its service"</span>
                <input type="search" autofocus on:input=move |event| query.set(event_target_value(&event))/>
            </label>
            <div class="edit-scroll">{found}</div>
        </Modal>
    }
}

/// What the list says of a type.
fn first_sentence(about: &str) -> &str {
    about.find(". ").map_or(about, |end| &about[..=end])
}
