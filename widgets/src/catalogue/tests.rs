//! The rules for every widget, and the replay of all cases.

use std::{collections::HashMap, fs, path::PathBuf};

use futures_util::FutureExt;
use serde_json::{Value, json};

use super::Kind;
use crate::{ActionOutcome, Case, FetchError, Panel, Reach, RunSide};

/// The folder with the cases of one type.
pub(super) fn folder(kind: Kind) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cases").join(kind.name())
}

/// The cases of one type by their file names, in alphabetical order.
pub(super) fn cases(kind: Kind) -> Vec<(String, Case)> {
    let folder = folder(kind);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = files
        .filter_map(|file| {
            file.unwrap().file_name().to_str().and_then(|name| name.strip_suffix(".yml")).map(str::to_owned)
        })
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let text = fs::read_to_string(folder.join(format!("{name}.yml"))).unwrap();
            let case =
                serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}/{name}.yml: {error}", kind.name()));
            (name, case)
        })
        .collect()
}

/// The result of a case.
pub(super) fn outcome(kind: Kind, name: &str, case: &Case) -> Result<Panel, FetchError> {
    let (entry, shared) = case.entry();
    assert_eq!(shared.errors(), Vec::<String>::new(), "{name}");
    let recorded = case.recorded(|file| fs::read(folder(kind).join(file))).unwrap();
    let result = match &case.action {
        Some(action) => {
            let done = kind.act(&entry, action, &recorded).now_or_never().expect("recordings answer at once");
            done.map(|outcome| match outcome {
                ActionOutcome::Changed => Panel::default(),
                ActionOutcome::Shown(panel) => *panel,
            })
        }
        None => kind.fetch(&entry, &recorded).now_or_never().expect("recordings answer at once"),
    };
    assert_eq!(recorded.unused(), Vec::<&str>::new(), "{}/{name}.yml: unused exchanges", kind.name());
    result
}

/// Replays the cases of one type, and compares the results with the files next to them.
pub(super) fn replay(kind: Kind) {
    for (name, case) in cases(kind) {
        let place = format!("{}/{name}", kind.name());
        let result = outcome(kind, &name, &case);
        if let Ok(panel) = &result {
            let text = serde_json::to_string(panel).unwrap();
            assert_eq!(
                serde_json::from_str::<Panel>(&text).as_ref().ok(),
                Some(panel),
                "{place} survives the way to the browser"
            );
        }
        let shown = match &result {
            Ok(panel) => json!(panel),
            Err(error) => json!({ "error": error.to_string() }),
        };
        let (entry, _) = case.entry();
        let named = kind.secret_options();
        let secret = named.iter().filter_map(|name| Some((name, entry.options.get(name)?)));
        for secret in secret.flat_map(|(name, value)| texts(name, value)) {
            assert!(!shown.to_string().contains(&secret), "{place} shows the secret {secret}");
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(folder(kind));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_yaml_snapshot!(name.as_str(), shown));
    }
}

/// The secrets in the value of an option that are long enough to be recognized.
fn texts(name: &str, value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if text.len() >= 4 && crate::may_be_secret(name, text) => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(|value| texts(name, value)).collect(),
        Value::Object(values) => values.iter().flat_map(|(name, value)| texts(name, value)).collect(),
        _ => Vec::new(),
    }
}

/// What can be taken back by the same widget, or changes nothing but what is shown.
const HARMLESS: [&str; 8] = ["another", "show", "page", "enable", "disable", "tick", "untick", "task"];

#[test]
fn what_cannot_be_undone_is_asked_about() {
    for kind in Kind::ALL {
        for (name, case) in cases(*kind) {
            let Ok(panel) = outcome(*kind, &name, &case) else { continue };
            let mut buttons = Vec::new();
            find_buttons(&json!(panel), &mut buttons);
            for (action, is_asked) in buttons {
                let is_harmless = HARMLESS.contains(&action.as_str());
                assert!(is_harmless || is_asked, "{}/{name}.yml: nothing asks before {action}", kind.name());
            }
        }
    }
}

/// The buttons in the data of a panel: their actions, and whether each asks for confirmation.
fn find_buttons(value: &Value, found: &mut Vec<(String, bool)>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| find_buttons(value, found)),
        Value::Object(fields) => {
            if let Some(name) = fields.get("action").and_then(|action| action.get("name")).and_then(Value::as_str) {
                found.push((name.to_owned(), fields.contains_key("question")));
            }
            fields.values().for_each(|value| find_buttons(value, found));
        }
        _ => {}
    }
}

#[test]
fn names_are_unique_in_any_case() {
    let mut owners: HashMap<String, Kind> = HashMap::new();
    for kind in Kind::ALL {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!(kind.name().bytes().all(is_plain), "{} is part of a class", kind.name());
        for name in kind.names() {
            let other = owners.insert(name.to_ascii_lowercase(), *kind);
            assert_eq!(other, None, "{name} is a name of two types");
            assert_eq!(Kind::parse(&format!(" {} ", name.to_ascii_uppercase())), Some(*kind));
        }
    }
    assert_eq!(Kind::parse("no-such-widget"), None);
}

#[test]
fn every_widget_has_a_good_case_an_error_and_an_example() {
    for kind in Kind::ALL {
        let cases = cases(*kind);
        let results: Vec<_> = cases.iter().map(|(name, case)| (name, outcome(*kind, name, case))).collect();
        let is_good = |name: &str| results.iter().any(|(other, result)| other.as_str() == name && result.is_ok());
        assert!(is_good("example"), "{} needs a good case example.yml", kind.name());
        assert!(results.iter().any(|(_, result)| result.is_err()), "{} needs a case with an error", kind.name());
        let is_other = |name: &str| !["example", "complete"].contains(&name);
        let edge = results.iter().any(|(name, result)| is_other(name) && result.is_ok());
        assert!(edge, "{} needs a case at the edge that is none of an error", kind.name());
        // A widget may have a fallback when a service rejects its key, so the service's response counts as well.
        let refuses =
            |case: &Case| case.exchanges.iter().any(|exchange| [401, 403, 422].contains(&exchange.response.status));
        let refused = results.iter().any(|(_, result)| matches!(result, Err(error) if error.is_rejection()));
        let refused = refused || cases.iter().any(|(_, case)| refuses(case));
        let has_key = !kind.secret_options().is_empty();
        assert!(refused || !has_key, "{} needs a case in which its key is refused", kind.name());
    }
}

#[test]
fn every_service_has_been_down_and_has_answered_nonsense() {
    /// The names of cases whose error has the widget's own wording.
    const NONSENSE: [&str; 6] = ["malformed", "web-page", "broken", "not-json", "login-page", "not-an-api"];
    for kind in Kind::ALL.iter().filter(|kind| kind.reach() != Reach::Local) {
        let cases = cases(*kind);
        let responses = || cases.iter().flat_map(|(_, case)| &case.exchanges).map(|exchange| &exchange.response);
        let is_down = responses().any(|response| response.failure.is_some() || response.status >= 500);
        assert!(is_down, "{} needs a case in which its service is down", kind.name());
        let is_nonsense = cases.iter().any(|(name, case)| {
            NONSENSE.contains(&name.as_str())
                || matches!(outcome(*kind, name, case), Err(FetchError::Unexpected { .. }))
        });
        // What a frame shows, only the browser sees.
        let is_read = *kind != Kind::Iframe;
        assert!(is_nonsense || !is_read, "{} needs a case in which its service answers something else", kind.name());
    }
}

/// Whether the sentence is about a key written into the file.
fn is_of_key(sentence: &str) -> bool {
    sentence.contains(" is written out. ")
}

#[test]
fn examples_have_no_problems() {
    for kind in Kind::ALL {
        let (_, case) = cases(*kind).into_iter().find(|(name, _)| name == "example").unwrap();
        let (entry, shared) = case.entry();
        let plan = kind.plan(&entry, &entry);
        // They show what a key looks like.
        let others: Vec<_> = plan.problems.all().iter().filter(|problem| !is_of_key(&problem.sentence)).collect();
        assert_eq!((shared.all(), others), (&[][..], Vec::new()), "{}", kind.name());
    }
}

#[test]
fn a_misspelled_option_is_asked_about() {
    for kind in Kind::ALL {
        let schema = kind.schema();
        for (name, _) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let written = serde_json::Map::from_iter([(name.to_uppercase() + "X", json!("a text"))]);
            let suggested = kind.misspelled_options(&written);
            // With only two letters, nothing counts as a misspelling.
            assert!(suggested.len() == 1 || name.len() < 2, "{}: {name}", kind.name());
            let right = serde_json::Map::from_iter([(name.clone(), json!("a text"))]);
            assert_eq!(kind.misspelled_options(&right), vec![], "{}", kind.name());
        }
        for (synonym, _) in kind.synonyms() {
            let right = serde_json::Map::from_iter([((*synonym).to_owned(), json!("a text"))]);
            assert_eq!(kind.misspelled_options(&right), vec![], "{}", kind.name());
        }
    }
}

#[test]
fn secrets_are_blank_in_debug_and_json() {
    for kind in Kind::ALL {
        for name in kind.secret_options() {
            let (_, case) = cases(*kind).into_iter().find(|(name, _)| name == "example").unwrap();
            let (mut entry, _) = case.entry();
            entry.options.insert(name.clone(), json!("s3cr3t-value"));
            // Spellings that this widget does not know are ignored, which is fine too.
            if let Ok((debug, json)) = kind.read_options(&entry) {
                assert!(!debug.contains("s3cr3t") && !json.to_string().contains("s3cr3t"), "{}: {name}", kind.name());
            }
        }
    }
}

#[test]
fn entries_with_secrets_never_go_to_a_browser() {
    for kind in Kind::ALL {
        let (_, case) = cases(*kind).into_iter().find(|(name, _)| name == "example").unwrap();
        for (name, value) in [("anything", "DASHY_NAME"), ("hostname", "https://anna:pw@nas.lan")] {
            let (mut entry, _) = case.entry();
            entry.options.insert(name.to_owned(), json!(value));
            let place = kind.plan(&entry, &entry).place;
            assert!(place != RunSide::Browser, "{} with {name}", kind.name());
        }
        for name in kind.secret_options() {
            let (mut entry, _) = case.entry();
            entry.options.insert(name, json!("s3cr3t-value"));
            let place = kind.plan(&entry, &entry).place;
            assert!(place != RunSide::Browser, "{}", kind.name());
        }
    }
}

/// The server would have to fetch it, from an address that a browser has supplied.
#[test]
fn what_a_browser_looks_up_names_no_picture() {
    let mut seen = 0;
    for kind in Kind::ALL {
        for (name, case) in cases(*kind) {
            let (entry, _) = case.entry();
            if kind.plan(&entry, &entry).place != RunSide::Browser {
                continue;
            }
            let recorded = case.recorded(|file| fs::read(folder(*kind).join(file))).unwrap();
            let Some(Ok(mut panel)) = kind.fetch(&entry, &recorded).now_or_never() else { continue };
            panel.change_pictures(&mut |url, _| panic!("{}, {name}: {url:?}", kind.name()));
            seen += 1;
        }
    }
    assert!(seen > 0, "no widget is looked up by browsers");
}

#[test]
fn options_are_described() {
    for kind in Kind::ALL {
        assert!(!kind.description().is_empty(), "{} has no doc comment", kind.name());
        let schema = kind.schema();
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            assert!(property.get("description").is_some(), "{}: {name} has no doc comment", kind.name());
        }
    }
}

#[test]
fn each_missing_option_is_reported() {
    let words = ["Required", "Without it", "without it", "Optional", "the default"];
    let is_told = |option: &crate::OptionManual| {
        option.value.contains("; `") || words.iter().any(|words| option.meaning.contains(words))
    };
    let options = |kind: &Kind| {
        let options = kind.manual().options.into_iter().filter(|option| !is_told(option));
        options.map(|option| format!("{}: {}", kind.name(), option.name)).collect::<Vec<_>>()
    };
    assert_eq!(Kind::ALL.iter().flat_map(options).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn null_is_as_good_as_nothing() {
    for kind in Kind::ALL {
        let schema = kind.schema();
        let names =
            schema.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone());
        let options: Value = names.map(|name| (name, Value::Null)).collect::<serde_json::Map<_, _>>().into();
        let (entry, _) = Case { options, ..Case::default() }.entry();
        assert!(kind.read_options(&entry).is_ok(), "{}", kind.name());
    }
}

#[test]
fn an_option_may_be_written_under_two_names() {
    let mut seen = 0;
    for kind in Kind::ALL {
        let (_, case) = cases(*kind).into_iter().find(|(name, _)| name == "example").unwrap();
        let (example, _) = case.entry();
        for (synonym, name) in kind.synonyms() {
            let value = example.options.get(*name).cloned().unwrap_or_else(|| json!("a text"));
            let with = |written: &[(&str, &Value)]| {
                let mut entry = example.clone();
                entry.options.remove(*name);
                entry.options.extend(written.iter().map(|(name, value)| ((*name).to_owned(), (*value).clone())));
                entry
            };
            let read = |entry| kind.read_options(&entry).unwrap();
            let place = format!("{}: {synonym}", kind.name());
            let expected = read(with(&[(name, &value)]));
            assert_eq!(read(with(&[(synonym, &value)])), expected, "{place}");
            let both = with(&[(synonym, &json!(["of", { "another": "shape" }])), (name, &value)]);
            let notes = |entry: &crate::Entry| {
                let problems = kind.plan(entry, entry).problems;
                let sentences = problems.all().iter().map(|problem| problem.sentence.clone());
                sentences.filter(|sentence| !is_of_key(sentence)).collect::<Vec<_>>()
            };
            let mut others = notes(&with(&[(name, &value)]));
            others.insert(0, format!("{synonym} means the same as {name}, which is also set and takes precedence."));
            assert_eq!(notes(&both), others, "{place}");
            assert_eq!(read(both), expected, "{place}");
            let blank = with(&[(synonym, &value), (name, &json!(" "))]);
            assert_eq!(read(blank), expected, "{place}");
            seen += 1;
        }
    }
    assert!(seen > 0, "no option has two names");
}

#[test]
fn messages_name_options_as_they_are_written() {
    let (entry, _) = Case { options: json!({ "region": ["by"], "country": "de" }), ..Case::default() }.entry();
    let message = Kind::PublicHolidays.read_options(&entry).unwrap_err();
    assert_eq!(message, "region must be text, for example by.");
    let (entry, _) = Case { options: json!({ "url": "b", "host": "a" }), ..Case::default() }.entry();
    let problems = Kind::SystemNetworkTraffic.plan(&entry, &entry).problems;
    let notes: Vec<&str> = problems.all().iter().map(|problem| problem.sentence.as_str()).collect();
    assert_eq!(notes, ["url means the same as host, which is also set and takes precedence."]);
}

/// The server's tasks move between threads, so the futures of widgets must be `Send`.
#[test]
fn futures_can_be_sent() {
    fn assert_send<T: Send>(_: &T) {}
    let case = Case::default();
    let (entry, _) = case.entry();
    let recorded = case.recorded(|file| fs::read(file)).unwrap();
    for kind in Kind::ALL {
        assert_send(&kind.fetch(&entry, &recorded));
        assert_send(&kind.act(&entry, &crate::Action::default(), &recorded));
    }
}
