//! The other end of a request's connection.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap};

use crate::access::AuthRequest;

/// The address of the other end; `None` in tests without a connection.
pub fn peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip().to_canonical())
}

/// The parts of a request that identify the viewer.
pub fn auth_request<'a>(headers: &'a HeaderMap, extensions: &Extensions) -> AuthRequest<'a> {
    AuthRequest { headers, peer: peer(extensions) }
}
