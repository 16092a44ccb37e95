//! The responses under `/icons/`. Each is a function of the path alone; the router adds access control and HTTP.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;

use super::answer::{IconResponse, Lifetime};
use super::cache::IconLookupState;
use super::collection::{Collection, clean_name};
use super::drawing::{broken_picture, glyph_file, glyph_picture, letter_picture};
use super::media::Media;
use super::pack::PackedIcon;
use super::registry::{RemoteResource, WantedResource};
use super::{Icons, favicon, fetch, files, generative, sets, style_sheet};

/// How long a request waits for a first lookup. A browser has about six connections for a whole page, so an icon must
/// not hold one for the ten seconds that a dead host takes.
const PATIENCE: Duration = Duration::from_secs(3);

impl Icons {
    /// `/icons/{set}/{file}`: a bundled glyph; `file` is its name with `.svg`. 404 if there is none.
    pub fn glyph(&self, set: &str, file: &str) -> IconResponse {
        let icon = file.strip_suffix(".svg").and_then(|name| sets::by_address(&self.inner.pack, set, name));
        icon.map_or_else(IconResponse::not_found, |icon| IconResponse::drawn(glyph_file(&icon), Lifetime::Immutable))
    }

    /// A bundled glyph by the set and name of its address.
    pub fn find_glyph(&self, set: &str, name: &str) -> Option<PackedIcon<'_>> {
        sets::by_address(&self.inner.pack, set, name)
    }

    /// `/icons/generative/{file}`: the picture for 16 hexadecimal digits; 404 for anything else.
    pub fn generative(&self, file: &str) -> IconResponse {
        let picture = file.strip_suffix(".svg").and_then(generative::picture);
        picture.map_or_else(IconResponse::not_found, |picture| IconResponse::drawn(picture, Lifetime::Immutable))
    }

    /// `/icons/broken.svg`: the picture for an image that cannot be loaded.
    pub fn broken(&self) -> IconResponse {
        IconResponse::drawn(broken_picture(), Lifetime::Long)
    }

    /// `/icons/hl/{name}` and `/icons/sh/{name}`: the user's own file, the cache, the collection itself, else a bundled
    /// picture, a glyph, a letter. Only names in the config are requested from the collection.
    pub async fn application(&self, collection: Collection, name: &str) -> IconResponse {
        let Some(name) = clean_name(name) else {
            return IconResponse::drawn(letter_picture(name), Lifetime::Short);
        };
        if let Some(stored) = files::read_named(&self.inner.item_icons, collection.word(), &name).await {
            return IconResponse::of(stored.media, stored.body, Lifetime::Short);
        }
        let wanted =
            WantedResource { target: RemoteResource::Application(collection, name.clone()), may_be_private: false };
        let known = match self.inner.registry.get(&self.inner.registry.key(&wanted)) {
            Some(_) => self.find(wanted).await,
            None => self.stored(&wanted).await,
        };
        match known {
            IconLookupState::Found(stored) => IconResponse::of(stored.media, stored.body, Lifetime::Long),
            IconLookupState::Missing => self.application_stand_in(&name, Lifetime::Short),
            IconLookupState::Pending => self.application_stand_in(&name, Lifetime::None),
        }
    }

    /// `/icons/favicon/{key}`: the icon of a web page, else the first letter of its item's title.
    pub async fn favicon(&self, key: &str) -> IconResponse {
        let Some(wanted) = self.inner.registry.get(key) else { return self.unknown_key() };
        let RemoteResource::Favicon { title, .. } = &wanted.target else { return self.unknown_key() };
        match self.find((*wanted).clone()).await {
            IconLookupState::Found(stored) => IconResponse::of(stored.media, stored.body, Lifetime::Long),
            IconLookupState::Missing => IconResponse::drawn(letter_picture(title), Lifetime::Short),
            IconLookupState::Pending => IconResponse::drawn(letter_picture(title), Lifetime::None),
        }
    }

    /// `/icons/remote/{key}`: a picture or a style sheet of another site, else the broken-picture mark or an empty
    /// style sheet.
    pub async fn remote(&self, key: &str) -> IconResponse {
        let Some(wanted) = self.inner.registry.get(key) else { return self.unknown_key() };
        let (address, is_style_sheet) = match &wanted.target {
            RemoteResource::Picture(address) => (address, false),
            RemoteResource::StyleSheet(address) => (address, true),
            RemoteResource::Favicon { .. } | RemoteResource::Application(..) => return self.unknown_key(),
        };
        let known = self.find((*wanted).clone()).await;
        if known == IconLookupState::Missing {
            // Addresses may contain keys, so the log names only the host.
            self.warn(address.host_str().unwrap_or_default(), "no picture or style sheet at the configured address");
        }
        let lifetime = if known == IconLookupState::Pending { Lifetime::None } else { Lifetime::Short };
        match known {
            IconLookupState::Found(stored) => IconResponse::of(stored.media, stored.body, Lifetime::Long),
            IconLookupState::Missing | IconLookupState::Pending if is_style_sheet => {
                IconResponse::of(Media::Css, Bytes::from_static(b"/* not available */\n"), lifetime)
            }
            IconLookupState::Missing | IconLookupState::Pending => IconResponse::drawn(broken_picture(), lifetime),
        }
    }

    /// `/icons/file/{path}`: a file in `item-icons`, by its percent-decoded path; else the broken-picture mark.
    pub async fn file(&self, path: &str) -> IconResponse {
        match files::read_picture(&self.inner.item_icons, path).await {
            Some(stored) => IconResponse::of(stored.media, stored.body, Lifetime::Short),
            // A warning about names in the config was logged when they were resolved; other names come from visitors.
            None => IconResponse::drawn(broken_picture(), Lifetime::None),
        }
    }

    /// The address of a page that was rendered before the last restart, or a guess.
    fn unknown_key(&self) -> IconResponse {
        IconResponse::drawn(broken_picture(), Lifetime::None)
    }

    fn application_stand_in(&self, name: &str, cache: Lifetime) -> IconResponse {
        if let Some(document) = sets::application_picture(&self.inner.pack, name) {
            return IconResponse::of(Media::Svg, Bytes::copy_from_slice(document.as_bytes()), cache);
        }
        let glyph = sets::application_glyph(&self.inner.pack, name);
        IconResponse::drawn(glyph.map_or_else(|| letter_picture(name), |glyph| glyph_picture(&glyph)), cache)
    }

    async fn find(&self, wanted: WantedResource) -> IconLookupState {
        if self.inner.settings.offline {
            return self.stored(&wanted).await;
        }
        let inner = Arc::clone(&self.inner);
        let (outside, turn) = (self.inner.fetch.clone(), self.inner.turn.clone());
        self.inner
            .cache
            .find(&wanted.key(), PATIENCE, || async move {
                // The semaphore is never closed, so there is always a permit; it is released at the end of this block.
                let _turn = turn.acquire().await;
                let WantedResource { target, may_be_private } = wanted;
                let outcome = match &target {
                    RemoteResource::Favicon { page, service, .. } => {
                        favicon::look_up(&*outside, page, *service, may_be_private).await
                    }
                    RemoteResource::Picture(address) => fetch::picture(&*outside, address, may_be_private).await,
                    RemoteResource::StyleSheet(address) => {
                        style_sheet::look_up(&*outside, address, may_be_private).await
                    }
                    RemoteResource::Application(collection, name) => collection.look_up(&*outside, name).await,
                };
                // Browsers may cache this response, so its address must still be valid after a restart.
                _ = tokio::task::spawn_blocking(move || inner.registry.keys().save()).await;
                outcome
            })
            .await
    }

    async fn stored(&self, wanted: &WantedResource) -> IconLookupState {
        self.inner.cache.stored(&wanted.key()).await.map_or(IconLookupState::Missing, IconLookupState::Found)
    }
}
