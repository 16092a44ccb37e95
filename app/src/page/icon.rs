//! The picture of an item or a section.

use config::dashboard::IconView;
use leptos::prelude::*;

#[cfg(not(feature = "hydrate"))]
use crate::any_view::{AnyView, IntoAny};
#[cfg(feature = "hydrate")]
use crate::built_view::{AnyView, IntoAny};

/// Number of hues of letter avatars; the style sheet has the same number.
const HUES: u32 = 12;

/// One icon; nothing at all for [`IconView::None`]. It is a single element, because a page may have thousands of tiles: a glyph
/// that is in the page clips an empty element, which has the color of the text. Only a glyph in a file of its own needs two.
/// `item-icon`, `tile-icon` and `emoji-icon` are for custom styles alone (docs/spec/config.md 12).
pub fn icon(icon: &IconView) -> Option<AnyView> {
    Some(match icon {
        IconView::None => return None,
        IconView::Glyph(href) if href.starts_with('#') => {
            let shape = format!("url({href})");
            view! { <svg class="icon glyph item-icon" clip-path=shape aria-hidden="true"></svg> }.into_any()
        }
        IconView::Glyph(href) => {
            let href = href.clone();
            view! { <svg class="icon glyph item-icon" aria-hidden="true"><use_ href=href></use_></svg> }.into_any()
        }
        IconView::Image(src) => {
            let src = src.clone();
            view! { <img class="icon picture item-icon tile-icon" src=src alt="" loading="lazy" decoding="async"/> }
                .into_any()
        }
        IconView::Emoji(text) => {
            view! { <span class="icon emoji item-icon emoji-icon" aria-hidden="true">{text.clone()}</span> }.into_any()
        }
        IconView::Letter(text) => {
            let hue = text.chars().map(u32::from).sum::<u32>() % HUES;
            view! { <span class="icon letter item-icon" aria-hidden="true" data-hue=hue.to_string()>{text.clone()}</span> }
                .into_any()
        }
    })
}
