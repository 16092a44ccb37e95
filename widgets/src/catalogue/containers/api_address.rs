//! Where the API of a container service is.

use crate::{Request, option_types::BaseAddress};

/// Where the API is.
pub(super) enum ApiAddress {
    Socket(String),
    Http(BaseAddress),
}

impl ApiAddress {
    pub(super) fn parse(written: &str) -> Result<Self, &'static str> {
        let path = match written.split_once("://") {
            Some((scheme, path)) if scheme.eq_ignore_ascii_case("unix") => Some(path),
            None if written.starts_with('/') => Some(written),
            _ => None,
        };
        if let Some(path) = path {
            let is_usable = path.starts_with('/') && !path.contains(char::is_control);
            return if is_usable {
                Ok(Self::Socket(path.to_owned()))
            } else {
                Err("must name a socket by its full path")
            };
        }
        let address = match written.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("tcp") => BaseAddress::parse(&format!("http://{rest}")),
            _ => BaseAddress::parse(written),
        };
        address.map(Self::Http).map_err(|_| "must be a unix://, tcp://, http:// or https:// address")
    }

    pub(super) fn get(&self, path: &str, segments: &[&str]) -> Request {
        match self {
            Self::Socket(socket) => {
                let local = BaseAddress::parse("http://localhost").unwrap_or_default();
                Request::get(local.join(path, segments)).over_socket(socket)
            }
            Self::Http(address) => Request::get(address.join(path, segments)),
        }
    }

    /// The key under which the processor times of its containers are remembered.
    pub(super) fn memory_key(&self) -> String {
        match self {
            Self::Socket(socket) => format!("containers/{socket}"),
            Self::Http(address) => format!("containers/{}", address.public()),
        }
    }
}
