//! The provider's discovery document and its keys, fetched when first needed and cached.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use arc_swap::ArcSwapOption;
use openidconnect::{AuthUrl, EndSessionUrl, IssuerUrl, JsonWebKeySetUrl, TokenUrl};
use serde_json::Value;
use url::Url;

use super::{
    error::{ProviderError, words},
    keys::PublicKeys,
    settings::ProviderSettings,
};
use crate::http_client::{HttpClient, HttpRequest, PrivateReach, Purpose};

/// Path of the discovery document, below the issuer.
pub(crate) const WELL_KNOWN: &str = "/.well-known/openid-configuration";

/// Maximum size of the discovery document and the key set, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// How long a cached value is used without fetching it again, in seconds.
const GOOD_FOR: u64 = 3600;

/// The wait after a failure, in seconds; it doubles with each further failure.
const FIRST_WAIT: u64 = 1;

/// The longest wait after failures, in seconds.
const MAX_WAIT: u64 = 60;

/// The minimum time between two fetches for unknown keys, in seconds, because anyone can make up such keys.
const UNKNOWN_KEY_WAIT: u64 = 10;

/// A provider's discovery document, as far as it matters here (OpenID Connect Discovery, 3). The crate's own type
/// rejects documents that lack fields we do not need.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Metadata {
    pub issuer: IssuerUrl,
    pub authorization: AuthUrl,
    pub token: TokenUrl,
    pub keys: JsonWebKeySetUrl,
    /// Where people sign out, if the provider supports it.
    pub end_session: Option<EndSessionUrl>,
    /// Where tokens are revoked (RFC 7009), if the provider supports it.
    pub revocation: Option<Url>,
    /// The scopes that it lists; there may be others.
    pub scopes: Option<Vec<String>>,
    /// The PKCE methods that it lists.
    pub challenge_methods: Option<Vec<String>>,
    /// The claims that it lists; there may be others.
    pub claims: Option<Vec<String>>,
    /// The algorithms with which it can encrypt ID tokens.
    pub encryption: Option<Vec<String>>,
}

impl Metadata {
    /// Parses a discovery document. The error says in words what is missing.
    pub(crate) fn read(value: &Value) -> Result<Self, String> {
        let address = |name: &str| {
            let text = value.get(name).and_then(Value::as_str)?;
            Url::parse(text).ok().filter(|address| matches!(address.scheme(), "http" | "https"))
        };
        let needed = |name: &str| address(name).ok_or_else(|| format!("`{name}` is missing or not an address"));
        let list = |name: &str| {
            let list = value.get(name)?.as_array()?;
            Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        };
        let issuer = value.get("issuer").and_then(Value::as_str).ok_or("`issuer` is missing")?;
        Ok(Self {
            issuer: IssuerUrl::new(issuer.to_owned()).map_err(|_| "`issuer` is not an address")?,
            authorization: AuthUrl::from_url(needed("authorization_endpoint")?),
            token: TokenUrl::from_url(needed("token_endpoint")?),
            keys: JsonWebKeySetUrl::from_url(needed("jwks_uri")?),
            end_session: address("end_session_endpoint").map(EndSessionUrl::from_url),
            revocation: address("revocation_endpoint"),
            scopes: list("scopes_supported"),
            challenge_methods: list("code_challenge_methods_supported"),
            claims: list("claims_supported"),
            encryption: list("id_token_encryption_alg_values_supported"),
        })
    }
}

impl Metadata {
    /// Whether this document is that of a configured issuer. A trailing slash is ignored: it is the most common
    /// mistake, and never names a different issuer.
    pub(crate) fn is_of(&self, endpoint: &str) -> bool {
        let plain = |address: &str| Some(Url::parse(address).ok()?.as_str().trim_end_matches('/').to_owned());
        let configured = discovery_url(endpoint);
        plain(&self.issuer).is_some_and(|issuer| plain(configured.trim_end_matches(WELL_KNOWN)) == Some(issuer))
    }
}

/// The address of a provider's discovery document.
pub(crate) fn discovery_url(endpoint: &str) -> String {
    let issuer = endpoint.trim().trim_end_matches('/');
    // A common mistake whose intention is clear.
    let issuer = issuer.strip_suffix(WELL_KNOWN).unwrap_or(issuer).trim_end_matches('/');
    format!("{issuer}{WELL_KNOWN}")
}

/// Fetches the discovery document. Its issuer must be the configured one (OpenID Connect Discovery 1.0, 4.3); otherwise
/// anyone who can put a document there could name other people's endpoints. With `allowedIssuers` the config names the
/// issuers itself.
pub(crate) async fn fetch_metadata(
    http_client: &HttpClient,
    settings: &ProviderSettings,
) -> Result<Metadata, ProviderError> {
    let address = discovery_url(&settings.endpoint);
    let value = fetch_json(http_client, &address, PrivateReach::OwnHost).await?;
    let metadata = Metadata::read(&value)
        .map_err(|reason| ProviderError::NoProvider(format!("the response from {address} cannot be used: {reason}")))?;
    if settings.allowed_issuers.is_empty() && !metadata.is_of(&settings.endpoint) {
        let (named, configured) = (words(&metadata.issuer), settings.endpoint.clone());
        return Err(ProviderError::OtherIssuer { named, configured, by: settings.named_by });
    }
    Ok(metadata)
}

/// Fetches the keys.
pub(crate) async fn fetch_keys(
    http_client: &HttpClient,
    settings: &ProviderSettings,
    metadata: &Metadata,
) -> Result<PublicKeys, ProviderError> {
    let address = &metadata.keys;
    let value = fetch_json(http_client, address.as_str(), settings.reach_of(address.url())).await?;
    let keys = PublicKeys::read(&value)
        .ok_or_else(|| ProviderError::NoProvider(format!("there is no key set at {}", address.as_str())))?;
    if keys.len() == 0 {
        tracing::warn!("the identity provider lists no key that could be used");
    }
    Ok(keys)
}

async fn fetch_json(
    http_client: &HttpClient,
    address: &str,
    private_reach: PrivateReach,
) -> Result<Value, ProviderError> {
    let request = HttpRequest { max_bytes: MAX_BYTES, private_reach, ..HttpRequest::get(Purpose::Configured, address) };
    let reply = http_client
        .send(request.with_header("accept", "application/json"))
        .await
        .map_err(|error| ProviderError::Unreachable(error.to_string()))?;
    if !reply.status.is_success() {
        let reason = format!("{address} responded with {}", reply.status);
        let is_down = reply.status.is_server_error();
        return Err(if is_down { ProviderError::Unreachable(reason) } else { ProviderError::NoProvider(reason) });
    }
    serde_json::from_slice(&reply.body)
        .map_err(|_| ProviderError::NoProvider(format!("the response from {address} is not JSON")))
}

/// A value that is fetched when needed and then cached. If fetching it again fails, the old value is still used, and
/// the next attempt waits, longer after each failure.
#[derive(Debug)]
pub(crate) struct CachedDocument<T> {
    value: ArcSwapOption<Timestamped<T>>,
    /// Held while fetching. Others wait for it and use the result, instead of starting another fetch.
    fetching: tokio::sync::Mutex<()>,
    /// How many fetches have succeeded.
    fetches: AtomicU64,
    failures: Mutex<Failures>,
}

#[derive(Debug)]
struct Timestamped<T> {
    value: Arc<T>,
    fetched: u64,
}

#[derive(Debug, Default)]
struct Failures {
    count: u32,
    retry: u64,
    last: Option<ProviderError>,
}

/// What makes a cached value too old.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Freshness {
    /// Any value that is not very old is accepted.
    Known,
    /// A token names a key that is not in the value. Anyone can make up such a token.
    Newer,
    /// A token from the provider itself names a key that is not in the value.
    New,
}

impl<T> Default for CachedDocument<T> {
    fn default() -> Self {
        Self {
            value: ArcSwapOption::empty(),
            fetching: tokio::sync::Mutex::default(),
            fetches: AtomicU64::new(0),
            failures: Mutex::default(),
        }
    }
}

impl<T> CachedDocument<T> {
    /// The value, fetched with `fetch` if it is missing or too old. `now` is in seconds since 1970.
    pub(crate) async fn get(
        &self,
        now: u64,
        need: Freshness,
        fetch: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<Arc<T>, ProviderError> {
        if let Some(value) = self.good(now, need) {
            return Ok(value);
        }
        let before = self.fetches.load(Ordering::Acquire);
        let _turn = self.fetching.lock().await;
        let old = self.value.load().as_ref().map(|stamped| Arc::clone(&stamped.value));
        if let Some(value) = &old
            && (self.good(now, need).is_some() || self.fetches.load(Ordering::Acquire) != before)
        {
            return Ok(Arc::clone(value));
        }
        if let Some(error) = self.failure(now) {
            return old.ok_or(error);
        }
        match fetch.await {
            Ok(value) => {
                let value = Arc::new(value);
                self.value.store(Some(Arc::new(Timestamped { value: Arc::clone(&value), fetched: now })));
                self.fetches.fetch_add(1, Ordering::AcqRel);
                *self.failures.lock().unwrap_or_else(PoisonError::into_inner) = Failures::default();
                Ok(value)
            }
            Err(error) => {
                let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
                let wait = MAX_WAIT.min(FIRST_WAIT << failures.count.min(10));
                tracing::warn!("the identity provider: {error}; next try in {wait} s at the earliest");
                *failures =
                    Failures { count: failures.count.saturating_add(1), retry: now + wait, last: Some(error.clone()) };
                old.ok_or(error)
            }
        }
    }

    fn good(&self, now: u64, need: Freshness) -> Option<Arc<T>> {
        let stamped = self.value.load();
        let stamped = stamped.as_ref()?;
        let age = now.saturating_sub(stamped.fetched);
        let good_for = match need {
            Freshness::Known => GOOD_FOR,
            Freshness::Newer => UNKNOWN_KEY_WAIT,
            Freshness::New => 0,
        };
        (age < good_for).then(|| Arc::clone(&stamped.value))
    }

    fn failure(&self, now: u64) -> Option<ProviderError> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.last.clone().filter(|_| now < failures.retry)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_new_value_is_fetched_within_the_same_second() {
        let document = CachedDocument::default();
        assert_eq!(document.get(7, Freshness::Known, async { Ok("old") }).await, Ok(Arc::new("old")));
        assert_eq!(document.get(7, Freshness::Newer, async { Ok("new") }).await, Ok(Arc::new("old")));
        assert_eq!(document.get(7, Freshness::New, async { Ok("new") }).await, Ok(Arc::new("new")));
    }

    #[tokio::test(start_paused = true)]
    async fn callers_that_wait_for_a_fetch_share_its_result() {
        let document = CachedDocument::default();
        assert_eq!(document.get(7, Freshness::Known, async { Ok("old") }).await, Ok(Arc::new("old")));
        let slow = document.get(7, Freshness::New, async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            Ok("new")
        });
        let waiting = document.get(7, Freshness::New, async { Ok("newest") });
        assert_eq!(tokio::join!(slow, waiting), (Ok(Arc::new("new")), Ok(Arc::new("new"))));
    }
}
