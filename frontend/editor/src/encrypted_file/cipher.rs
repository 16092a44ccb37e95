//! Encrypts and decrypts with the browser's Web Crypto API.

use leptos::prelude::window;
use wasm_bindgen::JsValue;

use super::{
    EncryptedFile, Header, ITERATIONS, print,
    web_crypto::{AesGcm, Derivation, Key, Subtle, random},
};
use crate::texts::t;

fn encode(bytes: &[u8]) -> Result<String, JsValue> {
    let letters: String = bytes.iter().copied().map(char::from).collect();
    window().btoa(&letters)
}

fn decode(text: &str) -> Result<Vec<u8>, JsValue> {
    Ok(window().atob(text)?.chars().map(|letter| letter as u8).collect())
}

async fn key(subtle: &Subtle, password: &str, header: &Header) -> Result<Key, JsValue> {
    let salt = decode(&header.salt)?;
    subtle.key(password, &Derivation { salt: &salt, iterations: header.iterations }).await
}

/// Encrypts the text of a config file. Returns the text of the encrypted file.
///
/// # Errors
///
/// The browser does not encrypt, in a sentence for the user.
pub async fn encrypt(file: &str, text: &str, password: &str) -> Result<String, String> {
    let subtle = Subtle::of_browser()?;
    encrypt_with(&subtle, file, text, password).await.map_err(message)
}

async fn encrypt_with(subtle: &Subtle, file: &str, text: &str, password: &str) -> Result<String, JsValue> {
    let (salt, iv) = (random(16)?, random(12)?);
    let header = Header { file: file.to_owned(), iterations: ITERATIONS, salt: encode(&salt)?, iv: encode(&iv)? };
    let key = key(subtle, password, &header).await?;
    let parameters = AesGcm { iv: &iv, authenticated: &header.authenticated() };
    let data = subtle.encrypt(&parameters, &key, text.as_bytes()).await?;
    Ok(print(&header, &encode(&data)?))
}

/// Decrypts the text of the config in an encrypted file.
///
/// # Errors
///
/// The password is wrong, or the file is damaged or too new, in a sentence for the user.
pub async fn decrypt(content: &EncryptedFile, password: &str) -> Result<String, String> {
    let (header, data) = content.checked()?;
    let subtle = Subtle::of_browser()?;
    let bytes = decrypt_with(&subtle, &header, &data, password).await.ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or_else(|| t("The password is wrong, or the file is damaged."))?;
    let without_mark = text.strip_prefix('\u{feff}').map(str::to_owned);
    Ok(without_mark.unwrap_or(text))
}

async fn decrypt_with(subtle: &Subtle, header: &Header, data: &str, password: &str) -> Result<Vec<u8>, JsValue> {
    let key = key(subtle, password, header).await?;
    let parameters = AesGcm { iv: &decode(&header.iv)?, authenticated: &header.authenticated() };
    subtle.decrypt(&parameters, &key, &decode(data)?).await
}

/// Proves to an endpoint that somebody knows the password: 256 bits as hexadecimal digits. It is always the same for a password,
/// and does not help to decrypt a copy.
///
/// # Errors
///
/// The browser does not encrypt, in a sentence for the user.
pub async fn proof(password: &str) -> Result<String, String> {
    let derivation = Derivation { salt: b"portico: proof of a password", iterations: ITERATIONS };
    let bits = Subtle::of_browser()?.bits(password, &derivation).await.map_err(message)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What the browser says about a failure.
fn message(error: JsValue) -> String {
    let message = app::property(&error, "message").as_string();
    message.unwrap_or_else(|| format!("{error:?}"))
}
