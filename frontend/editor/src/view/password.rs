//! The password of an account in a form. The server hashes it; the file and the draft never contain the password.

use app::built_view::{AnyView, IntoAny};
use leptos::{prelude::*, task::spawn_local};

use crate::{editor::Editor, form::Form, texts::t};

/// The input. `set` gets the hash of each new password, nothing if the field is emptied, or why there is no hash.
pub fn password_view(
    editor: Editor,
    form: Form,
    id: String,
    is_set: bool,
    described: Signal<String>,
    has_problem: Memo<bool>,
    set: impl Fn(Result<Option<String>, String>) + Send + Sync + 'static,
) -> AnyView {
    let set = StoredValue::new(Callback::new(set));
    let newest = StoredValue::new(0_u32);
    let visible = RwSignal::new(false);
    let note = RwSignal::new(String::new());
    // When the field is left, or the form sent: not for each letter.
    let changed = move |event| {
        let text = event_target_value(&event);
        let number = newest.get_value() + 1;
        newest.set_value(number);
        if text.is_empty() {
            note.set(String::new());
            return set.get_value().run(Ok(None));
        }
        form.waiting.update(|waiting| *waiting += 1);
        note.set(t("Hashing…"));
        spawn_local(async move {
            let answer = editor.hash_password(text).await;
            // The dialog may have been closed in the meantime.
            if form.waiting.try_update(|waiting| *waiting -= 1).is_none() || newest.try_get_value() != Some(number) {
                return;
            }
            note.set(if answer.is_ok() { t("The new password takes effect when you save.") } else { String::new() });
            set.get_value().run(answer.map(Some));
        });
    };
    let placeholder = secret_placeholder(is_set);
    let kind = move || if visible.get() { "text" } else { "password" };
    view! {
        <div class="edit-helped">
            <input
                type=kind autocomplete="new-password" spellcheck="false" id=id placeholder=placeholder
                aria-describedby=described aria-invalid=move || has_problem.get().then_some("true")
                on:input=move |_| form.touched.set(true) on:change=changed
            />
            <button
                class="button" type="button" aria-label=t("Show the password") aria-pressed=move || visible.get().to_string()
                on:click=move |_| visible.update(|visible| *visible = !*visible)
            >
                {t("Show")}
            </button>
        </div>
        <p class="edit-about" role="status">{note}</p>
    }
    .into_any()
}

/// What the empty field of a secret says.
pub fn secret_placeholder(is_set: bool) -> String {
    if is_set { t("Set. Type to replace it.") } else { t("Not set") }
}
