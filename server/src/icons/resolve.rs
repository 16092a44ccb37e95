//! Turns an icon in the config into what the page shows. Nothing here blocks: external pictures become addresses of our
//! own, and are fetched when a browser requests them.

use config::dashboard::IconView;
use config::icon::{FaviconService, Icon, IconLookup, letter};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use url::Url;

use super::collection::{Collection, clean_name};
use super::drawing::key_of;
use super::favicon::page_of;
use super::pack::PackedIcon;
use super::registry::RemoteResource;
use super::{Icons, files, sets};

/// Characters that need no escaping in the path of an address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

impl IconLookup for Icons {
    fn resolve(&self, icon: &Icon, title: &str, url: Option<&str>) -> IconView {
        let pack = &self.inner.pack;
        match icon {
            Icon::Address(address) | Icon::WebRoot(address) => self.picture_view(address),
            Icon::File(path) => self.picture_view(&format!("/item-icons/{path}")),
            Icon::FontAwesome { style, name } => self.glyph_view(sets::font_awesome(pack, *style, name), title),
            Icon::MaterialDesign(name) => self.glyph_view(sets::material_design(pack, name), title),
            Icon::SimpleIcons(name) => self.glyph_view(sets::simple_icons(pack, name), title),
            Icon::Homelab(name) => self.application_view(Collection::Homelab, name, title),
            Icon::Selfhst(name) => self.application_view(Collection::Selfhst, name, title),
            Icon::Favicon(service) => self.favicon_view(service.unwrap_or_default(), title, url),
            Icon::FaviconOfUnknown(service) => {
                self.warn(&format!("favicon-{service}"), "there is no such favicon service");
                IconView::Image(self.broken_address())
            }
            Icon::Generative => self.generative_view(title, url),
            Icon::Emoji(characters) => IconView::Emoji(characters.clone()),
            Icon::Unknown(_) => letter(title),
        }
    }

    /// A path needs no disk access: [`Icons::rescan`] lists the files that exist.
    fn image(&self, address: &str) -> Option<String> {
        let found = self.picture_address(address);
        if found.is_none() {
            self.warn(address, "there is no such picture");
        }
        found
    }

    /// The address of our own for a style sheet of another site. `None` for anything but such an address or a path.
    fn style_sheet(&self, address: &str) -> Option<String> {
        let written = address.trim();
        if let Some(path) = written.strip_prefix('/').filter(|path| !path.starts_with('/')) {
            return Some(format!("{}/{path}", self.base));
        }
        let address = Url::parse(written).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let key = self.register(RemoteResource::StyleSheet(address));
        Some(self.address(&format!("remote/{key}")))
    }
}

impl Icons {
    /// An application's picture. A name that no collection can have goes straight to the letter.
    pub(super) fn application_view(&self, collection: Collection, name: &str, title: &str) -> IconView {
        match clean_name(name) {
            Some(name) => {
                let key = self.register(RemoteResource::Application(collection, name));
                IconView::Image(self.address(&key))
            }
            None => letter(title),
        }
    }

    /// The icon of the page that an item links to.
    pub(super) fn favicon_view(&self, service: FaviconService, title: &str, url: Option<&str>) -> IconView {
        match url.and_then(page_of) {
            Some(page) => {
                let key = self.register(RemoteResource::Favicon { page, service, title: title.to_owned() });
                IconView::Image(self.address(&format!("favicon/{key}")))
            }
            None => letter(title),
        }
    }

    fn generative_view(&self, title: &str, url: Option<&str>) -> IconView {
        let key = key_of(url.map(str::trim).filter(|url| !url.is_empty()).unwrap_or(title));
        IconView::Image(self.address(&format!("generative/{key}.svg")))
    }

    /// A picture named by a full address or a path.
    pub(super) fn picture_view(&self, address: &str) -> IconView {
        IconView::Image(self.picture_address(address).unwrap_or_else(|| {
            self.warn(address, "there is no such picture");
            self.broken_address()
        }))
    }

    /// Our own address of a picture; `None` if it certainly does not exist.
    fn picture_address(&self, written: &str) -> Option<String> {
        let written = written.trim();
        if written.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
            let is_picture = written.get(5..11).is_some_and(|kind| kind.eq_ignore_ascii_case("image/"));
            return is_picture.then(|| written.to_owned());
        }
        if written.contains("://") || written.starts_with("//") {
            let full = if written.starts_with("//") { format!("https:{written}") } else { written.to_owned() };
            let address = Url::parse(&full).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
            let key = self.register(RemoteResource::Picture(address));
            return Some(self.address(&format!("remote/{key}")));
        }
        let path = written.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix("./").unwrap_or(path).trim_start_matches('/');
        // People write paths as they see them in the address bar, or in a folder.
        let decoded = percent_decode_str(path).decode_utf8().ok();
        let path = decoded.as_deref().filter(|_| !self.inner.pictures.contains(path)).unwrap_or(path);
        if let Some(file) = path.strip_prefix("item-icons/") {
            return files::is_picture_path(file).then(|| self.address(&format!("file/{}", encode(file))));
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

    fn address(&self, path: &str) -> String {
        format!("{}/icons/{path}", self.base)
    }
}

fn encode(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}
