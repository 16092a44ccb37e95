//! What the browser itself shows of an item while its form is being filled in. The rest needs the server, which has the icons,
//! the styles and the status checks.

use config::{
    address::{self, Address},
    dashboard::{IconView, ItemView, OpeningMethod},
};
use serde_json::Value;

/// The fields of an item that the browser shows.
pub const FIELDS: [&str; 10] =
    ["title", "description", "url", "localUrl", "target", "rel", "hotkey", "tags", "provider", "subItems"];

/// An item from its entry in the file, without picture and status. `usual` is how items open that do not say so.
#[must_use]
pub fn item_view(entry: &Value, index: usize, usual: OpeningMethod) -> ItemView {
    let listed = entry["subItems"].as_array().into_iter().flatten().enumerate();
    let sub_items: Vec<_> = listed.map(|(index, entry)| sub_item_view(entry, index, usual)).collect();
    // A group opens nothing itself.
    let is_group = !sub_items.is_empty();
    let shared = sub_item_view(entry, index, usual);
    ItemView {
        url: shared.url.clone().filter(|_| !is_group),
        local_url: shared.local_url.clone().filter(|_| !is_group),
        provider: filled(&entry["provider"]),
        tags: tags(&entry["tags"]),
        hotkey: digit(&entry["hotkey"]).and_then(|digit| u8::try_from(digit).ok()).filter(|digit| *digit <= 9),
        sub_items,
        ..shared
    }
}

/// The same for an item of a group.
#[must_use]
pub fn sub_item_view(entry: &Value, index: usize, usual: OpeningMethod) -> ItemView {
    ItemView {
        index,
        title: filled(&entry["title"]).unwrap_or_default(),
        description: filled(&entry["description"]),
        url: opened(&entry["url"]),
        local_url: opened(&entry["localUrl"]),
        target: entry["target"].as_str().and_then(OpeningMethod::of_word).unwrap_or(usual),
        rel: filled(&entry["rel"]).filter(|rel| rel != "noopener noreferrer"),
        icon: IconView::None,
        ..ItemView::default()
    }
}

/// How items open that do not say so themselves, from `appConfig`.
#[must_use]
pub fn usual_opening(app_config: Option<&Value>) -> OpeningMethod {
    let word = app_config.and_then(|settings| settings["defaultOpeningMethod"].as_str());
    word.and_then(OpeningMethod::of_word).unwrap_or_default()
}

/// A number, also in another notation than JSON's: then the document has its text.
fn digit(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| config::document::number(value.as_str()?)?.as_u64())
}

fn filled(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn opened(value: &Value) -> Option<String> {
    match address::parse(&filled(value)?) {
        Address::Safe(address) => Some(address),
        Address::Refused => None,
    }
}

fn tags(value: &Value) -> Vec<String> {
    match value {
        Value::Array(tags) => tags.iter().filter_map(filled).collect(),
        Value::String(text) => {
            text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use config::{Config, Dashboard, Document, Icon, IconLookup, PageRequest, Viewer, icon::IconEntry};
    use serde_json::json;

    use super::*;

    struct NoIcons;

    impl IconLookup for NoIcons {
        fn resolve(&self, _: &Icon, _: &IconEntry<'_>) -> IconView {
            IconView::None
        }

        fn image(&self, _: &str) -> Option<String> {
            None
        }
    }

    /// The item as the server sees it.
    fn on_the_server(entry: &Value, app_config: &Value) -> ItemView {
        let file = json!({ "pageInfo": { "title": "Home" }, "appConfig": app_config, "sections": [{ "name": "A", "items": [entry] }] });
        let document = Document::parse(file.to_string().as_bytes()).unwrap();
        let config = Config::read(&document).unwrap();
        let page = Dashboard::for_viewer(&config, &Viewer::Admin(None), &PageRequest::default(), &NoIcons).unwrap();
        let mut item = page.dashboard.sections[0].items[0].clone();
        let without_picture = |item: &mut ItemView| {
            item.icon = IconView::None;
            item.id.clear();
        };
        without_picture(&mut item);
        item.sub_items.iter_mut().for_each(without_picture);
        item
    }

    #[test]
    fn an_item_is_what_the_server_makes_of_it() {
        let entries = [
            json!({ "title": "Jellyfin" }),
            json!({ "title": " Jellyfin ", "description": " Films  and series ", "url": "jellyfin.lan:8096" }),
            json!({ "title": 7, "description": true, "url": "javascript:alert(1)" }),
            json!({ "title": "", "description": "", "url": " ", "localUrl": "http://10.0.0.2" }),
            json!({ "title": "Mail", "url": "mailto:anna@example.com", "target": "modal", "rel": "nofollow", "hotkey": 4 }),
            json!({ "title": "Mail", "url": "#top", "target": "nowhere", "rel": "noopener noreferrer", "hotkey": 40 }),
            json!({ "title": "Mail", "tags": ["a", " b ", 3, ""], "provider": "Anna" }),
            json!({ "title": "Mail", "tags": "a, b,, c", "provider": " " }),
            json!({ "title": "Tools", "url": "https://a.example", "subItems": [
                { "title": "One", "url": "one.lan" }, { "url": "https://two.example", "target": "sametab" }, { "title": "Three", "description": "x" },
            ] }),
            json!({ "title": "Tools", "url": "https://a.example", "subItems": [] }),
        ];
        for app_config in [json!({}), json!({ "defaultOpeningMethod": "sametab" })] {
            for entry in &entries {
                let usual = usual_opening(Some(&app_config));
                assert_eq!(item_view(entry, 0, usual), on_the_server(entry, &app_config), "{entry}");
            }
        }
    }
}
