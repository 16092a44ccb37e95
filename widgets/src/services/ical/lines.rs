//! The components of a calendar. `icalendar` parses the lines; we follow the nesting ourselves, without recursion, so
//! that a document may be nested to any depth.

use icalendar::parser::{Property, unfold};

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
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let (first, _) = text.split_once('\n')?;
        first.trim_end().eq_ignore_ascii_case("BEGIN:VCALENDAR").then(|| Self { unfolded: unfold(text) })
    }

    /// The value of a property of the calendar itself.
    pub(super) fn property(&self, name: &str) -> Option<String> {
        let mut before_components = self.lines().skip(1).take_while(|line| begins(line).is_none());
        let line = before_components.find(|line| property_name(line).eq_ignore_ascii_case(name))?;
        let property = Property::try_from(line).ok()?;
        // The crate treats only some properties as text.
        Some(property.val.unescape_text().as_str().trim().to_owned()).filter(|value| !value.is_empty())
    }

    fn lines(&self) -> impl Iterator<Item = &str> {
        self.unfolded.lines().filter(|line| line.len() <= MAX_LINE)
    }

    /// Calls `visit` with each component of a kind, one at a time, until `visit` stops it.
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
                    && let Ok(property) = Property::try_from(line)
                {
                    target.own.push(property);
                }
            }
        }
    }
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
