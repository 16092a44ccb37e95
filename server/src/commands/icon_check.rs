//! What `portico validate` says about icons: the server finds out only when a page is opened.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use config::{
    Config, Problem, ProblemKind, Severity,
    icon::{Icon, IconEntry},
};
use url::Url;

use crate::{
    icons::{Fetch, FetchFuture, FetchProblem, HostTrust, IconSettings, Icons, Pack},
    platform::assets::{Assets, EmbeddedFiles},
    settings::Settings,
};

/// Sends no requests.
struct NoWeb;

impl Fetch for NoWeb {
    fn get<'a>(&'a self, _: &'a Url, _: usize, _: HostTrust) -> FetchFuture<'a> {
        Box::pin(async { Err(FetchProblem::Forbidden) })
    }
}

/// The icons for a config file: those of the program, and the pictures in its folder or in the user-data folder. `None` for a
/// development build without icons.
pub(super) fn icons_for(file: &Path, settings: &Settings, embedded: Option<EmbeddedFiles>) -> Option<Icons> {
    let assets = Assets::load(embedded, "").ok()?;
    let bundled: HashSet<String> = assets.names().map(str::to_owned).collect();
    let file = file.canonicalize().ok()?;
    // The file of a page may be in a folder of its own.
    let beside = file.ancestors().skip(1).take(2).map(Path::to_owned);
    let user_data = [Some(settings.user_data.clone()), settings.old_user_data.clone()].into_iter().flatten();
    let has_pictures = |folder: &PathBuf| folder.join("item-icons").is_dir();
    let icons = Icons::new(
        IconSettings {
            base: String::new(),
            web_roots: user_data.chain(beside.filter(has_pictures)).collect(),
            cache_directory: None,
            offline: true,
            database: None,
            address_secret: None,
            is_bundled_file: Arc::new(move |path| bundled.contains(path)),
        },
        Pack::open(assets.icon_pack()).ok()?,
        Arc::new(NoWeb),
    );
    icons.rescan();
    Some(icons)
}

/// A warning for each icon that is certainly not shown.
pub(super) fn problems(config: &Config, icons: &Icons) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut check = |path: String, icon: Option<&Icon>, url: Option<&str>| {
        let Some(icon) = icon else { return };
        if let Some(message) = icons.missing(icon, &IconEntry { url, ..IconEntry::default() }) {
            let (kind, severity) = (ProblemKind::Malformed, Severity::Warning);
            found.push(Problem { path, kind, message, effect: None, severity });
        }
    };
    check("/appConfig/defaultIcon".to_owned(), config.app.default_icon.as_ref().filter(|icon| is_fixed(icon)), None);
    for section in &config.sections {
        let path = format!("/sections/{}", section.index);
        check(format!("{path}/icon"), section.icon.as_ref().filter(|icon| is_fixed(icon)), None);
        for item in &section.items {
            let path = format!("{path}/items/{}", item.index);
            check(format!("{path}/icon"), item.icon.as_ref(), item.url.as_deref());
            for part in &item.sub_items {
                check(format!("{path}/subItems/{}/icon", part.index), part.icon.as_ref(), part.url.as_deref());
            }
        }
    }
    found
}

/// Whether an icon does not depend on the address of an item.
fn is_fixed(icon: &Icon) -> bool {
    !matches!(icon, Icon::Favicon(_) | Icon::Generative)
}
