//! Tokens of the REST API with a name, rights and an expiry, beside `API_TOKEN` (docs/spec/api.md 3.5). `portico token` makes and
//! revokes them in a file of the user-data folder; the server reads it at each use, so a revoked token stops working at once.
//!
//! The file has only the SHA-256 of each token. That suffices: a token is 256 random bits, so nobody can guess it from its hash,
//! and slow hashes such as Argon2 protect what people choose themselves.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    basic::{is_same, sha256_hex},
    seal::random,
};
use crate::{
    platform::io_error::reason,
    store::{RecordVersion, TOKENS_FILE},
};

/// The beginning of every token, by which programs that search for leaked secrets recognize it.
const PREFIX: &str = "portico_";
/// Random bytes of a token.
const BYTES: usize = 32;
/// Maximum length of a name in characters.
const MAX_NAME: usize = 64;
/// Maximum number of tokens.
const MAX_TOKENS: usize = 1000;

/// The tokens of a user-data folder.
#[derive(Clone, Debug)]
pub struct ApiTokens(PathBuf);

/// What a token may do.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "camelCase")]
pub enum Rights {
    /// Read config files, without the credentials of users.
    #[default]
    Read,
    /// Read and change them.
    Write,
}

/// A token, without its value.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiToken {
    #[serde(default)]
    version: RecordVersion,
    /// The name by which people recognize it.
    pub name: String,
    /// The SHA-256 of its value, in hexadecimal digits.
    hash: String,
    /// What it may do.
    pub rights: Rights,
    /// The only config file that it may use; all without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The only section of that file that it may use; all without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// When it expires, in seconds since 1970; never without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<u64>,
}

/// A token that is to be made.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct NewToken {
    /// As in [`ApiToken`].
    pub name: String,
    /// As in [`ApiToken`].
    pub rights: Rights,
    /// As in [`ApiToken`].
    pub file: Option<String>,
    /// As in [`ApiToken`]; has no effect without a file.
    pub section: Option<String>,
    /// As in [`ApiToken`].
    pub expires: Option<u64>,
}

/// Why a token cannot be made or revoked.
#[derive(Debug, thiserror::Error)]
pub enum ApiTokenError {
    /// The name cannot be used.
    #[error("a name has 1 to {max} characters, and no line breaks", max = MAX_NAME)]
    BadName,
    /// There is one of that name.
    #[error("there is a token `{0}` already; revoke it first, or choose another name")]
    NameTaken(String),
    /// There is none of that name.
    #[error("there is no token `{0}`")]
    Unknown(String),
    /// There are too many.
    #[error("there are {max} tokens already; revoke those that are not in use", max = MAX_TOKENS)]
    TooMany,
    /// The file cannot be read or written.
    #[error("`{file}`: {}", reason(.0), file = TOKENS_FILE)]
    File(#[from] io::Error),
}

impl ApiToken {
    /// Whether it may not be used any longer at a time in seconds since 1970.
    pub fn is_expired(&self, now: u64) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

impl ApiTokens {
    /// The tokens of this user-data folder.
    pub fn in_folder(user_data: &Path) -> Self {
        Self(user_data.join(TOKENS_FILE))
    }

    /// All tokens, in the order in which they were made, without those that only a newer program can read.
    ///
    /// # Errors
    ///
    /// The file exists and cannot be read.
    pub fn all(&self) -> io::Result<Vec<ApiToken>> {
        let tokens = self.records()?.into_iter().map(serde_json::from_value);
        Ok(tokens.filter_map(Result::ok).collect())
    }

    /// All tokens as they are in the file. Those that only a newer program can read stay there.
    fn records(&self) -> io::Result<Vec<Value>> {
        match fs::read(&self.0) {
            Ok(text) => Ok(serde_json::from_slice(&text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Makes a token, and returns its value, which is stored nowhere. `now` is in seconds since 1970.
    ///
    /// # Errors
    ///
    /// [`ApiTokenError`].
    pub fn create(&self, new: NewToken, now: u64) -> Result<String, ApiTokenError> {
        let NewToken { name, rights, file, section, expires } = new;
        let section = section.filter(|_| file.is_some());
        let name = name.trim();
        if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            return Err(ApiTokenError::BadName);
        }
        let mut all = self.records()?;
        if all.iter().any(|token| name_of(token) == Some(name)) {
            return Err(ApiTokenError::NameTaken(name.to_owned()));
        }
        if all.len() >= MAX_TOKENS {
            return Err(ApiTokenError::TooMany);
        }
        let value = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random::<BYTES>()));
        let hash = sha256_hex(value.as_bytes());
        let name = name.to_owned();
        let token = ApiToken { version: RecordVersion, name, hash, rights, file, section, created: now, expires };
        all.push(serde_json::to_value(token).map_err(io::Error::from)?);
        self.write(&all)?;
        Ok(value)
    }

    /// Removes a token by its name.
    ///
    /// # Errors
    ///
    /// [`ApiTokenError`].
    pub fn revoke(&self, name: &str) -> Result<(), ApiTokenError> {
        let mut all = self.records()?;
        let before = all.len();
        all.retain(|token| name_of(token) != Some(name));
        if all.len() == before {
            return Err(ApiTokenError::Unknown(name.to_owned()));
        }
        self.write(&all)?;
        Ok(())
    }

    /// Whether there are tokens, expired ones included: the API must not become open because the last one expires. A file that
    /// cannot be read counts too, and a token that only a newer program can read.
    pub fn are_used(&self) -> bool {
        self.records().map_or(true, |all| !all.is_empty())
    }

    /// Whether a bearer token has the form of ours, so that no provider needs to see it.
    pub(super) fn is_ours(given: &str) -> bool {
        given.starts_with(PREFIX)
    }

    /// The token with this value, if it may be used. All hashes are compared, each in constant time.
    pub(super) fn find(&self, given: &str, now: u64) -> Option<ApiToken> {
        let all = self.all().unwrap_or_else(|error| {
            tracing::error!("`{TOKENS_FILE}` cannot be used, so no token is valid: {}", reason(&error));
            Vec::new()
        });
        let hash = sha256_hex(given.as_bytes());
        let mut found = None;
        for token in all {
            if is_same(&token.hash, &hash) {
                found = Some(token);
            }
        }
        found.filter(|token| !token.is_expired(now))
    }

    fn write(&self, all: &[Value]) -> io::Result<()> {
        let folder = self.0.parent().ok_or(io::ErrorKind::NotFound)?;
        // Only the owner can read such a file.
        let mut draft = tempfile::Builder::new().prefix(TOKENS_FILE).tempfile_in(folder)?;
        draft.write_all(&serde_json::to_vec_pretty(all)?)?;
        draft.as_file().sync_all()?;
        draft.persist(&self.0).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The name of a token, which a program of any version can read.
fn name_of(token: &Value) -> Option<&str> {
    token["name"].as_str()
}
