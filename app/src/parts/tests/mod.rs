//! Fixed parts, and the markup that they must give.

mod charts;
mod drawn;
mod numbers;
mod safety;
mod samples;

use std::fmt::Write as _;

use super::{PanelContext, html};

/// The snapshots are read line by line, so every element begins a line.
fn lines(html: &str) -> String {
    html.replace("><", ">\n<")
}

#[test]
fn every_part_has_its_markup() {
    for (name, panel) in samples::all() {
        let surroundings = PanelContext { base: "/dash".into(), label: name.into() };
        insta::assert_snapshot!(name.to_lowercase().replace(' ', "_"), lines(&html(&panel, &surroundings)));
    }
}

#[test]
fn a_panel_is_the_same_each_time() {
    for (name, panel) in samples::all() {
        let surroundings = PanelContext::default();
        assert_eq!(html(&panel, &surroundings), html(&panel, &surroundings), "{name}");
    }
}

/// Writes a page with all parts, if `PARTS_GALLERY` names a file. It links to `parts.css` beside it.
#[test]
fn the_gallery_has_all_parts() {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Parts</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" href=\"parts.css\">\
         </head><body><div class=\"page\"><header><h1 class=\"visually-hidden\">Parts</h1></header><main class=\"sections\">",
    );
    for (position, (name, panel)) in samples::all().iter().enumerate() {
        let markup = html(panel, &PanelContext { base: String::new(), label: (*name).into() });
        assert!(!markup.contains("<!"), "{name} has comments in it: {markup}");
        let data = serde_json::to_string(panel).unwrap().replace('<', "\\u003c");
        write!(
            page,
            "<section class=\"collapsable\" id=\"s-{position}\"><div class=\"section-heading\"><h2>{name}</h2></div>\
             <div class=\"widgets\"><article class=\"widget-base\"><div class=\"widget-body\">\
             <div class=\"panel\">{markup}</div></div><script type=\"application/json\">{data}</script>\
             </article></div></section>"
        )
        .unwrap();
    }
    page.push_str("</main></div><div class=\"tooltip\" id=\"tooltip\" role=\"tooltip\" hidden></div></body></html>");
    assert!(!page.contains(" style="), "style attributes are not allowed");
    if let Ok(file) = std::env::var("PARTS_GALLERY") {
        std::fs::write(file, page).unwrap();
    }
}
