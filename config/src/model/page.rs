//! An entry of `pages` (docs/spec/config.md 4).

use super::{block::Block, display_data::read_own_visibility};
use crate::{dashboard::View, slug::page_slug, viewer::Visibility};

/// The key of a page called "Home": the slug of that name is `home`, and no slug ends with a dash.
const HOME_PAGE: &str = "home-";

/// An additional page. Anything that its file leaves out of `pageInfo` and `appConfig` comes from the main file;
/// sign-in and the list of pages always do.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "a page", finish = |page: &mut Self| page.slug = page_slug(&page.name))]
pub struct Page {
    /// Zero-based position in the list.
    #[config(computed = |entry| entry.index())]
    pub index: usize,
    /// Text of its button in the header. Its address is derived from it: `Media Room` is at `/home/media-room`.
    #[config(required)]
    pub name: String,
    /// Slug of the name: its segment in the address.
    #[config(skip)]
    pub slug: String,
    /// File of the page, in the same folder as `conf.yml`; or the web address of a file, which is then read-only.
    ///
    /// As written.
    #[config(required, examples("media.yml", "https://git.example/dashboards/lab.yml"))]
    pub path: String,
    /// Where its config comes from.
    #[config(computed = |page| PageSource::parse(&page.quiet().key("path").filled_text().unwrap_or_default()))]
    pub source: PageSource,
    /// Whether it is the root config itself.
    #[config(skip)]
    pub is_main: bool,
    /// Who sees the page.
    #[config(key = "displayData", read_entry = read_own_visibility)]
    pub visibility: Visibility,
}

/// Where the config of a page comes from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PageSource {
    /// A file in the user-data directory, with `/` between the parts. The server decides whether it may be read.
    File(String),
    /// A remote file; read-only.
    Remote(String),
}

impl Page {
    /// The name of its file. For a remote file only the host, since the rest of an address may contain a key.
    pub fn file(&self) -> &str {
        match &self.source {
            PageSource::File(name) => name,
            PageSource::Remote(address) => crate::address::host(address).unwrap_or("config"),
        }
    }
}

impl Page {
    /// The name by which the page itself and the browser know it: the slug, unless that is the word for the root
    /// config. The addresses of both lead to the page.
    pub fn key(&self) -> &str {
        if self.slug == View::Home.word() && !self.is_main { HOME_PAGE } else { &self.slug }
    }
}

impl PageSource {
    /// Whether a page names no source, so that it cannot be shown.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::File(file) if file.is_empty())
    }

    /// Parses a `path`: an address begins with `http://` or `https://`; everything else is a file, with or without `./`
    /// or a leading `/`.
    pub fn parse(path: &str) -> Self {
        let is_remote = ["http://", "https://"]
            .iter()
            .any(|scheme| path.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        if is_remote {
            return Self::Remote(path.to_owned());
        }
        let mut file = path;
        while let Some(rest) = file.strip_prefix("./").or_else(|| file.strip_prefix('/')) {
            file = rest;
        }
        Self::File(file.to_owned())
    }
}
