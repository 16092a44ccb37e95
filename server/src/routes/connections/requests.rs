//! Requests on a connection: while one is open, the connection is in use. Its body must arrive in time, and what the server
//! holds for it counts for its connection.

use std::{
    future::poll_fn,
    io,
    pin::{Pin, pin},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use axum::{
    body::{Body, HttpBody},
    extract::Request,
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, Version, request::Parts};
use http_body::{Frame, SizeHint};
use tokio::{
    sync::Semaphore,
    time::{Sleep, sleep},
};

use super::{
    Connection, Limits,
    memory::{Hold, Lent, PER_BODY_BYTE, PER_REQUEST, RoomWait},
};
use crate::routes::health;

/// Maximum size of a piece of a response on an HTTP/2 stream, in bytes. The next piece is given only when the client lets the
/// server send more, so that shows whether it takes anything.
const PIECE: usize = 16 * 1024;

/// What a field of a head takes besides its name and its value, in bytes.
const PER_FIELD: usize = 128;

/// Registers a request with its connection until its response was taken, and limits the time and the memory for its body.
pub async fn track(request: Request, next: Next) -> Response {
    let extensions = request.extensions();
    let (Some(Some(connection)), Some(limits)) =
        (extensions.get::<Option<Arc<Connection>>>().cloned(), extensions.get::<Limits>().copied())
    else {
        return next.run(request).await;
    };
    let (mut parts, body) = request.into_parts();
    let open = Arc::new(OpenRequest::new(&connection, &parts));
    // Health checks learn that the server is alive, however busy it is.
    let waits = !health::is_check(&parts.uri);
    if waits && !connection.memory.wait_for_room().await {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    parts.extensions.insert(Arc::clone(&open));
    let body = if body.is_end_stream() { body } else { Body::new(TimedBody::new(body, Arc::clone(&open), limits)) };
    let handled = next.run(Request::from_parts(parts, body));
    let response = if waits { begun_in_turn(handled).await } else { handled.await };
    open.answered();
    let room = RoomWait::new(&connection.memory);
    response.map(|body| Body::new(CountedBody { body, given: Bytes::new(), room, open }))
}

/// How many requests may begin at the same time.
const MAX_BEGINNING: usize = 4;

static BEGINNINGS: Semaphore = Semaphore::const_new(MAX_BEGINNING);

/// Handles a request, and begins when it is its turn. Most requests are handled at a stroke. If all that arrive were in the
/// runtime's queue at once, everything else would have to wait for all of them.
async fn begun_in_turn(handled: impl Future<Output = Response>) -> Response {
    let mut handled = pin!(handled);
    // The semaphore is never closed, so there is always a permit.
    let turn = BEGINNINGS.acquire().await;
    let first = poll_fn(|context| Poll::Ready(handled.as_mut().poll(context))).await;
    drop(turn);
    match first {
        Poll::Ready(response) => response,
        Poll::Pending => handled.await,
    }
}

/// A request whose response has not been taken as a whole.
#[derive(Debug)]
pub struct OpenRequest {
    connection: Arc<Connection>,
    number: u64,
    is_http2: bool,
    /// The memory for its head and its body.
    hold: Mutex<Hold>,
    /// Whether the response is there. What still comes of the body is not kept.
    is_answered: AtomicBool,
}

/// The response to a request is an event stream until this is dropped.
#[derive(Debug)]
pub struct StreamHold(Arc<OpenRequest>);

impl Drop for StreamHold {
    fn drop(&mut self) {
        self.0.connection.is_stream(self.0.number, false);
    }
}

impl OpenRequest {
    pub(super) fn new(connection: &Arc<Connection>, parts: &Parts) -> Self {
        let number = connection.request_began(parts.version);
        let uri = parts.uri.path_and_query().map_or(0, |path| path.as_str().len());
        let hold = Hold::new(connection, PER_REQUEST + uri + size_of_head(&parts.headers));
        let is_http2 = parts.version == Version::HTTP_2;
        Self {
            connection: Arc::clone(connection),
            number,
            is_http2,
            hold: Mutex::new(hold),
            is_answered: AtomicBool::new(false),
        }
    }

    /// Records that the response is an event stream, which has no end, until the result is dropped.
    pub fn hold_stream(self: Arc<Self>) -> StreamHold {
        self.connection.is_stream(self.number, true);
        StreamHold(self)
    }

    /// Records that the response is there, so its request needs no more memory.
    fn answered(&self) {
        self.is_answered.store(true, Ordering::Relaxed);
        self.connection.works(self.number);
        self.hold.lock().unwrap_or_else(PoisonError::into_inner).shrink_to(PER_REQUEST);
    }

    /// Makes room for a part of the body; whether there is enough.
    fn has_room_for(&self, bytes: usize) -> bool {
        if self.is_answered.load(Ordering::Relaxed) {
            return true;
        }
        let mut hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        hold.try_grow(bytes.saturating_mul(PER_BODY_BYTE))
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.connection.request_ended(self.number);
    }
}

fn size_of_head(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + PER_FIELD).sum()
}

/// Something that was given to the client; dropped once it was taken. Its request is open until then.
struct Given {
    /// Dropped first.
    _lent: Lent,
    data: Bytes,
    _open: Arc<OpenRequest>,
}

impl AsRef<[u8]> for Given {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

impl Given {
    /// Lends data to the client.
    fn lend(data: Bytes, open: &Arc<OpenRequest>) -> Bytes {
        let lent = Lent::new(&open.connection, &data);
        Bytes::from_owner(Self { _lent: lent, data, _open: Arc::clone(open) })
    }
}

/// The body of a response.
struct CountedBody {
    body: Body,
    /// The rest of the data that came last.
    given: Bytes,
    room: RoomWait,
    open: Arc<OpenRequest>,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.given.is_empty() {
            let this = &mut *self;
            let OpenRequest { connection, number, .. } = &*this.open;
            connection.works(*number);
            // A body of a known length is in memory already, and counts from now on. Others are made piece by piece.
            if this.body.size_hint().exact().is_none() {
                ready!(this.room.poll(&connection.memory, context));
            }
            let frame = match Pin::new(&mut this.body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => frame,
                other => return other,
            };
            match frame.into_data() {
                Ok(data) if data.is_empty() => return Poll::Ready(Some(Ok(Frame::data(data)))),
                Ok(data) => self.given = Given::lend(data, &self.open),
                Err(frame) => return Poll::Ready(Some(Ok(frame))),
            }
        }
        let piece = if self.open.is_http2 {
            self.open.connection.waits_for_reader(self.open.number);
            let end = PIECE.min(self.given.len());
            self.given.split_to(end)
        } else {
            std::mem::take(&mut self.given)
        };
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.given.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.given.len() as u64;
        let of_body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(of_body.lower() + rest);
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

/// Why the body of a request cannot be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// It did not arrive in time.
    #[error("the body of the request arrived too slowly")]
    TooSlow,
    /// The bodies of other requests take all the memory for them.
    #[error("too many bodies are being read")]
    Busy,
}

/// The body of a request, which fails if it takes too long, counted from the first read, or too much memory.
struct TimedBody {
    body: Body,
    open: Arc<OpenRequest>,
    limits: Limits,
    /// Ends when the whole body takes too long; `None` before the first read.
    whole: Option<Pin<Box<Sleep>>>,
    /// Ends when the next piece takes too long.
    pause: Option<Pin<Box<Sleep>>>,
}

impl TimedBody {
    fn new(body: Body, open: Arc<OpenRequest>, limits: Limits) -> Self {
        Self { body, open, limits, whole: None, pause: None }
    }
}

fn failed(error: BodyError) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
    let kind = match error {
        BodyError::TooSlow => io::ErrorKind::TimedOut,
        BodyError::Busy => io::ErrorKind::OutOfMemory,
    };
    Poll::Ready(Some(Err(axum::Error::new(io::Error::new(kind, error)))))
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Limits { body, body_pause, .. } = self.limits;
        let whole = self.whole.get_or_insert_with(|| Box::pin(sleep(body))).as_mut().poll(context);
        if whole.is_pending()
            && let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context)
        {
            if self.pause.take().is_some() {
                self.open.connection.works(self.open.number);
            }
            let data = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref());
            return if data.is_some_and(|data| !self.open.has_room_for(data.len())) {
                failed(BodyError::Busy)
            } else {
                Poll::Ready(frame)
            };
        }
        let mut starts = false;
        let pause = self.pause.get_or_insert_with(|| {
            starts = true;
            Box::pin(sleep(body_pause))
        });
        let pause = pause.as_mut().poll(context);
        if starts {
            self.open.connection.waits_for_body(self.open.number);
        }
        if whole.is_ready() || pause.is_ready() {
            return failed(BodyError::TooSlow);
        }
        Poll::Pending
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
