//! Results that are expensive and often wanted: each is computed once for all who wait for it, beside the threads that serve
//! requests, and the last ones are kept.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OnceCell;

use super::blocking_pool;

/// The last results, by what they depend on.
#[derive(Debug)]
pub struct Recent<K, V> {
    /// The newest last.
    kept: Mutex<VecDeque<(K, Arc<OnceCell<V>>)>>,
    max: usize,
}

impl<K: PartialEq, V: Clone + Send + 'static> Recent<K, V> {
    /// Keeps this many results.
    pub fn new(max: usize) -> Self {
        Self { kept: Mutex::default(), max }
    }

    /// The result for a key, computed if it is not kept. `None` if the computation panicked.
    pub async fn get(&self, key: K, compute: impl FnOnce() -> V + Send + 'static) -> Option<V> {
        let place = self.place(key);
        place.get_or_try_init(|| blocking_pool::compute(compute)).await.ok().cloned()
    }

    fn place(&self, key: K) -> Arc<OnceCell<V>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(known, _)| *known == key).and_then(|index| kept.remove(index));
        let entry = known.unwrap_or_else(|| (key, Arc::default()));
        let place = Arc::clone(&entry.1);
        if kept.len() >= self.max {
            kept.pop_front();
        }
        kept.push_back(entry);
        place
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Recent;

    #[tokio::test]
    async fn a_result_is_computed_once_and_the_oldest_is_forgotten() {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let recent = Recent::new(2);
        let get = |key: u32| {
            recent.get(key, move || {
                COUNT.fetch_add(1, Ordering::SeqCst);
                key * 10
            })
        };
        let all = tokio::join!(get(1), get(1), get(1));
        assert_eq!((all, COUNT.load(Ordering::SeqCst)), ((Some(10), Some(10), Some(10)), 1));
        get(2).await;
        get(1).await;
        get(3).await;
        get(1).await;
        assert_eq!(COUNT.load(Ordering::SeqCst), 3);
        get(2).await;
        assert_eq!(COUNT.load(Ordering::SeqCst), 4);
        assert_eq!(recent.get(9, || panic!("wanted by the test")).await, None);
    }
}
