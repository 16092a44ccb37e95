//! What a status check found, in data and in words. Nothing in it names an address, but for the server's name, which only
//! those are told who named the address themselves.

use std::time::Duration;

use http::StatusCode;

/// How the service behind an item stands.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum State {
    /// Nobody knows yet.
    #[default]
    Waiting,
    /// The last check succeeded.
    Up,
    /// The last check failed.
    Down,
}

impl State {
    /// The word in pages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "wait",
            Self::Up => "up",
            Self::Down => "down",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Outcome {
    /// Whether the service counts as up.
    pub is_up: bool,
    /// The status, or why there is none.
    pub answer: Result<StatusCode, Failure>,
    /// From the first byte sent to the end of the headers; zero if nothing answered.
    pub took: Duration,
    /// The name in the certificate's handshake, for an encrypted connection.
    pub server_name: Option<String>,
}

/// Why nothing answered.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Failure {
    /// A word for programs.
    pub code: &'static str,
    /// The same for people.
    pub sentence: &'static str,
}

impl Outcome {
    /// Something answered.
    pub fn answered(is_up: bool, status: StatusCode, took: Duration) -> Self {
        Self { is_up, answer: Ok(status), took, server_name: None }
    }

    /// Nothing answered.
    pub fn failed(failure: Failure) -> Self {
        Self { is_up: false, answer: Err(failure), took: Duration::ZERO, server_name: None }
    }

    /// The check itself broke.
    pub fn broken() -> Self {
        Self::failed(Failure { code: "EFAULT", sentence: "the check failed, see the server's log" })
    }

    /// With the name that the server was asked for.
    #[must_use]
    pub fn with_server_name(self, server_name: Option<String>) -> Self {
        Self { server_name, ..self }
    }

    /// How the service stands.
    pub fn state(&self) -> State {
        if self.is_up { State::Up } else { State::Down }
    }

    /// Milliseconds, if something answered.
    pub fn millis(&self) -> Option<u32> {
        self.answer.is_ok().then(|| u32::try_from(self.took.as_millis()).unwrap_or(u32::MAX))
    }

    /// The result for a tooltip, such as `200 - OK`.
    pub fn summary(&self) -> String {
        match &self.answer {
            Ok(status) => described(*status),
            Err(failure) => failure.sentence.to_owned(),
        }
    }

    /// The result as a sentence for programs and people (docs/spec/behaviour.md 11.2).
    pub fn message(&self) -> String {
        match &self.answer {
            Ok(status) if self.is_up => {
                let name = self.server_name.as_deref().unwrap_or("Server");
                format!("✅ {name} responded with {} in {} ms", described(*status), self.took.as_millis())
            }
            Ok(status) => format!("❌ Service responded with {}", described(*status)),
            Err(Failure { code, sentence }) => format!("❌ Service unavailable: {sentence} ({code})"),
        }
    }
}

fn described(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("{} - {reason}", status.as_u16()),
        None => status.as_u16().to_string(),
    }
}
