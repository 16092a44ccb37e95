//! Connections for protocols other than HTTP that the caller speaks itself, such as SMTP. The guards of all requests apply, and
//! encryption trusts the same certificates.

use std::{io, sync::Arc, time::Duration};

use rustls::pki_types::ServerName;
use tokio::{
    net::TcpStream,
    time::{error::Elapsed, timeout},
};
use tokio_rustls::{TlsConnector, client::TlsStream};

use super::{
    direct::{self, DirectTarget},
    error::{HttpClientError, TlsProblem},
    inner::HttpClient,
    runtime,
};

impl HttpClient {
    /// Opens a TCP connection.
    ///
    /// # Errors
    ///
    /// The guards refuse the host or port, or the connection is not accepted in time.
    pub async fn open(&self, target: DirectTarget, port: u16, limit: Duration) -> Result<TcpStream, HttpClientError> {
        let inner = Arc::clone(&self.inner);
        let work = async move { direct::connect(&inner, &target, port, limit).await.map(|(stream, _)| stream) };
        runtime::run(self.inner.runtime.as_ref(), work).await
    }

    /// Encrypts a connection with TLS. The certificate must be made for this host.
    ///
    /// # Errors
    ///
    /// The certificate is not trusted, or the other side does not speak TLS.
    pub async fn encrypt(
        &self,
        stream: TcpStream,
        host: &str,
        limit: Duration,
    ) -> Result<TlsStream<TcpStream>, HttpClientError> {
        let failed = |problem| HttpClientError::Tls { host: host.to_owned(), problem };
        let config = self.inner.tls.get().map_err(|_| failed(TlsProblem::Handshake))?;
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned());
        let name = name.map_err(|_| HttpClientError::BadAddress { problem: "it has no valid host".to_owned() })?;
        match timeout(limit, TlsConnector::from(config).connect(name, stream)).await {
            Ok(Ok(encrypted)) => Ok(encrypted),
            Ok(Err(error)) => Err(failed(problem_of(&error))),
            Err(Elapsed { .. }) => Err(HttpClientError::TimedOut { host: host.to_owned(), after: limit }),
        }
    }
}

fn problem_of(error: &io::Error) -> TlsProblem {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
    match cause {
        Some(rustls::Error::InvalidCertificate(_)) => TlsProblem::Certificate,
        _ => TlsProblem::Handshake,
    }
}
