//! The address of a service from the rules of its Traefik routers, in the grammar of v2 and v3: matchers such as
//! ``Host(`a.example`)``, joined by `&&`, `||`, `!` and parentheses. `&&` binds tighter than `||`.

use std::collections::{BTreeMap, HashMap};

use super::{is_host, is_path};

/// Maximum length of a rule, in bytes.
const MAX_RULE: usize = 4096;
/// Maximum depth of parentheses and negations.
const MAX_DEPTH: usize = 32;
/// Maximum number of combinations of a rule that are looked at.
const MAX_TARGETS: usize = 64;

/// What a rule lets through, if that is an address which a browser can open.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Target {
    /// The host.
    pub host: String,
    /// The path, or an empty text.
    pub path: String,
    /// Whether the rule also demands something that no address can express, such as a header.
    pub is_conditional: bool,
}

/// One way to satisfy a rule.
#[derive(Clone, Debug, Default)]
struct Way {
    host: Option<String>,
    path: Option<String>,
    is_conditional: bool,
}

#[derive(Debug)]
enum Rule {
    And(Box<Rule>, Box<Rule>),
    Or(Box<Rule>, Box<Rule>),
    Not(Box<Rule>),
    Matcher(String, Vec<String>),
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Token {
    Name(String),
    Text(String),
    Sign(&'static str),
}

/// The addresses that a rule lets through, in its order. Wildcards, regular expressions and negated matchers give none.
///
/// # Errors
///
/// Why the rule cannot be read, as the rest of a sentence.
pub fn targets(rule: &str) -> Result<Vec<Target>, String> {
    let tokens = tokens(rule)?;
    let mut parser = Parser { tokens, at: 0 };
    let rule = parser.either(0)?;
    if let Some(token) = parser.tokens.get(parser.at) {
        return Err(format!("has {} too much", shown(token)));
    }
    let target = |way: Way| {
        let path = way.path.unwrap_or_default();
        Some(Target { host: way.host?, path, is_conditional: way.is_conditional })
    };
    Ok(rule.ways(false).into_iter().filter_map(target).collect())
}

fn shown(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("`{name}`"),
        Token::Text(_) => "a value".to_owned(),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}

fn tokens(rule: &str) -> Result<Vec<Token>, String> {
    const SIGNS: [&str; 6] = ["&&", "||", "!", "(", ")", ","];
    if rule.len() > MAX_RULE {
        return Err(format!("is longer than {MAX_RULE} bytes"));
    }
    let mut tokens = Vec::new();
    let mut rest = rule.trim_start();
    while let Some(first) = rest.chars().next() {
        if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        } else if first == '`' {
            let (text, after) = rest[1..].split_once('`').ok_or("has a value without a closing backtick")?;
            tokens.push(Token::Text(text.to_owned()));
            rest = after;
        } else if first == '"' {
            let (text, after) = quoted(&rest[1..])?;
            tokens.push(Token::Text(text));
            rest = after;
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            return Err(format!("has `{first}`, which no rule may have there"));
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// A value in double quotes, with backslashes before quotes and backslashes; and what follows it.
fn quoted(text: &str) -> Result<(String, &str), String> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Ok((value, &text[at + 1..])),
            '\\' => match letters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                // Part of a regular expression.
                Some((_, other)) => value.extend(['\\', other]),
                None => break,
            },
            other => value.push(other),
        }
    }
    Err("has a value without a closing quote".to_owned())
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn takes(&mut self, sign: &'static str) -> bool {
        let is_next = self.tokens.get(self.at) == Some(&Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn either(&mut self, depth: usize) -> Result<Rule, String> {
        let mut rule = self.both(depth)?;
        while self.takes("||") {
            rule = Rule::Or(Box::new(rule), Box::new(self.both(depth)?));
        }
        Ok(rule)
    }

    fn both(&mut self, depth: usize) -> Result<Rule, String> {
        let mut rule = self.single(depth)?;
        while self.takes("&&") {
            rule = Rule::And(Box::new(rule), Box::new(self.single(depth)?));
        }
        Ok(rule)
    }

    fn single(&mut self, depth: usize) -> Result<Rule, String> {
        if depth > MAX_DEPTH {
            return Err("is nested too deeply".to_owned());
        }
        if self.takes("!") {
            return Ok(Rule::Not(Box::new(self.single(depth + 1)?)));
        }
        if self.takes("(") {
            let rule = self.either(depth + 1)?;
            return if self.takes(")") { Ok(rule) } else { Err("lacks a closing parenthesis".to_owned()) };
        }
        match self.tokens.get(self.at).cloned() {
            Some(Token::Name(name)) => {
                self.at += 1;
                Ok(Rule::Matcher(name, self.values()?))
            }
            Some(token) => Err(format!("has {} where a matcher such as `Host` is expected", shown(&token))),
            None => Err("ends where a matcher such as `Host` is expected".to_owned()),
        }
    }

    fn values(&mut self) -> Result<Vec<String>, String> {
        let mut values = Vec::new();
        if !self.takes("(") {
            return Err("has a matcher without parentheses".to_owned());
        }
        if self.takes(")") {
            return Ok(values);
        }
        loop {
            let Some(Token::Text(value)) = self.tokens.get(self.at) else {
                return Err("has a value without backticks or double quotes".to_owned());
            };
            values.push(value.clone());
            self.at += 1;
            if self.takes(")") {
                return Ok(values);
            }
            if !self.takes(",") {
                return Err("lacks a comma or a closing parenthesis after a value".to_owned());
            }
        }
    }
}

impl Rule {
    fn ways(&self, is_negated: bool) -> Vec<Way> {
        match self {
            Self::Not(inner) => inner.ways(!is_negated),
            Self::And(one, other) if !is_negated => joined(&one.ways(false), &other.ways(false)),
            // By De Morgan: `!(a || b)` is `!a && !b`.
            Self::Or(one, other) if is_negated => joined(&one.ways(true), &other.ways(true)),
            Self::And(one, other) | Self::Or(one, other) => {
                let mut ways = one.ways(is_negated);
                ways.extend(other.ways(is_negated));
                ways.truncate(MAX_TARGETS);
                ways
            }
            Self::Matcher(..) if is_negated => vec![Way::default()],
            Self::Matcher(name, values) => matched(&name.to_ascii_lowercase(), values),
        }
    }
}

/// All combinations of ways that both sides allow.
fn joined(left: &[Way], right: &[Way]) -> Vec<Way> {
    let pairs = left.iter().flat_map(|one| right.iter().map(move |other| (one, other)));
    let both = |(one, other): (&Way, &Way)| {
        if let (Some(host), Some(second)) = (&one.host, &other.host)
            && host != second
        {
            return None;
        }
        let longer = match (&one.path, &other.path) {
            (Some(path), Some(second)) if second.len() > path.len() => Some(second),
            (path, second) => path.as_ref().or(second.as_ref()),
        };
        Some(Way {
            host: one.host.clone().or_else(|| other.host.clone()),
            path: longer.cloned(),
            is_conditional: one.is_conditional || other.is_conditional,
        })
    };
    pairs.filter_map(both).take(MAX_TARGETS).collect()
}

/// The ways of a matcher; its name is in lower case, because v2 does not distinguish case.
fn matched(name: &str, values: &[String]) -> Vec<Way> {
    let values = values.iter().take(MAX_TARGETS);
    match name {
        "host" | "hostheader" => {
            let hosts = values.map(|host| host.trim().to_ascii_lowercase()).filter(|host| is_host(host));
            hosts.map(|host| Way { host: Some(host), ..Way::default() }).collect()
        }
        "path" | "pathprefix" => {
            // A path with a regular expression, as v2 allows, cannot be opened.
            let way = |path: &String| match is_path(path) {
                true => Way { path: Some(path.clone()).filter(|path| path != "/"), ..Way::default() },
                false => Way { is_conditional: true, ..Way::default() },
            };
            values.map(way).collect()
        }
        // Browsers send these.
        "method" | "clientip" => vec![Way::default()],
        // No host is certain to match.
        "hostregexp" => Vec::new(),
        _ => vec![Way { is_conditional: true, ..Way::default() }],
    }
}

/// A router, as its labels describe it.
#[derive(Debug, Default)]
struct Router {
    rule: Option<String>,
    priority: Option<i64>,
    is_secure: bool,
}

/// The address from the labels of a container; `None` if no rule gives one. Each rule that cannot be read adds a sentence to
/// the notes.
pub fn address(labels: &BTreeMap<String, String>, notes: &mut Vec<String>) -> Option<String> {
    let mut routers: BTreeMap<String, Router> = BTreeMap::new();
    let mut values: HashMap<String, &str> = HashMap::new();
    for (label, value) in labels {
        // Traefik does not distinguish case in labels.
        let label = label.to_ascii_lowercase();
        let value = value.trim();
        if let Some((name, option)) = label.strip_prefix("traefik.http.routers.").and_then(|rest| rest.split_once('.'))
        {
            let router = routers.entry(name.to_owned()).or_default();
            match option {
                "rule" => router.rule = Some(value.to_owned()),
                "priority" => router.priority = value.parse().ok(),
                "entrypoints" => {
                    let mut names = value.split(',').map(|name| name.trim().to_ascii_lowercase());
                    router.is_secure |= names.any(|name| matches!(name.as_str(), "websecure" | "https"));
                }
                "tls" => router.is_secure |= value.eq_ignore_ascii_case("true"),
                option if option.starts_with("tls.") => router.is_secure = true,
                _ => {}
            }
        } else {
            values.insert(label, value);
        }
    }
    if values.get("traefik.enable").is_some_and(|value| value.eq_ignore_ascii_case("false")) {
        return None;
    }
    let mut found = Vec::new();
    for (name, router) in routers {
        let Some(rule) = router.rule else { continue };
        match targets(&rule) {
            Ok(targets) => {
                let target =
                    targets.iter().position(|target| !target.is_conditional).or((!targets.is_empty()).then_some(0));
                let Some(target) = target.and_then(|at| targets.into_iter().nth(at)) else { continue };
                // Without a priority, it is the length of the rule.
                let priority = router.priority.filter(|priority| *priority != 0);
                let priority = priority.unwrap_or_else(|| i64::try_from(rule.len()).unwrap_or(i64::MAX));
                found.push((target.is_conditional, std::cmp::Reverse((priority, router.is_secure)), target));
            }
            Err(reason) => notes.push(format!("the rule of the Traefik router `{name}` {reason}")),
        }
    }
    found.sort_by_key(|(is_conditional, order, _)| (*is_conditional, *order));
    let (_, std::cmp::Reverse((_, is_secure)), target) = found.into_iter().next()?;
    let scheme = if is_secure { "https" } else { "http" };
    Some(format!("{scheme}://{}{}", target.host, target.path))
}

/// The port in the container that Traefik contacts.
pub fn port(labels: &BTreeMap<String, String>) -> Option<u16> {
    let is_port = |label: &str| {
        let label = label.to_ascii_lowercase();
        label.starts_with("traefik.http.services.") && label.ends_with(".loadbalancer.server.port")
    };
    labels.iter().find(|(label, _)| is_port(label)).and_then(|(_, value)| value.trim().parse().ok())
}
