//! The result of a status check, as data and in words. It names no address; the server's name is only for people who
//! named the address themselves.

use std::time::Duration;

use discovery::ContainerState;
use http::StatusCode;

/// The state of the service of an item.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum ServiceState {
    /// Not known yet.
    #[default]
    Waiting,
    /// The last check succeeded.
    Up,
    /// The last check failed.
    Down,
    /// The last check succeeded, but the certificate of the service ends soon, or its container is still starting.
    Warning,
}

impl ServiceState {
    /// The word in pages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "wait",
            Self::Up => "up",
            Self::Down => "down",
            Self::Warning => "warn",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Outcome {
    /// Whether the service counts as up.
    pub is_up: bool,
    /// The response, or why there was none.
    pub answer: Result<Answer, Failure>,
    /// From the first byte sent to the end of the headers, or until the connection was open, or the mean of the replies to
    /// pings; zero without a response.
    pub took: Duration,
    /// The server name of the TLS handshake, for an encrypted connection.
    pub server_name: Option<String>,
    /// Whole days until its certificate ends, if that is so soon that the config wants a warning; negative if it has ended.
    pub certificate_days: Option<i64>,
}

/// What a service responded with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Answer {
    /// A status of HTTP.
    Status(StatusCode),
    /// It has accepted a connection.
    Connected,
    /// It has replied to pings.
    Echoes {
        /// The number of replies.
        received: u16,
        /// The number of pings.
        sent: u16,
    },
    /// Its container engine says what its container does.
    Container(ContainerState),
}

/// Why there was no response.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Failure {
    /// A code for programs.
    pub code: &'static str,
    /// The same for people.
    pub sentence: &'static str,
}

impl Outcome {
    /// The service responded.
    pub fn responded(is_up: bool, status: StatusCode, took: Duration) -> Self {
        Self { is_up, answer: Ok(Answer::Status(status)), took, server_name: None, certificate_days: None }
    }

    /// The port accepts connections.
    pub fn connected(took: Duration) -> Self {
        Self { is_up: true, answer: Ok(Answer::Connected), took, server_name: None, certificate_days: None }
    }

    /// The host has replied to so many of the pings sent.
    pub fn echoes(received: u16, sent: u16, took: Duration) -> Self {
        Self {
            is_up: received > 0,
            answer: Ok(Answer::Echoes { received, sent }),
            took,
            server_name: None,
            certificate_days: None,
        }
    }

    /// The state of a container.
    pub fn container(state: ContainerState) -> Self {
        Self {
            is_up: match state {
                ContainerState::Running | ContainerState::Healthy | ContainerState::Starting => true,
                ContainerState::Ready { ready, .. } => ready > 0,
                _ => false,
            },
            answer: Ok(Answer::Container(state)),
            took: Duration::ZERO,
            server_name: None,
            certificate_days: None,
        }
    }

    /// The service did not respond.
    pub fn failed(failure: Failure) -> Self {
        Self { is_up: false, answer: Err(failure), took: Duration::ZERO, server_name: None, certificate_days: None }
    }

    /// The check itself failed.
    pub fn broken() -> Self {
        Self::failed(Failure { code: "EFAULT", sentence: "the check failed, see the server's log" })
    }

    /// With the name that was requested from the server.
    #[must_use]
    pub fn with_server_name(self, server_name: Option<String>) -> Self {
        Self { server_name, ..self }
    }

    /// With a warning that the certificate ends in so many days.
    #[must_use]
    pub fn with_certificate_days(self, certificate_days: Option<i64>) -> Self {
        Self { certificate_days, ..self }
    }

    /// The state of the service.
    pub fn state(&self) -> ServiceState {
        match self.certificate_days {
            _ if !self.is_up => ServiceState::Down,
            Some(_) => ServiceState::Warning,
            None => match self.answer {
                Ok(Answer::Container(ContainerState::Starting)) => ServiceState::Warning,
                Ok(Answer::Container(ContainerState::Ready { ready, total })) if ready < total => ServiceState::Warning,
                _ => ServiceState::Up,
            },
        }
    }

    /// Response time in milliseconds, if the service responded.
    pub fn millis(&self) -> Option<u32> {
        let has_time = self.answer.is_ok_and(|answer| match answer {
            Answer::Status(_) => true,
            Answer::Connected | Answer::Echoes { .. } => self.is_up,
            Answer::Container(_) => false,
        });
        has_time.then(|| u32::try_from(self.took.as_millis()).unwrap_or(u32::MAX))
    }

    /// The warning about the certificate, with our own words translated.
    pub fn warning_in(&self, translated: impl Fn(&'static str) -> &'static str) -> Option<String> {
        Some(match self.certificate_days? {
            days if days < 0 => translated("the certificate has expired").to_owned(),
            days => translated("days until the certificate ends: {count}").replace("{count}", &days.to_string()),
        })
    }

    /// The result in a few words, such as `200 - OK`.
    pub fn summary(&self) -> String {
        self.summary_in(|english| english)
    }

    /// The same with our own words translated. The names of statuses are those of the protocol.
    pub fn summary_in(&self, translated: impl Fn(&'static str) -> &'static str) -> String {
        match &self.answer {
            Ok(Answer::Status(status)) => described(*status),
            Ok(Answer::Connected) => translated("the port is open").to_owned(),
            Ok(Answer::Echoes { received, sent }) => {
                let text = translated("{received} of {sent} pings answered");
                text.replace("{received}", &received.to_string()).replace("{sent}", &sent.to_string())
            }
            Ok(Answer::Container(state)) => {
                let text = translated(sentence(*state));
                match state {
                    ContainerState::Ready { ready, total } => {
                        text.replace("{ready}", &ready.to_string()).replace("{total}", &total.to_string())
                    }
                    _ => text.to_owned(),
                }
            }
            Err(failure) => translated(failure.sentence).to_owned(),
        }
    }

    /// The result as a sentence for programs and people (docs/spec/behavior.md 11.2).
    pub fn message(&self) -> String {
        match &self.answer {
            Ok(Answer::Status(status)) if self.is_up => {
                let name = self.server_name.as_deref().unwrap_or("Server");
                let warning = self.warning_in(|english| english).map(|warning| format!(", {warning}"));
                let warning = warning.unwrap_or_default();
                format!("✅ {name} responded with {} in {} ms{warning}", described(*status), self.took.as_millis())
            }
            Ok(Answer::Status(status)) => format!("❌ Service responded with {}", described(*status)),
            Ok(Answer::Container(_)) if self.is_up => format!("✅ {}", self.summary()),
            Ok(_) if self.is_up => format!("✅ {} in {} ms", self.summary(), self.took.as_millis()),
            Ok(_) => format!("❌ {}", self.summary()),
            Err(Failure { code, sentence }) => format!("❌ Service unavailable: {sentence} ({code})"),
        }
    }
}

/// What a container does, in words. Texts: `languages/texts/en.toml`.
fn sentence(state: ContainerState) -> &'static str {
    match state {
        ContainerState::Running => "the container is running",
        ContainerState::Healthy => "the container is healthy",
        ContainerState::Starting => "the container is starting",
        ContainerState::Unhealthy => "the container is unhealthy",
        ContainerState::Paused => "the container is paused",
        ContainerState::Restarting => "the container keeps restarting",
        ContainerState::Stopped => "the container is stopped",
        ContainerState::Ready { .. } => "{ready} of {total} ready",
    }
}

fn described(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("{} - {reason}", status.as_u16()),
        None => status.as_u16().to_string(),
    }
}
