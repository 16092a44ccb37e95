//! Bookmarks that a browser has exported as HTML (the format of Netscape, which all browsers write).

use std::collections::HashMap;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use crate::{
    ImportError, SourceFile,
    draft::{ConfigDraft, Put, SectionDraft, item, put_tags},
    report::{Report, SourceLocation},
};

/// Maximum nesting of folders; no real file has more.
const MAX_DEPTH: usize = 64;
/// Schemes that run code or mean something only to the browser itself.
const REFUSED: [&str; 4] = ["javascript", "vbscript", "data", "place"];

/// Whether a text looks like exported bookmarks.
pub fn is_ours(text: &str) -> bool {
    let start: String = text.chars().take(4096).collect::<String>().to_lowercase();
    start.contains("netscape-bookmark-file") || start.contains("<dt><a ") || start.contains("<dt><h3")
}

/// Reads the files.
///
/// # Errors
///
/// A file is not made of bookmarks, or its folders are nested too deeply.
pub fn import(files: &[SourceFile], report: &mut Report) -> Result<ConfigDraft, ImportError> {
    let mut draft = ConfigDraft::default();
    for file in files {
        let place = SourceLocation::file(&file.name);
        if !is_ours(&file.text) && files.len() > 1 {
            report.lost(&place, "this is not a bookmarks file");
            continue;
        }
        if !is_ours(&file.text) {
            let message = format!("{place} does not contain bookmarks in the format that browsers export (HTML)");
            return Err(ImportError::WrongKind(message));
        }
        let mut reader = Reader::new(place, report);
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        for token in Tokenizer::new_with_emitter(file.text.as_str(), emitter).flatten() {
            reader.token(token)?;
        }
        draft.sections.extend(reader.finish());
    }
    Ok(draft)
}

/// What kind of text is being collected.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Text {
    /// Nothing.
    Other,
    /// The name of a folder.
    Folder,
    /// The title of a bookmark.
    Title,
    /// The description of the last bookmark, or of the folder that was named after it.
    Description,
    /// The heading of the whole file.
    Heading,
}

/// A link whose title is being read.
#[derive(Debug, Default)]
struct Link {
    url: String,
    tags: Vec<String>,
    feed: Option<String>,
}

struct Reader<'a> {
    place: SourceLocation,
    report: &'a mut Report,
    text: Text,
    collected: String,
    link: Link,
    heading: String,
    /// The folder whose list comes next.
    next_folder: Option<String>,
    /// The open lists, with the folders that they are in.
    folders: Vec<Option<String>>,
    sections: Vec<SectionDraft>,
    /// The positions of sections, by their names.
    known: HashMap<String, usize>,
    /// The section with the last link, whose description may follow; none after the name of a folder.
    last: Option<usize>,
    pictures: usize,
}

impl<'a> Reader<'a> {
    fn new(place: SourceLocation, report: &'a mut Report) -> Self {
        Self {
            place,
            report,
            text: Text::Other,
            collected: String::new(),
            link: Link::default(),
            heading: String::new(),
            next_folder: None,
            folders: Vec::new(),
            sections: Vec::new(),
            known: HashMap::new(),
            last: None,
            pictures: 0,
        }
    }

    fn token(&mut self, token: Token) -> Result<(), ImportError> {
        match token {
            Token::String(text) if self.text != Text::Other => {
                self.collected.push_str(&String::from_utf8_lossy(&text));
            }
            Token::StartTag(tag) => self.start(&tag)?,
            Token::EndTag(tag) => match tag.name.as_slice() {
                b"a" | b"h1" | b"h3" => self.end_text(),
                b"dl" => {
                    self.end_text();
                    self.folders.pop();
                }
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn start(&mut self, tag: &StartTag<()>) -> Result<(), ImportError> {
        let attribute =
            |name: &[u8]| tag.attributes.get(name).map(|value| String::from_utf8_lossy(value).trim().to_owned());
        match tag.name.as_slice() {
            b"h1" => self.begin(Text::Heading),
            b"h3" => self.begin(Text::Folder),
            b"a" => {
                self.begin(Text::Title);
                let tags = attribute(b"tags").unwrap_or_default();
                self.pictures += usize::from(attribute(b"icon").is_some() || attribute(b"icon_uri").is_some());
                let mut tags: Vec<String> = tags.split(',').map(|tag| tag.trim().to_owned()).collect();
                // Users type the keyword of a bookmark, so the search has to find it.
                tags.extend(attribute(b"shortcuturl"));
                self.link = Link { url: attribute(b"href").unwrap_or_default(), tags, feed: attribute(b"feedurl") };
            }
            b"dd" => self.begin(Text::Description),
            b"dl" => {
                self.end_text();
                if self.folders.len() >= MAX_DEPTH {
                    let message = format!("the folders are nested more than {MAX_DEPTH} levels deep");
                    return Err(ImportError::WrongKind(message));
                }
                let folder = self.next_folder.take();
                self.folders.push(folder);
            }
            b"dt" | b"hr" => self.end_text(),
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, text: Text) {
        self.end_text();
        self.text = text;
    }

    fn end_text(&mut self) {
        let text = std::mem::replace(&mut self.text, Text::Other);
        let collected = std::mem::take(&mut self.collected);
        let collected = collected.split_whitespace().collect::<Vec<_>>().join(" ");
        match text {
            Text::Other => {}
            Text::Heading => self.heading = collected,
            Text::Folder => {
                let name = if collected.is_empty() { "Unnamed folder".to_owned() } else { collected };
                // A folder has its place in the order even if its links come later.
                let mut path: Vec<&str> = self.folders.iter().flatten().map(String::as_str).collect();
                path.push(&name);
                let path = path.join(" / ");
                self.section(path);
                self.last = None;
                self.next_folder = Some(name);
            }
            Text::Title => self.bookmark(collected),
            Text::Description => {
                if collected.is_empty() {
                    return;
                }
                match self.last.and_then(|section| self.sections.get_mut(section)?.items.last_mut()) {
                    Some(item) => item.put("description", Some(collected)),
                    None => {
                        let path = self.folders.iter().flatten().chain(&self.next_folder);
                        let place = path.fold(self.place.clone(), |place, folder| place.child(folder));
                        self.report.lost(&place, format!("the description: {collected}"));
                    }
                }
            }
        }
    }

    /// The position of the section with this name.
    fn section(&mut self, name: String) -> usize {
        if let Some(position) = self.known.get(&name) {
            return *position;
        }
        let position = self.sections.len();
        self.sections.push(SectionDraft::new(name.clone()));
        self.known.insert(name, position);
        position
    }

    fn bookmark(&mut self, title: String) {
        self.last = None;
        let link = std::mem::take(&mut self.link);
        let path: Vec<String> = self.folders.iter().flatten().cloned().collect();
        let place = path.iter().fold(self.place.clone(), |place, folder| place.child(folder)).child(&title);
        if let Some(feed) = link.feed {
            self.report.lost(&place, format!("its feed; an `rss-feed` widget can show it ({feed})"));
        }
        let scheme = link.url.split_once(':').map(|(scheme, _)| scheme.to_lowercase()).unwrap_or_default();
        if link.url.is_empty() || REFUSED.contains(&scheme.as_str()) {
            let reason = match scheme.as_str() {
                "" => "a bookmark without an address".to_owned(),
                "place" => "a saved search, which only the browser can show".to_owned(),
                scheme => format!("an address that begins with `{scheme}:`, which would run code on the dashboard"),
            };
            self.report.lost(&place, reason);
            return;
        }
        let heading = if self.heading.is_empty() { "Bookmarks".to_owned() } else { self.heading.clone() };
        let section = self.section(if path.is_empty() { heading } else { path.join(" / ") });
        let mut item = item(Some(title), Some(link.url));
        put_tags(&mut item, link.tags, &place, self.report);
        self.sections[section].items.push(item);
        self.last = Some(section);
    }

    fn finish(mut self) -> Vec<SectionDraft> {
        self.end_text();
        for section in self.sections.iter().filter(|section| section.is_empty()) {
            self.report.lost(&self.place.child(&section.name), "a folder without bookmarks of its own");
        }
        if self.pictures > 0 {
            let text = match self.pictures {
                1 => "the picture of a bookmark; with `icon: favicon` the server fetches that of the page".to_owned(),
                many => {
                    format!(
                        "the pictures of {many} bookmarks; with `icon: favicon` the server fetches those of the pages"
                    )
                }
            };
            self.report.lost(&self.place, text);
        }
        self.sections
    }
}
