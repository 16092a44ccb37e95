//! The preview of a widget, beside its form.

use app::{editing::WidgetPreview, follow_frames};
use leptos::{ev::Event, html, prelude::*, task::spawn_local};
use serde_json::Value;
use web_sys::Element;

use crate::{
    dom::{closest, target, wait},
    editor::Editor,
    form::Form,
    texts::t,
    widget_preview::{PAUSE, content, poll},
};

/// The id of what the button folds.
const BODY: &str = "edit-preview-body";

/// The panel of the widget as it is entered in the form.
#[component]
pub fn Preview(editor: Editor, form: Form) -> impl IntoView {
    let frame = NodeRef::<html::Article>::new();
    let shown = RwSignal::new(None::<WidgetPreview>);
    let status = RwSignal::new(String::new());
    let is_busy = RwSignal::new(false);
    let is_open = RwSignal::new(true);
    // Answers to older previews are dropped.
    let newest = StoredValue::new(0_u32);
    Effect::new(move |before: Option<()>| {
        let entry = form.value.with(Value::to_string);
        let number = newest.get_value() + 1;
        newest.set_value(number);
        is_busy.set(true);
        let place = editor.entry_page();
        spawn_local(async move {
            if before.is_some() {
                wait(PAUSE).await;
            }
            let is_current = || newest.try_get_value() == Some(number);
            if !is_current() {
                return;
            }
            let result = poll(&place, &entry, |answer| {
                if is_current() {
                    let waits = answer.next.is_some_and(|next| next > 0);
                    status.set(if waits { t("Waiting for the service…") } else { String::new() });
                    shown.set(Some(answer.clone()));
                }
                is_current()
            });
            let result = result.await;
            if is_current() {
                if let Err(rejection) = result {
                    status.set(rejection.message);
                }
                is_busy.set(false);
            }
        });
    });
    Effect::new(move |_| {
        if let Some((frame, answer)) = frame.get().zip(shown.get()) {
            draw(&frame, &answer);
        }
    });
    view! {
        <section class="edit-preview" aria-label=t("Preview")>
            <button
                class="button edit-preview-fold" type="button" aria-controls=BODY aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
            >
                {t("Preview")}
            </button>
            <div class="edit-preview-body" id=BODY hidden=move || !is_open.get()>
                <article
                    node_ref=frame class="widget-base" aria-busy=move || is_busy.get().then_some("true")
                    on:click:capture=move |event| hold(&event) on:submit:capture=move |event| hold(&event)
                ></article>
                <p class="edit-about" role="status">{status}</p>
            </div>
        </section>
    }
}

/// Links would leave the page, and buttons would act on the service.
fn hold(event: &Event) {
    if target(event).is_some_and(|target| closest(&target, "summary").is_none()) {
        event.prevent_default();
        event.stop_propagation();
    }
}

fn draw(frame: &Element, answer: &WidgetPreview) {
    let classes = answer.classes.iter().map(|class| format!(" {class}")).collect::<String>();
    frame.set_class_name(&format!("widget-base widget-{}{classes}", answer.kind));
    _ = frame.set_attribute("aria-label", answer.label.as_ref().unwrap_or(&answer.kind));
    frame.replace_children_with_node(&content(answer));
    if let Some(label) = &answer.label
        && let (Ok(head), Ok(heading)) = (document().create_element("header"), document().create_element("h3"))
    {
        head.set_class_name("widget-head");
        heading.set_class_name("widget-label");
        heading.set_text_content(Some(label));
        _ = head.append_child(&heading);
        _ = frame.prepend_with_node_1(&head);
    }
    follow_frames();
}
