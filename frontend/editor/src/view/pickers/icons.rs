//! The icon picker, which also stores pictures. The field gets the value for the config: `hl-jellyfin`, `mdi-server`, 🚀,
//! `logos/nas.png`. The server searches the bundled sets, emoji and the user's own files (`server/src/icons/choice.rs`).

use std::time::Duration;

use app::{
    browser::root,
    editor_files::{FoundIcons, MAX_PICTURE_BYTES, OfferedIcon, StoredPicture},
    property,
};
use js_sys::{Array, Number, Uint8Array};
use leptos::{
    ev::{DragEvent, Event},
    html,
    leptos_dom::helpers::TimeoutHandle,
    prelude::*,
    task::spawn_local,
};
use serde_json::json;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Element, EventTarget, HtmlElement, HtmlInputElement, KeyboardEvent};

use crate::{
    calls::call,
    editor::{Editor, Field, PICKER_TITLE},
    texts::{fill, t, t_count},
    view::{
        grid,
        modal::Modal,
        picture::{glyph, picture},
        pieces::with_code,
    },
};

/// The groups: their names for the server and for people.
fn groups() -> [(&'static str, String); 8] {
    [
        ("", t("All")),
        ("applications", t("Applications")),
        ("selfhst", "selfh.st".to_owned()),
        ("brands", t("Brands")),
        ("symbols", t("Symbols")),
        ("font-awesome", "Font Awesome".to_owned()),
        ("emoji", t("Emoji")),
        ("files", t("Your pictures")),
    ]
}

/// The group of the user's own pictures.
const OWN: &str = "files";
/// What the file picker offers; the server checks the content.
const ACCEPTED: &str = ".png,.jpg,.jpeg,.webp,.gif,.avif,.ico,.svg";
/// How long typing has to pause before a search.
const DEBOUNCE: Duration = Duration::from_millis(150);

/// Values that are not pictures.
fn others(base: &str) -> [OfferedIcon; 2] {
    let other = |value: &str, name: String, symbol: &str| OfferedIcon {
        value: value.to_owned(),
        name,
        group: String::new(),
        picture: Some(format!("{base}/icons/mdi/{symbol}.svg#i")),
    };
    [
        other("favicon", t("Icon of the site"), "web"),
        other("generative", t("Pattern made of the address"), "fingerprint"),
    ]
}

/// The search and its results.
#[derive(Clone, Copy)]
struct Search {
    editor: Editor,
    field: StoredValue<Field>,
    text: RwSignal<String>,
    group: RwSignal<String>,
    icons: RwSignal<Vec<OfferedIcon>>,
    /// How many icons of the server are shown.
    shown: StoredValue<usize>,
    has_more: RwSignal<bool>,
    is_busy: RwSignal<bool>,
    /// The number of the newest search.
    newest: StoredValue<u32>,
    /// The position of the option that Tab reaches.
    stop: RwSignal<usize>,
    status: RwSignal<String>,
    has_failed: RwSignal<bool>,
    is_storing: RwSignal<bool>,
    pause: StoredValue<Option<TimeoutHandle>>,
    input: NodeRef<html::Input>,
    grid: NodeRef<html::Div>,
    scroll: NodeRef<html::Div>,
}

impl Search {
    fn say(self, text: String, has_failed: bool) {
        self.status.set(text);
        self.has_failed.set(has_failed);
    }

    fn options(self) -> Vec<HtmlElement> {
        self.grid.get_untracked().map(|grid| grid::cells(&grid, "[role=option]")).unwrap_or_default()
    }

    fn close(self) {
        self.editor.close_picker();
        self.field.get_value().focus();
    }

    fn take(self, value: &str) {
        let field = self.field.get_value();
        self.close();
        field.fill(value);
    }

    fn stop_pause(self) {
        if let Some(pause) = self.pause.try_update_value(Option::take).flatten() {
            pause.clear();
        }
    }

    /// Searches once typing has paused.
    fn find_later(self) {
        self.stop_pause();
        self.is_busy.set(true);
        self.pause.set_value(set_timeout_with_handle(move || spawn_local(self.find(0)), DEBOUNCE).ok());
    }

    /// Shows the results; `skip` icons are shown already.
    async fn find(self, skip: usize) {
        let Some(number) = self.newest.try_update_value(|newest| {
            *newest += 1;
            *newest
        }) else {
            return;
        };
        self.is_busy.set(true);
        let text = self.text.get_untracked().trim().to_owned();
        let group = self.group.get_untracked();
        let base = self.editor.base.get_value();
        let wanted = (!group.is_empty()).then_some(&group);
        let arguments = json!({ "words": text, "group": wanted, "skip": skip });
        let answer = call::<FoundIcons>(&base, "editor-icons", &arguments).await;
        // The dialog may have been closed, or something else typed.
        if self.newest.try_get_value() != Some(number) {
            return;
        }
        self.is_busy.set(false);
        match answer {
            Ok(found) => self.show(found, skip, &text, &base, group.is_empty()),
            Err(rejection) => self.say(rejection.message, true),
        }
    }

    fn show(self, found: FoundIcons, skip: usize, text: &str, base: &str, in_all_groups: bool) {
        let lower = text.to_lowercase();
        let mut first = Vec::new();
        if skip == 0 && in_all_groups {
            first.extend(others(base));
            first.retain(|icon| format!("{} {}", icon.value, icon.name).to_lowercase().contains(&lower));
        }
        let total = found.total + first.len();
        // The focus may be among the results of what was typed before.
        let focused = if skip == 0 { grid::focused(&self.options()) } else { None };
        self.shown.set_value(skip + found.icons.len());
        self.has_more.set(skip + found.icons.len() < found.total);
        let before = if skip == 0 { 0 } else { self.icons.with_untracked(Vec::len) };
        self.icons.update(|icons| {
            icons.truncate(before);
            icons.extend(first);
            icons.extend(found.icons);
        });
        if skip == 0
            && let Some(scroll) = self.scroll.get_untracked()
        {
            scroll.set_scroll_top(0);
        }
        let chosen = self.field.get_value().value();
        let (count, chosen) =
            self.icons.with_untracked(|icons| (icons.len(), icons.iter().position(|icon| icon.value == chosen.trim())));
        let target = match focused {
            Some(at) => Some(at.min(count.saturating_sub(1))),
            None if skip > 0 => Some(before),
            None => None,
        };
        self.stop.set(target.or(chosen).unwrap_or_default());
        if let Some(target) = target {
            request_animation_frame(move || self.focus(target));
        }
        let number = Number::from(total as f64).to_locale_string(&root().get_attribute("lang").unwrap_or_default());
        let status = match total {
            0 => fill("No icon matches “{text}”. Try a single word, or another kind.", &[("text", text)]),
            _ => t_count("1 icon", "{count} icons", total, &[("count", &String::from(number))]),
        };
        self.say(status, false);
    }

    /// Gives the focus to an option; to the search if there is none.
    fn focus(self, position: usize) {
        if let Some(option) = self.options().get(position) {
            _ = option.focus();
        } else if let Some(input) = self.input.get_untracked() {
            _ = input.focus();
        }
    }

    /// Stores pictures. A single one is chosen at once.
    async fn store(self, files: Vec<(String, Blob)>) {
        self.is_storing.set(true);
        let is_single = files.len() == 1;
        let result = self.store_all(files).await;
        // The dialog may have been closed in the meantime.
        if self.is_storing.try_set(false).is_some() {
            return;
        }
        match result {
            Ok(stored) if is_single => self.take(&stored[0].value),
            Ok(stored) => {
                self.text.set(String::new());
                self.group.set(OWN.to_owned());
                self.find(0).await;
                let said: Vec<_> = stored.into_iter().map(|picture| picture.message).collect();
                self.say(said.join(" "), false);
            }
            Err(message) => self.say(message, true),
        }
    }

    async fn store_all(self, files: Vec<(String, Blob)>) -> Result<Vec<StoredPicture>, String> {
        let base = self.editor.base.get_value();
        let mut stored = Vec::new();
        for (name, file) in files {
            _ = self.status.try_set(fill("Storing `{name}`…", &[("name", &name)]));
            _ = self.has_failed.try_set(false);
            // Far below 2^53.
            let size = file.size() as usize;
            if size > MAX_PICTURE_BYTES {
                let tenths = (size * 10 + MAX_PICTURE_BYTES / 2) / MAX_PICTURE_BYTES;
                let size = format!("{}.{}", tenths / 10, tenths % 10);
                return Err(fill(
                    "`{name}` has {size} MB; at most 1 MB can be stored. Make it smaller.",
                    &[("name", &name), ("size", &size)],
                ));
            }
            let Some(data) = base64(&file).await else {
                return Err(fill("`{name}` cannot be read.", &[("name", &name)]));
            };
            let arguments = json!({ "name": name, "data": data });
            let picture = call::<StoredPicture>(&base, "editor-upload", &arguments).await;
            stored.push(picture.map_err(|rejection| rejection.message)?);
        }
        Ok(stored)
    }
}

/// The content of a file in Base64.
async fn base64(file: &Blob) -> Option<String> {
    let bytes = Uint8Array::new(&JsFuture::from(file.array_buffer()).await.ok()?).to_vec();
    window().btoa(&bytes.into_iter().map(char::from).collect::<String>()).ok()
}

/// The files of a `FileList`, with their names.
fn files(list: &JsValue) -> Vec<(String, Blob)> {
    let name = |file: &JsValue| property(file, "name").as_string().unwrap_or_default();
    Array::from(list).iter().map(|file| (name(&file), file.unchecked_into())).collect()
}

/// What to search for at first: the title of the item, if it has no icon yet.
fn suggestion(field: &Field) -> String {
    if !field.value().trim().is_empty() {
        return String::new();
    }
    let place = |selector: &str| field.input().closest(selector).ok().flatten();
    let title = match place(".edit-part") {
        Some(part) => part.query_selector("[id$='-title']"),
        None => place("form").map_or(Ok(None), |form| form.query_selector("#edit-title, #edit-name")),
    };
    let title = title.ok().flatten().and_then(|title| title.dyn_into::<HtmlInputElement>().ok());
    title.map(|title| title.value().trim().to_owned()).unwrap_or_default()
}

/// The dialog.
#[component]
pub fn Icons(editor: Editor, field: Field) -> impl IntoView {
    let text = suggestion(&field);
    let search = Search {
        editor,
        field: StoredValue::new(field),
        text: RwSignal::new(text),
        group: RwSignal::new(String::new()),
        icons: RwSignal::new(Vec::new()),
        shown: StoredValue::new(0),
        has_more: RwSignal::new(false),
        is_busy: RwSignal::new(true),
        newest: StoredValue::new(0),
        stop: RwSignal::new(0),
        status: RwSignal::new(String::new()),
        has_failed: RwSignal::new(false),
        is_storing: RwSignal::new(false),
        pause: StoredValue::new(None),
        input: NodeRef::new(),
        grid: NodeRef::new(),
        scroll: NodeRef::new(),
    };
    let Search { input, grid, scroll, .. } = search;
    spawn_local(search.find(0));
    on_cleanup(move || search.stop_pause());
    // What is typed first replaces the proposed words, which are not in the field yet when it gets the focus.
    let is_selected = StoredValue::new(false);
    let focused = move |_| {
        if let Some(input) = input.get_untracked().filter(|_| !is_selected.get_value()) {
            is_selected.set_value(true);
            input.set_value(&search.text.get_untracked());
            input.select();
        }
    };
    let close = Callback::new(move |()| search.close());
    let search_key = move |event: KeyboardEvent| match event.key().as_str() {
        // Browsers would clear the field first.
        "Escape" => {
            event.prevent_default();
            search.close();
        }
        "ArrowDown" | "Enter" => {
            event.prevent_default();
            search.focus(0);
        }
        _ => {}
    };
    let grid_key = move |event: KeyboardEvent| {
        let options = search.options();
        match event.key().as_str() {
            "Enter" | " " => {
                event.prevent_default();
                if let Some(at) = grid::focused(&options) {
                    options[at].click();
                }
            }
            _ => {
                grid::move_focus(&event, &options);
                if let Some(at) = grid::focused(&options) {
                    search.stop.set(at);
                }
            }
        }
    };
    let is_dropping = RwSignal::new(false);
    let dragged = move |event: DragEvent| {
        let transfer = property(&event, "dataTransfer");
        if transfer.is_falsy() || !Array::from(&property(&transfer, "types")).includes(&"Files".into(), 0) {
            return;
        }
        event.prevent_default();
        let element = |target: Option<EventTarget>| target.and_then(|target| target.dyn_into::<Element>().ok());
        let frame = element(event.target()).and_then(|target| target.closest("dialog").ok().flatten());
        let inside = element(event.related_target());
        let leaves = match event.type_().as_str() {
            "drop" => true,
            "dragleave" => !frame.is_some_and(|frame| frame.contains(inside.as_deref())),
            _ => false,
        };
        is_dropping.set(!leaves);
        if event.type_() == "drop" {
            spawn_local(search.store(files(&property(&transfer, "files"))));
        }
    };
    let picked = NodeRef::<html::Input>::new();
    let upload = move |_| {
        if let Some(picked) = picked.get_untracked() {
            picked.click();
        }
    };
    let chosen = move |_: Event| {
        let Some(picked) = picked.get_untracked() else { return };
        let files = files(&property(&picked, "files"));
        picked.set_value("");
        if !files.is_empty() {
            spawn_local(search.store(files));
        }
    };
    let kinds = groups().map(|(group, label)| {
        let choose = move |_| {
            search.group.set(group.to_owned());
            spawn_local(search.find(0));
        };
        let is_chosen = move || search.group.with(|chosen| chosen == group);
        view! {
            <label>
                <input type="radio" name="edit-icon-group" value=group prop:checked=is_chosen on:change=choose/>
                <span>{label}</span>
            </label>
        }
    });
    let kinds = kinds.into_iter().collect_view();
    let options = move || {
        let chosen = search.field.get_value().value();
        let groups = groups();
        let option = |(position, icon): (usize, OfferedIcon)| option(search, position, icon, chosen.trim(), &groups);
        search.icons.get().into_iter().enumerate().map(option).collect_view()
    };
    view! {
        <Modal
            title=t("Choose an icon") class="edit-icon-picker" close title_id=PICKER_TITLE
            class:dropping=is_dropping on:dragenter=dragged on:dragover=dragged on:dragleave=dragged on:drop=dragged
        >
            <div class="edit-search">
                <label class="field">
                    <span>{t("Search")}</span>
                    <input
                        node_ref=input type="search" id="edit-icon-search" autocomplete="off" spellcheck="false" autofocus=true
                        on:focus=focused prop:value=search.text on:keydown=search_key
                        on:input=move |event| {
                            search.text.set(event_target_value(&event));
                            search.find_later();
                        }
                    />
                </label>
                <fieldset class="edit-icon-groups">
                    <legend class="visually-hidden">{t("Kind of icon")}</legend>
                    {kinds}
                </fieldset>
            </div>
            <div node_ref=scroll class="edit-scroll">
                <div
                    node_ref=grid class="edit-icons" role="listbox" aria-label=t("Icons")
                    aria-busy=move || search.is_busy.get().to_string() on:keydown=grid_key
                >
                    {options}
                </div>
                <button
                    class="button" type="button" hidden=move || !search.has_more.get()
                    on:click=move |_| spawn_local(search.find(search.shown.get_value()))
                >
                    {t("Show more")}
                </button>
            </div>
            <p class="edit-status" class:failed=search.has_failed role="status">
                {move || search.status.with(|status| with_code(status))}
            </p>
            <div class="edit-buttons">
                <button class="button" type="button" disabled=search.is_storing on:click=upload>{t("Upload a picture…")}</button>
                <input node_ref=picked type="file" accept=ACCEPTED hidden on:change=chosen/>
                <button class="button" type="button" on:click=move |_| search.take("")>{t("No icon")}</button>
            </div>
        </Modal>
    }
}

/// An icon. Its element stays when another search has another icon at its position, and with it the focus.
fn option(
    search: Search,
    position: usize,
    icon: OfferedIcon,
    chosen: &str,
    groups: &[(&'static str, String)],
) -> impl IntoView + use<> {
    let OfferedIcon { value, name, group, picture: address } = icon;
    let group = groups.iter().find(|(known, _)| !known.is_empty() && *known == group);
    let label = group.map_or_else(|| name.clone(), |(_, group)| format!("{name}, {group}"));
    let is_chosen = (value == chosen).to_string();
    let drawn = match address {
        Some(address) => picture(address),
        None => glyph(value.clone()),
    };
    let tab_index = move || if search.stop.get() == position { "0" } else { "-1" };
    let title = value.clone();
    view! {
        <div
            role="option" tabindex=tab_index title=title aria-label=label aria-selected=is_chosen
            on:click=move |_| search.take(&value)
        >
            {drawn}
            <span>{name}</span>
        </div>
    }
}
