//! The world as a widget sees it: one HTTP exchange at a time, the time, and a little memory.

mod fetch_error;
#[cfg(feature = "server")]
mod recorded;
mod request;
mod response;

use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::Moment;

pub use fetch_error::FetchError;
pub use request::{Body, Method, Request};
pub use response::Response;
#[cfg(feature = "server")]
pub(crate) use response::is_too_much_json;

#[cfg(feature = "server")]
pub use recorded::{Exchange, Recorded};

/// A value on its way, such as the session that a login yields.
pub type PendingValue<'a> = BoxFuture<'a, Result<Value, FetchError>>;

/// The only way out of a widget. Made for one entry: its time limit and `insecure` are in here, not in the widget.
///
/// Widgets take it as `&dyn Outside`, so each of them is compiled once, and not again for every implementation.
///
/// A widget with several requests that do not need each other joins them with `futures_util::future::try_join`.
#[async_trait]
pub trait Outside: Send + Sync {
    /// Sends one request. An answer with an error status is a reply, not an error.
    ///
    /// # Errors
    ///
    /// If nothing useful answers, or the request is not allowed.
    async fn exchange(&self, request: Request) -> Result<Response, FetchError>;

    /// The present time.
    fn now(&self) -> Moment;

    /// Where the widget runs.
    fn side(&self) -> Side;

    /// What is known of the viewer. Only for widgets whose audience is not everyone.
    fn viewer(&self) -> &ViewerHints;

    /// What was remembered under this key, if it is still there. Memory is shared by all widgets, so a key begins with
    /// what it belongs to (a service and its address) and names whose it is (the user name, never a password).
    fn recall(&self, _key: &str) -> Option<Value> {
        None
    }

    /// Remembers something for a while, in memory only. The browser's side, and a full memory, forget at once.
    fn remember(&self, _key: &str, _value: Value, _life: Duration) {}

    /// Forgets what is remembered under this key.
    fn forget(&self, _key: &str) {}

    /// Says what ends the session that is remembered under this key. It is sent once, when no widget of the config needs
    /// the session any more or the server stops; never for one that was forgotten, or whose time is over.
    fn logout_request(&self, _key: &str, _request: Request) {}

    /// What `dyn Outside` offers as `kept`.
    ///
    /// # Errors
    ///
    /// Those of `make`; an error is not remembered.
    async fn recall_or_make(&self, key: &str, life: Duration, make: PendingValue<'_>) -> Result<Value, FetchError> {
        if let Some(value) = self.recall(key) {
            return Ok(value);
        }
        let value = make.await?;
        self.remember(key, value.clone(), life);
        Ok(value)
    }

    /// Says something that anyone who runs the server may want to know and that no viewer needs, such as that a detour
    /// was taken. Goes to the log, with the type of the widget. A remark holds no address and no secret.
    fn remark(&self, _remark: &str) {}
}

impl dyn Outside + '_ {
    /// What is remembered under this key, else what `make` yields, which is then remembered. Of several widgets that
    /// want the same at once, one makes it and the others wait: a login happens once.
    ///
    /// # Errors
    ///
    /// Those of `make`; an error is not remembered.
    pub async fn kept(
        &self,
        key: &str,
        life: Duration,
        make: impl Future<Output = Result<Value, FetchError>> + Send,
    ) -> Result<Value, FetchError> {
        self.recall_or_make(key, life, Box::pin(make)).await
    }

    /// Sends a GET and reads its answer as JSON.
    ///
    /// # Errors
    ///
    /// Those of [`Outside::exchange`] and [`Response::json`].
    pub async fn get_json<T: DeserializeOwned>(&self, url: &str) -> Result<T, FetchError> {
        self.exchange(Request::get(url)).await?.json()
    }
}

/// Where a widget runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Side {
    /// On the server, for everyone.
    #[default]
    Server,
    /// In the viewer's browser.
    Browser,
}

/// What is known of the viewer when a widget looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewerHints {
    /// The preferred language as a BCP 47 tag, such as `de-AT`.
    pub locale: Option<String>,
    /// The time zone as an IANA name, such as `Europe/Vienna`.
    pub time_zone: Option<String>,
}

impl ViewerHints {
    /// The two or three letters of the language; `en` when none is known.
    #[must_use]
    pub fn language(&self) -> &str {
        let tag = self.locale.as_deref().unwrap_or_default();
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        if (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            language
        } else {
            "en"
        }
    }
}
