//! One field of a form: its label, input, description and problems.

use leptos::{ev::Event, prelude::*};
use serde_json::Value;

use super::{
    bar::{sentence, with_code},
    helper::helped,
    sub_items::sub_items_view,
};
use crate::{
    editor::Editor,
    form::Form,
    schema::{self, Field, Input},
    sub_items,
};

/// The field for the value at `path` of the form's value, which is at `pointer` in the document.
pub fn field_view(editor: Editor, form: Form, pointer: &str, path: Vec<String>, field: Field) -> AnyView {
    let value = form.value.with_untracked(|value| schema::get(value, &path).cloned());
    let input = field.input_for(value.as_ref());
    let label = field.label();
    if let Input::Block(fields) = input {
        let inner = fields.into_iter().map(|inner| {
            let path: Vec<String> = path.iter().cloned().chain([inner.key.clone()]).collect();
            field_view(editor, form, pointer, path, inner)
        });
        let inner = inner.collect::<Vec<_>>();
        return view! { <fieldset class="edit-block"><legend>{label}</legend>{inner}</fieldset> }.into_any();
    }
    let id = format!("edit-{}", path.join("-"));
    let (about_id, problem_id) = (format!("{id}-about"), format!("{id}-problem"));
    let wrong = RwSignal::new(None::<String>);
    let own_pointer = format!("{pointer}/{}", path.join("/"));
    let problem = move || {
        wrong.get().or_else(|| {
            let is_own = |path: &str| {
                path.strip_prefix(&own_pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let found = editor.problems.with(|problems| {
                problems.iter().find(|problem| is_own(&problem.path)).map(|problem| problem.message.clone())
            });
            found.filter(|_| form.touched.get())
        })
    };
    let has_problem = Memo::new({
        let problem = problem.clone();
        move |_| problem().is_some()
    });
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
            let is_shown = form.value.with(|value| editor.show_title(form.subject, &path, schema::get(value, &path)));
            let document = editor.document();
            let changes = form.changes(&document, &editor.file_name());
            match editor.draft.with_untracked(|draft| draft.with(changes)) {
                Ok(tried) if is_shown => editor.show_after_typing(tried),
                Ok(tried) => editor.show(tried),
                Err(_) => {}
            }
        }
    };
    if field.key == "subItems"
        && let Some(first) = sub_items::listed(value.as_ref())
    {
        return sub_items_view(&field.about, first, set, shown_problem);
    }
    let typed = {
        let (set, input) = (set.clone(), input.clone());
        move |text: String| match schema::parse(&input, &text) {
            Ok(value) => {
                wrong.set(None);
                set(value);
            }
            Err(sentence) => {
                form.touched.set(true);
                wrong.set(Some(sentence));
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
            let options = choices.iter().map(|word| {
                view! { <option value=word.clone() selected={*word == text}>{word.clone()}</option> }
            });
            view! {
                <select id=id.clone() aria-describedby=described aria-invalid=invalid on:change=move |event| typed(event_target_value(&event))>
                    <option value="">{as_usual(usual.as_deref())}</option>
                    {options.collect_view()}
                </select>
            }
            .into_any()
        }
        Input::SecretYaml => {
            let placeholder = if value.is_some() { "Set. Type to replace it." } else { "Not set" };
            view! {
                <textarea
                    id=id.clone() rows="3" spellcheck="false" autocomplete="off" placeholder=placeholder
                    aria-describedby=described aria-invalid=invalid
                    on:input=move |event| {
                        let text = event_target_value(&event);
                        // An emptied field keeps the old keys.
                        if text.trim().is_empty() {
                            wrong.set(None);
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
        Input::Secret => {
            let placeholder = if value.is_some() { "Set. Type to replace it." } else { "Not set" };
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
                            Some(text.into())
                        };
                        set(value);
                    }
                />
            }
            .into_any()
        }
        Input::Text | Input::List(_) | Input::Block(_) => {
            let line = view! {
                <input
                    type="text" id=id.clone() value=text placeholder=usual spellcheck="false" autocomplete="off"
                    aria-describedby=described aria-invalid=invalid aria-required=field.required.then_some("true")
                    on:input=move |event| typed(event_target_value(&event))
                />
            };
            let line = line.into_any();
            match field.helper.filter(|_| matches!(input, Input::Text | Input::List(_))) {
                Some(helper) => helped(helper, &label, line),
                None => line,
            }
        }
    };
    let hint = hint(&input, &field);
    view! {
        <div class="field edit-field">
            <label for=id.clone()>{label}{field.required.then_some(" *")}</label>
            {control}
            <p class="edit-about" id=format!("{id}-about")>{with_code(&hint)}</p>
            {shown_problem}
        </div>
    }
    .into_any()
}

/// Yes, no, or the default, which may depend on something else.
fn flag(
    id: String,
    field: &Field,
    value: Option<&Value>,
    described: impl Fn() -> String + Send + Sync + 'static,
    set: impl Fn(Option<Value>) + Send + Sync + 'static,
) -> AnyView {
    let now = value.and_then(Value::as_bool);
    let usual = field.default.as_ref().and_then(Value::as_bool);
    let unset = as_usual(usual.map(|usual| if usual { "yes" } else { "no" }));
    let change = move |event: Event| {
        set(match event_target_value(&event).as_str() {
            "yes" => Some(true.into()),
            "no" => Some(false.into()),
            _ => None,
        });
    };
    view! {
        <select id=id aria-describedby=described on:change=change>
            <option value="">{unset}</option>
            <option value="yes" selected={now == Some(true)}>"Yes"</option>
            <option value="no" selected={now == Some(false)}>"No"</option>
        </select>
    }
    .into_any()
}

/// The choice of the default.
fn as_usual(default: Option<&str>) -> String {
    default.map_or_else(|| "As usual".to_owned(), |default| format!("As usual ({default})"))
}

fn hint(input: &Input, field: &Field) -> String {
    let about = field.about.replace('\n', " ");
    match input {
        Input::List(_) => format!("{about} Several with commas between them."),
        Input::Number(min, max) => {
            let bounds = match (min, max) {
                (Some(min), Some(max)) => format!("From {min} to {max}."),
                (Some(min), None) => format!("At least {min}."),
                (None, Some(max)) => format!("At most {max}."),
                (None, None) => String::new(),
            };
            // The fields of the config itself say so already.
            if about.contains(&bounds) { about } else { format!("{about} {bounds}") }
        }
        Input::Yaml => format!("{about} In YAML, as in the file."),
        Input::SecretYaml => format!("{about} In YAML, as in the file. What is set is not shown."),
        Input::Secret => format!(
            "{about} Better than the key itself is the name of an environment variable that holds it, such as `PORTICO_KEY`."
        ),
        _ => about,
    }
}
