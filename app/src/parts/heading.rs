//! A title inside a panel, and the line below with the source of the data.

use leptos::prelude::*;
use widgets::panel;

use super::{
    PanelContext,
    image::Picture,
    value::{Linked, Words},
};
use crate::any_view::IntoAny;

/// A title.
#[component]
pub fn Heading<'a>(heading: &'a panel::Heading, context: &'a PanelContext) -> impl IntoView {
    let content = view! { <Words phrase=&heading.text context/> }.into_any();
    view! {
        <div class="part part-heading">
            {heading.picture.as_ref().map(|picture| view! { <Picture picture class="heading-picture" context/> })}
            <div class="heading-text">
                <h3><Linked url=heading.url.as_ref() context content/></h3>
                {heading.subtitle.as_ref().map(|phrase| view! { <p class="heading-subtitle"><Words phrase context/></p> })}
            </div>
        </div>
    }
}

/// The source of the data.
#[component]
pub fn Credit<'a>(link: &'a panel::Link, context: &'a PanelContext) -> impl IntoView {
    let content = view! { <Words phrase=&link.text context/> }.into_any();
    view! { <p class="part part-credit"><Linked url=Some(&link.url) context content/></p> }
}
