//! The plural rules of Unicode's CLDR for whole numbers. The languages here need ten of them, so a table is smaller than a crate
//! with all; browsers have `Intl.PluralRules`.

use serde::{Deserialize, Serialize};

/// A plural category of the CLDR. What it means depends on the language: Polish says `few` for 2 to 4, 22 to 24 and so on.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are those of the CLDR")]
pub enum PluralCategory {
    Zero,
    One,
    Two,
    Few,
    Many,
    Other,
}

use PluralCategory::{Few, Many, One, Other, Two, Zero};

/// The categories that whole numbers up to a thousand have in the language with this code, in the order of the CLDR. A text with a
/// number needs a form for each.
pub(super) fn categories(code: &str) -> &'static [PluralCategory] {
    match code {
        "ja" | "ko" | "zh-CN" | "zh-TW" => &[Other],
        "cs" | "sk" | "ro" => &[One, Few, Other],
        "pl" | "ru" | "uk" => &[One, Few, Many],
        "sl" => &[One, Two, Few, Other],
        "ar" => &[Zero, One, Two, Few, Many, Other],
        _ => &[One, Other],
    }
}

/// The category of a whole number in the language with this code.
pub(super) fn category(code: &str, count: u64) -> PluralCategory {
    let (tens, hundreds) = (count % 10, count % 100);
    match code {
        "ja" | "ko" | "zh-CN" | "zh-TW" => Other,
        "es" | "fr" | "it" | "pt" if count > 0 && count.is_multiple_of(1_000_000) => Many,
        "bn" | "fr" | "hi" | "pt" if count <= 1 => One,
        "cs" | "sk" => match count {
            1 => One,
            2..=4 => Few,
            _ => Other,
        },
        "pl" | "ru" | "uk" => match tens {
            // Polish has this form for 1 only, and the others for 21 too.
            1 if count == 1 || (code != "pl" && hundreds != 11) => One,
            2..=4 if !(12..=14).contains(&hundreds) => Few,
            _ => Many,
        },
        "ro" => match (count, hundreds) {
            (1, _) => One,
            (0, _) | (_, 1..=19) => Few,
            _ => Other,
        },
        "sl" => match hundreds {
            1 => One,
            2 => Two,
            3 | 4 => Few,
            _ => Other,
        },
        "ar" => match (count, hundreds) {
            (0, _) => Zero,
            (1, _) => One,
            (2, _) => Two,
            (_, 3..=10) => Few,
            (_, 11..) => Many,
            _ => Other,
        },
        _ if count == 1 => One,
        _ => Other,
    }
}

#[cfg(test)]
mod tests {
    use super::{Few, Many, One, Other, Two, Zero, categories, category};
    use crate::Language;

    /// What `Intl.PluralRules` of Node 20 says for 0 to 25, 100 to 113, and a million: `z`ero, `o`ne, `t`wo, `f`ew, `m`any, and a
    /// dot for the others.
    const EXPECTED: &[(&str, &str)] = &[
        ("en en-GB az bg da de el gl hu ky nb nl sv tr", ".o......................................."),
        ("ar", "zotffffffffmmmmmmmmmmmmmmm...ffffffffmmm."),
        ("bn hi", "oo......................................."),
        ("cs sk", ".offf...................................."),
        ("es it", ".o......................................m"),
        ("fr pt", "oo......................................m"),
        ("ja ko zh-CN zh-TW", "........................................."),
        ("pl", "mofffmmmmmmmmmmmmmmmmmfffmmmfffmmmmmmmmmm"),
        ("ro", "foffffffffffffffffff.......fffffffffffff."),
        ("ru uk", "mofffmmmmmmmmmmmmmmmmofffmmofffmmmmmmmmmm"),
        ("sl", ".otff......................otff.........."),
    ];

    #[test]
    fn whole_numbers_have_the_categories_of_the_cldr() {
        for (codes, expected) in EXPECTED {
            for code in codes.split(' ') {
                let numbers = (0..=25).chain(100..=113).chain([1_000_000]);
                let found: String = numbers
                    .map(|count| match category(code, count) {
                        Zero => 'z',
                        One => 'o',
                        Two => 't',
                        Few => 'f',
                        Many => 'm',
                        Other => '.',
                    })
                    .collect();
                assert_eq!(found, *expected, "{code}");
            }
        }
        let tested = EXPECTED.iter().flat_map(|(codes, _)| codes.split(' ')).count();
        // All but that of pirates.
        assert_eq!(tested + 1, Language::all().count());
    }

    #[test]
    fn the_listed_categories_are_those_of_small_numbers() {
        for language in Language::all() {
            let code = language.code();
            let mut found: Vec<_> = (0..=1000).map(|count| category(code, count)).collect();
            found.sort();
            found.dedup();
            assert_eq!(found, categories(code), "{code}");
        }
    }
}
