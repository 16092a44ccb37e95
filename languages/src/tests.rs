//! The files of all languages, and which of them a reader gets.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    future::poll_fn,
    path::{Path, PathBuf},
    pin::pin,
    task::{Context, Poll, Waker},
};

use serde::Deserialize;

use super::{
    Language, LocalTime, Locale, PluralCategory,
    catalogue::{Translation, editor_keys, keys},
    current_locale, fill, in_digits, in_panel, message, split_at_placeholder, t, t_count, with_locale,
    with_locale_async,
};

/// The codes of docs/spec/behavior.md 18.
const CODES: &str = "en en-GB ar az bg bn cs da de el es fr gl hi hu it ja ko ky nb nl pl pt ro ru sk sl sv tr uk zh-CN zh-TW zz-pirate";

/// A file of a language as a translator writes it.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    panels: HashMap<String, Translation>,
    #[serde(default)]
    problems: HashMap<String, Translation>,
    #[serde(default)]
    editor: HashMap<String, Translation>,
    #[serde(default)]
    fields: HashMap<String, Translation>,
    #[serde(default, rename = "durations")]
    _durations: serde::de::IgnoredAny,
    #[serde(default, rename = "dates")]
    _dates: serde::de::IgnoredAny,
    #[serde(default, rename = "browsers")]
    _browsers: serde::de::IgnoredAny,
    #[serde(flatten)]
    page: HashMap<String, Translation>,
}

impl Written {
    fn tables(&self) -> [(&'static str, &HashMap<String, Translation>); 5] {
        [
            ("page", &self.page),
            ("panels", &self.panels),
            ("problems", &self.problems),
            ("editor", &self.editor),
            ("fields", &self.fields),
        ]
    }
}

/// The files of all languages but English. Reading fails on a key that a table has twice.
fn written() -> Vec<(Language, Written)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("texts");
    let read = |language: Language| {
        let code = language.code();
        let text = fs::read_to_string(folder.join(code).with_added_extension("toml")).unwrap();
        (language, toml::from_str(&text).unwrap_or_else(|error| panic!("{code}: {error}")))
    };
    Language::all().filter(|language| *language != Language::ENGLISH).map(read).collect()
}

/// The keys of each table.
fn keys_of(table: &str) -> &'static [String] {
    match table {
        "page" => &keys().page,
        "panels" => &keys().panels,
        "problems" => &keys().problems,
        "editor" => &editor_keys().editor,
        "fields" => &editor_keys().fields,
        _ => panic!("{table}"),
    }
}

/// The forms of a translation, each with its plural category if it has one.
fn forms(text: &Translation) -> Vec<(Option<PluralCategory>, &str)> {
    match text {
        Translation::Text(text) => vec![(None, text.as_str())],
        Translation::Forms(forms) => forms.iter().map(|(category, text)| (Some(*category), text.as_str())).collect(),
    }
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
    for table in ["page", "panels", "problems", "editor", "fields"] {
        let mut known = BTreeSet::new();
        let twice: Vec<_> = keys_of(table).iter().filter(|key| !known.insert(*key)).collect();
        assert!(twice.is_empty(), "{table}: {twice:#?}");
    }
}

#[test]
fn every_translation_has_a_key_and_its_placeholders() {
    for (language, written) in written() {
        let code = language.code();
        for (table, texts) in written.tables() {
            let known: BTreeSet<_> = keys_of(table).iter().collect();
            for (key, translation) in texts {
                assert!(known.contains(key), "{code}: `{key}` is in no list of texts/en.toml for {table}");
                for (category, text) in forms(translation) {
                    let mut expected = placeholders(key);
                    // "One result" needs no number.
                    if category.is_some() && !placeholders(text).contains(&"count") {
                        expected.retain(|name| *name != "count");
                    }
                    assert_eq!(placeholders(text), expected, "{code}: {text}");
                    assert_eq!(text.trim(), text, "{code}: `{text}` begins or ends with a space");
                    assert!(!text.is_empty(), "{code}: {key}");
                    // So that a text may stand in markup, in an attribute, in JSON and in a style sheet.
                    let is_raw = ["page", "panels"].contains(&table);
                    assert!(!is_raw || !text.contains(['<', '>', '&', '"', '\\']), "{code}: {text}");
                }
                if let Translation::Forms(forms) = translation {
                    assert!(key.contains("{count}"), "{code}: `{key}` has no {{count}}, so it needs no forms");
                    let own = language.plural_categories();
                    let missing: Vec<_> = own.iter().filter(|category| !forms.contains_key(category)).collect();
                    assert!(missing.is_empty(), "{code}: `{key}` lacks the forms {missing:?}");
                    let is_of_millions = |category| category == PluralCategory::Many;
                    let unknown: Vec<_> = forms
                        .keys()
                        .filter(|category| !own.contains(category) && **category != PluralCategory::Other)
                        .filter(|category| !is_of_millions(**category))
                        .collect();
                    assert!(unknown.is_empty(), "{code}: no number has the forms {unknown:?} of `{key}`");
                }
            }
        }
    }
}

#[test]
fn every_language_has_every_text() {
    for (language, written) in written() {
        if language.code() == "en-GB" {
            continue;
        }
        let mut missing = BTreeMap::<_, Vec<_>>::new();
        for (table, texts) in written.tables() {
            // Pirates have no config to edit.
            if language.code() == "zz-pirate" && !["page", "panels"].contains(&table) {
                continue;
            }
            // The editor and messages use the words of the page too.
            let is_shared = |key: &String| ["editor", "problems"].contains(&table) && written.page.contains_key(key);
            let lacking = keys_of(table).iter().filter(|key| !texts.contains_key(*key) && !is_shared(key));
            missing.entry(table).or_default().extend(lacking);
        }
        let count: usize = missing.values().map(Vec::len).sum();
        assert!(count == 0, "{} lacks {count} texts: {missing:#?}", language.code());
    }
}

#[test]
fn sentences_end_as_in_the_language() {
    for (language, written) in written() {
        let full_stop = language.full_stop();
        for (key, translation) in written.tables().into_iter().flat_map(|(_, texts)| texts) {
            for (_, text) in forms(translation).into_iter().filter(|_| key.ends_with('.')) {
                assert!(full_stop == "." || !text.ends_with('.'), "{}: {text}", language.code());
            }
        }
    }
}

/// Words as Americans spell them. Code keeps them, and so do the names of options in messages.
const AMERICAN: &[&str] = &[
    "authorized",
    "behavior",
    "canceled",
    "capitalization",
    "center",
    "color",
    "customiz",
    "favorite",
    "gray",
    "license",
    "organiz",
    "recogniz",
    "virtualization",
];

#[test]
fn british_texts_are_spelled_as_the_british_do() {
    let british = written().into_iter().find(|(language, _)| language.code() == "en-GB").unwrap().1;
    let american = |text: &str| {
        let words: Vec<_> = text.split('`').step_by(2).map(str::to_lowercase).collect();
        AMERICAN.iter().any(|word| words.iter().any(|words| words.contains(word)))
    };
    for (table, texts) in british.tables().into_iter().filter(|(table, _)| *table != "problems") {
        let text = |key: &String| match texts.get(key).or_else(|| british.page.get(key)) {
            Some(Translation::Text(text)) => text.clone(),
            _ => key.clone(),
        };
        let wrong: Vec<_> = keys_of(table).iter().map(text).filter(|text| american(text)).collect();
        assert!(wrong.is_empty(), "{table}: {wrong:#?}");
    }
}

/// The folders whose scripts and Rust look texts up.
const SOURCES: &[&str] = &["app/src", "server/src", "frontend"];
/// Those of them that only the editor has.
const OF_EDITOR: &[&str] = &["frontend/editor", "frontend/edit", "frontend/edit.js", "frontend/texts.js"];
/// The crates that write messages.
const OF_MESSAGES: &[&str] =
    &["app/src", "config", "css_values/src", "discovery/src", "figures/src", "import/src", "server/src", "widgets/src"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Adds the code of a file or folder, without those that are left out.
fn read_all(path: &Path, without: &[&str], code: &mut String) {
    if without.iter().any(|other| path.ends_with(other)) {
        return;
    }
    let name = path.file_name().unwrap().to_string_lossy();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap().flatten() {
            read_all(&entry.path(), without, code);
        }
    } else if [".rs", ".js"].iter().any(|ending| name.ends_with(ending)) && !name.ends_with(".min.js") {
        code.push_str(&fs::read_to_string(path).unwrap());
    }
}

fn code_of(folders: &[&str], without: &[&str]) -> String {
    let mut code = String::new();
    for folder in folders {
        read_all(&root().join(folder), without, &mut code);
    }
    code
}

/// All files of a folder.
fn code_of_files(folder: &str) -> String {
    let files = fs::read_dir(root().join(folder)).unwrap().flatten();
    files.map(|file| fs::read_to_string(file.path()).unwrap()).collect()
}

/// The literal that code begins with, and what follows.
fn literal(code: &str) -> Option<(&str, &str)> {
    let code = code.trim_start();
    let quote = code.chars().next().filter(|first| "'\"".contains(*first))?;
    code[1..].split_once(quote)
}

/// The keys that are looked up in code: the first literal of a call, or the second one where a number chooses.
fn looked_up(code: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let calls = ["t(", "t_for_script(", "time_text(", "t_for_script_with(", "fill(", "split_at_placeholder("]
        .map(|call| (call, false));
    let counted = ["t_count(", "t_count_for_script(", "tCount("].map(|call| (call, true));
    for (call, is_counted) in calls.into_iter().chain(counted) {
        for (at, _) in code.match_indices(call) {
            let is_whole = !code[..at].ends_with(|before: char| before.is_alphanumeric() || "_.!".contains(before));
            let Some((first, rest)) = literal(&code[at + call.len()..]).filter(|_| is_whole) else { continue };
            let key =
                if is_counted { rest.strip_prefix(',').and_then(literal).map(|(key, _)| key) } else { Some(first) };
            found.extend(key);
        }
    }
    found
}

#[test]
fn every_text_that_is_looked_up_is_listed_and_the_other_way_round() {
    let (page, editor) = (code_of(SOURCES, OF_EDITOR), code_of(OF_EDITOR, &[]));
    let found = looked_up(&page);
    let unknown: Vec<_> = found.iter().filter(|text| !keys().page.iter().any(|key| key == *text)).collect();
    assert!(unknown.is_empty(), "add these to texts/en.toml: {unknown:#?}");
    assert!(found.len() > 150, "{} texts are looked up", found.len());
    // Each theme has a line about it.
    let themes = code_of_files("style/themes");
    for about in themes.lines().filter_map(|line| line.strip_prefix("about = \"")?.strip_suffix('"')) {
        assert!(keys().page.iter().any(|key| key == about), "add `{about}` to the dialogs of texts/en.toml");
    }
    let is_unused = |key: &&String| ![&page, &editor, &themes].iter().any(|code| code.contains(key.as_str()));
    let unused: Vec<_> = keys().page.iter().filter(is_unused).collect();
    assert!(unused.is_empty(), "no code looks these up: {unused:#?}");

    let found = looked_up(&editor);
    assert!(found.len() > 300, "{} texts of the editor are looked up", found.len());
    let lists = [&editor_keys().editor, &keys().page];
    let unknown: Vec<_> =
        found.iter().filter(|text| !lists.iter().any(|list| list.iter().any(|key| key == *text))).collect();
    assert!(unknown.is_empty(), "add these to the texts of the editor in texts/en.toml: {unknown:#?}");
    let unused: Vec<_> = editor_keys().editor.iter().filter(|key| !editor.contains(key.as_str())).collect();
    assert!(unused.is_empty(), "no code of the editor looks these up: {unused:#?}");
}

/// A text with all its placeholders alike, because code may name values otherwise: `{}`, `{0}`, `{field:?}`. Blocks of code stay.
fn without_names(text: &str) -> String {
    let is_placeholder =
        |inside: &str| inside.chars().all(|char| char.is_alphanumeric() || "_.:?#$*<>^-".contains(char));
    let mut rest = text;
    let mut bare = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        bare.push_str(before);
        bare.push('{');
        rest = after;
        if let Some((_, after)) = after.split_once('}').filter(|(inside, _)| is_placeholder(inside)) {
            bare.push('}');
            rest = after;
        }
    }
    bare + rest
}

#[test]
fn code_writes_every_message_that_is_listed() {
    let code = code_of(OF_MESSAGES, &[]);
    // A literal may go on in the next line.
    let lines: Vec<_> = code.split("\\\n").map(str::trim_start).collect();
    let code = without_names(&lines.concat().replace("\\\"", "\""));
    let unused: Vec<_> = keys().problems.iter().filter(|key| !code.contains(&without_names(key))).collect();
    assert!(unused.is_empty(), "no code writes these: {unused:#?}");
}

#[test]
fn the_words_of_panels_are_listed_and_used() {
    let (parts, others) = (code_of(&["app/src/parts"], &[]), code_of(&["widgets/src", "server/src/panels"], &[]));
    let keys = &keys().panels;
    // What every widget shares has a translation, and so have the sentences of errors.
    let said = ["ours(\"", "ours_with(\"", "Empty sentence=\""].iter().flat_map(|call| parts.split(call).skip(1));
    let sentences = fs::read_to_string(root().join("widgets/src/context/fetch_error.rs")).unwrap();
    let errors = sentences.split('"').filter(|text| text.starts_with("{host} ") && text.ends_with('.'));
    for text in said.filter_map(|rest| rest.split('"').next()).chain(errors) {
        assert!(keys.iter().any(|key| key == text), "add `{text}` to the panels of texts/en.toml");
    }
    let mut code = parts + &others;
    code.push_str(&code_of_files("figures/services"));
    let code = code.replace("\\u{a0}", "\u{a0}");
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
        (None, None, Some("en-AU,en-GB;q=0.9"), "en-GB"),
        (None, None, Some("en-CA"), "en"),
        (None, None, Some("en-US-x-mine"), "en"),
        (None, None, Some("zh-HK"), "zh-TW"),
        (None, None, Some("zh-Hant"), "zh-TW"),
        // A script counts more than a region.
        (None, None, Some("zh-Hant-HK"), "zh-TW"),
        (None, None, Some("zh-Hans-HK"), "zh-CN"),
        (None, None, Some("zh-Hant-SG"), "zh-TW"),
        (None, None, Some("yue"), "zh-TW"),
        (None, None, Some("pt-AO"), "pt"),
        (None, None, Some("pt-Latn-BR"), "pt"),
        (None, None, Some("es-419"), "es"),
        (None, None, Some("de-CH-1996,fr"), "de"),
        (None, None, Some("ar-EG-u-nu-latn"), "ar"),
        (None, None, Some("uk_UA"), "uk"),
        // There is no Serbian, and nothing that all its readers read.
        (None, None, Some("sr-Latn"), "en"),
        (None, None, Some("sr-Latn,sl;q=0.5"), "sl"),
        // Whoever reads a language in another script cannot read ours.
        (None, None, Some("az-Arab,tr;q=0.9"), "tr"),
        (None, None, Some("hi-Latn"), "en"),
        (None, None, Some("az-Latn-AZ"), "az"),
        // What its readers mostly read too, unless they name another language.
        (None, None, Some("ca"), "es"),
        (None, None, Some("ca,fr;q=0.8"), "fr"),
        (None, None, Some("gsw-CH"), "de"),
        (None, Some("en-AU"), None, "en-AU"),
        (Some("en-XA"), None, None, "en-XA"),
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
    assert_eq!(locale("en-GB").format_tag(Some("en-AU")), "en-AU");
    assert_eq!(locale("en-GB").format_tag(Some("en-US")), "en-GB");
    assert_eq!(locale("en").format_tag(Some("en-CA")), "en-CA");
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
    let (_, arabic) = written().into_iter().find(|(language, _)| language.code() == "ar").unwrap();
    for text in arabic.tables().into_iter().flat_map(|(_, texts)| texts.values()).flat_map(forms) {
        // Isolated, so that a path or a time among Arabic letters is not reordered.
        let (_, text) = text;
        let isolated = text.matches("\u{2068}{").count();
        // Braces of CSS in code are no placeholders.
        let placeholders = text.split('{').skip(1).filter(|rest| rest.starts_with(char::is_alphabetic)).count();
        assert!(isolated == placeholders && isolated == text.matches("}\u{2069}").count(), "{text}");
    }
}

#[test]
fn a_text_with_a_number_has_the_form_for_it() {
    let results = |count| t_count("1 result", "{count} results", count, &[]);
    assert_eq!([0, 1, 2].map(results), ["0 results", "1 result", "2 results"]);
    let forms: Translation =
        serde_json::from_str(r#"{ "one": "{count} wynik", "few": "{count} wyniki", "many": "{count} wyników" }"#)
            .unwrap();
    let polish = Language::of_code("pl").unwrap();
    let found = [1, 3, 5, 22].map(|count| forms.of(polish.plural_category(count)).unwrap());
    assert_eq!(found, ["{count} wynik", "{count} wyniki", "{count} wyników", "{count} wyniki"]);
    // A translation without forms is for all numbers.
    let plain: Translation = serde_json::from_str(r#""Wyniki: {count}""#).unwrap();
    assert_eq!(plain.of(PluralCategory::Few), Some("Wyniki: {count}"));
    let german = Language::of_code("de").unwrap().into();
    assert_eq!(with_locale(&german, || results(2)), "2 Treffer");
}

#[test]
fn numbers_have_the_digits_of_the_language() {
    let in_language = |code| {
        with_locale(&Language::of_code(code).unwrap().into(), || {
            let count = t_count("1 result", "{count} results", 12, &[]);
            // A name is no number.
            let name = fill("Reload {name}", &[("name", "Port 8080")]);
            [count, fill("and {count} more", &[("count", "12")]), in_digits("12.5%".to_owned()), name]
        })
    };
    let [count, more, percent, name] = in_language("bn");
    assert!(count.contains("১২") && more.contains("১২") && percent == "১২.৫%", "{count} {more} {percent}");
    assert!(name.contains("Port 8080"), "{name}");
    for code in ["ar", "en", "hi"] {
        let [count, more, percent, _] = in_language(code);
        assert!(count.contains("12") && more.contains("12") && percent == "12.5%", "{count} {more} {percent}");
    }
}

#[test]
fn regions_have_their_own_digits() {
    let in_region = |tag| Locale::choose(None, Some(tag), None).in_digits("12.5".to_owned());
    for (tag, expected) in [
        ("ar-EG", "١٢.٥"),
        ("ar", "12.5"),
        ("ar-AE", "12.5"),
        ("ar-EG-u-nu-latn", "12.5"),
        ("de-AT", "12.5"),
        ("bn-IN", "১২.৫"),
    ] {
        assert_eq!(in_region(tag), expected, "{tag}");
    }
    let locale = Locale::of_formats("ar-SA").unwrap();
    let at = LocalTime { year: 2026, month: 11, day: 29, weekday: 6, hour: 12, minute: 0, second: 0 };
    let date = locale.date("exact", at).unwrap();
    assert!(date.contains("٢٠٢٦"), "{date}");
    assert_eq!(locale.duration(11, "day").unwrap(), "١١\u{a0}يومًا");
}

#[test]
fn browsers_get_the_formats_that_they_lack() {
    let lacking: Vec<_> = Language::all().filter(|language| language.formats_for_browsers().is_some()).collect();
    assert_eq!(lacking.iter().map(|language| language.code()).collect::<Vec<_>>(), ["az", "gl", "ky"]);
    for language in lacking {
        let formats = language.formats_for_browsers().unwrap();
        let json: serde_json::Value = serde_json::from_str(formats).unwrap();
        assert_eq!(json["code"], language.code());
        assert_eq!(json["dates"]["months"][0].as_array().map(Vec::len), Some(12));
        for unit in ["year", "month", "day", "hour", "minute", "second"] {
            assert!(json["browsers"][unit].as_array().is_some_and(|forms| forms.len() > 4), "{unit}");
        }
        // A page in such a language may be so much larger, before it is compressed.
        assert!(formats.len() < 4000, "{}: {} bytes", language.code(), formats.len());
    }
}

#[test]
fn a_message_is_translated_with_its_values() {
    let pseudo = Locale::from(Language::PSEUDO);
    for key in &keys().problems {
        // As the crates write it: each value in its place.
        let values: Vec<_> = placeholders(key).into_iter().map(|name| (name, "nas1.lan")).collect();
        let english = super::filled(key, &values);
        let shown = with_locale(&pseudo, || message(&english).into_owned());
        let has_words = key.split(['{', '}']).step_by(2).any(|piece| piece.contains(char::is_alphabetic));
        assert!(
            !has_words || shown.starts_with('⟦') && shown.matches("nas1.lan").count() >= values.len().min(1),
            "{english}: {shown}"
        );
        assert_eq!(message(&english), english);
    }
    let german = Language::of_code("de").unwrap();
    let shown = german.message("at least one currency code, for example `EUR`").into_owned();
    assert_eq!(shown, "mindestens ein Währungscode, zum Beispiel `EUR`");
    assert_eq!(with_locale(&pseudo, || message("What nobody lists.").into_owned()), "What nobody lists.");
}

#[test]
fn the_pseudo_language_is_made_of_english_and_listed_nowhere() {
    let pseudo = Locale::from(Language::of_code("en-XA").unwrap());
    assert!(Language::all().all(|language| language != Language::PSEUDO));
    let shown = with_locale(&pseudo, || {
        let count = t_count("1 result", "{count} results", 2, &[]);
        [t("Search").to_owned(), in_panel("Memory").to_owned(), count]
    });
    assert!(shown.iter().all(|text| text.starts_with('⟦') && text.ends_with('⟧')), "{shown:?}");
    let scripts: serde_json::Value = serde_json::from_str(Language::PSEUDO.for_scripts().unwrap()).unwrap();
    assert_eq!(scripts["Reload"], "⟦Rélöåd ~~⟧");
}

#[test]
fn the_editor_gets_its_texts_at_once() {
    assert_eq!(Language::ENGLISH.for_editor(), "{}");
    for language in Language::all() {
        let json: serde_json::Value = serde_json::from_str(language.for_editor()).unwrap();
        assert!(
            language == Language::ENGLISH || json["texts"].is_object() && json["fields"].is_object(),
            "{}",
            language.code()
        );
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

/// What a script finds in the table of [`Language::nearest_by_tag`]; `app/src/document/inline/language.js` does the same.
fn found_by_tag<'a>(table: &'a BTreeMap<String, &str>, tag: &str) -> Option<&'a str> {
    let lower = tag.to_ascii_lowercase();
    let mut subtags = lower.split(['-', '_']).take_while(|subtag| subtag.len() > 1);
    let language = subtags.next()?;
    let rest: Vec<_> = subtags.collect();
    let found = |end: &str| table.get(&format!("{language}-{end}")).copied();
    let is_word = |subtag: &str| subtag.bytes().all(|byte| byte.is_ascii_alphabetic());
    if let Some(script) = rest.iter().find(|subtag| subtag.len() == 4 && is_word(subtag)) {
        return found(script);
    }
    let is_region = |subtag: &str| subtag.len() == 2 && is_word(subtag) || subtag.len() == 3 && !is_word(subtag);
    let region = rest.iter().find(|subtag| is_region(subtag));
    let by_region = region.and_then(|region| found(region).or_else(|| found("*")));
    by_region.or_else(|| table.get(language).copied())
}

#[test]
fn the_table_for_scripts_finds_the_nearest_language() {
    let of = |codes: &str| codes.split(' ').filter_map(Language::of_code).collect::<Vec<_>>();
    let tags = "en en-US en-AU en-001 en-GB en-CA de de-AT de-Latn-DE de-Brai zh zh-TW zh-Hant zh-Hant-HK zh-HK zh-Hans-SG zh-SG yue \
                yue-Hans cmn no nn-NO nb ar-EG arz az-Cyrl az-Latn-AZ sr-Latn pt-BR ja-JP mo el-Latn xx fr_CA uk-UA es-419";
    for codes in ["en de", "de en-GB", "en-GB", "zh-TW fr en", "zh-CN", "nb ro ar az", CODES] {
        let among = of(codes);
        let table = Language::nearest_by_tag(&among);
        for tag in tags.split_whitespace() {
            let expected = Language::nearest(tag, &among).map(Language::code);
            assert_eq!(found_by_tag(&table, tag), expected, "{tag} among {codes}");
        }
    }
    assert_eq!(Language::nearest("en-AU", &of("de en")), Language::of_code("en"), "another form of the same language");
    assert_eq!(Language::nearest("zh-HK", &of("zh-CN zh-TW")), Language::of_code("zh-TW"));
    let table = Language::nearest_by_tag(&of("en fr"));
    assert_eq!((table.get("~br"), table.get("~ca"), table.get("~be")), (Some(&"fr"), None, None));
}
