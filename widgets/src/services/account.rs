//! An account at a service: remembers its sessions, and logins that were rejected.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use crate::{
    FetchError, WidgetContext,
    option_types::{BaseAddress, Secret},
};

/// A user of a service at one address, with one password.
///
/// Services lock out clients that try wrong passwords too often, and the lockout affects everybody behind the same
/// address. So a rejection is remembered for all widgets that use the account.
pub(crate) struct Account {
    key: String,
}

impl Account {
    /// The account of a user; the user is empty for services that only have a password.
    pub(crate) fn new(service: &str, address: &BaseAddress, user: &str, password: &Secret) -> Self {
        // A different password makes a different account; otherwise correcting it would have no effect for a while. The
        // hash keeps the password itself out of the key.
        let mut hasher = DefaultHasher::new();
        password.reveal().hash(&mut hasher);
        Self { key: format!("{service}/{}/{user}/{:x}", address.public(), hasher.finish()) }
    }

    /// The key under which something about this account is remembered.
    pub(crate) fn key(&self, what: &str) -> String {
        format!("{}/{what}", self.key)
    }

    /// Fails at once if the login was rejected recently.
    ///
    /// # Errors
    ///
    /// The error of that rejection.
    pub(crate) fn refused_before(&self, context: &dyn WidgetContext) -> Result<(), FetchError> {
        let kept = context.recall(&self.key("refused"));
        kept.and_then(|kept| serde_json::from_value(kept).ok()).map_or(Ok(()), Err)
    }

    /// Remembers that a login was rejected, and returns the error for it.
    pub(crate) fn refuse(
        &self,
        context: &dyn WidgetContext,
        sentence: impl Into<String>,
        pause: Duration,
    ) -> FetchError {
        let error = FetchError::LoginRefused { sentence: sentence.into(), retry_at: Some(context.now().after(pause)) };
        if let Ok(kept) = serde_json::to_value(&error) {
            context.remember(&self.key("refused"), kept, pause);
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::{Value, json};

    use crate::{Case, Kind, Moment};

    /// Services that count wrong passwords: the entry, the responses that reject the login, and the pause.
    fn services() -> Vec<(Kind, Value, Vec<Value>, u64)> {
        let exchange = |method: &str, url: &str, status: u16, body: Value| json!({ "request": { "method": method, "url": url }, "response": { "status": status, "body": body } });
        let paths = json!({ "success": true, "data": {
            "SYNO.API.Auth": { "path": "entry.cgi", "maxVersion": 7 },
            "SYNO.DownloadStation.Task": { "path": "task.cgi" }
        } });
        vec![
            (
                Kind::DnsSinkholeTrafficV6,
                json!({ "hostname": "http://a.lan", "apiKey": "wrong" }),
                vec![
                    exchange("POST", "http://a.lan/api/auth", 401, json!({ "session": { "valid": false } })),
                    exchange("POST", "http://a.lan/api/auth", 200, json!({ "session": { "valid": true } })),
                    exchange("GET", "http://a.lan/api/history", 200, json!({ "history": [] })),
                ],
                60,
            ),
            // Whatever is wrong with a login, the next attempt waits.
            (
                Kind::DnsSinkholeTrafficV6,
                json!({ "hostname": "http://b.lan", "apiKey": "wrong" }),
                vec![
                    exchange("POST", "http://b.lan/api/auth", 500, json!("<html>Oops</html>")),
                    exchange("POST", "http://b.lan/api/auth", 200, json!({ "session": { "valid": true } })),
                    exchange("GET", "http://b.lan/api/history", 200, json!({ "history": [] })),
                ],
                60,
            ),
            (
                Kind::DnsFilterStats,
                json!({ "hostname": "http://a.lan", "username": "anna", "password": "wrong" }),
                vec![
                    exchange("GET", "http://a.lan/control/stats", 401, json!("")),
                    exchange("GET", "http://a.lan/control/stats", 200, json!({})),
                ],
                300,
            ),
            (
                Kind::NasDownload,
                json!({ "hostname": "http://a.lan", "username": "anna", "password": "wrong" }),
                vec![
                    exchange("GET", "http://a.lan/webapi/query.cgi*", 200, paths),
                    exchange(
                        "POST",
                        "http://a.lan/webapi/entry.cgi",
                        200,
                        json!({ "success": false, "error": { "code": 400 } }),
                    ),
                    exchange(
                        "POST",
                        "http://a.lan/webapi/entry.cgi",
                        200,
                        json!({ "success": true, "data": { "sid": "s" } }),
                    ),
                    exchange("GET", "http://a.lan/webapi/task.cgi*", 200, json!({ "success": true, "data": {} })),
                ],
                300,
            ),
        ]
    }

    #[test]
    fn a_refused_login_is_not_repeated_for_a_while() {
        for (kind, options, exchanges, pause) in services() {
            let case =
                Case { options, exchanges: serde_json::from_value(json!(exchanges)).unwrap(), ..Case::default() };
            let mut context = case.recorded(|file| std::fs::read(file)).unwrap();
            let (entry, _) = case.entry();
            let mut another = entry.clone();
            another.options.insert("timeout".to_owned(), json!(500));
            let corrected = if kind == Kind::DnsSinkholeTrafficV6 { "apiKey" } else { "password" };
            let at = |seconds: u64| Moment::from_seconds(i64::try_from(seconds).unwrap());
            // Another widget of the same account does not try either.
            for (seconds, entry) in [(0, &entry), (1, &entry), (pause - 1, &another)] {
                context.now = at(seconds);
                let result = kind.fetch(entry, &context).now_or_never().unwrap();
                assert_eq!(result.unwrap_err().retry_at(), Some(at(pause)), "{} after {seconds} s", kind.name());
            }
            // A different password makes a different account.
            let mut other = entry.clone();
            other.options.insert(corrected.to_owned(), json!("right"));
            assert!(kind.fetch(&other, &context).now_or_never().unwrap().is_ok(), "{}", kind.name());
            context.now = at(pause);
            assert!(kind.fetch(&entry, &context).now_or_never().unwrap().is_ok(), "{} after the pause", kind.name());
        }
    }
}
