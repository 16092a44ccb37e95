//! Fixed parts, and their expected markup.

mod charts;
mod drawn;
mod numbers;
mod safety;
mod samples;

use std::{collections::BTreeSet, fmt::Write as _};

use widgets::panel::Part;

use super::{PanelContext, html};

/// Puts every element on its own line, because people read the snapshots line by line.
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

/// A panel is rendered once for all viewers, in any order and on any thread, and kept.
#[test]
fn a_panel_is_the_same_wherever_and_after_whatever_it_is_rendered() {
    let render = || {
        samples::all().iter().map(|(name, panel)| (*name, html(panel, &PanelContext::default()))).collect::<Vec<_>>()
    };
    let first = render();
    let elsewhere = std::thread::spawn(move || {
        let mut others = samples::all();
        others.reverse();
        let mut rendered: Vec<_> =
            others.iter().map(|(name, panel)| (*name, html(panel, &PanelContext::default()))).collect();
        rendered.reverse();
        rendered
    });
    let elsewhere = elsewhere.join().unwrap();
    for ((name, expected), (_, found)) in first.iter().zip(&elsewhere) {
        assert_eq!(expected, found, "{name}");
    }
}

/// The names of the parts in a panel, including nested ones.
fn names(parts: &[Part], found: &mut BTreeSet<&'static str>) {
    for part in parts {
        found.insert(part.name());
        match part {
            Part::Details(details) => names(&details.parts, found),
            Part::Columns(columns) => columns.columns.iter().for_each(|parts| names(parts, found)),
            _ => {}
        }
    }
}

/// Writes a page with all parts, if `PARTS_GALLERY` names a file. It links to `parts.css` next to it.
#[test]
fn the_gallery_has_all_parts() {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Parts</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" href=\"parts.css\">\
         </head><body><div class=\"page\"><header><h1 class=\"visually-hidden\">Parts</h1></header><main class=\"sections\">",
    );
    let mut shown = BTreeSet::new();
    for (position, (name, panel)) in samples::all().iter().enumerate() {
        names(&panel.parts, &mut shown);
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
    assert_eq!(shown, Part::NAMES.iter().copied().collect(), "a part has no sample");
    assert!(!page.contains(" style="), "style attributes are not allowed");
    if let Ok(file) = std::env::var("PARTS_GALLERY") {
        std::fs::write(file, page).unwrap();
    }
}
