//! `message-stream`: the newest messages of topics at a push service.
//!
//! The service keeps messages for a while, and sends a line for each new one to those who follow the topics.

use std::{cmp::Reverse, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{BaseAddress, Bounded, Lenient, OneOrMany, Secret, Text},
    panel::{self, Entries, Heading, Phrase, SafeUrl, Tone, teaser},
    services::tolerant,
};

/// Maximum number of bytes of a response.
const MAX_BYTES: usize = 2 * 1024 * 1024;
/// Maximum number of topics.
const MAX_TOPICS: usize = 20;
/// Maximum number of characters of a message that serves as its own title.
const MAX_TITLE: usize = 100;
/// Maximum number of tags of a message that are shown.
const MAX_TAGS: usize = 5;

/// Shows the newest messages of one or more topics at an ntfy server, with their priority, tags and links. While a page
/// with the widget is open, the server follows the topics, and shows new messages as they arrive.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MessageStream {
    /// Address of the server. Without it, `https://ntfy.sh`.
    host: Lenient<BaseAddress>,
    /// The topic, or a list of topics, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "backups"))]
    topic: OneOrMany<Lenient<Text>>,
    /// An access token, or the name of an environment variable. Without it, none is sent.
    token: Secret,
    /// The value of the query parameter `auth` of ntfy (an `Authorization` header in Base64), in place of a token, or the name
    /// of an environment variable. Optional.
    auth: Secret,
    /// User name, in place of a token. Optional.
    username: Text,
    /// Password of that user, or the name of an environment variable. Without it, none is sent.
    password: Secret,
    /// A heading above the messages. Optional.
    title: Text,
    /// Maximum number of messages.
    limit: Bounded<1, 10, 100>,
}

/// One line of the response.
#[derive(Default, Deserialize)]
#[serde(default)]
struct MessageReply {
    #[serde(deserialize_with = "tolerant::text")]
    event: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    time: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    topic: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    title: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    message: Option<String>,
    /// From 1, the lowest, to 5. Without it, 3.
    #[serde(deserialize_with = "tolerant::number")]
    priority: Option<f64>,
    #[serde(deserialize_with = "tolerant::entries")]
    tags: Vec<String>,
    #[serde(deserialize_with = "tolerant::text")]
    click: Option<String>,
}

impl Widget for MessageStream {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("hostname", "host"),
        ("url", "host"),
        ("server", "host"),
        ("serverUrl", "host"),
        ("server_url", "host"),
        ("topics", "topic"),
        ("apiKey", "token"),
        ("accessToken", "token"),
    ];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 10;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        if let Some(written) = self.host.unknown() {
            problems.error(format!("host must be an http(s) address, not {written}."));
        }
        problems.require(!self.topic.is_all_wrong(), "topic must be a list of names of topics.");
        problems.require_option(!self.topic.is_empty(), "topic", "the name of a topic");
        let none_is_left = self.topics().next().is_none();
        for written in self.topic.iter().filter_map(|topic| topic.get().map(|text| &**text).or(topic.unknown())) {
            if !is_topic(written) {
                let sentence = format!("topic: '{written}' is not the name of a topic: letters, digits, - and _.");
                // A wrong topic is left out; the others still work.
                if none_is_left { problems.error(sentence) } else { problems.note(sentence) }
            }
        }
        if self.username.is_set() != self.password.is_set() {
            problems.note("username and password are sent together only.");
        }
        self.limit.check("limit", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        // Messages are pushed; this is for services behind a proxy that holds them back.
        Some(Duration::from_secs(60))
    }

    fn follow(&self) -> Option<Request> {
        // The panel is fetched once more when the stream has begun, so that no message is lost in between.
        Some(self.request("json?since=none"))
    }

    fn is_news(line: &str) -> bool {
        let event = serde_json::from_str::<MessageReply>(line).ok().and_then(|message| message.event);
        event.is_some_and(|event| event != "keepalive")
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let mut request = self.request("json?poll=1&since=all");
        request.max_bytes = Some(MAX_BYTES);
        let mut messages = self.read(&context.exchange(request).await?)?;
        if messages.is_empty() {
            return Ok(Panel::empty("No messages"));
        }
        // Equal times keep the order in which they were sent, newest first.
        messages.reverse();
        messages.sort_by_key(|message| Reverse(message.at()));
        messages.truncate(self.limit.count());
        let entries = messages.iter().map(|message| message.entry(self.topics().nth(1).is_some())).collect();
        let heading = self.title.get().map(|title| Heading::new(Phrase::foreign(title)).into());
        Ok(Panel::new(heading.into_iter().chain([Entries::new(entries).into()]).collect()))
    }
}

impl MessageStream {
    /// The names that can be topics.
    fn topics(&self) -> impl Iterator<Item = &str> {
        let written = self.topic.iter().filter_map(Lenient::get);
        written.flat_map(|text| text.split(',')).map(str::trim).filter(|topic| is_topic(topic))
    }

    /// A request for messages of the topics.
    fn request(&self, what: &str) -> Request {
        let topics: Vec<&str> = self.topics().take(MAX_TOPICS).collect();
        let address = match self.host.get() {
            Some(host) if host.is_set() => host.clone(),
            _ => BaseAddress::parse("https://ntfy.sh").unwrap_or_default(),
        };
        // Names of topics need no encoding.
        let url = address.join(&format!("/{}/{what}", topics.join(",")), &[]);
        let mut request = Request::get(url).header("Accept", "application/x-ndjson").bearer(&self.token);
        if self.auth.is_set() {
            request = request.secret_query("auth", &self.auth);
        }
        if !self.token.is_set() && self.username.is_set() && self.password.is_set() {
            return request.basic(&self.username, &self.password);
        }
        request
    }

    fn read(&self, reply: &Response) -> Result<Vec<MessageReply>, FetchError> {
        let host = &reply.host;
        if matches!(reply.status, 401 | 403) {
            let has_key = self.token.is_set() || self.auth.is_set() || self.password.is_set();
            return Err(FetchError::login_refused(if has_key {
                format!(
                    "{host} does not let this account read the topic: check the option token, or username and password."
                )
            } else {
                format!("{host} asks for a sign-in: set the option token, or username and password.")
            }));
        }
        let text = reply.ok()?.text();
        let lines = || text.lines().filter(|line| !line.trim().is_empty());
        let read = |line: &str| tolerant::as_entry::<MessageReply>(serde_json::from_str::<Value>(line).ok()?);
        let messages: Vec<MessageReply> = lines().filter_map(read).collect();
        if messages.is_empty() && lines().next().is_some() {
            let is_page = text.trim_start().starts_with('<');
            return Err(reply.unexpected(if is_page { "a web page in place of data" } else { "no JSON" }));
        }
        let is_message = |message: &MessageReply| message.event.as_deref().is_none_or(|event| event == "message");
        Ok(messages.into_iter().filter(is_message).collect())
    }
}

impl MessageReply {
    fn at(&self) -> Option<Moment> {
        // Seconds since 1970 are small enough to be exact.
        self.time.filter(|seconds| *seconds > 0.0).map(|seconds| Moment::from_seconds(seconds as i64))
    }

    fn entry(&self, names_topic: bool) -> panel::ListEntry {
        let message = self.message.as_deref().unwrap_or_default();
        let title = self.title.clone().unwrap_or_else(|| teaser(message, MAX_TITLE));
        let (state, tone) = match self.priority {
            Some(priority) if priority >= 5.0 => (Some("Urgent"), Tone::Danger),
            Some(priority) if priority >= 4.0 => (Some("High"), Tone::Warning),
            _ => (None, Tone::Neutral),
        };
        panel::ListEntry {
            url: self.click.as_deref().and_then(SafeUrl::parse),
            text: (!message.is_empty() && message != title).then(|| Phrase::foreign(message)),
            opens: true,
            date: self.at(),
            source: self.topic.clone().filter(|_| names_topic),
            state: state.map(Phrase::from),
            tone,
            tags: self.tags.iter().take(MAX_TAGS).map(Phrase::foreign).collect(),
            ..panel::ListEntry::new(if title.is_empty() { "Without a text".into() } else { Phrase::foreign(title) })
        }
    }
}

fn is_topic(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    name.split(',').map(str::trim).all(|name| (1..=64).contains(&name.len()) && name.bytes().all(is_plain))
}
