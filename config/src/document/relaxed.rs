//! Repairs files that are not valid YAML but that other software accepts, without changing their meaning.
//!
//! Our parser is stricter than the one that such files were written for: text in brackets or quotes must be indented
//! more than its key, and it refuses tabs around values, lone surrogates in escapes, and a byte order mark inside a
//! text. None of this changes what a text says, so a text that does not parse is parsed again with these things mended.
//! The lines stay the same, and [`Relaxed::original`] translates positions in the mended text back to the original.

use super::node::TextPosition;

/// A mended text.
#[derive(Debug)]
pub(super) struct Relaxed {
    /// The text for the parser.
    pub text: String,
    /// The character that replaces byte order marks inside the text, if there are any.
    pub mark: Option<char>,
    shifts: Vec<Shift>,
}

/// From this column of a line on, the mended line is this many characters longer (or shorter) than the original.
#[derive(Debug)]
struct Shift {
    line: usize,
    column: usize,
    by: isize,
}

const BYTE_ORDER_MARK: char = '\u{feff}';

impl Relaxed {
    /// The mended form of a text; `None` if there is nothing to mend.
    pub fn of(source: &str) -> Option<Self> {
        let mark = if source.contains(BYTE_ORDER_MARK) { Some(unused_in(source)?) } else { None };
        let mut mender = Mender { parent: -1, mark, ..Mender::default() };
        for (index, line) in source.split_inclusive('\n').enumerate() {
            mender.line = index + 1;
            mender.take(line);
        }
        let changed = mender.text != source;
        changed.then_some(Self { text: mender.text, mark, shifts: mender.shifts })
    }

    /// The position in the original for a position in the mended text.
    pub fn original(&self, place: TextPosition) -> TextPosition {
        // Shifts are sorted by position.
        let after = self.shifts.partition_point(|shift| (shift.line, shift.column) <= (place.line, place.column));
        let last = after.checked_sub(1).map(|at| &self.shifts[at]).filter(|shift| shift.line == place.line);
        let by = last.map_or(0, |shift| shift.by);
        TextPosition { column: place.column.saturating_add_signed(-by).max(1), ..place }
    }
}

/// A private use character that does not occur in the text.
fn unused_in(source: &str) -> Option<char> {
    ('\u{e000}'..='\u{f8ff}').find(|candidate| !source.contains(*candidate))
}

/// The scanner's position in the grammar.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum ScanState {
    /// A node, an indicator or a comment may begin.
    #[default]
    Open,
    /// In an unquoted text.
    Plain,
    /// After a quoted text or a closed bracket.
    Closed,
    /// In a single-quoted text.
    Single,
    /// In a double-quoted text.
    Double,
    /// In the lines of a block scalar.
    Block,
}

#[derive(Debug, Default)]
struct Mender {
    text: String,
    shifts: Vec<Shift>,
    mark: Option<char>,
    state: ScanState,
    /// Number of open brackets.
    depth: usize,
    /// Column, from 0, of the key or dash to which the following text belongs; -1 at the top.
    parent: isize,
    /// The current line, from 1.
    line: usize,
    /// Column in the mended line, from 0.
    column: usize,
}

impl Mender {
    fn take(&mut self, line: &str) {
        self.column = 0;
        let content = line.trim_end_matches(['\n', '\r']);
        let rest = content.trim_start_matches([' ', '\t']);
        let blanks = &content[..content.len() - rest.len()];
        let spaces = blanks.len() - blanks.trim_start_matches(' ').len();
        let is_document_mark = blanks.is_empty()
            && ["---", "..."].iter().any(|mark| {
                rest.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
            });
        let is_quoted = matches!(self.state, ScanState::Single | ScanState::Double);
        let deeper = isize::try_from(spaces).unwrap_or(isize::MAX) > self.parent;
        if self.state == ScanState::Block {
            if rest.is_empty() || deeper {
                return self.push(line);
            }
            self.state = ScanState::Open;
        }
        if !(is_quoted || self.depth > 0) {
            self.push(blanks);
            let goes_on = self.state == ScanState::Plain && (deeper || rest.is_empty());
            if !goes_on {
                self.state = ScanState::Open;
            }
            if is_document_mark {
                self.parent = -1;
                self.state = ScanState::Open;
                self.push(&rest[..3]);
                self.scan(&rest[3..]);
            } else {
                self.scan(rest);
            }
        } else {
            self.indent(blanks, spaces, rest.is_empty() || is_document_mark);
            self.scan(rest);
        }
        self.text.push_str(&line[content.len()..]);
    }

    /// Indents a line in brackets or quotes, where leading blanks mean nothing: at least one more than its key.
    fn indent(&mut self, blanks: &str, spaces: usize, must_stay: bool) {
        let min = usize::try_from(self.parent + 1).unwrap_or_default();
        if must_stay || (blanks.len() == spaces && spaces >= min) {
            return self.push(blanks);
        }
        let width = blanks.len().max(min);
        self.text.extend(std::iter::repeat_n(' ', width));
        self.column = width;
        self.shift(width, blanks.len());
    }

    /// Records that the text from here on is at a different column than in the original.
    fn shift(&mut self, now: usize, before: usize) {
        let by = now.cast_signed() - before.cast_signed();
        if by != 0 {
            let before = self.shifts.last().filter(|shift| shift.line == self.line).map_or(0, |shift| shift.by);
            self.shifts.push(Shift { line: self.line, column: self.column + 1, by: before + by });
        }
    }

    /// The character that the parser gets in place of this one.
    fn parser_character(&self, character: char) -> char {
        self.mark.filter(|_| character == BYTE_ORDER_MARK).unwrap_or(character)
    }

    fn put(&mut self, character: char) {
        let character = self.parser_character(character);
        self.text.push(character);
        self.column += 1;
    }

    fn push(&mut self, text: &str) {
        text.chars().for_each(|character| self.put(character));
    }

    /// Scans the rest of a line, without its line ending.
    fn scan(&mut self, text: &str) {
        let mut rest = text;
        // The beginning of a line counts as following a blank.
        let mut after_blank = true;
        while let Some(first) = rest.chars().next() {
            let width = first.len_utf8();
            let next = rest[width..].chars().next();
            let ends = next.is_none_or(|next| matches!(next, ' ' | '\t'));
            let taken = match self.state {
                ScanState::Single if first == '\'' && next == Some('\'') => 2,
                ScanState::Single if first == '\'' => self.close(),
                ScanState::Double if first == '"' => self.close(),
                ScanState::Double if first == '\\' => match self.escape(rest) {
                    0 => 1 + next.map_or(0, char::len_utf8),
                    skipped => {
                        rest = &rest[skipped..];
                        continue;
                    }
                },
                ScanState::Single | ScanState::Double | ScanState::Block => width,
                _ if first == '#' && after_blank => return self.comment(rest),
                _ if first == ' ' || first == '\t' => width,
                _ if self.depth > 0 => self.in_brackets(first, ends, rest),
                ScanState::Open => self.in_block(first, ends, rest),
                ScanState::Plain | ScanState::Closed => {
                    if first == ':' && ends {
                        self.value();
                    }
                    width
                }
            };
            let is_indicator = self.state == ScanState::Open;
            self.push(&rest[..taken]);
            after_blank = matches!(first, ' ' | '\t');
            rest = &rest[taken..];
            if is_indicator {
                // Blanks after an indicator are only separators.
                let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                if first != ' ' && first != '\t' && (self.depth > 0 || first == ':') {
                    (0..blanks).for_each(|_| self.put(' '));
                    rest = &rest[blanks..];
                    after_blank |= blanks > 0;
                }
            }
        }
    }

    fn comment(&mut self, rest: &str) {
        self.push(rest);
        // A comment ends an unquoted text.
        if self.state == ScanState::Plain && self.depth == 0 {
            self.state = ScanState::Closed;
        }
    }

    /// Ends a quoted text; returns the length of the quote.
    fn close(&mut self) -> usize {
        self.state = ScanState::Closed;
        1
    }

    /// Expects a value next.
    fn value(&mut self) {
        self.state = ScanState::Open;
    }

    /// Handles a character in brackets that is not a blank; returns the number of bytes consumed.
    fn in_brackets(&mut self, first: char, ends: bool, rest: &str) -> usize {
        let ends_key = ends || rest[first.len_utf8()..].starts_with([',', '[', ']', '{', '}']);
        match first {
            '[' | '{' => {
                self.depth += 1;
                self.state = ScanState::Open;
            }
            ']' | '}' => {
                self.depth -= 1;
                self.state = ScanState::Closed;
            }
            ',' => self.state = ScanState::Open,
            ':' if ends_key || self.state == ScanState::Closed => self.state = ScanState::Open,
            '\'' if self.state == ScanState::Open => self.state = ScanState::Single,
            '"' if self.state == ScanState::Open => self.state = ScanState::Double,
            '&' | '!' | '*' if self.state == ScanState::Open => {
                return rest.find([' ', '\t', ',', '[', ']', '{', '}']).unwrap_or(rest.len());
            }
            _ => self.state = ScanState::Plain,
        }
        first.len_utf8()
    }

    /// Handles a character outside brackets that begins something; returns the number of bytes consumed.
    fn in_block(&mut self, first: char, ends: bool, rest: &str) -> usize {
        let column = self.column.cast_signed();
        match first {
            '-' | '?' if ends => self.parent = column,
            ':' if ends => {}
            '[' | '{' => self.depth += 1,
            '\'' | '"' => {
                if is_quoted_key(rest) {
                    self.parent = column;
                }
                self.state = if first == '"' { ScanState::Double } else { ScanState::Single };
            }
            '&' | '!' | '*' => {
                // A property of the following node, or an alias, up to the next blank.
                return rest.find([' ', '\t']).unwrap_or(rest.len());
            }
            '|' | '>' => {
                self.state = ScanState::Block;
                return rest.len();
            }
            _ => {
                if is_plain_key(rest) {
                    self.parent = column;
                }
                self.state = ScanState::Plain;
            }
        }
        first.len_utf8()
    }

    /// Replaces the escapes of two surrogate halves with the escape of the character. Returns the number of bytes of
    /// `rest` consumed, 0 for anything else.
    fn escape(&mut self, rest: &str) -> usize {
        let unit = |text: &str| {
            let digits = text.strip_prefix("\\u")?.get(..4)?;
            u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))
        };
        let Some(first) = unit(rest).filter(|unit| (0xd800..0xe000).contains(unit)) else { return 0 };
        let second = rest.get(6..).and_then(unit).filter(|unit| first < 0xdc00 && (0xdc00..0xe000).contains(unit));
        let (length, code) = match second {
            Some(second) => (12, 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)),
            // A lone half is not a character.
            None => (6, u32::from(char::REPLACEMENT_CHARACTER)),
        };
        let written = if code > 0xffff { format!("\\U{code:08x}") } else { format!("\\u{code:04x}") };
        self.push(&written);
        self.shift(written.len(), length);
        length
    }
}

/// Whether a line that begins with an unquoted text has that text as a key.
fn is_plain_key(line: &str) -> bool {
    // The first decisive pair ends the search: a long line may have many keys.
    let decides = |pair: &[u8]| matches!(pair, b": " | b":\t" | b" #" | b"\t#");
    match line.as_bytes().windows(2).find(|pair| decides(pair)) {
        Some(pair) => pair[0] == b':',
        None => line.ends_with(':'),
    }
}

/// Whether a line that begins with a quoted text has that text as a key.
fn is_quoted_key(line: &str) -> bool {
    let double = line.starts_with('"');
    let mut characters = line.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if double => _ = characters.next(),
            '\'' if !double && characters.peek().is_some_and(|(_, next)| *next == '\'') => _ = characters.next(),
            '"' if double => return begins_value(&line[at + 1..]),
            '\'' if !double => return begins_value(&line[at + 1..]),
            _ => {}
        }
    }
    false
}

fn begins_value(rest: &str) -> bool {
    rest.trim_start_matches([' ', '\t'])
        .strip_prefix(':')
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Only the mended text.
#[cfg(test)]
pub(crate) fn relaxed_text(source: &str) -> Option<String> {
    Relaxed::of(source).map(|relaxed| relaxed.text)
}
