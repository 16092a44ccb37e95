//! A service's response, and what it means.

use std::{borrow::Cow, fmt, time::Duration};

use serde::de::DeserializeOwned;

use super::FetchError;
#[cfg(feature = "server")]
use super::{charset, lenient};
use crate::Moment;

/// Maximum number of values in a JSON document. Each takes a multiple of its bytes in memory; the longest real lists
/// have a fifth of this.
const MAX_JSON_VALUES: usize = 500_000;

/// The response to a request, after decompression, and after redirects unless the request disabled them.
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Names and values of the headers. They include `Set-Cookie`, for a login within one refresh.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The host of the request, for messages.
    pub host: String,
    /// When the response was received.
    pub received: Moment,
}

impl Response {
    /// The first header with this name, in upper or lower case.
    #[must_use]
    pub fn header<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.headers_named(name).next()
    }

    /// All headers with this name, in upper or lower case.
    pub fn headers_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.headers.iter().filter(move |(written, _)| written.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }

    /// The target, as written, of a redirect that was not followed.
    #[must_use]
    pub fn redirect(&self) -> Option<&str> {
        self.header("location").filter(|_| matches!(self.status, 301 | 302 | 303 | 307 | 308))
    }

    /// The character set that `Content-Type` names.
    #[must_use]
    pub fn charset(&self) -> Option<&str> {
        let parameters = self.header("content-type")?.split(';').skip(1);
        let mut named = parameters.filter_map(|parameter| parameter.split_once('='));
        let (_, value) = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
        Some(value.trim_matches(['"', '\'', ' ']))
    }

    /// The body as text, in the character set of the header if it fits; invalid parts are replaced.
    #[cfg(feature = "server")]
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        charset::decode(&self.body, self.charset().as_slice())
    }

    /// Returns the response if its status is a success.
    ///
    /// # Errors
    ///
    /// The sentence for the status (docs/spec/widgets.md 6).
    pub fn ok(&self) -> Result<&Self, FetchError> {
        let host = self.host.clone();
        match self.status {
            200..=299 => Ok(self),
            401 | 403 => Err(FetchError::Refused { host }),
            404 => Err(FetchError::UnknownAddress { host }),
            429 => Err(FetchError::TooMany { host, retry_at: self.retry_at() }),
            500..=599 => Err(FetchError::Failed { host, status: self.status, retry_at: self.retry_at() }),
            status => Err(FetchError::Unexpected { host, what: format!("status {status}") }),
        }
    }

    /// The body as JSON, if the status is a success.
    ///
    /// # Errors
    ///
    /// As for [`Response::ok`], or the body is not JSON or has another shape.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, FetchError> {
        self.ok()?.any_json()
    }

    /// The body as JSON, whatever the status, for services that explain their errors. A value of another type than
    /// expected counts as missing, and so does an entry of a list that cannot be read.
    ///
    /// # Errors
    ///
    /// The body is not JSON, or has another shape.
    pub fn any_json<T: DeserializeOwned>(&self) -> Result<T, FetchError> {
        let body = &*self.json_bytes();
        if is_too_much_json(body) {
            return Err(FetchError::TooLarge { host: self.host.clone() });
        }
        let read: Result<T, serde_json::Error> = serde_json::from_slice(body);
        // Widgets that run in the browser read values one by one, and their bundle should stay small.
        #[cfg(feature = "server")]
        let read = read.or_else(|error| if error.is_data() { lenient::read(body).ok_or(error) } else { Err(error) });
        read.map_err(|error| {
            let what = match body.trim_ascii_start().first() {
                None => "an empty answer",
                Some(b'<') => "a web page in place of data",
                Some(_) if error.is_data() => "data of another shape",
                Some(_) => "no JSON",
            };
            self.unexpected(what)
        })
    }

    /// The body as JSON should be: in UTF-8, without a byte order mark. Not every program knows.
    fn json_bytes(&self) -> Cow<'_, [u8]> {
        #[cfg(feature = "server")]
        if str::from_utf8(&self.body).is_err() {
            return self.text().into_owned().into_bytes().into();
        }
        self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body).into()
    }

    /// The error for a response of this host that is not as expected.
    #[must_use]
    pub fn unexpected(&self, what: &str) -> FetchError {
        FetchError::Unexpected { host: self.host.clone(), what: what.to_owned() }
    }

    /// When the host wants the next request, from `Retry-After`.
    #[must_use]
    pub fn retry_at(&self) -> Option<Moment> {
        let written = self.header("retry-after")?.trim();
        if let Ok(seconds) = written.parse::<u32>() {
            return Some(self.received.after(Duration::from_secs(seconds.into())));
        }
        // Browsers hide this header from pages, so the form with a date only matters on the server.
        #[cfg(feature = "server")]
        return Moment::parse_mail(written);
        #[cfg(not(feature = "server"))]
        None
    }
}

/// Whether a JSON document has too many values to fit in memory. Checked before it is parsed.
pub(crate) fn is_too_much_json(document: &[u8]) -> bool {
    // One of these characters precedes each value but the first. Those in texts count too, but they are few.
    document.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count() > MAX_JSON_VALUES
}

/// Shows nothing of the response but its status and size.
impl fmt::Debug for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Response")
            .field("status", &self.status)
            .field("host", &self.host)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Item {
        name: String,
        sizes: Vec<Option<u8>>,
        inner: Option<Box<Self>>,
    }

    #[test]
    fn the_character_set_of_the_header_counts() {
        let read = |content_type: &str| {
            let headers = vec![("content-type".to_owned(), content_type.to_owned())];
            let (body, host) = (b"{\"name\":\"B\xe4r\"}".to_vec(), "a.example".to_owned());
            let response = Response { status: 200, headers, body, host, received: Moment::default() };
            response.json::<Item>().map(|item| item.name)
        };
        for (content_type, expected) in [
            ("application/json; Charset=\"ISO-8859-1\"; x=y", "Bär"),
            ("application/json;charset=utf-8", "B\u{fffd}r"),
            ("application/json", "B\u{fffd}r"),
        ] {
            assert_eq!(read(content_type).as_deref(), Ok(expected), "{content_type}");
        }
    }

    #[test]
    fn members_that_are_null_are_none() {
        let read = |body: &str| {
            let body = body.as_bytes().to_vec();
            let host = "a.example".to_owned();
            Response { status: 200, headers: Vec::new(), body, host, received: Moment::default() }.json::<Item>()
        };
        let inner = Some(Box::new(Item { name: "b".to_owned(), ..Item::default() }));
        let item = Item { sizes: vec![Some(1), None], inner, ..Item::default() };
        assert_eq!(read(r#"{"name":null,"sizes":[1,null],"inner":{"name":"b","sizes":null}}"#), Ok(item));
        for (body, what) in [
            (r#"{"name":null,"sizes":3}"#, "data of another shape"),
            (r#"{"name":"a","#, "no JSON"),
            ("<html>", "a web page in place of data"),
            ("", "an empty answer"),
        ] {
            let error = FetchError::Unexpected { host: "a.example".to_owned(), what: what.to_owned() };
            assert_eq!(read(body), Err(error), "{body}");
        }
    }
}
