//! What pages learn about the session of their viewer.

use serde::{Deserialize, Serialize};

/// How the viewer signed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignedInBy {
    /// Not signed in, or signed in by a proxy: there is no session.
    #[default]
    None,
    /// With a name and password of the config.
    Users,
    /// With the token of an identity provider.
    Oidc,
}

/// What a page learns about its session. Times are seconds since 1970.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SessionStatus {
    /// How the user signed in.
    pub kind: SignedInBy,
    /// Name of the user; empty if unknown.
    pub name: String,
    /// Whether the user may write.
    pub is_admin: bool,
    /// Sent with API calls as `Authorization: Bearer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// When the ID token, and with it the session, expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token_expires: Option<u64>,
    /// When to renew the session; `None` if it cannot be renewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renew_at: Option<u64>,
    /// When to try again, because the provider cannot be reached now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_at: Option<u64>,
    /// The time on the server's clock, because browsers' clocks may be wrong.
    pub now: u64,
    /// Where to sign in again and then return here; `None` while the session is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign_in: Option<String>,
    /// A sentence for the user: why nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Where a page must send the browser to sign in or out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextAddress {
    /// An address at the identity provider, or a path of ours.
    pub address: String,
    /// A sentence for the user: why going there now is pointless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}
