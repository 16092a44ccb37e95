//! Glance: `glance.yml`, and the files that it includes.

mod include;
mod links;
mod services;
mod widgets;

use serde_json::Value;

use crate::{
    ImportError, SourceFile,
    draft::{ConfigDraft, Put, SectionDraft},
    fields::{Fields, addresses},
    icons,
    report::{Report, SourceLocation},
    variables, yaml,
};

/// Whether the top of a file looks like Glance's.
pub fn is_ours(value: &Value) -> bool {
    const KEYS: [&str; 4] = ["columns", "head-widgets", "$include", "hide-desktop-navigation"];
    let is_page = |page: &Value| KEYS.iter().any(|key| page.get(key).is_some());
    value.get("pages").and_then(Value::as_array).is_some_and(|pages| pages.iter().any(is_page))
}

/// The text as YAML: the old way to include a file looks like a tag.
pub fn prepared(text: &str) -> String {
    text.replace("!include:", "$include:")
}

/// Reads the files.
///
/// # Errors
///
/// A file cannot be parsed, or none of them has pages.
pub fn import(files: &[SourceFile], report: &mut Report) -> Result<ConfigDraft, ImportError> {
    let mut values = Vec::new();
    for file in files.iter().filter(|file| !file.text.trim().is_empty()) {
        let place = SourceLocation::file(&file.name);
        let text = variables::of_glance(&prepared(&file.text), &place, report);
        values.push((file.name.clone(), text.len(), yaml::parse(&file.name, &text)?));
    }
    let Some(main) = values.iter().position(|(.., value)| is_ours(value)) else {
        let message = "none of the files is a config of Glance, which has `pages` with `columns`".to_owned();
        return Err(ImportError::WrongKind(message));
    };
    let (name, _, value) = values.remove(main);
    let place = SourceLocation::file(&name);
    let mut files = include::Files::new(values);
    let value = files.include(value, &place, report);
    for name in files.unused() {
        report.lost(&SourceLocation::file(&name), "no other file includes it");
    }
    let mut draft = ConfigDraft::default();
    let mut fields = Fields::of(value, place.clone(), report);
    branding(&mut fields, &mut draft, report);
    let pages = fields.list("pages");
    let many = pages.len() > 1;
    if many {
        report.changed(&place, "all pages are on one page now; you can move sections to other pages");
    }
    for value in pages {
        page(value, many, &place, &mut draft, report);
    }
    fields.finish_with(report, |key| {
        Some(match key {
            "server" => "settings of the program itself are not part of the config",
            "theme" => "choose one of the themes in the options",
            "auth" => "add the users to `appConfig.auth`; `portico hash-password` prints the hashes",
            "document" => "nothing can be added to the head of the page",
            _ => return None,
        })
    });
    Ok(draft)
}

fn branding(fields: &mut Fields, draft: &mut ConfigDraft, report: &mut Report) {
    let Some(mut branding) = fields.mapping("branding", report) else { return };
    let place = branding.place.clone();
    draft.page_info.put("title", branding.words("app-name"));
    draft.page_info.put("footer", branding.words("custom-footer"));
    for (from, to) in [("logo-url", "logo"), ("favicon-url", "favicon")] {
        let address = branding.words(from);
        draft.page_info.put(to, address.and_then(|address| icons::of_homer(&address, &place, report)));
    }
    branding.finish(report);
}

/// The page that is being read.
struct Page<'a> {
    /// The prefix for the names of its sections, if there are several pages.
    prefix: Option<String>,
    /// Its widgets.
    main: SectionDraft,
    /// Its links and monitors, and widgets that belong together.
    links: Vec<SectionDraft>,
    report: &'a mut Report,
}

fn page(value: Value, many: bool, place: &SourceLocation, draft: &mut ConfigDraft, report: &mut Report) {
    let name = value.get("name").and_then(crate::fields::text_of).unwrap_or_else(|| "Page".to_owned());
    let place = place.child(&name);
    let mut fields = Fields::of(value, place.clone(), report);
    fields.skip(&["name"]);
    let mut elements = fields.list("head-widgets");
    for column in fields.list("columns") {
        let mut column = Fields::of(column, place.clone(), report);
        // Sections are arranged by the layout of the page.
        column.skip(&["size"]);
        elements.extend(column.list("widgets"));
        column.finish(report);
    }
    fields.finish_with(report, |key| match key {
        "width"
        | "center-vertically"
        | "hide-desktop-navigation"
        | "show-mobile-header"
        | "desktop-navigation-width" => Some("sections are arranged by the layout of the page"),
        "slug" => Some("addresses of sections come from their names"),
        _ => None,
    });
    let mut page =
        Page { prefix: many.then(|| name.clone()), main: SectionDraft::new(name), links: Vec::new(), report };
    for element in elements {
        page.widget(element, &place);
    }
    draft.sections.push(page.main);
    draft.sections.extend(page.links);
}

impl Page<'_> {
    /// The name of a section.
    fn heading(&self, name: &str) -> String {
        match &self.prefix {
            Some(prefix) => format!("{prefix} / {name}"),
            None => name.to_owned(),
        }
    }

    /// The section with this name, which is made if there is none.
    fn section(&mut self, name: String) -> &mut SectionDraft {
        let known = self.links.iter().position(|section| section.name == name);
        let position = known.unwrap_or_else(|| {
            self.links.push(SectionDraft::new(name));
            self.links.len() - 1
        });
        &mut self.links[position]
    }

    /// Reads one widget of Glance: sections with links, or widgets of the page.
    fn widget(&mut self, value: Value, place: &SourceLocation) {
        let lost = addresses(&value);
        let mut fields = Fields::of(value, place.clone(), self.report);
        let kind = fields.words("type").unwrap_or_default();
        let title = fields.words("title");
        fields.place = place.child(title.as_deref().unwrap_or(&kind));
        match kind.as_str() {
            "group" | "split-column" => {
                if kind == "group" {
                    self.report.changed(&fields.place, "the tabs of a group are shown one below the other");
                }
                let place = fields.place.clone();
                for inner in fields.list("widgets") {
                    self.widget(inner, &place);
                }
            }
            "bookmarks" => self.bookmarks(&mut fields, title),
            "monitor" => self.monitor(&mut fields, title),
            _ => {
                let shows_title = fields.flag("hide-header") != Some(true);
                let interval = fields.words("cache").and_then(|cache| seconds(&cache));
                let Some(widgets) = widgets::widgets(&kind, &mut fields, title.as_deref(), self.report) else {
                    self.report.lost(&fields.place, format!("{}{lost}", widgets::reason(&kind)));
                    return;
                };
                // Several under one title stay together: each has a caption of its own.
                let name = title.as_deref().filter(|_| widgets.len() > 1).map(|title| self.heading(title));
                let is_alone = widgets.len() == 1;
                let section = match name {
                    Some(name) => self.section(name),
                    None => &mut self.main,
                };
                for mut widget in widgets {
                    if let Some(title) = title.as_ref().filter(|_| shows_title) {
                        widget.label = match widget.label {
                            Some(label) if is_alone && label != *title => Some(format!("{title}: {label}")),
                            label => label.or_else(|| Some(title.clone())),
                        };
                    }
                    widget.interval = interval.map(|seconds| seconds.clamp(2, 7200));
                    section.widgets.push(widget);
                }
            }
        }
        fields.finish_with(self.report, |key| {
            Some(match key {
                "style"
                | "css-class"
                | "hide-header"
                | "collapse-after"
                | "collapse-after-rows"
                | "hide-arrow"
                | "color"
                | "thumbnail-height"
                | "card-height"
                | "single-line-titles"
                | "hide-location"
                | "show-area-name"
                | "hour-format" => "the look comes from the widget and the theme",
                "title-url" => "captions are not links",
                "autofocus" => "the search of the page can be used without clicking: just type",
                "show-thumbnails" => "posts are read from the feed, without pictures",
                "sort-by" => "they are in the order of the file",
                _ => return None,
            })
        });
    }
}

/// A duration such as `30s`, `5m`, `2h` or `1d` in seconds.
fn seconds(written: &str) -> Option<u64> {
    let unit = written.chars().last()?;
    let number: u64 = written.strip_suffix(unit)?.parse().ok()?;
    let factor = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ => return None,
    };
    number.checked_mul(factor)
}
