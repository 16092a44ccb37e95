//! Which file a new page gets, and what a draft adds to the files of other pages.

use config::{Document, PageCopy};
use serde_json::Value;

use crate::spot::{List, Spot};

/// A page that a section is copied or moved to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TargetPage {
    /// Name of its file.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Whether the file has comments.
    pub comments: bool,
}

impl TargetPage {
    /// Parses the JSON of a command.
    #[must_use]
    pub fn parse(json: &str) -> Option<Self> {
        let page: Value = serde_json::from_str(json).ok()?;
        let text = |key: &str| page[key].as_str().map(str::to_owned);
        Some(Self { file: text("file")?, name: text("name")?, comments: page["comments"].as_bool()? })
    }
}

/// The names of the files that lose their comments when a draft is saved, as in a sentence: `own`, and those of copies.
#[must_use]
pub fn with_comments(own: Option<String>, copies: &[PageCopy]) -> String {
    let mut files: Vec<String> = own.into_iter().collect();
    for copy in copies {
        if let PageCopy::Section { file, comments: true, .. } = copy
            && !files.contains(file)
        {
            files.push(file.clone());
        }
    }
    let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
    files.join(", ")
}

/// The copies that are still to be made when a draft gives way to the file as it is now: not of pages that the file does not
/// list, and of sections that should have left it only if it has them no more.
#[must_use]
pub fn still_to_copy(copies: Vec<PageCopy>, file: &Document) -> Vec<PageCopy> {
    let value = file.value();
    let has =
        |list: &str, test: &dyn Fn(&Value) -> bool| value[list].as_array().is_some_and(|list| list.iter().any(test));
    let is_wanted = |copy: &PageCopy| match copy {
        PageCopy::Page { file, .. } => has("pages", &|page| page["path"] == file.as_str()),
        PageCopy::Section { moved: false, .. } => true,
        PageCopy::Section { section, .. } => {
            let section: Value = serde_json::from_str(section).unwrap_or_default();
            !has("sections", &|other| *other == section)
        }
    };
    copies.into_iter().filter(is_wanted).collect()
}

/// Gives the copy of a page a file of its own, unless its file is on another host. `main` is the name of the main config,
/// which no other page can have.
pub fn take_copy(document: &Document, main: &str, page: &mut Value) -> Option<PageCopy> {
    let of = page["path"].as_str().filter(|path| !path.contains("://"))?.to_owned();
    let file = proposed(document, main, page["name"].as_str().unwrap_or_default());
    page["path"] = file.clone().into();
    Some(PageCopy::Page { file, of })
}

/// A page with a path: its own, or a file that is named after the page.
#[must_use]
pub fn with_file(document: &Document, main: &str, mut page: Value) -> Value {
    if let (Value::Null, Some(name)) = (&page["path"], page["name"].as_str().filter(|name| !name.trim().is_empty())) {
        page["path"] = proposed(document, main, name).into();
    }
    page
}

/// A free file name, made of the page's name in lower case with hyphens.
fn proposed(document: &Document, main: &str, name: &str) -> String {
    let mut stem = String::new();
    for character in name.to_lowercase().chars() {
        if character.is_ascii_alphanumeric() || !character.is_ascii() {
            stem.push(character);
        } else if !stem.ends_with('-') {
            stem.push('-');
        }
    }
    let stem = match stem.trim_matches('-') {
        "" => "page",
        stem => stem,
    };
    let is_taken = |file: &str| {
        let path = |index| document.at(&Spot { list: List::Pages, index }.path().key("path"));
        file == main || (0..List::Pages.len(document)).any(|index| path(index).and_then(Value::as_str) == Some(file))
    };
    let mut names =
        (1_usize..).map(|number| if number == 1 { format!("{stem}.yml") } else { format!("{stem}-{number}.yml") });
    names.find(|file| !is_taken(file)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_gets_a_file_that_is_named_after_it() {
        let document =
            Document::parse(b"pages: [ { name: Media, path: media.yml }, { name: X, path: media-2.yml } ]").unwrap();
        for (name, file) in [
            ("Work", "work.yml"),
            ("Home & Garden", "home-garden.yml"),
            ("../etc/passwd", "etc-passwd.yml"),
            ("Media", "media-3.yml"),
            ("Start", "start-2.yml"),
            ("Größe 日本", "größe-日本.yml"),
            ("!?", "page.yml"),
        ] {
            assert_eq!(with_file(&document, "start.yml", json!({ "name": name }))["path"], file, "{name}");
        }
    }

    #[test]
    fn files_that_lose_their_comments_are_named_once() {
        let section = |file: &str, comments| PageCopy::Section {
            file: file.to_owned(),
            comments,
            section: String::new(),
            moved: false,
        };
        let copies = [section("a.yml", true), section("b.yml", false), section("a.yml", true)];
        assert_eq!(with_comments(Some("conf.yml".to_owned()), &copies), "`conf.yml`, `a.yml`");
        assert_eq!(with_comments(None, &copies[1..2]), "");
    }

    #[test]
    fn copies_outlive_a_draft_that_gives_way_to_the_file() {
        let section = |name: &str, moved| PageCopy::Section {
            file: "a.yml".to_owned(),
            comments: false,
            section: json!({ "name": name }).to_string(),
            moved,
        };
        let page = |file: &str| PageCopy::Page { file: file.to_owned(), of: "a.yml".to_owned() };
        let file = Document::parse(b"pages: [{ name: B, path: b.yml }]\nsections: [{ name: Here }]").unwrap();
        let copies =
            vec![section("Here", false), section("Here", true), section("Gone", true), page("b.yml"), page("c.yml")];
        assert_eq!(still_to_copy(copies, &file), [section("Here", false), section("Gone", true), page("b.yml")]);
    }

    #[test]
    fn a_page_keeps_its_own_file_and_gets_none_before_it_has_a_name() {
        let document = Document::parse(b"{}").unwrap();
        for page in [json!({ "name": "A", "path": "mine.yml" }), json!({ "name": " " })] {
            assert_eq!(with_file(&document, "conf.yml", page.clone()).get("path"), page.get("path"));
        }
    }
}
