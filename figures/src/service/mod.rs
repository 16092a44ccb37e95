//! The data of a service. The doc comments are the reference of docs/figures.md.

mod check;

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use serde::Deserialize;
use serde_json::Value;

pub use self::check::{MAX_LABEL, ServiceError};
use crate::expression::Expression;

/// A service: how to sign in, what to ask, and what to show.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Service {
    /// Its name, as it writes it itself.
    pub name: String,
    /// Its icon, by its name in the icon pack.
    pub icon: String,
    /// Other types that mean the same, in lower case.
    #[serde(default)]
    pub also: Vec<String>,
    /// Its address, for a service on the internet. Others need the option `url`.
    pub url: Option<String>,
    /// Ends of addresses that people copy from their browser, and that are no part of the base address, such as `/web`.
    #[serde(default)]
    pub without: Vec<String>,
    /// What it needs to know beside the address and the credentials.
    #[serde(default, rename = "option")]
    pub options: Vec<ServiceOption>,
    /// The ways to sign in. The first one whose options are all set is used.
    #[serde(default, rename = "sign-in")]
    pub sign_in: Vec<SignIn>,
    /// The requests, in order. Only those that a visible figure needs are sent.
    #[serde(rename = "request")]
    pub requests: Vec<Request>,
    /// The figures, in the order in which they are shown. The first four are shown unless `fields` says otherwise.
    #[serde(rename = "figure")]
    pub figures: Vec<Figure>,
    /// What to check after a failure.
    #[serde(default)]
    pub hints: Hints,
}

/// An option of a service.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ServiceOption {
    /// Its name in the config, and between braces in this file.
    pub name: String,
    /// What it is, for people.
    pub about: String,
    /// The value if it is not set. Without one, it must be set.
    pub default: Option<String>,
}

/// A way to sign in.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct SignIn {
    /// The version of the service for which this is, for services whose versions have nothing in common. Without one, for all.
    pub version: Option<u32>,
    /// The options it needs: `key`, `username`, `password`, or one of the service's own. None for a service that is open.
    pub needs: Vec<String>,
    /// Headers of each request. `{basic}` stands for user and password as HTTP encodes them, `{token}` for the token of the
    /// session.
    pub headers: BTreeMap<String, String>,
    /// Parameters in the address of each request, for services that accept their key nowhere else.
    pub query: BTreeMap<String, String>,
    /// The request that begins a session.
    pub session: Option<Login>,
    /// The call that comes before those of the requests, on the same connection. Its result must be `true`.
    pub call: Option<LoginCall>,
    /// The address is always asked by HTTPS, for services that revoke what was sent without.
    pub https: bool,
}

/// The call that signs in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoginCall {
    /// Its method.
    pub method: String,
    /// Its parameters. Placeholders in their texts are filled in.
    pub params: Value,
}

/// The request that begins a session.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Login {
    /// Where to send it. If there are several paths, a service that does not know one is asked at the next.
    pub path: OneOrMany,
    /// `POST` unless something else is written.
    pub method: Option<Verb>,
    /// Headers of this request.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// A JSON document to send. Placeholders in its texts are filled in.
    pub json: Option<Value>,
    /// The fields of a form to send.
    #[serde(default)]
    pub form: BTreeMap<String, String>,
    /// The status of an answer that carries the token although it is no success.
    pub accepts: Option<u16>,
    /// Must hold in the answer.
    pub check: Option<Expression>,
    /// The token in the answer.
    pub token: Option<Expression>,
    /// The header of the answer that is the token. `set-cookie` stands for the cookies, as a browser sends them.
    pub header: Option<String>,
    /// How long the session is used, in seconds.
    #[serde(default = "hour")]
    pub life: u64,
    /// The request that ends the session.
    pub logout: Option<Logout>,
}

/// The request that ends a session. It has the headers of the others.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Logout {
    /// Where to send it.
    pub path: String,
    /// Its method.
    pub method: Verb,
}

/// A request.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Request {
    /// The version of the service for which this is. Without one, for all.
    pub version: Option<u32>,
    /// Its name: the member of the answers that its own becomes.
    pub name: String,
    /// What is asked for, after the base address. If there are several paths, a service that does not know one is asked at the
    /// next, so that all its versions work.
    pub path: OneOrMany,
    /// `GET` unless something else is written; `POST` with a body.
    pub method: Option<Verb>,
    /// Headers of this request.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// A JSON document to send. Placeholders in its texts are filled in.
    pub json: Option<Value>,
    /// The fields of a form to send.
    #[serde(default)]
    pub form: BTreeMap<String, String>,
    /// How often the answer changes, or may be asked for.
    #[serde(default)]
    pub every: Interval,
    /// The method to call by JSON-RPC over a WebSocket. All calls share a path and a connection.
    pub call: Option<String>,
    /// The header of the answer that counts, in place of its body.
    pub header: Option<String>,
    /// The body is text, not JSON.
    #[serde(default)]
    pub text: bool,
    /// Must hold in the answer, whose root is `$` here. Otherwise it has an unexpected shape.
    pub has: Option<Expression>,
    /// What went wrong, for services that say so with a success.
    pub error: Option<Expression>,
    /// Holds in an answer that refuses the key, for services that refuse it with a success.
    pub refused: Option<Expression>,
    /// Sends the request once for each of these values of earlier answers. `{each}`, or `{each.id}`, stands for it, and the
    /// answer is a list of `{ each, answer }`.
    pub each: Option<Expression>,
    /// A failure costs only the figures that need it.
    #[serde(default)]
    pub optional: bool,
}

/// How often a request is sent at most, as long as somebody looks.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "kebab-case")]
pub enum Interval {
    /// Every 10 seconds: rates, and what plays.
    Transfers,
    /// Every minute: counts.
    #[default]
    Counts,
    /// Every 10 minutes: the sizes of libraries, and answers that are large or slow.
    Libraries,
}

/// A figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Figure {
    /// Its name in `fields` and `highlight`.
    pub name: String,
    /// Its label, as short as possible.
    pub label: String,
    /// Its value in the answers. `$` has a member for each request, and `$.options` and `$.time`.
    pub value: Expression,
    /// The whole of which the value is a part: `3 / 5`.
    pub of: Option<Expression>,
    /// How the value is written.
    #[serde(default)]
    pub unit: FigureUnit,
    /// Words for some values.
    #[serde(default)]
    pub words: BTreeMap<String, String>,
    /// Shows the course of the value, for a rate.
    #[serde(default)]
    pub course: bool,
}

/// How the value of a figure is written.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum FigureUnit {
    /// A count; large ones are shortened.
    #[default]
    Count,
    /// Bytes, in the unit that fits.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    /// Bits per second.
    BitsPerSecond,
    /// 100 is the whole.
    Percent,
    /// Milliseconds.
    Milliseconds,
    /// A duration in seconds.
    Seconds,
    /// A point in time, in RFC 3339 or in seconds since 1970, shown as an age.
    Age,
    /// Degrees Celsius.
    Celsius,
    /// A number with decimals.
    Number,
    /// Text.
    Text,
}

/// What to check after a failure: the end of a message, as a sentence.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Hints {
    /// The service refuses the key or the password: where the right one is found.
    pub refused: Option<String>,
    /// The service does not know the address.
    pub unknown_address: Option<String>,
    /// The service cannot be reached.
    pub unreachable: Option<String>,
    /// The answer has another shape.
    pub shape: Option<String>,
}

/// One text, or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// One.
    One(String),
    /// Several, in the order in which they are tried.
    Many(Vec<String>),
}

impl OneOrMany {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let texts = match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(texts) => texts.as_slice(),
        };
        texts.iter().map(String::as_str)
    }
}

/// A method.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verb {
    /// Reads.
    Get,
    /// Sends data.
    Post,
    /// Removes.
    Delete,
}

impl Interval {
    /// The time between two requests.
    #[must_use]
    pub const fn time(self) -> Duration {
        Duration::from_secs(match self {
            Self::Transfers => 10,
            Self::Counts => 60,
            Self::Libraries => 600,
        })
    }
}

impl Service {
    /// The figures with these names, in this order, and the names without a figure. Without names, the first `usual` ones.
    #[must_use]
    pub fn chosen(&self, names: &[String], usual: usize) -> (Vec<&Figure>, Vec<String>) {
        if names.is_empty() {
            return (self.figures.iter().take(usual).collect(), Vec::new());
        }
        let (mut chosen, mut unknown) = (Vec::new(), Vec::new());
        for name in names {
            match self.figures.iter().find(|figure| figure.name.eq_ignore_ascii_case(name.trim())) {
                Some(figure) => chosen.push(figure),
                None => unknown.push(name.clone()),
            }
        }
        (chosen, unknown)
    }

    /// The versions that are asked differently, in the order in which they are tried.
    #[must_use]
    pub fn versions(&self) -> Vec<u32> {
        let mut versions: Vec<u32> = Vec::new();
        for version in self.requests.iter().filter_map(|request| request.version) {
            if !versions.contains(&version) {
                versions.push(version);
            }
        }
        versions
    }

    /// The service as one of its versions is asked.
    #[must_use]
    pub fn in_version(&self, version: u32) -> Self {
        let is_meant = |of: Option<u32>| of.is_none_or(|of| of == version);
        let mut service = self.clone();
        service.sign_in.retain(|sign_in| is_meant(sign_in.version));
        service.requests.retain(|request| is_meant(request.version));
        service
    }

    /// The service in each of its versions; a service without versions as it is.
    pub(crate) fn editions(&self) -> Vec<Cow<'_, Self>> {
        let versions = self.versions();
        if versions.is_empty() {
            return vec![Cow::Borrowed(self)];
        }
        versions.into_iter().map(|version| Cow::Owned(self.in_version(version))).collect()
    }

    /// The request with this name.
    #[must_use]
    pub fn request(&self, name: &str) -> Option<&Request> {
        self.requests.iter().find(|request| request.name == name)
    }

    /// The names of the requests that a figure needs, including those that others depend on.
    #[must_use]
    pub fn needed_by(&self, figure: &Figure) -> Vec<&str> {
        let mut sources = figure.value.sources();
        sources.extend(figure.of.iter().flat_map(Expression::sources));
        let mut needed: Vec<&str> = Vec::new();
        // Requests depend only on earlier ones.
        for request in self.requests.iter().rev() {
            if sources.contains(&request.name) {
                sources.extend(request.each.iter().flat_map(Expression::sources));
                needed.push(&request.name);
            }
        }
        needed.reverse();
        needed
    }

    /// How often a figure can change: as often as the slowest of its requests is sent.
    #[must_use]
    pub fn interval_of(&self, figure: &Figure) -> Interval {
        let needed = self.needed_by(figure);
        needed.iter().filter_map(|name| self.request(name)).map(|request| request.every).max().unwrap_or_default()
    }
}

fn hour() -> u64 {
    3600
}
