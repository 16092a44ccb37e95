//! Responses that are too large or never end, and the number of concurrent requests.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_compression::tokio::bufread::GzipEncoder;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, Repeat, Take};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::fixture::{TestServer, get, ok, read_request, response, serve, with_local_names};
use crate::http_client::{
    HttpClient, HttpClientError, HttpRequest,
    limiter::{AT_ONCE, PER_HOST},
};

const MEBIBYTE: usize = 1024 * 1024;

fn too_large() -> HttpClientError {
    HttpClientError::TooLarge { host: "127.0.0.1".into() }
}

fn protocol(problem: &'static str) -> HttpClientError {
    HttpClientError::Protocol { host: "127.0.0.1".into(), problem }
}

fn small(port: u16) -> HttpRequest {
    HttpRequest { max_bytes: 1000, ..get(format!("http://127.0.0.1:{port}/")) }
}

async fn squeezed(mut encoder: impl AsyncRead + Unpin) -> Vec<u8> {
    let mut bytes = Vec::new();
    encoder.read_to_end(&mut bytes).await.unwrap();
    bytes
}

fn zeros() -> BufReader<Take<Repeat>> {
    BufReader::new(tokio::io::repeat(0).take(8 * MEBIBYTE as u64))
}

/// The result of the client for a response of these bytes, with a limit of 1000 bytes.
async fn response_with(bytes: Vec<u8>) -> Result<Vec<u8>, HttpClientError> {
    let site = TestServer::start(move |_| bytes.clone()).await;
    let outcome = with_local_names(&[]).send(small(site.port)).await;
    outcome.map(|reply| reply.body.to_vec())
}

#[tokio::test]
async fn an_answer_may_have_as_many_bytes_as_allowed() {
    assert_eq!(response_with(ok(&"x".repeat(1000))).await.unwrap().len(), 1000);
    assert_eq!(response_with(ok(&"x".repeat(1001))).await, Err(too_large()));
    let mut unannounced = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
    unannounced.resize(unannounced.len() + 1001, b'x');
    assert_eq!(response_with(unannounced).await, Err(too_large()));
}

#[tokio::test]
async fn a_compressed_answer_is_read() {
    let packed = squeezed(GzipEncoder::new(Cursor::new(b"hello".repeat(100)))).await;
    let bytes = response("200 OK", &[("Content-Encoding", "gzip")], &packed);
    assert_eq!(response_with(bytes).await.unwrap(), b"hello".repeat(100));
}

#[tokio::test]
async fn a_compressed_bomb_is_given_up_at_the_limit() {
    let packed = squeezed(GzipEncoder::new(zeros())).await;
    assert!(packed.len() < MEBIBYTE);
    let bytes = response("200 OK", &[("Content-Encoding", "gzip")], &packed);
    assert_eq!(response_with(bytes).await, Err(too_large()));
}

#[tokio::test]
async fn brotli_is_neither_asked_for_nor_unpacked() {
    // No limit on the output could contain the window announced here.
    let bytes = response("200 OK", &[("Content-Encoding", "br")], &[0x11, 0x1e, 0, 0]);
    let site = TestServer::start(move |_| bytes.clone()).await;
    let request = small(site.port).with_header("Accept-Encoding", "br");
    let error = with_local_names(&[]).send(request).await.unwrap_err();
    assert_eq!(error, protocol("an encoding that was not requested"));
    assert_eq!(site.received()[0].header("accept-encoding"), Some("gzip"));
}

#[tokio::test]
async fn doubly_packed_and_damaged_answers_are_refused() {
    let once = squeezed(GzipEncoder::new(Cursor::new(b"hello".to_vec()))).await;
    let twice = squeezed(GzipEncoder::new(Cursor::new(once.clone()))).await;
    let bytes = response("200 OK", &[("Content-Encoding", "gzip, gzip")], &twice);
    assert_eq!(response_with(bytes).await, Err(protocol("an encoding that was not requested")));

    let damaged = [response("200 OK", &[("Content-Encoding", "gzip")], b"no gzip at all"), {
        let half = &once[..once.len() / 2];
        response("200 OK", &[("Content-Encoding", "gzip")], half)
    }];
    for bytes in damaged {
        assert_eq!(response_with(bytes).await, Err(protocol("an incomplete or damaged response")));
    }
}

#[tokio::test]
async fn a_wrong_length_does_no_harm() {
    let with_length = |length: &str| {
        let mut bytes =
            format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n").into_bytes();
        bytes.extend_from_slice(b"0123456789");
        bytes
    };
    assert_eq!(response_with(with_length("4")).await.unwrap(), b"0123");
    assert_eq!(response_with(with_length("999999999999")).await, Err(too_large()));
    assert_eq!(response_with(with_length("500")).await, Err(protocol("an incomplete or damaged response")));
    for length in ["-1", "1e3", "99999999999999999999999"] {
        assert_eq!(response_with(with_length(length)).await, Err(protocol("an invalid HTTP response")), "{length}");
    }
}

#[tokio::test]
async fn what_is_not_http_is_an_error() {
    for text in ["", "SSH-2.0-OpenSSH_9.9\r\n", "HTTP/1.1 abc\r\n\r\n", "hello"] {
        assert_eq!(response_with(text.into()).await, Err(protocol("an invalid HTTP response")), "{text}");
    }
}

/// Accepts requests and sends `start`, then `piece` forever, and counts the bytes.
async fn endless(start: &'static str, piece: &'static [u8]) -> (u16, Arc<AtomicUsize>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    let port = serve(move |mut stream| {
        let count = Arc::clone(&count);
        async move {
            read_request(&mut stream).await.unwrap();
            stream.write_all(start.as_bytes()).await.unwrap();
            while stream.write_all(piece).await.is_ok() {
                count.fetch_add(piece.len(), Ordering::Relaxed);
            }
        }
    })
    .await;
    (port, sent)
}

#[tokio::test]
async fn an_endless_answer_is_given_up_at_the_limit() {
    let chunk = b"400\r\n".iter().chain(&[b'x'; 0x400]).chain(b"\r\n").copied().collect::<Vec<u8>>().leak();
    let cases: [(&str, &'static [u8]); 2] =
        [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk), ("HTTP/1.1 200 OK\r\n\r\n", &[b'x'; 1024])];
    for (start, piece) in cases {
        let (port, sent) = endless(start, piece).await;
        assert_eq!(with_local_names(&[]).send(small(port)).await.unwrap_err(), too_large());
        // The system buffers some of what is not read.
        assert!(sent.load(Ordering::Relaxed) < 32 * MEBIBYTE);
    }
}

#[tokio::test]
async fn endless_headers_are_given_up() {
    let (port, sent) = endless("HTTP/1.1 200 OK\r\n", b"X-More: and more and more and more\r\n").await;
    assert_eq!(with_local_names(&[]).send(small(port)).await.unwrap_err(), protocol("an invalid HTTP response"));
    assert!(sent.load(Ordering::Relaxed) < 32 * MEBIBYTE);
}

/// Sends `start` and then nothing more. From there on, the test's clock jumps to the next deadline.
async fn falls_silent(start: &'static str) -> u16 {
    serve(move |mut stream| async move {
        read_request(&mut stream).await.unwrap();
        stream.write_all(start.as_bytes()).await.unwrap();
        tokio::time::pause();
        std::future::pending::<()>().await;
    })
    .await
}

#[tokio::test]
async fn a_silent_service_times_out() {
    for start in ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"] {
        let port = falls_silent(start).await;
        let error = with_local_names(&[]).send(small(port)).await.unwrap_err();
        assert_eq!(error, HttpClientError::TimedOut { host: "127.0.0.1".into(), after: Duration::from_secs(10) });
        assert_eq!(error.to_string(), "127.0.0.1 did not answer within 10 s");
        tokio::time::resume();
    }
}

#[tokio::test]
async fn a_slow_sender_is_cut_by_the_whole_time() {
    let port = serve(|mut stream| async move {
        read_request(&mut stream).await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n").await.unwrap();
        tokio::time::pause();
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    })
    .await;
    let request = HttpRequest { timeout: Duration::from_millis(7500), ..small(port) };
    let error = with_local_names(&[]).send(request).await.unwrap_err();
    assert_eq!(error.to_string(), "127.0.0.1 did not answer within 7.5 s");
}

#[tokio::test]
async fn a_status_check_does_not_wait_for_the_body() {
    let port = falls_silent("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\nServer: test\r\n\r\n").await;
    let reply = with_local_names(&[]).send_headers_only(small(port)).await.unwrap();
    assert_eq!(reply.status, 200);
    assert_eq!(reply.headers["server"], "test");
    assert!(reply.body.is_empty());
}

/// A server that keeps every request waiting, and counts them.
async fn waiting_room() -> (u16, watch::Receiver<usize>) {
    let (count, waiting) = watch::channel(0);
    let port = serve(move |mut stream| {
        let count = count.clone();
        async move {
            read_request(&mut stream).await.unwrap();
            count.send_modify(|waiting| *waiting += 1);
            // Ends when the client disconnects.
            let _ = stream.read(&mut [0]).await;
            count.send_modify(|waiting| *waiting -= 1);
        }
    })
    .await;
    (port, waiting)
}

fn start(tasks: &mut JoinSet<()>, client: &HttpClient, url: String) {
    let client = client.clone();
    tasks.spawn(async move {
        let _ = client.send(get(url)).await;
    });
}

/// Lets all other tasks run.
async fn settle() {
    for _ in 0..500 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_host_gets_six_requests_at_once() {
    let (port, mut waiting) = waiting_room().await;
    let client = with_local_names(&["slow.test", "other.test"]);
    let mut slow = JoinSet::new();
    for _ in 0..PER_HOST + 4 {
        start(&mut slow, &client, format!("http://slow.test:{port}/"));
    }
    waiting.wait_for(|waiting| *waiting >= PER_HOST).await.unwrap();
    settle().await;
    assert_eq!(*waiting.borrow(), 6);

    // Another spelling is the same host; another host has its own turns.
    let mut more = JoinSet::new();
    start(&mut more, &client, format!("http://SLOW.test:{port}/"));
    settle().await;
    assert_eq!(*waiting.borrow(), 6);
    start(&mut more, &client, format!("http://other.test:{port}/"));
    waiting.wait_for(|waiting| *waiting == 7).await.unwrap();

    // Cancelled requests give their turns to those that wait: of seven at the slow host, one is left.
    slow.shutdown().await;
    waiting.wait_for(|waiting| *waiting == 2).await.unwrap();
}

#[tokio::test]
async fn thirty_two_requests_run_at_once() {
    let (port, mut waiting) = waiting_room().await;
    let names: Vec<String> = (0..8).map(|number| format!("host{number}.test")).collect();
    let client = with_local_names(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut tasks = JoinSet::new();
    for name in &names {
        for _ in 0..5 {
            start(&mut tasks, &client, format!("http://{name}:{port}/"));
        }
    }
    waiting.wait_for(|waiting| *waiting >= AT_ONCE).await.unwrap();
    settle().await;
    assert_eq!(*waiting.borrow(), 32);

    tasks.shutdown().await;
    waiting.wait_for(|waiting| *waiting == 0).await.unwrap();
    start(&mut tasks, &client, format!("http://host0.test:{port}/"));
    waiting.wait_for(|waiting| *waiting == 1).await.unwrap();
}
