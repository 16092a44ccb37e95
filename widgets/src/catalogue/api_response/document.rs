//! A response without mappings: its text, or its JSON, collapsible from the second level on.

use std::borrow::Cow;

use serde_json::Value;

use crate::panel::{Details, Paragraph, Part, Phrase};

/// Deeper levels are shown as one piece.
const DEEPEST: usize = 6;

/// A text, cut after `most` characters.
pub(super) fn cut(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        Some((end, _)) => Cow::Owned([text[..end].trim_end(), "…"].concat()),
        None => Cow::Borrowed(text),
    }
}

/// A text with its line breaks, cut after `most` characters.
pub(super) fn text(text: &str, max: usize) -> Part {
    Paragraph { monospace: true, ..Paragraph::new(Phrase::foreign(cut(text.trim_end(), max))) }.into()
}

/// JSON: the outermost level as it is, and each object or list inside collapsible.
pub(super) fn tree(value: &Value, max: usize) -> Vec<Part> {
    let mut room = max;
    match members(value) {
        Some(members) => level(members, 1, &mut room),
        None => vec![text(value.as_str().map_or_else(|| value.to_string(), str::to_owned).as_str(), max)],
    }
}

/// The names and values of an object or list that is not empty.
pub(super) fn members(value: &Value) -> Option<Vec<(String, &Value)>> {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            Some(fields.iter().map(|(name, value)| (name.clone(), value)).collect())
        }
        Value::Array(values) if !values.is_empty() => {
            Some(values.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect())
        }
        _ => None,
    }
}

/// Brackets with the number of values inside.
pub(super) fn brackets(value: &Value, count: usize) -> String {
    if value.is_array() { format!("[{count}]") } else { format!("{{{count}}}") }
}

fn level(members_here: Vec<(String, &Value)>, depth: usize, room: &mut usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for (name, value) in members_here {
        if *room == 0 {
            break;
        }
        match members(value) {
            Some(inner) if depth < DEEPEST => {
                flush(&mut lines, &mut parts);
                *room = room.saturating_sub(name.chars().count());
                parts.push(
                    Details {
                        summary: Phrase::foreign(format!("{name} {}", brackets(value, inner.len()))),
                        open: depth == 1,
                        parts: level(inner, depth + 1, room),
                        ..Details::default()
                    }
                    .into(),
                );
            }
            _ => {
                let line = format!("{name}: {value}");
                lines.push(cut(&line, *room).into_owned());
                *room = room.saturating_sub(line.chars().count());
            }
        }
    }
    flush(&mut lines, &mut parts);
    parts
}

/// Puts related lines into one part.
fn flush(lines: &mut Vec<String>, parts: &mut Vec<Part>) {
    if !lines.is_empty() {
        let text = std::mem::take(lines).join("\n");
        parts.push(Paragraph { monospace: true, ..Paragraph::new(Phrase::foreign(text)) }.into());
    }
}
