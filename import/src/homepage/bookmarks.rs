//! `bookmarks.yaml`: groups of links.

use serde_json::Value;

use super::{
    entries::{named, target},
    settings::Group,
};
use crate::{
    draft::{Put, SectionDraft, item, put_tags},
    fields::Fields,
    icons,
    report::{Report, SourceLocation},
};

/// The groups of a file.
pub fn groups(value: Value, place: &SourceLocation, report: &mut Report) -> Vec<Group> {
    let mut groups = Vec::new();
    for (name, content) in named(value, place, report) {
        let place = place.child(&name);
        let mut section = SectionDraft::new(name.clone());
        for (title, content) in named(content, &place, report) {
            let entries = match content {
                Value::Array(entries) => entries,
                other => vec![other],
            };
            for entry in entries {
                bookmark(&title, entry, &place, &mut section, report);
            }
        }
        groups.push(Group { name, section, inner: Vec::new() });
    }
    groups
}

fn bookmark(title: &str, entry: Value, place: &SourceLocation, section: &mut SectionDraft, report: &mut Report) {
    let place = place.child(title);
    let mut fields = Fields::of(entry, place.clone(), report);
    let mut item = item(Some(title.to_owned()), fields.words("href"));
    item.put("description", fields.words("description"));
    let icon = fields.words("icon");
    item.put("icon", icon.and_then(|icon| icons::of_homepage(&icon, &place, report)));
    item.put("target", target(fields.words("target"), &place, report));
    fields.skip(&["id"]);
    // Users type the abbreviation, so the search has to find it.
    let tags = fields.words("abbr").into_iter().chain(fields.texts("keywords")).collect();
    put_tags(&mut item, tags, &place, report);
    section.items.push(item);
    fields.finish(report);
}
