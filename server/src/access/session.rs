//! The content of the session cookie: who is signed in. The server stores no sessions, so any server with the same key
//! can read it.

use std::io::{Read as _, Write as _};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use serde::{Deserialize, Serialize};

/// Maximum unpacked size of a session in bytes.
const MAX_BYTES: u64 = 512 * 1024;

/// How long a sign-in lasts that ends with the browser, in seconds: some browsers are never closed.
pub(crate) const UNREMEMBERED_SECONDS: u64 = 30 * 24 * 3600;

/// The content of the session cookie.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub(crate) enum Session {
    /// Someone with a name and a password.
    #[serde(rename = "a")]
    Account(AccountSession),
    /// Someone who signed in at an identity provider.
    #[serde(rename = "p")]
    Provider(ProviderSession),
}

/// A sign-in with name and password.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub(crate) struct AccountSession {
    /// The name of the account.
    #[serde(rename = "n")]
    pub name: String,
    /// A fingerprint of the stored password: the session ends when it changes.
    #[serde(rename = "b")]
    pub fingerprint: String,
    /// When it expires, in seconds since 1970.
    #[serde(rename = "e")]
    pub expires: u64,
    /// When it began, in seconds since 1970.
    #[serde(rename = "t", default)]
    pub began: u64,
}

/// A sign-in at an identity provider.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub(crate) struct ProviderSession {
    /// A fingerprint of the provider and the client: the session ends when the config names others.
    #[serde(rename = "p")]
    pub provider: String,
    /// The ID token as the provider signed it.
    #[serde(rename = "i")]
    pub id_token: IdToken,
    /// The refresh token.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// When the next renewal is due if there is a refresh token, in seconds since 1970.
    #[serde(rename = "d", default)]
    pub renew_at: u64,
    /// When the tokens were received, in seconds since 1970.
    #[serde(rename = "t")]
    pub received: u64,
    /// When the user signed in, in seconds since 1970. Renewals do not change it.
    #[serde(rename = "s", default)]
    pub began: u64,
    /// The origin that token requests must have, if the provider requires one.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// A signed token. Its Base64 parts are stored decoded, because that compresses and Base64 does not.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(crate) struct IdToken(pub String);

impl std::fmt::Debug for IdToken {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("IdToken(***)")
    }
}

impl From<IdToken> for Vec<String> {
    fn from(token: IdToken) -> Self {
        let readable = |part: &str| {
            let text = String::from_utf8(URL_SAFE_NO_PAD.decode(part).ok()?).ok()?;
            (URL_SAFE_NO_PAD.encode(&text) == part).then_some(text)
        };
        let parts: Vec<&str> = token.0.split('.').collect();
        match parts.as_slice() {
            [header, claims, signature] => match (readable(header), readable(claims)) {
                (Some(header), Some(claims)) => vec![header, claims, (*signature).to_owned()],
                _ => vec![token.0],
            },
            _ => vec![token.0],
        }
    }
}

impl From<Vec<String>> for IdToken {
    fn from(parts: Vec<String>) -> Self {
        match parts.as_slice() {
            [header, claims, signature] => {
                Self(format!("{}.{}.{signature}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims)))
            }
            _ => Self(parts.concat()),
        }
    }
}

impl ProviderSession {
    /// When the next renewal is due, in seconds since 1970; `None` if the session cannot be renewed.
    pub(crate) fn due(&self) -> Option<u64> {
        self.refresh_token.is_some().then_some(self.renew_at)
    }
}

impl Session {
    /// When the user signed in, in seconds since 1970.
    pub(crate) fn began(&self) -> u64 {
        match self {
            Self::Account(session) => session.began,
            Self::Provider(session) => session.began,
        }
    }

    /// Packs the session for the cookie.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let text = serde_json::to_vec(self).expect("a session has only text keys");
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&text).and_then(|()| packer.finish()).expect("memory takes every byte")
    }

    /// Unpacks the output of [`Session::pack`].
    pub(crate) fn unpack(packed: &[u8]) -> Option<Self> {
        let mut text = Vec::new();
        DeflateDecoder::new(packed).take(MAX_BYTES).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use proptest::prelude::*;

    use super::{IdToken, ProviderSession, Session};

    fn session(token: &str) -> Session {
        Session::Provider(ProviderSession {
            provider: "p".to_owned(),
            id_token: IdToken(token.to_owned()),
            refresh_token: Some("r".to_owned()),
            renew_at: 9,
            received: 7,
            began: 7,
            origin: None,
        })
    }

    #[test]
    fn tokens_come_back_byte_for_byte_and_shrink() {
        let encode = |text: &str| URL_SAFE_NO_PAD.encode(text);
        let groups: Vec<String> = (0..2000).map(|number| format!("\"department-{number}-readers\"")).collect();
        let claims = format!("{{\"groups\":[{}]}}", groups.join(","));
        for token in [
            format!("{}.{}.c2ln", encode("{\"alg\":\"RS256\"}"), encode(&claims)),
            // The last character has bits that no encoder sets.
            "eyJh.eyJi.sig".to_owned(),
            "YR.YQ.x".to_owned(),
            "no token".to_owned(),
            "a.b.c.d.e".to_owned(),
            String::new(),
        ] {
            let packed = session(&token).pack();
            assert_eq!(Session::unpack(&packed), Some(session(&token)), "{token}");
            assert!(packed.len() < 200 + token.len() / 4, "{} of {}", packed.len(), token.len());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn nothing_that_is_unpacked_breaks(packed in prop::collection::vec(any::<u8>(), 0..200)) {
            Session::unpack(&packed);
        }

        #[test]
        fn every_token_comes_back(token in "[A-Za-z0-9_.=+/-]{0,80}") {
            prop_assert_eq!(Session::unpack(&session(&token).pack()), Some(session(&token)));
        }
    }
}
