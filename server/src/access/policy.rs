//! Which sign-in is required of whom, by the environment and the config together (docs/spec/api.md 3.1,
//! docs/spec/behavior.md 19).

use config::{
    Person, Viewer,
    model::auth::{HeaderAuth, SignIn, User, user_named},
};

use super::AccessControl;
use crate::{settings::StaticAccount, store::Site};

/// How people prove who they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SignInMethod<'a> {
    /// Not at all: everyone is an admin.
    Open,
    /// With a name and a password.
    Accounts,
    /// Through a proxy that vouches for them.
    Proxy(&'a HeaderAuth),
    /// With an identity provider: [`AccessControl::provider`].
    Provider {
        /// Whether the server denies access without sign-in. If not, signing in is only for show (docs/spec/config.md
        /// 6.2).
        enforced: bool,
    },
    /// With something that cannot work, so nobody can sign in; the reason in words.
    Broken(&'static str),
    /// Unknown, because the config cannot be read.
    Unreadable,
}

/// The sign-in that is currently required.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy<'a> {
    pub kind: SignInMethod<'a>,
    /// Whether people who are not signed in may view.
    pub guests: bool,
    /// The accounts of the config.
    pub users: &'a [User],
    /// Whether these accounts may sign in with their passwords.
    pub basic_users: bool,
    /// Whether browsers prompt for name and password themselves, instead of our login page.
    pub asks_basic: bool,
    /// The account from the environment, if it is enabled.
    pub static_account: Option<&'a StaticAccount>,
}

impl AccessControl {
    pub(crate) fn policy<'a>(&'a self, site: &'a Site) -> Policy<'a> {
        let (sign_in, guests, users) = match &site.root {
            Some(root) => {
                let now = &root.config.app.auth;
                let (sign_in, guests) = self.settled_sign_in(now);
                (Some(sign_in), guests, now.users.as_slice())
            }
            // The config is missing or unreadable. It may have required sign-in, so nothing is open.
            None => (None, false, [].as_slice()),
        };
        let basic_users =
            !users.is_empty() && (self.http_auth || sign_in.is_some_and(|kind| matches!(kind, SignIn::Users(_))));
        let outdone = self.http_auth && !users.is_empty();
        let static_account = self.static_account.as_ref().filter(|_| !outdone);
        let has_accounts = basic_users || static_account.is_some();
        let kind = match sign_in {
            Some(SignIn::Broken(reason)) => SignInMethod::Broken(reason),
            Some(SignIn::HeaderAuth(proxy)) => SignInMethod::Proxy(proxy),
            Some(SignIn::Keycloak(_)) => SignInMethod::Provider { enforced: true },
            Some(SignIn::Oidc(oidc)) if !oidc.disable_server_side_check => SignInMethod::Provider { enforced: true },
            _ if has_accounts => SignInMethod::Accounts,
            None => SignInMethod::Unreadable,
            Some(_) if self.http_auth => SignInMethod::Broken("ENABLE_HTTP_AUTH is on, but the config has no users"),
            Some(SignIn::Oidc(_)) => SignInMethod::Provider { enforced: false },
            Some(_) => SignInMethod::Open,
        };
        let asks_basic = kind == SignInMethod::Accounts && (self.http_auth || static_account.is_some());
        Policy { kind, guests, users, basic_users, asks_basic, static_account }
    }

    /// The kind of sign-in fixed at start, and whether guests may view. Built-in users are read from the current
    /// config, so adding a first user closes the dashboard without a restart.
    fn settled_sign_in<'a>(&'a self, now: &'a config::model::Auth) -> (SignIn<'a>, bool) {
        let current = now.sign_in();
        let settled = match current {
            SignIn::Broken(_) => self.settled.get(),
            _ => Some(self.settled.get_or_init(|| now.clone())),
        };
        let Some(settled) = settled else { return (current, now.enable_guest_access) };
        let is_other = |kind: SignIn<'_>| !matches!(kind, SignIn::None | SignIn::Users(_) | SignIn::Broken(_));
        if is_other(current) && std::mem::discriminant(&current) != std::mem::discriminant(&settled.sign_in()) {
            self.told
                .call_once(|| tracing::warn!("the kind of sign-in has changed; restart Portico for it to take effect"));
        }
        let sign_in = match (settled.sign_in(), current) {
            (SignIn::None | SignIn::Users(_), SignIn::Broken(reason)) => SignIn::Broken(reason),
            (SignIn::None | SignIn::Users(_), _) if now.users.is_empty() => SignIn::None,
            (SignIn::None | SignIn::Users(_), _) => SignIn::Users(&now.users),
            (settled, _) => settled,
        };
        (sign_in, settled.enable_guest_access)
    }
}

impl Policy<'_> {
    /// Whether a name and a password can be valid.
    pub(crate) fn accepts_basic(&self) -> bool {
        let closed = matches!(self.kind, SignInMethod::Broken(_));
        !closed && (self.basic_users || self.static_account.is_some())
    }

    /// The viewer with a name that is already authenticated. A name that the config does not list is a normal user.
    pub(crate) fn known_or_new(&self, name: String) -> Viewer {
        match user_named(self.users, &name) {
            Some(user) => viewer_of(user),
            None => Viewer::User(Person { name, ..Person::default() }),
        }
    }
}

/// The viewer of an account in the config.
pub(super) fn viewer_of(user: &User) -> Viewer {
    let person = Person { name: user.name.clone(), ..Person::default() };
    if user.is_admin { Viewer::Admin(Some(person)) } else { Viewer::User(person) }
}
