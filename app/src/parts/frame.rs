//! Another page in a frame.

use leptos::{attr::custom::custom_attribute, prelude::*};
use widgets::panel::{self, SafeUrl};

use super::{PanelContext, image::size, phrase::ours, value::plain};

/// Sandbox permissions of a page from another host. It may not replace the page around it.
const OTHER_HOST: &str = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox \
                          allow-downloads allow-modals";
/// Sandbox permissions of a page from this server: with its origin and scripts together it could escape.
const THIS_SERVER: &str = "allow-scripts allow-forms allow-popups allow-downloads allow-modals";

/// Another page.
#[component]
pub fn Frame<'a>(frame: &'a panel::Frame, context: &'a PanelContext) -> impl IntoView {
    let is_other = frame.url.as_ref().is_some_and(SafeUrl::is_remote);
    let usual = if is_other { OTHER_HOST } else { THIS_SERVER };
    let sandbox = match frame.sandbox.as_deref() {
        None | Some("true") => Some(usual.to_owned()),
        Some("false") => (!is_other).then(|| usual.to_owned()),
        Some(written) => Some(allowed(written, is_other)),
    };
    let (height, data_height) = size(frame.height.as_ref());
    // A page from the config file reports its height, and receives the colors.
    let is_embedded = frame.embedded.is_some();
    let usual_title = ours(if is_embedded { "Embedded content" } else { "Embedded page" });
    let names = [plain(&frame.title), context.label.clone()];
    let title = names.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| usual_title.to_owned());
    view! {
        <div class="part part-frame">
            <iframe
                {custom_attribute("loading", "lazy")}
                title=title
                src=frame.url.as_ref().map(|url| context.href(url))
                sandbox=sandbox
                allow="fullscreen; clipboard-write"
                referrerpolicy="strict-origin-when-cross-origin"
                height=height
                data-height=data_height
                data-embedded=is_embedded
            ></iframe>
            {frame.url.as_ref().filter(|_| is_other).map(|url| view! {
                <p class="frame-hint" hidden>
                    {[ours("The page has not loaded. It may forbid being embedded."), " "].concat()}
                    <a href=context.href(url) target="_blank" rel="noopener noreferrer">{ours("Open in a new tab")}</a>
                </p>
            })}
        </div>
    }
}

/// The given permissions, without those that a page may not have: replacing the page around it and, for a page of this
/// server, having our origin.
fn allowed(written: &str, is_other: bool) -> String {
    let is_allowed = |right: &&str| {
        let is_name = right.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        is_name && !right.starts_with("allow-top-navigation") && (is_other || *right != "allow-same-origin")
    };
    let written = written.to_ascii_lowercase();
    written.split_ascii_whitespace().filter(is_allowed).collect::<Vec<_>>().join(" ")
}
