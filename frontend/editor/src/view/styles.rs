//! The dialog for custom CSS. The page shows it as it is typed.

use std::time::Duration;

use leptos::{html, leptos_dom::helpers::TimeoutHandle, prelude::*};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{modal::Modal, pieces::with_code};
use crate::{
    css_check::{Browser, CssProblem, check},
    editor::{DialogAction, Editor},
    texts::{fill, t},
};

/// The setting.
const KEY: &str = "customCss";
/// How long typing has to pause before the page is previewed.
const DEBOUNCE: Duration = Duration::from_millis(300);

#[wasm_bindgen]
extern "C" {
    /// Whether the browser knows a value of a CSS property.
    #[wasm_bindgen(js_namespace = CSS, js_name = supports)]
    fn css_supports(property: &str, value: &str) -> bool;
}

/// This browser.
struct ThisBrowser;

impl Browser for ThisBrowser {
    fn supports(&self, property: &str, value: &str) -> bool {
        css_supports(property, value)
    }

    fn is_selector(&self, text: &str) -> bool {
        document().create_element("i").is_ok_and(|element| element.query_selector(text).is_ok())
    }
}

/// The dialog.
#[component]
pub fn Styles(editor: Editor) -> impl IntoView {
    let configured = editor.setting_value(KEY);
    let began = StoredValue::new(configured.as_str().unwrap_or_default().to_owned());
    let text = RwSignal::new(began.get_value());
    let problems = RwSignal::new(check(&began.get_value(), &ThisBrowser));
    let is_asked = RwSignal::new(false);
    let pause = StoredValue::new(None::<TimeoutHandle>);
    let field = NodeRef::<html::Textarea>::new();
    let stay = NodeRef::<html::Button>::new();
    let stop = move || {
        if let Some(pause) = pause.try_update_value(Option::take).flatten() {
            pause.clear();
        }
    };
    on_cleanup(stop);
    let change = move |css: &str, label: Option<String>| {
        let value = if css.trim().is_empty() { Value::Null } else { css.into() };
        editor.change_setting(KEY, value, label);
    };
    let typed = move |event| {
        text.set(event_target_value(&event));
        stop();
        let look = move || {
            let css = text.get_untracked();
            problems.set(check(&css, &ThisBrowser));
            change(&css, None);
        };
        pause.set_value(set_timeout_with_handle(look, DEBOUNCE).ok());
    };
    let close = move || {
        stop();
        editor.act(DialogAction::Close);
    };
    let is_changed = move || text.with_untracked(|text| began.with_value(|began| text != began));
    let take = move || {
        close();
        if is_changed() {
            change(&text.get_untracked(), Some(t("Edit custom CSS")));
        }
    };
    let discard = move || {
        close();
        change(&began.get_value(), None);
    };
    let decide = move |asked: bool| {
        is_asked.set(asked);
        // A button takes the focus once it is shown.
        request_animation_frame(move || match (asked, stay.get_untracked(), field.get_untracked()) {
            (true, Some(stay), _) => _ = stay.focus(),
            (false, _, Some(field)) => _ = field.focus(),
            _ => {}
        });
    };
    let leave = Callback::new(move |()| if is_changed() { decide(true) } else { discard() });
    let jump = move |line: usize| {
        let Some(field) = field.get_untracked() else { return };
        let css = field.value();
        // The browser counts in UTF-16.
        let length = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
        let from: u32 = css.split('\n').take(line - 1).map(|line| length(line) + 1).sum();
        let to = from + css.split('\n').nth(line - 1).map_or(0, length);
        _ = field.focus();
        _ = field.set_selection_range(from, to);
    };
    let listed = move || {
        let row = |CssProblem { line, message, is_remark }: CssProblem| {
            let text = fill("Line {line}: {message}", &[("line", &line.to_string()), ("message", &message)]);
            view! {
                <li><button type="button" class:remark=is_remark on:click=move |_| jump(line)>{with_code(&text)}</button></li>
            }
        };
        problems.get().into_iter().map(row).collect_view()
    };
    let told = move || match problems.with(|problems| problems.iter().any(|problem| !problem.is_remark)) {
        true => t("The browser ignores what is wrong; the rest is on the page."),
        false => String::new(),
    };
    let colors = move |_| {
        take();
        editor.open_script("colors");
    };
    view! {
        <Modal title=t("Custom CSS") class="edit-styles" close=leave>
            <div class="edit-scroll">
                <label class="field" for="edit-css"><span>{t("CSS")}</span></label>
                // Tab leaves the field, as in other forms.
                <textarea
                    node_ref=field id="edit-css" spellcheck="false" autocapitalize="off" autofocus=true
                    aria-describedby="edit-css-problems edit-css-about" prop:value=began.get_value() on:input=typed
                ></textarea>
                <ul
                    id="edit-css-problems" class="edit-css-problems" role="list" aria-label=t("Problems")
                    hidden=move || problems.with(Vec::is_empty)
                >
                    {listed}
                </ul>
                <p class="edit-about" role="status">{told}</p>
                <p class="edit-about" id="edit-css-about">
                    {with_code(&t("These styles come after all others, for everybody. Those of one theme begin with `html[data-theme='name']`. Tags are removed."))}
                </p>
            </div>
            <div class="edit-buttons" role="alert" hidden=move || !is_asked.get()>
                <span class="edit-left">{t("Your changes to the styles are not in the draft yet.")}</span>
                <button class="button" type="button" on:click=move |_| discard()>{t("Discard")}</button>
                <button node_ref=stay class="button" type="button" on:click=move |_| decide(false)>{t("Keep typing")}</button>
            </div>
            <div class="edit-buttons" hidden=is_asked>
                <button class="button" type="button" on:click=colors>{t("Colors of the theme")}</button>
                <button class="button" type="button" on:click=move |_| leave.run(())>{t("Cancel")}</button>
                <button class="button primary" type="button" on:click=move |_| take()>{t("Apply")}</button>
            </div>
        </Modal>
    }
}
