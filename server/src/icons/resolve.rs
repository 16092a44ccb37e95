//! Turns an icon in the config into what the page shows. Nothing here blocks: external pictures become addresses on our
//! own origin, and are fetched when a browser requests them.

use config::dashboard::IconView;
use config::icon::{FaviconService, FontAwesomeStyle, Icon, IconEntry, IconLookup, letter};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use url::Url;

use super::collection::{Collection, clean_name};
use super::drawing::key_of;
use super::favicon::page_of;
use super::known_addresses;
use super::pack::PackedIcon;
use super::registry::{RemoteResource, WantedResource};
use super::{HostTrust, Icons, files, sets, style_sheet};

/// Characters that need no escaping in the path of an address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

impl IconLookup for Icons {
    fn resolve(&self, icon: &Icon, entry: &IconEntry<'_>) -> IconView {
        let shown = self.find_view(icon, entry);
        if matches!(shown, IconView::Letter(_))
            && let Some((what, why)) = certain_problem(icon)
        {
            self.warn(&what, why);
        }
        shown
    }

    fn problem(&self, icon: &Icon, shown: &IconView) -> Option<String> {
        match shown {
            IconView::Letter(_) => certain_problem(icon).map(|(what, why)| format!("{what}: {why}")),
            IconView::Image(address) => {
                let path = address.strip_prefix(&*self.base)?.strip_prefix("/icons/")?;
                self.inner.fallbacks.problem(path)
            }
            IconView::None | IconView::Glyph(_) | IconView::Emoji(_) => None,
        }
    }

    fn brand(&self, icon: &Icon) -> Option<u32> {
        let pack = &self.inner.pack;
        match icon {
            Icon::SimpleIcons(name) => sets::simple_icons(pack, name)?.color,
            Icon::FontAwesome { style: FontAwesomeStyle::Brands, name } => sets::brand_color(pack, name),
            Icon::Homelab(name) | Icon::Selfhst(name) => sets::application_glyph(pack, name)?.color,
            _ => None,
        }
    }

    /// A path needs no disk access: [`Icons::rescan`] lists the files that exist.
    fn image(&self, address: &str) -> Option<String> {
        let found = self.picture_address(address, &IconEntry::default());
        if found.is_none() {
            self.warn(address, "there is no such picture");
        }
        found
    }

    /// Our own address for a style sheet of another site. `None` for anything but such an address or a path.
    fn style_sheet(&self, address: &str) -> Option<String> {
        let written = address.trim();
        if let Some(path) = written.strip_prefix('/').filter(|path| !path.starts_with('/')) {
            return Some(format!("{}/{path}", self.base));
        }
        let address = Url::parse(written).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let key = self.register(RemoteResource::StyleSheet(address));
        Some(self.address(&format!("remote/{key}")))
    }

    fn background(&self, address: &str) -> Option<String> {
        let full = if address.starts_with("//") { format!("https:{address}") } else { address.to_owned() };
        match Url::parse(&full).ok().filter(|url| matches!(url.scheme(), "http" | "https")) {
            Some(url) => Some(self.address(&format!("remote/{}", self.register(RemoteResource::StylePart(url))))),
            None => self.image(address),
        }
    }

    fn css(&self, css: &str) -> String {
        style_sheet::localised(css, |url, purpose| {
            self.address(&format!("remote/{}", self.register(RemoteResource::of_style(url, purpose))))
        })
    }
}

/// Why an icon is replaced with a letter without any lookup.
pub(super) fn certain_problem(icon: &Icon) -> Option<(String, &'static str)> {
    const NO_GLYPH: &str = "no bundled icon has that name";
    const NO_NAME: &str = "no icon can have that name";
    let problem = match icon {
        Icon::File(path) => (format!("item-icons/{path}"), "there is no such file"),
        Icon::WebRoot(path) => (path.clone(), "there is no such picture in the user-data directory"),
        // It may contain a key, so it is not repeated.
        Icon::Address(_) => ("The address".to_owned(), "it is not the address of a picture"),
        Icon::FontAwesome { name, .. } => (format!("fa-{name}"), NO_GLYPH),
        Icon::MaterialDesign(name) => (format!("mdi-{name}"), NO_GLYPH),
        Icon::SimpleIcons(name) => (format!("si-{name}"), NO_GLYPH),
        Icon::Homelab(name) => (format!("hl-{name}"), NO_NAME),
        Icon::Selfhst(name) => (format!("sh-{name}"), NO_NAME),
        Icon::FaviconOfUnknown(service) => (format!("favicon-{service}"), "there is no such favicon service"),
        Icon::Favicon(_) => ("favicon".to_owned(), "the item has no web address"),
        Icon::Generative | Icon::Emoji(_) | Icon::Unknown(_) => return None,
    };
    Some(problem)
}

impl Icons {
    pub(super) fn find_view(&self, icon: &Icon, entry: &IconEntry<'_>) -> IconView {
        let pack = &self.inner.pack;
        let title = entry.title;
        match icon {
            Icon::Address(address) => match known_addresses::icon(pack, address) {
                Some(bundled) => self.find_view(&bundled, entry),
                None => self.picture_view(address, entry),
            },
            Icon::WebRoot(path) => self.picture_view(path, entry),
            Icon::File(path) => {
                let file = format!("item-icons/{path}");
                match named_with_ending(path).filter(|_| !self.inner.pictures.may_contain(&file)) {
                    Some(of_set) => self.find_view(&of_set, entry),
                    None => self.picture_view(&format!("/{file}"), entry),
                }
            }
            Icon::FontAwesome { style, name } => self.glyph_view(sets::font_awesome(pack, *style, name), title),
            Icon::MaterialDesign(name) => self.glyph_view(sets::material_design(pack, name), title),
            Icon::SimpleIcons(name) => self.glyph_view(sets::simple_icons(pack, name), title),
            Icon::Homelab(name) => self.application_view(Collection::Homelab, name, entry),
            Icon::Selfhst(name) => self.application_view(Collection::Selfhst, name, entry),
            Icon::Favicon(service) => self.favicon_view(service.unwrap_or_default(), entry),
            Icon::Generative => self.generative_view(entry),
            Icon::Emoji(characters) => IconView::Emoji(characters.clone()),
            Icon::FaviconOfUnknown(_) | Icon::Unknown(_) => letter(title),
        }
    }

    /// An application's picture. A name that no collection can have goes straight to the letter.
    pub(super) fn application_view(&self, collection: Collection, name: &str, entry: &IconEntry<'_>) -> IconView {
        match clean_name(name) {
            Some(name) => {
                let key = self.register(RemoteResource::Application(collection, name));
                self.entry_picture(&key, entry)
            }
            None => letter(entry.title),
        }
    }

    /// The icon of the page that an item leads to.
    pub(super) fn favicon_view(&self, service: FaviconService, entry: &IconEntry<'_>) -> IconView {
        match entry.url.and_then(page_of) {
            Some(page) => {
                let trust = if entry.allow_insecure { HostTrust::NamedInsecure } else { HostTrust::Named };
                let key = self.register_with(RemoteResource::Favicon { page, service }, trust);
                self.entry_picture(&format!("favicon/{key}"), entry)
            }
            None => letter(entry.title),
        }
    }

    fn generative_view(&self, entry: &IconEntry<'_>) -> IconView {
        let key = key_of(entry.url.map(str::trim).filter(|url| !url.is_empty()).unwrap_or(entry.title));
        IconView::Image(self.address(&format!("generative/{key}.svg")))
    }

    /// A picture named by a full address or a path. If it certainly does not exist, it becomes a letter, or the mark of
    /// a broken picture if there is no title.
    pub(super) fn picture_view(&self, address: &str, entry: &IconEntry<'_>) -> IconView {
        match (self.picture_address(address, entry), letter(entry.title)) {
            (Some(address), _) => {
                let path = address.strip_prefix(&*self.base).and_then(|path| path.strip_prefix("/icons/"));
                if let Some(path) = path.filter(|path| path.starts_with("remote/")) {
                    self.inner.fallbacks.register(path, entry);
                }
                IconView::Image(address)
            }
            (None, IconView::None) => IconView::Image(self.broken_address()),
            (None, letter) => letter,
        }
    }

    /// A picture that is looked up when a browser requests it. If it is not available, the entry's letter replaces it.
    fn entry_picture(&self, path: &str, entry: &IconEntry<'_>) -> IconView {
        self.inner.fallbacks.register(path, entry);
        IconView::Image(self.address(path))
    }

    /// Our own address of the picture of an entry; `None` if it certainly does not exist.
    fn picture_address(&self, written: &str, entry: &IconEntry<'_>) -> Option<String> {
        let written = written.trim();
        if written.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
            let is_picture = written.get(5..11).is_some_and(|kind| kind.eq_ignore_ascii_case("image/"));
            return is_picture.then(|| written.to_owned());
        }
        if written.contains("://") || written.starts_with("//") {
            let full = if written.starts_with("//") { format!("https:{written}") } else { written.to_owned() };
            let address = Url::parse(&full).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
            let is_own = || entry.url.and_then(page_of).is_some_and(|page| page.host() == address.host());
            let is_insecure = entry.allow_insecure && is_own();
            let trust = if is_insecure { HostTrust::NamedInsecure } else { HostTrust::Named };
            let key = self.register_with(RemoteResource::Picture(address), trust);
            return Some(self.address(&format!("remote/{key}")));
        }
        let path = written.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix("./").unwrap_or(path).trim_start_matches('/');
        // People write paths as they see them in the address bar, or in a folder.
        let decoded = percent_decode_str(path).decode_utf8().ok();
        let path = decoded.as_deref().filter(|_| !self.inner.pictures.contains(path)).unwrap_or(path);
        if let Some(file) = path.strip_prefix("item-icons/") {
            let may_exist = files::is_picture_path(file) && self.inner.pictures.may_contain(path);
            return may_exist.then(|| self.address(&format!("file/{}", encode(file))));
        }
        let exists = self.inner.pictures.contains(path) || (self.inner.settings.is_bundled_file)(path);
        exists.then(|| format!("{}/{}", self.base, encode(path)))
    }

    fn glyph_view(&self, icon: Option<PackedIcon<'_>>, title: &str) -> IconView {
        match icon {
            Some(icon) => IconView::Glyph(self.address(&format!("{}/{}.svg#i", icon.set, icon.name))),
            None => letter(title),
        }
    }

    fn broken_address(&self) -> String {
        self.address("broken.svg")
    }

    /// A style sheet of another site, whose addresses are replaced with our own. Only its own host may be in the
    /// private network, if the style sheet itself may be.
    pub(super) fn with_own_addresses(&self, css: &str, sheet: &Url, trust: HostTrust) -> String {
        style_sheet::localised(css, |url, purpose| {
            let trust = trust.only_if(url.host_str() == sheet.host_str());
            let wanted = WantedResource { target: RemoteResource::of_style(url, purpose), trust };
            self.address(&format!("remote/{}", self.inner.registry.register_for_other(wanted)))
        })
    }

    pub(super) fn address(&self, path: &str) -> String {
        format!("{}/icons/{path}", self.base)
    }
}

/// The icon of a set that is written like a file, such as `hl-plex.png`.
fn named_with_ending(path: &str) -> Option<Icon> {
    let (name, _) = path.rsplit_once('.').filter(|_| files::is_picture_path(path) && !path.contains('/'))?;
    Some(Icon::parse(name)).filter(|icon| {
        matches!(icon, Icon::MaterialDesign(_) | Icon::SimpleIcons(_) | Icon::Homelab(_) | Icon::Selfhst(_))
    })
}

/// A path, encoded for an address.
pub(super) fn encode(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}
