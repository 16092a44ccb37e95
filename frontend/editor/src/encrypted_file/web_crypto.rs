//! What we use of the browser's Web Crypto API. `web-sys` has it behind features that would compile Leptos a second time.

use app::property;
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};

use crate::texts::t;

#[wasm_bindgen]
extern "C" {
    /// The browser's `SubtleCrypto`.
    pub type Subtle;

    #[wasm_bindgen(method, catch, js_name = importKey)]
    async fn import_key(
        this: &Subtle,
        format: &str,
        key: &Uint8Array,
        algorithm: &str,
        extractable: bool,
        uses: &Array,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = deriveKey)]
    async fn derive_key(
        this: &Subtle,
        derivation: &JsValue,
        material: &JsValue,
        algorithm: &JsValue,
        extractable: bool,
        uses: &Array,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = deriveBits)]
    async fn derive_bits(
        this: &Subtle,
        derivation: &JsValue,
        material: &JsValue,
        length: u32,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = encrypt)]
    async fn encrypt_data(
        this: &Subtle,
        algorithm: &JsValue,
        key: &JsValue,
        data: &Uint8Array,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = decrypt)]
    async fn decrypt_data(
        this: &Subtle,
        algorithm: &JsValue,
        key: &JsValue,
        data: &Uint8Array,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues, catch)]
    fn fill_randomly(bytes: &Uint8Array) -> Result<JsValue, JsValue>;
}

/// A key for AES-GCM.
pub struct Key(JsValue);

/// The parameters of AES-GCM.
pub struct AesGcm<'a> {
    /// The initialization vector.
    pub iv: &'a [u8],
    /// What is authenticated together with the data.
    pub authenticated: &'a str,
}

impl AesGcm<'_> {
    fn algorithm(&self) -> JsValue {
        object([
            ("name", "AES-GCM".into()),
            ("iv", Uint8Array::from(self.iv).into()),
            ("additionalData", Uint8Array::from(self.authenticated.as_bytes()).into()),
        ])
    }
}

/// The parameters of PBKDF2 with SHA-256.
pub struct Derivation<'a> {
    /// The salt.
    pub salt: &'a [u8],
    /// The number of iterations.
    pub iterations: u32,
}

impl Derivation<'_> {
    fn algorithm(&self) -> JsValue {
        object([
            ("name", "PBKDF2".into()),
            ("hash", "SHA-256".into()),
            ("salt", Uint8Array::from(self.salt).into()),
            ("iterations", self.iterations.into()),
        ])
    }
}

impl Subtle {
    /// The browser's.
    ///
    /// # Errors
    ///
    /// Browsers offer it only to pages that come over HTTPS or from the same machine.
    pub fn of_browser() -> Result<Self, String> {
        let subtle = property(&property(&js_sys::global(), "crypto"), "subtle");
        if subtle.is_undefined() {
            return Err(t(
                "Browsers encrypt only on pages that come over HTTPS. Open the dashboard with an https:// address.",
            ));
        }
        Ok(subtle.unchecked_into())
    }

    /// A key that is derived from a password.
    pub async fn key(&self, password: &str, derivation: &Derivation<'_>) -> Result<Key, JsValue> {
        let material = self.material(password, "deriveKey").await?;
        let algorithm = object([("name", "AES-GCM".into()), ("length", 256.into())]);
        let uses = Array::of2(&"encrypt".into(), &"decrypt".into());
        self.derive_key(&derivation.algorithm(), &material, &algorithm, false, &uses).await.map(Key)
    }

    /// 256 bits that are derived from a password.
    pub async fn bits(&self, password: &str, derivation: &Derivation<'_>) -> Result<Vec<u8>, JsValue> {
        let material = self.material(password, "deriveBits").await?;
        let bits = self.derive_bits(&derivation.algorithm(), &material, 256).await?;
        Ok(Uint8Array::new(&bits).to_vec())
    }

    async fn material(&self, password: &str, usage: &str) -> Result<JsValue, JsValue> {
        // The same letters may be encoded differently on another keyboard.
        let password = String::from(js_sys::JsString::from(password).normalize("NFKC"));
        let bytes = Uint8Array::from(password.as_bytes());
        self.import_key("raw", &bytes, "PBKDF2", false, &Array::of1(&usage.into())).await
    }

    /// Encrypts data.
    pub async fn encrypt(&self, parameters: &AesGcm<'_>, key: &Key, data: &[u8]) -> Result<Vec<u8>, JsValue> {
        let encrypted = self.encrypt_data(&parameters.algorithm(), &key.0, &Uint8Array::from(data)).await?;
        Ok(Uint8Array::new(&encrypted).to_vec())
    }

    /// Decrypts data.
    pub async fn decrypt(&self, parameters: &AesGcm<'_>, key: &Key, data: &[u8]) -> Result<Vec<u8>, JsValue> {
        let decrypted = self.decrypt_data(&parameters.algorithm(), &key.0, &Uint8Array::from(data)).await?;
        Ok(Uint8Array::new(&decrypted).to_vec())
    }
}

/// Random bytes.
pub fn random(length: u32) -> Result<Vec<u8>, JsValue> {
    let bytes = Uint8Array::new_with_length(length);
    fill_randomly(&bytes)?;
    Ok(bytes.to_vec())
}

fn object<const LENGTH: usize>(members: [(&str, JsValue); LENGTH]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}
