//! The reference of the benchmark: a bare axum handler that hands out given bytes under given headers, and does nothing
//! else. What it reaches is what the machine, the runtime and the HTTP library allow.

use std::{error::Error, fs, net::SocketAddr, path::PathBuf, process::ExitCode};

use axum::{
    Router,
    routing::get,
    serve::{Listener as _, ListenerExt as _},
};
use bytes::Bytes;
use clap::Parser;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use tokio::net::TcpListener;

/// Serves recorded answers.
#[derive(Debug, Parser)]
struct Arguments {
    /// Where to listen.
    address: SocketAddr,
    /// A JSON list of `{ "path", "headers": [[name, value]], "file" }`; `file` holds the body as it is sent.
    answers: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Recorded {
    path: String,
    headers: Vec<(String, String)>,
    file: PathBuf,
}

#[tokio::main]
async fn main() -> ExitCode {
    match serve(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bare: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let recorded: Vec<Recorded> = serde_json::from_slice(&fs::read(&arguments.answers)?)?;
    let mut router = Router::new();
    for answer in recorded {
        let headers = headers(&answer.headers)?;
        let body = Bytes::from(fs::read(&answer.file)?);
        router = router.route(&answer.path, get(async move || (headers.clone(), body.clone())));
    }
    // The strongest reference: no answer waits for an acknowledgement.
    let listener = TcpListener::bind(arguments.address).await?.tap_io(|stream| _ = stream.set_nodelay(true));
    eprintln!("bare: serving on {}", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

fn headers(recorded: &[(String, String)]) -> Result<HeaderMap, Box<dyn Error>> {
    let mut headers = HeaderMap::new();
    for (name, value) in recorded {
        headers.append(HeaderName::try_from(name)?, HeaderValue::try_from(value)?);
    }
    Ok(headers)
}
