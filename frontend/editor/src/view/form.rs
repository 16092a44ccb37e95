//! A form in its dialog, with the actions on its element as a whole.

use std::collections::HashSet;

use leptos::{
    ev::{Event, SubmitEvent},
    prelude::*,
};

use super::{
    bar::{sentence, with_code},
    fields::field_view,
    focus_later,
    modal::Modal,
};
use crate::{
    editor::{Action, Editor},
    edits::{self, Block, Direction, List, Spot},
    form::{Form, Subject},
    groups::{GROUPS, OTHERS, group_of},
    schema::Field,
};

/// The form.
#[component]
pub fn FormView(editor: Editor, form: Form) -> impl IntoView {
    let pointer = form.path(&editor.document()).pointer();
    let fields = editor.schema.with_value(|schema| form.fields(schema));
    let asked_for = RwSignal::new(HashSet::<Vec<String>>::new());
    let shown: Vec<bool> = fields.iter().map(|(path, field)| form.shows(path, field)).collect();
    let shown_at_first = fields.iter().zip(&shown).filter(|(_, shown)| **shown).map(|(field, _)| field.clone());
    let first: Vec<_> = shown_at_first.collect();
    let others: Vec<_> = fields.into_iter().zip(shown).filter(|(_, shown)| !shown).map(|(field, _)| field).collect();
    let general = {
        let pointer = pointer.clone();
        move || {
            let all = editor.problems.get();
            let own = all.iter().filter(|problem| form.touched.get() && problem.path == pointer);
            own.map(
                |problem| view! { <p class="edit-problem" role="alert">{with_code(&sentence(&problem.message))}</p> },
            )
            .collect_view()
        }
    };
    let missing = RwSignal::new(None::<&'static str>);
    let close = Callback::new(move |()| {
        // Previews of unsaved input are undone.
        if form.touched.get_untracked() {
            editor.show(editor.document());
        }
        editor.act(Action::Close);
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(key) = form.missing() {
            missing.set(Some(key));
            return;
        }
        let edit = form.edit(&editor.document(), &editor.file_name());
        editor.dialog.set(None);
        editor.apply(edit);
    };
    let about_missing = move || {
        missing.get().map(|key| view! { <p class="edit-problem" role="alert">"Please fill in the " {key} "."</p> })
    };
    let shown_field = move |(path, field): (Vec<String>, Field)| field_view(editor, form, &pointer, path, field);
    let first = first.into_iter().map(shown_field.clone()).collect_view();
    let further = {
        let others = others.clone();
        move || {
            let asked = asked_for.get();
            let wanted = others.iter().filter(|(path, _)| asked.contains(path)).cloned();
            wanted.map(shown_field.clone()).collect_view()
        }
    };
    let is_settings = form.subject == Subject::Block(Block::AppConfig);
    let query = RwSignal::new(String::new());
    let chips = move || {
        let asked = asked_for.get();
        let query = query.get().to_lowercase();
        let fits = |field: &Field| {
            let text = format!("{} {} {}", field.key, field.label(), field.about).to_lowercase();
            query.split_whitespace().all(|word| text.contains(word))
        };
        let left = others.iter().filter(|(path, field)| !asked.contains(path) && fits(field));
        let left: Vec<_> = left.cloned().collect();
        let groups = GROUPS.iter().map(|(group, _)| *group).chain([OTHERS]).filter_map(|group| {
            let in_group = |field: &Field| if is_settings { group_of(&field.key) } else { OTHERS } == group;
            let chips: Vec<_> =
                left.iter().filter(|(_, field)| in_group(field)).cloned().map(chip(asked_for)).collect();
            (!chips.is_empty())
                .then(|| view! { <fieldset class="edit-chips"><legend>{group}</legend>{chips}</fieldset> })
        });
        groups.collect_view()
    };
    let before_chips = is_settings.then(|| {
        view! {
            <label class="field">
                <span>"Find a setting"</span>
                <input type="search" on:input=move |event| query.set(event_target_value(&event))/>
            </label>
        }
    });
    let caution = is_settings.then(|| {
        view! {
            <p class="edit-caution">
                "These settings hold for the whole page, and on the main page for all pages. A change of who may sign in can lock you out; how people sign in changes when Portico starts again. Accounts are edited as YAML."
            </p>
        }
    });
    let about_file = (form.subject == Subject::New(List::Pages)).then(|| {
        view! {
            <p class="edit-text-inside">
                "Without a path, the page gets a new file that is named after it. Saving creates the file if it does not exist."
            </p>
        }
    });
    let actions = match form.subject {
        Subject::Existing(spot) => Some(view! { <Actions editor form spot/> }),
        Subject::New(_) | Subject::Block(_) => None,
    };
    let preview = form.is_widget().then(|| {
        Effect::new(move |_| form.value.with(|value| editor.preview_widget(value)));
        view! { <section class="edit-preview" aria-label="Preview"></section> }
    });
    let class = if preview.is_some() { "edit-form edit-widget-form" } else { "edit-form" };
    view! {
        <Modal title=form.title() class close>
            {preview}
            <form on:submit=submit novalidate>
                <div class="edit-scroll">
                    {caution}
                    {about_file}
                    {general}
                    {first}
                    {further}
                    {before_chips}
                    {chips}
                    {actions}
                </div>
                {about_missing}
                <div class="edit-buttons">
                    <button class="button" type="button" on:click=move |_| close.run(())>"Cancel"</button>
                    <button class="button primary" type="submit">"Done"</button>
                </div>
            </form>
        </Modal>
    }
}

/// A button that adds a field to the form.
fn chip(asked_for: RwSignal<HashSet<Vec<String>>>) -> impl Fn((Vec<String>, Field)) -> AnyView {
    move |(path, field)| {
        let label = field.label();
        let add = move |_| {
            asked_for.update(|asked| _ = asked.insert(path.clone()));
            focus_later(format!("#edit-{}", path.join("-")));
        };
        view! { <button class="edit-chip" type="button" title=field.about on:click=add>"+ " {label}</button> }
            .into_any()
    }
}

/// Moves, duplicates and deletes the element. Edits of the form are applied first.
#[component]
fn Actions(editor: Editor, form: Form, spot: Spot) -> impl IntoView {
    let document = editor.document();
    let finish = move || {
        editor.dialog.set(None);
        if form.touched.get_untracked() && form.missing().is_none() {
            editor.apply(form.edit(&editor.document(), &editor.file_name()));
        }
    };
    let is_last = spot.index + 1 >= spot.list.len(&document);
    let move_one = move |direction| {
        move |_| {
            finish();
            editor.apply(edits::move_one(&editor.document(), spot, direction));
        }
    };
    let own_section = match spot.list {
        List::Sections | List::SubItems(..) | List::Pages => None,
        List::Items(section) | List::Widgets(section) => Some(section),
    };
    let sections = own_section.filter(|_| List::Sections.len(&document) > 1).map(|own| {
        let options = (0..List::Sections.len(&document)).filter(|index| *index != own).map(|index| {
            let name = Spot { list: List::Sections, index }.name(&document);
            view! { <option value=index.to_string()>{name}</option> }
        });
        let move_to = move |event: Event| {
            if let Ok(section) = event_target_value(&event).parse::<usize>() {
                finish();
                editor.apply(edits::move_to_section(&editor.document(), spot, section, None));
            }
        };
        view! {
            <label class="field edit-carry">
                <span>"Move to section"</span>
                <select on:change=move_to>
                    <option value="">"Choose…"</option>
                    {options.collect_view()}
                </select>
            </label>
        }
    });
    let duplicate = move |_| {
        finish();
        editor.apply(edits::duplicate(&editor.document(), &editor.file_name(), spot));
    };
    let delete = move |_| {
        editor.dialog.set(None);
        editor.show(editor.document());
        editor.delete(spot);
    };
    view! {
        <fieldset class="edit-whole">
            <legend>"The " {spot.list.noun()} " as a whole"</legend>
            <div class="edit-whole-buttons">
                <button class="button" type="button" disabled=spot.index == 0 on:click=move_one(Direction::Up)>"Move up"</button>
                <button class="button" type="button" disabled=is_last on:click=move_one(Direction::Down)>"Move down"</button>
                <button class="button" type="button" on:click=duplicate>"Duplicate"</button>
                <button class="button danger" type="button" on:click=delete>"Delete"</button>
            </div>
            {sections}
        </fieldset>
    }
}
