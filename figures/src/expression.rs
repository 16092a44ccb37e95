//! The expressions of figures: a path into the answers, and a little arithmetic. They cannot loop, so a file from elsewhere
//! cannot keep the server busy.
//!
//! ```text
//! expression = product { ("+" | "-") product }
//! product    = value { ("*" | "/") value }
//! value      = number | "'" text "'" | path | function "(" expression { "," expression } ")" | "(" expression ")" | "-" value
//! path       = a JSONPath of RFC 9535, which begins with "$"
//! ```

use std::fmt;

use regex_lite::Regex;
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use serde_json_path::JsonPath;
use thiserror::Error;

/// How deeply an expression may be nested.
const MAX_DEPTH: usize = 16;
/// Maximum number of characters of an expression.
const MAX_LENGTH: usize = 1000;

/// What is wrong with an expression.
#[derive(Debug, Error)]
#[error("{problem} in `{text}`")]
pub struct ExpressionError {
    text: String,
    problem: String,
}

/// A compiled expression. It has the value of a number, a text or a flag, or none if it leads nowhere.
#[derive(Clone, Debug)]
pub struct Expression {
    node: Node,
    text: String,
}

#[derive(Clone, Debug)]
enum Node {
    Number(f64),
    Text(String),
    Path(Box<JsonPath>),
    Negative(Box<Node>),
    Calculation(Operator, Box<Node>, Box<Node>),
    Call(Function, Vec<Node>),
    Match(Box<Node>, Box<Regex>),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Function {
    /// How many values a path finds.
    Count,
    /// How many values of the first argument equal the second.
    Same,
    /// Their sum; what is not a number counts as 0.
    Sum,
    /// The mean of the numbers among them.
    Mean,
    /// The smallest number among them.
    Min,
    /// The largest number among them.
    Max,
    /// The length of a list, an object or a text.
    Size,
    /// The first argument that has a value.
    First,
    /// The number of a text with a suffix such as `1.2 M`, with a factor of 1024.
    Quantity,
    /// The arguments as one text.
    Join,
    /// The first capture group of a regular expression in a text, or the whole match.
    Match,
}

impl Function {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "count" => Self::Count,
            "same" => Self::Same,
            "sum" => Self::Sum,
            "mean" => Self::Mean,
            "min" => Self::Min,
            "max" => Self::Max,
            "size" => Self::Size,
            "first" => Self::First,
            "quantity" => Self::Quantity,
            "join" => Self::Join,
            "match" => Self::Match,
            _ => return None,
        })
    }
}

impl Expression {
    /// Compiles an expression.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let mut parser = Parser { rest: text, depth: 0 };
        let fail = |problem| ExpressionError { text: text.to_owned(), problem };
        if text.len() > MAX_LENGTH {
            return Err(ExpressionError { text: text.chars().take(40).collect(), problem: "too long".to_owned() });
        }
        let node = parser.sum().map_err(fail)?;
        match parser.peek() {
            None => Ok(Self { node, text: text.to_owned() }),
            Some(_) => Err(fail(format!("`{}` is one too many", parser.rest))),
        }
    }

    /// The value in these answers.
    #[must_use]
    pub fn value(&self, answers: &Value) -> Option<Value> {
        self.node.value(answers)
    }

    /// All values that a path finds; for another expression, its value.
    #[must_use]
    pub fn values(&self, answers: &Value) -> Vec<Value> {
        match &self.node {
            Node::Path(path) => path.query(answers).all().into_iter().cloned().collect(),
            node => node.value(answers).into_iter().collect(),
        }
    }

    /// Whether the value is there, and neither `false`, 0, nor empty.
    #[must_use]
    pub fn holds(&self, answers: &Value) -> bool {
        match &self.node {
            // Also lists and objects, which are no values.
            Node::Path(path) => path.query(answers).first().is_some_and(is_true),
            node => node.value(answers).as_ref().is_some_and(is_true),
        }
    }

    /// The names of the members at the top that its paths lead through.
    #[must_use]
    pub fn sources(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.node.paths(&mut paths);
        let name = |path: String| {
            let rest = path.strip_prefix('$')?;
            let rest = rest.strip_prefix('.').or_else(|| rest.strip_prefix("['"))?;
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
            Some(rest[..end].to_owned())
        };
        paths.into_iter().filter_map(name).collect()
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Node {
    fn value(&self, root: &Value) -> Option<Value> {
        match self {
            Self::Number(number) => Some((*number).into()),
            Self::Text(text) => Some(text.as_str().into()),
            Self::Path(path) => path.query(root).first().filter(|value| is_plain(value)).cloned(),
            Self::Negative(node) => Some((-node.number(root)?).into()),
            Self::Calculation(operator, one, other) => {
                let (one, other) = (one.number(root)?, other.number(root)?);
                let number = match operator {
                    Operator::Plus => one + other,
                    Operator::Minus => one - other,
                    Operator::Times => one * other,
                    Operator::Over => one / other,
                };
                // A share of nothing is unknown.
                number.is_finite().then(|| number.into())
            }
            Self::Call(function, arguments) => Self::call(*function, arguments, root),
            Self::Match(node, regex) => {
                let text = text_of(&node.value(root)?);
                let found = regex.captures(&text)?;
                Some(found.get(1).or_else(|| found.get(0))?.as_str().into())
            }
        }
    }

    fn number(&self, root: &Value) -> Option<f64> {
        number(&self.value(root)?)
    }

    /// All values of a path, or the value of anything else.
    fn all(&self, root: &Value) -> Vec<Value> {
        match self {
            Self::Path(path) => path.query(root).all().into_iter().cloned().collect(),
            node => node.value(root).into_iter().collect(),
        }
    }

    fn call(function: Function, arguments: &[Self], root: &Value) -> Option<Value> {
        let all = || arguments.iter().flat_map(|node| node.all(root));
        let numbers = || all().filter_map(|value| number(&value));
        match function {
            Function::Count => Some(all().count().into()),
            Function::Same => {
                let wanted = text_of(&arguments.get(1)?.value(root)?);
                let found = arguments.first()?.all(root);
                Some(found.iter().filter(|value| is_plain(value) && text_of(value) == wanted).count().into())
            }
            Function::Sum => Some(numbers().sum::<f64>().into()),
            Function::Mean => {
                let (sum, count) = numbers().fold((0.0, 0.0), |(sum, count), number| (sum + number, count + 1.0));
                (count > 0.0).then(|| (sum / count).into())
            }
            Function::Min => numbers().reduce(f64::min).map(Value::from),
            Function::Max => numbers().reduce(f64::max).map(Value::from),
            Function::Size => match all().next()? {
                Value::Array(values) => Some(values.len().into()),
                Value::Object(fields) => Some(fields.len().into()),
                Value::String(text) => Some(text.chars().count().into()),
                _ => None,
            },
            Function::First => arguments.iter().find_map(|node| node.value(root)),
            Function::Quantity => quantity(&text_of(&arguments.first()?.value(root)?)).map(Value::from),
            Function::Join => {
                let texts: Option<Vec<String>> =
                    arguments.iter().map(|node| Some(text_of(&node.value(root)?))).collect();
                Some(texts?.concat().into())
            }
            // It has a node of its own.
            Function::Match => None,
        }
    }

    fn paths(&self, found: &mut Vec<String>) {
        match self {
            Self::Number(_) | Self::Text(_) => {}
            Self::Path(path) => found.push(path.to_string()),
            Self::Negative(node) | Self::Match(node, _) => node.paths(found),
            Self::Calculation(_, one, other) => {
                one.paths(found);
                other.paths(found);
            }
            Self::Call(_, arguments) => arguments.iter().for_each(|node| node.paths(found)),
        }
    }
}

fn is_plain(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_))
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// A number, possibly in quotes.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().trim_end_matches('%').trim_end().parse().ok(),
        _ => None,
    }
    .filter(|number: &f64| number.is_finite())
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => match value.as_f64() {
            // Whole numbers have no decimals.
            Some(number) if number.fract() == 0.0 && number.abs() < 1e15 => format!("{number:.0}"),
            _ => value.to_string(),
        },
    }
}

/// A number with a suffix: `1.2 M` is 1.2 × 1024².
fn quantity(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && !".,-+".contains(letter)).unwrap_or(text.len());
    let number: f64 = text[..end].replace(',', "").parse().ok()?;
    let power = match text[end..].trim_start().chars().next().map(|letter| letter.to_ascii_uppercase()) {
        Some('K') => 1,
        Some('M') => 2,
        Some('G') => 3,
        Some('T') => 4,
        _ => 0,
    };
    Some(number * 1024_f64.powi(power))
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Takes a character if it is the next one.
    fn takes(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.rest = &self.rest[wanted.len_utf8()..];
        }
        found
    }

    /// Takes the next bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn sum(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("too many brackets".to_owned());
        }
        let mut node = self.product()?;
        loop {
            let operator = match self.peek() {
                Some('+') => Operator::Plus,
                Some('-') => Operator::Minus,
                _ => break,
            };
            self.take(1);
            node = Node::Calculation(operator, Box::new(node), Box::new(self.product()?));
        }
        self.depth -= 1;
        Ok(node)
    }

    fn product(&mut self) -> Result<Node, String> {
        let mut node = self.single()?;
        loop {
            let operator = match self.peek() {
                Some('*') => Operator::Times,
                Some('/') => Operator::Over,
                _ => return Ok(node),
            };
            self.take(1);
            node = Node::Calculation(operator, Box::new(node), Box::new(self.single()?));
        }
    }

    fn single(&mut self) -> Result<Node, String> {
        match self.peek() {
            Some('-') => {
                self.take(1);
                let digits = self.peek().is_some_and(|next| next.is_ascii_digit());
                if !digits && self.peek() != Some('$') && self.peek() != Some('(') {
                    return Err("a `-` before nothing".to_owned());
                }
                Ok(Node::Negative(Box::new(self.single()?)))
            }
            Some('(') => {
                self.take(1);
                let node = self.sum()?;
                if self.takes(')') { Ok(node) } else { Err("a `)` is missing".to_owned()) }
            }
            Some('\'') => self.quoted().map(Node::Text),
            Some('$') => self.path(),
            Some(first) if first.is_ascii_digit() => {
                let end = self.rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
                let digits = self.take(end.unwrap_or(self.rest.len()));
                digits.parse().map(Node::Number).map_err(|_| format!("`{digits}` is no number"))
            }
            Some(first) if first.is_ascii_lowercase() => self.call(),
            Some(other) => Err(format!("`{other}` begins no value")),
            None => Err("a value is missing".to_owned()),
        }
    }

    /// A text in single quotes; there is no way to write a quote inside.
    fn quoted(&mut self) -> Result<String, String> {
        let inner = self.rest.strip_prefix('\'').unwrap_or(self.rest);
        let (text, rest) = inner.split_once('\'').ok_or("a `'` is missing")?;
        self.rest = rest;
        Ok(text.to_owned())
    }

    /// A JSONPath. It ends at the first character outside of brackets and quotes that no path contains.
    fn path(&mut self) -> Result<Node, String> {
        let (mut depth, mut quote, mut before) = (0_usize, None, ' ');
        let mut end = self.rest.len();
        for (at, letter) in self.rest.char_indices() {
            match (quote, letter) {
                (Some(open), letter) if letter == open => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(letter),
                (None, '[') => depth += 1,
                (None, ']') => depth = depth.saturating_sub(1),
                // A wildcard, not a product.
                (None, '*') if depth == 0 && before == '.' => {}
                (None, letter) if depth == 0 && !letter.is_alphanumeric() && !"$._".contains(letter) => {
                    end = at;
                    break;
                }
                _ => {}
            }
            before = letter;
        }
        let text = self.take(end);
        let path = JsonPath::parse(text).map_err(|error| format!("`{text}` is no path ({error})"))?;
        Ok(Node::Path(Box::new(path)))
    }

    fn call(&mut self) -> Result<Node, String> {
        let end = self.rest.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(self.rest.len());
        let name = self.take(end);
        let function = Function::parse(name).ok_or_else(|| format!("there is no function `{name}`"))?;
        if !self.takes('(') {
            return Err(format!("`{name}` needs arguments in brackets"));
        }
        let mut arguments = vec![self.sum()?];
        while self.takes(',') {
            arguments.push(self.sum()?);
        }
        if !self.takes(')') {
            return Err("a `)` is missing".to_owned());
        }
        if function != Function::Match {
            return Ok(Node::Call(function, arguments));
        }
        let mut arguments = arguments.into_iter();
        match (arguments.next(), arguments.next(), arguments.next()) {
            (Some(value), Some(Node::Text(pattern)), None) => {
                let regex = Regex::new(&pattern).map_err(|error| format!("`{pattern}` is no pattern ({error})"))?;
                Ok(Node::Match(Box::new(value), Box::new(regex)))
            }
            _ => Err("`match` needs a value and a pattern in quotes".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn expressions_have_a_value_or_none() {
        let root = json!({
            "queue": { "total": 7, "speed": "1.5 M", "share": "12 %", "text": "load 0.42, 3 users", "none": null },
            "list": [{ "up": true, "rate": 10, "gw-stats": 3 }, { "up": false, "rate": "5" }, { "up": true }],
            "empty": [],
        });
        for (text, expected) in [
            ("$.queue.total", Some(json!(7))),
            ("$.queue.missing", None),
            ("$.queue.none", None),
            ("$.queue", None),
            ("$.queue.total * 2 + 1", Some(json!(15.0))),
            ("1 + 2 * (3 - 1) / 4", Some(json!(2.0))),
            ("-$.queue.total + -3", Some(json!(-10.0))),
            ("$.queue.total / 0", None),
            ("$.queue.total + $.queue.none", None),
            ("count($.list[*])", Some(json!(3))),
            ("count($.empty[*])", Some(json!(0))),
            ("count($.list[?@.up == true])", Some(json!(2))),
            ("same($.list[*].up, 'true')", Some(json!(2))),
            ("same($.list[*].rate, 10)", Some(json!(1))),
            ("same($.list[-1].up, 'true')", Some(json!(1))),
            ("sum($.list[*].rate)", Some(json!(15.0))),
            ("sum($.list.*.rate) * 2", Some(json!(30.0))),
            ("mean($.list[*].rate)", Some(json!(7.5))),
            ("mean($.empty[*])", None),
            ("min($.list[*].rate)", Some(json!(5.0))),
            ("max($.list[*].rate, 12)", Some(json!(12.0))),
            ("size($.list)", Some(json!(3))),
            ("size($.queue.speed)", Some(json!(5))),
            ("first($.queue.none, $.queue.total)", Some(json!(7))),
            ("quantity($.queue.speed)", Some(json!(1_572_864.0))),
            ("$.queue.share + 1", Some(json!(13.0))),
            ("match($.queue.text, 'load ([0-9.]+)') * 100", Some(json!(42.0))),
            ("match($.queue.text, 'nothing')", None),
            ("join($.queue.total, ' of ', $.list[0].rate)", Some(json!("7 of 10"))),
            ("$.list[0]['gw-stats'] - 1", Some(json!(2.0))),
        ] {
            assert_eq!(Expression::parse(text).unwrap().value(&root), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_are_found_when_the_file_is_read() {
        let deep = format!("{}1{}", "(".repeat(20), ")".repeat(20));
        for (text, problem) in [
            ("", "a value is missing in ``"),
            ("$.a +", "a value is missing"),
            ("$.a $.b", "`$.b` is one too many"),
            ("$..[", "is no path"),
            ("total($.a)", "there is no function `total`"),
            ("count $.a", "`count` needs arguments in brackets"),
            ("count($.a", "a `)` is missing"),
            ("(1", "a `)` is missing"),
            ("'text", "a `'` is missing"),
            ("match($.a, '(')", "is no pattern"),
            ("match($.a)", "`match` needs a value and a pattern in quotes"),
            ("1.2.3", "`1.2.3` is no number"),
            ("§", "`§` begins no value"),
            (&deep, "too many brackets"),
        ] {
            let error = Expression::parse(text).unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn the_requests_of_an_expression_are_known() {
        let sources = |text: &str| Expression::parse(text).unwrap().sources();
        assert_eq!(sources("count($.queue.records[*]) + first($.other, $['third'].x)"), ["queue", "other", "third"]);
        assert_eq!(sources("1 + 2"), Vec::<String>::new());
    }

    #[test]
    fn flags_lists_and_texts_are_true_or_not() {
        let root = json!({ "yes": true, "no": false, "zero": 0, "text": "a", "list": [1], "empty": [], "blank": "" });
        let holds = |text: &str| Expression::parse(text).unwrap().holds(&root);
        assert!(holds("$.yes") && holds("$.text") && holds("$.list") && holds("2"));
        assert!(!holds("$.no") && !holds("$.zero") && !holds("$.empty") && !holds("$.blank") && !holds("$.none"));
    }
}
