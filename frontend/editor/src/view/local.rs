//! The question before the draft is saved in this browser only.

use leptos::prelude::*;

use super::{modal::Modal, pieces::with_code};
use crate::{
    editor::{DialogAction, Editor},
    texts::{fill, t},
};

/// The dialog.
#[component]
pub fn SaveLocally(editor: Editor) -> impl IntoView {
    let close = Callback::new(move |()| editor.act(DialogAction::Close));
    let problem = RwSignal::new(String::new());
    let save = move |_| {
        if let Err(message) = editor.save_locally() {
            problem.set(message);
        }
    };
    let about = fill(
        "The page then shows your draft here, with a badge that says so. Everybody else, and your other browsers, see `{file}` as it is. It is forgotten when you reset it, save it to disk or sign out.",
        &[("file", &editor.file_name())],
    );
    view! {
        <Modal title=t("Save in this browser only?") class="edit-question" close>
            <p class="edit-text">{with_code(&about)}</p>
            <p class="edit-problem" role="alert">{problem}</p>
            <div class="edit-buttons">
                <button class="button" type="button" on:click=move |_| close.run(())>{t("Keep editing")}</button>
                <button class="button primary" type="button" on:click=save>{t("Save locally")}</button>
            </div>
        </Modal>
    }
}
