//! The names of icons in other configs, and ours (docs/icons.md).

use crate::report::{Report, SourceLocation};

/// Pictures that the names of application icons may end with.
const ENDINGS: [&str; 4] = [".png", ".svg", ".webp", ".jpg"];

/// An icon of Homepage: `sonarr.png`, `mdi-flask-#f0d453`, `si-github`, `sh-jellyfin.svg`, a path or an address.
pub fn of_homepage(written: &str, place: &SourceLocation, report: &mut Report) -> Option<String> {
    let written = written.trim();
    if let Some(kept) = as_it_is(written, place, report) {
        return kept;
    }
    let lower = written.to_lowercase();
    if lower.starts_with("mdi-") || lower.starts_with("si-") {
        let color = written.find("-#").or_else(|| written.find("-$"));
        if let Some(start) = color {
            report.lost(place, format!("the color `{}` of the icon", &written[start + 1..]));
            return Some(lower[..start].to_owned());
        }
        return Some(lower);
    }
    let name = without_ending(&lower);
    Some(if name.starts_with("sh-") { name.to_owned() } else { format!("hl-{name}") })
}

/// An icon of Glance: `si:github`, `di:jellyfin`, `mdi:server`, `sh:immich`, a path or an address, with `auto-invert`
/// to match the theme.
pub fn of_glance(written: &str, place: &SourceLocation, report: &mut Report) -> Option<String> {
    let written = written.trim();
    let written = match written.strip_prefix("auto-invert ") {
        Some(rest) => {
            report.lost(place, "`auto-invert`: pictures keep their colors");
            rest.trim()
        }
        None => written,
    };
    if let Some(kept) = as_it_is(written, place, report) {
        return kept;
    }
    let (set, name) = written.split_once(':').unwrap_or(("", written));
    let name = name.trim().to_lowercase();
    Some(match set {
        "si" => format!("si-{name}"),
        "mdi" => format!("mdi-{name}"),
        "sh" => format!("sh-{}", without_ending(&name)),
        "di" => format!("hl-{}", without_ending(&name)),
        _ => {
            report.changed(place, format!("the icon `{written}` may be unknown here"));
            written.to_owned()
        }
    })
}

/// A picture of Homer: a path below its folder, or an address.
pub fn of_homer(written: &str, place: &SourceLocation, report: &mut Report) -> Option<String> {
    let written = written.trim();
    if let Some(kept) = as_it_is(written, place, report) {
        return kept;
    }
    local_path(written.trim_start_matches("./"), place, report)
}

/// Addresses, `data:` pictures, paths from the root, and emojis mean the same everywhere.
fn as_it_is(written: &str, place: &SourceLocation, report: &mut Report) -> Option<Option<String>> {
    if written.is_empty() {
        return Some(None);
    }
    if written.contains("://") || written.starts_with("data:") {
        return Some(Some(written.to_owned()));
    }
    if let Some(path) = written.strip_prefix('/') {
        return Some(local_path(path, place, report));
    }
    (!written.is_ascii()).then(|| Some(written.to_owned()))
}

/// A file of the other dashboard, which the user has to copy.
pub fn local_path(path: &str, place: &SourceLocation, report: &mut Report) -> Option<String> {
    let file = SourceLocation { file: place.file.clone(), path: Vec::new() };
    let what = match path.split_once('/') {
        Some((folder, _)) => format!("folder `{folder}` with its pictures"),
        None => format!("picture `{path}`"),
    };
    report.changed(&file, format!("copy the {what} into the user-data folder, beside `conf.yml`"));
    Some(format!("/{path}"))
}

fn without_ending(name: &str) -> &str {
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    type Reader = fn(&str, &SourceLocation, &mut Report) -> Option<String>;

    #[test]
    fn icons_get_our_names() {
        let (homepage, glance, homer): (Reader, Reader, Reader) = (of_homepage, of_glance, of_homer);
        for (reader, written, expected, notes) in [
            (homepage, "sonarr.png", "hl-sonarr", 0),
            (homepage, "Home-Assistant", "hl-home-assistant", 0),
            (homepage, "mdi-flask-outline-#f0d453", "mdi-flask-outline", 1),
            (homepage, "si-github-$theme", "si-github", 1),
            (homepage, "sh-immich.svg", "sh-immich", 0),
            (homepage, "https://a.example/i.png", "https://a.example/i.png", 0),
            (homepage, "/icons/own.png", "/icons/own.png", 1),
            (glance, "si:jellyfin", "si-jellyfin", 0),
            (glance, "auto-invert di:plex.svg", "hl-plex", 1),
            (glance, "sh:immich.svg", "sh-immich", 0),
            (glance, "mdi:server", "mdi-server", 0),
            (homer, "assets/tools/a.png", "/assets/tools/a.png", 1),
            (homer, "🚀", "🚀", 0),
        ] {
            let mut report = Report::new(Source::Homepage);
            let read = reader(written, &SourceLocation::file("f"), &mut report);
            assert_eq!((read.as_deref(), report.notes.len()), (Some(expected), notes), "{written}");
        }
    }
}
