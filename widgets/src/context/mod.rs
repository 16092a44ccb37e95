//! The context of a widget: one HTTP exchange at a time, the time, and a little memory.

#[cfg(feature = "server")]
pub(crate) mod charset;
mod fetch_error;
#[cfg(feature = "server")]
mod lenient;
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
pub(crate) use {
    lenient::{drop_nulls, from_value_leniently},
    response::is_too_much_json,
};

#[cfg(feature = "server")]
pub use recorded::{Exchange, Recorded};

/// A value that is being computed, such as the session that a login returns.
pub type PendingValue<'a> = BoxFuture<'a, Result<Value, FetchError>>;

/// A widget's only access to the outside world. It is created for one entry and applies its timeout and `insecure`, so
/// that widgets need not.
///
/// Widgets take it as `&dyn WidgetContext`, so each of them is compiled once, not once per implementation.
///
/// A widget with several independent requests joins them with `futures_util::future::try_join`.
#[async_trait]
pub trait WidgetContext: Send + Sync {
    /// Sends one request. A response with an error status is not an error.
    ///
    /// # Errors
    ///
    /// There is no usable response, or the request is not allowed.
    async fn exchange(&self, request: Request) -> Result<Response, FetchError>;

    /// The current time.
    fn now(&self) -> Moment;

    /// Where the widget runs.
    fn side(&self) -> Side;

    /// What is known about the viewer. Only for widgets whose audience is not everyone.
    fn viewer(&self) -> &ViewerHints;

    /// The value remembered under this key, if it is still there. All widgets share the memory, so a key begins with
    /// what it belongs to (a service and its address) and includes the user (the user name, never a password).
    fn recall(&self, _key: &str) -> Option<Value> {
        None
    }

    /// Remembers a value for a while, in memory only. In the browser, or if the memory is full, nothing is remembered.
    fn remember(&self, _key: &str, _value: Value, _life: Duration) {}

    /// Forgets the value under this key.
    fn forget(&self, _key: &str) {}

    /// Sets the request that ends the session remembered under this key. It is sent once, when the widgets of the config
    /// no longer need the session, or when the server stops; but not for a session that was forgotten or has expired.
    fn logout_request(&self, _key: &str, _request: Request) {}

    /// The implementation of `kept` on `dyn WidgetContext`.
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

    /// Says when the data were fetched, if another lookup has fetched them. The age of the panel is that of its oldest
    /// data.
    fn data_from(&self, _at: Moment) {}

    /// Logs something that the operator of the server may want to know but no viewer needs, such as the use of a
    /// fallback. It is logged with the type of the widget, and must not contain an address or a secret.
    fn log(&self, _line: &str) {}
}

impl dyn WidgetContext + '_ {
    /// The value remembered under this key, or else the result of `make`, which is then remembered. If several widgets
    /// want it at the same time, one of them makes it and the others wait, so that only one login happens.
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

    /// Sends a GET request and reads its response as JSON.
    ///
    /// # Errors
    ///
    /// Those of [`WidgetContext::exchange`] and [`Response::json`].
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

/// What is known about the viewer while a widget fetches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewerHints {
    /// The preferred language as a BCP 47 tag, such as `de-AT`.
    pub locale: Option<String>,
    /// The time zone as an IANA name, such as `Europe/Vienna`.
    pub time_zone: Option<String>,
}

impl ViewerHints {
    /// The two or three letters of the language; `en` if it is unknown.
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
