//! Links and monitored sites of Glance: sections with items.

use serde_json::Value;

use super::Page;
use crate::{
    draft::{Put, SectionDraft, item},
    fields::Fields,
    icons,
    report::SourceLocation,
};

impl Page<'_> {
    /// A section for each group of bookmarks.
    pub fn bookmarks(&mut self, fields: &mut Fields, title: Option<String>) {
        let place = fields.place.clone();
        for group in fields.list("groups") {
            let name = group.get("title").and_then(crate::fields::text_of);
            let place = name.as_deref().map_or_else(|| place.clone(), |name| place.child(name));
            let mut group = Fields::of(group, place.clone(), self.report);
            group.skip(&["title"]);
            let names = [title.clone(), name].into_iter().flatten().collect::<Vec<_>>().join(" / ");
            let heading = if names.is_empty() { "Bookmarks" } else { &names };
            let mut section = SectionDraft::new(self.heading(heading));
            let same_tab = group.flag("same-tab");
            let target = group.words("target");
            for link in group.list("links") {
                self.link(link, same_tab, target.clone(), &place, &mut section);
            }
            self.finish_link(group);
            self.links.push(section);
        }
    }

    /// A bookmark. Its own target wins over that of its group.
    fn link(
        &mut self,
        value: Value,
        same_tab: Option<bool>,
        target: Option<String>,
        place: &SourceLocation,
        section: &mut SectionDraft,
    ) {
        if !value.is_object() {
            self.report.lost(place, format!("an entry that is not a mapping{}", crate::fields::addresses(&value)));
            return;
        }
        let mut fields = Fields::of(value, place.clone(), self.report);
        let title = fields.words("title");
        fields.place = place.child(title.as_deref().unwrap_or_default());
        let mut item = item(title, fields.words("url"));
        item.put("description", fields.words("description"));
        self.icon(&mut fields, &mut item);
        let same_tab = fields.flag("same-tab").or(same_tab) == Some(true);
        item.put("target", opening_method(fields.words("target").or(target).as_deref(), same_tab));
        section.items.push(item);
        self.finish_link(fields);
    }

    /// A section with a dot on each item.
    pub fn monitor(&mut self, fields: &mut Fields, title: Option<String>) {
        let place = fields.place.clone();
        let mut section = SectionDraft::new(self.heading(title.as_deref().unwrap_or("Monitor")));
        fields.skip(&["cache"]);
        for site in fields.list("sites") {
            if !site.is_object() {
                self.report.lost(&place, format!("an entry that is not a mapping{}", crate::fields::addresses(&site)));
                continue;
            }
            let mut site = Fields::of(site, place.clone(), self.report);
            let title = site.words("title");
            site.place = place.child(title.as_deref().unwrap_or_default());
            let mut item = item(title, site.words("url"));
            self.icon(&mut site, &mut item);
            item.put("target", (site.flag("same-tab") == Some(true)).then_some("sametab"));
            item.insert("statusCheck".to_owned(), true.into());
            item.put("statusCheckUrl", site.words("check-url"));
            item.put("statusCheckAllowInsecure", site.flag("allow-insecure").filter(|insecure| *insecure));
            let codes = site.texts("alt-status-codes").join(",");
            item.put("statusCheckAcceptCodes", Some(codes).filter(|codes| !codes.is_empty()));
            section.items.push(item);
            site.finish_with(self.report, |key| {
                Some(match key {
                    "basic-auth" => "put an `Authorization` header into `statusCheckHeaders` of the item",
                    "timeout" => "all checks have the same time limit",
                    "error-url" => "an item has one address, whether its service is up or down",
                    _ => return None,
                })
            });
        }
        self.links.push(section);
    }

    fn icon(&mut self, fields: &mut Fields, item: &mut serde_json::Map<String, Value>) {
        let icon = fields.words("icon");
        item.put("icon", icon.and_then(|icon| icons::of_glance(&icon, &fields.place, self.report)));
    }

    fn finish_link(&mut self, fields: Fields) {
        fields.finish_with(self.report, |key| match key {
            "color" | "hide-arrow" => Some("the look comes from the theme"),
            _ => None,
        });
    }
}

/// How a link opens, unless it is in a new tab as usual. The target wins.
fn opening_method(target: Option<&str>, same_tab: bool) -> Option<&'static str> {
    match target {
        Some("_self") => Some("sametab"),
        Some("_parent") => Some("parent"),
        Some("_top") => Some("top"),
        Some(_) => None,
        None => same_tab.then_some("sametab"),
    }
}
