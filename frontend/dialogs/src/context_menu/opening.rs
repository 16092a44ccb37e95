//! The ways to open a link.

use app::browser::element;
use web_sys::HtmlAnchorElement;

use super::entry::Line;
use crate::texts::t;

/// The attributes of a link that say how it opens.
const NAMES: [&str; 3] = ["target", "data-open", "data-opening"];

/// The ways to open a link.
pub fn ways_to_open(link: &HtmlAnchorElement) -> Vec<Line> {
    let way = |label: &str, target: &'static str, method: Option<&'static str>| {
        let link = link.clone();
        Line::run(t(label), move || follow(&link, target, method))
    };
    let mut ways = vec![
        way("Open in this tab", "", None),
        way("Open in a new tab", "_blank", None),
        way("Open in a new window", "_blank", Some("newwindow")),
    ];
    if link.href().starts_with("http:") || link.href().starts_with("https:") {
        ways.push(way("Open in a pop-up", "_blank", Some("modal")));
        ways.push(match element("frames") {
            Some(_) => way("Open in the workspace", "stage", None),
            None => way("Open in the workspace", "_blank", Some("workspace")),
        });
    }
    ways.push(way("Copy link", "_blank", Some("clipboard")));
    ways
}

/// Opens a link in another way than usual, including everything that the page does on opening.
fn follow(link: &HtmlAnchorElement, target: &str, method: Option<&str>) {
    let set = |values: [Option<&str>; 3]| {
        for (name, value) in NAMES.iter().zip(values) {
            _ = match value {
                Some(value) => link.set_attribute(name, value),
                None => link.remove_attribute(name),
            };
        }
    };
    let before = NAMES.map(|name| link.get_attribute(name));
    // The editor handles clicks on tiles, unless the tile is marked for opening.
    set([Some(target), method, Some("")]);
    link.click();
    set(before.each_ref().map(Option::as_deref));
}
