//! The components of a calendar. `icalendar` parses the lines; we follow the nesting ourselves, without recursion, so
//! that a document may be nested to any depth.

use icalendar::parser::{Parameter, Property};

use super::written_time::date_time;
use crate::{Response, context::charset};

/// Maximum length of a line, in bytes. Longer ones contain files.
const MAX_LINE: usize = 64 * 1024;

/// The relevant lines of a document.
pub(super) struct CalendarLines {
    unfolded: String,
}

/// The kind of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComponentKind {
    Event,
    Zone,
}

impl ComponentKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Event => "VEVENT",
            Self::Zone => "VTIMEZONE",
        }
    }

    /// The relevant properties.
    const fn properties(self) -> &'static [&'static str] {
        match self {
            Self::Event => &[
                "UID",
                "SUMMARY",
                "LOCATION",
                "URL",
                "STATUS",
                "DTSTART",
                "DTEND",
                "DURATION",
                "RRULE",
                "RDATE",
                "EXDATE",
                "RECURRENCE-ID",
            ],
            Self::Zone => &["TZID", "X-LIC-LOCATION", "DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "RRULE"],
        }
    }
}

/// The properties of one component.
#[derive(Debug, Default)]
pub(super) struct Component<'a> {
    own: Vec<Property<'a>>,
    /// The properties of components directly inside this one, each with the component's name. Only zones have relevant
    /// ones.
    pub(super) inner: Vec<(&'a str, Component<'a>)>,
}

impl<'a> Component<'a> {
    /// The first property with a name.
    pub(super) fn find(&self, name: &'static str) -> Option<&Property<'a>> {
        self.all(name).next()
    }

    /// All properties with a name.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = &Property<'a>> {
        self.own.iter().filter(move |property| property.name.as_str().eq_ignore_ascii_case(name))
    }

    /// The value of the first property with a name; empty if there is none.
    pub(super) fn text(&self, name: &'static str) -> &str {
        self.find(name).map_or("", |property| property.val.as_str().trim())
    }
}

/// The value of a parameter.
pub(super) fn parameter<'a>(property: &'a Property<'_>, name: &str) -> Option<&'a str> {
    let found = property.params.iter().find(|parameter| parameter.key.as_str().eq_ignore_ascii_case(name))?;
    Some(found.val.as_ref()?.as_str().trim())
}

impl CalendarLines {
    /// Reads a document; `None` if it is not a calendar.
    pub(super) fn read(reply: &Response) -> Option<Self> {
        let names = reply.charset();
        let encoding = charset::encoding_of(&reply.body, names.as_slice());
        // A line may be folded inside a character, so lines are joined first, unless a line break is more than a byte.
        let unfolded = if encoding.is_ascii_compatible() {
            encoding.decode(&unfold(&reply.body)).0.into_owned()
        } else {
            String::from_utf8_lossy(&unfold(encoding.decode(&reply.body).0.as_bytes())).into_owned()
        };
        let (first, _) = unfolded.split_once('\n')?;
        first.trim_end().eq_ignore_ascii_case("BEGIN:VCALENDAR").then_some(Self { unfolded })
    }

    /// The value of a property of the calendar itself.
    pub(super) fn property(&self, name: &str) -> Option<String> {
        let mut before_components = self.lines().skip(1).take_while(|line| begins(line).is_none());
        let line = before_components.find(|line| property_name(line).eq_ignore_ascii_case(name))?;
        let property = property(line)?;
        // The crate treats only some properties as text.
        Some(property.val.unescape_text().as_str().trim().to_owned()).filter(|value| !value.is_empty())
    }

    fn lines(&self) -> impl Iterator<Item = &str> {
        self.unfolded.lines().filter(|line| line.len() <= MAX_LINE)
    }

    /// Whether the document is cut off, or has dates in a line that is too long to read.
    pub(super) fn is_incomplete(&self) -> bool {
        let is_long = |line: &str| line.len() > MAX_LINE && is_of_dates(property_name(line));
        let last = self.unfolded.lines().rfind(|line| !line.trim().is_empty()).and_then(ends);
        !last.is_some_and(|name| name.eq_ignore_ascii_case("VCALENDAR")) || self.unfolded.lines().any(is_long)
    }

    /// Calls `visit` with each component of a kind, one at a time, until `visit` stops it. A component without an end
    /// ends with the next one, or with the document.
    pub(super) fn each<'a>(&'a self, kind: ComponentKind, mut visit: impl FnMut(Component<'a>) -> bool) {
        let mut open: Option<Component<'a>> = None;
        // Number of open components inside this one.
        let mut depth = 0_usize;
        for line in self.lines() {
            let Some(component) = &mut open else {
                if begins(line).is_some_and(|name| name.eq_ignore_ascii_case(kind.name())) {
                    open = Some(Component::default());
                    depth = 0;
                }
                continue;
            };
            if let Some(name) = begins(line) {
                if name.eq_ignore_ascii_case(kind.name()) {
                    if !visit(std::mem::take(component)) {
                        return;
                    }
                    depth = 0;
                    continue;
                }
                depth += 1;
                if depth == 1 && kind == ComponentKind::Zone {
                    component.inner.push((name, Component::default()));
                }
            } else if let Some(name) = ends(line) {
                // This also ends the components inside it that have no end.
                if depth == 0 || name.eq_ignore_ascii_case(kind.name()) {
                    if let Some(whole) = open.take()
                        && !visit(whole)
                    {
                        return;
                    }
                } else {
                    depth -= 1;
                }
            } else {
                let target = match (depth, kind) {
                    (0, _) => Some(component),
                    (1, ComponentKind::Zone) => component.inner.last_mut().map(|(_, inner)| inner),
                    _ => None,
                };
                let name = property_name(line);
                let matters = kind.properties().iter().any(|known| name.eq_ignore_ascii_case(known));
                if let Some(target) = target.filter(|_| matters)
                    && let Some(property) = property(line)
                {
                    target.own.push(property);
                }
            }
        }
        if let Some(last) = open {
            visit(last);
        }
    }
}

/// Joins folded lines (RFC 5545 section 3.1).
fn unfold(document: &[u8]) -> Vec<u8> {
    let document = document.trim_ascii_start();
    let mut unfolded: Vec<u8> = Vec::with_capacity(document.len());
    for line in document.split_inclusive(|byte| *byte == b'\n') {
        if let [b' ' | b'\t', rest @ ..] = line {
            let before = unfolded.strip_suffix(b"\n").unwrap_or(&unfolded);
            unfolded.truncate(before.strip_suffix(b"\r").unwrap_or(before).len());
            unfolded.extend_from_slice(rest);
        } else {
            unfolded.extend_from_slice(line);
        }
    }
    unfolded
}

/// Parses a line. A parameter with a colon must be in quotes, but not all programs know: their lines are parsed here.
fn property(line: &str) -> Option<Property<'_>> {
    let Some((head, value)) = split_at_late_colon(line) else { return Property::try_from(line).ok() };
    let mut parts = head.split(';');
    let name = parts.next().unwrap_or_default().trim();
    let params = parts.filter_map(|part| part.split_once('='));
    let params = params.map(|(key, value)| Parameter::new_ref(key.trim(), Some(value.trim().trim_matches('"'))));
    let Property { name, val, .. } = Property::new_ref(name, value);
    Some(Property { name, val: val.unescape_text(), params: params.collect() })
}

/// The parts before and after the colon before the value, if that is a later one than the standard says.
fn split_at_late_colon(line: &str) -> Option<(&str, &str)> {
    let is_of_dates = is_of_dates(property_name(line));
    let is_split = |(head, value): &(&str, &str)| {
        if is_of_dates {
            date_time(value.split([',', '/']).next().unwrap_or_default()).is_some()
        } else {
            // Otherwise, this is the colon of an address in a parameter.
            !(head.contains('=') && value.starts_with("//"))
        }
    };
    let mut splits = line.match_indices(':').map(|(position, _)| (&line[..position], &line[position + 1..]));
    let (head, value) = splits.find(is_split)?;
    let mut is_quoted = false;
    let first = line.find(|character| {
        is_quoted ^= character == '"';
        character == ':' && !is_quoted
    });
    (first != Some(head.len())).then_some((head, value))
}

/// Whether the values of a property are dates or times.
fn is_of_dates(name: &str) -> bool {
    ["DTSTART", "DTEND", "RECURRENCE-ID", "EXDATE", "RDATE"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn begins(line: &str) -> Option<&str> {
    behind(line, "BEGIN:")
}

fn ends(line: &str) -> Option<&str> {
    behind(line, "END:")
}

fn behind<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (start, rest) = line.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then(|| rest.trim())
}

fn property_name(line: &str) -> &str {
    line.split([':', ';']).next().unwrap_or_default()
}
