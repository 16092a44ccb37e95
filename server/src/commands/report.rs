//! The problems of config files: for `portico validate`, and for the log.

use std::{collections::HashSet, sync::Arc};

use config::{Problem, Severity};

use crate::{
    panels::{PlanCache, problems},
    store::{ConfigFile, Site, Store},
};

/// Maximum number of problems of a file that are logged at once; `portico validate` prints them all.
const MAX_LOGGED: usize = 20;

/// Logs the problems of the files now, and whenever there are new ones. Never returns. Only `portico validate` prints
/// notes.
pub async fn log_changes(store: Arc<Store>, plans: Arc<PlanCache>) {
    let mut revisions = store.revisions();
    let mut before = Arc::new(Site::default());
    loop {
        revisions.mark_unchanged();
        let now = store.site();
        let (known, new, plans) = (Arc::clone(&before), Arc::clone(&now), Arc::clone(&plans));
        let lines = tokio::task::spawn_blocking(move || news(&known, &new, &plans));
        for line in lines.await.unwrap_or_default() {
            tracing::warn!("{line}");
        }
        before = now;
        if revisions.changed().await.is_err() {
            return;
        }
    }
}

/// The problems that are new, one line each.
fn news(before: &Site, now: &Site, plans: &PlanCache) -> Vec<String> {
    let mut lines = Vec::new();
    let mut tell = |before: Option<&Arc<ConfigFile>>, now: &Arc<ConfigFile>, is_main: bool| {
        if !before.is_some_and(|before| Arc::ptr_eq(before, now)) {
            lines.extend(news_of(before, now, is_main, plans));
        }
    };
    if let Some(root) = &now.root {
        tell(before.root.as_ref(), root, true);
        for (path, page) in &now.pages {
            let file = page.file.as_ref().filter(|file| !Arc::ptr_eq(file, root));
            if let Some(file) = file {
                tell(before.pages.get(path).and_then(|page| page.file.as_ref()), file, false);
            }
        }
    }
    lines
}

fn news_of(before: Option<&Arc<ConfigFile>>, now: &Arc<ConfigFile>, is_main: bool, plans: &PlanCache) -> Vec<String> {
    let of = |file: &Arc<ConfigFile>| problems(&file.document, &file.config, &plans.of(file), is_main);
    let known: HashSet<String> = before.map(of).unwrap_or_default().iter().map(ToString::to_string).collect();
    let mut new = of(now);
    new.retain(|problem| problem.severity != Severity::Note && !known.contains(&problem.to_string()));
    if new.is_empty() {
        return Vec::new();
    }
    let locations = now.document.locations();
    new.sort_by_key(|problem| locations.nearest(&problem.path));
    let line = |problem: &Problem| {
        let (line, column) = locations.nearest(&problem.path).unwrap_or((1, 1));
        format!("{}:{line}:{column}: {problem}", now.name)
    };
    let mut lines: Vec<String> = new.iter().take(MAX_LOGGED).map(line).collect();
    if new.len() > MAX_LOGGED {
        let more = new.len() - MAX_LOGGED;
        lines.push(format!("{}: and {more} more; `portico validate` prints all", now.name));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

    use bytes::Bytes;
    use config::{Config, Document};

    use super::news as news_by;
    use crate::{
        panels::PlanCache,
        store::{ConfigFile, Site, SubPageFile},
    };

    fn news(before: &Site, now: &Site) -> Vec<String> {
        news_by(before, now, &PlanCache::default())
    }

    fn file(name: &str, text: &str, root: Option<&ConfigFile>) -> Arc<ConfigFile> {
        let document = Document::parse(text.as_bytes()).unwrap();
        let config = match root {
            Some(root) => Config::read_page(&root.document, &document).unwrap(),
            None => Config::read(&document).unwrap(),
        };
        let bytes = Bytes::from(text.to_owned());
        Arc::new(ConfigFile { name: name.to_owned(), bytes, document, config, host: None, stored: true })
    }

    fn site(root: &str, page: &str) -> Site {
        let root = file("conf.yml", root, None);
        let page = SubPageFile { file: Some(file("sub.yml", page, Some(&root))), failure: None };
        Site { root: Some(root), pages: BTreeMap::from([("sub.yml".to_owned(), page)]), ..Site::default() }
    }

    #[test]
    fn the_log_says_what_the_validator_says_and_says_it_once() {
        let main = "pageInfo:\n  title: T\n  footerText: old\nbanana: 1\nsections: []\n";
        let first = site(main, "pageInfo: 5\n");
        let lines = news(&Site::default(), &first);
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[0].starts_with("conf.yml:3:3: /pageInfo/footerText"), "{lines:?}");
        assert!(lines[1].starts_with("conf.yml:4:1: "), "{lines:?}");
        assert!(lines[2].starts_with("sub.yml:1:1: /pageInfo: must be a mapping"), "{lines:?}");

        let second = site(&format!("{main}apple: 2\n"), "pageInfo: 5\n");
        let lines = news(&first, &second);
        assert!(lines.len() == 1 && lines[0].contains("apple"), "{lines:?}");
        assert!(news(&second, &second).is_empty());
    }

    #[test]
    fn a_value_with_several_faults_is_one_line() {
        for wrong in ["appConfig:\n  theme: 7\n", "pages:\n- name: Lab\n", "pages:\n- name: Lab\n  path: ''\n"] {
            let main = format!("{wrong}sections: []\n");
            let lines = news(&Site::default(), &site(&main, "sections: []\n"));
            assert_eq!(lines.len(), 1, "{lines:?}");
        }
    }

    #[test]
    fn a_long_list_is_cut_off() {
        let mut main = "sections: []\n".to_owned();
        for number in 0..35 {
            _ = writeln!(main, "unknown{number}: 1");
        }
        let lines = news(&Site::default(), &site(&main, "sections: []\n"));
        assert_eq!(lines.len(), 21);
        assert!(lines[20].contains("and 15 more"), "{lines:?}");
    }
}
