//! How a language writes a number of days, hours, minutes and seconds in short. The forms are those of Unicode's CLDR, which
//! browsers use too, so that a text does not change when the page's scripts format it again; `tools/language-formats.mjs`
//! writes them into the files of the languages.

use super::Language;

impl Language {
    /// A number of a unit (`day`, `hour`, `minute` or `second`); none where it stays English.
    pub fn duration(self, count: u64, unit: &str) -> Option<String> {
        let formats = self.formats();
        let form = formats.durations.get(unit)?.get(self.plural_form(count))?;
        let number = formats.dates.in_digits(count.to_string());
        Some(super::filled(form, &[("count", &number)]).replace(' ', "\u{a0}"))
    }

    /// The position of the plural form for a whole number. No unit of time comes in millions.
    fn plural_form(self, count: u64) -> usize {
        let category = self.plural_category(count);
        self.plural_categories().iter().position(|known| *known == category).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn each_language_has_its_plural_forms() {
        for (code, expected) in [
            ("de", "0 Tg., 1 Tg., 2 Tg., 5 Tg., 11 Tg., 21 Tg., 101 Tg."),
            ("fr", "0\u{202f}j, 1\u{202f}j, 2\u{202f}j, 5\u{202f}j, 11\u{202f}j, 21\u{202f}j, 101\u{202f}j"),
            ("cs", "0 dnů, 1 den, 2 dny, 5 dnů, 11 dnů, 21 dnů, 101 dnů"),
            ("pl", "0 dni, 1 dzień, 2 dni, 5 dni, 11 dni, 21 dni, 101 dni"),
            ("ro", "0 zile, 1 zi, 2 zile, 5 zile, 11 zile, 21 zile, 101 zile"),
            ("it", "0 giorni, 1 giorno, 2 giorni, 5 giorni, 11 giorni, 21 giorni, 101 giorni"),
            ("ja", "0 日, 1 日, 2 日, 5 日, 11 日, 21 日, 101 日"),
            ("bn", "০ দিন, ১ দিন, ২ দিন, ৫ দিন, ১১ দিন, ২১ দিন, ১০১ দিন"),
            ("az", "0 gün, 1 gün, 2 gün, 5 gün, 11 gün, 21 gün, 101 gün"),
            ("ar", "0 يوم, يوم, يومان, 5 أيام, 11 يومًا, 21 يومًا, 101 يوم"),
        ] {
            let language = Language::of_code(code).unwrap();
            let days = [0, 1, 2, 5, 11, 21, 101].map(|count| language.duration(count, "day").unwrap());
            assert_eq!(days.join(", ").replace('\u{a0}', " "), expected, "{code}");
        }
    }

    #[test]
    fn units_are_short() {
        for (code, expected) in [
            ("de", "20 Std. 4 Min. 32 Sek."),
            ("es", "20 h 4 min 32 s"),
            ("fr", "20\u{202f}h 4 min 32\u{202f}s"),
            ("ru", "20 ч 4 мин 32 с"),
            ("zh-CN", "20小时 4分钟 32秒"),
            ("ar", "20 س 4 د 32 ث"),
        ] {
            let language = Language::of_code(code).unwrap();
            let units =
                [(20, "hour"), (4, "minute"), (32, "second")].map(|(count, unit)| language.duration(count, unit));
            assert_eq!(units.map(Option::unwrap).join(" ").replace('\u{a0}', " "), expected, "{code}");
        }
    }

    #[test]
    fn every_language_has_a_form_for_every_number() {
        for language in Language::all().filter(|language| !language.code().starts_with("en")) {
            let forms = &language.formats().durations;
            // Pirates count in English.
            if language.code() == "zz-pirate" {
                assert!(forms.is_empty());
                continue;
            }
            for unit in ["day", "hour", "minute", "second"] {
                let used = (0..=1000).map(|count| language.plural_form(count)).max().unwrap_or_default();
                assert_eq!(forms[unit].len(), used + 1, "{}: {unit}", language.code());
            }
        }
        assert_eq!(Language::ENGLISH.duration(2, "day"), None);
    }
}
