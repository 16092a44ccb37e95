//! Homer: `config.yml`, and the files of its other pages.

mod cards;

use serde_json::Value;

use crate::{
    ImportError, SourceFile,
    draft::{ConfigDraft, Put, SectionDraft, WidgetDraft, is_bare, item, put_tags},
    fields::{Fields, addresses, text_of},
    icons,
    report::{Report, SourceLocation},
    yaml,
};

/// Whether the top of a file looks like Homer's.
pub fn is_ours(value: &Value) -> bool {
    let is_group = |group: &Value| group.get("items").is_some() || group.get("name").is_some();
    let has_services = value.get("services").and_then(Value::as_array).is_some_and(|list| list.iter().any(is_group));
    has_services || (value.get("links").is_some_and(Value::is_array) && value.get("sections").is_none())
}

/// Reads the files; the first one is the main page.
///
/// # Errors
///
/// A file cannot be parsed or is not Homer's.
pub fn import(files: &[SourceFile], report: &mut Report) -> Result<ConfigDraft, ImportError> {
    let mut files: Vec<&SourceFile> = files.iter().filter(|file| !file.text.trim().is_empty()).collect();
    files.sort_by_key(|file| !matches!(file.name.as_str(), "config.yml" | "config.yaml"));
    let pages: Vec<String> = files.iter().map(|file| stem(&file.name).to_owned()).collect();
    let mut draft = ConfigDraft::default();
    for (position, file) in files.into_iter().enumerate() {
        let value = yaml::parse(&file.name, &file.text)?;
        let place = SourceLocation::file(&file.name);
        if !is_ours(&value) && pages.len() > 1 {
            report.lost(&place, "this is not a config of Homer");
            continue;
        }
        if !is_ours(&value) {
            let message = format!("{place} is not a config of Homer: it has no list of `services` or `links`");
            return Err(ImportError::WrongKind(message));
        }
        page(value, place, position == 0, &pages, &mut draft, report);
    }
    Ok(draft)
}

/// The name of a group or an entry; empty if it has none.
fn name_of(value: &Value) -> String {
    value.get("name").and_then(text_of).unwrap_or_default()
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn page(
    value: Value,
    place: SourceLocation,
    is_main: bool,
    pages: &[String],
    draft: &mut ConfigDraft,
    report: &mut Report,
) {
    let mut fields = Fields::of(value, place.clone(), report);
    let title = fields.words("title");
    let prefix = if is_main { None } else { title.clone().or_else(|| Some(stem(&place.file).to_owned())) };
    let heading = |name: &str| match &prefix {
        Some(prefix) => format!("{prefix} / {name}"),
        None => name.to_owned(),
    };
    if is_main {
        draft.page_info.put("title", title.or_else(|| fields.words("documentTitle")));
        look(&mut fields, draft, report);
    }
    if let Some(message) = fields.mapping("message", report) {
        let mut section = SectionDraft::new(heading("Message"));
        section.widgets.extend(self::message(message, report));
        draft.sections.push(section);
    }
    let mut links = SectionDraft::new(heading("Links"));
    for link in fields.list("links") {
        let name = name_of(&link);
        let url = link.get("url").and_then(Value::as_str).unwrap_or_default();
        let place = place.child("links").child(&name);
        if !leads_to_page(url, pages, &place, report) {
            entry(link, &place, pages, &mut links, report);
        }
    }
    draft.sections.push(links);
    for group in fields.list("services") {
        let name = Some(name_of(&group)).filter(|name| !name.is_empty()).unwrap_or_else(|| "Services".to_owned());
        let place = place.child(&name);
        let mut group = Fields::of(group, place.clone(), report);
        group.skip(&["name"]);
        let mut section = SectionDraft::new(heading(&name));
        section.icon = icon(&mut group, report);
        for service in group.list("items") {
            let name = name_of(&service);
            entry(service, &place.child(&name), pages, &mut section, report);
        }
        group.finish_with(report, |key| (key == "class").then_some("the look comes from the theme"));
        draft.sections.push(section);
    }
    finish(fields, report);
}

/// Whether an address leads to a page of Homer, which is noted: all pages become one.
fn leads_to_page(url: &str, pages: &[String], place: &SourceLocation, report: &mut Report) -> bool {
    let Some(page) = url.strip_prefix('#') else { return false };
    if page.is_empty() {
        report.changed(place, "the link to the first page of Homer: its groups are on this page");
    } else if pages.iter().any(|known| known == page) {
        report.changed(place, "the link to another page of Homer: its groups are on this page");
    } else {
        report.lost(place, format!("the link to another page of Homer; import `{page}.yml` too"));
    }
    true
}

/// What the page looks like.
fn look(fields: &mut Fields, draft: &mut ConfigDraft, report: &mut Report) {
    let place = fields.place.clone();
    draft.page_info.put("description", fields.words("subtitle"));
    let logo = logo(fields, report);
    draft.page_info.put("logo", logo.and_then(|path| icons::of_homer(&path, &place, report)));
    let footer = fields.words("footer").filter(|footer| footer != "false");
    draft.page_info.put("footer", footer);
    let columns = fields.number("columns").and_then(|columns| columns.as_u64());
    draft.app_config.put("colCount", columns.map(|columns| columns.clamp(1, 8)));
    if fields.flag("header") == Some(false) {
        draft.app_config.put("hideComponents", Some(serde_json::json!({ "hideHeading": true })));
    }
}

fn finish(fields: Fields, report: &mut Report) {
    fields.finish_with(report, |key| {
        Some(match key {
            "theme" | "colors" | "defaults" => "choose one of the themes and layouts in the options",
            "stylesheet" => "Homer's styles do not fit here; put your own into `appConfig.externalStyleSheet`",
            "proxy" | "connectivityCheck" => "the server sends the requests, so browsers need no such setting",
            "externalConfig" => "import the file at this address too",
            "icon" => "the heading can have a picture (`pageInfo.logo`), but no glyph",
            "updateIntervalMs" => "widgets refresh themselves; `updateInterval` of a widget sets how often, in seconds",
            "columns" => "the number of columns depends on the width of the screen",
            _ => return None,
        })
    });
}

/// The icon of a group, a link or a service: a picture wins over a glyph.
fn icon(fields: &mut Fields, report: &mut Report) -> Option<String> {
    let place = fields.place.clone();
    let glyph = fields.words("icon");
    match (logo(fields, report), glyph) {
        (Some(path), glyph) => {
            if let Some(glyph) = glyph {
                report.lost(&place, format!("`icon: {glyph}`, since there is a `logo` too"));
            }
            icons::of_homer(&path, &place, report)
        }
        (None, Some(glyph)) if glyph.contains('/') => icons::of_homer(&glyph, &place, report),
        (None, glyph) => glyph,
    }
}

/// A picture; there may be one for light pages and one for dark ones.
fn logo(fields: &mut Fields, report: &mut Report) -> Option<String> {
    if let Some(logo) = fields.words("logo") {
        // `false` is a way to have none.
        return Some(logo).filter(|logo| logo != "false");
    }
    let mut logos = fields.mapping("logo", report)?;
    let (light, dark) = (logos.words("light"), logos.words("dark"));
    if let (Some(_), Some(dark)) = (&light, &dark) {
        report.lost(&logos.place, format!("`dark`: an icon is one picture ({dark})"));
    }
    logos.finish(report);
    light.or(dark)
}

/// A message, as a note or as a piece of HTML.
fn message(mut fields: Fields, report: &mut Report) -> Option<WidgetDraft> {
    fields.skip(&["style", "icon"]);
    let title = fields.words("title");
    let content = fields.text("content").or_else(|| title.clone());
    fields.finish_with(report, |key| match key {
        "url" | "mapping" | "refreshInterval" => Some("an `api-response` widget can show a message from an address"),
        _ => None,
    });
    let content = content?;
    let widget = if content.contains('<') {
        WidgetDraft::new("html-embed").with("html", Some(content))
    } else {
        WidgetDraft::new("notes").with("content", Some(content))
    };
    Some(widget.labelled(title))
}

/// A service or a link.
fn entry(value: Value, place: &SourceLocation, pages: &[String], section: &mut SectionDraft, report: &mut Report) {
    if !value.is_object() {
        report.lost(place, format!("an entry that is not a mapping{}", addresses(&value)));
        return;
    }
    let mut fields = Fields::of(value, place.clone(), report);
    let (title, url) = (fields.words("name"), fields.words("url"));
    let url = url.filter(|url| !leads_to_page(url, pages, place, report));
    let mut item = item(title.clone(), url.clone());
    let title = title.or_else(|| item["title"].as_str().map(str::to_owned)).unwrap_or_default();
    item.put("description", fields.words("subtitle"));
    item.put("icon", icon(&mut fields, report));
    // Homer opens links in the same tab, unless they say otherwise.
    let target = fields.words("target");
    item.put("target", Some(if target.as_deref() == Some("_blank") { "newtab" } else { "sametab" }));
    let background = fields.words("background").filter(|value| !value.contains("url("));
    item.put("backgroundColor", background);
    let mut tags: Vec<String> = fields.words("tag").into_iter().collect();
    let words = fields.texts("keywords").join(" ");
    tags.extend(words.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned));
    put_tags(&mut item, tags, place, report);
    let quick = fields.list("quick");
    let before = section.widgets.len();
    cards::card(&mut fields, &title, url.as_deref(), &mut item, section, report);
    // The widgets of a card come after the items; the tile itself stays where it was, unless it leads nowhere and would only
    // repeat the caption.
    if section.widgets.len() == before || !is_bare(&item) {
        section.items.push(item);
    }
    for link in quick {
        let name = name_of(&link);
        let first = section.items.len();
        entry(link, &place.child(&name), pages, section, report);
        if let Some(item) = section.items.get_mut(first).filter(|_| !name.is_empty()) {
            item.insert("title".to_owned(), format!("{title}: {name}").into());
        }
    }
    fields.finish_with(report, |key| {
        Some(match key {
            "tagstyle" | "class" => "the look comes from the theme",
            "method" | "timeout" => "all checks are requests of the same kind, with the same time limit",
            "stats" => "the widget shows what it always shows",
            _ => return None,
        })
    });
}
