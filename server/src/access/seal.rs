//! Sealing: encrypts values that only this server, or another with the same key, can read and write.
//!
//! Every seal has its own key, derived from the secret and a random salt, so there is no limit on the number of seals.
//! A value sealed for one purpose cannot be opened for another.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use config::model::auth::SecretText;
use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hkdf::{HKDF_SHA256, Salt},
    rand::{SecureRandom as _, SystemRandom},
};
use sha2::{Digest as _, Sha256};

use crate::{platform::io_error::reason, store::KEY_FILE};

/// Length of a generated secret.
const SECRET_BYTES: usize = 32;

/// Length of the salt at the start of a seal.
const SALT_BYTES: usize = 24;

/// Length of a mark, in characters.
pub(crate) const MARK_LENGTH: usize = 6;

/// Minimum length of `SESSION_SECRET` without a warning, in characters.
const SHORT_SECRET: usize = 32;

/// Seals and opens.
#[derive(Clone)]
pub(crate) struct Sealer {
    secret: Vec<u8>,
}

impl std::fmt::Debug for Sealer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Sealer(***)")
    }
}

impl Sealer {
    /// Takes the secret from the environment, or else from the user-data directory, where it is created once. If
    /// neither works, a secret for this run is generated, and sessions end with it.
    pub(crate) fn new(secret: Option<&SecretText>, user_data: &Path) -> Self {
        if let Some(secret) = secret {
            if secret.expose().chars().count() < SHORT_SECRET {
                tracing::warn!("SESSION_SECRET is short: use {SHORT_SECRET} random characters or more");
            }
            return Self { secret: secret.expose().as_bytes().to_vec() };
        }
        let secret = stored(&user_data.join(KEY_FILE)).unwrap_or_else(|error| {
            tracing::warn!(
                "cannot read or create `{KEY_FILE}` in the user-data folder ({}): all users are signed out at every \
                 restart; set `SESSION_SECRET` to prevent that",
                reason(&error),
            );
            random::<SECRET_BYTES>().to_vec()
        });
        Self { secret }
    }

    /// A short text that identifies this key together with the given texts, and reveals nothing about them.
    pub(crate) fn mark(&self, of: &str) -> String {
        let digest = Sha256::new()
            .chain_update("portico mark")
            .chain_update(Sha256::digest(&self.secret))
            .chain_update(of)
            .finalize();
        hex::encode(&digest[..MARK_LENGTH / 2])
    }

    /// Seals bytes for a purpose, as text that is valid in a cookie.
    pub(crate) fn seal(&self, purpose: &str, plain: &[u8]) -> String {
        let salt = random::<SALT_BYTES>();
        let mut sealed = plain.to_vec();
        self.key(&salt)
            .seal_in_place_append_tag(only_nonce(), Aad::from(purpose), &mut sealed)
            .expect("nothing that is sealed here is near the limit of 256 GB");
        URL_SAFE_NO_PAD.encode([salt.as_slice(), &sealed].concat())
    }

    /// Opens a value sealed for the same purpose; `None` for anything else.
    pub(crate) fn open(&self, purpose: &str, sealed: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (salt, sealed) = bytes.split_at_checked(SALT_BYTES)?;
        let mut sealed = sealed.to_vec();
        let plain = self.key(salt).open_in_place(only_nonce(), Aad::from(purpose), &mut sealed).ok()?.len();
        sealed.truncate(plain);
        Some(sealed)
    }

    fn key(&self, salt: &[u8]) -> LessSafeKey {
        let derived = Salt::new(HKDF_SHA256, salt).extract(&self.secret);
        let key = derived.expand(&[b"portico seal"], &CHACHA20_POLY1305).expect("the key's length suits HKDF");
        LessSafeKey::new(UnboundKey::from(key))
    }
}

/// Each key seals only once, so there is only one nonce.
fn only_nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

/// A new key of sessions, as the environment may set it.
pub(crate) fn new_secret() -> String {
    STANDARD.encode(random::<32>())
}

/// Random bytes that cannot be guessed.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).expect("the system has a source of randomness");
    bytes
}

/// The secret in a file, which is created if it is missing. Several servers may start in one folder at once: all end up
/// with the same secret, and none sees half a file.
fn stored(path: &Path) -> io::Result<Vec<u8>> {
    match read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return read,
    }
    let secret = random::<SECRET_BYTES>();
    let name = hex::encode(random::<8>());
    let draft = path.with_file_name(format!("{KEY_FILE}.{name}"));
    let made = write(&draft, &secret).and_then(|()| match fs::hard_link(&draft, path) {
        // Not every file system supports links.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !path.exists() => fs::rename(&draft, path),
        _ => Ok(()),
    });
    _ = fs::remove_file(&draft);
    made?;
    read(path)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let secret = fs::read(path)?;
    if secret.len() < SECRET_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is too short for a key"));
    }
    Ok(secret)
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::{KEY_FILE, Sealer};

    #[test]
    fn only_what_was_sealed_here_for_the_same_purpose_opens() {
        let sealer = Sealer { secret: b"secret".to_vec() };
        let sealed = sealer.seal("session", b"hello");
        assert_eq!(sealer.open("session", &sealed).as_deref(), Some(b"hello".as_slice()));
        assert_eq!(sealer.open("attempt", &sealed), None);
        assert_eq!(Sealer { secret: b"other".to_vec() }.open("session", &sealed), None);
        assert_ne!(sealed, sealer.seal("session", b"hello"));
        for at in 0..sealed.len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(sealer.open("session", std::str::from_utf8(&bytes).unwrap()), None, "{at}");
        }
    }

    #[test]
    fn the_key_is_made_once_and_for_the_owner_only() {
        let directory = tempfile::tempdir().unwrap();
        let first = Sealer::new(None, directory.path());
        let second = Sealer::new(None, directory.path());
        assert_eq!(first.secret, second.secret);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(directory.path().join(KEY_FILE)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        std::fs::write(directory.path().join(KEY_FILE), "short").unwrap();
        assert_ne!(Sealer::new(None, directory.path()).secret, b"short");
    }
}
