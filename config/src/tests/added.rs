//! Items that are not in the file.

use crate::{Config, Document, model::Section};

fn read(text: &str) -> Config {
    Config::read(&Document::parse(text.as_bytes()).unwrap()).unwrap()
}

/// The sections with their items, each with its index.
fn shown(config: &Config) -> Vec<String> {
    let titles = |section: &Section| {
        let items = section.items.iter().map(|item| format!("{} {}", item.index, item.title));
        items.collect::<Vec<_>>().join(", ")
    };
    config.sections.iter().map(|section| format!("{} {}: {}", section.index, section.name, titles(section))).collect()
}

#[test]
fn added_items_follow_those_of_the_section_of_the_same_name() {
    let mut config = read(
        "sections:
  - name: Media
    items:
      - { title: Films, url: 'https://films.example/' }
      - broken
      - { title: Group, subItems: [{ title: Songs, url: 'https://songs.example' }] }
",
    );
    let added = read(
        "sections:
  - name: ' media'
    items:
      - { title: The same, url: 'https://films.example' }
      - { title: Songs, url: 'https://songs.example' }
      - { title: Books, url: 'https://books.example' }
      - { title: Books again, url: 'https://books.example/' }
      - { title: No address }
  - { name: Network, items: [{ title: DNS, url: 'https://dns.example' }] }
  - { name: Nothing, items: [] }
",
    );
    config.add_sections(&added.sections);
    assert_eq!(shown(&config), ["0 Media: 0 Films, 2 Group, 3 Books, 4 No address", "1 Network: 0 DNS"]);
}
