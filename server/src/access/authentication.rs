//! Who sent a request: from its credentials, or from the session in its cookies.

use std::sync::Arc;

use config::{Person, Viewer, model::auth::user_named};
use http::{Extensions, HeaderMap, HeaderValue, header};

use super::{
    AccessControl, AuthRequest, Policy, SignInMethod,
    basic::{is_same, password_fingerprint},
    cookies::{CookiePurpose, SessionTooLarge},
    guesses::TooManyGuesses,
    provider::{LEEWAY, NotRenewed},
    proxy,
    public_address::BrowserLocation,
    session::{AccountSession, Session},
    sign_outs::{MAX_SESSION_SECONDS, PersonId},
    token::{self, Authorization},
    valid_session::ValidSession,
    viewer_of,
};
use crate::{platform::metrics::metrics, store::Site};

/// What is known about the sender of a request; stored with the request.
#[derive(Clone, Debug)]
pub(crate) struct Authentication {
    /// The viewer, or why access is denied.
    pub viewer: Result<Viewer, Denied>,
    /// The session that identified the viewer, if there was one.
    pub session: Option<Arc<ValidSession>>,
    /// Why the request has no valid session.
    pub missing: NoSession,
    /// The address and path prefix that the browser uses.
    pub place: BrowserLocation,
}

/// Why a request is denied.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Denied {
    /// Credentials are missing or wrong.
    Unauthorized {
        /// Whether a name and password would help.
        basic: bool,
    },
    /// Too many credentials are waiting to be checked, so this one was not.
    TooManyGuesses,
    /// The config asks for a kind of sign-in that cannot work, for the given reason.
    Unavailable(String),
}

impl From<TooManyGuesses> for Denied {
    fn from(_: TooManyGuesses) -> Self {
        Self::TooManyGuesses
    }
}

/// Why there is no valid session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NoSession {
    /// The browser sent no session cookie.
    Absent,
    /// The cookie is incomplete, or was sealed with another key.
    Unreadable,
    /// The account or provider of the session is no longer the one in the config.
    Outdated,
    /// The session has expired.
    Expired,
    /// The user has signed out since it began.
    SignedOut,
    /// The session needed renewal, and the provider cannot be reached.
    ProviderAway {
        /// When to try again, in seconds since 1970.
        retry_at: u64,
    },
}

/// The viewer that [`AccessControl::authenticate`] found, if the result is stored with the request.
///
/// # Errors
///
/// [`Denied`]; also if the request was never authenticated, so that a forgotten check grants no access.
pub fn viewer(request: &Extensions) -> Result<Viewer, Denied> {
    match request.get::<Authentication>() {
        Some(authentication) => authentication.viewer.clone(),
        None => Err(Denied::Unauthorized { basic: false }),
    }
}

impl AccessControl {
    /// Finds out who sent a request. Without any kind of sign-in everyone is an admin; as soon as one is configured,
    /// only what guest access allows is open (docs/spec/behavior.md 19.1). Wrong credentials never fall back to guest
    /// access or a session. The API token grants nothing here. The result includes cookies to set.
    pub(crate) async fn authenticate(
        &self,
        site: &Site,
        request: AuthRequest<'_>,
        place: BrowserLocation,
        may_renew: bool,
    ) -> (Authentication, Vec<HeaderValue>) {
        let policy = self.policy(site);
        let plain = |viewer| Authentication { viewer, session: None, missing: NoSession::Absent, place: place.clone() };
        match policy.kind {
            // A proxy in front may require a password of its own and pass it on, so the header is ignored.
            SignInMethod::Open if self.is_export => return (plain(Ok(Viewer::Guest)), Vec::new()),
            SignInMethod::Open => return (plain(Ok(Viewer::Admin(None))), Vec::new()),
            // Only show the failure itself.
            SignInMethod::Unreadable => return (plain(Ok(Viewer::Anonymous)), Vec::new()),
            SignInMethod::Proxy(proxy) => {
                // The proxy may have required a password and passed it on too; its user header takes precedence.
                if let Some(name) = proxy::user(proxy, request) {
                    return (plain(Ok(policy.known_or_new(name))), Vec::new());
                }
            }
            SignInMethod::Accounts | SignInMethod::Provider { .. } | SignInMethod::Broken(_) => {}
        }
        if request.headers.contains_key(header::AUTHORIZATION) {
            return (plain(self.with_credentials(&policy, request).await), Vec::new());
        }
        let (session, mut set_cookies) = self.session(&policy, request.headers, &place, may_renew).await;
        let (session, missing) = match session {
            Ok(signed) => (Some(signed), NoSession::Absent),
            Err(missing) => (None, missing),
        };
        if session.is_some() {
            set_cookies.extend(self.cookies().remove(request.headers, &place, CookiePurpose::Returns));
        }
        let viewer = match (&session, policy.kind) {
            (_, SignInMethod::Provider { enforced: false }) => Ok(Viewer::Admin(None)),
            (Some(signed), _) => Ok(signed.viewer.clone()),
            (None, _) if policy.guests => Ok(Viewer::Guest),
            (None, SignInMethod::Broken(reason)) => {
                Err(Denied::Unavailable(format!("{reason}, so everything stays closed")))
            }
            (None, _) => Err(Denied::Unauthorized { basic: policy.asks_basic }),
        };
        (Authentication { viewer, session, missing, place }, set_cookies)
    }

    /// The viewer that an `Authorization` header identifies.
    async fn with_credentials(&self, policy: &Policy<'_>, request: AuthRequest<'_>) -> Result<Viewer, Denied> {
        let refused = Denied::Unauthorized { basic: policy.asks_basic };
        let Ok(Some(authorization)) = token::authorization(request.headers) else { return Err(refused) };
        let Some(turn) = self.turn_for(&authorization, request).await? else { return Err(refused) };
        let method = authorization.method();
        let count = |is_ok| metrics().into_iter().for_each(|metrics| metrics.sign_in(method, is_ok));
        let found = match authorization {
            Authorization::Basic { name, password } => self.account(policy, &name, &password).await,
            Authorization::Bearer(given) => match self.viewer_of_token(policy, &given).await {
                Ok(viewer) => viewer,
                Err(error) => {
                    turn.unchecked();
                    return Err(Denied::Unavailable(error.to_string()));
                }
            },
            Authorization::Other => None,
        };
        match found {
            Some(viewer) => {
                turn.succeeded();
                count(true);
                Ok(viewer)
            }
            None => {
                count(false);
                turn.failed().await;
                Err(refused)
            }
        }
    }

    /// The session in the cookies, renewed if it has to be and can be.
    async fn session(
        &self,
        policy: &Policy<'_>,
        headers: &HeaderMap,
        place: &BrowserLocation,
        may_renew: bool,
    ) -> (Result<Arc<ValidSession>, NoSession>, Vec<HeaderValue>) {
        if !matches!(policy.kind, SignInMethod::Accounts | SignInMethod::Provider { .. }) {
            return (Err(NoSession::Absent), Vec::new());
        }
        if !self.cookies().is_present(headers, place, CookiePurpose::Session) {
            return (Err(NoSession::Absent), Vec::new());
        }
        let signed = match self.opened(policy, headers, place) {
            Ok(signed) => signed,
            Err(missing) => return (Err(missing), Vec::new()),
        };
        if self.is_signed_out(&signed) {
            return (Err(NoSession::SignedOut), self.cookies().remove(headers, place, CookiePurpose::Session));
        }
        let now = self.clock.now();
        let good_until = match signed.session {
            Session::Account(_) => signed.expires,
            Session::Provider(_) => signed.expires.saturating_add(LEEWAY),
        };
        if now < good_until {
            return (Ok(signed), Vec::new());
        }
        let (Session::Provider(old), Some(provider), true) = (&signed.session, self.provider(), may_renew) else {
            return (Err(NoSession::Expired), Vec::new());
        };
        if old.refresh_token.is_none() || old.began.saturating_add(MAX_SESSION_SECONDS) <= now {
            return (Err(NoSession::Expired), Vec::new());
        }
        match provider.renew(old).await {
            Ok(tokens) => {
                let renewed = ValidSession::from(tokens);
                // The user may have signed out in the meantime.
                if self.is_signed_out(&renewed) {
                    return (Err(NoSession::SignedOut), self.cookies().remove(headers, place, CookiePurpose::Session));
                }
                match self.keep(&renewed.session, headers, place, None) {
                    Ok(set_cookies) => (Ok(Arc::new(renewed)), set_cookies),
                    Err(SessionTooLarge(_)) => (Err(NoSession::Expired), Vec::new()),
                }
            }
            Err(NotRenewed::Unreachable { retry_at }) => (Err(NoSession::ProviderAway { retry_at }), Vec::new()),
            Err(NotRenewed::Refused) => {
                (Err(NoSession::Expired), self.cookies().remove(headers, place, CookiePurpose::Session))
            }
        }
    }

    /// Whether the user has signed out since a session began.
    fn is_signed_out(&self, signed: &ValidSession) -> bool {
        self.sign_outs.is_over(&signed.person, signed.session.began())
    }

    /// An expired session in the cookies that could still be renewed, and therefore should be signed out.
    pub(crate) fn renewable(
        &self,
        policy: &Policy<'_>,
        headers: &HeaderMap,
        place: &BrowserLocation,
    ) -> Option<Arc<ValidSession>> {
        if !matches!(policy.kind, SignInMethod::Provider { .. }) {
            return None;
        }
        let signed = self.opened(policy, headers, place).ok()?;
        let is_renewable = matches!(&signed.session, Session::Provider(session) if session.refresh_token.is_some());
        (is_renewable && !self.is_signed_out(&signed)).then_some(signed)
    }

    /// The session in the cookies, expired or not.
    fn opened(
        &self,
        policy: &Policy<'_>,
        headers: &HeaderMap,
        place: &BrowserLocation,
    ) -> Result<Arc<ValidSession>, NoSession> {
        let sealed = self.cookies().sealed(headers, place, CookiePurpose::Session).ok_or(NoSession::Unreadable)?;
        // An account may change at any time; the claims in a provider's token do not, nor does the provider.
        let is_provider = matches!(policy.kind, SignInMethod::Provider { .. });
        if let Some(signed) = is_provider.then(|| self.opened.get(&sealed)).flatten() {
            return Ok(signed);
        }
        let packed = self.cookies().open(&sealed, CookiePurpose::Session);
        let session = packed.and_then(|packed| Session::unpack(&packed)).ok_or(NoSession::Unreadable)?;
        let (viewer, expires, person) = self.holder(policy, &session).ok_or(NoSession::Outdated)?;
        let signed = Arc::new(ValidSession { session, viewer, expires, person });
        if let Session::Provider(session) = &signed.session {
            self.opened.add(&sealed, &signed, session.id_token.0.len());
        }
        Ok(signed)
    }

    /// Who has a session, when it expires, and whose it is; `None` if its account or provider is no longer in the
    /// config.
    fn holder(&self, policy: &Policy<'_>, session: &Session) -> Option<(Viewer, u64, PersonId)> {
        match (session, policy.kind) {
            (Session::Account(session), _) if policy.accepts_basic() => {
                Some((self.account_of(policy, session)?, session.expires, PersonId::of_account(&session.name)))
            }
            (Session::Provider(session), SignInMethod::Provider { .. }) => self.provider()?.viewer_of_session(session),
            _ => None,
        }
    }

    /// The viewer of an account's session, if the account still has the name and password that the session started
    /// with.
    fn account_of(&self, policy: &Policy<'_>, session: &AccountSession) -> Option<Viewer> {
        if let Some(account) = policy.static_account.filter(|account| account.name == session.name) {
            let fingerprint = password_fingerprint(&account.name, account.password.expose());
            if is_same(&fingerprint, &session.fingerprint) {
                return Some(Viewer::Admin(Some(Person { name: account.name.clone(), ..Person::default() })));
            }
        }
        let users = if policy.basic_users { policy.users } else { &[] };
        let user = user_named(users, &session.name)?;
        self.passwords
            .fingerprint(user)
            .filter(|fingerprint| is_same(fingerprint, &session.fingerprint))
            .map(|_| viewer_of(user))
    }

    /// The current fingerprint of the account with this name.
    pub(crate) fn password_fingerprint_of_account(&self, policy: &Policy<'_>, name: &str) -> Option<String> {
        if let Some(account) = policy.static_account.filter(|account| account.name == name) {
            return Some(password_fingerprint(&account.name, account.password.expose()));
        }
        self.passwords.fingerprint(user_named(policy.users, name)?)
    }

    /// The cookies that store a session for `max_age` seconds, or until the browser is closed.
    pub(crate) fn keep(
        &self,
        session: &Session,
        headers: &HeaderMap,
        place: &BrowserLocation,
        max_age: Option<u64>,
    ) -> Result<Vec<HeaderValue>, SessionTooLarge> {
        self.cookies().write(headers, place, CookiePurpose::Session, &session.pack(), max_age)
    }
}

/// What is known about the sender of a request, if the request was authenticated.
pub(crate) fn authentication_of(request: &Extensions) -> Option<&Authentication> {
    request.get::<Authentication>()
}
