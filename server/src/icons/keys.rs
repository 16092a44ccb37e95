//! The keys in the addresses of external pictures: a hash of the target with a secret, so that a key reveals nothing
//! and cannot be guessed.
//!
//! The secret is stored beside the cached pictures, so that pages cached by browsers show their icons after a restart.
//! If it cannot be written, each start creates a new one. Servers with one database derive it from the secret of their sessions, as
//! a browser may fetch the page from one and its icons from another.

use std::{
    fmt,
    fs::OpenOptions,
    io::Write as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use ring::{
    hmac,
    rand::{SecureRandom as _, SystemRandom},
};

const FILE: &str = "address-key";
const BYTES: usize = 32;

/// Creates the keys.
pub struct IconKeys {
    key: hmac::Key,
    /// The secret and its file, until it has been written there.
    unsaved: Option<([u8; BYTES], PathBuf)>,
    is_saved: AtomicBool,
}

impl fmt::Debug for IconKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AddressKeys(***)")
    }
}

impl IconKeys {
    /// Uses the secret in this directory, or a new one. Writes nothing.
    pub fn load(directory: Option<&Path>) -> Self {
        let file = directory.map(|directory| directory.join(FILE));
        let kept = file.as_ref().and_then(|file| std::fs::read(file).ok());
        if let Some(secret) = kept.filter(|secret| secret.len() == BYTES) {
            return Self { key: key(&secret), unsaved: None, is_saved: AtomicBool::new(true) };
        }
        let mut secret = [0; BYTES];
        SystemRandom::new().fill(&mut secret).expect("the system has random numbers");
        Self { key: key(&secret), unsaved: file.map(|file| (secret, file)), is_saved: AtomicBool::new(false) }
    }

    /// Uses a secret that other servers have too.
    pub fn of_secret(secret: &str) -> Self {
        let secret = hmac::sign(&key(secret.as_bytes()), b"addresses of icons");
        Self { key: key(secret.as_ref()), unsaved: None, is_saved: AtomicBool::new(true) }
    }

    /// The key of a target: 32 hexadecimal digits.
    pub fn of(&self, what: &str) -> String {
        hex::encode(&hmac::sign(&self.key, what.as_bytes()).as_ref()[..16])
    }

    /// Writes the secret beside the pictures once there are some. If that fails, the next start creates another one.
    pub fn save(&self) {
        if let Some((secret, file)) = &self.unsaved
            && !self.is_saved.swap(true, Ordering::Relaxed)
        {
            _ = write(file, secret);
        }
    }
}

fn key(secret: &[u8]) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, secret)
}

fn write(file: &Path, secret: &[u8]) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    if let Some(directory) = file.parent() {
        std::fs::create_dir_all(directory)?;
    }
    options.open(file)?.write_all(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_after_a_restart_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let keys = IconKeys::load(Some(folder.path()));
        let key = keys.of("favicon of nas.lan");
        assert_eq!(key.len(), 32);
        assert_ne!(key, keys.of("favicon of nas.local"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written before it is needed");
        assert_ne!(IconKeys::load(Some(folder.path())).of("favicon of nas.lan"), key);
        keys.save();
        assert_eq!(IconKeys::load(Some(folder.path())).of("favicon of nas.lan"), key);
        assert_ne!(IconKeys::load(None).of("favicon of nas.lan"), key);
        std::fs::write(folder.path().join(FILE), "cut off").unwrap();
        assert_ne!(IconKeys::load(Some(folder.path())).of("favicon of nas.lan"), key);
        assert!(!format!("{keys:?}").contains(char::is_numeric), "{keys:?}");
    }

    #[test]
    fn servers_with_one_secret_have_the_same_keys() {
        let key = IconKeys::of_secret("one").of("favicon of nas.lan");
        assert_eq!(IconKeys::of_secret("one").of("favicon of nas.lan"), key);
        assert_ne!(IconKeys::of_secret("two").of("favicon of nas.lan"), key);
    }
}
