//! How this module reaches the world: one trait, so that the guards of outgoing requests are in one place and tests
//! need no network.

use std::pin::Pin;

use bytes::Bytes;
use url::Url;

use super::cache::{LookupOutcome, Stored};
use super::media::Media;

/// Most bytes of a picture that is meant to be shown in a tile.
pub const MAX_PICTURE_BYTES: usize = 2 * 1024 * 1024;

/// The answer of a future [`Fetch::get`].
pub type FetchFuture<'a> = Pin<Box<dyn Future<Output = Result<Fetched, FetchProblem>> + Send + 'a>>;

/// Fetches one address.
pub trait Fetch: Send + Sync {
    /// Sends a GET without cookies or credentials and follows redirects, each checked by the guards. Any status is an
    /// answer. A body of more than `max_bytes` after decompression is [`FetchProblem::TooLarge`].
    ///
    /// `may_be_private` says that the configuration itself names the host, so that it may be in the private network.
    /// Another host that a redirect leads to must be public in any case.
    fn get<'a>(&'a self, url: &'a Url, max_bytes: usize, may_be_private: bool) -> FetchFuture<'a>;
}

/// An answer from elsewhere.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`, as sent.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Bytes,
    /// The address that answered, after redirects.
    pub final_url: Url,
}

impl Fetched {
    /// Whether the status is one of success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum FetchProblem {
    /// The guards do not allow the address; asking again is useless.
    #[error("address is not allowed")]
    Forbidden,
    /// The body is larger than asked for.
    #[error("answer is too large")]
    TooLarge,
    /// No connection, no name, no time: may work later.
    #[error("host cannot be reached")]
    Unreachable,
}

/// Fetches a picture. What its bytes do not show to be a picture, such as a page that says "not found", is none.
pub async fn picture(fetch: &dyn Fetch, address: &Url, may_be_private: bool) -> LookupOutcome {
    match fetch.get(address, MAX_PICTURE_BYTES, may_be_private).await {
        // "Too many requests" and errors of the other side say nothing about the picture.
        Ok(answer) if answer.status == 429 || answer.status >= 500 => LookupOutcome::Failed,
        Ok(answer) => match Media::of_picture(&answer.body).filter(|_| answer.is_success()) {
            Some(media) => LookupOutcome::Found(Stored { media, body: answer.body }),
            None => LookupOutcome::Missing,
        },
        Err(FetchProblem::Unreachable) => LookupOutcome::Failed,
        Err(FetchProblem::Forbidden | FetchProblem::TooLarge) => LookupOutcome::Missing,
    }
}
