//! The provider settings in the config.

use config::model::auth::{DEFAULT_SCOPE, Keycloak, Oidc, SignIn};
use url::Url;

use crate::http_client::{PrivateReach, plain_host};

/// How the config writes the address of a Keycloak server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct KeycloakAddress {
    /// `legacySupport` is on.
    pub legacy: bool,
    /// `serverUrl` ends with `/auth`.
    pub has_auth: bool,
}

/// The provider settings in the config. Keycloak is a provider with a computed issuer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct ProviderSettings {
    /// The name shown to people.
    pub name: &'static str,
    /// The issuer.
    pub endpoint: String,
    /// The config keys that name it.
    pub named_by: &'static str,
    pub client_id: String,
    pub scope: String,
    pub admin_group: Option<String>,
    pub admin_role: Option<String>,
    pub silent_renew: bool,
    pub show_login_page: bool,
    pub post_logout_redirect_uri: Option<String>,
    pub allowed_issuers: Vec<String>,
    pub idp_hint: Option<String>,
    /// Only for Keycloak.
    pub keycloak: Option<KeycloakAddress>,
    /// Whether the server denies access without sign-in.
    pub enforced: bool,
}

impl From<&Oidc> for ProviderSettings {
    fn from(oidc: &Oidc) -> Self {
        Self {
            name: "OpenID Connect",
            endpoint: oidc.endpoint.clone(),
            named_by: "`endpoint`",
            client_id: oidc.client_id.clone(),
            scope: oidc.scope.clone(),
            admin_group: oidc.admin_group.clone(),
            admin_role: oidc.admin_role.clone(),
            silent_renew: oidc.enable_silent_renew,
            show_login_page: oidc.show_login_page,
            post_logout_redirect_uri: oidc.post_logout_redirect_uri.clone(),
            allowed_issuers: oidc.allowed_issuers.clone(),
            idp_hint: None,
            keycloak: None,
            enforced: !oidc.disable_server_side_check,
        }
    }
}

impl From<&Keycloak> for ProviderSettings {
    fn from(keycloak: &Keycloak) -> Self {
        Self {
            name: "Keycloak",
            endpoint: keycloak.issuer(),
            named_by: "`serverUrl` and `realm`",
            client_id: keycloak.client_id.clone(),
            scope: DEFAULT_SCOPE.to_owned(),
            admin_group: keycloak.admin_group.clone(),
            admin_role: keycloak.admin_role.clone(),
            silent_renew: false,
            show_login_page: false,
            post_logout_redirect_uri: None,
            allowed_issuers: Vec::new(),
            idp_hint: keycloak.idp_hint.clone(),
            keycloak: Some(KeycloakAddress {
                legacy: keycloak.legacy_support,
                has_auth: keycloak.server_url.trim_end_matches('/').ends_with("/auth"),
            }),
            enforced: true,
        }
    }
}

impl ProviderSettings {
    /// The provider that a config names, if it names one.
    pub(crate) fn of(sign_in: SignIn<'_>) -> Option<Self> {
        match sign_in {
            SignIn::Oidc(oidc) => Some(oidc.into()),
            SignIn::Keycloak(keycloak) => Some(keycloak.into()),
            _ => None,
        }
    }

    /// Which private addresses a request to an address in the provider's discovery document may reach: those of the hosts
    /// that the config names. Otherwise a provider could have this server send forms to services of the private network.
    pub(crate) fn reach_of(&self, address: &Url) -> PrivateReach {
        let host = |address: &Url| address.host_str().map(plain_host);
        let named = [&self.endpoint].into_iter().chain(&self.allowed_issuers);
        let is_named =
            named.filter_map(|named| host(&Url::parse(named.trim()).ok()?)).any(|named| Some(named) == host(address));
        if is_named { PrivateReach::OwnHost } else { PrivateReach::Nowhere }
    }

    /// What to check if the provider is not found at its address.
    pub(crate) fn address_advice(&self) -> Vec<&'static str> {
        let Some(keycloak) = self.keycloak else {
            return vec!["Is `endpoint` the address of the issuer, without `/.well-known/openid-configuration`?"];
        };
        let path = if keycloak.legacy {
            "`legacySupport` adds `/auth` to `serverUrl`: turn it off for current versions of Keycloak."
        } else if keycloak.has_auth {
            "Remove `/auth` from the end of `serverUrl`: current versions of Keycloak do not have it."
        } else {
            "For old versions of Keycloak, which have `/auth` in their addresses, turn on `legacySupport`."
        };
        vec!["Is `realm` spelled as in Keycloak? Upper and lower case matter.", path]
    }

    /// What to check if a token comes from another issuer.
    pub(crate) fn identity_advice(&self) -> &'static str {
        if self.keycloak.is_some() {
            "Do `serverUrl`, `realm` and `clientId` in the config name the realm and client that you signed in to?"
        } else {
            "Do `endpoint` and `clientId` in the config name the issuer and client that you signed in to?"
        }
    }

    /// What to check if the provider calls itself something else.
    pub(crate) fn issuer_advice(&self) -> Vec<&'static str> {
        if self.keycloak.is_some() {
            return vec![
                "Write the address into `serverUrl` that Keycloak uses for itself (its `hostname` setting).",
                "Is `realm` spelled as in Keycloak? Upper and lower case matter.",
            ];
        }
        vec![
            "Copy the issuer into `endpoint` exactly as the provider writes it.",
            "If the provider has several issuers, or another name, list its issuers in `allowedIssuers`.",
        ]
    }
}
