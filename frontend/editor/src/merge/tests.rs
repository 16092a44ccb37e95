use config::Document;

use super::*;

const BASE: &str = "\
pageInfo:
  title: Home
  description: Ours
appConfig:
  theme: nord
sections:
  - name: Media
    items:
      - title: Jellyfin
        url: http://nas.example:8096
      - title: Navidrome
        url: http://nas.example:4533
  - name: Work
    items:
      - title: Mail
";

fn value(text: &str) -> Value {
    Document::parse(text.as_bytes()).unwrap().to_json()
}

/// The base with replacements.
fn with(changes: &[(&str, &str)]) -> Value {
    value(&changes.iter().fold(BASE.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    }))
}

fn labels(mine: &Value, theirs: &Value) -> Vec<(String, ChangedBy)> {
    differences(&value(BASE), mine, theirs).into_iter().map(|difference| (difference.label, difference.by)).collect()
}

fn titles(merged: &Value, section: usize) -> Vec<&str> {
    let items = merged["sections"][section]["items"].as_array().unwrap();
    items.iter().map(|item| item["title"].as_str().unwrap()).collect()
}

#[test]
fn what_each_side_alone_has_changed_comes_together() {
    let mine = with(&[("title: Home", "title: Harbour"), ("8096", "9000")]);
    let theirs = with(&[("theme: nord", "theme: glass"), ("title: Mail", "title: Letters"), ("4533", "4000")]);
    let expected = [
        ("Page info › title", ChangedBy::Me),
        ("Settings › theme", ChangedBy::Them),
        ("Media › Jellyfin", ChangedBy::Me),
        ("Media › Navidrome", ChangedBy::Them),
    ];
    let found = labels(&mine, &theirs);
    for (label, by) in expected {
        assert!(found.contains(&(label.to_owned(), by)), "{label}: {found:?}");
    }
    let merged = merged(&value(BASE), &mine, &theirs, &[]);
    let wanted = with(&[
        ("title: Home", "title: Harbour"),
        ("8096", "9000"),
        ("theme: nord", "theme: glass"),
        ("title: Mail", "title: Letters"),
        ("4533", "4000"),
    ]);
    assert_eq!(merged, wanted);
}

#[test]
fn what_both_have_changed_has_to_be_chosen() {
    let (mine, theirs) = (with(&[("8096", "9000")]), with(&[("8096", "7000")]));
    let all = differences(&value(BASE), &mine, &theirs);
    let [difference] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(
        (difference.label.as_str(), difference.by, difference.by.side()),
        ("Media › Jellyfin", ChangedBy::Both, None)
    );
    assert!(difference.base.as_ref().unwrap().contains("8096"), "{difference:?}");
    assert!(difference.mine.as_ref().unwrap().contains("9000") && difference.theirs.as_ref().unwrap().contains("7000"));
    assert_eq!(merged(&value(BASE), &mine, &theirs, &[MergeSide::Mine]), mine);
    assert_eq!(merged(&value(BASE), &mine, &theirs, &[MergeSide::Theirs]), theirs);
}

#[test]
fn the_same_change_on_both_sides_is_none() {
    let mine = with(&[("8096", "9000"), ("title: Home", "title: Mine")]);
    let theirs = with(&[("8096", "9000")]);
    assert_eq!(labels(&mine, &theirs), [("Page info › title".to_owned(), ChangedBy::Me)]);
    assert!(differences(&value(BASE), &mine, &mine).is_empty());
    assert!(labels(&value(BASE), &value(BASE)).is_empty());
}

#[test]
fn additions_keep_their_places_and_deletions_hold() {
    let mine = with(&[("      - title: Navidrome\n", "      - title: Radio\n      - title: Navidrome\n")]);
    let theirs = with(&[("      - title: Jellyfin\n        url: http://nas.example:8096\n", "      - title: Films\n")]);
    let merged = merged(&value(BASE), &mine, &theirs, &[]);
    assert_eq!(titles(&merged, 0), ["Radio", "Films", "Navidrome"]);
    // The side that they changed alone may be taken back.
    let all = differences(&value(BASE), &mine, &theirs);
    let choices: Vec<MergeSide> = all.iter().map(|_| MergeSide::Mine).collect();
    assert_eq!(titles(&super::merged(&value(BASE), &mine, &theirs, &choices), 0), ["Jellyfin", "Radio", "Navidrome"]);
}

#[test]
fn a_deleted_thing_that_the_other_has_changed_has_to_be_chosen() {
    let mine = with(&[("      - title: Mail\n", "      - title: Mail\n        url: http://mail.example\n")]);
    let theirs = with(&[("  - name: Work\n    items:\n      - title: Mail\n", "")]);
    let all = differences(&value(BASE), &mine, &theirs);
    let [difference] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(
        (difference.label.as_str(), difference.by, difference.theirs.as_ref()),
        ("Section Work", ChangedBy::Both, None)
    );
    assert_eq!(merged(&value(BASE), &mine, &theirs, &[MergeSide::Mine]), mine);
    assert_eq!(merged(&value(BASE), &mine, &theirs, &[MergeSide::Theirs]), theirs);
}

#[test]
fn renamed_things_are_the_same_things() {
    let mine = with(&[("name: Media", "name: Films"), ("title: Jellyfin", "title: Player")]);
    let theirs = with(&[("4533", "4000")]);
    let merged = merged(&value(BASE), &mine, &theirs, &[]);
    assert_eq!(merged, with(&[("name: Media", "name: Films"), ("title: Jellyfin", "title: Player"), ("4533", "4000")]));
}

#[test]
fn an_order_is_an_entry_of_its_own() {
    let swapped = "sections:
  - name: Work
    items:
      - title: Mail
  - name: Media
    items:
      - title: Jellyfin
        url: http://nas.example:8096
      - title: Navidrome
        url: http://nas.example:4533
";
    let (head, _) = BASE.split_once("sections:").unwrap();
    let mine = value(&format!("{head}{swapped}"));
    let theirs = with(&[("8096", "7000")]);
    let found = labels(&mine, &theirs);
    assert!(found.contains(&("order of the sections".to_owned(), ChangedBy::Me)), "{found:?}");
    let merged = merged(&value(BASE), &mine, &theirs, &[]);
    assert_eq!(merged["sections"][0]["name"], "Work");
    assert_eq!(merged["sections"][1]["items"][0]["url"], "http://nas.example:7000");
}

#[test]
fn without_a_base_what_differs_has_to_be_chosen() {
    let (mine, theirs) = (with(&[("8096", "9000")]), with(&[("theme: nord", "theme: glass")]));
    let all = differences(&Value::Null, &mine, &theirs);
    assert_eq!(
        all.iter().map(|difference| difference.by).collect::<Vec<_>>(),
        [ChangedBy::Both, ChangedBy::Both],
        "{all:?}"
    );
}

#[test]
fn unknown_keys_and_empty_lists_survive() {
    let mine = value("x-mine: 1\nsections: []\n");
    let theirs = value("x-theirs: 2\nsections:\n  - name: A\n");
    let merged = merged(&value("sections: []\n"), &mine, &theirs, &[]);
    assert_eq!(merged, value("x-theirs: 2\nsections:\n  - name: A\nx-mine: 1\n"));
    let lists = value("sections:\n  - name: A\n    items: []\n");
    assert_eq!(super::merged(&lists, &lists, &lists, &[]), lists);
}

/// The base with Jellyfin in the other section.
fn jellyfin_moved(url: &str) -> Value {
    let item = "      - title: Jellyfin\n        url: http://nas.example:8096\n";
    with(&[(item, ""), ("      - title: Mail\n", &format!("      - title: Mail\n{}", item.replace("8096", url)))])
}

#[test]
fn a_thing_in_another_section_was_moved() {
    let (mine, theirs) = (jellyfin_moved("8096"), with(&[("theme: nord", "theme: glass")]));
    for (mine, theirs, by) in [(&mine, &theirs, MergeSide::Mine), (&theirs, &mine, MergeSide::Theirs)] {
        let all = differences(&value(BASE), mine, theirs);
        let found = moves(&all);
        let [one] = found.as_slice() else { panic!("{all:?}") };
        assert_eq!((all[one.from].label.as_str(), all[one.to].label.as_str()), ("Media › Jellyfin", "Work › Jellyfin"));
        assert_eq!((one.by, one.section.as_str()), (by, "Work"));
    }
    // What was changed on the way was moved too.
    let found = moves(&differences(&value(BASE), &jellyfin_moved("9000"), &value(BASE)));
    assert_eq!(found.iter().map(|one| one.section.as_str()).collect::<Vec<_>>(), ["Work"]);
    // So was what got another name on the way, but kept its address.
    let item = "      - title: Jellyfin\n        url: http://nas.example:8096\n";
    let renamed = item.replace("Jellyfin", "Films");
    let renamed = with(&[(item, ""), ("      - title: Mail\n", &format!("      - title: Mail\n{renamed}"))]);
    let all = differences(&value(BASE), &renamed, &value(BASE));
    let found = moves(&all);
    let [one] = found.as_slice() else { panic!("{all:?}") };
    assert_eq!((all[one.from].label.as_str(), all[one.to].label.as_str()), ("Media › Jellyfin", "Work › Films"));
    // The other one has changed what was moved: whose version it is, is one choice.
    let theirs = with(&[("8096", "7000")]);
    let all = differences(&value(BASE), &mine, &theirs);
    let found = moves(&all);
    let [one] = found.as_slice() else { panic!("{all:?}") };
    assert_eq!(all[one.from].by, ChangedBy::Both);
    for (side, work) in [(MergeSide::Mine, vec!["Mail", "Jellyfin"]), (MergeSide::Theirs, vec!["Mail"])] {
        assert_eq!(titles(&merged(&value(BASE), &mine, &theirs, &vec![side; all.len()]), 1), work);
    }
}

#[test]
fn what_is_another_thing_in_another_section_was_not_moved() {
    let item = "      - title: Jellyfin\n        url: http://nas.example:8096\n";
    let other = item.replace("Jellyfin", "Plex").replace("8096", "32400");
    let mine = with(&[(item, ""), ("      - title: Mail\n", &format!("      - title: Mail\n{other}"))]);
    assert_eq!(moves(&differences(&value(BASE), &mine, &value(BASE))), []);
    // A setting of two sections is not a thing.
    let base = with(&[("- name: Media\n", "- name: Media\n    icon: mdi-play\n")]);
    let mine = with(&[("- name: Work\n", "- name: Work\n    icon: mdi-play\n")]);
    assert_eq!(moves(&differences(&base, &mine, &base)), []);
}
