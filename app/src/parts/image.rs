//! Pictures: as the content of a widget, and next to other content.

use leptos::prelude::*;
use widgets::panel::{self, Size};

use super::{
    PanelContext,
    markup::text,
    phrase::ours,
    symbols::{self, Symbol},
    value::{Linked, Words},
};
use crate::any_view::IntoAny;

/// A picture next to other content.
#[component]
pub fn Picture<'a>(picture: &'a panel::Picture, class: &'static str, context: &'a PanelContext) -> impl IntoView {
    view! {
        <img
            class=class
            src=context.href(&picture.url)
            alt=picture.alt.clone()
            loading="lazy"
            decoding="async"
            referrerpolicy="no-referrer"
        />
    }
}

/// A picture as the content of a widget.
#[component]
pub fn Image<'a>(image: &'a panel::Image, context: &'a PanelContext) -> impl IntoView {
    let names = [&image.alt, &context.label, &image.file_name];
    let alt = names.into_iter().find(|name| !name.is_empty()).cloned().unwrap_or_default();
    let (width, data_width) = size(image.width.as_ref());
    let (height, data_height) = size(image.height.as_ref());
    let content = view! {
        <img
            src=context.href(&image.url)
            alt=alt
            loading="lazy"
            decoding="async"
            referrerpolicy="no-referrer"
            width=width
            height=height
            data-width=data_width
            data-height=data_height
        />
    }
    .into_any();
    view! {
        <figure class="part part-image">
            <Linked url=image.link.as_ref() context content/>
            <BrokenPicture source=&image.source/>
            {image.caption.as_ref().map(|phrase| view! { <figcaption><Words phrase context/></figcaption> })}
        </figure>
    }
}

/// Shown instead of a picture that could not be loaded.
#[component]
fn BrokenPicture<'a>(source: &'a str) -> impl IntoView {
    view! {
        <div class="broken-picture" role="status">
            <p><Symbol shape=symbols::BROKEN/>{ours("The image could not be loaded")}</p>
            {text(source).map(|source| view! { <code>{source}</code> })}
            <button class="action" type="button" data-again>{ours("Retry")}</button>
        </div>
    }
}

/// A length as an attribute if it is in pixels, otherwise as a `data` attribute for the script.
pub fn size(size: Option<&Size>) -> (Option<String>, Option<String>) {
    let Some(css) = size.map(Size::css) else { return (None, None) };
    match css.strip_suffix("px").filter(|pixels| !pixels.contains('.')) {
        Some(pixels) => (Some(pixels.to_owned()), None),
        None => (None, Some(css.to_owned())),
    }
}
