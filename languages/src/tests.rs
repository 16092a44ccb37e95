//! The files of all languages, and which of them a reader gets.

use std::{
    collections::BTreeSet,
    fs,
    future::poll_fn,
    path::Path,
    pin::pin,
    task::{Context, Poll, Waker},
};

use super::{
    Language, Locale, catalogue::keys, current_locale, fill, in_panel, split_at_placeholder, t, with_locale,
    with_locale_async,
};

/// The codes of docs/spec/behavior.md 18.
const CODES: &str = "en en-GB ar az bg bn cs da de el es fr gl hi hu it ja ko ky nb nl pl pt ro ru sk sl sv tr uk zh-CN zh-TW zz-pirate";

fn all_keys() -> Vec<String> {
    let keys = keys();
    [keys.page, keys.scripts, keys.dialogs].concat()
}

/// The names in braces, sorted.
fn placeholders(text: &str) -> Vec<&str> {
    let mut names: Vec<_> = text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_code_of_the_specification_has_a_language() {
    let codes: Vec<_> = Language::all().map(Language::code).collect();
    assert_eq!(codes.join(" "), CODES);
}

#[test]
fn every_key_is_listed_once() {
    for keys in [all_keys(), keys().panels] {
        let distinct: BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }
}

#[test]
fn every_translation_has_a_key_and_its_placeholders() {
    let (keys, panels) = (all_keys(), keys().panels);
    for language in Language::all() {
        let words = language.words();
        let all = words.page.iter().map(|word| (&keys, word)).chain(words.panels.iter().map(|word| (&panels, word)));
        for (known, (key, text)) in all {
            let code = language.code();
            assert!(known.contains(key), "{code}: `{key}` is in no list of texts/en.toml");
            assert_eq!(placeholders(text), placeholders(key), "{code}: {text}");
            assert_eq!(text.trim(), text, "{code}: `{text}` begins or ends with a space");
            // So that a text may stand in markup, in an attribute, in JSON and in a style sheet.
            assert!(!text.contains(['<', '>', '&', '"', '\\']) && !text.is_empty(), "{code}: {text}");
        }
    }
}

#[test]
fn every_language_has_every_text() {
    let (keys, panels) = (all_keys(), keys().panels);
    for language in Language::all().filter(|language| !matches!(language.code(), "en" | "en-GB")) {
        let missing = keys.iter().filter(|key| language.text(key).is_none());
        let missing: Vec<_> = missing.chain(panels.iter().filter(|key| language.panel_text(key).is_none())).collect();
        assert!(
            missing.is_empty(),
            "{} lacks {} of {} texts: {missing:#?}",
            language.code(),
            missing.len(),
            keys.len() + panels.len()
        );
    }
}

/// The files whose scripts look texts up, and the folders of Rust.
const SOURCES: &[&str] = &["app/src", "server/src", "frontend"];

fn read_all(folder: &Path, code: &mut String) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            // The editor speaks English, but for the badge of a local config.
            if !path.ends_with("frontend/editor") && !path.ends_with("frontend/edit") {
                read_all(&path, code);
            }
        } else if [".rs", ".js"].iter().any(|ending| name.ends_with(ending)) && !name.ends_with(".min.js") {
            code.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

/// The literals that are looked up in code.
fn looked_up(code: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for call in ["t(", "t_for_script(", "time_text(", "t_for_script_with(", "fill(", "split_at_placeholder("] {
        for (at, _) in code.match_indices(call) {
            let is_whole = !code[..at].ends_with(|before: char| before.is_alphanumeric() || "_.!".contains(before));
            let rest = code[at + call.len()..].trim_start();
            let Some(quote) = rest.chars().next().filter(|first| is_whole && "'\"".contains(*first)) else { continue };
            if let Some((text, _)) = rest[1..].split_once(quote) {
                found.insert(text);
            }
        }
    }
    found
}

#[test]
fn every_text_that_is_looked_up_is_listed_and_the_other_way_round() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut code = String::new();
    for folder in SOURCES {
        read_all(&root.join(folder), &mut code);
    }
    code.push_str(&fs::read_to_string(root.join("frontend/edit/local.js")).unwrap());
    let keys = all_keys();
    let found = looked_up(&code);
    let unknown: Vec<_> = found.iter().filter(|text| !keys.iter().any(|key| key == *text)).collect();
    assert!(unknown.is_empty(), "add these to texts/en.toml: {unknown:#?}");
    assert!(found.len() > 150, "{} texts are looked up", found.len());
    let unused: Vec<_> = keys.iter().filter(|key| !code.contains(key.as_str())).collect();
    assert!(unused.is_empty(), "no code looks these up: {unused:#?}");
}

#[test]
fn the_words_of_panels_are_listed_and_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut parts, mut others) = (String::new(), String::new());
    read_all(&root.join("app/src/parts"), &mut parts);
    read_all(&root.join("widgets/src"), &mut others);
    read_all(&root.join("server/src/panels"), &mut others);
    let keys = keys().panels;
    // What every widget shares has a translation, and so have the sentences of errors.
    let said = ["ours(\"", "ours_with(\"", "Empty sentence=\""].iter().flat_map(|call| parts.split(call).skip(1));
    let sentences = fs::read_to_string(root.join("widgets/src/context/fetch_error.rs")).unwrap();
    let errors = sentences.split('"').filter(|text| text.starts_with("{host} ") && text.ends_with('.'));
    for text in said.filter_map(|rest| rest.split('"').next()).chain(errors) {
        assert!(keys.iter().any(|key| key == text), "add `{text}` to the panels of texts/en.toml");
    }
    let code = parts + &others;
    let unused: Vec<_> = keys.iter().filter(|key| !code.contains(&format!("\"{key}\""))).collect();
    assert!(unused.is_empty(), "nothing says these: {unused:#?}");
}

#[test]
fn the_first_language_that_is_known_is_chosen() {
    let tag = |chosen, configured, accepted| Locale::choose(chosen, configured, accepted).tag.to_string();
    for (chosen, configured, accepted, expected) in [
        (None, None, None, "en"),
        (Some("de"), Some("fr"), Some("it"), "de"),
        (Some("DE"), Some("fr"), Some("it"), "fr"),
        (Some("<script>"), None, Some("it"), "it"),
        (None, Some("fr"), Some("it"), "fr"),
        (None, Some("fr-CA"), Some("it"), "fr-CA"),
        (None, Some("pt-br"), None, "pt-br"),
        (None, Some("xx"), Some("it"), "it"),
        (None, None, Some("it-CH,it;q=0.9,en;q=0.8"), "it"),
        (None, None, Some("xx,yy;q=0.9, da ;q=0.1"), "da"),
        (None, None, Some("en;q=0.5, sv;q=0.7"), "sv"),
        (None, None, Some("sv;q=0, nb;q=0.1"), "nb"),
        (None, None, Some("en-GB,en;q=0.9"), "en-GB"),
        (None, None, Some("en-AU,en-GB;q=0.9"), "en"),
        (None, None, Some("zh-HK"), "zh-TW"),
        (None, None, Some("zh-Hant"), "zh-TW"),
        (None, None, Some("zh"), "zh-CN"),
        (None, None, Some("no"), "nb"),
        (None, None, Some("*"), "en"),
        (None, None, Some(";q=,,;;"), "en"),
    ] {
        assert_eq!(tag(chosen, configured, accepted), expected, "{chosen:?}, {configured:?}, {accepted:?}");
    }
    // However long the list of a browser is, not all of it is read.
    assert_eq!(tag(None, None, Some(&format!("{}de", "xx,".repeat(100)))), "en");
}

#[test]
fn formats_follow_the_browser_where_it_has_a_form_of_the_language() {
    let locale = |code| Locale::from(Language::of_code(code).unwrap());
    assert_eq!(locale("en").format_tag(Some("en-AU")), "en-AU");
    assert_eq!(locale("de").format_tag(Some("en-AU")), "de");
    assert_eq!(locale("zh-CN").format_tag(Some("zh-TW")), "zh-CN");
    assert_eq!(locale("de").format_tag(None), "de");
}

#[test]
fn a_text_that_is_missing_stays_english() {
    let german = Language::of_code("de").unwrap().into();
    let (search, unknown) = with_locale(&german, || (t("Search").to_owned(), t("A text of nobody").to_owned()));
    assert_eq!((search.as_str(), unknown.as_str()), ("Suchen", "A text of nobody"));
    assert_eq!(t("Search"), "Search");
    assert_eq!(fill("{a} of {b}{c", &[("a", "1"), ("b", "2")]), "1 of 2{c");
    assert_eq!(split_at_placeholder("As {name}."), ("As ", "."));
}

#[test]
fn a_language_ends_with_its_work() {
    let arabic = Locale::from(Language::of_code("ar").unwrap());
    _ = std::panic::catch_unwind(|| with_locale(&arabic, || panic!("on purpose")));
    assert_eq!(current_locale(), Locale::default());
    let inside = with_locale(&arabic, || {
        with_locale(&Locale::default(), current_locale).tag.to_string() + &current_locale().tag
    });
    assert_eq!(inside, "enar");
}

#[test]
fn scripts_get_the_texts_of_a_page_that_is_not_in_english() {
    assert_eq!(Language::ENGLISH.for_scripts(), None);
    let texts = Language::of_code("de").unwrap().for_scripts().unwrap();
    let texts: serde_json::Value = serde_json::from_str(texts).unwrap();
    assert_eq!(texts["Reload"], "Neu laden");
    assert!(texts["Search"].is_null(), "only the server writes it");
    let dialogs: serde_json::Value = serde_json::from_str(Language::of_code("de").unwrap().for_dialogs()).unwrap();
    assert_eq!((&dialogs["Backups"], &dialogs["Reload"]), (&"Backups".into(), &serde_json::Value::Null));
    assert_eq!(Language::ENGLISH.for_dialogs(), "{}");
}

#[test]
fn panels_have_words_of_their_own() {
    let german = Locale::from(Language::of_code("de").unwrap());
    // A key of the keyboard is none of a panel.
    let key = with_locale(&german, || (t("Key").to_owned(), in_panel("Key").to_owned()));
    assert_eq!(key, ("Taste".to_owned(), "Key".to_owned()));
    assert_eq!(with_locale(&german, || in_panel("Memory").to_owned()), "Arbeitsspeicher");
    assert_eq!(in_panel("Memory"), "Memory");
}

#[test]
fn values_in_arabic_keep_their_own_direction() {
    let arabic = Language::of_code("ar").unwrap().words();
    for text in arabic.page.values().chain(arabic.panels.values()) {
        // Isolated, so that a path or a time among Arabic letters is not reordered.
        let isolated = text.matches("\u{2068}{").count();
        assert!(isolated == text.matches('{').count() && isolated == text.matches("}\u{2069}").count(), "{text}");
    }
}

#[test]
fn work_that_waits_stays_in_its_language() {
    let mut waited = false;
    let work = with_locale_async(
        Language::of_code("de").unwrap().into(),
        poll_fn(|_| {
            let word = t("Search").to_owned();
            if std::mem::replace(&mut waited, true) { Poll::Ready(word) } else { Poll::Pending }
        }),
    );
    let (mut work, mut context) = (pin!(work), Context::from_waker(Waker::noop()));
    assert!(work.as_mut().poll(&mut context).is_pending());
    assert_eq!(t("Search"), "Search", "others are not concerned in between");
    assert_eq!(work.as_mut().poll(&mut context), Poll::Ready("Suchen".to_owned()));
}
