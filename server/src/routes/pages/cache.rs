//! Rendered pages, each rendered once for all viewers who see the same.

use std::{
    future::Future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use config::Viewer;
use languages::Locale;
use moka::future::Cache;

use super::{PageTarget, Rendered};

/// Maximum size of all cached pages, in bytes. That is enough for hundreds of usual pages: pages times viewers, with room for
/// pages of single sections.
const MAX_BYTES: u64 = 12 * 1024 * 1024;
/// The same below each path prefix that a proxy names.
const MAX_BYTES_BELOW: u64 = 3 * 1024 * 1024;

/// What a page depends on. Viewers who differ in anything get different pages, and so does each language.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(super) struct PageKey {
    pub revision: u64,
    pub target: PageTarget,
    pub viewer: Viewer,
    pub locale: Locale,
    /// How often the problem of an icon has appeared or disappeared, for viewers who see these problems.
    pub icon_problems: u64,
}

/// The pages rendered for the newest revision of the config. When it is full, frequently requested pages stay.
#[derive(Debug)]
pub struct PageCache {
    pages: Cache<PageKey, Arc<Rendered>>,
    newest: AtomicU64,
    /// The last pages that say that there is none, by revision and language, the newest last.
    missing: Mutex<Vec<(u64, Locale, Arc<str>)>>,
}

/// Maximum number of pages that say that there is none.
const MAX_MISSING: usize = 4;

impl Default for PageCache {
    fn default() -> Self {
        Self::with_bytes(MAX_BYTES)
    }
}

impl PageCache {
    /// For a path prefix that a proxy names.
    pub(in crate::routes) fn below() -> Self {
        Self::with_bytes(MAX_BYTES_BELOW)
    }

    fn with_bytes(max: u64) -> Self {
        let weigh = |_: &PageKey, page: &Arc<Rendered>| u32::try_from(page.size()).unwrap_or(u32::MAX);
        Self {
            pages: Cache::builder().max_capacity(max).weigher(weigh).build(),
            newest: AtomicU64::new(0),
            missing: Mutex::default(),
        }
    }

    /// The page of a key, rendered if it is not cached. Others who request it meanwhile wait for the same rendering.
    ///
    /// # Errors
    ///
    /// The error of `render`. It is not cached, so invalid addresses take no room.
    pub(super) async fn get_or_render<E: Send + Sync + 'static>(
        &self,
        key: PageKey,
        render: impl Future<Output = Result<Arc<Rendered>, E>>,
    ) -> Result<Arc<Rendered>, Arc<E>> {
        if self.newest.fetch_max(key.revision, Ordering::Relaxed) < key.revision {
            self.pages.invalidate_all();
        }
        self.pages.try_get_with(key, render).await
    }

    /// The page that says that there is none, in the current language of this thread.
    pub(super) fn missing(&self, revision: u64, render: impl FnOnce() -> String) -> Arc<str> {
        let locale = languages::current_locale();
        let kept = || self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().iter().find(|(of, in_locale, _)| *of == revision && *in_locale == locale).cloned();
        if let Some((_, _, html)) = known {
            return html;
        }
        let html: Arc<str> = render().into();
        let mut kept = kept();
        if kept.len() >= MAX_MISSING {
            kept.remove(0);
        }
        kept.push((revision, locale, Arc::clone(&html)));
        html
    }

    /// The number of cached pages.
    #[cfg(test)]
    async fn len(&self) -> u64 {
        self.pages.run_pending_tasks().await;
        self.pages.entry_count()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use config::{Person, Viewer};
    use languages::{Language, Locale};

    use super::{MAX_BYTES, PageCache, PageKey, PageTarget, Rendered};

    fn key(revision: u64, page: &str, viewer: Viewer) -> PageKey {
        PageKey {
            revision,
            target: PageTarget { page: Some(page.to_owned()), ..PageTarget::default() },
            viewer,
            locale: Locale::default(),
            icon_problems: 0,
        }
    }

    fn user(name: &str, groups: &[&str]) -> Viewer {
        let groups = groups.iter().map(|group| (*group).to_owned()).collect();
        Viewer::User(Person { name: name.to_owned(), groups, roles: Vec::new() })
    }

    /// Requests a page and returns how many have been rendered so far.
    async fn request(cache: &PageCache, key: PageKey, count: &AtomicUsize) -> usize {
        let render = async {
            count.fetch_add(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            Ok::<_, ()>(Arc::new(Rendered::panicked()))
        };
        cache.get_or_render(key, render).await.unwrap();
        count.load(Ordering::SeqCst)
    }

    #[tokio::test]
    async fn each_viewer_has_pages_of_their_own() {
        let (cache, count) = (PageCache::default(), AtomicUsize::new(0));
        let viewers = [
            Viewer::Guest,
            Viewer::Admin(None),
            user("anna", &[]),
            user("Anna", &[]),
            user("anna", &["a", "b"]),
            user("anna", &["ab"]),
            Viewer::Admin(user("anna", &[]).person().cloned()),
        ];
        for (number, viewer) in viewers.iter().enumerate() {
            assert_eq!(request(&cache, key(1, "lab", viewer.clone()), &count).await, number + 1, "{viewer:?}");
        }
        for viewer in viewers {
            assert_eq!(request(&cache, key(1, "lab", viewer), &count).await, 7);
        }
        assert_eq!(request(&cache, key(2, "lab", Viewer::Guest), &count).await, 8);
        assert_eq!(cache.len().await, 1);
    }

    #[tokio::test]
    async fn each_language_has_pages_of_its_own_and_there_is_an_end_to_them() {
        let (cache, count) = (PageCache::default(), AtomicUsize::new(0));
        let of = |locale: &Locale, page: &str| PageKey { locale: locale.clone(), ..key(1, page, Viewer::Guest) };
        let locales: Vec<Locale> = Language::all().map(Locale::from).collect();
        for (number, locale) in locales.iter().enumerate() {
            assert_eq!(request(&cache, of(locale, "lab"), &count).await, number + 1, "{locale:?}");
        }
        for locale in &locales {
            assert_eq!(request(&cache, of(locale, "lab"), &count).await, locales.len());
        }
        let pages = usize::try_from(MAX_BYTES).unwrap() / Rendered::panicked().size() / locales.len() + 10;
        for page in 0..pages {
            for locale in &locales {
                request(&cache, of(locale, &page.to_string()), &count).await;
            }
        }
        cache.pages.run_pending_tasks().await;
        assert!(cache.pages.weighted_size() <= MAX_BYTES, "{}", cache.pages.weighted_size());
    }

    #[tokio::test]
    async fn a_page_is_rendered_once_for_all_who_wait() {
        let (cache, count) = (PageCache::default(), AtomicUsize::new(0));
        let guest = || key(1, "lab", Viewer::Guest);
        tokio::join!(
            request(&cache, guest(), &count),
            request(&cache, guest(), &count),
            request(&cache, guest(), &count)
        );
        assert_eq!(count.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn addresses_that_lead_nowhere_push_nothing_out() {
        let (cache, count) = (PageCache::default(), AtomicUsize::new(0));
        request(&cache, key(1, "lab", Viewer::Guest), &count).await;
        for number in 0..2000 {
            let missing =
                cache.get_or_render(key(1, &format!("x{number}"), Viewer::Guest), async { Err("nothing") }).await;
            assert_eq!(*missing.unwrap_err(), "nothing");
        }
        assert_eq!((cache.len().await, request(&cache, key(1, "lab", Viewer::Guest), &count).await), (1, 1));
    }
}
