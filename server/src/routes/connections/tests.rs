//! Connections that keep the server waiting, over real sockets. The clock is paused and jumps to the next timer when all
//! tasks are idle, so that minutes of silence take no time.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    routing::{get, post},
};
use bytes::Bytes;
use http::{Version, request::Parts};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{Instant, sleep, timeout},
};
use tokio_util::io::ReaderStream;

use super::{
    Admission, Connections, Full, Limits, Listener, OpenRequest,
    listener::{HTTP2_BUFFERS, PER_STREAM},
    memory::Hold,
    raise_descriptor_limit, server, service,
};
use crate::platform::peers::{TrustedProxies, person};

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: nas\r\n\r\n";
const POST: &[u8] = b"POST /body HTTP/1.1\r\nHost: nas\r\nContent-Length: 100\r\n\r\n";

/// Maximum time between two checks of all connections, in seconds.
const TICK: u64 = 2;

fn limits() -> Limits {
    Limits::for_descriptors(1024)
}

fn listen(limits: Limits) -> (SocketAddr, Connections) {
    let connections = Connections::new(limits, TrustedProxies::default());
    let routes = Router::new()
        .route("/", get(async || "here"))
        .route("/healthz", get(async || "alive"))
        .route("/slow", get(async || sleep(Duration::from_secs(60)).await))
        .route("/large", get(async || vec![b'x'; 16 << 20]))
        .route("/events", get(async || events()))
        .route(
            "/body",
            post(async |body: Result<Bytes, _>| {
                body.map_or_else(|_| "too slow".to_owned(), |body| format!("{} bytes", body.len()))
            }),
        );
    let listener = Listener::bind(SocketAddr::from(([127, 0, 0, 1], 0)), connections.clone()).unwrap();
    let address = listener.address().unwrap();
    tokio::spawn(connections.clone().sweep());
    tokio::spawn(server(listener).serve(service(routes)));
    (address, connections)
}

/// Sends something every ten minutes, for half an hour.
fn events() -> Body {
    let (mut ours, theirs) = tokio::io::duplex(64);
    tokio::spawn(async move {
        for _ in 0..3 {
            sleep(Duration::from_secs(600)).await;
            ours.write_all(b"still here\n").await.unwrap();
        }
    });
    Body::from_stream(ReaderStream::new(theirs))
}

/// Reads until the server closes the connection, and returns what it sent.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection may also end with a reset.
    _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8(bytes).unwrap()
}

async fn response(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 1024];
    let count = stream.read(&mut bytes).await.unwrap();
    String::from_utf8(bytes[..count].to_vec()).unwrap()
}

#[track_caller]
fn assert_after(since: Instant, seconds: u64) {
    let passed = since.elapsed().as_secs();
    assert!((seconds..=seconds + TICK).contains(&passed), "after {passed} s instead of {seconds}");
}

#[tokio::test(start_paused = true)]
async fn silence_ends_a_connection() {
    let (address, connections) = listen(limits());
    for sent in
        [&b""[..], b"G", b"GET / HTTP/1.1\r\nHost: n", b"PRI * HTTP/2.0\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
    {
        let began = Instant::now();
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(sent).await.unwrap();
        rest(&mut stream).await;
        assert_after(began, 10);
    }
    assert_eq!(connections.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_head_must_come_as_a_whole() {
    let (address, _) = listen(limits());
    let began = Instant::now();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let (mut read, mut write) = stream.split();
    let trickle = async {
        write.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
        while write.write_all(b"x: y\r\n").await.is_ok() {
            sleep(Duration::from_millis(500)).await;
        }
    };
    let ended = async {
        let mut bytes = Vec::new();
        _ = read.read_to_end(&mut bytes).await;
        assert_after(began, 10);
    };
    tokio::select! {
        () = trickle => assert_after(began, 10),
        () = ended => {}
    }
}

#[tokio::test(start_paused = true)]
async fn connections_are_reused_but_not_for_ever() {
    let (address, _) = listen(limits());
    let mut stream = TcpStream::connect(address).await.unwrap();
    for _ in 0..3 {
        stream.write_all(GET).await.unwrap();
        assert!(response(&mut stream).await.ends_with("here"));
        sleep(Duration::from_secs(60)).await;
    }
    stream.write_all(GET).await.unwrap();
    assert!(response(&mut stream).await.ends_with("here"));
    let began = Instant::now();
    rest(&mut stream).await;
    assert_after(began, 75);

    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(GET).await.unwrap();
    assert!(response(&mut stream).await.ends_with("here"));
    stream.write_all(b"GET /").await.unwrap();
    let began = Instant::now();
    rest(&mut stream).await;
    assert_after(began, 10);
}

/// Lets seconds pass one by one. Before each, both ends get a moment to respond to pings, for which the clock would not wait.
async fn pass(seconds: u64) {
    for _ in 0..seconds {
        tokio::task::spawn_blocking(|| std::thread::sleep(Duration::from_millis(5))).await.unwrap();
        tokio::time::advance(Duration::from_secs(1)).await;
    }
}

#[tokio::test]
async fn idle_http2_connections_end() {
    _ = rustls::crypto::ring::default_provider().install_default();
    let (address, connections) = listen(limits());
    let client = reqwest::Client::builder().http2_prior_knowledge().pool_idle_timeout(None).no_proxy().build().unwrap();
    let reply = client.get(format!("http://{address}/")).send().await.unwrap();
    assert_eq!((reply.version(), reply.text().await.unwrap().as_str()), (Version::HTTP_2, "here"));
    tokio::time::pause();
    pass(60).await;
    assert_eq!(connections.count(), 1);
    pass(20).await;
    assert_eq!(connections.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn bodies_must_come_in_time() {
    let (address, _) = listen(limits());
    let began = Instant::now();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(POST).await.unwrap();
    stream.write_all(b"x").await.unwrap();
    assert!(response(&mut stream).await.ends_with("too slow"));
    assert_after(began, 20);

    let began = Instant::now();
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut read, mut write) = stream.into_split();
    write.write_all(POST).await.unwrap();
    let trickle = tokio::spawn(async move {
        while write.write_all(b"x").await.is_ok() {
            sleep(Duration::from_secs(10)).await;
        }
    });
    let mut bytes = [0; 1024];
    let count = read.read(&mut bytes).await.unwrap();
    assert!(bytes[..count].ends_with(b"too slow"));
    assert_after(began, 120);
    trickle.abort();
}

#[tokio::test(start_paused = true)]
async fn long_responses_go_on() {
    let (address, _) = listen(limits());
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /events HTTP/1.1\r\nHost: nas\r\nConnection: close\r\n\r\n").await.unwrap();
    assert_eq!(rest(&mut stream).await.matches("still here").count(), 3);
}

#[tokio::test(start_paused = true)]
async fn requests_that_wait_for_something_keep_no_others_waiting() {
    let (address, _) = listen(limits());
    let mut slow = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /slow HTTP/1.1\r\nHost: nas\r\n\r\n").await.unwrap();
        slow.push(stream);
    }
    let began = Instant::now();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(GET).await.unwrap();
    assert!(response(&mut stream).await.ends_with("here"));
    assert_after(began, 0);
    for stream in &mut slow {
        assert!(response(stream).await.starts_with("HTTP/1.1 200"));
    }
    assert_after(began, 60);
}

#[tokio::test(start_paused = true)]
async fn without_room_only_the_health_check_responds() {
    let (address, connections) = listen(limits());
    let full = Hold::new(&admit(&connections, "203.0.113.7").ok().unwrap().connection, limits().memory + 1);
    let began = Instant::now();
    for (head, expected, seconds) in [
        ("GET /healthz HTTP/1.1\r\nHost: nas\r\n\r\n", "alive", 0),
        ("GET / HTTP/1.1\r\nHost: nas\r\n\r\n", "503 Service Unavailable", 2),
    ] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        assert!(response(&mut stream).await.contains(expected), "{head}");
        assert_after(began, seconds);
    }
    // A long head is read as soon as there is room.
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream
        .write_all(format!("GET / HTTP/1.1\r\nHost: nas\r\nX: {}\r\n\r\n", "x".repeat(30_000)).as_bytes())
        .await
        .unwrap();
    sleep(Duration::from_secs(5)).await;
    drop(full);
    assert!(response(&mut stream).await.ends_with("here"));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_nothing_is_cut_off() {
    let (address, connections) = listen(limits());
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /large HTTP/1.1\r\nHost: nas\r\n\r\n").await.unwrap();
    sleep(Duration::from_secs(25)).await;
    assert_eq!(connections.count(), 1);
    sleep(Duration::from_secs(10)).await;
    assert_eq!(connections.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn silent_connections_make_room() {
    let (address, connections) = listen(Limits { connections: 8, per_proxy: 6, ..limits() });
    let mut silent = Vec::new();
    for _ in 0..50 {
        silent.push(TcpStream::connect(address).await.unwrap());
        // Lets the listener accept it.
        tokio::task::yield_now().await;
        assert!(connections.count() <= 6);
    }
    let began = Instant::now();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(GET).await.unwrap();
    assert!(response(&mut stream).await.ends_with("here"));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn two_peers_do_not_take_all_places() {
    let limits = Limits { connections: 90, per_proxy: 80, ..limits() };
    let connections = Connections::new(limits, TrustedProxies::default());
    let busy = |peer: &str| {
        let place = admit(&connections, peer).ok()?;
        place.connection.request_began(Version::HTTP_2);
        Some(place)
    };
    let first: Vec<_> = std::iter::from_fn(|| busy("10.0.0.2")).collect();
    let second: Vec<_> = std::iter::from_fn(|| busy("10.0.0.3")).collect();
    assert_eq!((first.len(), second.len()), (45, 23));
    assert!(busy("10.0.0.2").is_none());
    for peer in ["10.0.0.4", "10.0.0.5", "2001:db8::1"] {
        assert!(busy(peer).is_some(), "{peer}");
    }
}

fn admit(connections: &Connections, peer: &str) -> Result<Admission, Full> {
    connections.try_admit(person(peer.parse::<IpAddr>().unwrap()), Instant::now())
}

#[tokio::test(start_paused = true)]
async fn each_peer_has_a_share() {
    let limits = Limits { connections: 10, per_proxy: 8, per_person: 3, ..limits() };
    let connections = Connections::new(limits, TrustedProxies::default());
    let mut places = Vec::new();
    for _ in 0..3 {
        places.extend(admit(&connections, "203.0.113.7").ok());
        sleep(Duration::from_secs(1)).await;
    }
    // The oldest connection of the same peer is cut; a whole IPv6 network counts as one peer.
    assert!(matches!(admit(&connections, "203.0.113.7"), Err(Full::Soon)));
    assert!(places[0].connection.is_cut() && !places[1].connection.is_cut());
    assert!(matches!(admit(&connections, "203.0.113.7"), Err(Full::Soon)));
    assert!(!places[1].connection.is_cut());
    places.remove(0);
    places.extend(admit(&connections, "203.0.113.7").ok());
    // Connections are not cut while the server works on their requests.
    for place in &places {
        place.connection.request_began(Version::HTTP_11);
    }
    assert!(matches!(admit(&connections, "203.0.113.7"), Err(Full::Busy)));
    assert_eq!((places.len(), connections.count()), (3, 3));
    // Other peers are not affected.
    for peer in ["10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.2", "10.0.0.3", "10.0.0.5", "10.0.0.6"] {
        places.extend(admit(&connections, peer).ok());
        sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(connections.count(), 10);
    // When all places are taken, the peer that uses the largest part of its limit loses a connection.
    assert!(matches!(admit(&connections, "2001:db8::1"), Err(Full::Soon)));
    assert_eq!(places.iter().filter(|place| place.connection.is_cut()).count(), 1);
    let cut = places.iter().position(|place| place.connection.is_cut()).unwrap();
    assert_eq!(cut, 3);
    places.remove(cut);
    places.extend(admit(&connections, "2001:db8::1").ok());
    assert_eq!(connections.count(), 10);
    let network = person("2001:db8::ffff".parse().unwrap());
    assert_eq!(places.last().unwrap().connection.peer(), network);
}

#[test]
fn files_keep_a_part_of_the_descriptors() {
    for (descriptors, connections) in [(16, 8), (256, 128), (1024, 512), (4096, 2048), (usize::MAX, 2048)] {
        assert_eq!(Limits::for_descriptors(descriptors).connections, connections, "{descriptors}");
    }
}

fn request(version: Version) -> Parts {
    http::Request::builder().version(version).body(()).unwrap().into_parts().0
}

#[tokio::test(start_paused = true)]
async fn event_streams_make_room_and_other_requests_do_not() {
    let limits = Limits { connections: 6, per_proxy: 3, per_person: 3, ..limits() };
    let connections = Connections::new(limits, TrustedProxies::default());
    let places: Vec<_> = (0..3).filter_map(|_| admit(&connections, "203.0.113.7").ok()).collect();
    let begin = |place: &Admission| Arc::new(OpenRequest::new(&place.connection, &request(Version::HTTP_2)));
    let requests: Vec<_> = places.iter().map(begin).collect();
    assert!(matches!(admit(&connections, "203.0.113.7"), Err(Full::Busy)));
    let streams: Vec<_> = requests[1..].iter().map(|request| Arc::clone(request).hold_stream()).collect();
    // The last connection also has another request.
    let other = begin(&places[2]);
    assert!(matches!(admit(&connections, "203.0.113.7"), Err(Full::Soon)));
    let are_cut: Vec<_> = places.iter().map(|place| place.connection.is_cut()).collect();
    assert_eq!(are_cut, [false, true, false]);
    drop((streams, other));
    assert!(places[1].connection.silent_since().is_none());
}

#[tokio::test(start_paused = true)]
async fn those_that_hold_most_memory_make_room() {
    let limits = Limits { memory: 800_000, ..limits() };
    let connections = Connections::new(limits, TrustedProxies::default());
    let place = |peer: &str| admit(&connections, peer).ok().unwrap();
    let (first, second, other) = (place("203.0.113.7"), place("203.0.113.7"), place("203.0.113.8"));
    sleep(Duration::from_secs(2)).await;
    let small = Hold::new(&first.connection, 100_000);
    let large = Hold::new(&second.connection, 280_000);
    let of_other = Hold::new(&other.connection, 390_000);
    assert!(![&first, &second, &other].iter().any(|place| place.connection.is_cut()));
    // Nobody may hold more than half of everything.
    let more = Hold::new(&first.connection, 30_000);
    let are_cut = [&first, &second, &other].map(|place| place.connection.is_cut());
    assert_eq!(are_cut, [false, true, false]);
    drop((large, second));
    // Bodies leave as much for others as their sender holds.
    let mut body = Hold::new(&place("203.0.113.9").connection, 0);
    assert!(body.try_grow(100_000) && !body.try_grow(100_000));
    let third = place("203.0.113.10");
    let over = Hold::new(&third.connection, 300_000);
    assert!(other.connection.is_cut() && !third.connection.is_cut() && !first.connection.is_cut());
    drop((small, of_other, more, body, over));
    assert_eq!(connections.0.memory.held(), 0);
}

#[tokio::test]
async fn what_http2_keeps_for_streams_counts_until_the_connection_ends() {
    let (address, connections) = listen(limits());
    let held = || connections.0.memory.held();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    // SETTINGS without a setting, then a hundred times `GET /` to the authority `x`.
    bytes.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    for number in 0..100 {
        bytes.extend([0, 0, 6, 1, 5, 0, 0, 0, 2 * number + 1, 0x82, 0x86, 0x84, 0x01, 1, b'x']);
    }
    stream.write_all(&bytes).await.unwrap();
    let mut taken = Vec::new();
    while taken.windows(4).filter(|bytes| bytes == b"here").count() < 100 {
        assert!(stream.read_buf(&mut taken).await.unwrap() > 0);
    }
    for _ in 0..400 {
        if held() == HTTP2_BUFFERS + 100 * PER_STREAM {
            break;
        }
        sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(held(), HTTP2_BUFFERS + 100 * PER_STREAM);
    drop(stream);
    while connections.count() > 0 {
        sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(held(), 0);
}

#[tokio::test]
async fn as_many_connections_as_may_be_open_can_wait_to_be_accepted() {
    const MANY: usize = 2048;
    assert!(raise_descriptor_limit() > MANY + 200);
    let connections = Connections::new(limits(), TrustedProxies::default());
    let listener = Listener::bind(SocketAddr::from(([127, 0, 0, 1], 0)), connections).unwrap();
    let address = listener.address().unwrap();
    let mut waiting = Vec::with_capacity(MANY);
    for number in 0..MANY {
        let connected = timeout(Duration::from_millis(900), TcpStream::connect(address)).await;
        waiting.push(connected.unwrap_or_else(|_| panic!("connection {number} found the queue full")).unwrap());
    }
}
