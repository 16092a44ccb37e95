//! Homepage (gethomepage): `services.yaml`, `bookmarks.yaml`, `widgets.yaml`, `settings.yaml`, `docker.yaml` and
//! `kubernetes.yaml`.

mod bookmarks;
mod discovery;
mod entries;
mod info_widgets;
mod service_widgets;
mod services;
mod settings;

use serde_json::Value;

use self::{discovery::Discovery, entries::has_fields_beside_name};
use crate::{
    ImportError, SourceFile,
    draft::{ConfigDraft, Put as _},
    report::{Report, SourceLocation},
    variables, yaml,
};

/// What a file is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FileRole {
    Services,
    Bookmarks,
    Widgets,
    Settings,
    Docker,
    Kubernetes,
}

/// The files by their roles.
#[derive(Debug, Default)]
struct Parts {
    services: Vec<(SourceLocation, Value)>,
    bookmarks: Vec<(SourceLocation, Value)>,
    widgets: Vec<(SourceLocation, Value)>,
    settings: Vec<(SourceLocation, Value)>,
    docker: Vec<(SourceLocation, Value)>,
    kubernetes: Vec<(SourceLocation, Value)>,
}

/// Reads the files.
///
/// # Errors
///
/// A file cannot be parsed, or is not one of Homepage's.
pub fn import(files: &[SourceFile], report: &mut Report) -> Result<ConfigDraft, ImportError> {
    let mut parts = Parts::default();
    for file in files {
        let place = SourceLocation::file(&file.name);
        if let Some(reason) = left_out(&file.name) {
            if !file.text.trim().is_empty() {
                report.lost(&place, reason);
            }
            continue;
        }
        let text = variables::of_homepage(&file.text, &place, report);
        let value = yaml::parse(&file.name, &text)?;
        if value.is_null() {
            continue;
        }
        let list = match role_by_name(&file.name).or_else(|| role_by_shape(&value)) {
            Some(FileRole::Services) => &mut parts.services,
            Some(FileRole::Bookmarks) => &mut parts.bookmarks,
            Some(FileRole::Widgets) => &mut parts.widgets,
            Some(FileRole::Settings) => &mut parts.settings,
            Some(FileRole::Docker) => &mut parts.docker,
            Some(FileRole::Kubernetes) => &mut parts.kubernetes,
            None if files.len() > 1 => {
                report.lost(&place, "this is not a file of Homepage");
                continue;
            }
            None => {
                let message = format!("{place} is not a file of Homepage: services, bookmarks, widgets or settings");
                return Err(ImportError::WrongKind(message));
            }
        };
        list.push((place, value));
    }
    Ok(convert(parts, report))
}

fn convert(parts: Parts, report: &mut Report) -> ConfigDraft {
    let mut draft = ConfigDraft::default();
    let mut settings = settings::read(parts.settings, &mut draft, report);
    let mut overview = Vec::new();
    for (place, value) in parts.widgets {
        overview.extend(info_widgets::section(value, &place, &mut settings, &mut draft, report));
    }
    let mut discovery = Discovery::default();
    let instance = settings.instance.as_deref();
    for (place, value) in parts.docker {
        discovery.docker(value, &place, instance, report);
    }
    for (place, value) in parts.kubernetes {
        discovery.kubernetes(value, &place, instance, report);
    }
    let mut groups = Vec::new();
    for (place, value) in parts.services {
        groups.extend(services::groups(value, &place, &discovery, report));
    }
    draft.app_config.put("discovery", discovery.into_sources());
    for (place, value) in parts.bookmarks {
        groups.extend(bookmarks::groups(value, &place, report));
    }
    draft.sections = overview;
    draft.sections.extend(settings.layout.arrange(groups, report));
    settings.finish(report);
    draft
}

/// Why one of Homepage's files is not read.
fn left_out(name: &str) -> Option<&'static str> {
    Some(match name.to_lowercase().as_str() {
        "proxmox.yaml" | "proxmox.yml" => "add a widget `virtualization-lists` to see the guests of Proxmox",
        "custom.css" => "styles of Homepage do not fit other pages; your own go into `appConfig.customCss`",
        "custom.js" => "scripts are not run",
        _ => return None,
    })
}

fn role_by_name(name: &str) -> Option<FileRole> {
    let name = name.to_lowercase();
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml"))?;
    Some(match stem {
        "services" => FileRole::Services,
        "bookmarks" => FileRole::Bookmarks,
        "widgets" => FileRole::Widgets,
        "settings" => FileRole::Settings,
        "docker" => FileRole::Docker,
        "kubernetes" => FileRole::Kubernetes,
        _ => return None,
    })
}

/// The role of a file without a usual name.
pub fn role_by_shape(value: &Value) -> Option<FileRole> {
    const SETTINGS: [&str; 6] = ["layout", "headerStyle", "providers", "quicklaunch", "cardBlur", "color"];
    let list = match value {
        Value::Object(settings) => {
            return SETTINGS.iter().any(|key| settings.contains_key(*key)).then_some(FileRole::Settings);
        }
        Value::Array(list) => list,
        _ => return None,
    };
    // Empty groups say nothing, so use the first one that does.
    list.iter().filter_map(Value::as_object).flat_map(|group| group.iter()).find_map(|(name, content)| match content {
        Value::Object(_) if info_widgets::is_known(name) => Some(FileRole::Widgets),
        Value::Array(entries) => entries.iter().filter_map(Value::as_object).find_map(|entry| {
            let is_service = has_fields_beside_name(entry) && entry.contains_key("href");
            if is_service { Some(FileRole::Services) } else { entry.values().find_map(role_of_entry) }
        }),
        _ => None,
    })
}

fn role_of_entry(entry: &Value) -> Option<FileRole> {
    match entry {
        Value::Object(_) => Some(FileRole::Services),
        // A bookmark has a list of one mapping with an address; a group in a group has a list of services.
        Value::Array(list) => {
            let is_bookmark = |value: &Value| value.get("href").is_some_and(Value::is_string);
            list.first().map(|first| if is_bookmark(first) { FileRole::Bookmarks } else { FileRole::Services })
        }
        _ => None,
    }
}
