//! A client with a table of names, and servers that respond as a test wants and record their requests.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::{
    http_client::{HttpClient, HttpRequest, LookedUp, NameLookup, PrivateReach, Purpose},
    settings::HttpClientSettings,
};

/// A table of names. Each entry holds one or more DNS responses; the last one is repeated.
#[derive(Default)]
pub(super) struct Names {
    answers: HashMap<String, Vec<Vec<IpAddr>>>,
    lookups: Mutex<Vec<String>>,
}

impl Names {
    /// Parses entries like `("nas.test", &["10.0.0.1 10.0.0.2", "127.0.0.1"])`: DNS responses in order.
    pub(super) fn new(table: &[(&str, &[&str])]) -> Arc<Self> {
        let parse = |answer: &&str| answer.split_whitespace().map(|ip| ip.parse().unwrap()).collect();
        let answers =
            table.iter().map(|(name, answers)| ((*name).to_owned(), answers.iter().map(parse).collect())).collect();
        Arc::new(Self { answers, lookups: Mutex::default() })
    }

    pub(super) fn lookups(&self) -> Vec<String> {
        self.lookups.lock().unwrap().clone()
    }
}

impl NameLookup for Names {
    fn lookup(&self, name: &str) -> LookedUp {
        let mut asked = self.lookups.lock().unwrap();
        let before = asked.iter().filter(|other| *other == name).count();
        asked.push(name.to_owned());
        let found = self.answers.get(name).map(|answers| answers[before.min(answers.len() - 1)].clone());
        Box::pin(async move { found.ok_or_else(|| io::Error::other("no such name")) })
    }
}

pub(super) fn http_client(settings: HttpClientSettings, names: &Arc<Names>) -> HttpClient {
    // Another test may have been first; all install the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    HttpClient::with_lookup(settings, Arc::clone(names) as Arc<dyn NameLookup>).unwrap()
}

/// A client with default settings; every name in the list resolves to this machine.
pub(super) fn with_local_names(names: &[&str]) -> HttpClient {
    let answers: &[&str] = &["127.0.0.1"];
    let table: Vec<_> = names.iter().map(|name| (*name, answers)).collect();
    http_client(HttpClientSettings::default(), &Names::new(&table))
}

pub(super) fn get(url: impl Into<String>) -> HttpRequest {
    // Every name in a test is this machine, so a redirect leads from one private host to another.
    HttpRequest { private_reach: PrivateReach::Everywhere, ..HttpRequest::get(Purpose::Configured, url) }
}

/// A request as the server received it.
#[derive(Clone, Debug)]
pub(super) struct ReceivedRequest {
    /// Request line and headers, header names in lower case.
    pub(super) head: String,
    pub(super) body: String,
}

impl ReceivedRequest {
    pub(super) fn line(&self) -> &str {
        self.head.lines().next().unwrap()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// A server that responds to every request and closes the connection.
pub(super) struct TestServer {
    pub(super) port: u16,
    heard: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl TestServer {
    /// `answer` takes the request and returns the bytes of the whole response.
    pub(super) async fn start(answer: impl Fn(&ReceivedRequest) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::launch(answer, None).await
    }

    /// The same over TLS.
    pub(super) async fn start_tls(
        acceptor: TlsAcceptor,
        answer: impl Fn(&ReceivedRequest) -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        Self::launch(answer, Some(acceptor)).await
    }

    async fn launch(
        answer: impl Fn(&ReceivedRequest) -> Vec<u8> + Send + Sync + 'static,
        acceptor: Option<TlsAcceptor>,
    ) -> Self {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let memory = Arc::clone(&heard);
        let answer = Arc::new(answer);
        let port = serve(move |stream| {
            let (memory, answer, acceptor) = (Arc::clone(&memory), Arc::clone(&answer), acceptor.clone());
            async move {
                match acceptor {
                    None => talk(stream, &memory, answer.as_ref()).await,
                    // A client that does not trust us disconnects here.
                    Some(acceptor) => {
                        if let Ok(stream) = acceptor.accept(stream).await {
                            talk(stream, &memory, answer.as_ref()).await;
                        }
                    }
                }
            }
        })
        .await;
        Self { port, heard }
    }

    pub(super) fn received(&self) -> Vec<ReceivedRequest> {
        self.heard.lock().unwrap().clone()
    }
}

/// Accepts connections on a free port of 127.0.0.1, and passes each to `handle`.
pub(super) async fn serve<F, Handled>(handle: F) -> u16
where
    F: Fn(TcpStream) -> Handled + Send + 'static,
    Handled: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(handle(stream));
        }
    });
    port
}

async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    memory: &Mutex<Vec<ReceivedRequest>>,
    answer: &(impl Fn(&ReceivedRequest) -> Vec<u8> + ?Sized),
) {
    let Some(heard) = read_request(&mut stream).await else { return };
    let bytes = answer(&heard);
    memory.lock().unwrap().push(heard);
    // The client may have disconnected already.
    let _ = stream.write_all(&bytes).await;
    let _ = stream.shutdown().await;
}

/// Reads one request. `None` if the connection ends first.
pub(super) async fn read_request<S: AsyncRead + Unpin>(stream: &mut S) -> Option<ReceivedRequest> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head: String = String::from_utf8(bytes[..end].to_vec())
        .unwrap()
        .lines()
        .map(|line| match line.split_once(": ") {
            Some((name, value)) => format!("{}: {value}\n", name.to_ascii_lowercase()),
            None => format!("{line}\n"),
        })
        .collect();
    let mut body = bytes.split_off(end + 4);
    let mut heard = ReceivedRequest { head, body: String::new() };
    let length: usize = heard.header("content-length").map_or(0, |length| length.parse().unwrap());
    while body.len() < length {
        stream.read_buf(&mut body).await.ok()?;
    }
    heard.body = String::from_utf8(body).unwrap();
    Some(heard)
}

/// A response with a correct length.
pub(super) fn response(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

pub(super) fn ok(body: &str) -> Vec<u8> {
    response("200 OK", &[], body.as_bytes())
}

pub(super) fn redirect(status: &str, location: &str) -> Vec<u8> {
    response(status, &[("Location", location)], b"")
}
