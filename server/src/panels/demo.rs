//! `portico serve --demo`: every widget from its recorded cases. No network, no files, no set-up.

use std::{
    collections::BTreeMap,
    io::{self, Read as _},
    ops::Range,
    sync::{Arc, LazyLock},
};

use bytes::Bytes;
use config::{Config, Dashboard, Document, search::fold};
use flate2::read::GzDecoder;
use languages::{name_of_type, t};
use serde_json::{Map, Value, json};
use widgets::{Case, Kind, title_of};

use crate::{
    panels::{PlanCache, Recording, WidgetPlans},
    settings::variables::Variables,
    store::{ConfigFile, Site, SubPageFile},
};

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// The content of all files, one after the other. Only commands that show cases unpack it.
static CONTENT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut content = Vec::new();
    if let Err(error) = GzDecoder::new(PACKED).read_to_end(&mut content) {
        tracing::error!(%error, "the recorded cases in this program are damaged");
    }
    content
});

/// The case of each widget that shows its purpose.
const EXAMPLE: &str = "example";
/// The name of the page with all cases, and of its file.
const ALL_CASES: (&str, &str) = ("All cases", "cases.yml");
/// The name of the section with a link to each of the others.
const INDEX: &str = "Index";
/// The link in an example that adds the widget to the dashboard.
const ADD: &str = "Add to the dashboard";
/// The name of the root config.
const MAIN: &str = "conf.yml";

/// Why the demo cannot start: a case is broken, which its tests should have caught.
#[derive(Debug, thiserror::Error)]
#[error("the case `{case}` cannot be shown: {reason}")]
pub struct DemoError {
    case: String,
    reason: String,
}

/// One case of a widget.
struct DemoCase {
    kind: Kind,
    name: &'static str,
    case: Case,
}

/// The config files of the demo: a page with an example of each widget, and one with all cases. Their plans, which read
/// from recordings, go into `plans`. With `below`, the gallery's own path, each page has a link to the dashboard one level above,
/// and each example one that adds the widget there.
///
/// # Errors
///
/// [`DemoError`].
pub fn site(plans: &PlanCache, below: Option<&str>) -> Result<Site, DemoError> {
    let mut kinds = Kind::ALL.to_vec();
    kinds.sort_by_key(|kind| kind.name());
    let mut all = Vec::new();
    for kind in kinds {
        all.push((kind, cases_of(kind)?));
    }
    let examples =
        all.iter().map(|(kind, cases)| (*kind, cases.iter().filter(|shown| shown.name == EXAMPLE).collect::<Vec<_>>()));
    let pages = json!([{ "name": ALL_CASES.0, "path": ALL_CASES.1 }]);
    // Addresses that begin with a slash are below the path prefix.
    let back = json!({ "title": "Dashboard", "path": "/../" });
    let links = if below.is_some() { vec![back] } else { Vec::new() };
    let title = json!({
        "title": "Widgets",
        "description": "Every widget with recorded responses of its services",
        "navLinks": links,
    });
    // Widgets have different heights; this leaves no gaps between them.
    let look = json!({ "layout": "masonry" });
    let root = file(
        plans,
        MAIN,
        json!({ "pageInfo": title, "appConfig": look, "pages": pages }),
        None,
        below,
        &examples.collect::<Vec<_>>(),
    )?;
    let cases: Vec<_> = all.iter().map(|(kind, cases)| (*kind, cases.iter().collect::<Vec<_>>())).collect();
    let info = json!({
        "title": ALL_CASES.0,
        "description": "What widgets show when things go well, and when they do not",
        "navLinks": links,
    });
    let page = file(plans, ALL_CASES.1, json!({ "pageInfo": info }), Some(&root.document), None, &cases)?;
    let page = SubPageFile { file: Some(page), failure: None };
    let pages = BTreeMap::from([(ALL_CASES.1.to_owned(), page)]);
    Ok(Site { revision: 1, root: Some(root), failure: None, pages })
}

/// Brings what [`site`] has written itself into the language in which this thread draws now: headings, links and the names of types.
/// The names of cases are those of their files.
pub(crate) fn translate(dashboard: &mut Dashboard) {
    let headings = [Some(&mut dashboard.title), dashboard.description.as_mut()].into_iter().flatten();
    let links = dashboard.navigation.iter_mut().map(|link| &mut link.title);
    for text in headings.chain(links) {
        *text = t(text).to_owned();
    }
    let translate_name = |name: &mut String| {
        let is_type = ![INDEX, ADD].contains(&name.as_str());
        *name = if is_type { name_of_type(name) } else { t(name) }.to_owned();
    };
    for section in &mut dashboard.sections {
        let is_index = section.name == INDEX;
        translate_name(&mut section.name);
        section.items.iter_mut().for_each(|item| translate_name(&mut item.title));
        if is_index {
            section.items.sort_by_cached_key(|item| fold(&item.title));
        }
    }
}

/// The cases of a type, by name. Cases that press a button have nothing to show and are left out.
fn cases_of(kind: Kind) -> Result<Vec<DemoCase>, DemoError> {
    let mut shown = Vec::new();
    for (path, range) in FILES {
        let Some(name) = path.strip_prefix(kind.name()).and_then(|rest| rest.strip_prefix('/')) else { continue };
        let Some(name) = name.strip_suffix(".yml") else { continue };
        let case: Case = serde_yaml::from_slice(content(range)).map_err(|error| broken(path, &error))?;
        if case.action.is_none() {
            shown.push(DemoCase { kind, name, case });
        }
    }
    Ok(shown)
}

/// The case that shows the purpose of a type; `None` if it is broken.
pub(crate) fn example(kind: Kind) -> Option<Case> {
    serde_yaml::from_slice(find(&format!("{}/{EXAMPLE}.yml", kind.name()))?).ok()
}

/// The file with this path.
fn find(path: &str) -> Option<&'static [u8]> {
    let (_, range) = FILES.iter().find(|(known, _)| *known == path)?;
    Some(content(range))
}

fn content(range: &Range<usize>) -> &'static [u8] {
    CONTENT.get(range.clone()).unwrap_or_default()
}

/// A file in a case folder.
fn load(folder: &str, name: &str) -> io::Result<Vec<u8>> {
    find(&format!("{folder}/{name}")).map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// A section with a link to each of the others.
fn index(kinds: impl Iterator<Item = Kind>) -> Value {
    let item = |(position, kind): (usize, Kind)| json!({ "title": kind.title(), "url": format!("#s-{}", position + 1), "target": "sametab" });
    json!({
        "name": INDEX,
        "displayData": { "collapsed": true, "cols": 5, "itemSize": "small" },
        "items": kinds.enumerate().map(item).collect::<Vec<_>>(),
    })
}

/// A config file with a section for each type. The root has an index before them.
fn file(
    plans: &PlanCache,
    name: &str,
    mut content: Value,
    root: Option<&Document>,
    below: Option<&str>,
    sections: &[(Kind, Vec<&DemoCase>)],
) -> Result<Arc<ConfigFile>, DemoError> {
    let add = |kind: &Kind, gallery: &str| {
        let url = format!("{gallery}/../?add-widget={}", kind.name());
        json!({ "title": ADD, "url": url, "icon": "mdi-plus", "target": "sametab" })
    };
    let section = |(kind, cases): &(Kind, Vec<&DemoCase>)| {
        let items: Vec<_> = below.iter().map(|gallery| add(kind, gallery)).collect();
        let widgets: Vec<_> = cases.iter().map(|shown| shown.entry()).collect();
        json!({ "name": kind.title(), "displayData": { "itemSize": "small" }, "items": items, "widgets": widgets })
    };
    let index = root.is_none().then(|| index(sections.iter().map(|(kind, _)| *kind)));
    let before = index.iter().count();
    content["sections"] = index.into_iter().chain(sections.iter().map(section)).collect();
    let document = Document::from_json(content);
    let config = match root {
        Some(root) => Config::read_page(root, &document),
        None => Config::read(&document),
    };
    let config = config.map_err(|error| broken(name, &error))?;
    let mut widgets = WidgetPlans::of(&config, &document, &Variables::default());
    for (position, (_, cases)) in sections.iter().enumerate() {
        for (index, shown) in cases.iter().enumerate() {
            let recording = Recording::new(shown.case.clone(), shown.kind.name(), load)
                .map_err(|error| broken(&format!("{}/{}", shown.kind.name(), shown.name), &error))?;
            widgets.replay(before + position, index, recording);
        }
    }
    let bytes = Bytes::from(document.print());
    let file = Arc::new(ConfigFile { name: name.to_owned(), bytes, document, config, host: None, stored: false });
    plans.set(&file, widgets);
    Ok(file)
}

impl DemoCase {
    /// The config entry of this case. Options that are not a mapping stay, because that is what the case shows.
    fn entry(&self) -> Value {
        let mut entry = Map::new();
        entry.insert("type".to_owned(), self.kind.name().into());
        if self.name != EXAMPLE {
            entry.insert("label".to_owned(), title_of(self.name).into());
        }
        entry.extend(self.case.entry.clone());
        entry.insert("options".to_owned(), self.case.options.clone());
        Value::Object(entry)
    }
}

fn broken(case: &str, error: &dyn std::error::Error) -> DemoError {
    DemoError { case: case.to_owned(), reason: error.to_string() }
}
