//! Requests on a connection: while one is open, the connection is in use, and its body must arrive in time.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::{Body, HttpBody},
    extract::Request,
    middleware::Next,
    response::Response,
};
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use super::{Connection, Limits};

/// Registers a request with its connection until its response is complete, and limits the time for its body.
pub async fn track(request: Request, next: Next) -> Response {
    let extensions = request.extensions();
    let (Some(Some(connection)), Some(limits)) =
        (extensions.get::<Option<Arc<Connection>>>().cloned(), extensions.get::<Limits>().copied())
    else {
        return next.run(request).await;
    };
    let open = OpenRequest::new(&connection, request.version());
    let request = request
        .map(|body| if body.is_end_stream() { body } else { Body::new(TimedBody::new(body, connection, limits)) });
    let response = next.run(request).await;
    response.map(|body| Body::new(CountedBody { body, _open: open }))
}

/// A request without a complete response.
struct OpenRequest(Arc<Connection>);

impl OpenRequest {
    fn new(connection: &Arc<Connection>, version: http::Version) -> Self {
        connection.request_began(version);
        Self(Arc::clone(connection))
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.0.request_ended();
    }
}

/// The body of a response. Its request is open until this is dropped.
struct CountedBody {
    body: Body,
    _open: OpenRequest,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of a request, which fails if it takes too long, counted from the first read.
struct TimedBody {
    body: Body,
    connection: Arc<Connection>,
    limits: Limits,
    /// Ends when the whole body takes too long; `None` before the first read.
    whole: Option<Pin<Box<Sleep>>>,
    /// Ends when the next piece takes too long.
    pause: Option<Pin<Box<Sleep>>>,
}

impl TimedBody {
    fn new(body: Body, connection: Arc<Connection>, limits: Limits) -> Self {
        Self { body, connection, limits, whole: None, pause: None }
    }
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
                self.connection.waits_for_body(false);
            }
            return Poll::Ready(frame);
        }
        let mut starts = false;
        let pause = self.pause.get_or_insert_with(|| {
            starts = true;
            Box::pin(sleep(body_pause))
        });
        let pause = pause.as_mut().poll(context);
        if starts {
            self.connection.waits_for_body(true);
        }
        if whole.is_ready() || pause.is_ready() {
            let reason = io::Error::new(io::ErrorKind::TimedOut, "the body of the request arrived too slowly");
            return Poll::Ready(Some(Err(axum::Error::new(reason))));
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
