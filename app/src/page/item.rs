//! A tile, or a group of small tiles.

use config::{
    View,
    dashboard::{FiguresView, IconView, ItemView, OpeningMethod, TileSize},
};
use leptos::prelude::*;

use super::{icon::icon, tile_figures};
#[cfg(not(feature = "hydrate"))]
use crate::any_view::{AnyView, IntoAny};
#[cfg(feature = "hydrate")]
use crate::built_view::{AnyView, IntoAny};
use crate::words::{is_rtl, own_direction};

/// Name of the frame in which the workspace view opens items, with or without a script.
pub const STAGE_FRAME: &str = "stage";

/// The class of tiles that are hidden until a search finds them, after a space.
const OFF_HOME: &str = " off-home";

/// The longest word, in characters, that fits into a tile on a phone.
const MAX_UNBROKEN: usize = 10;
/// The shortest part of a word, in characters: “qBittorrent” is one word.
const MIN_PART: usize = 3;

/// Link attributes of an opening method.
struct Opening {
    target: Option<&'static str>,
    /// The word of a method that needs a script; without scripts, the link opens a new tab.
    script: Option<&'static str>,
}

impl Opening {
    fn of(method: OpeningMethod, shown_in: View) -> Self {
        let (target, script) = match method {
            OpeningMethod::Workspace if shown_in == View::Workspace => (Some(STAGE_FRAME), None),
            OpeningMethod::NewTab => (Some("_blank"), None),
            OpeningMethod::SameTab => (None, None),
            OpeningMethod::Parent => (Some("_parent"), None),
            OpeningMethod::Top => (Some("_top"), None),
            OpeningMethod::Modal => (Some("_blank"), Some("modal")),
            OpeningMethod::Workspace => (Some("_blank"), Some("workspace")),
            OpeningMethod::Clipboard => (Some("_blank"), Some("clipboard")),
            OpeningMethod::NewWindow => (Some("_blank"), Some("newwindow")),
        };
        Self { target, script }
    }
}

/// The attributes `target` and `data-open` of a link that opens in this way.
#[cfg(feature = "ssr")]
pub fn link_attributes(method: OpeningMethod) -> (Option<&'static str>, Option<&'static str>) {
    let Opening { target, script, .. } = Opening::of(method, View::Home);
    (target, script)
}

/// The name of an entry: its title, or its address if it has none.
fn title(item: &ItemView) -> String {
    let url = item.url.as_deref().unwrap_or_default();
    if !item.title.trim().is_empty() || url.is_empty() {
        return item.title.clone();
    }
    let place = match host(url) {
        Some(host) => host,
        None => url.split(['?', '#']).next().unwrap_or_default(),
    };
    if place.is_empty() { url.to_owned() } else { place.to_owned() }
}

/// A title as shown in a tile. Long words may break before an inner capital, as in “OpenStreetMap”.
fn breakable(title: &str) -> AnyView {
    let mut parts = split_long_words(title).into_iter().map(str::to_owned);
    let first = parts.next().unwrap_or_default();
    if parts.len() == 0 {
        return first.into_any();
    }
    let rest = parts.map(|part| view! { <wbr/>{part} }).collect_view();
    view! { {first}{rest} }.into_any()
}

/// Splits a title where its words of more than [`MAX_UNBROKEN`] characters go on with a capital after a small letter.
fn split_long_words(title: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut word_start = 0;
    for word in title.split(' ') {
        if word.chars().count() > MAX_UNBROKEN {
            let mut is_after_small = false;
            let mut part_start = 0;
            for (offset, letter) in word.char_indices() {
                let is_long_enough = |part: &str| part.chars().count() >= MIN_PART;
                if is_after_small
                    && letter.is_uppercase()
                    && is_long_enough(&word[part_start..offset])
                    && is_long_enough(&word[offset..])
                {
                    parts.push(&title[start..word_start + offset]);
                    (start, part_start) = (word_start + offset, offset);
                }
                is_after_small = letter.is_lowercase();
            }
        }
        word_start += word.len() + 1;
    }
    parts.push(&title[start..]);
    parts
}

/// The host of a full address, with its port if that is written.
fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    rest[..end].rsplit('@').next()
}

/// The line below the title: the description, or else the site of the link, which the style sheet shows.
fn second_line(item: &ItemView) -> Option<AnyView> {
    if let Some(text) = item.description.clone() {
        return Some(view! { <span class="tile-description description" dir=own_direction()>{text}</span> }.into_any());
    }
    let place = item.url.as_deref().and_then(host).filter(|host| !host.is_empty() && !item.title.trim().is_empty())?;
    let place = place.strip_prefix("www.").unwrap_or(place).to_owned();
    Some(view! { <span class="tile-description" dir=is_rtl().then_some("ltr") data-place=place></span> }.into_any())
}

/// The entry at `id` (unique on the page), in a view; `size` is that of the config.
pub fn item(item: &ItemView, id: String, size: TileSize, view: View) -> AnyView {
    if item.sub_items.is_empty() { tile(item, id, size, view) } else { group(item, id, view) }
}

/// An entry as a new element in the browser, drawn by the same component as on the server.
#[cfg(feature = "hydrate")]
pub fn item_element(entry: &ItemView, id: String, size: TileSize) -> Option<web_sys::Element> {
    first_element(item(entry, id, size, View::Home))
}

/// The same for an entry of a group.
#[cfg(feature = "hydrate")]
pub fn sub_item_element(entry: &ItemView, id: String) -> Option<web_sys::Element> {
    first_element(sub_tile(entry, id, View::Home))
}

#[cfg(feature = "hydrate")]
fn first_element(view: AnyView) -> Option<web_sys::Element> {
    let parent = document().create_element("div").ok()?;
    view.build().mount(&parent, None);
    parent.first_element_child()
}

/// Why the icon of an entry is not shown: what it is, and the reason, in the language of the page.
#[cfg(feature = "ssr")]
fn icon_problem(item: &ItemView) -> Option<String> {
    use languages::message;
    let problem = item.icon_problem.as_deref()?;
    Some(match problem.split_once(": ") {
        Some((what, why)) => format!("{}: {}", message(what), message(why)),
        None => message(problem).into_owned(),
    })
}

/// Only the server knows why.
#[cfg(not(feature = "ssr"))]
fn icon_problem(item: &ItemView) -> Option<String> {
    item.icon_problem.clone()
}

/// What follows the position of an item in the id and the marker of its second dot.
pub const SECOND_DOT: &str = "-ping";

/// A tile. The state of its service replaces the marker in `data-status`, for each response.
fn tile(item: &ItemView, id: String, size: TileSize, shown_in: View) -> AnyView {
    let no_icon = if item.icon == IconView::None { " no-icon short" } else { "" };
    let inert = if item.url.is_none() { " inert" } else { "" };
    // `item-wrapper`, `short` and `size-…` are for the custom styles of people who come from Dashy.
    let off_home = if item.off_home { OFF_HOME } else { "" };
    let removed = if item.is_removed { " removed" } else { "" };
    let class = format!("item{no_icon}{inert}{removed} item-wrapper size-{}{off_home}", size.word());
    let text = view! {
        <span class="tile-title" dir=own_direction()>{breakable(&title(item))}</span>
        {second_line(item)}
    };
    let provider = item.provider.clone();
    let tags = (!item.tags.is_empty()).then(|| item.tags.join(" "));
    let hotkey_digit = item.hotkey.map(|digit| digit.to_string());
    let dot = item.has_status.then(|| view! { <i class="status-indicator indicator"></i> });
    let status = item.has_status.then(|| format!("?{}", id.trim_start_matches("i-")));
    // It has a state of its own, with an id like that of the tile, so that `frontend/stream.js` treats both alike.
    let second = item.has_second_status.then(|| {
        let id = [&id, SECOND_DOT].concat();
        let status = format!("?{}", id.trim_start_matches("i-"));
        view! { <i class="status-indicator second" id=id data-status=status></i> }
    });
    let figures = figures(item, &id);
    let local_timeout = item.local_timeout.map(|time| time.to_string());
    let local_interval = item.local_interval.map(|time| time.to_string());
    match &item.url {
        Some(url) => {
            let opening = Opening::of(item.target, shown_in);
            view! {
                <a
                    class=class
                    id=id
                    href=url.clone()
                    target=opening.target
                    rel=rel(item)
                    data-open=opening.script
                    data-local=item.local_url.clone()
                    data-local-timeout=local_timeout
                    data-local-interval=local_interval
                    data-provider=provider
                    data-found=item.found_in.clone()
                    data-tags=tags
                    data-hotkey=hotkey_digit
                    data-icon-problem=icon_problem(item)
                    data-status=status
                >
                    {icon(&item.icon)}
                    {text}
                    {figures}
                    {dot}
                    {second}
                </a>
            }
            .into_any()
        }
        None => view! {
            <span
                class=class
                id=id
                data-provider=provider
                data-found=item.found_in.clone()
                data-tags=tags
                data-icon-problem=icon_problem(item)
                data-status=status
            >
                {icon(&item.icon)}
                {text}
                {figures}
                {dot}
                {second}
            </span>
        }
        .into_any(),
    }
}

/// The live figures of an item, each service in an element of its own.
fn figures(item: &ItemView, id: &str) -> Option<AnyView> {
    let shown: Vec<_> = item.figures.iter().filter(|figures| !figures.html.is_empty()).collect();
    if shown.is_empty() {
        return None;
    }
    let element = |figures: &&FiguresView| {
        let place = tile_figures::place(id.trim_start_matches("i-"), figures.index);
        view! { <span class="tile-figures" data-figures=place inner_html=figures.html.clone()></span> }
    };
    Some(shown.iter().map(element).collect_view().into_any())
}

/// `rel` of a link: the config's, or else one that denies the opened page access to this one.
fn rel(item: &ItemView) -> String {
    item.rel.clone().unwrap_or_else(|| "noopener noreferrer".to_owned())
}

fn group(item: &ItemView, id: String, shown_in: View) -> AnyView {
    let columns = match item.sub_items.len() {
        0..=1 => "1",
        2..=4 => "2",
        5..=9 => "3",
        _ => "4",
    };
    let tiles = item
        .sub_items
        .iter()
        .map(|sub_item| sub_tile(sub_item, format!("{id}-{}", sub_item.index), shown_in))
        .collect_view();
    let class = format!("sub-items-group{}", if item.off_home { OFF_HOME } else { "" });
    let title_id = format!("{id}-title");
    let labelled_by = title_id.clone();
    view! {
        <div class=class id=id role="group" aria-labelledby=labelled_by>
            <span class="group-title sub-item-group-title" id=title_id dir=own_direction()>
                {item.title.clone()}
            </span>
            <div class="group-items" data-columns=columns>{tiles}</div>
        </div>
    }
    .into_any()
}

fn sub_tile(item: &ItemView, id: String, shown_in: View) -> AnyView {
    let title = title(item);
    let content = match icon(&item.icon) {
        Some(picture) => {
            view! { {picture} <span class="visually-hidden tile-title" dir=own_direction()>{title}</span> }.into_any()
        }
        None => view! { <span class="tile-title" dir=own_direction()>{title}</span> }.into_any(),
    };
    match &item.url {
        Some(url) => {
            let opening = Opening::of(item.target, shown_in);
            view! {
                <a
                    class="sub-item sub-item-link"
                    id=id
                    href=url.clone()
                    target=opening.target
                    rel=rel(item)
                    data-open=opening.script
                    data-local=item.local_url.clone()
                    data-icon-problem=icon_problem(item)
                >
                    {content}
                </a>
            }
            .into_any()
        }
        None => view! { <span class="sub-item inert" id=id>{content}</span> }.into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_title_is_called_by_where_it_leads() {
        for (written, url, expected) in [
            ("Router", Some("http://192.168.1.1"), "Router"),
            ("", Some("https://anna@nas.lan:5001/photos?a=b"), "nas.lan:5001"),
            (" ", Some("https://nas.lan?a=b"), "nas.lan"),
            ("", Some("/wiki/start#top"), "/wiki/start"),
            ("", Some("mailto:anna@example.com"), "mailto:anna@example.com"),
            ("", Some("#top"), "#top"),
            ("", None, ""),
        ] {
            let item = ItemView { title: written.to_owned(), url: url.map(str::to_owned), ..ItemView::default() };
            assert_eq!(title(&item), expected, "{url:?}");
        }
    }

    #[test]
    fn long_words_may_break_before_inner_capitals() {
        for (title, expected) in [
            ("OpenStreetMap", ["Open", "Street", "Map"].as_slice()),
            ("Karte: OpenStreetMap", &["Karte: Open", "Street", "Map"]),
            ("ÖffentlicheÄmter hier", &["Öffentliche", "Ämter hier"]),
            ("My PhotoPrism", &["My PhotoPrism"]),
            ("ALLINCAPITALS", &["ALLINCAPITALS"]),
            ("qBittorrent", &["qBittorrent"]),
            ("", &[""]),
        ] {
            assert_eq!(split_long_words(title), expected, "{title}");
        }
    }
}
