//! What a provider says about itself: its addresses and its keys, fetched when first needed and kept.

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use openidconnect::{AuthUrl, EndSessionUrl, IssuerUrl, JsonWebKeySetUrl, TokenUrl};
use serde_json::Value;
use url::Url;

use super::{ProviderError, ProviderSettings, flow::words, keys::PublicKeys};
use crate::http_client::{HttpClient, HttpRequest, Purpose};

/// Where a provider describes itself, below its issuer.
pub(crate) const WELL_KNOWN: &str = "/.well-known/openid-configuration";

/// Largest description and key set, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// How long something fetched is good without another look, in seconds.
const GOOD_FOR: u64 = 3600;

/// The time to wait after a failure, in seconds; it doubles with each further one.
const FIRST_WAIT: u64 = 1;

/// The longest time to wait after failures, in seconds.
const LONGEST_WAIT: u64 = 60;

/// The least time between two fetches for keys that are not known, in seconds, as anyone can make up such keys.
const UNKNOWN_KEY_WAIT: u64 = 10;

/// A provider's description of itself, as far as it matters here (OpenID Connect Discovery, 3). The crate's own type would
/// refuse one that lacks something that nobody asks for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Metadata {
    pub issuer: IssuerUrl,
    pub authorization: AuthUrl,
    pub token: TokenUrl,
    pub keys: JsonWebKeySetUrl,
    /// Where people sign out, if the provider knows that.
    pub end_session: Option<EndSessionUrl>,
    /// Where tokens are revoked (RFC 7009), if the provider knows that.
    pub revocation: Option<Url>,
    /// The scopes that it lists; there may be others.
    pub scopes: Option<Vec<String>>,
    /// The PKCE methods that it lists.
    pub challenge_methods: Option<Vec<String>>,
    /// The claims that it lists; there may be others.
    pub claims: Option<Vec<String>>,
}

impl Metadata {
    /// Reads a description. The error says in words what is missing.
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
        })
    }
}

impl Metadata {
    /// Whether this is the description of a configured issuer. A slash at the end is overlooked: it is the commonest
    /// mistake, and names nobody else.
    pub(crate) fn is_of(&self, endpoint: &str) -> bool {
        let plain = |address: &str| Some(Url::parse(address).ok()?.as_str().trim_end_matches('/').to_owned());
        let configured = description_address(endpoint);
        plain(&self.issuer).is_some_and(|issuer| plain(configured.trim_end_matches(WELL_KNOWN)) == Some(issuer))
    }
}

/// The address of a provider's description.
pub(crate) fn description_address(endpoint: &str) -> String {
    let issuer = endpoint.trim().trim_end_matches('/');
    // A common mistake that leaves no doubt about what is meant.
    let issuer = issuer.strip_suffix(WELL_KNOWN).unwrap_or(issuer).trim_end_matches('/');
    format!("{issuer}{WELL_KNOWN}")
}

/// Fetches the description. It must be that of the configured issuer (OpenID Connect Discovery 1.0, 4.3), or else
/// anyone who can put a description there could name the endpoints of someone else; with `allowedIssuers` the config
/// has named its issuers itself.
pub(crate) async fn fetch_metadata(
    http_client: &HttpClient,
    settings: &ProviderSettings,
) -> Result<Metadata, ProviderError> {
    let address = description_address(&settings.endpoint);
    let value = fetch_json(http_client, &address).await?;
    let metadata = Metadata::read(&value)
        .map_err(|reason| ProviderError::NoProvider(format!("the answer from {address} is not usable: {reason}")))?;
    if settings.allowed_issuers.is_empty() && !metadata.is_of(&settings.endpoint) {
        let (named, configured) = (words(&metadata.issuer), settings.endpoint.clone());
        return Err(ProviderError::OtherIssuer { named, configured, by: settings.named_by });
    }
    Ok(metadata)
}

/// Fetches the keys.
pub(crate) async fn fetch_keys(
    http_client: &HttpClient,
    address: &JsonWebKeySetUrl,
) -> Result<PublicKeys, ProviderError> {
    let value = fetch_json(http_client, address.as_str()).await?;
    let keys = PublicKeys::read(&value)
        .ok_or_else(|| ProviderError::NoProvider(format!("there is no key set at {}", address.as_str())))?;
    if keys.len() == 0 {
        tracing::warn!("the identity provider lists no key that could be used");
    }
    Ok(keys)
}

async fn fetch_json(http_client: &HttpClient, address: &str) -> Result<Value, ProviderError> {
    let request = HttpRequest { max_bytes: MAX_BYTES, ..HttpRequest::get(Purpose::Configured, address) };
    let reply = http_client
        .send(request.with_header("accept", "application/json"))
        .await
        .map_err(|error| ProviderError::Unreachable(error.to_string()))?;
    if !reply.status.is_success() {
        let reason = format!("the answer from {address} was {}", reply.status);
        let is_down = reply.status.is_server_error();
        return Err(if is_down { ProviderError::Unreachable(reason) } else { ProviderError::NoProvider(reason) });
    }
    serde_json::from_slice(&reply.body)
        .map_err(|_| ProviderError::NoProvider(format!("the answer from {address} is not JSON")))
}

/// Something that is fetched when it is needed and then kept. When it cannot be fetched again the old one stays good,
/// and the next try waits a while, longer after each failure.
#[derive(Debug)]
pub(crate) struct CachedDocument<T> {
    value: ArcSwapOption<Stamped<T>>,
    /// Held while fetching, so that many who need it fetch it once.
    fetching: tokio::sync::Mutex<()>,
    failures: Mutex<Failures>,
}

#[derive(Debug)]
struct Stamped<T> {
    value: Arc<T>,
    fetched: u64,
}

#[derive(Debug, Default)]
struct Failures {
    count: u32,
    retry: u64,
    last: Option<ProviderError>,
}

/// What makes a kept value too old.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Need {
    /// Any that is not very old will do.
    Known,
    /// A token names a key that is not in it. Anyone can make up such a token.
    Newer,
    /// A token of the provider itself names a key that is not in it.
    New,
}

impl<T> Default for CachedDocument<T> {
    fn default() -> Self {
        Self { value: ArcSwapOption::empty(), fetching: tokio::sync::Mutex::default(), failures: Mutex::default() }
    }
}

impl<T> CachedDocument<T> {
    /// The value, fetched with `fetch` if there is none or it is too old. `now` in seconds since 1970.
    pub(crate) async fn get(
        &self,
        now: u64,
        need: Need,
        fetch: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<Arc<T>, ProviderError> {
        if let Some(value) = self.good(now, need) {
            return Ok(value);
        }
        let _turn = self.fetching.lock().await;
        if let Some(value) = self.good(now, need) {
            return Ok(value);
        }
        let old = self.value.load().as_ref().map(|stamped| Arc::clone(&stamped.value));
        if let Some(error) = self.failure(now) {
            return old.ok_or(error);
        }
        match fetch.await {
            Ok(value) => {
                let value = Arc::new(value);
                self.value.store(Some(Arc::new(Stamped { value: Arc::clone(&value), fetched: now })));
                *self.failures.lock().unwrap_or_else(PoisonError::into_inner) = Failures::default();
                Ok(value)
            }
            Err(error) => {
                let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
                let wait = LONGEST_WAIT.min(FIRST_WAIT << failures.count.min(10));
                tracing::warn!("the identity provider: {error}; next try in {wait} s at the earliest");
                *failures =
                    Failures { count: failures.count.saturating_add(1), retry: now + wait, last: Some(error.clone()) };
                old.ok_or(error)
            }
        }
    }

    fn good(&self, now: u64, need: Need) -> Option<Arc<T>> {
        let stamped = self.value.load();
        let stamped = stamped.as_ref()?;
        let age = now.saturating_sub(stamped.fetched);
        let good_for = match need {
            Need::Known => GOOD_FOR,
            Need::Newer => UNKNOWN_KEY_WAIT,
            // Many who wait for the same fetch get its result.
            Need::New => 1,
        };
        (age < good_for).then(|| Arc::clone(&stamped.value))
    }

    fn failure(&self, now: u64) -> Option<ProviderError> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.last.clone().filter(|_| now < failures.retry)
    }
}
