//! Turns YAML events into a value: tags, aliases, merge keys, duplicate keys, and the limits on all of them.
//!
//! Nodes are shared while composing, so an alias costs only a pointer, however large its target is. The expanded size
//! is counted before anything is copied: a file that would expand without end is refused after one pass over its text.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, Tag};
use serde_json::{Map, Value};

use super::{
    error::{DocumentError, MAX_DEPTH, MAX_READ_BYTES},
    excerpt::excerpt,
    field_types::FieldTypes,
    node::{Content, MappingEntries, MappingEntry, PositionedValue, Scalar, TextPosition},
    print,
    relaxed::Relaxed,
    scalar, slips,
    spelling::Spellings,
};

/// Parses a text into a value, with its spellings; null if the text has no value.
pub(super) fn value(source: &str) -> Result<(Value, Spellings), DocumentError> {
    let Some(node) = root(source)? else { return Ok((Value::Null, Spellings::default())) };
    let value = node.to_value(FieldTypes::TOP);
    let spellings = Spellings::of(&node, &value);
    Ok((value, spellings))
}

/// Parses a text into nodes; `None` if the text has no value.
pub(super) fn root(source: &str) -> Result<Option<Rc<PositionedValue>>, DocumentError> {
    let strict = compose(source, None);
    let is_syntax = strict.as_ref().is_err_and(|failure| failure.is_syntax);
    let relaxed = if is_syntax { Relaxed::of(source) } else { None };
    let composed = match relaxed.map(|relaxed| compose(&relaxed.text, Some(&relaxed))) {
        Some(Ok(root)) => Ok(root),
        // Report a syntax error where the parser first stopped in the original text, any other error where it was
        // found.
        Some(Err(failure)) if !failure.is_syntax => Err(failure),
        _ => strict,
    };
    composed.map_err(|error| {
        let ComposeError { place, message, .. } = in_words(source, error);
        let excerpt = excerpt(source, place.line, place.column);
        DocumentError { message, line: place.line, column: place.column, excerpt }
    })
}

/// An error of the syntax as the slip that a user made, if there is a common one.
fn in_words(source: &str, error: ComposeError) -> ComposeError {
    if !error.is_syntax {
        return error;
    }
    let is_alias = error.message.contains("unknown anchor");
    match slips::find(source, error.place) {
        Some(slip) if !is_alias => ComposeError { place: slip.place, message: slip.message, is_syntax: true },
        _ => match slips::in_words(&error.message) {
            Some(message) => ComposeError { message: message.to_owned(), ..error },
            None => error,
        },
    }
}

struct ComposeError {
    place: TextPosition,
    message: String,
    /// Whether the parser failed on the syntax.
    is_syntax: bool,
}

impl ComposeError {
    fn new(place: TextPosition, message: impl Into<String>) -> Self {
        Self { place, message: message.into(), is_syntax: false }
    }
}

impl From<ScanError> for ComposeError {
    fn from(error: ScanError) -> Self {
        Self { is_syntax: true, ..Self::new(error.marker().into(), error.info()) }
    }
}

/// Parses a text into nodes. `relaxed` translates positions in the mended text to the original.
fn compose(source: &str, relaxed: Option<&Relaxed>) -> Result<Option<Rc<PositionedValue>>, ComposeError> {
    if let Some(at) = source.find('\0') {
        let before = &source[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let place =
            TextPosition { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 };
        return Err(ComposeError::new(place, "the file contains a NUL character"));
    }
    let mut parser = Parser::new_from_str(source);
    let mut composer = Composer { relaxed, ..Composer::default() };
    let mut documents = 0;
    while let Some(event) = parser.next_event() {
        let (event, span) = event?;
        match event {
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(ComposeError::new(
                        composer.place_of(&span.start),
                        "a second document begins here; a config file must be a single document",
                    ));
                }
            }
            Event::StreamEnd => break,
            event => composer.take(event, &span)?,
        }
    }
    Ok(composer.root)
}

/// A list or mapping that is not complete yet.
struct OpenNode {
    place: TextPosition,
    anchor: usize,
    content: OpenContent,
}

enum OpenContent {
    List(Vec<Rc<PositionedValue>>),
    Mapping { entries: Vec<PendingEntry>, key: Option<PendingKey> },
}

enum PendingEntry {
    Own(MappingEntry),
    Merge(TextPosition, Rc<PositionedValue>),
}

struct PendingKey {
    text: Rc<str>,
    is_plain: bool,
    place: TextPosition,
    merge: bool,
}

#[derive(Default)]
struct Composer<'a> {
    /// The changes made to mend the text.
    relaxed: Option<&'a Relaxed>,
    root: Option<Rc<PositionedValue>>,
    open: Vec<OpenNode>,
    anchors: HashMap<usize, Rc<PositionedValue>>,
    /// Total size in bytes of all expanded aliases.
    expanded: usize,
}

impl Composer<'_> {
    fn place_of(&self, marker: &Marker) -> TextPosition {
        let place = TextPosition::from(marker);
        self.relaxed.map_or(place, |relaxed| relaxed.original(place))
    }

    fn take(&mut self, event: Event<'_>, span: &Span) -> Result<(), ComposeError> {
        let place = self.place_of(&span.start);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let text = match self.relaxed.and_then(|relaxed| relaxed.mark) {
                    Some(mark) if text.contains(mark) => text.replace(mark, "\u{feff}").into(),
                    _ => text,
                };
                let plain = style == ScalarStyle::Plain;
                let merge = plain && text == "<<" && tag.is_none();
                let value = scalar_value(&text, plain, tag.as_deref(), place)?;
                let size = text.len() + 3;
                let is_plain = plain && tag.is_none();
                let is_ours = !is_plain || !print::fits_a_line(&text) || print::scalar(&value) == text;
                let written = (!is_ours).then(|| text.into());
                self.complete(place, anchor, Content::Scalar(Scalar { value, written, is_plain }), size, 0, merge)
            }
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor).cloned() else {
                    return Err(ComposeError::new(place, "an alias refers to a value that contains it"));
                };
                self.expanded = self.expanded.saturating_add(node.size);
                if self.expanded > MAX_READ_BYTES {
                    return Err(ComposeError::new(place, "the aliases of the file expand to more than 2 MB"));
                }
                self.check_depth(place, node.depth)?;
                self.place(place, node, false)
            }
            Event::SequenceStart(anchor, tag) => {
                check_tag(tag.as_deref(), &["seq", "omap", "pairs"], place)?;
                self.open(place, anchor, OpenContent::List(Vec::new()))
            }
            Event::MappingStart(anchor, tag) => {
                check_tag(tag.as_deref(), &["map", "set"], place)?;
                self.open(place, anchor, OpenContent::Mapping { entries: Vec::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            _ => Ok(()),
        }
    }

    fn open(&mut self, place: TextPosition, anchor: usize, content: OpenContent) -> Result<(), ComposeError> {
        self.check_depth(place, 1)?;
        self.open.push(OpenNode { place, anchor, content });
        Ok(())
    }

    fn check_depth(&self, place: TextPosition, more: usize) -> Result<(), ComposeError> {
        if self.open.len() + more > MAX_DEPTH {
            return Err(ComposeError::new(place, format!("the file is nested more than {MAX_DEPTH} levels deep")));
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), ComposeError> {
        let Some(OpenNode { place, anchor, content }) = self.open.pop() else { return Ok(()) };
        match content {
            OpenContent::List(elements) => {
                let size = elements.iter().fold(2, |sum: usize, node| sum.saturating_add(node.size));
                let depth = 1 + elements.iter().map(|node| node.depth).max().unwrap_or(0);
                self.complete(place, anchor, Content::List(elements), size, depth, false)
            }
            OpenContent::Mapping { entries, .. } => {
                let entries = merged(entries)?;
                let size = entries.iter().fold(2, |sum: usize, entry| {
                    sum.saturating_add(entry.key.len() + 2).saturating_add(entry.value.size)
                });
                let depth = 1 + entries.iter().map(|entry| entry.value.depth).max().unwrap_or(0);
                self.complete(place, anchor, Content::Mapping(MappingEntries::new(entries)), size, depth, false)
            }
        }
    }

    fn complete(
        &mut self,
        place: TextPosition,
        anchor: usize,
        content: Content,
        size: usize,
        depth: usize,
        merge: bool,
    ) -> Result<(), ComposeError> {
        let node = Rc::new(PositionedValue { place, content, size, depth });
        if anchor > 0 {
            self.anchors.insert(anchor, Rc::clone(&node));
        }
        self.place(place, node, merge)
    }

    /// Adds a node to the innermost open list or mapping.
    fn place(&mut self, place: TextPosition, node: Rc<PositionedValue>, merge: bool) -> Result<(), ComposeError> {
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(OpenContent::List(elements)) => elements.push(node),
            Some(OpenContent::Mapping { entries, key }) => match key.take() {
                None => {
                    let (text, is_plain) = node.key_text(place)?;
                    *key = Some(PendingKey { text: text.into(), is_plain, place, merge });
                }
                Some(PendingKey { merge: true, place, .. }) => entries.push(PendingEntry::Merge(place, node)),
                Some(PendingKey { text, is_plain, place, .. }) => {
                    entries.push(PendingEntry::Own(MappingEntry { key: text, is_plain, place, value: node }));
                }
            },
        }
        Ok(())
    }
}

/// The entries of a mapping with merge keys resolved: its own keys win, then those of the first merged mapping.
fn merged(pending: Vec<PendingEntry>) -> Result<Vec<MappingEntry>, ComposeError> {
    let mut own = HashSet::with_capacity(pending.len());
    for entry in &pending {
        if let PendingEntry::Own(entry) = entry
            && !own.insert(Rc::clone(&entry.key))
        {
            let is_first = |other: &&PendingEntry| matches!(other, PendingEntry::Own(other) if other.key == entry.key);
            let first = match pending.iter().find(is_first) {
                Some(PendingEntry::Own(first)) => first.place.line,
                _ => entry.place.line,
            };
            let message = format!("the key `{}` occurs twice; it is already in line {first}", shortened(&entry.key));
            return Err(ComposeError::new(entry.place, message));
        }
    }
    let mut entries = Vec::with_capacity(pending.len());
    for entry in pending {
        match entry {
            PendingEntry::Own(entry) => entries.push(entry),
            PendingEntry::Merge(place, node) => {
                let sources = match &node.content {
                    Content::List(nodes) => nodes.as_slice(),
                    _ => std::slice::from_ref(&node),
                };
                for source in sources {
                    let Content::Mapping(more) = &source.content else {
                        return Err(ComposeError::new(place, "only mappings can be merged with `<<`"));
                    };
                    entries.extend(more.iter().filter(|entry| own.insert(Rc::clone(&entry.key))).cloned());
                }
            }
        }
    }
    Ok(entries)
}

impl PositionedValue {
    /// The text of a node that is used as a key, as it is written, and whether it has no quotes.
    fn key_text(&self, place: TextPosition) -> Result<(String, bool), ComposeError> {
        match &self.content {
            Content::Scalar(Scalar { value: Value::Null, .. }) => Ok(("null".to_owned(), false)),
            Content::Scalar(Scalar { value: Value::String(text), is_plain, .. }) => Ok((text.clone(), *is_plain)),
            Content::Scalar(Scalar { value, written, is_plain }) => {
                Ok((written.as_deref().map_or_else(|| value.to_string(), str::to_owned), *is_plain))
            }
            Content::List(_) | Content::Mapping(_) => Err(ComposeError::new(
                place,
                "a list or mapping cannot be a key; put a text that begins with `[` or `{` in quotes",
            )),
        }
    }

    /// The value. Scalars that only look like a number or a boolean stay text, as far as no field wants one.
    fn to_value(&self, types: FieldTypes) -> Value {
        match &self.content {
            Content::Scalar(Scalar { value, written: Some(written), .. }) => {
                if value.is_null() || types.want(value) {
                    value.clone()
                } else {
                    Value::from(written.as_ref())
                }
            }
            Content::Scalar(Scalar { value, .. }) => value.clone(),
            Content::List(elements) => elements.iter().map(|node| node.to_value(types.of_elements())).collect(),
            Content::Mapping(entries) => Value::Object(
                entries
                    .iter()
                    .map(|entry| (entry.key.to_string(), entry.value.to_value(types.of_key(&entry.key))))
                    .collect::<Map<_, _>>(),
            ),
        }
    }
}

fn scalar_value(text: &str, plain: bool, tag: Option<&Tag>, place: TextPosition) -> Result<Value, ComposeError> {
    let resolved = match tag.map(tag_name) {
        None if plain => Some(scalar::plain(text)),
        None => Some(Value::String(text.to_owned())),
        Some(TagName::Core("str" | "binary" | "timestamp") | TagName::NonSpecific) => {
            Some(Value::String(text.to_owned()))
        }
        Some(TagName::Core("null")) => Some(scalar::plain(text)).filter(Value::is_null),
        Some(TagName::Core("bool")) => Some(scalar::plain(text)).filter(Value::is_boolean),
        Some(TagName::Core("int")) => scalar::any_number(text).filter(|value| value.is_i64() || value.is_u64()),
        Some(TagName::Core("float")) => scalar::any_number(text),
        // `!!map` or `!!seq` without content arrives as an empty scalar.
        Some(TagName::Core(_) | TagName::Unknown) => return Err(unknown_tag(tag, place)),
    };
    resolved
        .ok_or_else(|| ComposeError::new(place, format!("`{}` does not match the type of its tag", shortened(text))))
}

fn check_tag(tag: Option<&Tag>, known: &[&str], place: TextPosition) -> Result<(), ComposeError> {
    match tag.map(tag_name) {
        None | Some(TagName::NonSpecific) => Ok(()),
        Some(TagName::Core(name)) if known.contains(&name) => Ok(()),
        Some(_) => Err(unknown_tag(tag, place)),
    }
}

fn unknown_tag(tag: Option<&Tag>, place: TextPosition) -> ComposeError {
    let tag = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix)).unwrap_or_default();
    let tag = shortened(&tag);
    ComposeError::new(place, format!("the tag `{tag}` is not supported; a text that begins with `!` needs quotes"))
}

enum TagName<'a> {
    Core(&'a str),
    NonSpecific,
    Unknown,
}

fn tag_name(tag: &Tag) -> TagName<'_> {
    const CORE: &str = "tag:yaml.org,2002:";
    if tag.handle == CORE {
        TagName::Core(&tag.suffix)
    } else if let Some(name) = tag.handle.is_empty().then(|| tag.suffix.strip_prefix(CORE)).flatten() {
        TagName::Core(name)
    } else if (tag.handle == "!" && tag.suffix.is_empty()) || (tag.handle.is_empty() && tag.suffix == "!") {
        TagName::NonSpecific
    } else {
        TagName::Unknown
    }
}

/// The beginning of a text, short enough for a message.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
