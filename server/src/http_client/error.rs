//! Why an outgoing request failed, in words that may be shown: they name the host, never the address.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

/// Why a request failed.
///
/// No message contains the path of an address, a query, a credential or any text of the response. Cheap to clone,
/// because several viewers may wait for one request.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HttpClientError {
    /// The guards refuse the address, or a redirect to it.
    #[error("{host} may not be contacted ({reason})")]
    Blocked {
        /// The host that was refused.
        host: String,
        /// The rule that refused it.
        reason: BlockReason,
    },
    /// DNS has no address for the host.
    #[error("{host} could not be reached (name not found)")]
    NameNotFound {
        /// The requested host.
        host: String,
    },
    /// The host is there, but nothing listens on the port.
    #[error("{host} could not be reached (connection refused)")]
    Refused {
        /// The contacted host.
        host: String,
    },
    /// There is no Unix socket at this path.
    #[error("the socket {path} does not exist")]
    NoSocket {
        /// The path.
        path: String,
    },
    /// The system does not let this process open the Unix socket at this path.
    #[error("the socket {path} may not be opened (permission denied)")]
    SocketDenied {
        /// The path.
        path: String,
    },
    /// There is no route to the host.
    #[error("{host} could not be reached (no connection)")]
    Unreachable {
        /// The contacted host.
        host: String,
    },
    /// The encrypted connection could not be set up.
    #[error("{}", problem.at(host))]
    Tls {
        /// The contacted host.
        host: String,
        /// Whether the certificate or the protocol is the problem.
        problem: TlsProblem,
    },
    /// The request timed out.
    #[error("{host} did not answer within {} s", after.as_secs_f64())]
    TimedOut {
        /// The host contacted last.
        host: String,
        /// The limit that was exceeded.
        after: Duration,
    },
    /// The response has more bytes, after decompression, than the request allows.
    #[error("the response from {host} is too large")]
    TooLarge {
        /// The host that responded.
        host: String,
    },
    /// There are more redirects than the request allows.
    #[error("{host} redirects too often")]
    TooManyRedirects {
        /// The host whose redirect was not followed.
        host: String,
    },
    /// The text is not a valid address.
    #[error("the address cannot be used ({problem})")]
    BadAddress {
        /// What is wrong with it, without quoting it.
        problem: String,
    },
    /// A header of the request has a name or a value that HTTP does not allow, for instance with a line break.
    #[error("the header {name:?} cannot be sent")]
    BadHeader {
        /// The name of the header.
        name: String,
    },
    /// The response is not valid HTTP, or was cut off.
    #[error("{host} sent something unexpected ({problem})")]
    Protocol {
        /// The host that responded.
        host: String,
        /// What was unexpected.
        problem: &'static str,
    },
}

/// The rule that refused an address (docs/spec/widgets.md 11).
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BlockReason {
    /// A metadata service of a cloud, by name or by address.
    #[error("cloud metadata")]
    Metadata,
    /// A link-local address, 169.254.0.0/16 or `fe80::/10`.
    #[error("link-local address")]
    LinkLocal,
    /// Multicast, broadcast, unspecified and reserved addresses.
    #[error("not the address of a single host")]
    NotAHost,
    /// A port of this server on one of its own addresses.
    #[error("this server itself")]
    OwnPort,
    /// A loopback or private address while these are forbidden.
    #[error("requests to private addresses are switched off")]
    Private,
    /// A loopback or private address that only a service, a redirect or a page from another host names.
    #[error("a private address that the configuration does not name")]
    NotNamed,
    /// On the administrator's list of forbidden hosts.
    #[error("forbidden by the administrator")]
    Forbidden,
    /// A redirect from https to http.
    #[error("redirect from https to http")]
    Downgrade,
    /// A redirect that would carry the body of the request to another origin.
    #[error("the redirect would send the request body to another address")]
    BodyElsewhere,
    /// An optional request while the server is set to be offline.
    #[error("the server is set to be offline; unset OFFLINE to allow requests")]
    Offline,
}

impl BlockReason {
    /// A word for metrics.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::LinkLocal => "link_local",
            Self::NotAHost => "not_a_host",
            Self::OwnPort => "own_port",
            Self::Private => "private",
            Self::NotNamed => "not_named",
            Self::Forbidden => "forbidden",
            Self::Downgrade => "downgrade",
            Self::BodyElsewhere => "body_elsewhere",
            Self::Offline => "offline",
        }
    }
}

/// Why an encrypted connection could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsProblem {
    /// The certificate is not trusted, out of date, or made for another name.
    Certificate,
    /// The other side does not speak TLS, or only versions that are no longer safe.
    Handshake,
}

impl TlsProblem {
    /// The message about a host. Each is a literal, so that it is the key of its translations.
    fn at(self, host: &str) -> String {
        match self {
            Self::Certificate => format!("{host} uses a certificate that is not trusted"),
            Self::Handshake => format!("{host} could not agree on an encrypted connection"),
        }
    }
}

/// Why the client could not be built.
#[derive(Debug, Error)]
pub enum SetupError {
    /// rustls has no default crypto provider; the program must install it first.
    #[error("no crypto provider is installed")]
    NoCryptoProvider,
    /// The file of extra certificates cannot be read.
    #[error("extra certificates `{}` cannot be read", path.display())]
    ExtraCaUnreadable {
        /// The file as configured.
        path: PathBuf,
        /// The error from the system.
        #[source]
        source: io::Error,
    },
    /// The file of extra certificates contains no usable certificate.
    #[error("`{}` contains no valid certificate in PEM format", path.display())]
    ExtraCaInvalid {
        /// The file as configured.
        path: PathBuf,
    },
    /// The HTTP client rejects the settings.
    #[error("the HTTP client cannot be built")]
    Client(#[source] reqwest::Error),
}
