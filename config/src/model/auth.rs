//! `appConfig.auth` (config.md 6). A block that cannot be read never opens the dashboard: see [`SignIn::Broken`].

use std::fmt::{self, Debug, Formatter};

use serde::{Serialize, Serializer};

use super::{
    cursor::Cursor,
    shape::{Form, MANY, Others, Rule, Shape, Word, optional, required, words},
};
use crate::{problem::ProblemKind, viewer::same_name};

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

/// A text that must not get out: it shows as `***` and serialises as an empty text.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Secret(String);

/// A built-in account.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    /// User name, compared without regard to case.
    pub name: String,
    /// How the password is known.
    pub password: Password,
    /// Whether the user may write.
    pub is_admin: bool,
}

/// How the password of a user is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Password {
    /// SHA-256 of the password in lower-case hex.
    Sha256(Secret),
    /// An Argon2 string.
    Argon2(Secret),
    /// Name of the environment variable that holds the password.
    Environment(String),
    /// Not at all: such a user can never sign in.
    Unknown,
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

#[derive(Clone, Copy)]
enum UserType {
    Admin,
    Normal,
}

impl Word for UserType {
    const WORDS: &'static [(&'static str, Self)] = &[("admin", Self::Admin), ("normal", Self::Normal)];
}

/// Scopes that are requested when the config names none.
pub const DEFAULT_SCOPE: &str = "openid profile email roles groups";

/// Header that is read when the config names none.
pub const DEFAULT_USER_HEADER: &str = "Remote-User";

const HASH: Form =
    Form { must: "must be a SHA-256 in 64 hexadecimal digits", fits: |text| is_sha256(text) || is_argon2(text) };

const PASSWORD: Form = Form {
    must: "must be the name of an environment variable that begins with `VITE_APP_`",
    fits: |text| ["VITE_APP_", "VUE_APP_", "DASHY_"].iter().any(|prefix| text.starts_with(prefix)),
};

pub(crate) const AUTH: Shape = Shape {
    name: "auth",
    fields: &[
        optional("enableGuestAccess", Rule::Flag),
        optional("users", Rule::Shapes(&USER, MANY)),
        optional("enableOidc", Rule::Flag),
        optional("oidc", Rule::Shape(&OIDC)),
        optional("enableHeaderAuth", Rule::Flag),
        optional("headerAuth", Rule::Shape(&HEADER_AUTH)),
        optional("enableKeycloak", Rule::Flag),
        optional("keycloak", Rule::Shape(&KEYCLOAK)),
    ],
    others: Others::Refused,
};

/// Fields of a block that must be there when its flag is true: flag, block, fields.
pub(crate) const NEEDED_WHEN_ON: [(&str, &str, &[&str]); 3] = [
    ("enableOidc", "oidc", &["clientId", "endpoint"]),
    ("enableHeaderAuth", "headerAuth", &["proxyWhitelist"]),
    ("enableKeycloak", "keycloak", &["serverUrl", "realm", "clientId"]),
];

pub(crate) const USER: Shape = Shape {
    name: "a user",
    fields: &[
        required("user", Rule::Text),
        optional("hash", Rule::Form(&HASH)),
        optional("password", Rule::Form(&PASSWORD)),
        optional("type", Rule::Word(words::<UserType>)),
    ],
    others: Others::Refused,
};

const OIDC: Shape = Shape {
    name: "oidc",
    fields: &[
        optional("clientId", Rule::Text),
        optional("endpoint", Rule::Text),
        optional("scope", Rule::Text),
        optional("adminGroup", Rule::Text),
        optional("adminRole", Rule::Text),
        optional("enableSilentRenew", Rule::Flag),
        optional("showLoginPage", Rule::Flag),
        optional("postLogoutRedirectUri", Rule::Text),
        optional("allowedIssuers", Rule::Texts(MANY)),
        optional("disableServerSideCheck", Rule::Flag),
    ],
    others: Others::Refused,
};

const HEADER_AUTH: Shape = Shape {
    name: "headerAuth",
    fields: &[optional("userHeader", Rule::Text), optional("proxyWhitelist", Rule::Texts(MANY))],
    others: Others::Refused,
};

const KEYCLOAK: Shape = Shape {
    name: "keycloak",
    fields: &[
        optional("serverUrl", Rule::Text),
        optional("realm", Rule::Text),
        optional("clientId", Rule::Text),
        optional("idpHint", Rule::Text),
        optional("legacySupport", Rule::Flag),
        optional("adminGroup", Rule::Text),
        optional("adminRole", Rule::Text),
    ],
    others: Others::Refused,
};

impl Auth {
    pub(super) fn read(cursor: &Cursor<'_>) -> Self {
        if cursor.value().is_array() {
            // The form before 1.6.5: the list of users itself.
            let (users, broken) = read_users(cursor);
            return Self { users, broken, ..Self::default() };
        }
        cursor.mapping();
        let (users, broken_users) = read_users(&cursor.key("users"));
        let flags = ["enableOidc", "enableHeaderAuth", "enableKeycloak"].map(|key| {
            let flag = cursor.key(key);
            (flag.flag(), !flag.is_null())
        });
        let unreadable = flags.iter().any(|(flag, present)| *present && flag.is_none());
        let not_a_mapping = !cursor.value().is_object() && !cursor.is_null();
        let [oidc, header_auth, keycloak] = flags.map(|(flag, _)| flag.unwrap_or(false));
        Self {
            enable_guest_access: cursor.key("enableGuestAccess").is_on(),
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
                broken_users
            },
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

impl Secret {
    /// The text itself. To be read only where it is compared or where a request is built.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Debug for Secret {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }
}

fn block<T>(cursor: &Cursor<'_>, read: impl FnOnce(&Cursor<'_>) -> T) -> Option<T> {
    cursor.mapping().map(|_| read(cursor))
}

/// The users, and a reason when what stands there cannot be understood as the list that it must have been meant as.
fn read_users(cursor: &Cursor<'_>) -> (Vec<User>, Option<&'static str>) {
    let users: Vec<_> = cursor.mappings("a user").filter_map(|(_, user)| User::read(&user)).collect();
    let meant_some = match cursor.value().as_array() {
        Some(list) => !list.is_empty(),
        None => !cursor.is_null(),
    };
    let broken = (users.is_empty() && meant_some).then_some("`auth.users` has no usable user");
    (users, broken)
}

impl User {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        let Some(name) = cursor.key("user").filled_text() else {
            cursor.warn(ProblemKind::Missing, "the user has no name and cannot sign in");
            return None;
        };
        let kind = cursor.key("type").word().unwrap_or(UserType::Normal);
        let password = read_password(cursor);
        if password == Password::Unknown {
            cursor
                .warn(ProblemKind::Missing, "the user has neither a valid `hash` nor a `password` and cannot sign in");
        }
        Some(Self { name, password, is_admin: matches!(kind, UserType::Admin) })
    }
}

fn read_password(user: &Cursor<'_>) -> Password {
    match (user.key("hash").filled_text(), user.key("password").filled_text()) {
        (Some(hash), _) if is_sha256(&hash) => Password::Sha256(hash.to_ascii_lowercase().into()),
        (Some(hash), _) if is_argon2(&hash) => Password::Argon2(hash.into()),
        (None, Some(name)) if (PASSWORD.fits)(&name) => Password::Environment(name),
        _ => Password::Unknown,
    }
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_argon2(text: &str) -> bool {
    text.starts_with("$argon2")
}
