//! Where a config comes from.

/// Where a config comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Source {
    /// Dashy: `conf.yml`, which Portico reads as it is.
    Dashy,
    /// Homepage (gethomepage): `services.yaml`, `bookmarks.yaml`, `widgets.yaml` and `settings.yaml`.
    Homepage,
    /// Homer: `config.yml`, and its other pages.
    Homer,
    /// Glance: `glance.yml`, and the files that it includes.
    Glance,
    /// Bookmarks that a browser has exported as HTML.
    Bookmarks,
}

impl Source {
    /// All sources.
    pub const ALL: [Self; 5] = [Self::Dashy, Self::Homepage, Self::Homer, Self::Glance, Self::Bookmarks];

    /// The name on the command line, such as `homepage`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dashy => "dashy",
            Self::Homepage => "homepage",
            Self::Homer => "homer",
            Self::Glance => "glance",
            Self::Bookmarks => "bookmarks",
        }
    }

    /// The display name, such as `Homepage`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Dashy => "Dashy",
            Self::Homepage => "Homepage",
            Self::Homer => "Homer",
            Self::Glance => "Glance",
            Self::Bookmarks => "browser bookmarks",
        }
    }

    /// The source with this [`Source::name`].
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }
}
