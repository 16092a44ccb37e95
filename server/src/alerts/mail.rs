//! E-mail by SMTP (RFC 5321). The connection is ours, so that the guards of all requests apply; `lettre` speaks the protocol.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use lettre::{
    Message as Mail,
    address::Envelope,
    message::{Mailbox, header::ContentType},
    transport::smtp::{
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, AsyncTokioStream},
        extension::ClientId,
    },
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf},
    net::TcpStream,
    time::timeout,
};
use url::Url;

use super::message::Message;
use crate::http_client::{DirectTarget, HttpClient};

/// Time limit for the connection, and for the encryption.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// Time limit for one e-mail.
const LIMIT: Duration = Duration::from_secs(30);
/// Maximum size of a response before the encryption, in bytes.
const MAX_REPLY: usize = 8 * 1024;
/// What a server says first. `lettre` expects it, also where we have read the greeting already.
const GREETING: &[u8] = b"220 ready\r\n";

/// A mail server, and who writes to whom.
#[derive(Clone)]
pub(super) struct MailServer {
    host: String,
    port: u16,
    /// Encrypted from the start, not after `STARTTLS`.
    is_encrypted: bool,
    account: Option<(String, String)>,
    from: Mailbox,
    to: Vec<Mailbox>,
}

impl MailServer {
    /// Reads an address such as `smtp://mail.example:587`.
    ///
    /// # Errors
    ///
    /// What is wrong, for admins.
    pub fn new(
        url: &str,
        user: Option<String>,
        password: Option<String>,
        from: Option<String>,
        to: &[String],
    ) -> Result<Self, String> {
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "smtp" | "smtps"));
        let parsed = parsed.filter(|url| url.host_str().is_some_and(|host| !host.is_empty()));
        let url = parsed.ok_or("Its `url` is not an address that begins with `smtp://` or `smtps://`.")?;
        let is_encrypted = url.scheme() == "smtps";
        let mailbox =
            |text: &String| text.parse::<Mailbox>().map_err(|_| format!("`{text}` is not an e-mail address."));
        let to = to.iter().map(mailbox).collect::<Result<Vec<_>, _>>()?;
        let first = to.first().ok_or("An e-mail needs recipients: list addresses in `to`.")?;
        let from = from.as_ref().map_or_else(|| Ok(first.clone()), mailbox)?;
        Ok(Self {
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port().unwrap_or(if is_encrypted { 465 } else { 587 }),
            is_encrypted,
            account: user.map(|user| (user, password.unwrap_or_default())),
            from,
            to,
        })
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// Why it was not accepted, for admins.
    pub async fn send(&self, http_client: &HttpClient, message: &Message) -> Result<(), String> {
        let conversation = self.converse(http_client, message);
        let after = || format!("{} did not answer within {} s", self.host, LIMIT.as_secs());
        timeout(LIMIT, conversation).await.unwrap_or_else(|_| Err(after()))
    }

    async fn converse(&self, http_client: &HttpClient, message: &Message) -> Result<(), String> {
        let said = |error: lettre::transport::smtp::Error| format!("{}: {error}", self.host);
        let mail = self.mail(message)?;
        let hello = ClientId::default();
        let stream = self.connect(http_client, &hello).await?;
        let mut connection =
            AsyncSmtpConnection::connect_with_transport(Box::new(stream), &hello).await.map_err(said)?;
        if let Some((user, password)) = &self.account {
            let credentials = Credentials::new(user.clone(), password.clone());
            connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await.map_err(said)?;
        }
        connection.send(mail.envelope(), &mail.formatted()).await.map_err(said)?;
        // The e-mail is accepted; what the server thinks of the farewell does not matter.
        _ = connection.quit().await;
        Ok(())
    }

    fn mail(&self, message: &Message) -> Result<Mail, String> {
        let to = self.to.iter().map(|to| to.email.clone()).collect();
        let envelope = Envelope::new(Some(self.from.email.clone()), to).map_err(|error| error.to_string())?;
        let builder = Mail::builder().from(self.from.clone()).subject(message.title.as_str()).envelope(envelope);
        let builder = self.to.iter().fold(builder, |builder, to| builder.to(to.clone()));
        let text = message.text.replace('\n', "\r\n");
        builder.header(ContentType::TEXT_PLAIN).body(text).map_err(|error| error.to_string())
    }

    /// Connects, and encrypts the connection if the server offers it.
    async fn connect(&self, http_client: &HttpClient, hello: &ClientId) -> Result<Line, String> {
        let target = DirectTarget { host: self.host.clone(), may_be_private: true };
        let opened = http_client.open(target, self.port, CONNECT_LIMIT).await;
        let mut stream = opened.map_err(|error| error.to_string())?;
        let peer = stream.peer_addr().map_err(|error| error.to_string())?;
        let mut is_encrypted = self.is_encrypted;
        let mut greeting = b"".as_slice();
        if !is_encrypted {
            let broken = |error: io::Error| format!("{}: {error}", self.host);
            greeting = GREETING;
            reply(&mut stream).await.map_err(broken)?;
            let offered = command(&mut stream, &format!("EHLO {hello}")).await.map_err(broken)?;
            is_encrypted = offered
                .lines()
                .any(|line| line.get(4..).is_some_and(|extension| extension.trim().eq_ignore_ascii_case("STARTTLS")));
            if is_encrypted {
                command(&mut stream, "STARTTLS").await.map_err(broken)?;
            }
        }
        let inner: Box<dyn Duplex> = if is_encrypted {
            let encrypted = http_client.encrypt(stream, &self.host, CONNECT_LIMIT).await;
            Box::new(encrypted.map_err(|error| error.to_string())?)
        } else if self.account.is_some() {
            return Err(format!("{} offers no encryption, so the password was not sent", self.host));
        } else {
            Box::new(stream)
        };
        Ok(Line { greeting, inner, peer })
    }
}

/// Sends a command, and reads the response.
async fn command(stream: &mut TcpStream, command: &str) -> io::Result<String> {
    stream.write_all(format!("{command}\r\n").as_bytes()).await?;
    reply(stream).await
}

/// Reads a response of one or more lines, and not a byte more: what follows must be encrypted.
async fn reply(stream: &mut TcpStream) -> io::Result<String> {
    let (mut text, mut line) = (String::new(), Vec::new());
    while text.len() + line.len() < MAX_REPLY {
        line.push(stream.read_u8().await?);
        if !line.ends_with(b"\n") {
            continue;
        }
        let words = String::from_utf8_lossy(&line).into_owned();
        line.clear();
        text.push_str(&words);
        // A dash after the code means that more lines follow.
        if words.as_bytes().get(3) != Some(&b'-') {
            let is_good = words.starts_with('2');
            return if is_good { Ok(text) } else { Err(io::Error::other(words.trim().to_owned())) };
        }
    }
    Err(io::Error::other("the response is too long"))
}

trait Duplex: AsyncRead + AsyncWrite + Send + Sync + Unpin + std::fmt::Debug {}

impl<T: AsyncRead + AsyncWrite + Send + Sync + Unpin + std::fmt::Debug> Duplex for T {}

/// A connection that begins with a greeting, whether or not it has been read already.
#[derive(Debug)]
struct Line {
    greeting: &'static [u8],
    inner: Box<dyn Duplex>,
    peer: SocketAddr,
}

impl AsyncTokioStream for Line {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.greeting.is_empty() {
            return Pin::new(&mut self.inner).poll_read(context, buffer);
        }
        let (now, later) = self.greeting.split_at(self.greeting.len().min(buffer.remaining()));
        buffer.put_slice(now);
        self.greeting = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
