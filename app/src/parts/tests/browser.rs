//! The bundle for widgets that a browser looks up has only some of the parts: all that these widgets use.

use std::{fs, path::Path};

use futures_util::FutureExt;
use widgets::{Case, Kind, Place};

use crate::parts::{Surroundings, markup::Markup, write_words};

#[test]
fn what_a_browser_looks_up_it_can_draw() {
    let mut drawn = 0;
    for kind in Kind::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../widgets/cases").join(kind.name());
        for file in fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()) {
            if file.extension().is_none_or(|extension| extension != "yml") {
                continue;
            }
            let case: Case = serde_yaml::from_slice(&fs::read(&file).unwrap()).unwrap();
            let (entry, _) = case.entry();
            let Place::Browser(entry) = kind.plan(&entry, &entry).place else { continue };
            let outside = case.recorded(|name| fs::read(folder.join(name))).unwrap();
            let Some(Ok(panel)) = kind.fetch(&entry, &outside).now_or_never() else { continue };
            let surroundings = Surroundings::default();
            for part in &panel.parts {
                assert!(write_words(part, &mut Markup::new(&surroundings)), "{}: {part:?}", file.display());
                drawn += 1;
            }
        }
    }
    assert!(drawn > 0, "no widget is looked up by browsers");
}
