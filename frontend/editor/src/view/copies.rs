//! The dialogs for the user's own copies of the config: an encrypted file, restoring a file, and a copy at an endpoint.

use std::pin::Pin;

use app::{browser::download_text, built_view::Children, importing::ImportedFile};
use leptos::{ev::SubmitEvent, html, prelude::*, task::spawn_local};

use super::{files::chosen, modal::Modal, pieces::with_code};
use crate::{
    draft::Draft,
    editor::{DialogAction, Editor},
    encrypted_file::{EncryptedFile, check_length, decrypt, encrypt, name_of_copy},
    remote_copy::{self, host_of},
    storage,
    texts::{fill, t},
};

const CLASS: &str = "edit-question edit-backup";

/// A file that is being read or encrypted, or why there is none, in a sentence.
type Preparing = Pin<Box<dyn Future<Output = Result<ImportedFile, String>>>>;

fn typed(field: NodeRef<html::Input>) -> String {
    field.get_untracked().map(|field| field.value()).unwrap_or_default()
}

/// A dialog with a form that makes a file, and then does something with it.
#[component]
fn FileForm(
    editor: Editor,
    title: String,
    about: String,
    /// The label of the button.
    does: String,
    prepare: Box<dyn Fn() -> Preparing>,
    /// What happens with the file; nothing, if the dialog has been closed in the meantime.
    finish: fn(Editor, ImportedFile) -> Result<(), String>,
    children: Children,
) -> impl IntoView {
    let close = Callback::new(move |()| editor.act(DialogAction::Close));
    let problem = RwSignal::new(String::new());
    let is_busy = RwSignal::new(false);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        problem.set(String::new());
        is_busy.set(true);
        let preparing = prepare();
        spawn_local(async move {
            let prepared = preparing.await;
            if is_busy.try_set(false).is_some() {
                return;
            }
            match prepared.and_then(|file| finish(editor, file)) {
                Ok(()) => close.run(()),
                Err(message) => problem.set(message),
            }
        });
    };
    view! {
        <Modal title=title class=CLASS close>
            <form novalidate on:submit=submit>
                <div class="edit-scroll">
                    <p>{with_code(&about)}</p>
                    {children.build()}
                </div>
                <p class="edit-problem" role="alert">{move || with_code(&problem.get())}</p>
                <div class="edit-buttons">
                    <button class="button" type="button" on:click=move |_| close.run(())>{t("Cancel")}</button>
                    <button class="button primary" type="submit" disabled=is_busy>{does}</button>
                </div>
            </form>
        </Modal>
    }
}

/// Downloads the draft as an encrypted file.
#[component]
pub fn EncryptedCopy(editor: Editor) -> impl IntoView {
    let (password, again) = (NodeRef::<html::Input>::new(), NodeRef::<html::Input>::new());
    let about = fill(
        "The copy of `{file}` holds all keys that are in it, encrypted with this password. Nobody can open it without, and nobody can give you another one.",
        &[("file", &editor.file_name())],
    );
    let prepare = move || -> Preparing {
        let (password, again) = (typed(password), typed(again));
        let (file, text) = (editor.file_name(), editor.draft.with_untracked(Draft::text));
        Box::pin(async move {
            check_length(&password)?;
            if password != again {
                return Err(t("The two passwords differ. Type them again."));
            }
            let text = encrypt(&file, &text, &password).await?;
            Ok(ImportedFile { name: name_of_copy(&file), text })
        })
    };
    let finish = |_: Editor, ImportedFile { name, text }| {
        download_text(&name, &text);
        Ok(())
    };
    view! {
        <FileForm editor title=t("Encrypted copy") about does=t("Download") prepare=Box::new(prepare) finish>
            <label class="field">
                <span>{t("Password")}</span>
                <input node_ref=password type="password" autocomplete="new-password" required/>
            </label>
            <label class="field">
                <span>{t("Password once more")}</span>
                <input node_ref=again type="password" autocomplete="new-password" required/>
            </label>
        </FileForm>
    }
}

/// Replaces the draft with a file, encrypted or not.
#[component]
pub fn RestoreFile(editor: Editor) -> impl IntoView {
    let (input, password) = (NodeRef::<html::Input>::new(), NodeRef::<html::Input>::new());
    let is_encrypted = RwSignal::new(false);
    let look = move |_| {
        let Some(input) = input.get_untracked() else { return };
        spawn_local(async move {
            let files = chosen(&input).await;
            let found = files.first().is_some_and(|file| EncryptedFile::parse(&file.text).is_some());
            if is_encrypted.try_set(found).is_none() && found {
                // It takes the focus once it is shown.
                request_animation_frame(move || _ = password.try_get_untracked().flatten().map(|field| field.focus()));
            }
        });
    };
    let prepare = move || -> Preparing {
        let (input, password) = (input.get_untracked(), typed(password));
        Box::pin(async move {
            let files = match &input {
                Some(input) => chosen(input).await,
                None => Vec::new(),
            };
            let file = files.into_iter().next().ok_or_else(|| t("Choose a file first."))?;
            Ok(match EncryptedFile::parse(&file.text) {
                Some(encrypted) => ImportedFile { text: decrypt(&encrypted, &password).await?, ..file },
                None => file,
            })
        })
    };
    let finish = |editor: Editor, ImportedFile { name, text }| {
        let refusal = editor.take_text(&text, fill("Restore {name}", &[("name", &name)]));
        if refusal.is_empty() {
            return Ok(());
        }
        Err(fill("`{name}` cannot be used: {reason}", &[("name", &name), ("reason", &refusal)]))
    };
    let about = t(
        "An encrypted copy, a downloaded backup or any config file. It becomes your draft; nothing is written before you save.",
    );
    view! {
        <FileForm editor title=t("Restore from a file") about does=t("Use as draft") prepare=Box::new(prepare) finish>
            <label class="field">
                <span>{t("File")}</span>
                <input node_ref=input type="file" accept=".json,.yml,.yaml" required on:change=look/>
            </label>
            <label class="field" hidden=move || !is_encrypted.get()>
                <span>{t("Password")}</span>
                <input node_ref=password type="password" autocomplete="current-password"/>
            </label>
        </FileForm>
    }
}

/// What can be done with a remote copy.
#[derive(Clone, Copy)]
enum Way {
    Store,
    Restore,
    Delete,
}

/// What was done with a remote copy.
enum Done {
    /// It is stored under this id.
    Stored(String),
    /// It was decrypted to this text.
    Loaded(String),
    /// It was deleted.
    Deleted,
}

/// The endpoint, and what was typed about the copy.
struct Remote {
    endpoint: String,
    id: String,
    password: String,
}

impl Remote {
    /// Stores a copy of the draft.
    async fn store(&self, file: &str, text: &str) -> Result<Done, String> {
        let copy = encrypt(file, text, &self.password).await?;
        let id = remote_copy::store(&self.endpoint, &copy, &self.password, &self.id).await?;
        storage::keep_backup_id(&id);
        Ok(Done::Stored(id))
    }

    /// Loads and decrypts the copy.
    async fn load(&self) -> Result<Done, String> {
        let copy = remote_copy::load(&self.endpoint, &self.password, &self.id).await?;
        let copy =
            EncryptedFile::parse(&copy).ok_or_else(|| t("This copy was not made by Portico, which cannot open it."))?;
        decrypt(&copy, &self.password).await.map(Done::Loaded)
    }

    /// Deletes the copy.
    async fn delete(&self) -> Result<Done, String> {
        remote_copy::remove(&self.endpoint, &self.password, &self.id).await?;
        storage::keep_backup_id("");
        Ok(Done::Deleted)
    }
}

/// Replaces the draft with a remote copy.
fn take_copy(editor: Editor, text: &str, id: &str) -> Result<(), String> {
    let refusal = editor.take_text(text, t("Restore the remote copy"));
    if !refusal.is_empty() {
        return Err(fill("The copy cannot be used: {reason}", &[("reason", &refusal)]));
    }
    storage::keep_backup_id(id.trim());
    Ok(())
}

/// Stores an encrypted copy of the draft at the endpoint in the config, restores it, or deletes it.
#[component]
pub fn RemoteCopy(editor: Editor) -> impl IntoView {
    let close = Callback::new(move |()| editor.act(DialogAction::Close));
    let file = editor.file_name();
    let endpoint = editor.file.with_untracked(|file| file.backup_endpoint.clone().unwrap_or_default());
    let about = fill(
        "Keeps a copy of `{file}` at `{host}`. This browser encrypts it with the password, and without the password nobody can open it.",
        &[("file", &file), ("host", &host_of(&endpoint))],
    );
    let id = RwSignal::new(storage::backup_id());
    let password = NodeRef::<html::Input>::new();
    let (problem, status) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let (is_busy, is_sure) = (RwSignal::new(false), RwSignal::new(false));
    let finish = move |done: Done| {
        let said = match done {
            Done::Stored(stored) => {
                let text = "The copy is kept under the id `{id}`. Write it down: with it and the password the copy comes back.";
                let said = fill(text, &[("id", &stored)]);
                id.set(stored);
                said
            }
            Done::Loaded(text) => {
                take_copy(editor, &text, &id.get_untracked())?;
                close.run(());
                return Ok(());
            }
            Done::Deleted => {
                id.set(String::new());
                t("The copy is deleted.")
            }
        };
        status.set(said);
        Ok(())
    };
    let start = move |way: Way| {
        let remote = Remote { endpoint: endpoint.clone(), id: id.get_untracked(), password: typed(password) };
        let (file, text) = (file.clone(), editor.draft.with_untracked(Draft::text));
        status.set(t("One moment…"));
        is_busy.set(true);
        spawn_local(async move {
            let done = match way {
                Way::Store => remote.store(&file, &text).await,
                Way::Restore => remote.load().await,
                Way::Delete => remote.delete().await,
            };
            // The dialog may have been closed in the meantime.
            if is_busy.try_set(false).is_some() {
                return;
            }
            if let Err(message) = done.and_then(finish) {
                status.set(String::new());
                problem.set(message);
            }
        });
    };
    let attempt = Callback::new(move |way: Way| {
        problem.set(String::new());
        if let Err(message) = check_length(&typed(password)) {
            status.set(String::new());
            return problem.set(message);
        }
        if matches!(way, Way::Delete) {
            is_sure.update(|is_sure| *is_sure = !*is_sure);
            if is_sure.get_untracked() {
                return status.set(t("Nothing brings it back. Press again to delete it."));
            }
        }
        start(way);
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        attempt.run(Way::Store);
    };
    view! {
        <Modal title=t("Remote copy") class=CLASS close>
            <form novalidate on:submit=submit>
                <div class="edit-scroll">
                    <p>{with_code(&about)}</p>
                    <label class="field">
                        <span>{t("Id")}</span>
                        <input
                            type="text" spellcheck="false" autocomplete="off" placeholder=t("Empty for a new copy") prop:value=id
                            on:input=move |event| id.set(event_target_value(&event))
                        />
                    </label>
                    <label class="field">
                        <span>{t("Password")}</span>
                        <input node_ref=password type="password" autocomplete="off" required/>
                    </label>
                    <div>
                        <p class="edit-problem" role="alert">{move || with_code(&problem.get())}</p>
                        <p role="status">{move || with_code(&status.get())}</p>
                    </div>
                </div>
                <div class="edit-buttons">
                    <button class="button" type="button" on:click=move |_| close.run(())>{t("Close")}</button>
                    <button class="button danger" type="button" disabled=is_busy on:click=move |_| attempt.run(Way::Delete)>
                        {t("Delete the copy")}
                    </button>
                    <button class="button" type="button" disabled=is_busy on:click=move |_| attempt.run(Way::Restore)>
                        {t("Restore")}
                    </button>
                    <button class="button primary" type="submit" disabled=is_busy>{t("Back up")}</button>
                </div>
            </form>
        </Modal>
    }
}
