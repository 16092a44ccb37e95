//! The pop-up with a page in a frame, and the list of keys.

use leptos::prelude::*;

use super::{PageState, symbols};
use crate::{
    search::web::encoded,
    words::{fixed, t, t_for_script},
};

/// The pop-up of the opening method `modal`. The browser module opens and closes the `<dialog>`. The server redirects the
/// frame to the address, or shows in it that the site forbids that.
#[component]
pub fn FrameDialog(
    /// Path prefix of the product.
    base: String,
) -> impl IntoView {
    let state = expect_context::<PageState>();
    let content = move || {
        state.frame.get().map(|frame| {
            let src = [&base, "/framed?url=", &encoded(&frame.url)].concat();
            view! {
                <div class="dialog-header">
                    <h2 id="frame-title">{frame.title.clone()}</h2>
                    <a class="button" href=frame.url.clone() target="_blank" rel="noopener noreferrer">{t_for_script("Open in a new tab")}</a>
                    <button class="icon-button" type="button" aria-label=t_for_script("Close") on:click=move |_| state.frame.set(None)>
                        {symbols::close()}
                    </button>
                </div>
                <iframe src=src title=frame.title allow="fullscreen; clipboard-write"></iframe>
            }
        })
    };
    view! {
        <dialog id="frame-dialog" class="frame-dialog" aria-labelledby="frame-title" on:close=move |_| state.frame.set(None)>
            {content}
        </dialog>
    }
}

/// Keys and what they do (docs/spec/behavior.md 7).
#[cfg(feature = "ssr")]
const KEYS: [(&[&str], &str); 11] = [
    (&["A", "…", "Z", "/"], "Search"),
    (&["0", "…", "9"], "Open the item with that digit"),
    (&["←", "→"], "Previous or next item"),
    (&["↑", "↓"], "Row above or below"),
    (&["Enter"], "Open the item, or the first hit"),
    (&["Shift", "Enter"], "Search the web for what is typed"),
    (&["Ctrl", "Enter"], "Open the item in a new tab"),
    (&["Alt", "Enter"], "Open the item in a pop-up"),
    (&["Tab"], "Next control"),
    (&["Esc"], "Clear the search, close what is open"),
    (&["?"], "This list"),
];

/// One row for each of them.
#[cfg(feature = "ssr")]
fn rows() -> impl IntoView {
    KEYS.map(|(keys, meaning)| {
        let keys = keys.iter().map(|key| view! { <kbd>{*key}</kbd> }).collect_view();
        view! { <div><dt>{keys}</dt><dd>{t(meaning)}</dd></div> }
    })
    .collect_view()
}

/// The list of keys, opened with `?`.
#[component]
pub fn KeysDialog() -> impl IntoView {
    let state = expect_context::<PageState>();
    view! {
        <dialog
            id="keys-dialog"
            class="keys-dialog"
            aria-labelledby="keys-title"
            on:close=move |_| state.keys_shown.set(false)
        >
            <div class="dialog-header">
                {fixed! { <h2 id="keys-title">{t("Keys")}</h2> }}
                <button
                    class="icon-button"
                    type="button"
                    aria-label=t("Close")
                    on:click=move |_| state.keys_shown.set(false)
                >
                    {symbols::close()}
                </button>
            </div>
            {fixed! { <dl class="keys">{rows()}</dl> }}
        </dialog>
    }
}
