//! Glance: `glance.yml`, and the files that it includes.

pub mod include;
mod links;
mod services;
mod widgets;

use serde_json::Value;

use self::include::Inclusion;
use crate::{
    ImportError, Source, SourceFile,
    draft::{ConfigDraft, Put, SectionDraft},
    fields::{Fields, addresses, text_of},
    icons,
    report::{Report, SourceLocation},
    variables, yaml,
};

/// Whether the top of a file looks like Glance's.
pub fn is_ours(value: &Value) -> bool {
    const KEYS: [&str; 3] = ["columns", "head-widgets", "hide-desktop-navigation"];
    let is_page = |page: &Value| KEYS.iter().any(|key| page.get(key).is_some());
    value.get("pages").and_then(Value::as_array).is_some_and(|pages| pages.iter().any(is_page))
}

/// Whether a file has pages and includes other files. It need not be YAML before they are inserted.
pub fn includes_pages(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("pages:")) && text.lines().any(|line| include::included(line).is_some())
}

/// The file with the pages.
///
/// # Errors
///
/// There is none. If files cannot be parsed, that may be why.
fn main_file(files: &[SourceFile]) -> Result<&SourceFile, ImportError> {
    let mut unreadable = None;
    for file in files.iter().filter(|file| !file.text.trim().is_empty()) {
        if includes_pages(&file.text) {
            return Ok(file);
        }
        let unnoted = &mut Report::new(Source::Glance);
        let text = variables::of_glance(&file.text, &SourceLocation::default(), unnoted);
        match yaml::parse(&file.name, &text) {
            Ok(value) if is_ours(&value) => return Ok(file),
            Ok(_) => {}
            Err(error) => unreadable = unreadable.or(Some(error)),
        }
    }
    let message = "none of the files is a config of Glance, which has `pages` with `columns`";
    Err(unreadable.unwrap_or_else(|| ImportError::WrongKind(message.to_owned())))
}

/// Reads the files.
///
/// # Errors
///
/// A file cannot be parsed, or none of them has pages.
pub fn import(files: &[SourceFile], report: &mut Report) -> Result<ConfigDraft, ImportError> {
    let main = main_file(files)?;
    let place = SourceLocation::file(&main.name);
    let mut included = Inclusion::new(files);
    let text = included.expand(main, report);
    let value = yaml::parse(&main.name, &text).map_err(|error| included.explain(error))?;
    included.finish(main, report);
    let mut draft = ConfigDraft::default();
    let mut fields = Fields::of(value, place.clone(), report);
    branding(&mut fields, &mut draft, report);
    let pages = fields.list("pages");
    if let (true, Some(missing)) = (pages.is_empty(), included.missing()) {
        return Err(ImportError::Empty(format!(
            "the pages are in other files; import `{missing}` together with {place}"
        )));
    }
    let many = pages.len() > 1;
    if let [page] = pages.as_slice() {
        let title = page.get("name").filter(|_| !draft.page_info.contains_key("title"));
        draft.page_info.put("title", title.and_then(text_of));
    }
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
    let name = value.get("name").and_then(text_of).unwrap_or_else(|| "Page".to_owned());
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
                // A section has one group of tabs.
                let has_tabs = kind == "group" && self.main.widgets.iter().all(|widget| widget.tab.is_none());
                if kind == "group" && !has_tabs {
                    self.report.changed(&fields.place, "the tabs of a group are shown one below the other");
                }
                let place = fields.place.clone();
                for inner in fields.list("widgets") {
                    let name = ["title", "type"].iter().find_map(|key| inner.get(key).and_then(text_of));
                    let first = self.main.widgets.len();
                    self.widget(inner, &place);
                    if has_tabs {
                        self.main.widgets[first..].iter_mut().for_each(|widget| widget.tab.clone_from(&name));
                    }
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
