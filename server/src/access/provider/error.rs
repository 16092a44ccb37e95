//! Why something with a provider failed.

/// Why an operation with a provider failed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum ProviderError {
    /// The provider does not respond, or its response is invalid; a retry may work.
    #[error("{0}")]
    Unreachable(String),
    /// Something else responds at its address; a retry may work.
    #[error("{0}")]
    NoProvider(String),
    /// The provider refused.
    #[error("the provider refused: `{said}`")]
    Refused {
        /// The error's code, such as `access_denied`.
        code: String,
        /// Code and description.
        said: String,
    },
    /// Its token is not valid.
    #[error("{0}")]
    Token(TokenError),
    /// It is a different provider from the one in the config.
    #[error("the provider calls itself `{named}`, but {by} in the config means `{configured}`")]
    OtherIssuer {
        /// The issuer in its discovery document.
        named: String,
        /// The config keys that name an issuer.
        by: &'static str,
        /// The issuer in the config.
        configured: String,
    },
    /// Its response is incomplete or not for us.
    #[error("{0}")]
    Response(String),
}

impl ProviderError {
    /// Whether a retry may succeed soon.
    pub(crate) fn is_temporary(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::NoProvider(_))
    }

    /// Whether the user declined, or may not use the client.
    pub(crate) fn is_denial(&self) -> bool {
        matches!(self, Self::Refused { code, .. } if code == "access_denied")
    }
}

/// Why a token is rejected.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum TokenError {
    /// It is malformed.
    #[error("the token cannot be read")]
    Malformed,
    /// It is encrypted (RFC 7516), and there is no key to read it with.
    #[error(
        "the ID token is encrypted, and the dashboard has no key for it: turn off the encryption of ID tokens for this \
         client at the provider"
    )]
    Encrypted,
    /// Its signature algorithm is not accepted.
    #[error("the token is signed with `{0}`, which is not supported")]
    Algorithm(String),
    /// No key of the provider matches its signature.
    #[error("the token is not signed with a key of the provider")]
    Signature,
    /// It comes from another issuer.
    #[error("the token comes from the issuer `{found}` instead of {expected}")]
    Issuer {
        /// The issuer that it names.
        found: String,
        /// The issuers that would be right, in words.
        expected: String,
    },
    /// It is for another client.
    #[error("the token is not meant for the client `{0}`")]
    Audience(String),
    /// It has expired.
    #[error("the token has expired")]
    Expired,
    /// It is not valid yet.
    #[error("the token is dated in the future: are the clocks of this server and the provider right?")]
    Future,
    /// It belongs to another sign-in.
    #[error("the token belongs to a different sign-in")]
    Nonce,
    /// It belongs to another access token or code.
    #[error("the token does not belong to the rest of the provider's response")]
    Hash,
    /// It is another kind of token.
    #[error("the token is not an ID token: {0}")]
    OtherUse(&'static str),
    /// It names no person.
    #[error("the token does not say who it is about")]
    Subject,
}

impl From<TokenError> for ProviderError {
    fn from(error: TokenError) -> Self {
        Self::Token(error)
    }
}

/// Maximum length of a provider's own text that is shown to a user, in characters.
const MAX_WORDS_LENGTH: usize = 300;

/// External text made safe to show: one line of limited length.
pub(crate) fn words(text: &str) -> String {
    let plain = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    plain.take(MAX_WORDS_LENGTH).collect::<String>().trim().to_owned()
}
