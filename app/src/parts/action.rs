//! Buttons that change something.

use leptos::prelude::*;
use widgets::panel::ActionButton;

use super::{PanelContext, markup::classes, tone::tone_class, value::Words};
use crate::any_view::{AnyView, IntoAny};

/// A button that changes something, as a part of its own.
#[component]
pub fn Action<'a>(button: &'a ActionButton, context: &'a PanelContext) -> impl IntoView {
    view! { <div class="part part-action"><ActionControl button context/></div> }
}

/// A button that changes something. If it has a question, that opens first.
#[component]
pub fn ActionControl<'a>(button: &'a ActionButton, context: &'a PanelContext) -> AnyView {
    match &button.question {
        Some(question) => view! {
            <details class="confirm">
                <summary class=classes(["action", tone_class(button.tone)])>
                    <Words phrase=&button.label context/>
                </summary>
                <div class="confirm-question">
                    <p><Words phrase=question context/></p>
                    <Confirmed button context/>
                </div>
            </details>
        }
        .into_any(),
        None => view! { <Confirmed button context/> }.into_any(),
    }
}

/// The button that acts immediately.
#[component]
fn Confirmed<'a>(button: &'a ActionButton, context: &'a PanelContext) -> impl IntoView {
    let target = &button.action.target;
    view! {
        <button
            class=classes(["action", tone_class(button.tone)])
            type="button"
            data-action=button.action.name.clone()
            data-target=(!target.is_empty()).then(|| target.clone())
        >
            <Words phrase=&button.label context/>
        </button>
    }
}
