//! `appConfig.auth` (config.md 6). A block that cannot be read never opens the dashboard: see [`SignIn::Broken`].

pub use super::user::{Password, Secret, User};
use super::{
    cursor::Cursor,
    shape::{Demand, Field, MANY, Others, Rule, Shape, flag, list, optional},
    user::{USER, read_users},
};
use crate::viewer::same_name;

/// Who may enter, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Auth {
    /// People who are not signed in may view.
    pub enable_guest_access: bool,
    /// Built-in accounts. The list itself may be not empty though none of its entries can be used.
    pub users: Vec<User>,
    /// Whether OIDC is on.
    pub enable_oidc: bool,
    /// The OIDC block, also when it is off.
    pub oidc: Option<Oidc>,
    /// Whether the user header of a proxy is trusted.
    pub enable_header_auth: bool,
    /// The header block, also when it is off.
    pub header_auth: Option<HeaderAuth>,
    /// Whether Keycloak is on.
    pub enable_keycloak: bool,
    /// The Keycloak block, also when it is off.
    pub keycloak: Option<Keycloak>,
    /// Why the block as a whole cannot be trusted to say who may enter.
    broken: Option<&'static str>,
    /// Why the list of users cannot be trusted to say who may enter.
    broken_users: Option<&'static str>,
}

/// The kind of sign-in that is on. OIDC wins over Keycloak, that over header auth, that over built-in users.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SignIn<'a> {
    /// Everything is open, everybody is an admin.
    None,
    /// Built-in accounts.
    Users(&'a [User]),
    /// A proxy names the user.
    HeaderAuth(&'a HeaderAuth),
    /// Keycloak, which is OIDC with the issuer [`Keycloak::issuer`].
    Keycloak(&'a Keycloak),
    /// An OpenID provider.
    Oidc(&'a Oidc),
    /// Something is switched on that cannot work: nobody may enter this way. The reason is in words.
    Broken(&'static str),
}

/// An OpenID provider (config.md 6.2).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Oidc {
    /// Client id at the provider.
    pub client_id: String,
    /// Issuer address without the `.well-known` part.
    pub endpoint: String,
    /// Scopes to request.
    pub scope: String,
    /// Group whose members are admins.
    pub admin_group: Option<String>,
    /// Role whose holders are admins.
    pub admin_role: Option<String>,
    /// Renews the session in the background.
    pub enable_silent_renew: bool,
    /// Own login page first.
    pub show_login_page: bool,
    /// Address to return to after signing out.
    pub post_logout_redirect_uri: Option<String>,
    /// Accepted issuers of tokens; empty means the discovered one.
    pub allowed_issuers: Vec<String>,
    /// A login page only; the server checks nothing.
    pub disable_server_side_check: bool,
}

/// Trust in a proxy (config.md 6.3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeaderAuth {
    /// Request header with the user name, in any case.
    pub user_header: String,
    /// Addresses or CIDR ranges of the proxies, as written.
    pub proxy_whitelist: Vec<String>,
}

/// Keycloak (config.md 6.4).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keycloak {
    /// Base address of the server.
    pub server_url: String,
    /// Realm.
    pub realm: String,
    /// Client id.
    pub client_id: String,
    /// Alias of an identity provider to jump to.
    pub idp_hint: Option<String>,
    /// Version 17 or older: `/auth` belongs to the base.
    pub legacy_support: bool,
    /// Group whose members are admins.
    pub admin_group: Option<String>,
    /// Role whose holders are admins.
    pub admin_role: Option<String>,
}

/// Scopes that are requested when the config names none.
pub const DEFAULT_SCOPE: &str = "openid profile email roles groups";

/// Header that is read when the config names none.
pub const DEFAULT_USER_HEADER: &str = "Remote-User";

pub(crate) const AUTH: Shape = Shape {
    title: "Auth",
    name: "auth",
    about: "Who may see the dashboard. When more than one kind of sign-in is on, OpenID Connect wins over Keycloak, \
            which wins over a proxy's header, which wins over the built-in users.",
    fields: &[
        flag("enableGuestAccess", "People who are not signed in may look, but not change anything."),
        list("users", Rule::Shapes(&USER, MANY), "Built-in accounts. The first one turns on the login page."),
        flag("enableOidc", "Turns on OpenID Connect; needs `oidc`."),
        optional("oidc", Rule::Shape(&OIDC), "The OpenID provider."),
        flag(
            "enableHeaderAuth",
            "Trusts the user name in a header that a proxy sets; needs `headerAuth`. Names that are in `users` have \
             their type from there, all others may only look.",
        ),
        optional("headerAuth", Rule::Shape(&HEADER_AUTH), "The proxy that names the user."),
        flag("enableKeycloak", "Turns on Keycloak; needs `keycloak`."),
        optional("keycloak", Rule::Shape(&KEYCLOAK), "The Keycloak server."),
    ],
    others: Others::Refused,
    demands: &[
        Demand::WhileOn { flag: "enableOidc", block: "oidc", keys: &["clientId", "endpoint"] },
        Demand::WhileOn { flag: "enableHeaderAuth", block: "headerAuth", keys: &["proxyWhitelist"] },
        Demand::WhileOn { flag: "enableKeycloak", block: "keycloak", keys: &["serverUrl", "realm", "clientId"] },
    ],
};

const ADMIN_GROUP: Field = optional("adminGroup", Rule::Text, "Group whose members are admins.").means("nobody");
const ADMIN_ROLE: Field = optional("adminRole", Rule::Text, "Role whose holders are admins.").means("nobody");

const OIDC: Shape = Shape {
    title: "Oidc",
    name: "oidc",
    about: "An OpenID provider. `clientId` and `endpoint` are needed while `enableOidc` is true.",
    fields: &[
        optional("clientId", Rule::Text, "Id of the dashboard at the provider. Put one of digits only in quotes."),
        optional("endpoint", Rule::Text, "Address of the issuer, without `/.well-known/openid-configuration`.")
            .examples(&["https://id.example/application/o/dashboard"]),
        optional("scope", Rule::Text, "Scopes to ask for, with spaces between them.").like_text(DEFAULT_SCOPE),
        ADMIN_GROUP,
        ADMIN_ROLE,
        flag("enableSilentRenew", "Asks for `offline_access` too, and renews the sign-in in the background."),
        flag("showLoginPage", "Shows a login page of the dashboard's own before the provider's."),
        optional("postLogoutRedirectUri", Rule::Text, "Address to return to after signing out.")
            .examples(&["https://dashboard.example/"]),
        list("allowedIssuers", Rule::Texts(MANY), "Issuers whose tokens are accepted.")
            .means("the issuer that the provider names"),
        flag(
            "disableServerSideCheck",
            "The login page is for show: the server checks nothing and gives everything to everybody.",
        ),
    ],
    others: Others::Refused,
    demands: &[],
};

const HEADER_AUTH: Shape = Shape {
    title: "HeaderAuth",
    name: "headerAuth",
    about: "A proxy that names the user. `proxyWhitelist` is needed while `enableHeaderAuth` is true.",
    fields: &[
        optional("userHeader", Rule::Text, "Header with the user name, in upper or lower case.")
            .like_text(DEFAULT_USER_HEADER),
        optional(
            "proxyWhitelist",
            Rule::Texts(MANY),
            "Addresses or CIDR ranges of the proxies that are trusted. Example: `[10.0.0.2, 172.16.0.0/12]`.",
        ),
    ],
    others: Others::Refused,
    demands: &[],
};

const KEYCLOAK: Shape = Shape {
    title: "Keycloak",
    name: "keycloak",
    about: "A Keycloak server. `serverUrl`, `realm` and `clientId` are needed while `enableKeycloak` is true.",
    fields: &[
        optional("serverUrl", Rule::Text, "Address of the server.").examples(&["https://keycloak.example"]),
        optional("realm", Rule::Text, "Name of the realm."),
        optional("clientId", Rule::Text, "Id of the dashboard in the realm. Put one of digits only in quotes."),
        optional("idpHint", Rule::Text, "Alias of an identity provider to go to at once."),
        flag("legacySupport", "The server is of version 17 or older: `/auth` belongs to its address."),
        ADMIN_GROUP,
        ADMIN_ROLE,
    ],
    others: Others::Refused,
    demands: &[],
};

impl Auth {
    /// Reads `appConfig.auth` of the root config. Where it cannot be reached it counts as broken: people who meant to
    /// close the dashboard must not find it open.
    pub(super) fn of_root(root: &Cursor<'_>) -> Self {
        let app = root.key("appConfig");
        let is_misplaced = has_key_like(root, "appConfig", true)
            || has_key_like(root, "auth", false)
            || has_key_like(&app, "auth", true);
        let broken = if is_misplaced {
            Some("a key like `appConfig` or `auth` is misspelt or misplaced; sign-in belongs in `appConfig.auth`")
        } else {
            (!app.value().is_object() && !app.is_null()).then_some("`appConfig` is not a mapping")
        };
        Self { broken, ..Self::default() }.or_else(|| Self::read(&app.key("auth")))
    }

    /// This one if it is broken, another one if not.
    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self.broken.is_some() { self } else { other() }
    }

    fn read(cursor: &Cursor<'_>) -> Self {
        if cursor.value().is_array() {
            // The form before 1.6.5: the list of users itself.
            let (users, broken_users) = read_users(cursor);
            return Self { users, broken_users, ..Self::default() };
        }
        cursor.mapping();
        let (users, broken_users) = read_users(&cursor.key("users"));
        let flags = ["enableOidc", "enableHeaderAuth", "enableKeycloak", "enableGuestAccess"].map(|key| {
            let flag = cursor.key(key);
            (flag.flag(), !flag.is_null())
        });
        let unreadable = flags.iter().any(|(flag, present)| *present && flag.is_none());
        let not_a_mapping = !cursor.value().is_object() && !cursor.is_null();
        let has_unknown = cursor.value().as_object().is_some_and(|keys| keys.keys().any(|key| !AUTH.allows(key)));
        let [oidc, header_auth, keycloak, guests] = flags.map(|(flag, _)| flag.unwrap_or(false));
        Self {
            enable_guest_access: guests,
            users,
            enable_oidc: oidc,
            oidc: block(&cursor.key("oidc"), Oidc::read),
            enable_header_auth: header_auth,
            header_auth: block(&cursor.key("headerAuth"), HeaderAuth::read),
            enable_keycloak: keycloak,
            keycloak: block(&cursor.key("keycloak"), Keycloak::read),
            broken: if not_a_mapping {
                Some("`appConfig.auth` is not a mapping")
            } else if unreadable {
                Some("a switch in `appConfig.auth` is neither true nor false")
            } else {
                has_unknown.then_some("`appConfig.auth` has a key that does not exist; `portico validate` names it")
            },
            broken_users,
        }
    }

    /// The kind of sign-in that is on.
    pub fn sign_in(&self) -> SignIn<'_> {
        if let Some(reason) = self.broken {
            SignIn::Broken(reason)
        } else if self.enable_oidc {
            match &self.oidc {
                Some(oidc) if !oidc.client_id.is_empty() && !oidc.endpoint.is_empty() => SignIn::Oidc(oidc),
                _ => SignIn::Broken("`enableOidc` is true, but `oidc` lacks `clientId` or `endpoint`"),
            }
        } else if self.enable_keycloak {
            match &self.keycloak {
                Some(keycloak) if !keycloak.is_incomplete() => SignIn::Keycloak(keycloak),
                _ => {
                    SignIn::Broken("`enableKeycloak` is true, but `keycloak` lacks `serverUrl`, `realm` or `clientId`")
                }
            }
        } else if self.enable_header_auth {
            match &self.header_auth {
                Some(header) if !header.proxy_whitelist.is_empty() => SignIn::HeaderAuth(header),
                _ => SignIn::Broken("`enableHeaderAuth` is true, but `headerAuth` has no `proxyWhitelist`"),
            }
        } else if let Some(reason) = self.broken_users {
            SignIn::Broken(reason)
        } else if self.users.is_empty() {
            SignIn::None
        } else {
            SignIn::Users(&self.users)
        }
    }

    /// The built-in account with a name.
    pub fn user(&self, name: &str) -> Option<&User> {
        self.users.iter().find(|user| same_name(&user.name, name))
    }
}

impl Oidc {
    fn read(cursor: &Cursor<'_>) -> Self {
        Self {
            client_id: cursor.key("clientId").filled_text().unwrap_or_default(),
            endpoint: cursor.key("endpoint").filled_text().unwrap_or_default(),
            scope: cursor.key("scope").filled_text().unwrap_or_else(|| DEFAULT_SCOPE.to_owned()),
            admin_group: cursor.key("adminGroup").filled_text(),
            admin_role: cursor.key("adminRole").filled_text(),
            enable_silent_renew: cursor.key("enableSilentRenew").is_on(),
            show_login_page: cursor.key("showLoginPage").is_on(),
            post_logout_redirect_uri: cursor.key("postLogoutRedirectUri").filled_text(),
            // Not a list counts as unset: a single text is no list here (config.md 6.2).
            allowed_issuers: cursor
                .key("allowedIssuers")
                .elements()
                .filter_map(|(_, issuer)| issuer.filled_text())
                .collect(),
            disable_server_side_check: cursor.key("disableServerSideCheck").is_on(),
        }
    }
}

impl HeaderAuth {
    fn read(cursor: &Cursor<'_>) -> Self {
        Self {
            user_header: cursor.key("userHeader").filled_text().unwrap_or_else(|| DEFAULT_USER_HEADER.to_owned()),
            proxy_whitelist: cursor.key("proxyWhitelist").texts(),
        }
    }
}

impl Keycloak {
    fn read(cursor: &Cursor<'_>) -> Self {
        Self {
            server_url: cursor.key("serverUrl").filled_text().unwrap_or_default(),
            realm: cursor.key("realm").filled_text().unwrap_or_default(),
            client_id: cursor.key("clientId").filled_text().unwrap_or_default(),
            idp_hint: cursor.key("idpHint").filled_text(),
            legacy_support: cursor.key("legacySupport").is_on(),
            admin_group: cursor.key("adminGroup").filled_text(),
            admin_role: cursor.key("adminRole").filled_text(),
        }
    }

    /// The issuer that it is as an OpenID provider.
    pub fn issuer(&self) -> String {
        let base = self.server_url.trim_end_matches('/');
        let base =
            if self.legacy_support && !base.ends_with("/auth") { format!("{base}/auth") } else { base.to_owned() };
        format!("{base}/realms/{}", self.realm)
    }

    fn is_incomplete(&self) -> bool {
        self.server_url.is_empty() || self.realm.is_empty() || self.client_id.is_empty()
    }
}

fn block<T>(cursor: &Cursor<'_>, read: impl FnOnce(&Cursor<'_>) -> T) -> Option<T> {
    cursor.mapping().map(|_| read(cursor))
}

/// Whether a mapping has a key like this one in upper or lower case. The key itself counts unless it belongs there.
fn has_key_like(cursor: &Cursor<'_>, key: &str, belongs_there: bool) -> bool {
    let is_like = |known: &str| known.eq_ignore_ascii_case(key) && !(belongs_there && known == key);
    cursor.value().as_object().is_some_and(|mapping| mapping.keys().any(|known| is_like(known)))
}
