//! How a language writes a number of days, hours, minutes and seconds. The forms are those of Unicode's CLDR, which browsers
//! use too, so that a text does not change when the page's scripts format it again.

use super::Language;

impl Language {
    /// A number of a unit (`day`, `hour`, `minute` or `second`); none where it stays English.
    pub fn duration(self, count: u64, unit: &str) -> Option<String> {
        let forms = self.words().durations.get(unit)?;
        let form = forms.get(self.plural_form(count))?;
        Some(super::filled(form, &[("count", &count.to_string())]).replace(' ', "\u{a0}"))
    }

    /// The position of the plural form for a whole number.
    fn plural_form(self, count: u64) -> usize {
        let (tens, hundreds) = (count % 10, count % 100);
        match self.code() {
            "ja" | "ko" | "zh-CN" | "zh-TW" => 0,
            "bn" | "fr" | "hi" | "pt" => usize::from(count > 1),
            "cs" | "sk" => match count {
                1 => 0,
                2..=4 => 1,
                _ => 2,
            },
            "pl" | "ru" | "uk" => match tens {
                // Polish has this form for 1 only, and the others for 21 too.
                1 if count == 1 || (self.code() != "pl" && hundreds != 11) => 0,
                2..=4 if !(12..=14).contains(&hundreds) => 1,
                _ => 2,
            },
            "ro" => match (count, hundreds) {
                (1, _) => 0,
                (0, _) | (_, 1..=19) => 1,
                _ => 2,
            },
            "sl" => match hundreds {
                1 => 0,
                2 => 1,
                3 | 4 => 2,
                _ => 3,
            },
            "ar" => match (count, hundreds) {
                (0..=2, _) => usize::try_from(count).unwrap_or_default(),
                (_, 3..=10) => 3,
                (_, 11..) => 4,
                _ => 5,
            },
            _ => usize::from(count != 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn each_language_has_its_plural_forms() {
        for (code, expected) in [
            ("de", "0 Tage, 1 Tag, 2 Tage, 5 Tage, 11 Tage, 21 Tage, 101 Tage"),
            ("fr", "0 jour, 1 jour, 2 jours, 5 jours, 11 jours, 21 jours, 101 jours"),
            ("cs", "0 dnů, 1 den, 2 dny, 5 dnů, 11 dnů, 21 dnů, 101 dnů"),
            ("pl", "0 dni, 1 dzień, 2 dni, 5 dni, 11 dni, 21 dni, 101 dni"),
            ("ru", "0 дней, 1 день, 2 дня, 5 дней, 11 дней, 21 день, 101 день"),
            ("ro", "0 zile, 1 zi, 2 zile, 5 zile, 11 zile, 21 de zile, 101 zile"),
            ("sl", "0 dni, 1 dan, 2 dneva, 5 dni, 11 dni, 21 dni, 101 dan"),
            ("ja", "0 日, 1 日, 2 日, 5 日, 11 日, 21 日, 101 日"),
        ] {
            let language = Language::of_code(code).unwrap();
            let days = [0, 1, 2, 5, 11, 21, 101].map(|count| language.duration(count, "day").unwrap());
            assert_eq!(days.join(", ").replace('\u{a0}', " "), expected, "{code}");
        }
        let arabic = Language::of_code("ar").unwrap();
        for (count, expected) in [
            (1, "ساعة"),
            (2, "ساعتان"),
            (3, "\u{2068}3\u{2069}\u{a0}ساعات"),
            (11, "\u{2068}11\u{2069}\u{a0}ساعة"),
            (100, "\u{2068}100\u{2069}\u{a0}ساعة"),
        ] {
            assert_eq!(arabic.duration(count, "hour").unwrap(), expected);
        }
    }

    #[test]
    fn every_language_has_a_form_for_every_number() {
        for language in Language::all().filter(|language| !language.code().starts_with("en")) {
            let forms = &language.words().durations;
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
