//! A few sentences, and text with harmless markup.

use leptos::prelude::*;
use widgets::panel;

use super::{PanelContext, markup::classes, tone::tone_class, value::Words};
use crate::any_view::{AnyView, IntoAny};

/// A few sentences.
#[component]
pub fn Paragraph<'a>(paragraph: &'a panel::Paragraph, context: &'a PanelContext) -> AnyView {
    let look = match (paragraph.monospace, paragraph.small) {
        (true, _) => "monospace",
        (false, true) => "small",
        (false, false) => "",
    };
    let class = classes(["part part-paragraph", look, tone_class(paragraph.tone)]);
    let words = view! { <Words phrase=&paragraph.text context/> };
    if paragraph.quote {
        view! { <blockquote class=class><p>{words}</p></blockquote> }.into_any()
    } else if paragraph.monospace {
        // Long lines of monospaced text scroll; with the keyboard, that works only in focusable elements.
        view! { <pre class=class tabindex="0">{words}</pre> }.into_any()
    } else {
        view! { <p class=class>{words}</p> }.into_any()
    }
}

/// Text with harmless markup.
#[component]
pub fn RichText<'a>(text: &'a panel::RichText) -> impl IntoView {
    view! { <div class="part part-rich-text" inner_html=text.html().to_owned()></div> }
}
