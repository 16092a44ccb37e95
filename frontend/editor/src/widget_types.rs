//! The search for types of widgets.

/// What is known about a type, in the language of the page.
pub struct TypeWords<'a> {
    /// Its name in the config.
    pub name: &'a str,
    /// Its name for people.
    pub title: &'a str,
    /// The services and other words by which people know it.
    pub words: &'a str,
    /// What it shows.
    pub about: &'a str,
    /// Its category.
    pub category: &'a str,
}

/// How well a type matches a text; lower is better, and `None` if it does not. Its name comes before the services and other
/// words by which people know it, and those before its description.
#[must_use]
pub fn rank(kind: &TypeWords<'_>, text: &str) -> Option<u8> {
    let text = text.to_lowercase();
    let wanted: Vec<&str> = text.split_whitespace().collect();
    let (name, title) = (kind.name.to_lowercase(), kind.title.to_lowercase());
    let names = [&*title, &name].join(" ");
    let known = [&*names, &kind.words.to_lowercase()].join(" ");
    let all = [&*known, &kind.about.to_lowercase(), &kind.category.to_lowercase()].join(" ");
    let contains = |text: &str| wanted.iter().all(|word| text.contains(word));
    let begins = |text: &str| {
        let mut pieces = wanted.iter().map(|word| {
            text.split(|letter: char| letter.is_whitespace() || letter == '-').any(|piece| piece.starts_with(word))
        });
        pieces.all(|found| found)
    };
    if !contains(&all) {
        return None;
    }
    let whole = wanted.join(" ");
    Some(if name == whole || title == whole {
        0
    } else if title.starts_with(&whole) || name.starts_with(&whole) {
        1
    } else if begins(&names) {
        2
    } else if begins(&known) {
        3
    } else if contains(&known) {
        4
    } else {
        5
    })
}

/// The first sentence of a text.
#[must_use]
pub fn first_sentence(text: &str) -> &str {
    let end = text.char_indices().find_map(|(at, letter)| {
        let after = &text[at + letter.len_utf8()..];
        let is_end = match letter {
            '.' => after.is_empty() || after.starts_with(char::is_whitespace),
            '。' | '।' => true,
            _ => false,
        };
        is_end.then(|| text.len() - after.len())
    });
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: [[&str; 4]; 5] = [
        ["calendar", "Calendar", "ical Google Calendar", ""],
        ["public-holidays", "Public holidays", "Enrico vacation", ""],
        ["weather", "Weather", "Open-Meteo temperature", ""],
        ["weather-forecast", "Weather forecast", "Open-Meteo week", ""],
        ["dns-filter-stats", "DNS filter stats", "AdGuard Home", "What a filter for ads has blocked."],
    ];

    fn found(text: &str) -> Vec<&'static str> {
        let ranked = TYPES.iter().filter_map(|[name, title, words, about]| {
            Some((rank(&TypeWords { name, title, words, about, category: "Time and weather" }, text)?, *name))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn names_come_before_services_and_services_before_descriptions_and_categories() {
        assert_eq!(found("weather")[..2], ["weather", "weather-forecast"]);
        assert_eq!(found("weather").len(), 5);
        assert_eq!(found("public holidays"), ["public-holidays"]);
        assert_eq!(found("holi"), ["public-holidays"]);
        assert_eq!(found("adguard"), ["dns-filter-stats"]);
        assert_eq!(found("week"), ["weather-forecast"]);
        assert_eq!(found("ads"), ["dns-filter-stats"]);
        assert!(found("zzz").is_empty());
    }

    #[test]
    fn a_sentence_ends_at_a_point_before_a_blank() {
        assert_eq!(first_sentence("Shows 1.5 days. And more."), "Shows 1.5 days.");
        assert_eq!(first_sentence("天気。雨。"), "天気。");
        assert_eq!(first_sentence("No end"), "No end");
    }
}
