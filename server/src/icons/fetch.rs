//! Outgoing requests of this module as one trait, so that the guards are in one place and tests need no network.

use std::pin::Pin;

use bytes::Bytes;
use url::Url;

use super::cache::{LookupOutcome, StoredMedia};
use super::media::Media;

/// Maximum bytes of a picture for a tile.
pub const MAX_PICTURE_BYTES: usize = 2 * 1024 * 1024;
/// Maximum bytes of what styles name: fonts of all scripts, and pictures that fill the page.
const MAX_STYLE_PART_BYTES: usize = 8 * 1024 * 1024;

/// The future that [`Fetch::get`] returns.
pub type FetchFuture<'a> = Pin<Box<dyn Future<Output = Result<Fetched, FetchProblem>> + Send + 'a>>;

/// How far the host of an address is trusted, by who names it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum HostTrust {
    /// Another site names it, so it must be public.
    Foreign,
    /// The config names it, so it may be in the private network.
    Named,
    /// The same, and its item accepts any TLS certificate.
    NamedInsecure,
}

impl HostTrust {
    /// Whether the host may be in the private network.
    pub fn may_be_private(self) -> bool {
        self != Self::Foreign
    }

    /// The trust in this host if the condition holds; otherwise it is foreign.
    #[must_use]
    pub fn only_if(self, condition: bool) -> Self {
        if condition { self } else { Self::Foreign }
    }
}

/// Fetches one address.
pub trait Fetch: Send + Sync {
    /// Sends a GET without cookies or credentials and follows redirects, each checked by the guards. Responses with any
    /// status are returned. A body of more than `max_bytes` after decompression is [`FetchProblem::TooLarge`].
    ///
    /// The trust is in the host of this address. Any other host that a redirect leads to is foreign.
    fn get<'a>(&'a self, url: &'a Url, max_bytes: usize, trust: HostTrust) -> FetchFuture<'a>;
}

/// An external response.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`, as sent.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Bytes,
    /// The final address, after redirects.
    pub final_url: Url,
}

impl Fetched {
    /// Whether the status is a success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Why there is no response.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum FetchProblem {
    /// The guards refuse the address; a retry is useless.
    #[error("address is not allowed")]
    Forbidden,
    /// The redirects do not end; another address of the host may still respond.
    #[error("too many redirects")]
    Redirects,
    /// The body is larger than allowed.
    #[error("answer is too large")]
    TooLarge,
    /// No connection, no DNS entry, or a timeout: may work later.
    #[error("host cannot be reached")]
    Unreachable,
}

/// Fetches a picture. A body that is not recognized as a picture by its bytes, such as a "not found" page, is rejected.
pub async fn picture(fetch: &dyn Fetch, address: &Url, trust: HostTrust) -> LookupOutcome {
    recognized(fetch, address, MAX_PICTURE_BYTES, trust, Media::of_picture).await
}

/// Fetches a picture or a font that styles name, in the same way.
pub async fn style_part(fetch: &dyn Fetch, address: &Url, trust: HostTrust) -> LookupOutcome {
    let media = |body: &[u8]| Media::of_font(body).or_else(|| Media::of_picture(body));
    recognized(fetch, address, MAX_STYLE_PART_BYTES, trust, media).await
}

async fn recognized(
    fetch: &dyn Fetch,
    address: &Url,
    max_bytes: usize,
    trust: HostTrust,
    media: impl Fn(&[u8]) -> Option<Media>,
) -> LookupOutcome {
    match fetch.get(address, max_bytes, trust).await {
        // "Too many requests" and server errors say nothing about the picture.
        Ok(answer) if answer.status == 429 || answer.status >= 500 => LookupOutcome::Failed,
        Ok(answer) => match media(&answer.body).filter(|_| answer.is_success()) {
            Some(media) => LookupOutcome::Found(StoredMedia { media, body: answer.body }),
            None => LookupOutcome::Missing,
        },
        Err(FetchProblem::Unreachable) => LookupOutcome::Failed,
        Err(FetchProblem::Forbidden | FetchProblem::Redirects | FetchProblem::TooLarge) => LookupOutcome::Missing,
    }
}
