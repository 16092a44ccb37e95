//! The first day of the week.

use jiff::civil::Weekday;

/// The countries where weeks begin on Sunday or Saturday (Unicode CLDR, `weekData`); elsewhere they begin on Monday.
const SUNDAY: &str = "AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI \
                      NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW";
const SATURDAY: &str = "AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";
/// The default countries of languages given without one, where weeks do not begin on Monday.
const COUNTRIES: [(&str, &str); 14] = [
    ("am", "ET"),
    ("ar", "EG"),
    ("bn", "BD"),
    ("en", "US"),
    ("fa", "IR"),
    ("he", "IL"),
    ("hi", "IN"),
    ("id", "ID"),
    ("ja", "JP"),
    ("km", "KH"),
    ("ko", "KR"),
    ("ne", "NP"),
    ("pt", "BR"),
    ("th", "TH"),
];

/// The first day of the week for a locale. `locale` is a BCP 47 tag, such as `de-AT`.
pub(crate) fn first_weekday(locale: Option<&str>) -> Weekday {
    let mut subtags = locale.unwrap_or_default().split(['-', '_']);
    let language = subtags.next().unwrap_or_default().to_ascii_lowercase();
    let is_country = |tag: &&str| tag.len() == 2 && tag.bytes().all(|byte| byte.is_ascii_alphabetic());
    let written = subtags.find(is_country).map(str::to_ascii_uppercase);
    let usual = || COUNTRIES.iter().find(|(known, _)| *known == language).map(|(_, country)| (*country).to_owned());
    let Some(country) = written.or_else(usual) else { return Weekday::Monday };
    let is_in = |list: &str| list.split_whitespace().any(|known| known == country);
    match country.as_str() {
        "MV" => Weekday::Friday,
        _ if is_in(SUNDAY) => Weekday::Sunday,
        _ if is_in(SATURDAY) => Weekday::Saturday,
        _ => Weekday::Monday,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_as_people_are_used_to() {
        for (locale, expected) in [
            (Some("en-GB"), Weekday::Monday),
            (Some("en-US"), Weekday::Sunday),
            (Some("en"), Weekday::Sunday),
            (Some("de-AT"), Weekday::Monday),
            (Some("pt-PT"), Weekday::Sunday),
            (Some("ar"), Weekday::Saturday),
            (Some("zh-Hant-TW"), Weekday::Sunday),
            (Some("dv-MV"), Weekday::Friday),
            (None, Weekday::Monday),
        ] {
            assert_eq!(first_weekday(locale), expected, "{locale:?}");
        }
    }
}
