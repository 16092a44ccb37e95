//! Finds what a browser would ignore in a style sheet, and what it would load from other hosts, with line numbers. Browsers do
//! not report it themselves.

use css_values::leading_imports;

use crate::texts::{fill, t};

/// The maximum number of listed problems.
const MAX_PROBLEMS: usize = 20;
/// The maximum number of letters of a text in a message.
const MAX_LETTERS: usize = 60;
/// Rules that hold other rules.
const GROUPS: [&str; 6] = ["@media", "@supports", "@layer", "@container", "@scope", "@starting-style"];

/// What a browser supports.
pub trait Browser {
    /// Whether it knows a property, and the value for it.
    fn supports(&self, property: &str, value: &str) -> bool;
    /// Whether a text is a selector.
    fn is_selector(&self, text: &str) -> bool;
}

/// A problem of a style sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CssProblem {
    /// Its line, from 1.
    pub line: usize,
    /// What is wrong, in a sentence.
    pub message: String,
    /// Whether it is about something that has an effect.
    pub is_remark: bool,
}

/// Checks a style sheet. The problems are in the order of the lines.
pub fn check(css: &str, browser: &impl Browser) -> Vec<CssProblem> {
    let mut check = Check { css, browser, at: 0, problems: Vec::new() };
    check.tags();
    check.block(Content::Rules, None);
    check.others();
    let mut problems = check.problems;
    problems.sort_by_key(|problem| problem.line);
    problems.truncate(MAX_PROBLEMS);
    problems
}

/// What a block contains.
#[derive(Clone, Copy, PartialEq)]
enum Content {
    Rules,
    /// Declarations and rules.
    Style,
    /// What is not checked.
    Other,
}

struct Check<'a, B> {
    css: &'a str,
    browser: &'a B,
    /// The position in the text, in bytes.
    at: usize,
    problems: Vec<CssProblem>,
}

impl<B: Browser> Check<'_, B> {
    fn line_at(&self, at: usize) -> usize {
        self.css[..at].matches('\n').count() + 1
    }

    fn tell(&mut self, at: usize, message: String) {
        self.problems.push(CssProblem { line: self.line_at(at), message, is_remark: false });
    }

    fn letter(&self) -> Option<char> {
        self.css[self.at..].chars().next()
    }

    /// Goes on by one letter.
    fn step(&mut self) {
        self.at += self.letter().map_or(0, char::len_utf8);
    }

    fn tags(&mut self) {
        for (at, _) in self.css.match_indices('<') {
            let is_tag = |next: char| next.is_ascii_alphabetic() || "/!?".contains(next);
            if self.css[at + 1..].starts_with(is_tag) {
                self.tell(at, t("Tags are removed from styles."));
            }
        }
    }

    /// Skips a comment or a string that begins here. Returns whether there was one.
    fn skip(&mut self) -> bool {
        let begin = self.at;
        if let Some(comment) = self.css[begin..].strip_prefix("/*") {
            match comment.find("*/") {
                Some(length) => self.at = begin + length + "/**/".len(),
                None => {
                    self.tell(begin, t("This comment has no end; `*/` is missing."));
                    self.at = self.css.len();
                }
            }
            return true;
        }
        let Some(quote) = self.letter().filter(|letter| ['"', '\''].contains(letter)) else { return false };
        self.step();
        while let Some(letter) = self.letter().filter(|letter| *letter != quote && *letter != '\n') {
            self.step();
            if letter == '\\' {
                self.step();
            }
        }
        if self.letter() != Some(quote) {
            let quote = quote.to_string();
            self.tell(begin, fill("This text has no end; {quote} is missing.", &[("quote", &quote)]));
        }
        self.step();
        true
    }

    /// Reads to the next `{`, `}` or `;` outside of brackets. Returns the text without comments, and where it begins.
    fn read(&mut self) -> (String, usize) {
        let mut text = String::new();
        let mut depth = 0_usize;
        let mut begin = None;
        while let Some(letter) = self.letter() {
            let from = self.at;
            let is_comment = self.css[from..].starts_with("/*");
            if self.skip() {
                if !is_comment {
                    text.push_str(&self.css[from..self.at]);
                    begin.get_or_insert(from);
                }
                continue;
            }
            match letter {
                '{' | '}' => break,
                ';' if depth == 0 => break,
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if !letter.is_whitespace() {
                begin.get_or_insert(from);
            }
            text.push(letter);
            self.step();
        }
        (text.trim().to_owned(), begin.unwrap_or(self.at))
    }

    /// Reads to the end of a block, or of the text. `opened` is where the block begins; `None` for the text.
    fn block(&mut self, content: Content, opened: Option<usize>) {
        loop {
            let (text, begin) = self.read();
            let end = self.letter();
            self.step();
            if end == Some('{') {
                let is_group = is_group(&text);
                // Other at-rules, and values of custom properties.
                let is_other =
                    content == Content::Other || text.starts_with('@') && !is_group || text.starts_with("--");
                if !is_other && !is_group {
                    self.selector(&text, begin);
                }
                let inside = match (is_other, is_group) {
                    (true, _) => Content::Other,
                    (false, true) => content,
                    (false, false) => Content::Style,
                };
                self.block(inside, Some(begin));
                continue;
            }
            if content == Content::Style {
                self.declaration(&text, begin);
            } else if content == Content::Rules && !text.is_empty() && !text.starts_with('@') {
                self.tell(
                    begin,
                    fill("`{text}` is in no rule. Write `selector { property: value; }`.", &[("text", &short(&text))]),
                );
            }
            match (end, opened) {
                (Some(';'), _) => {}
                (Some(_), None) => self.tell(self.at - 1, t("There is no block that this `}` would end.")),
                (None, Some(opened)) => return self.tell(opened, t("This block has no end; `}` is missing.")),
                _ => return,
            }
        }
    }

    fn declaration(&mut self, text: &str, begin: usize) {
        if text.is_empty() {
            return;
        }
        let Some((name, value)) = text.split_once(':') else {
            return self
                .tell(begin, fill("`{text}` has no colon. Write `property: value;`.", &[("text", &short(text))]));
        };
        let (name, value) = (name.trim(), without_importance(value.trim()));
        if name.starts_with("--") || self.browser.supports(name, value) {
            return;
        }
        let values = [("name", &*short(name)), ("value", &*short(value))];
        self.tell(
            begin,
            if !self.browser.supports(name, "initial") {
                fill("There is no property `{name}`.", &values)
            } else if value.is_empty() {
                fill("`{name}` has no value.", &values)
            } else if value.contains(':') {
                fill("`{name}` takes no `{value}`. Is a semicolon missing at its end?", &values)
            } else {
                fill("`{name}` takes no `{value}`.", &values)
            },
        );
    }

    fn selector(&mut self, text: &str, begin: usize) {
        if text.is_empty() {
            return self.tell(begin, t("A selector is missing before `{`."));
        }
        // A nested rule may begin with a combinator or contain `&`.
        let text_of = |part: &str| match part.trim() {
            part if part.starts_with(['>', '+', '~']) => format!("* {part}"),
            part => part.to_owned(),
        };
        let whole: Vec<_> = text.replace('&', "*").split(',').map(text_of).collect();
        if !self.browser.is_selector(&whole.join(",")) {
            self.tell(begin, fill("`{text}` is no selector.", &[("text", &short(text))]));
        }
    }

    /// What is loaded from elsewhere.
    fn others(&mut self) {
        let plain = without_comments(self.css);
        let lower = plain.to_ascii_lowercase();
        // The server takes these as style sheets of the page.
        let top = plain.len() - leading_imports(&plain).1.len();
        for (at, _) in lower.match_indices("@import").filter(|(at, _)| *at >= top) {
            self.tell(at, t("This `@import` is left out: it works only at the very top, without conditions."));
        }
        let mut hosts = Vec::new();
        let imports = lower.match_indices("@import").map(|(at, word)| (at, at + word.len(), at >= top));
        let addresses = lower
            .match_indices("url(")
            .map(|(at, word)| (at, at + word.len(), at >= top && lower[..at].trim_end().ends_with("@import")));
        let mut places: Vec<_> = imports.chain(addresses).collect();
        places.sort_unstable();
        for (at, end, is_late) in places {
            let address = plain[end..].trim_start().trim_start_matches(['"', '\'']);
            let Some(host) = host_of(address).filter(|host| !is_late && !hosts.contains(host)) else { continue };
            let message = fill(
                "`{host}` is another host. The server fetches from it, so that browsers do not; what it cannot fetch is left out.",
                &[("host", &host)],
            );
            hosts.push(host);
            self.problems.push(CssProblem { line: self.line_at(at), message, is_remark: true });
        }
    }
}

/// Whether a rule holds other rules.
fn is_group(text: &str) -> bool {
    let word_end = |letter: char| !letter.is_alphanumeric() && letter != '-' && letter != '_' && letter != '@';
    let word = text.split(word_end).next().unwrap_or_default();
    GROUPS.iter().any(|group| word.eq_ignore_ascii_case(group))
}

/// A value without `!important` at its end.
fn without_importance(value: &str) -> &str {
    let word = value.rsplit(['!', ' ', '\n', '\t']).next().unwrap_or_default();
    if !word.eq_ignore_ascii_case("important") {
        return value;
    }
    let before = value[..value.len() - word.len()].trim_end();
    before.strip_suffix('!').map_or(value, str::trim_end)
}

/// The same text with blanks in the place of comments.
fn without_comments(css: &str) -> String {
    let mut rest = css;
    let mut plain = String::with_capacity(css.len());
    while let Some((before, after)) = rest.split_once("/*") {
        let Some(length) = after.find("*/") else { break };
        plain.push_str(before);
        let comment = &rest[before.len()..before.len() + length + "/**/".len()];
        plain.extend(comment.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        rest = &after[length + "*/".len()..];
    }
    plain + rest
}

/// The host of an address on the web that a text begins with.
fn host_of(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let rest = ["https://", "http://", "//"].iter().find_map(|scheme| lower.strip_prefix(scheme))?;
    let end = |letter: char| letter.is_whitespace() || "/?#\"');".contains(letter);
    let host = rest.split(end).next()?;
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    (!host.is_empty()).then(|| host.to_owned())
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A browser that knows three properties.
    struct Three;

    impl Browser for Three {
        fn supports(&self, property: &str, value: &str) -> bool {
            let is_length = |part: &str| part.strip_suffix("px").is_some_and(|number| number.parse::<u8>().is_ok());
            match property {
                "color" => ["red", "teal", "initial"].contains(&value),
                "margin" => value == "initial" || value.split(' ').all(is_length),
                "background" => {
                    ["none", "initial"].contains(&value) || value.starts_with("url(") && value.ends_with(')')
                }
                _ => false,
            }
        }

        fn is_selector(&self, text: &str) -> bool {
            let is_known = |letter: char| letter.is_alphanumeric() || ".#*:>+~[]=\"' -_,".contains(letter);
            text.chars().all(is_known) && !text.contains("..") && text.split(',').all(|part| !part.is_empty())
        }
    }

    fn told(css: &str) -> Vec<String> {
        check(css, &Three).iter().map(|problem| format!("{}: {}", problem.line, problem.message)).collect()
    }

    #[test]
    fn correct_css_has_no_remarks() {
        for css in [
            "",
            ".item { color: red }",
            "/* a } b */\n.item, #x > a { color: red; margin: 1px 2px !important; --mine: { anything }; }",
            "@media (width < 40rem) { .item { color: teal; } }",
            "@import \"a.css\";\n@layer mine;\n.item { background: url(\"data:a;b{}\") }",
            ".item { color: red; &:hover { color: teal } > b { margin: 1px } }",
            "@keyframes x { from { opacity: 0 } 50% { nonsense } }\n@font-face { font-family: \"A\"; src: url(a) }",
            "@media print { .item { @media (width > 1px) { color: red } } }",
        ] {
            assert_eq!(told(css), [""; 0], "{css}");
        }
    }

    #[test]
    fn what_a_browser_ignores_is_listed_with_its_line() {
        assert_eq!(
            told(".item {\n  colr: red;\n  color: redd;\n  margin\n}"),
            [
                "2: There is no property `colr`.",
                "3: `color` takes no `redd`.",
                "4: `margin` has no colon. Write `property: value;`."
            ]
        );
        assert_eq!(
            told("a { color: red\n  margin: 1px }"),
            ["1: `color` takes no `red\n  margin: 1px`. Is a semicolon missing at its end?"]
        );
        assert_eq!(told("..item { color: red }"), ["1: `..item` is no selector."]);
        let in_no_rule = "1: `color: red` is in no rule. Write `selector { property: value; }`.";
        assert_eq!(told("color: red;"), [in_no_rule]);
        assert_eq!(told("{ color: red }"), ["1: A selector is missing before `{`."]);
    }

    #[test]
    fn what_is_not_closed_or_closed_twice_is_listed() {
        assert_eq!(told("\n.item { color: red;\n"), ["2: This block has no end; `}` is missing."]);
        let extra = "2: There is no block that this `}` would end.";
        assert_eq!(told(".item { color: red }\n}\n.a { color: red }"), [extra]);
        assert_eq!(told(".item { color: red }\n/* never"), ["2: This comment has no end; `*/` is missing."]);
        assert_eq!(told(".a { background: url(\"x\n) }")[0], "1: This text has no end; \" is missing.");
    }

    #[test]
    fn tags_are_named_and_a_text_full_of_mistakes_gives_a_short_list() {
        let removed = "2: Tags are removed from styles.";
        let in_no_rule = "2: `</style><b>` is in no rule. Write `selector { property: value; }`.";
        assert_eq!(told(".a { color: red }\n</style><b>"), [removed, removed, in_no_rule]);
        assert_eq!(told(&".a { x: y }\n".repeat(100)).len(), MAX_PROBLEMS);
    }

    #[test]
    fn each_host_is_reported_once_and_so_is_an_import_that_comes_too_late() {
        let css = "@import url(\"https://fonts.example/a.css\");\n@import \"/own.css\";\n\
            .a { background: url(//pictures.example/a.png) }\n.b { background: url(https://pictures.example/b.png) }\n\
            /* url(https://comment.example) */\n.c { background: url(/own.png) }\n";
        let first_word = |problem: &CssProblem| problem.message.split(' ').next().unwrap().to_owned();
        let found: Vec<_> =
            check(css, &Three).iter().map(|found| (found.line, first_word(found), found.is_remark)).collect();
        assert_eq!(found, [(1, "`fonts.example`".to_owned(), true), (3, "`pictures.example`".to_owned(), true)]);
        let late =
            check(".a { color: red }\n@import \"/late.css\";\n@import url(https://print.example/a.css) print;", &Three);
        let late: Vec<_> = late.iter().map(|found| (found.line, &found.message[..28], found.is_remark)).collect();
        assert_eq!(late, [(2, "This `@import` is left out: ", false), (3, "This `@import` is left out: ", false)]);
    }
}
