//! Addresses of the well-known icon collections' CDNs. Users copy them into their configs. We have the icons that they
//! name, so no request to a CDN is needed.

use config::icon::{FontAwesomeStyle, Icon};
use url::Url;

use super::collection::clean_name;
use super::pack::Pack;
use super::sets;

/// Repositories of Dashboard Icons: today's, and the one that it grew out of.
const HOMELAB: [[&str; 2]; 2] = [["homarr-labs", "dashboard-icons"], ["walkxcode", "dashboard-icons"]];
const SELFHST: [&str; 2] = ["selfhst", "icons"];
const FORMATS: [&str; 3] = ["svg", "png", "webp"];

/// The icon that an address of a CDN names, if we have it: application icons always, since those that are not bundled
/// are looked up; glyphs if the pack has them.
pub fn icon(pack: &Pack, address: &str) -> Option<Icon> {
    let url = Url::parse(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let path: Vec<&str> = url.path_segments()?.collect();
    let icon = match url.host_str()? {
        "cdn.jsdelivr.net" | "fastly.jsdelivr.net" | "gcore.jsdelivr.net" => match &*path {
            ["gh", owner, repository, rest @ ..] => application(owner, repository, rest),
            ["npm", package @ ..] => package_icon(package),
            _ => None,
        },
        "unpkg.com" => package_icon(&path),
        "raw.githubusercontent.com" => match &*path {
            [owner, repository, "refs", "heads", _, rest @ ..] | [owner, repository, _, rest @ ..] => {
                application(owner, repository, rest)
            }
            _ => None,
        },
        // With its own color it is another picture.
        "cdn.simpleicons.org" => match &*path {
            [name] => clean_name(name).map(Icon::SimpleIcons),
            _ => None,
        },
        _ => None,
    }?;
    let is_here = match &icon {
        Icon::SimpleIcons(name) => sets::simple_icons(pack, name).is_some(),
        Icon::MaterialDesign(name) => sets::material_design(pack, name).is_some(),
        Icon::FontAwesome { style, name } => sets::font_awesome(pack, *style, name).is_some(),
        _ => true,
    };
    is_here.then_some(icon)
}

/// `svg/plex.svg` of one of the collections of applications.
fn application(owner: &str, repository: &str, rest: &[&str]) -> Option<Icon> {
    let [folder, file] = rest else { return None };
    let name = file.strip_suffix(folder)?.strip_suffix('.').filter(|_| FORMATS.contains(folder))?;
    // A version follows the repository's name.
    let repository = [owner, repository.split('@').next().unwrap_or_default()];
    let name = clean_name(name)?;
    if HOMELAB.contains(&repository) {
        Some(Icon::Homelab(name))
    } else {
        (repository == SELFHST).then_some(Icon::Selfhst(name))
    }
}

/// A file of a package, whose version follows its name.
fn package_icon(path: &[&str]) -> Option<Icon> {
    let (package, rest) = match path {
        [scope, package, rest @ ..] if scope.starts_with('@') => (format!("{scope}/{package}"), rest),
        [package, rest @ ..] => ((*package).to_owned(), rest),
        [] => return None,
    };
    let package = match package.rfind('@') {
        Some(at) if at > 0 => &package[..at],
        _ => &package,
    };
    let (folders, file) = rest.split_last().map(|(file, folders)| (folders, *file))?;
    let name = clean_name(file.strip_suffix(".svg")?)?;
    match (package, folders) {
        ("simple-icons", ["icons"]) => Some(Icon::SimpleIcons(name)),
        ("@mdi/svg", ["svg"]) => Some(Icon::MaterialDesign(name)),
        ("@fortawesome/fontawesome-free", ["svgs", style]) => {
            let style = match *style {
                "solid" => FontAwesomeStyle::Solid,
                "regular" => FontAwesomeStyle::Regular,
                "brands" => FontAwesomeStyle::Brands,
                _ => return None,
            };
            Some(Icon::FontAwesome { style, name })
        }
        _ => None,
    }
}
