//! Prints a value as YAML that readers of YAML 1.1 and 1.2 understand in the same way (docs/spec/api.md 9.1).

use serde_json::{Map, Number, Value};

use super::spelling::Spellings;

/// Maximum length of an implicit key; readers need not accept more than 1024 characters.
const MAX_IMPLICIT_KEY_LENGTH: usize = 512;

/// The text of a value: block style, two spaces, keys in order, no anchors, no folding, one line feed at the end.
pub fn print(value: &Value) -> String {
    print_as(value, &Spellings::default())
}

/// The same, with the spellings of a file.
pub(super) fn print_as(value: &Value, spellings: &Spellings) -> String {
    let mut printer = Printer { text: String::new(), spellings };
    match value {
        Value::Object(mapping) if !mapping.is_empty() => printer.mapping(mapping, 0),
        Value::Array(elements) if !elements.is_empty() => printer.list(elements, "", 0),
        // A block scalar at the top level would have no indentation to mark its end.
        Value::String(text) => printer.text.push_str(&flow_text(text, true)),
        other => printer.scalar(other, 0),
    }
    printer.text.push('\n');
    printer.text
}

/// A scalar on its own, as it is printed inside a mapping.
pub(super) fn scalar(value: &Value) -> String {
    let mut printer = Printer { text: String::new(), spellings: &Spellings::default() };
    printer.scalar(value, 0);
    printer.text
}

/// Whether a text without quotes can be printed as it is: on one line, without characters about which readers disagree.
pub(super) fn fits_a_line(text: &str) -> bool {
    text.chars().all(|character| character != '\t' && is_printable(character))
}

/// Whether a key that a file has without quotes can be printed as it is, although we would add quotes.
pub(super) fn can_be_spelled_as_key(key: &str) -> bool {
    !key.is_empty() && key.len() <= MAX_IMPLICIT_KEY_LENGTH && fits_a_line(key) && !is_plain(key, true)
}

struct Printer<'a> {
    text: String,
    spellings: &'a Spellings,
}

impl Printer<'_> {
    /// A mapping whose keys begin at column `indent`; the first one is appended to the current line.
    fn mapping(&mut self, mapping: &Map<String, Value>, indent: usize) {
        for (position, (name, value)) in mapping.iter().enumerate() {
            if position > 0 {
                self.line(indent);
            }
            let key = if self.spellings.is_plain_key(name) { name.clone() } else { flow_text(name, true) };
            if key.len() > MAX_IMPLICIT_KEY_LENGTH {
                self.text.push_str("? ");
                self.text.push_str(&key);
                self.line(indent);
            } else {
                self.text.push_str(&key);
            }
            self.text.push(':');
            match value {
                Value::Object(inner) if !inner.is_empty() => {
                    self.line(indent + 2);
                    self.mapping(inner, indent + 2);
                }
                Value::Array(elements) if !elements.is_empty() => {
                    self.line(indent + 2);
                    self.list(elements, name, indent + 2);
                }
                other => {
                    self.text.push(' ');
                    self.spelled(other, name, indent);
                }
            }
        }
    }

    /// A list whose dashes are at column `indent`; the first one is appended to the current line. `key` is that of the
    /// nearest mapping.
    fn list(&mut self, elements: &[Value], key: &str, indent: usize) {
        for (position, element) in elements.iter().enumerate() {
            if position > 0 {
                self.line(indent);
            }
            self.text.push_str("- ");
            match element {
                Value::Object(inner) if !inner.is_empty() => self.mapping(inner, indent + 2),
                Value::Array(inner) if !inner.is_empty() => self.list(inner, key, indent + 2),
                other => self.spelled(other, key, indent),
            }
        }
    }

    /// A value without entries, as the file spells it under this key.
    fn spelled(&mut self, value: &Value, key: &str, indent: usize) {
        let start = self.text.len();
        self.scalar(value, indent);
        if let Some(spelling) = self.spellings.value(key, &self.text[start..]) {
            self.text.truncate(if spelling.is_empty() { start - 1 } else { start });
            self.text.push_str(spelling);
        }
    }

    /// A value without entries, inside a list or mapping at column `indent`.
    fn scalar(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Bool(flag) => self.text.push_str(if *flag { "true" } else { "false" }),
            Value::Number(number) => self.text.push_str(&number_text(number)),
            Value::Array(_) => self.text.push_str("[]"),
            Value::Object(_) => self.text.push_str("{}"),
            Value::String(text) if fits_a_block(text) => self.block(text, indent + 2),
            Value::String(text) => self.text.push_str(&flow_text(text, false)),
        }
    }

    /// A literal block whose lines begin at column `indent`.
    fn block(&mut self, text: &str, indent: usize) {
        self.text.push('|');
        if text.starts_with([' ', '\t', '\n']) {
            // Readers would take white space at the beginning for indentation.
            self.text.push('2');
        }
        let body = text.trim_end_matches('\n');
        match text.len() - body.len() {
            0 => self.text.push('-'),
            1 => {}
            _ => self.text.push('+'),
        }
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            if line.is_empty() {
                self.text.push('\n');
            } else {
                self.line(indent);
                self.text.push_str(line);
            }
        }
    }

    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
    }
}

/// Whether a literal block represents the text exactly, for all readers.
fn fits_a_block(text: &str) -> bool {
    text.contains('\n')
        && text.chars().all(|character| character == '\n' || is_printable(character))
        // Readers disagree about lines of only white space.
        && text.split('\n').all(|line| line.is_empty() || !line.trim_matches([' ', '\t']).is_empty())
        && text.chars().any(|character| character != '\n')
}

/// A text on one line: plain if that cannot be misread, otherwise in quotes.
fn flow_text(text: &str, is_key: bool) -> String {
    if !text.chars().all(is_printable) {
        double_quoted(text)
    } else if is_plain(text, is_key) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

/// Whether every reader takes the plain text for exactly this text.
fn is_plain(text: &str, is_key: bool) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let indicator = matches!(
        first,
        '-' | '?'
            | ':'
            | ','
            | '['
            | ']'
            | '{'
            | '}'
            | '#'
            | '&'
            | '*'
            | '!'
            | '|'
            | '>'
            | '\''
            | '"'
            | '%'
            | '@'
            | '`'
            | '~'
            | '='
            | '.'
            | '+'
            | '<'
    );
    !indicator
        && !text.starts_with(char::is_whitespace)
        && !text.ends_with(char::is_whitespace)
        && !text.ends_with(':')
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains('\t')
        && !(is_key && text.contains([':', '#']))
        && !is_word(text)
        && !looks_like_number(text)
}

/// Words that readers of either version take for something else.
fn is_word(text: &str) -> bool {
    const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Numbers in all bases, with separators, in sexagesimal notation, dates and times: any text that begins with a digit
/// and continues with characters that can occur in one of these.
fn looks_like_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.chars().all(|character| {
            character.is_ascii_hexdigit()
                || matches!(
                    character,
                    'x' | 'X' | 'o' | 'O' | '_' | '.' | ',' | ':' | '+' | '-' | 't' | 'T' | 'z' | 'Z' | ' '
                )
        })
}

/// Whether a character may appear unescaped. Unicode line breaks, and invisible marks at the beginning or end of the
/// text, may not, because readers disagree about them.
fn is_printable(character: char) -> bool {
    !matches!(
        character,
        '\0'..='\u{8}' | '\n'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
            | '\u{fffe}' | '\u{ffff}'
    ) && (u32::from(character) & 0xfffe) != 0xfffe
}

fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 8);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if is_printable(other) => quoted.push(other),
            other => {
                let code = u32::from(other);
                let escape = match code {
                    0..=0xff => format!("\\x{code:02x}"),
                    0x100..=0xffff => format!("\\u{code:04x}"),
                    _ => format!("\\U{code:08x}"),
                };
                quoted.push_str(&escape);
            }
        }
    }
    quoted.push('"');
    quoted
}

/// A number. Readers of YAML 1.1 require a point and a sign in numbers with an exponent.
fn number_text(number: &Number) -> String {
    let text = number.to_string();
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['-', '+']) { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}
