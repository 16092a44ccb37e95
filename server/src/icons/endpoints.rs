//! The responses under `/icons/`. Each is a function of the path alone; the router adds access control and HTTP.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;

use super::cache::{IconLookupState, StoredMedia};
use super::collection::{Collection, clean_name};
use super::drawing::{broken_picture, glyph_file, glyph_picture, letter_picture, nothing};
use super::media::Media;
use super::pack::PackedIcon;
use super::registry::{RemoteResource, WantedResource};
use super::response::{IconResponse, Lifetime};
use super::{HostTrust, Icons, favicon, fetch, files, generative, sets, style_sheet};
use crate::platform::blocking_pool;

/// How long a request waits for a first lookup. A browser has about six connections for a whole page, so an icon must
/// not hold one for the ten seconds that a dead host takes.
const PATIENCE: Duration = Duration::from_secs(3);

impl Icons {
    /// `/icons/{set}/{file}`: a bundled glyph; `file` is its name with `.svg`. 404 if there is none.
    pub fn glyph(&self, set: &str, file: &str) -> IconResponse {
        let icon = file.strip_suffix(".svg").and_then(|name| sets::by_address(&self.inner.pack, set, name));
        let drawn = icon.and_then(|icon| glyph_file(&icon));
        drawn.map_or_else(IconResponse::not_found, |drawn| IconResponse::drawn(drawn, Lifetime::Immutable))
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
            return IconResponse::drawn(letter_picture(name, None), Lifetime::Short);
        };
        if let Some(stored) = files::read_named(&self.inner.item_icons, collection.word(), &name).await {
            return IconResponse::of(stored.media, stored.body, Lifetime::Short);
        }
        let wanted =
            WantedResource { target: RemoteResource::Application(collection, name.clone()), trust: HostTrust::Foreign };
        let known = match self.inner.registry.get(&self.inner.registry.key(&wanted)) {
            Some(_) => self.find(wanted).await,
            None => self.stored(&wanted).await,
        };
        let path = format!("{}/{name}", collection.word());
        match known {
            IconLookupState::Found(stored) => {
                self.inner.fallbacks.note(&path, None);
                IconResponse::logo(stored.media, stored.body, Lifetime::Long)
            }
            IconLookupState::Missing => {
                let is_bundled = sets::application_picture(&self.inner.pack, &name).is_some()
                    || sets::application_glyph(&self.inner.pack, &name).is_some();
                if !is_bundled {
                    self.note_problem(
                        &path,
                        &format!("{}-{name}", collection.word()),
                        "no picture of that name is found",
                    );
                }
                self.application_fallback(&name, Lifetime::Short)
            }
            IconLookupState::Pending => self.application_fallback(&name, Lifetime::None),
        }
    }

    /// `/icons/favicon/{key}`: the icon of a web page, else the first letter of its item's title.
    pub async fn favicon(&self, key: &str) -> IconResponse {
        let Some(wanted) = self.inner.registry.get(key) else { return self.unknown_key() };
        let RemoteResource::Favicon { page, .. } = &wanted.target else { return self.unknown_key() };
        let path = format!("favicon/{key}");
        match self.find((*wanted).clone()).await {
            IconLookupState::Found(stored) => {
                self.inner.fallbacks.note(&path, None);
                IconResponse::of(stored.media, stored.body, Lifetime::Long)
            }
            IconLookupState::Missing => {
                let host = page.host_str().unwrap_or_default();
                self.note_problem(&path, &format!("favicon of {host}"), "none is found");
                self.fallback(&path, Lifetime::Short)
            }
            IconLookupState::Pending => self.fallback(&path, Lifetime::None),
        }
    }

    /// `/icons/remote/{key}`: a picture, font or style sheet of another site, else the letter of its entry (the mark of a
    /// broken picture where it has none), an empty style sheet, or a picture of nothing for what styles name.
    pub async fn remote(&self, key: &str) -> IconResponse {
        let Some(wanted) = self.inner.registry.get(key) else { return self.unknown_key() };
        let (RemoteResource::Picture(address)
        | RemoteResource::StyleSheet(address)
        | RemoteResource::StylePart(address)) = &wanted.target
        else {
            return self.unknown_key();
        };
        let known = self.find((*wanted).clone()).await;
        let path = format!("remote/{key}");
        match known {
            IconLookupState::Found(_) => self.inner.fallbacks.note(&path, None),
            IconLookupState::Missing => {
                // Addresses may carry keys, so the host alone is named.
                let host = address.host_str().unwrap_or_default();
                self.note_problem(&path, host, "no picture, font or style sheet at the configured address");
            }
            IconLookupState::Pending => {}
        }
        let lifetime = if known == IconLookupState::Pending { Lifetime::None } else { Lifetime::Short };
        match (known, &wanted.target) {
            (IconLookupState::Found(StoredMedia { body, .. }), RemoteResource::StyleSheet(_)) => {
                let (icons, wanted) = (self.clone(), Arc::clone(&wanted));
                let address = address.clone();
                let css = blocking_pool::run(async move {
                    icons.with_own_addresses(&String::from_utf8_lossy(&body), &address, wanted.trust)
                });
                // The addresses in it became known only with this request.
                IconResponse::of(Media::Css, css.await.into(), Lifetime::Short)
            }
            (IconLookupState::Found(stored), _) => IconResponse::of(stored.media, stored.body, Lifetime::Long),
            (_, RemoteResource::StyleSheet(_)) => {
                IconResponse::of(Media::Css, Bytes::from_static(b"/* not available */\n"), lifetime)
            }
            (_, RemoteResource::StylePart(_)) => IconResponse::drawn(nothing(), lifetime),
            (..) => self.fallback(&path, lifetime),
        }
    }

    /// `/icons/file/{path}`: a file in `item-icons`, by its percent-decoded path; else the first letter of its name.
    pub async fn file(&self, path: &str) -> IconResponse {
        match files::read_picture(&self.inner.item_icons, path).await {
            Some(stored) => IconResponse::of(stored.media, stored.body, Lifetime::Short),
            // Names in the config were already reported when they were looked up; others were made up by a visitor.
            None => {
                let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
                IconResponse::drawn(letter_picture(name, None), Lifetime::None)
            }
        }
    }

    /// The letter of the entry that names a picture, or the mark of a broken one.
    fn fallback(&self, path: &str, cache: Lifetime) -> IconResponse {
        IconResponse::drawn(self.inner.fallbacks.picture(path).unwrap_or_else(broken_picture), cache)
    }

    /// Tells the log and the admins why a picture is not shown.
    fn note_problem(&self, path: &str, what: &str, why: &str) {
        let why = if self.inner.settings.offline { "nothing is fetched, because OFFLINE is set" } else { why };
        self.inner.fallbacks.note(path, Some(&format!("{what}: {why}")));
        self.warn(what, why);
    }

    /// The address of a page that was rendered before the last restart, or a guess.
    fn unknown_key(&self) -> IconResponse {
        IconResponse::drawn(broken_picture(), Lifetime::None)
    }

    fn application_fallback(&self, name: &str, cache: Lifetime) -> IconResponse {
        if let Some(document) = sets::application_picture(&self.inner.pack, name) {
            return IconResponse::logo(Media::Svg, Bytes::from(document), cache);
        }
        let glyph = sets::application_glyph(&self.inner.pack, name).and_then(|glyph| glyph_picture(&glyph));
        IconResponse::drawn(glyph.unwrap_or_else(|| letter_picture(name, None)), cache)
    }

    async fn find(&self, wanted: WantedResource) -> IconLookupState {
        if self.inner.settings.offline {
            return self.stored(&wanted).await;
        }
        if !self.looks_up {
            let stored = self.inner.cache.stored(&wanted.key()).await;
            return stored.map_or(IconLookupState::Pending, IconLookupState::Found);
        }
        let inner = Arc::clone(&self.inner);
        let (outside, turn) = (self.inner.fetch.clone(), self.inner.turn.clone());
        self.inner
            .cache
            .find(&wanted.key(), PATIENCE, || async move {
                // The semaphore is never closed, so there is always a permit; it is released at the end of this block.
                let _turn = turn.acquire().await;
                let WantedResource { target, trust } = wanted;
                let outcome = match &target {
                    RemoteResource::Favicon { page, service, .. } => {
                        favicon::look_up(&*outside, page, *service, trust).await
                    }
                    RemoteResource::Picture(address) => fetch::picture(&*outside, address, trust).await,
                    RemoteResource::StyleSheet(address) => style_sheet::look_up(&*outside, address, trust).await,
                    RemoteResource::StylePart(address) => fetch::style_part(&*outside, address, trust).await,
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
