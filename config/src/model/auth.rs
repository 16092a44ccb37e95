//! `appConfig.auth` (docs/spec/config.md 6). A block that cannot be read never opens the dashboard: see
//! [`SignIn::Broken`].

use serde_json::Map;
use strsim::osa_distance;

pub use super::user::{Password, SecretText, User};
use super::{
    block::Block,
    cursor::{Cursor, brief},
    shape::{Demand, MANY},
    user::{UserEntry, read_users, why_users_are_alike, why_users_are_broken},
};
use crate::{
    address::{self, Address},
    effect::Effect,
    problem::ProblemKind,
    user_name::folded_name,
};

/// Who may see the dashboard. If more than one kind of sign-in is on, OpenID Connect wins over Keycloak, Keycloak over
/// a proxy's header, and the header over the built-in users.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "auth", demands = DEMANDS)]
pub struct Auth {
    /// People who are not signed in may view the dashboard, but not change anything.
    pub enable_guest_access: bool,
    /// Where the browser goes after signing out: a web address, or a path on the dashboard's own host. With a proxy that
    /// signs people in, the address at which it signs them out. With a provider, the address to return to from its
    /// sign-out if `postLogoutRedirectUri` is not set; it must be registered there.
    #[config(
        read = read_way_out,
        unset = "the login page, or the provider's sign-out",
        examples("https://sso.example/logout", "/oauth2/sign_out")
    )]
    pub logout_redirect_url: Option<String>,
    /// Built-in accounts. If there is at least one, the login page is on.
    ///
    /// The list in the file can be non-empty although none of its entries is usable.
    #[config(rule = Rule::Shapes(UserEntry::SHAPE, MANY), preset = Preset::EmptyList, read = read_users)]
    pub users: Vec<User>,
    /// Turns on OpenID Connect; needs `oidc`.
    pub enable_oidc: bool,
    /// The OpenID provider.
    pub oidc: Option<Oidc>,
    /// Trusts the user name in a header that a proxy sets; needs `headerAuth`. Users who are listed in `users` have the
    /// type given there; all others can only view.
    pub enable_header_auth: bool,
    /// The proxy that names the user.
    pub header_auth: Option<HeaderAuth>,
    /// Turns on Keycloak; needs `keycloak`.
    pub enable_keycloak: bool,
    /// The Keycloak server.
    pub keycloak: Option<Keycloak>,
    /// Why the block as a whole cannot be trusted to define who may enter.
    #[config(computed = why_broken)]
    broken: Option<&'static str>,
    /// Why the list of users cannot be trusted to define who may enter.
    #[config(computed = |auth| why_users_are_broken(&auth.key("users")))]
    broken_users: Option<&'static str>,
    /// Why the users cannot be told apart.
    #[config(computed = |auth| why_users_are_alike(&auth.key("users")))]
    alike_users: Option<&'static str>,
}

const DEMANDS: &[Demand] = &[
    Demand::WhileOn { flag: "enableOidc", block: "oidc", keys: &["clientId", "endpoint"] },
    Demand::WhileOn { flag: "enableHeaderAuth", block: "headerAuth", keys: &["proxyWhitelist"] },
    Demand::WhileOn { flag: "enableKeycloak", block: "keycloak", keys: &["serverUrl", "realm", "clientId"] },
];

/// The kind of sign-in that is on. OIDC wins over Keycloak, Keycloak over header auth, and that over built-in users.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SignIn<'a> {
    /// No sign-in: everything is open, and everybody is an admin.
    None,
    /// Built-in accounts.
    Users(&'a [User]),
    /// A proxy names the user.
    HeaderAuth(&'a HeaderAuth),
    /// Keycloak, which is OIDC with the issuer [`Keycloak::issuer`].
    Keycloak(&'a Keycloak),
    /// An OpenID provider.
    Oidc(&'a Oidc),
    /// Something is switched on that cannot work, so nobody may enter. The reason, as a sentence.
    Broken(&'static str),
}

/// An OpenID provider. `clientId` and `endpoint` are required while `enableOidc` is true.
///
/// See docs/spec/config.md 6.2.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "oidc")]
pub struct Oidc {
    /// Id of the dashboard at the provider. If it has only digits, put it in quotes.
    pub client_id: String,
    /// Address of the issuer, without `/.well-known/openid-configuration`.
    #[config(examples("https://id.example/application/o/dashboard"))]
    pub endpoint: String,
    /// Scopes to request, separated by spaces.
    #[config(default = DEFAULT_SCOPE)]
    pub scope: String,
    /// Group whose members are admins.
    #[config(unset = "nobody")]
    pub admin_group: Option<String>,
    /// Role whose holders are admins.
    #[config(unset = "nobody")]
    pub admin_role: Option<String>,
    /// Also requests `offline_access`, and renews the sign-in in the background.
    pub enable_silent_renew: bool,
    /// Shows the dashboard's own login page before the provider's.
    pub show_login_page: bool,
    /// Address to return to after signing out.
    #[config(examples("https://dashboard.example/"))]
    pub post_logout_redirect_uri: Option<String>,
    /// Issuers whose tokens are accepted.
    #[config(read = read_issuers, unset = "the issuer that the provider names")]
    pub allowed_issuers: Vec<String>,
    /// The login page does not protect anything: the server checks nothing, and anyone who can reach it can read everything.
    pub disable_server_side_check: bool,
}

/// A proxy that names the user. `proxyWhitelist` is required while `enableHeaderAuth` is true.
///
/// See docs/spec/config.md 6.3.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "headerAuth")]
pub struct HeaderAuth {
    /// Header with the user name, in upper or lower case.
    #[config(default = DEFAULT_USER_HEADER)]
    pub user_header: String,
    /// Addresses or CIDR ranges of the proxies that are trusted. Example: `[10.0.0.2, 172.16.0.0/12]`.
    pub proxy_whitelist: Vec<String>,
}

/// A Keycloak server. `serverUrl`, `realm` and `clientId` are required while `enableKeycloak` is true.
///
/// See docs/spec/config.md 6.4.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "keycloak")]
pub struct Keycloak {
    /// Address of the server.
    #[config(examples("https://keycloak.example"))]
    pub server_url: String,
    /// Name of the realm.
    pub realm: String,
    /// Id of the dashboard in the realm. If it has only digits, put it in quotes.
    pub client_id: String,
    /// Alias of an identity provider to go to directly.
    pub idp_hint: Option<String>,
    /// The server is Keycloak 17 or older, so its address contains `/auth`.
    pub legacy_support: bool,
    /// Group whose members are admins.
    #[config(unset = "nobody")]
    pub admin_group: Option<String>,
    /// Role whose holders are admins.
    #[config(unset = "nobody")]
    pub admin_role: Option<String>,
}

/// Scopes that are requested if the config names none.
pub const DEFAULT_SCOPE: &str = "openid profile email roles groups";

/// Header that is read if the config names none.
pub const DEFAULT_USER_HEADER: &str = "Remote-User";

impl Auth {
    /// Reads `appConfig.auth` of the root config. If it cannot be reached, sign-in counts as broken: people who meant
    /// to close the dashboard must not find it open.
    pub(super) fn of_root(root: &Cursor<'_>) -> Self {
        let app = root.key("appConfig");
        let is_misplaced = has_key_like(root, "appConfig", true)
            || has_key_like(root, "auth", false)
            || has_key_like(&app, "auth", true);
        let broken = if is_misplaced {
            Some("a key like `appConfig` or `auth` is misspelled or misplaced; sign-in belongs in `appConfig.auth`")
        } else {
            (!app.value().is_object() && !app.is_null()).then_some("`appConfig` is not a mapping")
        };
        Self { broken, ..Self::default() }.or_else(|| Self::read_either(&app.key("auth")))
    }

    /// Returns this one if it is broken, otherwise another.
    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self.broken.is_some() { self } else { other() }
    }

    /// Reads the block, or its form before 1.6.5: just the list of users.
    fn read_either(cursor: &Cursor<'_>) -> Self {
        if cursor.value().is_array() {
            return Self {
                users: read_users(cursor),
                broken_users: why_users_are_broken(cursor),
                alike_users: why_users_are_alike(cursor),
                ..Self::default()
            };
        }
        for key in misspelled_switches(cursor) {
            let message = format!("`auth` has no key `{}`, and it may be a misspelled switch", brief(key));
            cursor.key(key).warn(ProblemKind::UnknownKey, message, Effect::DashboardCloses);
        }
        cursor.mapping();
        Self::read(cursor)
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
        } else if let Some(reason) = self.alike_users {
            SignIn::Broken(reason)
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
        user_named(&self.users, name)
    }
}

/// The account with a name.
pub fn user_named<'a>(users: &'a [User], name: &str) -> Option<&'a User> {
    let folded = folded_name(name);
    users.iter().find(|user| user.folded_name == folded)
}

impl Keycloak {
    /// The issuer of this server as an OpenID provider.
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

/// A block that is not a mapping, a switch that is neither on nor off, or a misspelled key may have been meant to keep
/// people out.
fn why_broken(auth: &Cursor<'_>) -> Option<&'static str> {
    if !auth.value().is_object() && !auth.is_null() {
        return Some("`appConfig.auth` is not a mapping");
    }
    let auth = auth.quiet();
    let is_unreadable = ["enableOidc", "enableHeaderAuth", "enableKeycloak", "enableGuestAccess"].iter().any(|key| {
        let switch = auth.key(key);
        !switch.is_null() && switch.flag().is_none()
    });
    if is_unreadable {
        return Some("a switch in `appConfig.auth` is neither true nor false");
    }
    misspelled_switches(&auth).next().map(|_| {
        "`appConfig.auth` has a key that does not exist, but may be a misspelled switch; `portico validate` names it"
    })
}

/// The unknown keys that may have been meant to keep people out: those that barely differ from a key that does, and those
/// that begin like a switch. Any other unknown key, such as one of a version to come, only has no effect.
fn misspelled_switches<'a>(auth: &Cursor<'a>) -> impl Iterator<Item = &'a str> {
    let keys = auth.value().as_object().into_iter().flat_map(Map::keys).map(String::as_str);
    keys.filter(|key| !Auth::SHAPE.allows(key) && may_protect(key))
}

fn may_protect(key: &str) -> bool {
    let plain = |key: &str| key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let key = plain(key);
    let is_like = |known: &&str| {
        // In a short word, a few letters are a large part.
        let tolerated = MAX_SLIPS.min(known.len() / 3);
        osa_distance(&key, &plain(known)) <= tolerated
    };
    SWITCH_VERBS.iter().any(|verb| key.starts_with(verb)) || PROTECTING.iter().any(is_like)
}

/// Beginnings of keys that turn something on or off.
const SWITCH_VERBS: [&str; 4] = ["enable", "disable", "require", "allow"];

/// The keys that decide who may enter.
const PROTECTING: [&str; 8] = [
    "enableGuestAccess",
    "users",
    "enableOidc",
    "oidc",
    "enableHeaderAuth",
    "headerAuth",
    "enableKeycloak",
    "keycloak",
];

/// How many letters of a misspelled key may differ from the right one.
const MAX_SLIPS: usize = 3;

/// An address that a browser may be sent to after signing out.
fn read_way_out(cursor: &Cursor<'_>) -> Option<String> {
    let text = cursor.filled_text()?;
    let way_out = match address::parse(&text) {
        Address::Safe(address) if address::is_resource(&address) => Some(address),
        _ => None,
    };
    if way_out.is_none() {
        cursor.warn(
            ProblemKind::Malformed,
            "is neither a web address nor a path that begins with `/`",
            Effect::Ignored,
        );
    }
    way_out
}

/// Anything but a list counts as unset: here a single text is not a list (docs/spec/config.md 6.2).
fn read_issuers(cursor: &Cursor<'_>) -> Vec<String> {
    cursor.elements().filter_map(|(_, issuer)| issuer.filled_text()).collect()
}

/// Whether a mapping has a key that equals this one except for case. The exact key counts too, unless it belongs there.
fn has_key_like(cursor: &Cursor<'_>, key: &str, belongs_there: bool) -> bool {
    let is_like = |known: &str| known.eq_ignore_ascii_case(key) && !(belongs_there && known == key);
    cursor.value().as_object().is_some_and(|mapping| mapping.keys().any(|known| is_like(known)))
}
