//! The pseudo-language of development builds ([`Language::PSEUDO`](super::Language::PSEUDO)).

use std::{
    collections::HashMap,
    sync::{Mutex, OnceLock, PoisonError},
};

/// An English text in brackets, with accents, and at least 40 % longer. Placeholders and code stay as they are.
fn disguised(english: &str) -> String {
    let mut text = String::from("⟦");
    let (mut is_placeholder, mut is_code, mut letters) = (false, false, 0);
    for letter in english.chars() {
        match letter {
            '{' => is_placeholder = true,
            '}' => is_placeholder = false,
            '`' => is_code = !is_code,
            _ if !is_placeholder => letters += 1,
            _ => {}
        }
        text.push(if is_placeholder || is_code { letter } else { accented(letter) });
    }
    // Words, so that lines may break.
    for position in 0..(letters * 2_usize).div_ceil(5) {
        text.push(if position % 8 == 0 { ' ' } else { '~' });
    }
    text.push('⟧');
    text
}

fn accented(letter: char) -> char {
    match letter {
        'A' => 'Å',
        'E' => 'É',
        'I' => 'Î',
        'O' => 'Ö',
        'U' => 'Û',
        'a' => 'å',
        'c' => 'ç',
        'e' => 'é',
        'i' => 'î',
        'n' => 'ñ',
        'o' => 'ö',
        's' => 'š',
        'u' => 'û',
        'y' => 'ý',
        other => other,
    }
}

/// The same, made once: there are only as many as texts in the code.
pub(super) fn pseudo(english: &str) -> &'static str {
    static KNOWN: OnceLock<Mutex<HashMap<String, &'static str>>> = OnceLock::new();
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = known.get(english) {
        return text;
    }
    let text: &'static str = disguised(english).leak();
    known.insert(english.to_owned(), text);
    text
}

#[cfg(test)]
mod tests {
    use super::disguised;

    #[test]
    fn a_text_is_longer_and_keeps_its_placeholders_and_code() {
        assert_eq!(disguised("Open {name}"), "⟦Öpéñ {name} ~⟧");
        assert_eq!(disguised("Set `url`."), "⟦Sét `url`. ~~~⟧");
        let long = "The server of this dashboard cannot be reached.";
        assert!(disguised(long).chars().count() * 10 >= long.chars().count() * 14);
    }
}
