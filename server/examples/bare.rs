//! The reference of the benchmark: a bare axum handler that hands out given bytes under given headers, and does nothing
//! else. What it reaches is what the machine, the runtime and the HTTP library allow.
//!
//! With a folder it also changes the first item of `conf.yml` there the straightforward way: `serde_yaml` reads the file
//! and writes it again, after a copy of the old one, and both are flushed to the disk.

use std::{
    error::Error,
    fs::{self, File},
    io::{self, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
};

use axum::{
    Json, Router,
    routing::{get, patch},
    serve::{Listener as _, ListenerExt as _},
};
use bytes::Bytes;
use clap::Parser;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Deserialize;
use tokio::net::TcpListener;

/// Serves recorded answers.
#[derive(Debug, Parser)]
struct Arguments {
    /// Where to listen.
    address: SocketAddr,
    /// A JSON list of `{ "path", "headers": [[name, value]], "file" }`; `file` holds the body as it is sent.
    answers: PathBuf,
    /// Where the `conf.yml` stands that `PATCH /item` changes.
    folder: Option<PathBuf>,
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
    if let Some(folder) = arguments.folder {
        let change = async move |Json(fields): Json<serde_yaml::Mapping>| {
            let folder = folder.clone();
            let changed = tokio::task::spawn_blocking(move || change_item(&folder, fields)).await;
            match changed.map_err(io::Error::other).flatten() {
                Ok(()) => Ok(Json(true)),
                Err(error) => Err((StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
            }
        };
        router = router.route("/item", patch(change));
    }
    // The strongest reference: no answer waits for an acknowledgement.
    let listener = TcpListener::bind(arguments.address).await?.tap_io(|stream| _ = stream.set_nodelay(true));
    eprintln!("bare: serving on {}", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

fn change_item(folder: &Path, fields: serde_yaml::Mapping) -> io::Result<()> {
    let old = fs::read_to_string(folder.join("conf.yml"))?;
    let mut config: serde_yaml::Value = serde_yaml::from_str(&old).map_err(io::Error::other)?;
    let item = config["sections"][0]["items"][0].as_mapping_mut();
    item.ok_or_else(|| io::Error::other("there is no item"))?.extend(fields);
    let new = serde_yaml::to_string(&config).map_err(io::Error::other)?;
    write_safely(folder, "backup.yml", &old)?;
    write_safely(folder, "conf.yml", &new)
}

/// Writes a new file, flushes it to the disk, and replaces the old one with it.
fn write_safely(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let temporary = folder.join(format!(".{name}"));
    let mut file = File::create(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary, folder.join(name))?;
    File::open(folder)?.sync_all()
}

fn headers(recorded: &[(String, String)]) -> Result<HeaderMap, Box<dyn Error>> {
    let mut headers = HeaderMap::new();
    for (name, value) in recorded {
        headers.append(HeaderName::try_from(name)?, HeaderValue::try_from(value)?);
    }
    Ok(headers)
}
