//! A target as the config and the environment describe it, ready to get messages.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use config::{
    address,
    model::{AlertKind, AlertTarget},
};
use http::{StatusCode, header};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use url::Url;
use widgets::OptionProblems;

use super::{
    mail::MailServer,
    message::{Message, Status},
    outages::{TargetKey, Wish},
};
use crate::{
    http_client::{HttpClient, HttpRequest, Purpose},
    settings::variables::Variables,
};

/// Maximum size of a response in bytes; only its status matters.
const MAX_RESPONSE: usize = 64 * 1024;

/// A target.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// What admins call it.
    pub name: String,
    /// Identifies it as long as its address stays the same.
    pub key: TargetKey,
    pub wish: Wish,
    /// How it gets messages, or why it cannot.
    pub delivery: Result<Delivery, String>,
}

/// How a target gets messages. Contains secrets, so it prints nothing.
#[derive(Clone)]
pub(super) enum Delivery {
    Web(Box<WebTarget>),
    Mail(Box<MailServer>),
}

impl std::fmt::Debug for Delivery {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Delivery").finish_non_exhaustive()
    }
}

/// A target that gets a POST.
#[derive(Clone)]
pub(super) struct WebTarget {
    kind: AlertKind,
    url: Url,
    headers: Vec<(String, String)>,
    token: Option<String>,
    to: Vec<String>,
    tag: Option<String>,
    template: Option<String>,
}

impl Target {
    /// Reads a target of the config. `position` is its place in the list, from 1.
    pub fn of(written: &AlertTarget, position: usize, variables: &Variables) -> Self {
        let mut problems = OptionProblems::default();
        let mut resolve = |text: &str| {
            let mut options = Map::from_iter([(String::new(), Value::from(text))]);
            widgets::resolve(&mut options, &|name| variables.get(name), &mut problems);
            options.get("").and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let url = resolve(&written.url);
        let token = written.token.as_deref().map(&mut resolve);
        let user = written.user.as_deref().map(&mut resolve);
        let password = written.password.as_deref().map(&mut resolve);
        let to: Vec<String> = written.to.iter().map(|to| resolve(to)).collect();
        let from = written.from.as_deref().map(&mut resolve);
        let tag = written.tag.as_deref().map(&mut resolve);
        let template = written.template.as_deref().map(&mut resolve);
        let mut headers: Vec<(String, String)> =
            written.headers.iter().map(|(name, value)| (name.clone(), resolve(value))).collect();
        let kind = written.kind;
        let host = Url::parse(&url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let word = kind.map_or("?", AlertKind::word);
        let name = written.name.clone().unwrap_or_else(|| match &host {
            // The host may be a secret too, if the environment names it.
            Some(host) if url == written.url => format!("{word} {host}"),
            _ => format!("{word} {position}"),
        });
        let key = hex::encode(&Sha256::digest(format!("{word}\0{url}\0{}", to.join("\0")))[..16]);
        let delivery = match (problems.errors().into_iter().next(), kind) {
            (Some(problem), _) => Err(problem),
            (None, None) => Err("Its `type` is unknown: ntfy, gotify, webhook, apprise or email.".to_owned()),
            (None, Some(AlertKind::Email)) => {
                MailServer::new(&url, user, password, from, &to).map(|server| Delivery::Mail(Box::new(server)))
            }
            (None, Some(kind)) => web_address(&url, kind, &to).map(|url| {
                if let Some(user) = &user {
                    let credentials = STANDARD.encode(format!("{user}:{}", password.as_deref().unwrap_or_default()));
                    headers.push((header::AUTHORIZATION.to_string(), format!("Basic {credentials}")));
                }
                Delivery::Web(Box::new(WebTarget { kind, url, headers, token, to, tag, template }))
            }),
        };
        let wish = Wish { failures: written.failures.max(1).into(), quiet_hours: written.quiet_hours };
        Self { name, key, wish, delivery }
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// Why it has not arrived, for admins. The reason names the host, never the address.
    pub async fn send(&self, http_client: &HttpClient, message: &Message) -> Result<(), String> {
        match self.delivery.as_ref()? {
            Delivery::Web(target) => target.send(http_client, message).await,
            Delivery::Mail(server) => server.send(http_client, message).await,
        }
    }
}

fn web_address(url: &str, kind: AlertKind, to: &[String]) -> Result<Url, String> {
    let parsed = address::web(url).and_then(|url| Url::parse(&url).ok());
    let url = parsed.ok_or("Its `url` is not an address that begins with `https://` or `http://`.")?;
    let last = url.path_segments().into_iter().flatten().rfind(|segment| !segment.is_empty());
    match kind {
        AlertKind::Ntfy if last.is_none() => {
            Err("Its `url` names no topic, such as `https://ntfy.sh/my-topic`.".to_owned())
        }
        AlertKind::Apprise if to.is_empty() && last.is_none_or(|last| last == "notify") => {
            Err("Its `url` needs a key, as in `/notify/KEY`, or `to` must list services.".to_owned())
        }
        _ => Ok(url),
    }
}

impl WebTarget {
    async fn send(&self, http_client: &HttpClient, message: &Message) -> Result<(), String> {
        let host = self.url.host_str().unwrap_or_default().to_owned();
        let response = http_client.send(self.request(message)).await.map_err(|error| error.to_string())?;
        match response.status {
            status if status.is_success() => Ok(()),
            status if status.is_redirection() => {
                Err(format!("{host} redirects to another address ({status}); write that one"))
            }
            status @ (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => {
                Err(format!("{host} rejects the token or password ({status})"))
            }
            status => Err(format!("{host} responded with {status}")),
        }
    }

    fn request(&self, message: &Message) -> HttpRequest {
        let (url, body) = match self.kind {
            AlertKind::Ntfy => self.ntfy(message),
            AlertKind::Gotify => (below(&self.url, "message"), gotify(message)),
            AlertKind::Apprise => (self.url.clone(), self.apprise(message)),
            AlertKind::Webhook | AlertKind::Email => (self.url.clone(), message.json()),
        };
        let (kind, body) = match &self.template {
            Some(template) if self.kind == AlertKind::Webhook => filled(template, message),
            _ => ("application/json", body.to_string()),
        };
        let mut headers = self.headers.clone();
        let mut add = |name: &str, value: String| {
            if !headers.iter().any(|(known, _)| known.trim().eq_ignore_ascii_case(name)) {
                headers.push((name.to_owned(), value));
            }
        };
        add("Content-Type", kind.to_owned());
        match (&self.token, self.kind) {
            (Some(token), AlertKind::Gotify) => add("X-Gotify-Key", token.clone()),
            (Some(token), _) => add("Authorization", format!("Bearer {token}")),
            (None, _) => {}
        }
        HttpRequest {
            headers,
            max_bytes: MAX_RESPONSE,
            max_redirects: 0,
            ..HttpRequest::post(Purpose::Configured, url, body)
        }
    }

    /// As JSON, because headers cannot contain every letter: sent to the address of the server, with the topic in it.
    fn ntfy(&self, message: &Message) -> (Url, Value) {
        let mut server = self.url.clone();
        let mut segments: Vec<String> =
            server.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let topic = segments.pop().unwrap_or_default();
        server.set_path(&segments.join("/"));
        let tag = match message.status {
            Status::Down | Status::Mixed => "rotating_light",
            Status::Up => "white_check_mark",
            Status::Test => "bell",
        };
        let body = json!({
            "topic": topic,
            "title": message.title,
            "message": message.text,
            "priority": if message.status.is_bad() { 4 } else { 3 },
            "tags": [tag],
        });
        (server, body)
    }

    fn apprise(&self, message: &Message) -> Value {
        let kind = match message.status {
            Status::Down | Status::Mixed => "failure",
            Status::Up => "success",
            Status::Test => "info",
        };
        let mut body = BTreeMap::from([
            ("title", message.title.as_str()),
            ("body", message.text.as_str()),
            ("type", kind),
            ("format", "text"),
        ]);
        let urls = self.to.join(",");
        if !urls.is_empty() {
            body.insert("urls", &urls);
        }
        if let Some(tag) = &self.tag {
            body.insert("tag", tag);
        }
        json!(body)
    }
}

fn gotify(message: &Message) -> Value {
    json!({
        "title": message.title,
        "message": message.text,
        "priority": if message.status.is_bad() { 8 } else { 4 },
    })
}

/// An address with one more segment.
fn below(url: &Url, segment: &str) -> Url {
    let mut url = url.clone();
    let path = format!("{}/{segment}", url.path().trim_end_matches('/'));
    url.set_path(&path);
    url
}

/// The content type and the body that a template gives.
fn filled(template: &str, message: &Message) -> (&'static str, String) {
    let is_json = template.trim_start().starts_with(['{', '[']);
    let value = |text: &str| {
        if !is_json {
            return text.to_owned();
        }
        let quoted = Value::from(text).to_string();
        quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default().to_owned()
    };
    let values = [
        ("title", value(&message.title)),
        ("message", value(&message.text)),
        ("status", message.status.word().to_owned()),
        ("dashboard", value(&message.dashboard)),
    ];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    let kind = if is_json { "application/json" } else { "text/plain; charset=utf-8" };
    (kind, languages::filled(template, &values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Message {
        Message {
            title: "\"A\" is down".to_owned(),
            text: "one\ntwo".to_owned(),
            status: Status::Down,
            services: json!([]),
            dashboard: "Home".to_owned(),
        }
    }

    #[test]
    fn templates_stay_valid_json() {
        for (template, kind, body) in [
            (
                r#"{"text": "{title}: {message}", "other": "{unknown}"}"#,
                "application/json",
                r#"{"text": "\"A\" is down: one\ntwo", "other": "{unknown}"}"#,
            ),
            ("{title} [{status}] {dashboard}", "application/json", r#"\"A\" is down [down] Home"#),
            ("Portico: {title}", "text/plain; charset=utf-8", "Portico: \"A\" is down"),
        ] {
            assert_eq!(filled(template, &message()), (kind, body.to_owned()), "{template}");
        }
    }

    fn target(yaml: &str) -> Target {
        let text = format!("appConfig:\n  alerts:\n    - {yaml}\nsections: []\n");
        let document = config::Document::parse(text.as_bytes()).unwrap();
        let config = config::Config::read(&document).unwrap();
        let variables = [("PORTICO_NTFY", "https://secret.example/topic"), ("PORTICO_KEY", "k3y")];
        let variables = Variables::of(variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
        Target::of(&config.app.alerts[0], 1, &variables)
    }

    #[test]
    fn what_a_target_lacks_is_explained() {
        for (yaml, name, problem) in [
            ("{ type: ntfy, url: 'https://ntfy.sh/t' }", "ntfy ntfy.sh", None),
            ("{ type: ntfy, url: PORTICO_NTFY }", "ntfy 1", None),
            ("{ type: ntfy, url: PORTICO_GONE }", "ntfy 1", Some("The environment variable PORTICO_GONE is not set.")),
            ("{ type: ntfy, url: 'https://ntfy.sh' }", "ntfy ntfy.sh", Some("names no topic")),
            ("{ type: carrier, url: 'https://a.example' }", "? a.example", Some("`type` is unknown")),
            ("{ type: gotify, url: 'ftp://a.example' }", "gotify a.example", Some("not an address")),
            ("{ type: apprise, url: 'http://a.lan/notify' }", "apprise a.lan", Some("needs a key")),
            ("{ type: apprise, url: 'http://a.lan/notify', to: ['tgram://x'] }", "apprise a.lan", None),
            ("{ type: email, url: 'smtp://a.lan' }", "email a.lan", Some("`to`")),
            ("{ type: email, url: 'a.lan', to: [a@b.example] }", "email 1", Some("`smtp://`")),
            ("{ type: email, url: 'smtp://a.lan', to: [a b] }", "email a.lan", Some("`a b`")),
            ("{ type: webhook, url: 'https://a.example', name: Chat }", "Chat", None),
        ] {
            let target = target(yaml);
            assert_eq!(target.name, name, "{yaml}");
            match problem {
                Some(problem) => {
                    let reason = target.delivery.unwrap_err();
                    assert!(reason.contains(problem), "{yaml}: {reason}");
                }
                None => assert!(target.delivery.is_ok(), "{yaml}: {:?}", target.delivery),
            }
        }
    }

    #[test]
    fn secrets_of_the_environment_are_sent_and_never_printed() {
        let target = target(
            "{ type: webhook, url: 'https://a.example/hook', token: PORTICO_KEY, headers: { X-Key: 'a PORTICO_KEY' } }",
        );
        assert!(!format!("{target:?}").contains("k3y"));
        let Ok(Delivery::Web(web)) = &target.delivery else { panic!() };
        let headers = web.request(&message()).headers;
        assert!(headers.contains(&("Authorization".to_owned(), "Bearer k3y".to_owned())), "{headers:?}");
        assert!(headers.contains(&("X-Key".to_owned(), "a k3y".to_owned())), "{headers:?}");
    }
}
