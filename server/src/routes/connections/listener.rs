//! Listens for connections, admits them, and hands them to the HTTP server.

use std::{
    fmt, io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::{Extension, Router, extract::ConnectInfo, middleware::AddExtension};
use axum_server::{AddrListener, Address};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpSocket, TcpStream},
    task::yield_now,
};
use tokio_util::sync::{PollSemaphore, WaitForCancellationFutureOwned};
use tower::Layer as _;

use super::{
    Admission, Connection, Connections, Limits,
    memory::{Hold, RoomWait},
};

/// What an HTTP/2 connection takes besides its requests, in bytes: buffers, streams and tables of header fields.
pub(super) const HTTP2_BUFFERS: usize = 16 * 1024;

/// What an HTTP/2 connection keeps for each request that was open at the same time as others, in bytes: its tables of streams
/// and frames do not shrink before the connection ends.
pub(super) const PER_STREAM: usize = 512;

/// How many connections may wait to be accepted, if the system allows as many. The system drops those that come when the queue
/// is full, and their clients try again only after seconds.
const BACKLOG: u32 = 4096;

/// What an HTTP/2 connection without TLS begins with.
const HTTP2_PREFACE: &[u8] = b"PRI ";

/// The address of a listener, or of the other end of a connection.
#[derive(Clone, Debug)]
pub struct ListenAddress {
    address: SocketAddr,
    connections: Connections,
    /// `None` for an address of our own.
    connection: Option<Arc<Connection>>,
}

/// The service that answers on a connection.
pub type ConnectionService =
    AddExtension<AddExtension<AddExtension<Router, Option<Arc<Connection>>>, Limits>, ConnectInfo<SocketAddr>>;

impl ListenAddress {
    /// The routes for a connection from here. They get the peer's address ([`ConnectInfo`]), and [`super::track`] gets the
    /// connection.
    pub fn answering(self, routes: Router) -> ConnectionService {
        let tracked = Extension(self.connection).layer(routes);
        let limited = Extension(*self.connections.limits()).layer(tracked);
        Extension(ConnectInfo(self.address)).layer(limited)
    }
}

impl Address for ListenAddress {
    type Stream = Stream;
    type Listener = Listener;
}

/// Accepts connections while there is room for them.
#[derive(Debug)]
pub struct Listener {
    tcp: TcpListener,
    connections: Connections,
}

impl Listener {
    /// Binds an address.
    ///
    /// # Errors
    ///
    /// If the address is in use, or must not be used.
    pub fn bind(address: SocketAddr, connections: Connections) -> io::Result<Self> {
        let socket = if address.is_ipv6() { TcpSocket::new_v6() } else { TcpSocket::new_v4() }?;
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        Ok(Self { tcp: socket.listen(BACKLOG)?, connections })
    }

    /// The address with the actual port.
    ///
    /// # Errors
    ///
    /// As [`TcpListener::local_addr`].
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.tcp.local_addr()
    }
}

impl AddrListener<Stream, ListenAddress> for Listener {
    async fn bind_to(endpoint: ListenAddress) -> io::Result<Self> {
        Self::bind(endpoint.address, endpoint.connections)
    }

    async fn accept_stream(&self) -> io::Result<(Stream, ListenAddress)> {
        loop {
            let (tcp, address) = self.tcp.accept().await?;
            let Some(admission) = self.connections.admit(address.ip()).await else { continue };
            let connection = Some(Arc::clone(&admission.connection));
            let endpoint = ListenAddress { address, connections: self.connections.clone(), connection };
            return Ok((Stream::new(tcp, admission), endpoint));
        }
    }

    fn get_local_addr(&self) -> io::Result<ListenAddress> {
        Ok(ListenAddress { address: self.address()?, connections: self.connections.clone(), connection: None })
    }
}

/// A connection's bytes; fails as soon as the connection is cut.
pub struct Stream {
    tcp: TcpStream,
    admission: Admission,
    /// The memory for what has arrived and is not handled yet.
    buffers: Hold,
    room: RoomWait,
    turns: PollSemaphore,
    has_read: bool,
    /// How many streams `buffers` holds memory for.
    streams: usize,
    cut: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Stream").field("tcp", &self.tcp).finish_non_exhaustive()
    }
}

impl Stream {
    fn new(tcp: TcpStream, admission: Admission) -> Self {
        let cut = Box::pin(admission.connection.end().cancelled_owned());
        let buffers = Hold::new(&admission.connection, 0);
        let turns = PollSemaphore::new(Arc::clone(&admission.connections.0.readers));
        let room = RoomWait::new(&admission.connection.memory);
        Self { tcp, admission, buffers, room, turns, has_read: false, streams: 0, cut }
    }

    /// Records that a few bytes of it may be many requests, as with HTTP/2.
    pub(super) fn multiplexes(&mut self) {
        self.admission.connection.multiplexes();
        self.buffers.grow(HTTP2_BUFFERS);
    }

    /// Holds memory for the tables of streams.
    fn count_streams(&mut self) {
        let streams = self.admission.connection.most_streams();
        if streams > self.streams {
            self.buffers.grow((streams - self.streams) * PER_STREAM);
            self.streams = streams;
        }
    }

    /// Wakes the task when the connection is cut.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match self.cut.as_mut().poll(context) {
            Poll::Ready(()) => Err(io::ErrorKind::ConnectionAborted.into()),
            Poll::Pending => Ok(()),
        }
    }

    fn note(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.count_streams();
        self.admission.connection.writes(written.is_pending());
        written
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        self.count_streams();
        let this = &mut *self;
        let connection = &this.admission.connection;
        if connection.needs_room() {
            ready!(this.room.poll(&connection.memory, context));
        }
        let turn = if connection.is_multiplexed() { ready!(this.turns.poll_acquire(context)) } else { None };
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.tcp).poll_read(context, buffer);
        let came = &buffer.filled()[before..];
        if !came.is_empty() {
            if !std::mem::replace(&mut this.has_read, true)
                && (came.starts_with(HTTP2_PREFACE) || HTTP2_PREFACE.starts_with(came))
            {
                connection.multiplexes();
                this.buffers.grow(HTTP2_BUFFERS);
            }
            let growth = connection.bytes_came(came.len());
            if growth > 0 {
                this.buffers.grow(growth);
            }
            if let Some(turn) = turn {
                // The tasks of the requests begin first.
                tokio::spawn(async move {
                    yield_now().await;
                    yield_now().await;
                    drop(turn);
                });
            }
        }
        read
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check(context)?;
        let written = Pin::new(&mut self.tcp).poll_write(context, bytes);
        self.note(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        let written = Pin::new(&mut self.tcp).poll_write_vectored(context, bytes);
        self.note(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}
