//! Reads the bodies of requests, up to a size. Whoever calls this has looked at the sender already: nothing is read for those
//! who may not send it.

use std::{error::Error, time::Duration};

use axum::body::{Body, HttpBody as _};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use http_body_util::BodyExt as _;

use super::{connections::BodyError, error::ApiError};

/// How much of a refused body is still received, so that its sender gets to read the response, in bytes.
const DISCARDED: usize = 8 * 1024 * 1024;

/// The time limit for that.
const DISCARD_TIME: Duration = Duration::from_secs(5);

/// When a client should retry if too many bodies are being read, in seconds.
const RETRY_AFTER: u32 = 5;

/// Why a body cannot be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UnreadBody {
    /// It is larger than it may be.
    TooLarge,
    /// It stopped coming.
    TooSlow,
    /// Others are being read.
    Busy,
    /// The connection ended.
    Broken,
}

impl UnreadBody {
    /// The failure as a response. `too_large` says how large the body may be.
    pub fn into_error(self, too_large: impl Into<String>) -> ApiError {
        match self {
            Self::TooLarge => ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, too_large),
            Self::TooSlow => {
                ApiError::new(StatusCode::REQUEST_TIMEOUT, "the body of the request did not arrive in time")
            }
            Self::Busy => {
                let message = "the server is reading too many other requests, try again in a moment";
                ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
                    .with_header(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER))
            }
            Self::Broken => ApiError::bad_request("the body ended too early"),
        }
    }
}

/// Reads a body of at most `max` bytes. A body that says that it is larger is not read at all.
///
/// # Errors
///
/// [`UnreadBody`].
pub async fn read(mut body: Body, max: usize) -> Result<Bytes, UnreadBody> {
    let announced = body.size_hint();
    if announced.lower() > max as u64 {
        discard(body);
        return Err(UnreadBody::TooLarge);
    }
    // One buffer: the pieces of a body may be tiny, and each would keep what it was read into.
    let exact = announced.exact().and_then(|length| usize::try_from(length).ok());
    let mut bytes = Vec::new();
    while let Some(data) = next(&mut body).await? {
        if bytes.len() + data.len() > max {
            discard(body);
            return Err(UnreadBody::TooLarge);
        }
        if bytes.is_empty() {
            // Not before something has come.
            bytes.reserve_exact(exact.unwrap_or(data.len()));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}

/// The next piece of data; `None` at the end. Trailers are ignored.
async fn next(body: &mut Body) -> Result<Option<Bytes>, UnreadBody> {
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(|error| reason(&error))?.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

fn reason(error: &axum::Error) -> UnreadBody {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        let failure = error.downcast_ref::<std::io::Error>().and_then(|error| error.get_ref()?.downcast_ref());
        match failure {
            Some(BodyError::TooSlow) => return UnreadBody::TooSlow,
            Some(BodyError::Busy) => return UnreadBody::Busy,
            None => cause = error.source(),
        }
    }
    UnreadBody::Broken
}

/// Receives the rest of a body that nobody reads, while its sender gets the response. A client that is still sending when the
/// connection is closed would not see the response.
pub fn discard(mut body: Body) {
    if body.is_end_stream() {
        return;
    }
    tokio::spawn(async move {
        let all = async {
            let mut left = DISCARDED;
            while let Ok(Some(data)) = next(&mut body).await {
                let Some(rest) = left.checked_sub(data.len()) else { break };
                left = rest;
            }
        };
        // A slower client will not wait for the response either.
        _ = tokio::time::timeout(DISCARD_TIME, all).await;
    });
}
