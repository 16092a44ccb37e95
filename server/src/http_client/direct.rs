//! Connections without HTTP, for checks: TCP to a port, a first line of what a service says, and ICMP echo. The guards
//! and limits are those of all requests.

use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, UdpSocket as StdUdpSocket};
use std::time::Duration;

use socket2::{Domain, Protocol, SockAddr, Socket, Type};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, UdpSocket};
use tokio::time::{Instant, sleep_until, timeout};
use url::{Host, Url};

use super::error::{BlockReason, HttpClientError};
use super::guard::Restrictions;
use super::inner::{HttpClient, Inner};
use super::runtime;
use super::target::plain_name;

/// The time between two echo requests.
const ECHO_INTERVAL: Duration = Duration::from_millis(200);
/// Maximum bytes of a first line.
const MAX_LINE: usize = 512;

/// A host, and whether it may be in the private network because our own config names it.
#[derive(Clone, Debug)]
pub struct DirectTarget {
    /// A name or an address; IPv6 addresses may have brackets.
    pub host: String,
    /// Whether it may be in the private network.
    pub may_be_private: bool,
}

/// The replies to a series of echo requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Echoes {
    /// How many requests were sent.
    pub sent: u16,
    /// How many were answered in time.
    pub received: u16,
    /// The mean time of the answered ones.
    pub mean: Duration,
}

/// Why there are no replies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PingError {
    /// The system lets this process open no socket for ICMP.
    #[error("the system allows no pings")]
    NotPermitted,
    /// The guards refuse the host, or it cannot be reached.
    #[error(transparent)]
    Failed(#[from] HttpClientError),
}

impl HttpClient {
    /// Opens a TCP connection and closes it, and returns how long it took to open.
    ///
    /// # Errors
    ///
    /// The guards refuse the host or port, or the connection is not accepted in time.
    pub async fn knock(&self, target: DirectTarget, port: u16, limit: Duration) -> Result<Duration, HttpClientError> {
        let inner = std::sync::Arc::clone(&self.inner);
        let work = async move { connect(&inner, &target, port, limit).await.map(|(_, took)| took) };
        runtime::run(self.inner.runtime.as_ref(), work).await
    }

    /// Sends text over a new TCP connection, and returns the first line of the response.
    ///
    /// # Errors
    ///
    /// Like [`HttpClient::knock`]; also if no line comes in time.
    pub async fn first_line(
        &self,
        target: DirectTarget,
        port: u16,
        text: String,
        limit: Duration,
    ) -> Result<String, HttpClientError> {
        let inner = std::sync::Arc::clone(&self.inner);
        let work = async move {
            let (mut stream, _) = connect(&inner, &target, port, limit).await?;
            let host = target.host;
            let talk = async {
                stream.write_all(text.as_bytes()).await?;
                let mut line = Vec::new();
                while !line.contains(&b'\n') && line.len() < MAX_LINE {
                    if stream.read_buf(&mut line).await? == 0 {
                        break;
                    }
                }
                Ok::<_, io::Error>(line)
            };
            match timeout(limit, talk).await {
                Ok(Ok(line)) => Ok(String::from_utf8_lossy(&line).lines().next().unwrap_or_default().to_owned()),
                Ok(Err(_)) => Err(HttpClientError::Protocol { host, problem: "an incomplete or damaged response" }),
                Err(_) => Err(HttpClientError::TimedOut { host, after: limit }),
            }
        };
        runtime::run(self.inner.runtime.as_ref(), work).await
    }

    /// Sends ICMP echo requests (RFC 792, RFC 4443) through an unprivileged socket, and waits for each reply at most
    /// `limit`.
    ///
    /// # Errors
    ///
    /// [`PingError`]. No reply is not an error.
    pub async fn ping(&self, target: DirectTarget, count: u16, limit: Duration) -> Result<Echoes, PingError> {
        let inner = std::sync::Arc::clone(&self.inner);
        let work = async move {
            let addresses = inner.admitted(&target, None).await?;
            let _permit = inner.limiter.acquire(&plain_name(&target.host), Duration::ZERO).await;
            let Some(address) = addresses.first() else {
                return Err(HttpClientError::NameNotFound { host: target.host }.into());
            };
            echo(*address, count, limit).await.map_err(|error| match error.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported => PingError::NotPermitted,
                _ => HttpClientError::Unreachable { host: target.host }.into(),
            })
        };
        runtime::run(self.inner.runtime.as_ref(), work).await
    }
}

impl Inner {
    /// The addresses of a host, if all of them may be contacted. Without a port, none is that of this server.
    async fn admitted(&self, target: &DirectTarget, port: Option<u16>) -> Result<Vec<IpAddr>, HttpClientError> {
        let host = target.host.trim();
        let bracketed = if host.parse::<Ipv6Addr>().is_ok() { format!("[{host}]") } else { host.to_owned() };
        let bad = || HttpClientError::BadAddress { problem: "it has no valid host".to_owned() };
        let url = Url::parse(&format!("http://{bracketed}:{}/", port.unwrap_or(80))).map_err(|_| bad())?;
        if url.path() != "/" || !url.username().is_empty() || url.query().is_some() || url.port() == Some(0) {
            return Err(bad());
        }
        let restrictions = Restrictions {
            own_port: port.is_some() && self.guard.is_own_port(&url),
            public_only: !target.may_be_private,
        };
        let refused = |reason: BlockReason| HttpClientError::Blocked { host: host.to_owned(), reason };
        self.guard.check_url(&url, restrictions).map_err(refused)?;
        match url.host() {
            Some(Host::Ipv4(v4)) => Ok(vec![IpAddr::V4(v4)]),
            Some(Host::Ipv6(v6)) => Ok(vec![IpAddr::V6(v6)]),
            Some(Host::Domain(name)) => {
                let missing = || HttpClientError::NameNotFound { host: host.to_owned() };
                let found = self.clients.lookup().lookup(name).await.map_err(|_| missing())?;
                let allowed = self.guard.check_resolved(name, restrictions, found).map_err(refused)?;
                if allowed.is_empty() { Err(missing()) } else { Ok(allowed) }
            }
            None => Err(bad()),
        }
    }
}

/// Opens a connection to the first address that accepts one.
pub(super) async fn connect(
    inner: &Inner,
    target: &DirectTarget,
    port: u16,
    limit: Duration,
) -> Result<(TcpStream, Duration), HttpClientError> {
    let host = target.host.clone();
    let addresses = inner.admitted(target, Some(port)).await?;
    let _permit = inner.limiter.acquire(&plain_name(&host), Duration::ZERO).await;
    let began = Instant::now();
    let attempts = async {
        let mut last = HttpClientError::NameNotFound { host: host.clone() };
        for address in addresses {
            match TcpStream::connect(SocketAddr::new(address, port)).await {
                Ok(stream) => return Ok((stream, began.elapsed())),
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    last = HttpClientError::Refused { host: host.clone() };
                }
                Err(_) => last = HttpClientError::Unreachable { host: host.clone() },
            }
        }
        Err(last)
    };
    let timed_out = || HttpClientError::TimedOut { host: host.clone(), after: limit };
    timeout(limit, attempts).await.unwrap_or_else(|_| Err(timed_out()))
}

/// Sends echo requests to an address, one after the other.
async fn echo(address: IpAddr, count: u16, limit: Duration) -> io::Result<Echoes> {
    let socket = echo_socket(address)?;
    let (mut received, mut total) = (0_u16, Duration::ZERO);
    for sequence in 0..count {
        let began = Instant::now();
        let request = echo_request(address, sequence);
        match socket.send(&request).await {
            Ok(_) => {}
            // Some systems report here that the host is not there.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(error),
            Err(_) => continue,
        }
        let reply = async {
            let mut packet = [0; 1500];
            loop {
                let length = socket.recv(&mut packet).await?;
                if is_reply(address, &packet[..length], sequence) {
                    return Ok::<_, io::Error>(());
                }
            }
        };
        if let Ok(Ok(())) = timeout(limit, reply).await {
            received += 1;
            total += began.elapsed();
        }
        if sequence + 1 < count {
            sleep_until(began + ECHO_INTERVAL).await;
        }
    }
    Ok(Echoes { sent: count, received, mean: total / u32::from(received.max(1)) })
}

/// A datagram socket for ICMP, which needs no privileges. The system chooses the identifier and lets only replies to it
/// through.
fn echo_socket(address: IpAddr) -> io::Result<UdpSocket> {
    let protocol = if address.is_ipv4() { Protocol::ICMPV4 } else { Protocol::ICMPV6 };
    let peer = SockAddr::from(SocketAddr::new(address, 0));
    let socket = Socket::new(Domain::for_address(SocketAddr::new(address, 0)), Type::DGRAM, Some(protocol))?;
    socket.set_nonblocking(true)?;
    socket.connect(&peer)?;
    UdpSocket::from_std(StdUdpSocket::from(socket))
}

/// An echo request. Linux writes the identifier and the checksum itself; other systems need the checksum of IPv4.
fn echo_request(address: IpAddr, sequence: u16) -> [u8; 16] {
    let mut packet = [0; 16];
    packet[0] = if address.is_ipv4() { 8 } else { 128 };
    packet[6..8].copy_from_slice(&sequence.to_be_bytes());
    packet[8..].copy_from_slice(b"portico.");
    if address.is_ipv4() {
        let words = packet.chunks(2).map(|word| u32::from(u16::from_be_bytes([word[0], word[1]])));
        let mut sum: u32 = words.sum();
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        packet[2..4].copy_from_slice(&(!(sum as u16)).to_be_bytes());
    }
    packet
}

/// Whether a packet is the reply to the request with this number. Some systems put the IPv4 header in front.
fn is_reply(address: IpAddr, packet: &[u8], sequence: u16) -> bool {
    let has_header = address.is_ipv4() && packet.first().is_some_and(|first| first >> 4 == 4);
    let start = if has_header { usize::from(packet[0] & 0x0f) * 4 } else { 0 };
    let kind = if address.is_ipv4() { 0 } else { 129 };
    packet.get(start) == Some(&kind) && packet.get(start + 6..start + 8) == Some(&sequence.to_be_bytes()[..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_the_checksum_that_a_reply_verifies() {
        let v4 = IpAddr::from([127, 0, 0, 1]);
        let request = echo_request(v4, 0x1234);
        let sum: u32 = request.chunks(2).map(|word| u32::from(u16::from_be_bytes([word[0], word[1]]))).sum();
        assert_eq!((sum & 0xffff) + (sum >> 16), 0xffff);
        let mut reply = request;
        reply[0] = 0;
        assert!(is_reply(v4, &reply, 0x1234) && !is_reply(v4, &reply, 1) && !is_reply(v4, &request, 0x1234));
        let with_header: Vec<u8> = [vec![0x45; 20], reply.to_vec()].concat();
        assert!(is_reply(v4, &with_header, 0x1234));
        assert!(!is_reply(v4, &[], 0) && !is_reply(v4, &[0x4f], 0));
    }
}
