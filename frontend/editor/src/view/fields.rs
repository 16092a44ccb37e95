//! One field of a form: its label, input, description and problems.

use app::{
    built_view::{AnyView, IntoAny},
    editing::EditorProblem,
};
use leptos::{ev::Event, prelude::*};
use serde_json::{Number, Value};

use super::{
    helper::helped,
    password::{password_view, secret_placeholder},
    pieces::with_code,
    place::Place,
    rows::rows_view,
    suggestions::Suggestions,
    values::Values,
};
use crate::{
    mappings,
    messages::{names_option, sentence},
    schema::{self, Input, Rows, SchemaField, Shape},
    texts::{fill, t},
};

/// The field for the value at `path` of the form's value.
pub fn field_view(place: &Place, path: Vec<String>, field: SchemaField) -> AnyView {
    let Place { editor, form, pointer, .. } = *place;
    let value = form.value.with_untracked(|value| schema::get(value, &path).cloned());
    let input = field.input_for(value.as_ref());
    let label = field.label.clone();
    let id = format!("{}-{}", place.id, path.join("-"));
    if let Input::Block(fields) = input {
        let inner = fields.into_iter().map(|inner| {
            let path: Vec<String> = path.iter().cloned().chain([inner.key.clone()]).collect();
            field_view(place, path, inner)
        });
        let inner = inner.collect::<Vec<_>>();
        return view! { <fieldset class="edit-block" id=id><legend>{label}</legend>{inner}</fieldset> }.into_any();
    }
    let has_values = form.row_changed.is_none() && path == ["options", "url"] && {
        let fields = editor.schema.with_value(|schema| form.fields(schema));
        fields.iter().any(|(path, _)| *path == mappings::path())
    };
    let (about_id, problem_id) = (format!("{id}-about"), format!("{id}-problem"));
    let wrong = RwSignal::new(None::<String>);
    let own_pointer = {
        let path = path.join("/");
        Signal::derive(move || format!("{}/{path}", pointer.get()))
    };
    // The fields of the rows of a list show their own problems.
    let has_fields = matches!(&input, Input::Rows(Rows { shape: Shape::List | Shape::OneOrMany, .. }));
    let is_blank = {
        let path = path.clone();
        Memo::new(move |_| form.blank.with(|blank| blank.as_ref() == Some(&path)))
    };
    let problem = move || {
        let blank = || is_blank.get().then(|| t("This is required."));
        wrong.get().or_else(blank).or_else(|| {
            let own_pointer = own_pointer.get();
            let is_own = |path: &str| {
                path.strip_prefix(&own_pointer).is_some_and(|rest| {
                    rest.is_empty() || rest.starts_with('/') && !(has_fields && rest[1..].contains('/'))
                })
            };
            // The check of a widget's options names the option, at the place of the widget.
            let is_own_option = |path: &str, message: &str| {
                let key = own_pointer.strip_prefix(path).and_then(|rest| rest.strip_prefix("/options/"));
                key.is_some_and(|key| names_option(message, key))
            };
            let found = editor.problems.with(|problems| {
                let mut own = problems
                    .iter()
                    .filter(|EditorProblem { path, message, .. }| is_own(path) || is_own_option(path, message));
                own.next().map(|problem| problem.message.clone())
            });
            found.filter(|_| form.touched.get())
        })
    };
    let has_problem = Memo::new(move |_| problem().is_some());
    let shown_problem = {
        let id = problem_id.clone();
        move || problem().map(|text| view! { <p class="edit-problem" id=id.clone()>{with_code(&sentence(&text))}</p> })
    };
    let set = {
        let path = path.clone();
        let default = field.default.clone();
        move |new: Option<Value>| {
            // A default is not written, unless the file has it already.
            let written = form.before.with_value(|before| schema::get(before, &path).is_some());
            let new = new.filter(|new| written || default.as_ref() != Some(new));
            form.value.update(|value| schema::set(value, &path, new));
            form.touched.set(true);
            if is_blank.get_untracked() {
                form.blank.set(None);
            }
            if let Some(changed) = form.row_changed {
                return changed.run(());
            }
            if form.value.with(|value| editor.show_typed_field(form.subject, &path, value)) {
                editor.show_after_typing(form);
            } else if let Some(tried) = editor.draft_with(form) {
                editor.show(tried);
            }
        }
    };
    // A text that cannot be understood is not in the value, so the form cannot be closed with it.
    let report = {
        let id = id.clone();
        move |new: Option<String>| {
            form.wrong.update(|all| _ = if new.is_some() { all.insert(id.clone()) } else { all.remove(&id) });
            wrong.set(new);
        }
    };
    if let Input::Rows(rows) = &input
        && let Some(initial) = rows.read(value.as_ref())
    {
        let before = form.before.with_value(|before| schema::get(before, &path).cloned());
        let place = Place { pointer: own_pointer, id, ..place.clone() };
        let rows = rows.clone();
        let written = rows.clone();
        let adopt = move |values: Vec<Value>| match written.write(before.as_ref(), values) {
            Ok(value) => {
                report(None);
                set(value);
            }
            Err(sentence) => {
                form.touched.set(true);
                report(Some(sentence));
            }
        };
        return rows_view(place, field_view, &field, rows, initial, adopt, shown_problem);
    }
    let typed = {
        let (set, input, report) = (set.clone(), input.clone(), report.clone());
        let before = value.clone();
        let is_address = ["url", "localUrl"].contains(&field.key.as_str()) && !form.is_widget();
        let parsed = move |input: &Input, text: &str| match schema::misspelled_address(text).filter(|_| is_address) {
            Some(sentence) => Err(sentence),
            None => schema::parse(input, text),
        };
        move |text: String| match parsed(&input, &text) {
            Ok(value) => {
                report(None);
                set(value.map(|value| schema::as_before(before.as_ref(), &input, value)));
            }
            Err(sentence) => {
                form.touched.set(true);
                report(Some(sentence));
            }
        }
    };
    let text = schema::to_text(&input, value.as_ref());
    // The default, where the field is empty.
    let usual = field.default.as_ref().map(|default| schema::to_text(&input, Some(default)));
    let usual = usual.filter(|usual| !usual.is_empty());
    let described = move || if has_problem.get() { format!("{problem_id} {about_id}") } else { about_id.clone() };
    let invalid = move || has_problem.get().then_some("true");
    let control = match &input {
        Input::Flag => flag(id.clone(), &field, value.as_ref(), described, set),
        Input::Choice(choices) => {
            // The default is one of the words, unless it depends on something else.
            let chosen = if text.is_empty() { usual.clone().unwrap_or_default() } else { text };
            let has_default = choices.contains(&chosen) && usual.is_some();
            let unset = (!has_default).then(|| view! { <option value="">{unset_label(&field)}</option> });
            let options = choices.iter().map(|word| {
                view! { <option value=word.clone() selected={*word == chosen}>{schema::choice_label(&field.key, word)}</option> }
            });
            view! {
                <select id=id.clone() aria-describedby=described aria-invalid=invalid on:change=move |event| typed(event_target_value(&event))>
                    {unset}
                    {options.collect_view()}
                </select>
            }
            .into_any()
        }
        Input::SecretYaml => {
            let placeholder = secret_placeholder(value.is_some());
            view! {
                <textarea
                    id=id.clone() rows="3" spellcheck="false" autocomplete="off" placeholder=placeholder
                    aria-describedby=described aria-invalid=invalid
                    on:input=move |event| {
                        let text = event_target_value(&event);
                        // An emptied field keeps the old keys.
                        if text.trim().is_empty() {
                            report(None);
                            set(form.before.with_value(|before| schema::get(before, &path).cloned()));
                        } else {
                            typed(text);
                        }
                    }
                ></textarea>
            }
            .into_any()
        }
        Input::Yaml => view! {
            <textarea id=id.clone() rows="4" spellcheck="false" aria-describedby=described aria-invalid=invalid on:input=move |event| typed(event_target_value(&event))>
                {text}
            </textarea>
        }
        .into_any(),
        Input::Number(min, max) => view! {
            <input
                type="number" step="any" id=id.clone() value=text placeholder=usual
                min=min.as_ref().map(ToString::to_string) max=max.as_ref().map(ToString::to_string)
                aria-describedby=described aria-invalid=invalid
                on:input=move |event| typed(event_target_value(&event))
            />
        }
        .into_any(),
        Input::NewPassword => {
            let described = Signal::derive(described);
            password_view(editor, form, id.clone(), value.is_some(), described, has_problem, move |new| match new {
                Ok(Some(hash)) => {
                    report(None);
                    set(Some(hash.into()));
                }
                // An emptied field keeps the old password.
                Ok(None) => {
                    report(None);
                    set(form.before.with_value(|before| schema::get(before, &path).cloned()));
                }
                Err(sentence) => report(Some(sentence)),
            })
        }
        Input::Secret | Input::SecretList => {
            let secret = input.clone();
            let placeholder = secret_placeholder(value.is_some());
            view! {
                <input
                    type="password" autocomplete="new-password" id=id.clone() placeholder=placeholder
                    aria-describedby=described aria-invalid=invalid
                    on:input=move |event| {
                        let text = event_target_value(&event);
                        // An emptied field keeps the old key.
                        let value = if text.is_empty() {
                            form.before.with_value(|before| schema::get(before, &path).cloned())
                        } else {
                            schema::parse(&secret, &text).ok().flatten()
                        };
                        set(value);
                    }
                />
            }
            .into_any()
        }
        Input::Text | Input::List(_) | Input::Block(_) | Input::Rows(_) => {
            let now = text.clone();
            let line = view! {
                <input
                    type="text" id=id.clone() value=text placeholder=usual spellcheck="false" autocomplete="off"
                    aria-describedby=described aria-invalid=invalid aria-required=field.required.then_some("true")
                    on:input=move |event| typed(event_target_value(&event))
                />
            };
            let line = line.into_any();
            match field.helper.filter(|_| matches!(input, Input::Text | Input::List(_))) {
                Some(helper) => helped(editor, helper, &label, now, line),
                None => line,
            }
        }
    };
    let hint = hint(&input, &field);
    let is_switch = matches!(input, Input::Flag) && field.default.as_ref().is_some_and(Value::is_boolean);
    let class = if is_switch { "field edit-field edit-switch" } else { "field edit-field" };
    let is_item_title = field.key == "title" && form.is_item();
    let title = RwSignal::new(None::<String>);
    let suggestions = is_item_title.then(|| view! { <Suggestions editor title/> });
    let values = has_values.then(|| view! { <Values editor form/> });
    let on_input = move |event: Event| {
        if is_item_title {
            title.set(Some(event_target_value(&event)));
        }
    };
    view! {
        <div class=class on:input=on_input>
            <label for=id.clone()>{label}{field.is_needed().then_some(" *")}</label>
            {control}
            <p class="edit-about" id=format!("{id}-about")>{with_code(&hint)}</p>
            {shown_problem}
            {suggestions}
            {values}
        </div>
    }
    .into_any()
}

/// A switch; a choice of yes and no where the default depends on something else.
fn flag(
    id: String,
    field: &SchemaField,
    value: Option<&Value>,
    described: impl Fn() -> String + Send + Sync + 'static,
    set: impl Fn(Option<Value>) + Send + Sync + 'static,
) -> AnyView {
    let now = value.and_then(schema::truth);
    if let Some(usual) = field.default.as_ref().and_then(Value::as_bool) {
        let change = move |event: Event| set(Some(event_target_checked(&event).into()));
        let checked = now.unwrap_or(usual);
        return view! { <input type="checkbox" role="switch" id=id checked=checked aria-describedby=described on:change=change/> }
            .into_any();
    }
    let change = move |event: Event| {
        set(match event_target_value(&event).as_str() {
            "yes" => Some(true.into()),
            "no" => Some(false.into()),
            _ => None,
        });
    };
    view! {
        <select id=id aria-describedby=described on:change=change>
            <option value="">{unset_label(field)}</option>
            <option value="yes" selected={now == Some(true)}>{t("Yes")}</option>
            <option value="no" selected={now == Some(false)}>{t("No")}</option>
        </select>
    }
    .into_any()
}

/// What a choice is called in which nothing is chosen.
fn unset_label(field: &SchemaField) -> String {
    t(match field.about.contains("in the settings") {
        true => "As in the settings",
        false if field.is_needed() => "Choose…",
        false => "Automatic",
    })
}

/// How to type a list.
const SEVERAL: &str = "Several with commas between them; one that contains a comma in double quotes.";
/// About secrets.
const NOT_SHOWN: &str = "What is set is not shown.";

fn hint(input: &Input, field: &SchemaField) -> String {
    let mut said = vec![field.described.replace('\n', " ")];
    match input {
        Input::List(_) => said.push(t(SEVERAL)),
        Input::Number(min, max) => {
            let bounds = match (min, max) {
                (Some(_), Some(_)) => "From {min} to {max}.",
                (Some(_), None) => "At least {min}.",
                (None, Some(_)) => "At most {max}.",
                (None, None) => "",
            };
            let text = |bound: &Option<Number>| bound.as_ref().map(ToString::to_string).unwrap_or_default();
            let (min, max) = (text(min), text(max));
            // The fields of the config itself say so already.
            if !field.about.contains(&bounds.replace("{min}", &min).replace("{max}", &max)) {
                said.push(fill(bounds, &[("min", &min), ("max", &max)]));
            }
        }
        Input::Yaml => said.push(t("In YAML, as in the file.")),
        Input::SecretYaml => said.extend([t("In YAML, as in the file."), t(NOT_SHOWN)]),
        Input::NewPassword => {
            return t("Only its Argon2id hash is kept. A new password ends the sessions of this account.");
        }
        Input::SecretList => said.extend([t(SEVERAL), t(NOT_SHOWN)]),
        Input::Secret => said.push(t(
            "Better than the key itself is the name of an environment variable that holds it, such as `PORTICO_KEY`.",
        )),
        _ => {}
    }
    said.join(" ")
}
