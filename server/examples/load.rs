//! The load of the benchmark: keep-alive connections that ask for one path again and again, each waiting for its answer
//! before it asks for the next.
//!
//! It reads no more of HTTP/1.1 than the status and the length, and runs on one thread, so that on a small machine the
//! server gets the greater share. One line of JSON on the output says what came of it; any wrong answer is an error,
//! because the figures would mean nothing.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::Parser;
use serde::Serialize;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
};

/// Room for the head of an answer, and for as much of its body as one read may bring.
const BUFFER_BYTES: usize = 64 * 1024;

/// Loads a server and prints requests per second and latencies.
#[derive(Clone, Debug, Parser)]
struct Arguments {
    /// The server.
    address: SocketAddr,
    /// What is asked for.
    #[arg(long, default_value = "/")]
    path: String,
    /// Value of `Accept-Encoding`.
    #[arg(long, default_value = "gzip, deflate, br, zstd")]
    accept_encoding: String,
    /// Number of connections.
    #[arg(long, default_value_t = 32)]
    connections: u32,
    /// Milliseconds before answers count.
    #[arg(long, default_value_t = 500)]
    warm_up: u64,
    /// Milliseconds in which answers count.
    #[arg(long, default_value_t = 3000)]
    duration: u64,
}

/// What is printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    /// Answers that count.
    requests: usize,
    /// All answers, those of the warm-up included.
    all_requests: usize,
    requests_per_second: f64,
    /// Bytes of one answer, head included.
    answer_bytes: usize,
    p50_microseconds: u128,
    p90_microseconds: u128,
    p99_microseconds: u128,
    max_microseconds: u128,
}

/// What one connection saw.
#[derive(Debug, Default)]
struct Seen {
    latencies: Vec<Duration>,
    all_requests: usize,
    answer_bytes: usize,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> io::Result<String> {
    let begin = Instant::now() + Duration::from_millis(arguments.warm_up);
    let end = begin + Duration::from_millis(arguments.duration);
    let mut connections = JoinSet::new();
    for _ in 0..arguments.connections {
        connections.spawn(send_requests(arguments.clone(), begin, end));
    }
    let mut all = Seen::default();
    while let Some(seen) = connections.join_next().await {
        let seen = seen.map_err(io::Error::other)??;
        all.latencies.extend(seen.latencies);
        all.all_requests += seen.all_requests;
        all.answer_bytes = all.answer_bytes.max(seen.answer_bytes);
    }
    let Seen { mut latencies, all_requests, answer_bytes } = all;
    latencies.sort_unstable();
    let quantile = |part: f64| {
        let position = (latencies.len() as f64 * part) as usize;
        latencies.get(position).or(latencies.last()).map(Duration::as_micros).unwrap_or_default()
    };
    let summary = Summary {
        requests: latencies.len(),
        all_requests,
        requests_per_second: latencies.len() as f64 * 1000.0 / arguments.duration.max(1) as f64,
        answer_bytes,
        p50_microseconds: quantile(0.5),
        p90_microseconds: quantile(0.9),
        p99_microseconds: quantile(0.99),
        max_microseconds: quantile(1.0),
    };
    serde_json::to_string(&summary).map_err(io::Error::other)
}

async fn send_requests(arguments: Arguments, begin: Instant, end: Instant) -> io::Result<Seen> {
    let request = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nAccept: text/html\r\nAccept-Encoding: {}\r\n\r\n",
        arguments.path, arguments.address, arguments.accept_encoding,
    );
    let mut connection = Connection::open(arguments.address).await?;
    let mut seen = Seen::default();
    loop {
        let asked = Instant::now();
        seen.answer_bytes = connection.exchange(request.as_bytes()).await?;
        seen.all_requests += 1;
        let answered = Instant::now();
        if answered > end {
            return Ok(seen);
        }
        if answered > begin {
            seen.latencies.push(answered - asked);
        }
    }
}

struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![0; BUFFER_BYTES] })
    }

    /// Sends a request and reads the answer to its end; gives the answer's length.
    async fn exchange(&mut self, request: &[u8]) -> io::Result<usize> {
        self.stream.write_all(request).await?;
        let mut filled = 0;
        let length = loop {
            let room = &mut self.buffer[filled..];
            if room.is_empty() {
                return Err(io::Error::new(ErrorKind::InvalidData, "the answer's head is too long"));
            }
            filled += some(self.stream.read(room).await?)?;
            if let Some(length) = response_length(&self.buffer[..filled])? {
                break length;
            }
        };
        let mut missing = length
            .checked_sub(filled)
            .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "the answer is longer than it says"))?;
        while missing > 0 {
            let room = missing.min(self.buffer.len());
            missing -= some(self.stream.read(&mut self.buffer[..room]).await?)?;
        }
        Ok(length)
    }
}

/// A read of nothing is the end of the connection, which is never due.
fn some(read: usize) -> io::Result<usize> {
    if read == 0 { Err(io::Error::new(ErrorKind::UnexpectedEof, "the server closed a connection")) } else { Ok(read) }
}

/// Length of head and body together; none while the head is not complete.
fn response_length(received: &[u8]) -> io::Result<Option<usize>> {
    const END: &[u8] = b"\r\n\r\n";
    let Some(head) = received.windows(END.len()).position(|window| window == END) else { return Ok(None) };
    let wrong = |reason: String| io::Error::new(ErrorKind::InvalidData, reason);
    let text = str::from_utf8(&received[..head]).map_err(|_| wrong("the answer's head is no text".to_owned()))?;
    let mut lines = text.split("\r\n");
    let status = lines.next().unwrap_or_default();
    if !status.starts_with("HTTP/1.1 200 ") {
        return Err(wrong(format!("the server answers `{status}`")));
    }
    let body = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.trim().parse::<usize>().ok())
        .ok_or_else(|| wrong("the answer does not say its length".to_owned()))?;
    Ok(Some(head + END.len() + body))
}
