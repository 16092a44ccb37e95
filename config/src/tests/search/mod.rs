//! What a search finds and puts first (docs/spec/behavior.md 6).

use serde::Deserialize;

use super::{config, dashboard::Echo};
use crate::{
    Dashboard, PageRequest, Viewer,
    search::{Entry, Index, Query, Texts, elsewhere},
};

/// A page of `cases.yml`.
#[derive(Deserialize)]
struct Case {
    about: String,
    sections: serde_yaml::Value,
    searches: Vec<CaseSearch>,
}

/// A search on that page.
#[derive(Deserialize)]
struct CaseSearch {
    text: String,
    tiles: Vec<String>,
    /// Empty if nothing is highlighted.
    first: Option<String>,
}

fn dashboard(yaml: &str) -> Dashboard {
    Dashboard::for_viewer(&config(yaml), &Viewer::Guest, &PageRequest::default(), &Echo).unwrap().dashboard
}

/// The titles of the tiles that match, and of the first hit.
fn titles(dashboard: &Dashboard, text: &str) -> (Vec<String>, Option<String>) {
    let hits = dashboard.search(text);
    let mut tiles: Vec<_> = hits.tiles.into_iter().collect();
    tiles.sort_unstable();
    let item = |section: usize, item: usize| &dashboard.sections[section].items[item];
    let tiles = tiles.into_iter().map(|(section, index)| item(section, index).title.clone()).collect();
    let first = hits.first.map(|(section, index, sub_item)| {
        let item = item(section, index);
        sub_item.map_or(item, |position| &item.sub_items[position]).title.clone()
    });
    (tiles, first)
}

#[test]
fn each_search_of_the_table_finds_what_it_says() {
    let cases: Vec<Case> = serde_yaml::from_str(include_str!("cases.yml")).unwrap();
    for case in cases {
        let sections = serde_yaml::to_string(&case.sections).unwrap();
        let dashboard = dashboard(&format!("sections:\n{sections}"));
        for search in case.searches {
            let (tiles, first) = titles(&dashboard, &search.text);
            assert_eq!(tiles, search.tiles, "{}: {}", case.about, search.text);
            if let Some(expected) = search.first {
                assert_eq!(first.unwrap_or_default(), expected, "{}: {}", case.about, search.text);
            }
        }
    }
}

/// `queries.txt` was written before there was a ranking, and has not been changed since.
#[test]
fn at_least_95_percent_of_typical_queries_have_the_wanted_item_first() {
    let dashboard = dashboard(include_str!("page.yml"));
    let lines = include_str!("queries.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let queries: Vec<_> = lines.map(|line| line.split_once(" = ").unwrap()).collect();
    assert!(queries.len() >= 200);
    let misses: Vec<_> =
        queries.iter().filter(|(query, wanted)| titles(&dashboard, query).1.as_deref() != Some(*wanted)).collect();
    assert!(misses.len() * 20 <= queries.len(), "{misses:?}");
}

#[test]
fn hidden_entries_are_not_found() {
    let dashboard =
        dashboard("sections:\n  - { name: S, displayData: { hideForGuests: true }, items: [{ title: Secret }] }\n");
    assert_eq!(titles(&dashboard, "secret"), (Vec::new(), None));
}

#[test]
fn widgets_are_found_by_type_and_section() {
    let dashboard = dashboard("sections:\n  - { name: Today, widgets: [{ type: clock }, { type: notes }] }\n");
    for (text, expected) in [("clock", vec![0]), ("NOTES", vec![1]), ("today", vec![0, 1]), ("tomorrow", vec![])] {
        let hits = dashboard.search(text);
        let mut widgets: Vec<_> = hits.widgets.into_iter().map(|(_, widget)| widget).collect();
        widgets.sort_unstable();
        assert_eq!((widgets, hits.first), (expected, None), "{text}");
    }
}

#[test]
fn a_text_without_letters_and_digits_is_empty() {
    for text in ["", "  ", "-", "&?", "\u{301}"] {
        assert!(Query::of(text).is_empty(), "{text}");
    }
    assert_eq!(Query::of(&"a ".repeat(100_000)), Query::of(&"a ".repeat(100)));
}

fn entry(tile: usize, title: &str, opened: u32) -> Entry {
    Entry::new(tile, None, Texts { title, url: Some("#"), opened, ..Texts::default() })
}

fn index(titles: &[&str]) -> Index {
    Index::new(titles.iter().enumerate().map(|(tile, title)| entry(tile, title, 0)).collect())
}

#[test]
fn of_equal_hits_the_one_that_is_opened_often_is_first() {
    for (text, entries, expected) in [
        ("git", [("GitHub", 0), ("GitLab", 3)], 1),
        ("git", [("GitHub", 0), ("GitLab", 0)], 0),
        // A better match counts more.
        ("box", [("Inbox", 9), ("Boxes", 0)], 1),
        ("box", [("Boxes", 9), ("Box", 0)], 1),
        ("news", [("Hacker News", 9), ("News", 0)], 1),
    ] {
        let entries = entries.iter().enumerate().map(|(tile, (title, opened))| entry(tile, title, *opened));
        assert_eq!(Index::new(entries.collect()).find(text).first, Some((expected, None)), "{text}");
    }
}

#[test]
fn all_tiles_match_while_there_is_no_letter() {
    let matches = index(&["One", "Two"]).find("/");
    assert_eq!((matches.count, matches.first), (2, None));
}

#[test]
fn items_of_other_pages_are_ranked_and_those_of_a_page_stand_together() {
    let items =
        [("Big gramophone", "Attic"), ("Records", "Cellar"), ("Gramophone", "Cellar"), ("A gramophone", "Attic")];
    let entries: Vec<_> = items.iter().enumerate().map(|(tile, (title, _))| entry(tile, title, 0)).collect();
    let found = |text: &str, page_has_hits: bool| {
        elsewhere(&entries, &Query::of(text), page_has_hits, |position| items[position].1)
    };
    assert_eq!(found("gramophone", true), [2, 0, 3]);
    // No title is what was typed, so the order is that of the pages.
    assert_eq!(found("gramaphone", false), [0, 3, 2]);
    assert_eq!(found("gramaphone", true), [0; 0]);
    assert_eq!(found(" ", false), [0; 0]);
    let many: Vec<_> = (0..50).map(|tile| entry(tile, "Lamp", 0)).collect();
    assert_eq!(elsewhere(&many, &Query::of("lamp"), true, |_| "Hall").len(), 12);
}

#[test]
fn earlier_queries_do_not_change_later_results() {
    let titles = ["Jellyfin media tv", "Home Assistant", "Größe docs", "ホーム工具 C++ (beta)"];
    let mut used = index(&titles);
    let mut compare = |text: &str| assert_eq!(used.find(text), index(&titles).find(text), "{text}");
    for text in ["jellyfin media", "home assistent", "zzzz", "c++", "größen docs", "tv  series", "ホーム", "- & jelly"]
    {
        let ends: Vec<_> = text.char_indices().map(|(at, letter)| at + letter.len_utf8()).collect();
        for end in ends.iter().chain(ends.iter().rev()) {
            compare(&text[..*end]);
        }
        // Words are put before others, and replaced at once.
        compare(&format!("x{text}"));
        compare(&format!("tv {text}"));
    }
}

#[test]
fn a_search_that_was_abandoned_does_not_change_what_the_next_one_finds() {
    let titles: Vec<_> =
        (0..500).map(|at| format!("{} {at}", if at % 5 == 0 { "Service" } else { "Server" })).collect();
    let titles: Vec<_> = titles.iter().map(String::as_str).collect();
    for slices in [0, 1, 7, 20] {
        let mut used = index(&titles);
        for text in ["s", "se", "ser", "serv", "servi", "servic", "servicf", "servi", "serve", "server 4"] {
            used.begin(text);
            for _ in 0..slices {
                used.proceed(|| true);
            }
            assert_eq!(used.find(text), index(&titles).find(text), "{text} after {slices} slices");
        }
    }
}

#[test]
fn a_search_of_many_tiles_can_be_interrupted() {
    let titles = ["Server"; 500];
    let mut index = index(&titles);
    index.begin("zebra");
    let mut slices = 0;
    while index.proceed(|| true).is_none() {
        slices += 1;
    }
    assert!(slices >= 20, "{slices} slices");
}
