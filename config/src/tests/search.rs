//! What a search finds without scripts (docs/spec/behaviour.md 6). `end2end/search` tests the script of the page.

use super::{config, dashboard::Echo};
use crate::{Dashboard, PageRequest, Viewer, dashboard::Query};

const CONFIG: &str = "\
sections:
  - name: Media
    items:
      - { title: Jellyfin, description: Films and series, tags: [tv], url: 'https://tv.lan:8096/web' }
      - { title: Fin, url: 'http://user@www.fish.example' }
  - name: Tools
    items:
      - { title: Größe }
      - { title: Wi-Fi, url: 'http://192.168.1.1' }
      - { title: Documents, subItems: [ { title: Paperless, url: 'http://p' }, { title: Wiki, url: 'http://w' } ] }
  - name: Secret
    displayData: { hideForGuests: true }
    items: [ { title: Jellyfin admin, url: 'http://hidden' } ]
";

fn dashboard() -> Dashboard {
    Dashboard::for_viewer(&config(CONFIG), &Viewer::Guest, &PageRequest::default(), &Echo).unwrap().dashboard
}

/// The tiles that match, in page order.
fn found(text: &str) -> Vec<(usize, usize)> {
    let mut tiles: Vec<_> = dashboard().search(&Query::of(text).unwrap()).tiles.into_iter().collect();
    tiles.sort_unstable();
    tiles
}

#[test]
fn every_word_is_in_some_text_of_the_tile() {
    for (text, expected) in [
        ("jelly", vec![(0, 0)]),
        ("SERIES tv jelly", vec![(0, 0)]),
        ("media", vec![(0, 0), (0, 1)]),
        ("media films", vec![(0, 0)]),
        ("fish", vec![(0, 1)]),
        ("www", vec![]),
        ("8096", vec![]),
        ("grosse", vec![(1, 0)]),
        ("GRÖẞE", vec![(1, 0)]),
        ("wifi", vec![(1, 1)]),
        ("wi-fi", vec![(1, 1)]),
        ("documents wiki", vec![(1, 2)]),
        ("jelly wiki", vec![]),
        ("admin", vec![]),
        ("hidden", vec![]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn the_best_title_comes_first() {
    for (text, expected) in [
        ("fin", Some((0, 1, None))),
        ("je", Some((0, 0, None))),
        ("wi", Some((1, 1, None))),
        ("wik", Some((1, 2, Some(1)))),
        ("tools", Some((1, 1, None))),
        // It leads nowhere.
        ("größe", None),
    ] {
        assert_eq!(dashboard().search(&Query::of(text).unwrap()).first, expected, "{text}");
    }
}

#[test]
fn a_text_without_letters_searches_for_nothing() {
    for text in ["", "  ", "-", "&?", "\u{301}"] {
        assert_eq!(Query::of(text), None, "{text}");
    }
    let long = Query::of(&"a ".repeat(100_000)).unwrap();
    assert_eq!(Query::of(&"a ".repeat(100)), Some(long));
}
