//! What the clients of all sources share.

use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use reqwest::{Certificate, Client, ClientBuilder, Identity, Response, redirect::Policy};
use serde_json::Value;

/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a list may take: engines with hundreds of containers need seconds.
pub const LIST_TIMEOUT: Duration = Duration::from_secs(20);
/// How often an idle connection is tested, so that the end of a stream is noticed when a machine disappears.
const KEEPALIVE: Duration = Duration::from_secs(30);
/// Maximum size of a list in bytes.
const MAX_LIST: usize = 16 * 1024 * 1024;
/// Maximum length of an event in bytes.
const MAX_EVENT: usize = 1024 * 1024;

/// What is not "unreserved" (RFC 3986, 2.3).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Why a body cannot be read.
pub enum BodyError {
    /// The connection is lost.
    Lost(reqwest::Error),
    /// The other side has ended a stream.
    Ended,
    /// It is not what was asked for; the rest of a sentence.
    Unreadable(String),
}

/// A client that goes only where it is told to. The process must have a default crypto provider.
pub fn builder() -> ClientBuilder {
    Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_keepalive(KEEPALIVE)
        .pool_max_idle_per_host(0)
        // A long stream of events is not to be compressed.
        .no_gzip()
}

/// Trusts only the authorities in a text in PEM form; `None` if there are none.
pub fn with_authorities(builder: ClientBuilder, pem: &[u8]) -> Option<ClientBuilder> {
    let authorities = Certificate::from_pem_bundle(pem).ok().filter(|authorities| !authorities.is_empty())?;
    Some(builder.tls_certs_only(authorities))
}

/// Shows the other side a certificate, in PEM form as its key; `None` if they cannot be used.
pub fn with_identity(builder: ClientBuilder, certificate: &[u8], key: &[u8]) -> Option<ClientBuilder> {
    let identity = Identity::from_pem(&[key, b"\n", certificate].concat()).ok()?;
    Some(builder.identity(identity))
}

/// The whole body of a list.
pub async fn body(mut response: Response) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(BodyError::Lost)? {
        if body.len() + piece.len() > MAX_LIST {
            return Err(BodyError::Unreadable(format!("is longer than {} MB", MAX_LIST / 1024 / 1024)));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// A stream of JSON objects, each on a line.
pub struct JsonLines {
    stream: Response,
    buffer: Vec<u8>,
    /// How much of the buffer has no end of a line.
    scanned: usize,
}

impl JsonLines {
    /// The lines of a response.
    pub fn new(stream: Response) -> Self {
        Self { stream, buffer: Vec::new(), scanned: 0 }
    }

    /// The next object. Cancel safe: what has arrived stays in the buffer.
    pub async fn next(&mut self) -> Result<Value, BodyError> {
        let unreadable = |reason: &str| BodyError::Unreadable(reason.to_owned());
        loop {
            while let Some(length) = self.buffer[self.scanned..].iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=self.scanned + length).collect();
                self.scanned = 0;
                if !line.trim_ascii().is_empty() {
                    return serde_json::from_slice(&line).map_err(|_| unreadable("has a line that is not JSON"));
                }
            }
            self.scanned = self.buffer.len();
            if self.scanned > MAX_EVENT {
                return Err(unreadable("has an event that is too long"));
            }
            match self.stream.chunk().await.map_err(BodyError::Lost)? {
                Some(piece) => self.buffer.extend_from_slice(&piece),
                None => return Err(BodyError::Ended),
            }
        }
    }
}

/// A text as part of a path or a query.
pub fn encoded(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, ENCODED)
}

/// The innermost cause of an error, which says what happened.
pub fn chain(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "there was no response in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
