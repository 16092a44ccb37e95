//! The files of a static export, taken from the product's own routes: what a guest gets, for a host without this server.
//!
//! Each language has a tree of pages: the first one at the path prefix, the others in folders below it. All other files are shared.
//! The pages of a tree are rendered under its own prefix, and the addresses of shared files in them are changed to the common one.

mod chosen;
mod crawler;
mod found;
mod text;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use config::Viewer;
use languages::{Language, Locale};
use sha2::{Digest as _, Sha256};
use tokio::time::{Instant, sleep};
use url::Url;
use widgets::{Kind, RunSide};

pub use self::found::{Export, ExportError};
use self::{
    chosen::ChosenPages,
    crawler::{Collected, Tree},
};
use super::{
    app_state::AppState,
    offline::{ExportedScripts, KeptFiles},
    pages::{self, PageTarget},
};
use crate::{
    panels::{CachedPanel, PlannedWidget},
    settings::ExportSettings,
};

/// How often it is checked whether all widgets have their data.
const POLL: Duration = Duration::from_millis(200);
/// The maximum length of a file that browsers keep for offline use, and of all together, in bytes.
const MAX_KEPT: usize = 5 * 1024 * 1024;
const MAX_ALL_KEPT: usize = 50 * 1024 * 1024;

/// What to export.
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// The languages, the first one at the prefix; empty for that of the config.
    pub languages: Vec<Language>,
    /// Whether all other languages follow.
    pub all_languages: bool,
    /// Names of the pages; empty for all.
    pub pages: Vec<String>,
    /// Whether browsers keep a copy for offline use.
    pub has_worker: bool,
    /// How long to wait for widgets.
    pub wait: Duration,
}

/// Renders all pages, and collects the files that they need.
///
/// # Errors
///
/// [`ExportError`].
pub async fn export(portico: &Arc<AppState>, options: &ExportOptions) -> Result<Export, ExportError> {
    let mut settings = ExportSettings { base: portico.settings.base.clone(), ..ExportSettings::default() };
    let own = Tree::new(portico, &settings, None);
    match own.first_page().await {
        Some(status) if status.is_success() => {}
        Some(status) if status.is_server_error() => return Err(ExportError::FirstPage(status)),
        _ => return Err(ExportError::NoGuests),
    }
    portico.remote_pages.refresh(&portico.store, &portico.http_client).await;
    let chosen = ChosenPages::of(portico, &options.pages)?;
    chosen.show_only(portico, options.has_worker);
    settings.hides_main = !chosen.has_main;
    settings.languages.clone_from(&options.languages);
    if options.all_languages {
        let all = [own.locale().language].into_iter().chain(Language::all());
        all.for_each(|language| {
            if !settings.languages.contains(&language) {
                settings.languages.push(language)
            }
        });
    }
    let languages: Vec<_> = settings.languages.iter().copied().map(Some).collect();
    let languages = if languages.is_empty() { vec![None] } else { languages };
    let trees: Vec<Tree> = languages.into_iter().map(|language| Tree::new(portico, &settings, language)).collect();
    let mut collected = Collected::default();
    look_up(&trees, options.wait, &mut collected.export).await;
    for tree in &trees {
        tree.crawl(&chosen, &mut collected).await;
    }
    let folders: Vec<&str> = trees[1..].iter().map(|tree| tree.folder.as_str()).collect();
    collected.share(&trees[0], &folders).await;
    collected.finish(&settings.base);
    let Collected { mut export, of_trees, .. } = collected;
    if let Some(page) = chosen.stand_in() {
        for folder in [""].into_iter().chain(folders) {
            let copy = export.files.get(&format!("{folder}{page}")).cloned();
            export.files.extend(copy.map(|copy| (format!("{folder}index.html"), copy)));
        }
    }
    let scripts = ExportedScripts::new(&settings.base);
    if options.has_worker {
        let (shared, trees) = kept_files(&trees[0].portico, &export, &of_trees);
        export.files.extend(scripts.files(&shared, &trees));
    } else {
        export.files.extend([scripts.removal()]);
    }
    Ok(export)
}

/// The lists of files that browsers keep: what all languages share, and the files of each language by its folder.
fn kept_files(
    portico: &AppState,
    export: &Export,
    of_trees: &BTreeMap<String, BTreeSet<String>>,
) -> (KeptFiles, BTreeMap<String, KeptFiles>) {
    let (mut shared, mut trees) = (KeptFiles::new(), BTreeMap::<String, KeptFiles>::new());
    let mut sum = 0;
    for (name, content) in export.files.iter().filter(|(_, content)| content.len() <= MAX_KEPT) {
        let is_immutable = portico.assets.get(name).is_some_and(|asset| asset.immutable);
        let hash = if is_immutable { String::new() } else { hex::encode(&Sha256::digest(content)[..8]) };
        // The page of a folder is at the address of the folder.
        let address = name.strip_suffix("index.html").filter(|folder| folder.is_empty() || folder.ends_with('/'));
        let address = encoded(address.unwrap_or(name));
        if let Some((tree, _)) = of_trees.iter().find(|(_, names)| names.contains(name)) {
            trees.entry(tree.clone()).or_default().insert(address, hash);
        } else if sum + content.len() <= MAX_ALL_KEPT {
            sum += content.len();
            shared.insert(address, hash);
        }
    }
    (shared, trees)
}

/// A path as browsers write it in addresses.
fn encoded(path: &str) -> String {
    let Ok(mut url) = Url::parse("http://localhost/") else { return path.to_owned() };
    url.set_path(&path.replace('%', "%25"));
    url.path().trim_start_matches('/').to_owned()
}

/// A widget of a page in one language.
struct Lookup<'a> {
    tree: &'a Tree,
    locale: Locale,
    planned: Arc<PlannedWidget>,
}

impl Lookup<'_> {
    fn panel(&self) -> Option<CachedPanel> {
        self.tree.portico.panels.cached(&self.planned, Some(self.locale.format_tag(None)), false)
    }

    fn has_data(&self) -> bool {
        self.panel().is_some_and(|panel| panel.whole().html.is_some())
    }
}

/// Looks up the widgets and figures of all pages in all languages; notes those without data, and those that are left out.
async fn look_up(trees: &[Tree], limit: Duration, export: &mut Export) {
    let mut lookups = Vec::new();
    for tree in trees {
        let (portico, locale) = (&tree.portico, tree.locale());
        let site = portico.store.site();
        let pages = site.root.iter().flat_map(|root| &root.config.pages);
        let shown = pages.filter(|page| Viewer::Guest.sees(&page.visibility)).map(|page| Some(page.slug.clone()));
        for target in [None].into_iter().chain(shown).map(PageTarget::whole) {
            let Ok(page) = pages::rendered_page(portico, &site, &Viewer::Guest, &target, &locale).await else {
                continue;
            };
            let lookup =
                |planned: &Arc<PlannedWidget>| Lookup { tree, locale: locale.clone(), planned: Arc::clone(planned) };
            lookups.extend(page.widgets().iter().map(lookup));
        }
    }
    let end = Instant::now() + limit;
    while lookups.iter().any(|lookup| lookup.panel().is_none()) && Instant::now() < end {
        sleep(POLL).await;
    }
    let without_data = lookups.iter().filter(|lookup| !lookup.has_data());
    export.without_data = without_data.map(|lookup| name_of(&lookup.planned)).collect();
    let Some(Tree { portico, .. }) = trees.first() else { return };
    for file in portico.files() {
        let plans = portico.plans.of(&file);
        let shown = file.config.sections.iter().filter(|section| Viewer::Guest.sees(&section.display.visibility));
        let places = shown.flat_map(|section| section.widgets.iter().map(|widget| (section.index, widget.index)));
        let planned = places.filter_map(|(section, widget)| plans.get(section, widget));
        let left_out = planned.filter(|planned| planned.place == RunSide::Browser);
        export.left_out.extend(left_out.map(|planned| name_of(planned)));
    }
}

fn name_of(planned: &PlannedWidget) -> String {
    planned.entry.label.clone().unwrap_or_else(|| planned.kind.map_or("widget", Kind::name).to_owned())
}
