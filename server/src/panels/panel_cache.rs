//! The panel cache, and its eviction rules.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;
use widgets::ViewerHints;

use super::{panel_entry::PanelEntry, plans::PanelKey, usage::Usage};

/// A panel that has not been requested for this long is evicted.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// Maximum number of cached panels.
const MAX: usize = 2048;
/// Maximum total bytes of cached markup.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Time between two sweeps for unused panels.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);
/// Maximum number of languages and time zones per panel; any further viewer gets the panel without hints.
const MAX_VARIANTS: usize = 32;

/// All cached panels.
#[derive(Debug)]
pub struct PanelCache {
    all: Mutex<CachedPanels>,
    /// What the lookups take.
    pub usage: Usage,
}

#[derive(Debug)]
struct CachedPanels {
    entries: HashMap<PanelKey, Arc<PanelEntry>>,
    /// For a panel and a language, the variant requested last: a page does not know the time zone of its viewer.
    variants: HashMap<PanelKey, Vec<(ViewerHints, PanelKey)>>,
    swept: Instant,
}

impl Default for PanelCache {
    fn default() -> Self {
        let kept = CachedPanels { entries: HashMap::new(), variants: HashMap::new(), swept: Instant::now() };
        Self { all: Mutex::new(kept), usage: Usage::default() }
    }
}

impl PanelCache {
    fn lock(&self) -> MutexGuard<'_, CachedPanels> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entry of a panel, if it is cached.
    #[cfg(test)]
    fn find(&self, key: &PanelKey) -> Option<Arc<PanelEntry>> {
        self.lock().entries.get(key).cloned()
    }

    /// The entry of a panel, created if it is missing.
    pub fn get(&self, key: &PanelKey) -> Arc<PanelEntry> {
        let mut kept = self.lock();
        if let Some(entry) = kept.entries.get(key) {
            return Arc::clone(entry);
        }
        kept.sweep();
        Arc::clone(kept.entries.entry(*key).or_default())
    }

    /// Records that a panel has a variant for a language and a time zone. Returns false if it already has too many.
    pub fn add_variant(&self, key: &PanelKey, hints: &ViewerHints, variant: PanelKey) -> bool {
        let mut kept = self.lock();
        let variants = kept.variants.entry(*key).or_default();
        // The latest one comes last.
        let known = variants.iter().position(|(_, known)| *known == variant);
        if known.is_none() && variants.len() >= MAX_VARIANTS {
            return false;
        }
        if let Some(known) = known {
            variants.remove(known);
        }
        variants.push((hints.clone(), variant));
        true
    }

    /// The variant of a panel that someone with this language requested last.
    pub fn variant(&self, key: &PanelKey, locale: &str) -> Option<(ViewerHints, PanelKey)> {
        let kept = self.lock();
        let has_locale = |hints: &ViewerHints| hints.locale.as_deref().unwrap_or_default().eq_ignore_ascii_case(locale);
        kept.variants.get(key)?.iter().rev().find(|(hints, _)| has_locale(hints)).cloned()
    }

    /// Evicts unused panels, and panels beyond the limits.
    pub fn sweep(&self) {
        self.lock().sweep();
    }

    /// How many panels are cached.
    pub fn len(&self) -> usize {
        self.lock().entries.len()
    }
}

impl CachedPanels {
    fn sweep(&mut self) {
        let now = Instant::now();
        if now.saturating_duration_since(self.swept) >= SWEEP_INTERVAL {
            self.swept = now;
            self.entries.retain(|_, entry| {
                now.saturating_duration_since(entry.last_requested()) < IDLE || entry.known().refreshing
            });
            let Self { entries, variants, .. } = self;
            variants.values_mut().for_each(|all| all.retain(|(_, variant)| entries.contains_key(variant)));
            variants.retain(|_, all| !all.is_empty());
        }
        let mut bytes: usize = self.entries.values().map(|entry| entry.size()).sum();
        while self.entries.len() >= MAX || bytes > MAX_BYTES {
            let Some((key, size)) = self.least_wanted() else { break };
            self.entries.remove(&key);
            bytes -= size;
        }
    }

    fn least_wanted(&self) -> Option<(PanelKey, usize)> {
        let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.last_requested())?;
        Some((*oldest.0, oldest.1.size()))
    }
}

#[cfg(test)]
mod tests {
    use widgets::{
        Moment, Panel,
        panel::{Paragraph, Phrase},
    };

    use super::{super::rendered_panel::RenderedPanel, *};

    fn rendered(text: String) -> RenderedPanel {
        RenderedPanel::new(
            Panel::new(vec![Paragraph::new(Phrase::foreign(text)).into()]),
            String::new(),
            Moment::default(),
        )
    }

    fn key(number: usize) -> PanelKey {
        PanelKey::default().with(&[&number.to_string()])
    }

    #[tokio::test(start_paused = true)]
    async fn unused_panels_are_dropped() {
        let cache = PanelCache::default();
        cache.get(&key(1));
        tokio::time::advance(IDLE / 2).await;
        cache.get(&key(2));
        tokio::time::advance(IDLE / 2).await;
        cache.get(&key(3));
        assert!(cache.find(&key(1)).is_none() && cache.find(&key(2)).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn there_are_never_too_many_or_too_large_ones() {
        let cache = PanelCache::default();
        for number in 0..MAX + 10 {
            cache.get(&key(number)).touch();
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert_eq!(cache.len(), MAX);
        assert!(cache.find(&key(0)).is_none() && cache.find(&key(MAX + 9)).is_some());
        let large = rendered("x".repeat(MAX_BYTES));
        cache.get(&key(MAX + 9)).end(Ok(large), Moment::default());
        cache.get(&key(MAX + 8)).end(Ok(rendered("x".to_owned())), Moment::default());
        cache.sweep();
        let bytes: usize = cache.lock().entries.values().map(|entry| entry.size()).sum();
        assert!(bytes <= MAX_BYTES, "{bytes}");
    }

    #[test]
    fn variants_are_found_by_language_and_are_few() {
        let cache = PanelCache::default();
        let of = |locale: &str| ViewerHints { locale: Some(locale.to_owned()), time_zone: None };
        let (german, english) = (of("de-AT"), of("en"));
        assert!(cache.add_variant(&key(0), &german, key(1)) && cache.add_variant(&key(0), &english, key(2)));
        assert!(cache.add_variant(&key(0), &german, key(3)));
        assert_eq!(cache.variant(&key(0), "de-at"), Some((german.clone(), key(3))));
        assert_eq!(cache.variant(&key(0), "fr"), None);
        assert!((3..MAX_VARIANTS).all(|number| cache.add_variant(&key(0), &english, key(number + 10))));
        assert!(!cache.add_variant(&key(0), &english, key(1000)));
        assert!(cache.add_variant(&key(0), &german, key(1)), "a known one may come again");
    }
}
