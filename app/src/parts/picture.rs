//! A picture, and another page in a frame.

use widgets::panel::{Frame, Image, Size};

use super::{datum, markup::Markup, phrase, symbols};

/// Rights of a page of another host. It may not replace the page around it.
const STRANGER: &str = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox \
                        allow-downloads allow-modals";
/// Rights of a page of this server: with its origin and scripts together it could free itself.
const NEIGHBOUR: &str = "allow-scripts allow-forms allow-popups allow-downloads allow-modals";
/// Rights of a page that is written in the config file.
const WRITTEN: &str = "allow-scripts allow-forms allow-popups";

/// A picture as the content of a widget.
pub fn image(image: &Image, m: &mut Markup) {
    m.open("figure", "part part-image");
    if let Some(link) = &image.link {
        datum::open_link(link, "", m);
    }
    let address = datum::address(&image.url, m);
    let names = [&image.alt, &m.surroundings.label, &image.file_name];
    let alt = names.into_iter().find(|name| !name.is_empty()).map_or("", String::as_str);
    m.void("img", "");
    m.attr("src", &address);
    m.attr("alt", alt);
    m.fixed(r#"loading="lazy" decoding="async" referrerpolicy="no-referrer""#);
    size("width", image.width.as_ref(), m);
    size("height", image.height.as_ref(), m);
    if image.link.is_some() {
        m.close();
    }
    broken(&image.source, m);
    if let Some(caption) = &image.caption {
        m.open("figcaption", "");
        phrase::write(caption, m);
        m.close();
    }
    m.close();
}

/// What is seen in the place of a picture that could not be loaded.
fn broken(source: &str, m: &mut Markup) {
    m.open("div", "broken-picture");
    m.attr("role", "status");
    m.open("p", "");
    m.trusted(symbols::BROKEN);
    m.text(phrase::ours("The image could not be loaded"));
    m.close();
    if !source.is_empty() {
        m.element("code", "", source);
    }
    m.open("button", "action");
    m.fixed(r#"type="button" data-again"#);
    m.text(phrase::ours("Retry"));
    m.close();
    m.close();
}

/// Another page in a frame.
pub fn frame(frame: &Frame, m: &mut Markup) {
    m.open("div", "part part-frame");
    m.open("iframe", "");
    m.attr("title", &phrase::plain(&frame.title));
    m.attr("loading", "lazy");
    let rights = match (&frame.url, &frame.html) {
        (Some(url), _) => {
            let address = datum::address(url, m);
            m.attr("src", &address);
            if url.is_remote() { STRANGER } else { NEIGHBOUR }
        }
        (None, html) => {
            m.attr("srcdoc", html.as_deref().unwrap_or_default());
            WRITTEN
        }
    };
    m.attr("sandbox", rights);
    m.fixed(r#"allow="fullscreen; clipboard-write" referrerpolicy="strict-origin-when-cross-origin""#);
    size("height", frame.height.as_ref(), m);
    m.close();
    m.close();
}

/// Pixels are an attribute; a length in another unit is set by the script.
fn size(name: &str, size: Option<&Size>, m: &mut Markup) {
    let Some(css) = size.map(Size::css) else { return };
    match css.strip_suffix("px").filter(|pixels| !pixels.contains('.')) {
        Some(pixels) => m.attr(name, pixels),
        None => {
            let mut attribute = String::from("data-");
            attribute.push_str(name);
            m.attr(&attribute, css);
        }
    }
}
