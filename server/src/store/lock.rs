//! Lets several servers share one folder, such as a network share: they write one at a time, and one of them sends alerts.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The file that is locked. The system unlocks it when its holder dies, so a file that is left behind hinders no one.
const LOCK_FILE: &str = ".writing";
/// The file that is locked by the server that sends alerts. It stays, so that all servers lock the same file.
pub const ALERTS_LOCK_FILE: &str = ".alerts.lock";
/// Time between two attempts to be the server that sends alerts.
const LEAD_INTERVAL: Duration = Duration::from_secs(2);
/// How long a write waits for those of other servers.
const MAX_WAIT: Duration = Duration::from_secs(10);
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// The right to write to a folder. Dropping it gives it back, and removes the file.
#[derive(Debug)]
pub struct WriteLock {
    path: PathBuf,
    _file: File,
}

impl WriteLock {
    /// Waits for the right to write. `None` where nothing can be locked: a single file may still be written in a folder that takes
    /// no new ones. Blocks.
    ///
    /// # Errors
    ///
    /// Another server holds it for too long.
    pub fn take(directory: &Path) -> io::Result<Option<Self>> {
        let path = directory.join(LOCK_FILE);
        let began = Instant::now();
        loop {
            let Ok(file) = open(&path) else { return Ok(None) };
            match file.try_lock() {
                // The holder before may have removed the file that was opened here.
                Ok(()) if is_at(&file, &path) => return Ok(Some(Self { path, _file: file })),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if began.elapsed() < MAX_WAIT => thread::sleep(RETRY_INTERVAL),
                Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::ResourceBusy.into()),
                Err(TryLockError::Error(_)) => return Ok(None),
            }
        }
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        // Before it is unlocked, so that no one else has locked it.
        _ = fs::remove_file(&self.path);
    }
}

/// This server sends the alerts of all servers with its folder. Dropping it lets the next one do so.
#[derive(Debug)]
pub struct Lead(#[expect(dead_code, reason = "it is locked as long as it is open")] File);

impl Lead {
    /// Waits until no other server with this folder sends alerts. `None` where nothing can be locked: then each server sends its own.
    pub async fn wait(directory: &Path) -> Option<Self> {
        let file = open(&directory.join(ALERTS_LOCK_FILE)).ok()?;
        loop {
            match file.try_lock() {
                Ok(()) => return Some(Self(file)),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(LEAD_INTERVAL).await,
                Err(TryLockError::Error(_)) => return None,
            }
        }
    }
}

/// Removes the file that a killed server has left behind.
pub fn remove_leftover(directory: &Path) {
    if directory.join(LOCK_FILE).exists() {
        // If another server is writing, it removes the file itself.
        _ = WriteLock::take(directory);
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

/// Whether an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |about: fs::Metadata| (about.dev(), about.ino());
    let (ours, theirs) = (file.metadata().map(identity).ok(), fs::metadata(path).map(identity).ok());
    ours.is_some() && ours == theirs
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_server_sends_alerts_until_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lead::wait(folder.path()).await.unwrap();
        let directory = folder.path().to_owned();
        let second = tokio::spawn(async move { Lead::wait(&directory).await.is_some() });
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!second.is_finished());
        drop(first);
        assert!(second.await.unwrap());
        assert!(Lead::wait(&folder.path().join("missing")).await.is_none());
    }

    #[test]
    fn one_at_a_time_and_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        // Left behind by a server that was killed.
        fs::write(folder.path().join(LOCK_FILE), "").unwrap();
        let (mut threads, counter) = (Vec::new(), folder.path().join("counter"));
        fs::write(&counter, "0").unwrap();
        for _ in 0..8 {
            let (folder, counter) = (folder.path().to_owned(), counter.clone());
            threads.push(thread::spawn(move || {
                for _ in 0..20 {
                    let _lock = WriteLock::take(&folder).unwrap().unwrap();
                    let count: u32 = fs::read_to_string(&counter).unwrap().parse().unwrap();
                    fs::write(&counter, (count + 1).to_string()).unwrap();
                }
            }));
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(fs::read_to_string(&counter).unwrap(), "160");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
