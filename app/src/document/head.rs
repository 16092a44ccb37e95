//! The beginning of a document, up to the style sheets: what all pages have in common.

use std::{fmt::Write as _, iter};

use languages::Language;

use super::{
    assets::{Head, PageAssets},
    inline_scripts::{LANGUAGE_SCRIPT, THEME_SCRIPT},
    markup::{attribute, escape, style_sheet, tag},
};
use crate::page::language::LanguageLinks;

pub(super) fn open(
    html: &mut String,
    [day, night]: [&str; 2],
    (page, drafts): (&str, &Option<String>),
    assets: &PageAssets,
) {
    html.push_str("<!DOCTYPE html><html");
    let locale = languages::current_locale();
    attribute(html, "lang", &locale.tag);
    attribute(html, "dir", if locale.language.is_rtl() { "rtl" } else { "ltr" });
    attribute(html, "data-themes", &assets.themes);
    if day != "default" {
        attribute(html, "data-theme", day);
    }
    if day != night {
        attribute(html, "data-day", day);
        attribute(html, "data-night", night);
    }
    if !page.is_empty() {
        attribute(html, "data-page", page);
    }
    if let Some(person) = drafts {
        attribute(html, "data-drafts", person);
    }
    let own = if day == night { themes::find(day) } else { None };
    let own = own.into_iter().flat_map(|theme| &theme.fonts).map(|font| format!("{}/{font}", assets.base));
    let fonts: Vec<_> = iter::once(assets.font.clone()).chain(own).collect();
    attribute(html, "data-fonts", &fonts.join(" "));
    html.push_str("><head><meta charset=\"utf-8\">");
    tag(html, "meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1, viewport-fit=cover")]);
}

/// The links to a page of an export in its languages, and the script that follows one. In the first language, the script chooses by
/// the languages of the browser.
fn language_links(html: &mut String, LanguageLinks { base, links }: &LanguageLinks) {
    for (language, address) in links {
        tag(html, "link", &[("rel", "alternate"), ("hreflang", language.code()), ("href", address)]);
    }
    let languages: Vec<Language> = links.iter().map(|(language, _)| *language).collect();
    html.push_str("<script");
    attribute(html, "data-base", base);
    if languages.first() == Some(&languages::current_locale().language) {
        let table = serde_json::to_string(&Language::nearest_by_tag(&languages)).expect("its keys are texts");
        attribute(html, "data-nearest", &table);
    }
    _ = write!(html, ">{LANGUAGE_SCRIPT}</script>");
}

/// `styles` writes the product's own style sheets; those of the dashboard come after them.
pub(super) fn head_tags(
    html: &mut String,
    head: &Head,
    [day, night]: [&str; 2],
    assets: &PageAssets,
    styles: impl FnOnce(&mut String),
) {
    if let Some(links) = &head.languages {
        language_links(html, links);
    }
    html.push_str("<title>");
    escape(html, &head.title);
    html.push_str("</title>");
    for style in themes::inline_styles(day, night, &assets.base) {
        let media = [("class", "theme"), ("media", style.media)];
        tag(html, "style", if style.media.is_empty() { &media[..1] } else { &media });
        _ = write!(html, "{}</style>", style.css);
    }
    // Before the style sheets, because scripts after them would wait for them.
    _ = write!(html, "<script>{THEME_SCRIPT}</script>");
    styles(html);
    for address in &head.style_sheets {
        style_sheet(html, address);
    }
    if !head.style.is_empty() {
        _ = write!(html, "<style>{}</style>", head.style);
    }
    tag(html, "meta", &[("name", "robots"), ("content", "noindex")]);
}

pub(super) fn icons(html: &mut String, own: Option<&str>, assets: &PageAssets) {
    match own {
        Some(address) => tag(html, "link", &[("rel", "icon"), ("href", address)]),
        None => {
            tag(
                html,
                "link",
                &[("rel", "icon"), ("type", "image/svg+xml"), ("href", &format!("{}/favicon.svg", assets.base))],
            );
        }
    }
    tag(html, "link", &[("rel", "apple-touch-icon"), ("href", &format!("{}/icons/apple-touch-icon.png", assets.base))]);
}
