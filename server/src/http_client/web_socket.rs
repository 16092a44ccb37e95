//! Calls of JSON-RPC 2.0 over a WebSocket (RFC 6455), for services that have no other API. The connection is one of the HTTP
//! client, so that its guards, certificates and time limits apply.

use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use http::{HeaderMap, HeaderValue, header};
use reqwest::Response;
use serde::Deserialize;
use serde_json::Value;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        self, Message,
        handshake::{client::generate_key, derive_accept_key},
        protocol::{Role, WebSocketConfig},
    },
};

use super::HttpClientError;

/// What opens a WebSocket.
pub(super) struct Opening {
    key: String,
}

/// What all messages of JSON-RPC have. A message without an id is no answer.
#[derive(Deserialize)]
struct Answer {
    id: Option<u64>,
}

impl Opening {
    pub(super) fn new() -> Self {
        Self { key: generate_key() }
    }

    /// The headers of the request.
    pub(super) fn headers(&self) -> HeaderMap {
        let key = HeaderValue::from_str(&self.key);
        let fixed = [
            (header::CONNECTION, HeaderValue::from_static("Upgrade")),
            (header::UPGRADE, HeaderValue::from_static("websocket")),
            (header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13")),
        ];
        key.into_iter().map(|key| (header::SEC_WEBSOCKET_KEY, key)).chain(fixed).collect()
    }

    fn is_accepted(&self, response: &Response) -> bool {
        let accepted = response.headers().get(header::SEC_WEBSOCKET_ACCEPT);
        accepted.is_some_and(|accepted| accepted.as_bytes() == derive_accept_key(self.key.as_bytes()).as_bytes())
    }
}

/// Makes the calls, one after the other. Returns the list of the answers.
///
/// # Errors
///
/// An answer is missing or damaged, or all together have more than `max_bytes`.
pub(super) async fn call(
    response: Response,
    opening: &Opening,
    calls: &[u8],
    max_bytes: usize,
    host: &str,
) -> Result<Bytes, HttpClientError> {
    let damaged = || HttpClientError::Protocol { host: host.to_owned(), problem: "an incomplete or damaged response" };
    let failure = |error| match error {
        tungstenite::Error::Capacity(_) => HttpClientError::TooLarge { host: host.to_owned() },
        _ => damaged(),
    };
    if !opening.is_accepted(&response) {
        return Err(damaged());
    }
    let calls: Vec<Value> = serde_json::from_slice(calls).map_err(|_| damaged())?;
    let stream = response.upgrade().await.map_err(|_| damaged())?;
    let limits = WebSocketConfig::default().max_message_size(Some(max_bytes)).max_frame_size(Some(max_bytes));
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Client, Some(limits)).await;
    let (mut answers, mut length) = (Vec::new(), 0);
    for call in calls {
        socket.send(Message::text(call.to_string())).await.map_err(failure)?;
        loop {
            let text = match socket.next().await {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(_)) | None => return Err(damaged()),
                Some(Err(error)) => return Err(failure(error)),
            };
            length += text.len();
            if length > max_bytes {
                return Err(HttpClientError::TooLarge { host: host.to_owned() });
            }
            let answer: Answer = serde_json::from_str(&text).map_err(|_| damaged())?;
            if answer.id.is_some() && answer.id == call["id"].as_u64() {
                answers.push(text);
                break;
            }
        }
    }
    // What is missing at the end is only politeness.
    let _ = socket.close(None).await;
    let answers: Vec<&str> = answers.iter().map(|answer| answer.as_str()).collect();
    Ok(format!("[{}]", answers.join(",")).into())
}
