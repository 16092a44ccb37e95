//! The reference of all widgets, docs/widgets.md, generated from their manuals and examples.

use std::{env, fmt::Write, fs, path::PathBuf};

use super::{Kind, tests::cases};

/// How many panels are on one picture of the index.
const ON_A_SHEET: usize = 25;

/// The reference as Markdown.
fn reference() -> String {
    let mut text = String::from(
        "# Widgets\n\nMade from the code by `UPDATE_DOCS=1 cargo test -p widgets docs`; not to be edited by hand. \
        `portico widget show TYPE` prints the part of one type, and `portico widget list --search WORD` finds types by what \
        they show, by their services and by their other names.\n\n\
        All widgets also know the fields `useProxy`, `updateInterval`, `timeout`, `label`, `ignoreErrors`, \
        `hideControls`, `insecure`, `id` and `class`.\n",
    );
    let mut kinds = Kind::ALL.to_vec();
    kinds.sort_by_key(|kind| kind.name());
    index(&kinds, &mut text).expect("a text can be written to");
    kinds.into_iter().for_each(|kind| describe(kind, &mut text).expect("a text can be written to"));
    text
}

/// The pictures of all panels, which `end2end/widget-pictures.ts` takes, with links to the types in them.
fn index(kinds: &[Kind], text: &mut String) -> std::fmt::Result {
    for (position, kinds) in kinds.chunks(ON_A_SHEET).enumerate() {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let links: Vec<String> = names.iter().map(|name| format!("[{name}](#{name})")).collect();
        let (first, last) = (names[0], names[names.len() - 1]);
        writeln!(text, "\n![Panels from {first} to {last}](widgets/{}.webp)\n\n{}", position + 1, links.join(" · "))?;
    }
    Ok(())
}

fn describe(kind: Kind, text: &mut String) -> std::fmt::Result {
    let manual = kind.manual();
    writeln!(text, "\n## {}\n\n{}", kind.name(), manual.about)?;
    if !kind.aliases().is_empty() {
        let aliases: Vec<String> = kind.aliases().iter().map(|alias| format!("`{alias}`")).collect();
        writeln!(text, "\nAlso known as {}.", aliases.join(", "))?;
    }
    if !kind.services().is_empty() {
        writeln!(text, "\n{}", manual.services())?;
    }
    writeln!(text, "\n{}", format!("{} {}", manual.runs(), manual.looks_again()).trim_end())?;
    if !manual.options.is_empty() {
        writeln!(text, "\n| Option | Value | Meaning |\n|---|---|---|")?;
        for option in &manual.options {
            writeln!(text, "| `{}` | {} | {} |", option.name, option.value, option.meaning)?;
        }
    }
    if let Some((_, case)) = cases(kind).into_iter().find(|(name, _)| name == "example") {
        let yaml = serde_yaml::to_string(&[manual.entry(&case)]).expect("JSON can be written as YAML");
        writeln!(text, "\n```yaml\n{}\n```", yaml.trim_end())?;
    }
    Ok(())
}

#[test]
fn the_reference_is_up_to_date() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/widgets.md");
    let reference = reference();
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, reference).unwrap();
        return;
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == reference, "docs/widgets.md is stale: UPDATE_DOCS=1 cargo test -p widgets docs");
}
