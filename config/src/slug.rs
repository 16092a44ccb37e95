//! Names in addresses, ids and CSS classes (docs/spec/config.md 12).

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Slug of a name that has no letter or digit.
pub const UNNAMED: &str = "unnamed-page";

/// Name of the root config in addresses; no page may have it.
pub const ROOT_PAGE: &str = "main";

/// The slug of a page's or section's name. Applying it twice changes nothing.
pub fn page_slug(name: &str) -> String {
    let mut slug = name.nfc().collect::<String>().to_lowercase();
    // Removing something can produce something else to remove (`a.yml.yml`, `a.y!ml`, letters that compose), so repeat
    // until nothing changes. Every round but the last makes the text shorter or composes it.
    loop {
        let next = reduced(&slug);
        if next == slug {
            break;
        }
        slug = next;
    }
    match slug.as_str() {
        "" => UNNAMED.to_owned(),
        ROOT_PAGE => "main-page".to_owned(),
        _ => slug,
    }
}

/// Whether the name of a page in an address means the root config, whatever pages exist.
pub fn is_root_page(name: &str) -> bool {
    name.eq_ignore_ascii_case(ROOT_PAGE)
}

fn reduced(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_suffix(".yml").unwrap_or(text);
    let mut slug = String::with_capacity(text.len());
    let mut after_space = false;
    for character in text.chars() {
        if character.is_whitespace() {
            if !after_space {
                slug.push('-');
            }
            after_space = true;
        } else {
            after_space = false;
            if is_kept(character) {
                slug.push(character);
            }
        }
    }
    slug.trim_matches('-').nfc().collect::<String>().to_lowercase()
}

/// Keeps letters, digits and marks of all scripts, except variation selectors, and `_` and `-`.
fn is_kept(character: char) -> bool {
    if matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180f}') {
        return false;
    }
    matches!(character, '_' | '-')
        || matches!(
            character.general_category_group(),
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number | GeneralCategoryGroup::Mark
        )
}

/// The id under which the browser counts openings of an item. The formula matches what existing browsers have stored.
pub fn item_id(index: usize, section: &str, title: &str) -> String {
    let sum: u64 = section.encode_utf16().map(u64::from).sum();
    let letters: String =
        title.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase()).collect();
    format!("{index}_{sum}_{letters}")
}

/// The key for a section's collapse state in the browser; `page` is the slug, or `home` for the root config.
pub fn section_key(page: &str, name: &str) -> String {
    let name: String = name
        .to_lowercase()
        .chars()
        .map(|character| if character.is_alphanumeric() { character } else { '-' })
        .collect();
    format!("{page}-{name}")
}

/// Makes the names of a list unique: the first of equal names stays as it is, and the others get `-2`, `-3` and so on,
/// but never what another name in the list is.
pub fn distinct(names: &[String]) -> Vec<String> {
    let taken: HashSet<&str> = names.iter().map(String::as_str).collect();
    let mut counts = HashMap::<&str, usize>::new();
    let mut given = HashSet::new();
    let mut unique = |name: &str, count: &mut usize| loop {
        *count += 1;
        let candidate = if *count == 1 { name.to_owned() } else { format!("{name}-{count}") };
        let is_free = *count == 1 || !taken.contains(candidate.as_str());
        if is_free && given.insert(candidate.clone()) {
            return candidate;
        }
    };
    names.iter().map(|name| unique(name, counts.entry(name).or_default())).collect()
}

/// The class by which custom styles address a section.
pub fn section_class(name: &str) -> String {
    let name: String =
        name.to_lowercase().chars().map(|character| if character.is_whitespace() { '-' } else { character }).collect();
    if name.is_empty() { "unnamed-section".to_owned() } else { format!("section_{name}") }
}
