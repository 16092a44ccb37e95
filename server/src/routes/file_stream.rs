//! Files that are too large for memory, as bodies of responses.

use std::{
    fs::{File, Metadata},
    io::{self, Read as _, Seek as _, SeekFrom},
    path::PathBuf,
    sync::Arc,
    time::SystemTime,
};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream::try_unfold;
use tokio::sync::Semaphore;

/// Size of the pieces that are read, in bytes.
const PIECE: u64 = 16 * 1024;

/// How many pieces may be read, or wait for the connections that asked for them, at once. Each thread that reads keeps some memory.
const MAX_PIECES: usize = 8;

static PIECES: Semaphore = Semaphore::const_new(MAX_PIECES);

/// A file as it was when its response began.
struct OpenedFile {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

/// The content of a file. It is opened again for each piece, so that clients that take nothing hold no descriptors. If the file
/// changes meanwhile, the response ends early.
pub fn body(path: PathBuf, metadata: &Metadata) -> Body {
    let file = Arc::new(OpenedFile { path, length: metadata.len(), modified: metadata.modified().ok() });
    Body::from_stream(try_unfold(0, move |from| {
        let file = Arc::clone(&file);
        async move {
            if from >= file.length {
                return Ok(None);
            }
            // The semaphore is never closed, so there is always a permit.
            let _permit = PIECES.acquire().await;
            let piece = tokio::task::spawn_blocking(move || file.piece(from)).await.map_err(io::Error::other)??;
            let next = from + piece.len() as u64;
            Ok::<_, io::Error>(Some((piece, next)))
        }
    }))
}

impl OpenedFile {
    fn piece(&self, from: u64) -> io::Result<Bytes> {
        let mut file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        if metadata.len() != self.length || metadata.modified().ok() != self.modified {
            return Err(io::Error::other("the file has changed"));
        }
        file.seek(SeekFrom::Start(from))?;
        let length = PIECE.min(self.length - from);
        // No larger than what is read into it.
        let mut piece = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        file.take(length).read_to_end(&mut piece)?;
        if piece.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(piece.into()) }
    }
}
