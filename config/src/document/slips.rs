//! What a user probably did wrong where a text is not YAML, in their words.
//!
//! The parser says where it could not go on, which is often another line than the one with the slip, and for a reason
//! that only people understand who know its grammar. So the lines around that place are searched for common slips.
//! Messages contain keys, but never values, which may be secret.

use super::{invisible::first_invisible, node::TextPosition};

/// How many lines before and after the place where the parser stopped are searched.
const AROUND: usize = 3;

/// A slip and how to mend it.
#[derive(Debug)]
pub(super) struct Slip {
    pub place: TextPosition,
    pub message: String,
    /// Whether no parser gets past it. Others are only suspicious.
    is_certain: bool,
    /// Whether the parser may stop far below it: a quote or a bracket that is not closed.
    is_open: bool,
}

/// The slip that most likely made the parser stop at a place; `None` if the lines around it have none.
pub(super) fn find(source: &str, stopped: TextPosition) -> Option<Slip> {
    let mut search = Search::default();
    for (index, line) in source.split('\n').enumerate() {
        search.line = index + 1;
        search.take(line.strip_suffix('\r').unwrap_or(line));
    }
    search.end();
    let distance = |slip: &Slip| {
        let line = slip.place.line;
        // What is above the place counts as nearer than what is below it.
        if line <= stopped.line { 2 * (stopped.line - line) } else { 2 * (line - stopped.line) + 1 }
    };
    // Only an open quote or bracket makes the parser stop far below.
    let is_near = |slip: &Slip| slip.is_open && slip.place.line <= stopped.line || distance(slip) <= 2 * AROUND + 1;
    let mut slips: Vec<Slip> = search.slips.into_iter().filter(is_near).collect();
    slips.sort_by_key(|slip| (!slip.is_certain, distance(slip)));
    slips.into_iter().next().or_else(|| indentation(source, stopped))
}

/// A message in which a parser's word for the problem is replaced by ours, where the search has found nothing.
pub(super) fn in_words(message: &str) -> Option<&'static str> {
    Some(match message {
        text if text.contains("mapping values are not allowed") => {
            "a colon cannot be here; put a text that contains a colon and a blank in quotes"
        }
        text if text.contains("simple key") => "a key needs a colon and a blank after it",
        text if text.contains("did not find expected key") || text.contains("block mapping") => {
            "a key is expected here, in the same column as the keys above it"
        }
        text if text.contains("block sequence") || text.contains("expected '-'") => {
            "a list element is expected here, with its dash in the same column as the dashes above it"
        }
        text if text.contains("flow") => "a bracket is not closed, or a comma is missing between two elements",
        text if text.contains("tab") => "there is a tab here; use spaces",
        text if text.contains("unknown anchor") => "an alias has no anchor; put a text that begins with `*` in quotes",
        text if text.contains("quoted scalar") => "a quote is not closed",
        _ => return None,
    })
}

/// A bracket or a quote that has been opened.
#[derive(Clone, Copy, Debug)]
struct Opened {
    sign: char,
    place: TextPosition,
    /// The indentation of the line that it is in.
    indent: usize,
}

#[derive(Debug, Default)]
struct Search {
    slips: Vec<Slip>,
    line: usize,
    /// The brackets that are open.
    brackets: Vec<Opened>,
    /// The quote that is open.
    quote: Option<Opened>,
    /// The indentation of the key whose block of text goes on.
    block: Option<usize>,
    /// The line after a block of text, which may belong to it.
    after_block: Option<usize>,
}

const NAMES_OF_MERGE_MARKS: [&str; 4] = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

impl Search {
    fn add(&mut self, column: usize, message: impl Into<String>, is_certain: bool) {
        let place = TextPosition { line: self.line, column: column + 1 };
        self.slips.push(Slip { place, message: message.into(), is_certain, is_open: false });
    }

    fn certain(&mut self, column: usize, message: impl Into<String>) {
        self.add(column, message, true);
    }

    fn take(&mut self, line: &str) {
        let content = line.trim_start_matches([' ', '\t']);
        let blanks = &line[..line.len() - content.len()];
        let indent = blanks.len();
        if let Some(parent) = self.block {
            if content.is_empty() || indent > parent {
                return;
            }
            self.block = None;
            self.after_block = Some(self.line);
        }
        if NAMES_OF_MERGE_MARKS
            .iter()
            .any(|mark| line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
        {
            let message = "this is a mark of an unfinished merge: keep one of the two versions, and delete the lines with \
                           `<<<<<<<`, `=======` and `>>>>>>>`";
            return self.certain(0, message);
        }
        if content.is_empty() || content.starts_with('#') {
            return;
        }
        if let Some(opened) = self.quote {
            // The next key says that the quote was meant to end before.
            if !begins_an_entry(content) || !self.closes_later(opened, content) {
                return self.go_on_in_quotes(opened, line, indent);
            }
            self.quote = None;
            self.not_closed(opened);
        }
        if let Some(first) = self.brackets.first().copied() {
            let is_entry = begins_an_entry(content) && indent <= first.indent && first.place.line < self.line;
            // Entries of a mapping in brackets end with a comma.
            if !is_entry || content.trim_end().ends_with([',', ']', '}']) {
                return self.in_brackets(line, indent, 0);
            }
            self.not_closed(first);
            self.brackets.clear();
        }
        if blanks.contains('\t') {
            let column = blanks.find('\t').unwrap_or_default();
            return self.certain(column, "there is a tab in the indentation; use spaces");
        }
        self.entry(line, content, indent);
    }

    fn end(&mut self) {
        if let Some(quote) = self.quote.take() {
            self.not_closed(quote);
        }
        if let Some(bracket) = self.brackets.first().copied() {
            self.not_closed(bracket);
        }
    }

    fn not_closed(&mut self, opened: Opened) {
        let Opened { sign, place, .. } = opened;
        let message = match sign {
            '"' | '\'' => format!("the quote `{sign}` is not closed; add another `{sign}` at the end of the text"),
            _ => {
                let other = closing(sign);
                format!("the bracket `{sign}` is not closed; add `{other}`, or put the text in quotes")
            }
        };
        self.slips.push(Slip { place, message, is_certain: true, is_open: true });
    }

    /// Whether a quote in the text ends with a line that looks like an entry: then only if its own quotes are even.
    fn closes_later(&self, opened: Opened, content: &str) -> bool {
        let quotes = content.chars().filter(|character| *character == opened.sign).count();
        quotes % 2 == 0
    }

    /// A line, or the rest of one, of a text in quotes that began before.
    fn go_on_in_quotes(&mut self, opened: Opened, line: &str, from: usize) {
        match end_of_quote(&line[from..], opened.sign) {
            Some(end) => {
                self.quote = None;
                let rest = &line[from + end..];
                if !self.brackets.is_empty() {
                    self.in_brackets(line, from + end, 0);
                } else if !is_end(rest) && !rest.trim_start().starts_with(':') {
                    self.after_quote(opened.sign, columns(line, from + end));
                }
            }
            None => self.quote = Some(opened),
        }
    }

    fn after_quote(&mut self, sign: char, column: usize) {
        let message = match sign {
            '\'' => "the text goes on after its quote `'`; write an apostrophe inside of single quotes twice: `''`",
            _ => "the text goes on after its quote `\"`; put a text that has `\"` in it in single quotes",
        };
        self.certain(column, message);
    }

    /// A line outside of brackets and quotes.
    fn entry(&mut self, line: &str, content: &str, indent: usize) {
        if let Some((at, name)) = first_invisible(content)
            && at == 0
        {
            let place =
                if indent == 0 || content.chars().skip(1).any(|next| next == ' ') { "indentation" } else { "text" };
            let message = match place {
                "indentation" => format!("{name}, copied from elsewhere, is not indentation; use spaces"),
                _ => format!("{name}, copied from elsewhere, is before the key; delete it"),
            };
            return self.certain(columns(line, indent), message);
        }
        if self.of_another_language(content, indent) {
            return;
        }
        let mut start = indent;
        // Dashes of list elements, and the key after them.
        loop {
            let rest = &line[start..];
            let Some(after) = rest.strip_prefix('-').or_else(|| rest.strip_prefix('?')) else { break };
            if after.starts_with([' ', '\t']) {
                start = line.len() - after.trim_start_matches([' ', '\t']).len();
            } else {
                break;
            }
        }
        let rest = &line[start..];
        if rest.is_empty() || rest.starts_with('#') {
            return;
        }
        if rest.starts_with('-') && begins_an_entry(&rest[1..]) && !rest.starts_with("--") {
            return self.certain(columns(line, start), "the dash of a list element needs a blank after it");
        }
        let Some((key, value)) = split_entry(rest) else { return self.no_entry(line, rest, start) };
        let at = start + value;
        let name = key.trim_matches(['"', '\'', ' ']);
        if let Some((place, invisible)) = first_invisible(key) {
            let message = format!("{invisible}, copied from elsewhere, is part of the key; delete it");
            return self.certain(columns(line, start + place), message);
        }
        self.value(line, name, at, indent);
    }

    /// Lines that belong to other languages. Returns whether this is one.
    fn of_another_language(&mut self, content: &str, indent: usize) -> bool {
        let message = match content {
            text if text.starts_with("```") => "this mark of a code block is not part of the config; delete the line",
            text if text.starts_with("//") || text.starts_with("/*") => "a comment begins with `#`",
            text if self.slips.is_empty() && (text.starts_with("<!") || text.starts_with("<html")) => {
                "this is a web page, not a config: download the file itself"
            }
            text if text.starts_with('%') && indent == 0 => "a line cannot begin with `%`; put the text in quotes",
            _ => return false,
        };
        self.certain(indent, message);
        // The parser may stop anywhere in a web page.
        if let Some(slip) = self.slips.last_mut() {
            slip.is_open = true;
        }
        true
    }

    /// A line without a key.
    fn no_entry(&mut self, line: &str, rest: &str, start: usize) {
        let column = columns(line, start);
        if rest.starts_with([']', '}']) {
            return self.certain(column, format!("there is no open bracket for this `{}`", &rest[..1]));
        }
        if let Some((at, message)) = quotes_needed(rest) {
            return self.certain(columns(line, start + at), message);
        }
        if rest.starts_with(['[', '{', '"', '\'']) {
            return self.value(line, "", start, start);
        }
        if let Some(colon) = rest.find(':')
            && is_key(&rest[..colon])
            && !rest[colon..].starts_with("://")
        {
            let key = &rest[..colon];
            let (at, message) = match first_invisible(&rest[colon + 1..]) {
                Some((0, name)) => (colon + 1, format!("after the colon of `{key}` there is {name}; write a blank")),
                _ => (colon + 1, format!("the colon after `{key}` needs a blank after it")),
            };
            return self.add(columns(line, start + at), message, false);
        }
        if let Some(sign) = rest.find('=')
            && is_key(rest[..sign].trim_end())
        {
            let key = rest[..sign].trim_end();
            return self.add(columns(line, start + sign), format!("write `{key}:` with a colon, not with `=`"), false);
        }
        if self.after_block == Some(self.line) {
            return self.add(column, "the lines of a text after `|` or `>` must be indented more than its key", false);
        }
        let word = rest.split_whitespace().next().unwrap_or_default();
        let after = rest.get(word.len()..).unwrap_or_default().trim_start();
        if is_key(word) && (after.is_empty() || after.starts_with(['[', '{'])) {
            self.add(column, format!("`{word}` needs a colon after it if it is a key"), false);
        } else {
            let message =
                "this line has no colon; a key needs one, and a text that goes on must be indented more than its key";
            self.add(column, message, false);
        }
    }

    /// The value of a key, which begins at `at` in its line.
    fn value(&mut self, line: &str, key: &str, at: usize, indent: usize) {
        let text = &line[at..];
        let column = columns(line, at);
        if let Some((place, message)) = quotes_needed(text) {
            return self.certain(columns(line, at + place), message);
        }
        match text.chars().next() {
            Some(sign @ ('"' | '\'')) => {
                if let Some(wrong) = wrong_escape(text) {
                    let message =
                        "a backslash in double quotes begins an escape; use single quotes for a text with backslashes";
                    self.certain(columns(line, at + wrong), message);
                }
                let place = TextPosition { line: self.line, column: column + 1 };
                self.go_on_in_quotes(Opened { sign, place, indent }, line, at + 1);
            }
            Some('[' | '{') => self.in_brackets(line, at, indent),
            Some('|' | '>') => {
                let head = text[1..].split('#').next().unwrap_or_default().trim();
                if head.chars().all(|sign| sign.is_ascii_digit() || sign == '-' || sign == '+') {
                    self.block = Some(indent);
                } else {
                    let sign = &text[..1];
                    let message = format!(
                        "a text that begins with `{sign}` needs quotes; a text of several lines begins in the line after `{sign}`"
                    );
                    self.certain(column, message);
                }
            }
            Some('#') | None => {}
            Some(_) => self.plain(line, key, at),
        }
    }

    /// A text without quotes.
    fn plain(&mut self, line: &str, key: &str, at: usize) {
        let text = &line[at..];
        let text = text.split(" #").next().unwrap_or_default().trim_end();
        let typographic = text.chars().any(|sign| matches!(sign, '“' | '”' | '„' | '‘' | '’' | '«' | '»'));
        if let Some(colon) = text.find(": ").or_else(|| text.strip_suffix(':').map(str::len)) {
            let message = match typographic && text.starts_with(['“', '”', '„', '‘', '’', '«', '»']) {
                _ if colon + 1 == text.len() => "a text that ends with a colon needs quotes".to_owned(),
                true => "these are typographic quotes, which are ordinary letters here; use straight ones: `\"` or `'`"
                    .to_owned(),
                false if key.is_empty() => "a text with a colon and a blank in it needs quotes".to_owned(),
                false => format!("the text of `{key}` has a colon and a blank in it, so it needs quotes"),
            };
            self.certain(columns(line, at + colon), message);
        } else if let Some((0, name)) = first_invisible(text) {
            self.add(columns(line, at), format!("the text of `{key}` begins with {name}; delete it"), false);
        }
    }

    /// The rest of a line in brackets, from a byte on.
    fn in_brackets(&mut self, line: &str, from: usize, indent: usize) {
        let mut rest = from;
        // Counted on, because a line may have a million brackets.
        let mut column = columns(line, from) + 1;
        let mut previous = ' ';
        while let Some(first) = line[rest..].chars().next() {
            let place = TextPosition { line: self.line, column };
            let begins = matches!(previous, '[' | '{' | ',' | ':' | ' ');
            match first {
                '"' | '\'' if begins => match end_of_quote(&line[rest + 1..], first) {
                    Some(end) => {
                        column += columns(&line[rest..], 1 + end);
                        rest += 1 + end;
                        if line[rest..].trim_start().starts_with(['{', '[', '"', '\'']) {
                            self.certain(columns(line, rest), "a comma is missing between two elements");
                        }
                        previous = first;
                        continue;
                    }
                    None => {
                        self.quote = Some(Opened { sign: first, place, indent });
                        return;
                    }
                },
                '[' | '{' => self.brackets.push(Opened { sign: first, place, indent }),
                ']' | '}' => {
                    let opened = self.brackets.pop();
                    match opened.map(|opened| (opened, closing(opened.sign))) {
                        Some((_, sign)) if sign == first => {}
                        Some((opened, sign)) => {
                            let message = format!(
                                "`{first}` closes a `{}` that was opened in line {}; `{sign}` is missing",
                                opened.sign, opened.place.line
                            );
                            return self.certain(columns(line, rest), message);
                        }
                        None => {
                            return self
                                .certain(columns(line, rest), format!("there is no open bracket for this `{first}`"));
                        }
                    }
                    let after = &line[rest + 1..];
                    if self.brackets.is_empty() {
                        let next = after.trim_start();
                        if next.starts_with([']', '}']) {
                            let sign = &next[..1];
                            let column = columns(line, line.len() - next.len());
                            self.certain(column, format!("there is no open bracket for this `{sign}`"));
                        } else if !is_end(after) && !next.starts_with(':') {
                            let opened = opened.map_or('[', |opened| opened.sign);
                            let message = format!("a text that begins with `{opened}` needs quotes");
                            self.certain(columns(line, rest + 1), message);
                        }
                        return;
                    }
                    if after.trim_start().starts_with(['{', '[', '"', '\'']) {
                        self.certain(columns(line, rest + 1), "a comma is missing between two elements");
                    }
                }
                '#' if previous == ' ' => return,
                ':' if line[rest + 1..].starts_with(' ') && self.has_second_colon(&line[rest + 2..]) => {
                    let message =
                        "a comma is missing between two entries in brackets, or a text with a colon needs quotes";
                    return self.certain(columns(line, rest), message);
                }
                '@' | '`' | '%' if begins => {
                    return self
                        .certain(columns(line, rest), format!("a text that begins with `{first}` needs quotes"));
                }
                _ => {}
            }
            previous = first;
            rest += first.len_utf8();
            column += 1;
        }
    }

    /// Whether the value of an entry in brackets has another colon before its end.
    fn has_second_colon(&self, value: &str) -> bool {
        let value = value.trim_start();
        !value.starts_with(['[', '{', '"', '\''])
            && value.split([',', ']', '}', '[', '{', '#']).next().is_some_and(|value| value.contains(": "))
    }
}

/// What makes quotes necessary at the beginning of a text, as its place in bytes and a message.
fn quotes_needed(text: &str) -> Option<(usize, String)> {
    let first = text.chars().next()?;
    let next = text[first.len_utf8()..].chars().next();
    let is_alone = next.is_none_or(|next| next == ' ');
    let sign = match first {
        '@' | '`' | '%' | ',' | ']' | '}' => first,
        '-' | '?' | ':' if is_alone && next.is_some() => first,
        '&' | '*' | '!' => {
            // Anchors, aliases and tags are one word; the parser reports the others.
            let word = text[1..].split_whitespace().next().unwrap_or_default();
            let is_name = word
                .chars()
                .all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '!' | '<' | '>' | ':' | '.' | ','));
            if first == '*' {
                let message = "a text that begins with `*` needs quotes; without them it is an alias, which needs an anchor with `&`";
                return Some((0, message.to_owned()))
                    .filter(|_| is_alone || !is_name || !text.trim_end().ends_with(word));
            }
            if !is_alone && is_name {
                return None;
            }
            first
        }
        '{' if next == Some('{') => {
            return Some((0, "a template such as `{{ name }}` needs quotes".to_owned()));
        }
        _ => return None,
    };
    let sign = if sign == '`' { "a backtick".to_owned() } else { format!("`{sign}`") };
    Some((0, format!("a text that begins with {sign} needs quotes")))
}

/// Key and place of the value of an entry; `None` if a line is none.
fn split_entry(rest: &str) -> Option<(&str, usize)> {
    let after_key = match rest.chars().next()? {
        sign @ ('"' | '\'') => 1 + end_of_quote(&rest[1..], sign)?,
        '[' | '{' | '#' => return None,
        _ => {
            let is_colon = |(at, _): &(usize, &str)| {
                let after = &rest[at + 1..];
                after.is_empty() || after.starts_with([' ', '\t'])
            };
            rest.match_indices(':').find(is_colon)?.0
        }
    };
    let after = rest[after_key..].trim_start().strip_prefix(':')?;
    let value = after.trim_start_matches([' ', '\t']);
    let is_separated = after.is_empty() || value.len() < after.len();
    is_separated.then(|| (&rest[..after_key], rest.len() - value.len()))
}

/// Whether a line looks like an entry of a mapping, perhaps as the first one of a list element.
fn begins_an_entry(content: &str) -> bool {
    let content = content.trim_start_matches("- ").trim_start();
    split_entry(content).is_some_and(|(key, _)| is_key(key.trim_matches(['"', '\''])))
}

/// Whether a text looks like a key: one word.
fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$' | '.'))
}

/// The length of a text in quotes, without the first one, with the last one.
fn end_of_quote(text: &str, sign: char) -> Option<usize> {
    let mut signs = text.char_indices().peekable();
    while let Some((at, character)) = signs.next() {
        if character == '\\' && sign == '"' {
            signs.next();
        } else if character == sign {
            if sign == '\'' && signs.peek().is_some_and(|(_, next)| *next == '\'') {
                signs.next();
                continue;
            }
            return Some(at + 1);
        }
    }
    None
}

/// The place of a backslash in a text in double quotes that begins no escape.
fn wrong_escape(text: &str) -> Option<usize> {
    if !text.starts_with('"') {
        return None;
    }
    let end = end_of_quote(&text[1..], '"').map_or(text.len(), |end| end + 1);
    let mut signs = text[..end].char_indices();
    while let Some((at, character)) = signs.next() {
        if character == '\\' {
            let (_, next) = signs.next()?;
            if !"0abt\tnvfre \"/\\N_LPxuU".contains(next) {
                return Some(at);
            }
        }
    }
    None
}

/// Whether nothing but a comment follows.
fn is_end(rest: &str) -> bool {
    let text = rest.trim_start();
    text.is_empty() || text.starts_with('#') && text.len() < rest.len()
}

fn closing(sign: char) -> char {
    if sign == '[' { ']' } else { '}' }
}

/// The number of characters before a byte of a line.
fn columns(line: &str, at: usize) -> usize {
    line.get(..at).unwrap_or(line).chars().count()
}

/// A line whose indentation fits no line above it.
fn indentation(source: &str, stopped: TextPosition) -> Option<Slip> {
    let is_content = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let lines: Vec<(usize, &str)> = source.lines().enumerate().filter(|(_, line)| is_content(line)).collect();
    let at = lines.iter().position(|(index, _)| index + 1 >= stopped.line)?;
    let (index, line) = lines[at];
    let own = spaces(line);
    let starts_list = |line: &str| line.trim_start().starts_with("- ") || line.trim() == "-";
    let (above_index, above) = *lines.get(at.checked_sub(1)?)?;
    // The keys of a list element begin after its dash.
    let start = |line: &str| {
        let rest = line.trim_start_matches(' ');
        if starts_list(line) { line.len() - rest[1..].trim_start().len() } else { spaces(line) }
    };
    let place = TextPosition { line: index + 1, column: own + 1 };
    let slip = |message: String| Some(Slip { place, message, is_certain: true, is_open: false });
    if own > start(above) && !above.trim_end().ends_with(':') {
        return slip(format!(
            "this line is indented more than line {}, which already has a value; begin it in the same column, {}",
            above_index + 1,
            start(above) + 1
        ));
    }
    let fitting: Vec<usize> = lines[..at].iter().flat_map(|(_, line)| [spaces(line), start(line)]).collect();
    if !fitting.contains(&own) {
        let nearest = fitting.iter().min_by_key(|column| (column.abs_diff(own), **column != start(above)))?;
        return slip(format!(
            "this line is indented by {}, which fits no line above it; perhaps it should be {nearest}",
            count_of_spaces(own)
        ));
    }
    let owner = lines[..at]
        .iter()
        .rev()
        .find(|(_, line)| spaces(line) <= own && (spaces(line) == own || start(line) == own))?;
    match (starts_list(line), starts_list(owner.1) && spaces(owner.1) == own) {
        (true, false) => {
            slip(format!("a list element cannot stand between keys; line {} has a key in the same column", owner.0 + 1))
        }
        (false, true) => slip(format!(
            "a key cannot stand between list elements; line {} has a dash in the same column",
            owner.0 + 1
        )),
        _ => None,
    }
}

fn count_of_spaces(count: usize) -> String {
    if count == 1 { "1 space".to_owned() } else { format!("{count} spaces") }
}
