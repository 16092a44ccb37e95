//! Chooses the language for a reader.

use super::{Language, Locale};

/// Maximum number of a browser's languages that are considered.
const MAX_ACCEPTED: usize = 20;

pub(super) fn choose(chosen: Option<&str>, configured: Option<&str>, accepted: Option<&str>) -> Locale {
    if let Some(language) = chosen.and_then(Language::of_code) {
        return language.into();
    }
    if let Some((tag, language)) = configured.and_then(|tag| Some((tag, Language::of_tag(tag)?))) {
        let is_form = tag.len() > language.code().len() && tag.starts_with(language.code());
        return Locale { language, tag: if is_form { tag } else { language.code() }.into() };
    }
    preferred(accepted.unwrap_or_default()).unwrap_or_default().into()
}

/// The browser's preferred language among ours. Each tag of its list is looked up as a whole, and then without its
/// region.
fn preferred(accepted: &str) -> Option<Language> {
    let mut wanted: Vec<(f32, &str)> = accepted
        .split(',')
        .take(MAX_ACCEPTED)
        .map(|entry| {
            let mut pieces = entry.split(';').map(str::trim);
            let tag = pieces.next().unwrap_or_default();
            let weight = pieces.find_map(|piece| piece.strip_prefix("q=")?.parse().ok());
            (weight.unwrap_or(1.0), tag)
        })
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    // Stable: of equal weights the first one counts.
    wanted.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    wanted.into_iter().find_map(|(_, tag)| Language::of_tag(tag))
}
