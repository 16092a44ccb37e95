//! `settings.yaml`: the title and the look of the page, and the order of the groups.

use serde_json::{Map, Value};

use super::entries::{named, target};
use crate::{
    draft::{ConfigDraft, Put, SectionDraft},
    fields::{Fields, addresses, text_of},
    icons,
    report::{Report, SourceLocation},
    search_engines,
};

/// A group of services or bookmarks.
#[derive(Debug)]
pub struct Group {
    /// Its name in the file.
    pub name: String,
    /// What is directly in it.
    pub section: SectionDraft,
    /// The groups in it.
    pub inner: Vec<Group>,
}

/// What `settings.yaml` says about groups and services.
#[derive(Debug, Default)]
pub struct HomepageSettings {
    /// The order and the look of groups.
    pub layout: GroupLayout,
    /// The name of the dashboard in labels of containers.
    pub instance: Option<String>,
    /// Keys of services.
    providers: Vec<Provider>,
    rest: Vec<Fields>,
}

/// The key of a service, which widgets may name instead of writing it out.
#[derive(Debug)]
struct Provider {
    name: String,
    key: Value,
    place: SourceLocation,
    is_used: bool,
}

/// The order and the look of groups.
#[derive(Debug, Default)]
pub struct GroupLayout {
    groups: Vec<(String, Fields)>,
    /// Whether groups are collapsed that do not say so themselves.
    collapsed: bool,
}

/// Reads the settings, and puts what belongs to the page into the draft.
pub fn read(files: Vec<(SourceLocation, Value)>, draft: &mut ConfigDraft, report: &mut Report) -> HomepageSettings {
    let mut settings = HomepageSettings::default();
    for (place, value) in files {
        let mut fields = Fields::of(value, place.clone(), report);
        page(&mut fields, draft, report);
        settings.layout.collapsed |= fields.flag("groupsInitiallyCollapsed") == Some(true);
        quick_launch(&mut fields, draft, report);
        settings.instance = fields.words("instanceName").or(settings.instance);
        if let Some(mut providers) = fields.mapping("providers", report) {
            for (name, key) in providers.take_rest() {
                let place = providers.place.child(&name);
                settings.providers.push(Provider { name, key, place, is_used: false });
            }
        }
        if let Some(layout) = fields.value("layout") {
            let place = place.child("layout");
            for (name, content) in named(layout, &place, report) {
                let group = Fields::of(content, place.child(&name), report);
                settings.layout.groups.push((name, group));
            }
        }
        settings.rest.push(fields);
    }
    settings
}

fn page(fields: &mut Fields, draft: &mut ConfigDraft, report: &mut Report) {
    let place = fields.place.clone();
    draft.page_info.put("title", fields.words("title"));
    draft.page_info.put("description", fields.words("description"));
    let favicon = fields.words("favicon");
    draft.page_info.put("favicon", favicon.and_then(|path| icons::of_homer(&path, &place, report)));
    let target = target(fields.words("target"), &place, report);
    draft.app_config.put("defaultOpeningMethod", target);
    draft.app_config.put("language", fields.words("language"));
    if fields.flag("fullWidth") == Some(true) {
        draft.app_config.put("contentMaxWidth", Some("100%"));
    }
    // Older files have only the address.
    let image = fields.words("background").or_else(|| {
        let mut background = fields.mapping("background", report)?;
        let image = background.words("image");
        background.finish(report);
        image
    });
    draft.app_config.put("backgroundImg", image.and_then(|path| icons::of_homer(&path, &place, report)));
}

/// Homepage's search, as our web search.
fn quick_launch(fields: &mut Fields, draft: &mut ConfigDraft, report: &mut Report) {
    let Some(mut search) = fields.mapping("quicklaunch", report) else { return };
    let mut web_search = Map::new();
    web_search.put("disableWebSearch", search.flag("hideInternetSearch").filter(|hidden| *hidden));
    let provider = search.words("provider");
    let custom = search.words("url");
    let address = match provider.as_deref() {
        None | Some("custom") => custom,
        Some(name) => search_engines::address_of(name).map(str::to_owned).or(custom),
    };
    if let Some(address) = address {
        web_search.put("searchEngine", Some("custom"));
        web_search.put("customSearchEngine", Some(address));
    }
    if let Some("_self") = search.words("target").as_deref() {
        web_search.put("openingMethod", Some("sametab"));
    }
    draft.app_config.put("webSearch", Some(web_search).filter(|search| !search.is_empty()));
    search.finish(report);
}

impl HomepageSettings {
    /// The key of a service, for widgets that name the service instead of a key.
    pub fn provider(&mut self, name: &str) -> Option<String> {
        let provider = self.providers.iter_mut().find(|provider| provider.name == name)?;
        provider.is_used = true;
        text_of(&provider.key)
    }

    /// Notes what was not used.
    pub fn finish(self, report: &mut Report) {
        for Provider { key, place, .. } in self.providers.iter().filter(|provider| !provider.is_used) {
            report.lost(place, format!("no widget uses this key{}", addresses(key)));
        }
        for fields in self.rest {
            fields.finish_with(report, |key| {
                Some(match key {
                    "theme" | "color" => "choose one of the themes in the options",
                    "cardBlur" | "headerStyle" | "statusStyle" | "iconStyle" | "bookmarksStyle" | "useEqualHeights" => {
                        "the look comes from the theme"
                    }
                    "maxGroupColumns" | "maxBookmarkGroupColumns" => {
                        "the number of columns depends on the width of the screen"
                    }
                    "hideErrors" => "errors are shown, unless a widget has `ignoreErrors: true`",
                    "disableCollapse" => "every section can be collapsed",
                    "showStats" => "a `containers` widget shows the state of containers",
                    "base" | "startUrl" | "logpath" | "disableIndexing" | "hideVersion" => {
                        "settings of the program itself are not part of the config"
                    }
                    _ => return None,
                })
            });
        }
        self.layout.finish(report);
    }
}

impl GroupLayout {
    /// The sections in the order of the layout, then those that it does not name.
    pub fn arrange(&mut self, groups: Vec<Group>, report: &mut Report) -> Vec<SectionDraft> {
        let mut groups: Vec<_> = groups
            .into_iter()
            .map(|group| (self.groups.iter().position(|(name, _)| *name == group.name).unwrap_or(usize::MAX), group))
            .collect();
        groups.sort_by_key(|(position, _)| *position);
        let mut sections = Vec::new();
        // A group without services or bookmarks is not shown, so its look is not needed.
        for (position, (name, look)) in self.groups.iter_mut().enumerate() {
            if !groups.iter().any(|(other, _)| *other == position) {
                report.lost(&look.place, format!("there is no group `{name}` with services or bookmarks"));
                look.take_rest();
            }
        }
        for (position, group) in groups {
            let look = self.groups.get_mut(position).map(|(_, look)| look);
            place_group(group, look, self.collapsed, &mut sections, report);
        }
        sections
    }

    fn finish(self, report: &mut Report) {
        for (_, look) in self.groups {
            finish_look(look, report);
        }
    }
}

/// Notes what a group would have looked like.
fn finish_look(look: Fields, report: &mut Report) {
    look.finish_with(report, |key| {
        Some(match key {
            "tab" => "there are no tabs: all groups are on one page, and you can move sections to other pages",
            "style" | "useEqualHeights" | "iconsOnly" | "header" => "sections are arranged by the layout of the page",
            _ => return None,
        })
    });
}

/// Appends a group and those in it, each with its look.
fn place_group(
    group: Group,
    look: Option<&mut Fields>,
    collapsed: bool,
    sections: &mut Vec<SectionDraft>,
    report: &mut Report,
) {
    let mut section = group.section;
    let mut inner_looks = Vec::new();
    let mut is_collapsed = collapsed;
    if let Some(look) = look {
        let place = look.place.clone();
        let icon = look.words("icon");
        section.icon = icon.and_then(|icon| icons::of_homepage(&icon, &place, report));
        is_collapsed = look.flag("initiallyCollapsed").unwrap_or(collapsed);
        let columns = look.number("columns").and_then(|columns| columns.as_u64());
        section.display.put("itemCountX", columns.map(|columns| columns.clamp(1, 12)));
        for inner in &group.inner {
            inner_looks.push(look.mapping(&inner.name, report));
        }
    }
    section.display.put("collapsed", is_collapsed.then_some(true));
    sections.push(section);
    let mut inner_looks = inner_looks.into_iter();
    for inner in group.inner {
        let mut look = inner_looks.next().flatten();
        place_group(inner, look.as_mut(), collapsed, sections, report);
        if let Some(look) = look {
            finish_look(look, report);
        }
    }
}
