//! A form in its dialog, with the actions on its element as a whole.

use std::collections::HashSet;

use app::editing::EditorProblem;
use config::Document;
use leptos::{ev::SubmitEvent, html, prelude::*};

use super::{
    fields::field_view,
    modal::Modal,
    pieces::{chip, focus_later, with_code, within},
    place::Place,
    preview::Preview,
};
use crate::{
    editor::{DialogAction, Editor, Picker},
    edits::{self, ConfigBlock, List, ListDirection, Spot},
    form::{Form, ID, Subject},
    gestures::moves,
    groups::{GROUPS, OTHERS, group_of},
    mappings,
    messages::{names_option, sentence},
    schema::SchemaField,
    texts::{fill, t},
};

/// The form.
#[component]
pub fn FormView(editor: Editor, form: Form) -> impl IntoView {
    let pointer = form.path(&editor.document()).pointer();
    let is_widget = form.is_widget();
    // Each type of widget has its own options.
    let kind = Memo::new(move |_| if is_widget { form.kind() } else { String::new() });
    let all = Memo::new(move |_| {
        kind.track();
        editor.schema.with_value(|schema| form.fields(schema))
    });
    let asked_for = RwSignal::new(HashSet::<Vec<String>>::new());
    let fields = move |at_first: bool| {
        let is_meant = |(path, field): &&(Vec<String>, SchemaField)| form.shows(path, field) == at_first;
        all.with(|fields| fields.iter().filter(is_meant).cloned().collect::<Vec<_>>())
    };
    let general = {
        let pointer = pointer.clone();
        move || {
            let problems = editor.problems.get();
            // Its field shows a problem of an option.
            let has_field = |message: &str| {
                let is_named = |(path, field): &(Vec<String>, SchemaField)| {
                    path[0] == "options" && names_option(message, &field.key)
                };
                all.with(|fields| fields.iter().any(is_named))
            };
            let is_own = |problem: &&EditorProblem| problem.path == pointer && !has_field(&problem.message);
            let own = problems.iter().filter(|problem| form.touched.get() && is_own(problem));
            own.map(
                |problem| view! { <p class="edit-problem" role="alert">{with_code(&sentence(&problem.message))}</p> },
            )
            .collect_view()
        }
    };
    let missing = RwSignal::new(None::<String>);
    let close = Callback::new(move |()| {
        // Previews of unsaved input are undone.
        if form.touched.get_untracked() {
            editor.show(editor.document());
        }
        editor.act(DialogAction::Close);
    });
    // What comes after the form. Passwords that are still being hashed belong to what is entered.
    let next = RwSignal::new(None::<Callback<()>>);
    Effect::new(move |_| {
        let Some(then) = next.get().filter(|_| form.waiting.get() == 0) else { return };
        next.set(None);
        if let Some(id) = form.wrong.with_untracked(|wrong| wrong.first().cloned()) {
            focus_later(within(&id));
            return missing.set(Some(t("Please correct what is marked.")));
        }
        if let Some(what) = all.with_untracked(|fields| form.missing_in(fields)) {
            if let Some(key) = form.missing().filter(|key| *key != "type" && !key.contains(' ')) {
                form.blank.set(Some(vec![key.to_owned()]));
                focus_later(within(&format!("{ID}-{key}")));
            }
            return missing.set(Some(fill("Please fill in the {name}.", &[("name", &what)])));
        }
        let edit = form.edit(&editor.document(), &editor.file_name());
        editor.dialog.set(None);
        editor.apply(edit);
        then.run(());
    });
    let done = Callback::new(|()| ());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        next.set(Some(done));
    };
    let about_missing = move || missing.get().map(|text| view! { <p class="edit-problem" role="alert">{text}</p> });
    let place = Place { editor, form, pointer: Signal::stored(pointer), id: ID.to_owned() };
    let shown_field = move |(path, field): (Vec<String>, SchemaField)| field_view(&place, path, field);
    let shown = move || {
        form.replaced.track();
        let asked = asked_for.get();
        let mut shown = fields(true);
        shown.extend(fields(false).into_iter().filter(|(path, _)| asked.contains(path)));
        shown
    };
    // The options of another type are other fields, even under the same names.
    let identity = move |(path, _): &(Vec<String>, SchemaField)| {
        let of_type = (path[0] == "options").then(|| kind.get_untracked());
        let replaced = (*path == mappings::path()).then(|| form.replaced.get_untracked());
        (of_type, path.clone(), replaced)
    };
    let is_settings = form.subject == Subject::Block(ConfigBlock::AppConfig);
    let query = RwSignal::new(String::new());
    let chips = move || {
        let asked = asked_for.get();
        let query = query.get().to_lowercase();
        let fits = |field: &SchemaField| {
            let text = format!("{} {} {} {}", field.key, field.label, field.about, field.described).to_lowercase();
            query.split_whitespace().all(|word| text.contains(word))
        };
        let mut left = fields(false);
        left.retain(|(path, field)| !asked.contains(path) && fits(field));
        let groups = GROUPS.iter().map(|(group, _)| *group).chain([OTHERS]).filter_map(|group| {
            let in_group = |field: &SchemaField| if is_settings { group_of(&field.key) } else { OTHERS } == group;
            let chips: Vec<_> =
                left.iter().filter(|(_, field)| in_group(field)).cloned().map(chip(asked_for, ID)).collect();
            (!chips.is_empty())
                .then(|| view! { <fieldset class="edit-chips"><legend>{t(group)}</legend>{chips}</fieldset> })
        });
        groups.collect_view()
    };
    let before_chips = is_settings.then(|| {
        view! {
            <label class="field">
                <span>{t("Find a setting")}</span>
                <input type="search" on:input=move |event| query.set(event_target_value(&event))/>
            </label>
        }
    });
    let caution = is_settings.then(|| {
        view! {
            <p class="edit-caution">
                {t("These settings hold for the whole page, and on the main page for all pages. A change of who may sign in can lock you out; how people sign in changes when Portico starts again. Accounts are under “Accounts and sign-in”.")}
            </p>
        }
    });
    let about_file = (form.subject == Subject::New(List::Pages)).then(|| {
        view! {
            <p class="edit-text-inside">
                {t("Without a path, the page gets a new file that is named after it. Saving creates the file if it does not exist.")}
            </p>
        }
    });
    let actions = match form.subject {
        Subject::Existing(spot) => Some(view! { <Actions editor form spot next missing/> }),
        Subject::New(_) | Subject::Block(_) => None,
    };
    let kind_line = is_widget.then(|| view! { <Kind editor form kind/> });
    let preview = is_widget.then(|| view! { <Preview editor form/> });
    let class = if preview.is_some() { "edit-form edit-widget-form" } else { "edit-form" };
    view! {
        <Modal title=Signal::derive(move || form.title(&kind.get())) class close>
            {preview}
            <form on:submit=submit novalidate>
                <div class="edit-scroll">
                    {caution}
                    {about_file}
                    {general}
                    {kind_line}
                    <For each=shown key=identity children=shown_field/>
                    {before_chips}
                    {chips}
                    {actions}
                </div>
                {about_missing}
                <div class="edit-buttons">
                    <button class="button" type="button" on:click=move |_| close.run(())>{t("Cancel")}</button>
                    <button class="button primary" type="submit">{t("Done")}</button>
                </div>
            </form>
        </Modal>
    }
}

/// The type of a widget, and the button that changes it.
#[component]
fn Kind(editor: Editor, form: Form, kind: Memo<String>) -> impl IntoView {
    let name = move || kind.with(|kind| if kind.is_empty() { t("none yet") } else { kind.clone() });
    let change = move |_| editor.pick(Picker::WidgetType(form));
    view! {
        <div class="edit-helped edit-kind">
            <p>{t("Type:")} " " <strong>{name}</strong></p>
            <button class="button edit-helper" type="button" data-helper="types" aria-haspopup="dialog" on:click=change>
                {t("Change type…")}
            </button>
        </div>
    }
}

/// Moves, copies and deletes the element. Edits of the form are applied first, as with “Done”: through `next`, which says what
/// comes after them.
#[component]
fn Actions(
    editor: Editor,
    form: Form,
    spot: Spot,
    next: RwSignal<Option<Callback<()>>>,
    missing: RwSignal<Option<String>>,
) -> impl IntoView {
    let document = editor.document();
    let after = move |action: Callback<()>| {
        if form.touched.get_untracked() {
            next.set(Some(action));
        } else {
            editor.dialog.set(None);
            action.run(());
        }
    };
    let is_last = spot.index + 1 >= spot.list.len(&document);
    let move_one = move |direction| {
        let action = Callback::new(move |()| editor.apply(edits::move_one(&editor.document(), spot, direction)));
        move |_| after(action)
    };
    let ([move_or_copy, choose_first], lists) = others(&document, spot.list);
    let lists = (!lists.is_empty()).then(|| {
        let chosen = NodeRef::<html::Select>::new();
        let options = lists.iter().enumerate().map(|(position, list)| {
            let name = list.parent().map(|parent| parent.name(&document)).unwrap_or_default();
            view! { <option value=position.to_string()>{name}</option> }
        });
        let options = options.collect_view();
        let lists = StoredValue::new(lists);
        let place = NodeRef::<html::Select>::new();
        let list = move || {
            let position = chosen.get_untracked()?.value().parse::<usize>().ok()?;
            lists.with_value(|lists| lists.get(position).copied())
        };
        // The form may be gone by the time its edits are applied.
        let with_list = move |action: fn(Editor, Spot, List, Option<usize>)| {
            move |_| match list() {
                Some(list) => {
                    let is_first = place.get_untracked().is_some_and(|place| place.value() == "first");
                    after(Callback::new(move |()| action(editor, spot, list, is_first.then_some(0))));
                }
                None => missing.set(Some(t(choose_first))),
            }
        };
        let move_there = with_list(|editor, spot, list, before| {
            editor.apply(edits::move_into(&editor.document(), spot, list, before));
        });
        let copy_there = with_list(|editor, spot, list, before| {
            editor.apply(moves::copy(&editor.document(), spot, list, before));
        });
        view! {
            <div class="edit-helped">
                <label class="field">
                    <span>{t(move_or_copy)}</span>
                    <select node_ref=chosen>
                        <option value="">{t("Choose…")}</option>
                        {options}
                    </select>
                </label>
                <label class="field">
                    <span>{t("Position")}</span>
                    <select node_ref=place>
                        <option value="">{t("At the end")}</option>
                        <option value="first">{t("At the beginning")}</option>
                    </select>
                </label>
                <button class="button" type="button" on:click=move_there>{t("Move")}</button>
                <button class="button" type="button" on:click=copy_there>{t("Copy")}</button>
            </div>
        }
    });
    let duplicate = Callback::new(move |()| {
        editor.apply(edits::duplicate(&editor.document(), &editor.file_name(), spot));
    });
    let delete = move |_| {
        editor.dialog.set(None);
        editor.show(editor.document());
        editor.delete(spot);
    };
    view! {
        <fieldset class="edit-whole">
            <legend>{t(spot.list.texts().whole)}</legend>
            <div class="edit-whole-buttons">
                <button class="button" type="button" disabled=spot.index == 0 on:click=move_one(ListDirection::Up)>{t("Move up")}</button>
                <button class="button" type="button" disabled=is_last on:click=move_one(ListDirection::Down)>{t("Move down")}</button>
                <button class="button" type="button" on:click=move |_| after(duplicate)>{t("Duplicate")}</button>
                <button class="button danger" type="button" on:click=delete>{t("Delete")}</button>
            </div>
            {lists}
        </fieldset>
    }
}

/// The other lists that an element of a list can go to, and what to say about them.
fn others(document: &Document, own: List) -> ([&'static str; 2], Vec<List>) {
    let (texts, mut lists) = match own {
        List::Sections | List::Pages => ([""; 2], Vec::new()),
        List::SubItems(..) => (["Move or copy to group", "Please choose a group first."], List::groups(document)),
        List::Items(_) | List::Widgets(_) => {
            let lists = (0..List::Sections.len(document)).filter_map(|index| own.in_section(index)).collect();
            (["Move or copy to section", "Please choose a section first."], lists)
        }
    };
    lists.retain(|list| *list != own);
    (texts, lists)
}
