//! What fits the title of an item: icons by its name, and the address at which such a service usually responds.

use std::time::Duration;

use app::editor_files::{FoundIcons, OfferedIcon};
use leptos::{html, leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};
use serde_json::json;

use super::{grid, picture::picture};
use crate::{
    calls::call,
    editor::{Editor, Field},
    texts::{fill, t},
    usual_address::usual_address,
};

/// How long typing has to pause before the server is asked.
const DEBOUNCE: Duration = Duration::from_millis(200);
/// How many icons are offered, and how many of one group.
const MAX_ICONS: usize = 3;
const MAX_OF_GROUP: usize = 2;
/// The ids of the fields that are filled in.
const ICON: &str = "edit-icon";
const ADDRESS: &str = "edit-url";

/// A text for a field.
#[derive(Clone)]
struct Suggestion {
    /// The id of the field.
    field: &'static str,
    value: String,
    /// The name of the button.
    label: String,
    /// What it shows.
    text: String,
    picture: Option<String>,
}

/// The suggestions for a title that is being typed; none while it is `None`.
#[component]
pub fn Suggestions(editor: Editor, title: RwSignal<Option<String>>) -> impl IntoView {
    let offered = RwSignal::new(Vec::<Suggestion>::new());
    let pause = StoredValue::new(None::<TimeoutHandle>);
    let newest = StoredValue::new(0_u32);
    let stop = move || {
        if let Some(pause) = pause.try_update_value(Option::take).flatten() {
            pause.clear();
        }
    };
    Effect::new(move |_| {
        let Some(title) = title.get() else { return };
        stop();
        let ask = move || {
            let number = newest.get_value() + 1;
            newest.set_value(number);
            spawn_local(async move {
                let found = suggestions(editor, title.trim()).await;
                // The form may have been closed, or something else typed.
                if newest.try_get_value() == Some(number) {
                    offered.set(found);
                }
            });
        };
        pause.set_value(set_timeout_with_handle(ask, DEBOUNCE).ok());
    });
    on_cleanup(stop);
    let place = NodeRef::<html::Div>::new();
    let take = move |suggestion: &Suggestion| {
        let Some(field) = Field::by_id(suggestion.field) else { return };
        field.fill(&suggestion.value);
        // The others for the same field go with it.
        offered.update(|offered| offered.retain(|other| other.field != suggestion.field));
        request_animation_frame(move || {
            let left = place.get_untracked().map(|place| grid::cells(&place, "button")).unwrap_or_default();
            match left.first() {
                Some(next) => _ = next.focus(),
                None => field.focus(),
            }
        });
    };
    let chips = move || {
        let chip = |suggestion: Suggestion| {
            let drawn = suggestion.picture.clone().map(picture);
            let (label, text) = (suggestion.label.clone(), suggestion.text.clone());
            view! {
                <button class="button edit-suggestion" type="button" aria-label=label on:click=move |_| take(&suggestion)>
                    {drawn}
                    <span>{text}</span>
                </button>
            }
        };
        offered.get().into_iter().map(chip).collect_view()
    };
    view! { <div node_ref=place class="edit-suggestions" role="group" aria-label=t("Suggestions")>{chips}</div> }
}

/// What fits a title, for fields that are empty.
async fn suggestions(editor: Editor, title: &str) -> Vec<Suggestion> {
    let is_empty = |id: &str| Field::by_id(id).is_some_and(|field| field.value().is_empty());
    let mut found = Vec::new();
    if title.chars().nth(1).is_some() && is_empty(ICON) {
        let base = editor.base.get_value();
        for group in ["applications", "brands"] {
            let arguments = json!({ "words": title, "group": group, "skip": 0 });
            let Ok(answer) = call::<FoundIcons>(&base, "editor-icons", &arguments).await else { continue };
            found.extend(answer.icons.into_iter().take(MAX_OF_GROUP).map(of_icon));
        }
        found.truncate(MAX_ICONS);
    }
    let host = window().location().hostname().unwrap_or_default();
    if is_empty(ADDRESS)
        && let Some(address) = usual_address(title, &host)
    {
        let label = fill("Address {address}", &[("address", &address)]);
        found.push(Suggestion { field: ADDRESS, value: address.clone(), label, text: address, picture: None });
    }
    found
}

fn of_icon(icon: OfferedIcon) -> Suggestion {
    let label = fill("Icon {name}", &[("name", &icon.value)]);
    Suggestion { field: ICON, value: icon.value, label, text: icon.name, picture: icon.picture }
}
