//! What each widget says if a required option is missing: the name of the option, and a value that could be written.

use serde_json::json;

use super::{Kind, tests::cases};
use crate::{Case, Entry, OptionManual};

/// The options without which a widget cannot work, some of them only with certain others.
fn required(kind: Kind) -> Vec<OptionManual> {
    kind.manual().options.into_iter().filter(|option| option.meaning.contains("Required")).collect()
}

/// The errors for this entry.
fn errors(kind: Kind, entry: &Entry) -> Vec<String> {
    kind.plan(entry, entry).problems.errors()
}

/// The entry of the example, and of each other good case.
fn entries(kind: Kind) -> Vec<Entry> {
    cases(kind).iter().map(|(_, case)| case.entry().0).filter(|entry| errors(kind, entry).is_empty()).collect()
}

#[test]
fn a_missing_option_is_named_with_an_example() {
    let mut seen = 0;
    for kind in Kind::ALL {
        let options = required(*kind);
        for option in &options {
            let of_same_meaning =
                kind.synonyms().iter().filter(|(_, meant)| *meant == option.name).map(|(other, _)| *other);
            let names: Vec<&str> = of_same_meaning.chain([option.name.as_str()]).collect();
            let mut sentences = Vec::new();
            for mut entry in entries(*kind) {
                entry.options.retain(|name, _| !names.contains(&name.as_str()));
                sentences.extend(errors(*kind, &entry));
            }
            let place = format!("{}: {}", kind.name(), option.name);
            let is_reported = |sentence: &String| {
                sentence.starts_with("Set the option ")
                    && sentence.contains(&option.name)
                    && sentence.contains(", for example ")
            };
            assert!(sentences.iter().any(is_reported), "{place}: {sentences:?}");
            assert!(
                kind.secret_options().contains(&option.name) || kind.example(&option.name).is_some(),
                "{place} has no example"
            );
            seen += 1;
        }
        let nothing = Case { options: json!({}), ..Case::default() }.entry().0;
        let of_nothing = errors(*kind, &nothing);
        for sentence in &of_nothing {
            assert!(sentence.contains(", for example "), "{}: {sentence}", kind.name());
        }
        for option in kind.required_options() {
            let start = format!("Set the option `{option}` to ");
            let is_named = of_nothing.iter().any(|sentence| sentence.starts_with(&start));
            assert!(is_named, "{}: {option}: {of_nothing:?}", kind.name());
            let described = options.iter().any(|other| other.name == option && other.meaning.contains(" Required."));
            assert!(described, "{}: {option}", kind.name());
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn a_malformed_option_has_an_example() {
    for (kind, options, expected) in [
        (
            Kind::DnsSinkholeStats,
            json!({ "hostname": "ftp://nas", "apiKey": "k" }),
            "hostname must be an http(s) address, for example http://192.168.1.2.",
        ),
        (
            Kind::SystemLoad,
            json!({ "url": "ftp://nas" }),
            "Set the option `hostname` to the address of Glances, for example `http://192.168.1.10:61208`.",
        ),
        // No example, because a key in a sentence would be taken for one that works.
        (Kind::Bookmarks, json!({ "host": "http://links.lan", "apiKey": ["a"] }), "apiKey must be text."),
    ] {
        let (entry, _) = Case { options, ..Case::default() }.entry();
        assert_eq!(errors(kind, &entry), [expected], "{}", kind.name());
    }
}
