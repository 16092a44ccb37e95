//! An encrypted copy of a config: AES-256-GCM with a key that PBKDF2 derives from a password (docs/editing.md, "Backups").
//!
//! The file is JSON: `format`, `version`, `file`, `iterations`, `salt`, `iv` and `data`, the last three in Base64. All fields are
//! authenticated, so nobody can make the password cheaper to guess or pass the file off as another one.

#[cfg(target_arch = "wasm32")]
mod cipher;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "wasm32")]
mod web_crypto;

use serde_json::{Value, json};

#[cfg(target_arch = "wasm32")]
pub use self::cipher::{decrypt, encrypt, proof};
use crate::texts::{digits, fill, t};

const FORMAT: &str = "portico-config";
const VERSION: u32 = 1;
/// The least that OWASP recommends for PBKDF2 with SHA-256 is 600,000.
const ITERATIONS: u32 = 600_000;
/// More would keep a browser busy for minutes.
const MAX_ITERATIONS: u32 = 10_000_000;
/// The shortest password, in characters.
const MIN_PASSWORD: u8 = 8;

/// What an encrypted file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Name of the config file.
    pub file: String,
    /// How often PBKDF2 hashes the password.
    pub iterations: u32,
    /// The salt of the key, in Base64.
    pub salt: String,
    /// The initialization vector, in Base64.
    pub iv: String,
}

impl Header {
    /// What is authenticated together with the data.
    #[must_use]
    pub fn authenticated(&self) -> String {
        let Self { file, iterations, salt, iv } = self;
        json!([FORMAT, VERSION, file, iterations, salt, iv]).to_string()
    }
}

/// The content of an encrypted file, which may be damaged or too new.
#[derive(Clone, Debug, PartialEq)]
pub struct EncryptedFile(Value);

impl EncryptedFile {
    /// The content of a file, if it is an encrypted one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if !text.trim_start().starts_with('{') {
            return None;
        }
        let content = serde_json::from_str::<Value>(text).ok()?;
        (content["format"] == FORMAT).then_some(Self(content))
    }

    /// The header, and the data in Base64.
    ///
    /// # Errors
    ///
    /// The file is damaged or too new, in a sentence for the user.
    pub fn checked(&self) -> Result<(Header, String), String> {
        let Self(content) = self;
        let version = &content["version"];
        if version.as_f64() != Some(VERSION.into()) {
            let version = match version {
                Value::String(version) => version.clone(),
                version => version.as_u64().map_or_else(|| version.to_string(), digits),
            };
            let text = "This file has version {version} of the format, and this Portico reads version {known}. Restore it with the Portico that wrote it, or a newer one.";
            return Err(fill(text, &[("version", &version), ("known", &digits(VERSION))]));
        }
        let text = |name: &str| content[name].as_str().map(str::to_owned);
        let parts = || {
            let header =
                Header { file: text("file")?, iterations: self.iterations()?, salt: text("salt")?, iv: text("iv")? };
            Some((header, text("data")?))
        };
        parts().ok_or_else(|| t("This file is damaged. Take another copy of it."))
    }

    /// The number of iterations, if it is one that we accept.
    fn iterations(&self) -> Option<u32> {
        let iterations = self.0["iterations"].as_f64().filter(|iterations| iterations.fract() == 0.0)?;
        (f64::from(ITERATIONS)..=MAX_ITERATIONS.into()).contains(&iterations).then_some(iterations as u32)
    }
}

/// The text of an encrypted file. `data` is in Base64.
#[must_use]
pub fn print(header: &Header, data: &str) -> String {
    let Header { file, iterations, salt, iv } = header;
    let content = json!({
        "format": FORMAT,
        "version": VERSION,
        "file": file,
        "iterations": iterations,
        "salt": salt,
        "iv": iv,
        "data": data,
    });
    format!("{content:#}\n")
}

/// The name of the encrypted copy of a config file.
#[must_use]
pub fn name_of_copy(file: &str) -> String {
    let stem = file.strip_suffix(".yml").or_else(|| file.strip_suffix(".yaml")).unwrap_or(file);
    format!("{stem}.portico.json")
}

/// Checks that a password is long enough.
///
/// # Errors
///
/// It is too short, in a sentence for the user.
pub fn check_length(password: &str) -> Result<(), String> {
    // As browsers count characters in the `minlength` of a field.
    if password.encode_utf16().count() < MIN_PASSWORD.into() {
        let text = "Choose a password of at least {count} characters.";
        return Err(fill(text, &[("count", &digits(MIN_PASSWORD))]));
    }
    Ok(())
}
