//! The two collections of application pictures that are fetched individually (docs/spec/config.md 11.3).

use url::Url;

use super::cache::{LookupOutcome, StoredMedia};
use super::fetch::{self, Fetch, HostTrust};
use super::media::Media;
use super::on_dark::picture_with_light_variant;
use crate::platform::blocking_pool;

const MAX_NAME_LENGTH: usize = 100;

/// A collection.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Collection {
    /// Dashboard Icons by Homarr Labs, `hl-`.
    Homelab,
    /// selfh.st icons, `sh-`.
    Selfhst,
}

impl Collection {
    /// The prefix in the config without its hyphen; also the folder in addresses and in `item-icons`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Homelab => "hl",
            Self::Selfhst => "sh",
        }
    }

    /// The reverse of [`Collection::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Homelab, Self::Selfhst].into_iter().find(|collection| collection.word() == word)
    }

    /// The possible locations of a picture, in the order in which they are tried.
    fn addresses(self, name: &str) -> impl Iterator<Item = Url> {
        let (root, formats) = match self {
            Self::Homelab => ("https://cdn.jsdelivr.net/gh/homarr-labs/dashboard-icons", ["svg", "png", "webp"]),
            Self::Selfhst => ("https://cdn.jsdelivr.net/gh/selfhst/icons", ["webp", "svg", "png"]),
        };
        let addresses = formats.map(|format| Url::parse(&format!("{root}/{format}/{name}.{format}")).ok());
        addresses.into_iter().flatten()
    }

    /// Fetches a picture. One in black comes with its light variant, so that it is decoded once and not per request.
    pub async fn look_up(self, fetch: &dyn Fetch, name: &str) -> LookupOutcome {
        for address in self.addresses(name) {
            match fetch::picture(fetch, &address, HostTrust::Foreign).await {
                LookupOutcome::Missing => {}
                LookupOutcome::Found(stored) => return LookupOutcome::Found(with_light_variant(stored).await),
                LookupOutcome::Failed => return LookupOutcome::Failed,
            }
        }
        LookupOutcome::Missing
    }
}

async fn with_light_variant(stored: StoredMedia) -> StoredMedia {
    let StoredMedia { media, body } = stored.clone();
    // Its own task: whatever a strange file does to a decoder, the picture is shown as it is.
    let work = tokio::spawn(blocking_pool::run(async move { picture_with_light_variant(media, &body) }));
    match work.await {
        Ok(Some(drawing)) => StoredMedia { media: Media::Svg, body: drawing.into() },
        _ => stored,
    }
}

/// The name as the collections write it: lower case, hyphens for spaces, without the file ending that some people add.
/// `None` if it cannot be the name of a picture, which keeps paths and queries out of addresses.
pub fn clean_name(written: &str) -> Option<String> {
    let lower = written.trim().to_ascii_lowercase().replace(' ', "-");
    let name = ["svg", "png", "webp"]
        .iter()
        .find_map(|format| lower.strip_suffix(format)?.strip_suffix('.'))
        .unwrap_or(&lower);
    let fits = (1..=MAX_NAME_LENGTH).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte))
        && !name.contains("..");
    fits.then(|| name.to_owned())
}
