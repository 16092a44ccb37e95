//! The plans for the widgets of config files, worked out once per loaded file.

use std::sync::{Arc, PoisonError, RwLock, Weak};

use super::WidgetPlans;
use crate::{settings::variables::Variables, store::ConfigFile};

/// Plans by file. They live as long as the file does.
#[derive(Debug, Default)]
pub struct PlanCache {
    /// The values of the variables that widget options may name.
    variables: Variables,
    known: RwLock<Vec<(Weak<ConfigFile>, Arc<WidgetPlans>)>>,
}

impl PlanCache {
    /// An empty cache. `variables` are those that widget options may name.
    pub fn new(variables: Variables) -> Self {
        Self { variables, known: RwLock::default() }
    }

    /// The plans for a file.
    pub fn of(&self, file: &Arc<ConfigFile>) -> Arc<WidgetPlans> {
        if let Some(plans) = self.find(file) {
            return plans;
        }
        let plans = match &file.host {
            Some(host) => WidgetPlans::of_remote(&file.config, &file.document, host),
            None => WidgetPlans::of(&file.config, &file.document, &self.variables),
        };
        self.set(file, plans)
    }

    /// The plans for a file of a static export, where no server asks for a browser.
    pub fn for_export(&self, file: &Arc<ConfigFile>) -> Arc<WidgetPlans> {
        let mut plans = WidgetPlans::of(&file.config, &file.document, &self.variables);
        plans.look_up_for_browsers();
        self.set(file, plans)
    }

    /// Sets the plans for a file, unless it already has some; returns the stored ones.
    pub fn set(&self, file: &Arc<ConfigFile>, plans: WidgetPlans) -> Arc<WidgetPlans> {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(plans) = found(&known, file) {
            return plans;
        }
        known.retain(|(file, _)| file.strong_count() > 0);
        let plans = Arc::new(plans);
        known.push((Arc::downgrade(file), Arc::clone(&plans)));
        plans
    }

    fn find(&self, file: &Arc<ConfigFile>) -> Option<Arc<WidgetPlans>> {
        found(&self.known.read().unwrap_or_else(PoisonError::into_inner), file)
    }
}

/// A weak pointer keeps the address of its file from being used again, so equal addresses are equal files.
fn found(known: &[(Weak<ConfigFile>, Arc<WidgetPlans>)], file: &Arc<ConfigFile>) -> Option<Arc<WidgetPlans>> {
    let known = known.iter().find(|(known, _)| Weak::as_ptr(known) == Arc::as_ptr(file));
    known.map(|(_, plans)| Arc::clone(plans))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use config::{Config, Document};

    use super::{PlanCache, Variables};
    use crate::store::ConfigFile;

    fn file() -> Arc<ConfigFile> {
        let text = "sections: [{ name: A, widgets: [{ type: clock }] }]\n";
        let document = Document::parse(text.as_bytes()).unwrap();
        let config = Config::read(&document).unwrap();
        let bytes = Bytes::from_static(text.as_bytes());
        Arc::new(ConfigFile { name: "conf.yml".into(), bytes, document, config, host: None, stored: true })
    }

    #[test]
    fn plans_are_made_once_for_a_file_and_go_with_it() {
        let cache = PlanCache::new(Variables::default());
        let (first, second) = (file(), file());
        let plans = cache.of(&first);
        assert!(plans.get(0, 0).is_some() && Arc::ptr_eq(&plans, &cache.of(&first)));
        assert!(!Arc::ptr_eq(&plans, &cache.of(&second)));
        drop((first, second));
        cache.of(&file());
        assert_eq!(cache.known.read().unwrap().len(), 1);
    }
}
