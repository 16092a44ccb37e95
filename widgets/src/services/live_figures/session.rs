//! Sessions: signing in, keeping the token, and signing out.

use figures::Login;
use serde_json::Value;

use super::{Account, Inquiry, Names, REFUSED_PAUSE, document, method_of, text_in, with_body};
use crate::{FetchError, Method, Request, Response, WidgetContext};

/// What is remembered about a session.
const SESSION: &str = "session";

impl Inquiry<'_> {
    /// The token of the session, if the way to sign in has one. Begins a session if there is none.
    pub(super) async fn token(
        &self,
        account: &Account,
        context: &dyn WidgetContext,
    ) -> Result<Option<String>, FetchError> {
        let Some(login) = self.sign_in.and_then(|sign_in| sign_in.session.as_ref()) else { return Ok(None) };
        let key = account.key(SESSION);
        let life = std::time::Duration::from_secs(login.life);
        let token = context.kept(&key, life, self.log_in(login, account, context)).await?;
        let token = token.as_str().unwrap_or_default().to_owned();
        if let Some(logout) = &login.logout {
            let names = Names { inquiry: self, token: Some(&token), each: None, now: context.now() };
            let request = self.request(method_of(logout.method), &logout.path, &login.headers, &names);
            context.logout_request(&key, self.signed(request, &names));
        }
        Ok(Some(token))
    }

    /// Forgets the session, unless another widget has begun a new one meanwhile.
    pub(super) fn forget_session(&self, account: &Account, token: Option<&str>, context: &dyn WidgetContext) {
        let key = account.key(SESSION);
        if context.recall(&key).as_ref().and_then(Value::as_str) == token {
            context.forget(&key);
        }
    }

    async fn log_in(&self, login: &Login, account: &Account, context: &dyn WidgetContext) -> Result<Value, FetchError> {
        account.refused_before(context)?;
        let names = Names { inquiry: self, token: None, each: None, now: context.now() };
        let mut last = None;
        for path in login.path.iter() {
            let method = login.method.map_or(Method::Post, method_of);
            let request: Request = self.request(method, path, &login.headers, &names);
            let request = with_body(request, login.json.as_ref(), &login.form, &names);
            let response = context.exchange(request).await?;
            if !matches!(response.status, 404 | 405) {
                return self.token_of(login, &response, account, context);
            }
            last = Some(response);
        }
        let error = last.and_then(|response| response.ok().err());
        Err(error.unwrap_or_else(|| self.unexpected()))
    }

    /// The token in the response to a login. Without one, the login is rejected, and not repeated for a while.
    fn token_of(
        &self,
        login: &Login,
        response: &Response,
        account: &Account,
        context: &dyn WidgetContext,
    ) -> Result<Value, FetchError> {
        if login.accepts != Some(response.status) && !matches!(response.status, 400 | 401 | 403) {
            response.ok()?;
        }
        // A page for every address is no answer to a login, and must not delay that of the right version.
        if self.is_guess && response.body.trim_ascii_start().first() == Some(&b'<') {
            return Err(response.unexpected("a web page in place of data"));
        }
        let is_welcome = login.accepts == Some(response.status) || response.ok().is_ok();
        let document = document(response);
        let is_welcome = is_welcome && login.check.as_ref().is_none_or(|check| check.holds(&document));
        let token = match (&login.token, &login.header) {
            (Some(token), _) => text_in(token, &document),
            (None, Some(name)) if name.eq_ignore_ascii_case("set-cookie") => cookies(response),
            (None, Some(name)) => response.header(name).map(str::to_owned),
            (None, None) => None,
        };
        match token.filter(|token| is_welcome && !token.is_empty()) {
            Some(token) => Ok(token.into()),
            None => {
                let refused = FetchError::Refused { host: response.host.clone() };
                Err(account.refuse(context, self.explained(refused).to_string(), REFUSED_PAUSE))
            }
        }
    }
}

/// The cookies of a response, as a browser sends them.
fn cookies(response: &Response) -> Option<String> {
    let pairs = response.headers_named("set-cookie").filter_map(|cookie| cookie.split(';').next());
    let pairs: Vec<&str> = pairs.map(str::trim).filter(|pair| pair.contains('=')).collect();
    (!pairs.is_empty()).then(|| pairs.join("; "))
}
