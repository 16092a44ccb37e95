//! An OpenID provider on loopback, whose responses a test controls.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Query, State},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Map, Value, json};
use server::access::TimeSource;
use sha2::{Digest as _, Sha256};
use url::{Url, form_urlencoded};

use crate::{
    signer::Signer,
    world::{CONF, Setup, World},
};

/// The dashboard's client id at the provider.
pub const CLIENT: &str = "dashboard";

/// The time of the tests, in seconds since 1970.
pub const NOW: u64 = 1_800_000_000;

/// A clock that a test sets.
#[derive(Clone, Debug)]
pub struct SetClock(Arc<AtomicU64>);

impl SetClock {
    pub fn new() -> Self {
        Self(Arc::new(AtomicU64::new(NOW)))
    }

    pub fn advance(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }

    pub fn set(&self, time: u64) {
        self.0.store(time, Ordering::SeqCst);
    }
}

impl TimeSource for SetClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A provider.
#[derive(Clone)]
pub struct Idp {
    pub issuer: String,
    inner: Arc<Mutex<Inner>>,
}

/// Its behavior.
pub struct Inner {
    /// Its metadata; null responds with something that is not JSON.
    pub description: Value,
    pub signer: Signer,
    /// The published keys.
    pub keys: Vec<Value>,
    /// Additional or replaced claims of ID tokens; null removes a claim.
    pub claims: Value,
    /// Additional or replaced fields in responses of the token endpoint; null removes a field.
    pub answer: Value,
    /// The same for the response to a refresh.
    pub refreshed: Value,
    /// The error of the token endpoint, if it has one.
    pub error: Option<Value>,
    /// Issues tokens only to requests from pages, as Entra does for some clients.
    pub wants_origin: bool,
    /// The time in its responses.
    pub date: Option<&'static str>,
    /// Its login page rejects the redirect address.
    pub refuses_redirect: bool,
    /// Its login page fails with `prompt=none`; the second: also without it.
    pub login_page_fails: (bool, bool),
    /// The hash of the access token in ID tokens.
    pub access_hash: Option<fn(&str) -> Value>,
    /// All its endpoints fail.
    pub down: bool,
    /// How long its tokens live, in seconds.
    pub lifetime: u64,
    /// How many seconds its clock is ahead.
    pub clock_ahead: i64,
    /// The requested paths, and the forms sent to them.
    pub requests: Vec<(String, HashMap<String, String>)>,
    grants: HashMap<String, Grant>,
    refresh_tokens: Vec<String>,
    count: u64,
    clock: SetClock,
}

struct Grant {
    nonce: Option<String>,
    challenge: String,
    redirect: String,
}

/// A provider, and a server that trusts it: further lines of `auth.oidc` and of `auth`.
pub async fn start(oidc: &str, auth: &str) -> (SetClock, Idp, World) {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, oidc, auth).await;
    (clock, idp, world)
}

impl Idp {
    pub async fn start(clock: &SetClock) -> Self {
        Self::start_at(clock, "").await
    }

    /// With a path in its issuer.
    pub async fn start_at(clock: &SetClock, path: &'static str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let issuer = format!("{origin}{path}");
        let signer = Signer::new("ES256", Some("first"));
        let description = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{origin}/authorize?tenant=1"),
            "token_endpoint": format!("{origin}/token"),
            "jwks_uri": format!("{origin}/keys"),
            "end_session_endpoint": format!("{origin}/end"),
        });
        let inner = Arc::new(Mutex::new(Inner {
            description,
            keys: vec![signer.public()],
            signer,
            claims: json!({}),
            answer: json!({}),
            refreshed: json!({}),
            error: None,
            wants_origin: false,
            date: None,
            refuses_redirect: false,
            login_page_fails: (false, false),
            access_hash: None,
            down: false,
            lifetime: 300,
            clock_ahead: 0,
            requests: Vec::new(),
            grants: HashMap::new(),
            refresh_tokens: Vec::new(),
            count: 0,
            clock: clock.clone(),
        }));
        let router = Router::new()
            .route(&format!("{}/.well-known/openid-configuration", path.trim_end_matches('/')), get(describe))
            .route("/keys", get(keys))
            .route("/token", post(tokens))
            .route("/authorize", get(authorize))
            .route("/revoke", post(revoke))
            .with_state(Arc::clone(&inner));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { issuer, inner }
    }

    pub fn set<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        change(&mut self.inner.lock().unwrap())
    }

    /// How often a path was requested.
    pub fn count(&self, path: &str) -> usize {
        self.set(|inner| inner.requests.iter().filter(|(asked, _)| asked.ends_with(path)).count())
    }

    /// The last form that was sent to the token endpoint.
    pub fn last_form(&self) -> HashMap<String, String> {
        self.last_form_to("/token").unwrap()
    }

    /// The last form that was sent to a path.
    pub fn last_form_to(&self, path: &str) -> Option<HashMap<String, String>> {
        self.set(|inner| inner.requests.iter().rev().find(|(asked, _)| asked == path).map(|(_, form)| form.clone()))
    }

    /// Simulates the provider's login page: takes its address, returns the address to which it redirects back.
    pub fn consent(&self, location: &str) -> String {
        let (address, asked) = asked(location);
        assert_eq!(address.path(), "/authorize");
        assert_eq!(asked["client_id"], CLIENT);
        assert_eq!(asked["response_type"], "code");
        assert_eq!(asked["code_challenge_method"], "S256");
        assert_eq!(asked["tenant"], "1");
        let code = self.set(|inner| {
            inner.count += 1;
            let code = format!("code-{}", inner.count);
            let grant = Grant {
                nonce: asked.get("nonce").cloned(),
                challenge: asked["code_challenge"].clone(),
                redirect: asked["redirect_uri"].clone(),
            };
            inner.grants.insert(code.clone(), grant);
            code
        });
        let redirect = Url::parse(&asked["redirect_uri"]).unwrap();
        format!("{}?code={code}&state={}", redirect.path(), asked["state"])
    }

    /// The claims that an ID token of this provider usually has.
    pub fn usual_claims(&self) -> Value {
        self.set(|inner| inner.usual_claims())
    }

    /// A token with the usual claims, changed by these; null removes one.
    pub fn token(&self, changes: Value) -> String {
        self.set(|inner| {
            let claims = changed(inner.usual_claims(), &changes);
            inner.signer.token(&claims)
        })
    }

    /// A config that trusts this provider, with additional lines for its block.
    pub fn conf(&self, oidc: &str, auth: &str) -> String {
        format!(
            "{CONF}appConfig:\n  auth:\n    enableOidc: true\n    oidc: {{ clientId: {CLIENT}, endpoint: '{}', \
             adminGroup: admins, adminRole: boss{oidc} }}\n{auth}",
            self.issuer
        )
    }

    /// A server that trusts this provider.
    pub async fn world(&self, clock: &SetClock, oidc: &str, auth: &str) -> World {
        self.setup(clock, oidc, auth).start().await
    }

    pub fn setup(&self, clock: &SetClock, oidc: &str, auth: &str) -> Setup {
        Setup::new().clock(Arc::new(clock.clone())).file("conf.yml", self.conf(oidc, auth))
    }
}

/// An address and the parameters of its query.
pub fn asked(location: &str) -> (Url, HashMap<String, String>) {
    let address = Url::parse(location).unwrap();
    let parameters = address.query_pairs().into_owned().collect();
    (address, parameters)
}

/// A mapping with changes; null removes a key.
pub fn changed(mut value: Value, changes: &Value) -> Value {
    let empty = Map::new();
    let fields = value.as_object_mut().unwrap();
    for (key, change) in changes.as_object().unwrap_or(&empty) {
        match change {
            Value::Null => fields.remove(key),
            change => fields.insert(key.clone(), change.clone()),
        };
    }
    value
}

impl Inner {
    fn usual_claims(&self) -> Value {
        let now = self.clock.now().saturating_add_signed(self.clock_ahead);
        json!({
            "iss": self.description["issuer"],
            "sub": "u-1",
            "aud": CLIENT,
            "exp": now + self.lifetime,
            "iat": now,
            "preferred_username": "carol",
        })
    }

    fn id_token(&self, nonce: Option<&str>) -> String {
        let mut claims = self.usual_claims();
        if let Some(nonce) = nonce {
            claims["nonce"] = json!(nonce);
        }
        if let Some(hash) = self.access_hash {
            claims["at_hash"] = hash("opaque");
        }
        self.signer.token(&changed(claims, &self.claims))
    }
}

/// With `prompt=none`, it responds that nobody is signed in.
async fn authorize(State(inner): Shared, Query(asked): Query<HashMap<String, String>>) -> Response {
    let (fails_silently, fails_always) = {
        let inner = inner.lock().unwrap();
        if inner.refuses_redirect {
            return (StatusCode::BAD_REQUEST, "unknown redirect_uri").into_response();
        }
        inner.login_page_fails
    };
    if fails_always || (fails_silently && asked.contains_key("prompt")) {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    if !asked.contains_key("prompt") {
        return "<html>login</html>".into_response();
    }
    let back = format!("{}?error=login_required&state={}", asked["redirect_uri"], asked["state"]);
    (StatusCode::FOUND, [(header::LOCATION, back)]).into_response()
}

type Shared = State<Arc<Mutex<Inner>>>;

/// Revokes a refresh token (RFC 7009).
async fn revoke(State(inner): Shared, body: Bytes) -> StatusCode {
    let form: HashMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let mut inner = inner.lock().unwrap();
    let revoked = form.get("token").cloned();
    inner.refresh_tokens.retain(|token| Some(token) != revoked.as_ref());
    inner.requests.push(("/revoke".to_owned(), form));
    StatusCode::OK
}

async fn describe(State(inner): Shared) -> Response {
    let mut inner = inner.lock().unwrap();
    inner.requests.push(("/.well-known/openid-configuration".to_owned(), HashMap::new()));
    if inner.down {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    match &inner.description {
        Value::Null => "<html>not found</html>".into_response(),
        description => {
            let mut response = Json(description).into_response();
            if let Some(date) = inner.date {
                response.headers_mut().insert(header::DATE, HeaderValue::from_static(date));
            }
            response
        }
    }
}

async fn keys(State(inner): Shared) -> Response {
    let mut inner = inner.lock().unwrap();
    inner.requests.push(("/keys".to_owned(), HashMap::new()));
    if inner.down {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    Json(json!({ "keys": inner.keys })).into_response()
}

async fn tokens(State(inner): Shared, headers: HeaderMap, body: Bytes) -> Response {
    // Long enough that requests at the same time overlap.
    tokio::task::yield_now().await;
    let mut inner = inner.lock().unwrap();
    let form: HashMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    inner.requests.push(("/token".to_owned(), form.clone()));
    if inner.down {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    let refuse = |error: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response();
    if inner.wants_origin && headers.get("origin").is_none_or(|origin| origin != "http://dash.lan") {
        let error = json!({ "error": "invalid_request", "error_description": "AADSTS9002327: Tokens issued for …" });
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    if let Some(error) = &inner.error {
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    if form["client_id"] != CLIENT {
        return refuse("invalid_client");
    }
    inner.count += 1;
    let refresh = format!("refresh-{}", inner.count);
    let (id_token, changes) = match form["grant_type"].as_str() {
        "authorization_code" => {
            let Some(grant) = inner.grants.remove(&form["code"]) else { return refuse("invalid_grant") };
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
            if challenge != grant.challenge || form["redirect_uri"] != grant.redirect {
                return refuse("invalid_grant");
            }
            (inner.id_token(grant.nonce.as_deref()), inner.answer.clone())
        }
        "refresh_token" => {
            let known = inner.refresh_tokens.iter().position(|token| *token == form["refresh_token"]);
            let Some(known) = known else { return refuse("invalid_grant") };
            inner.refresh_tokens.remove(known);
            (inner.id_token(None), changed(inner.answer.clone(), &inner.refreshed))
        }
        _ => return refuse("unsupported_grant_type"),
    };
    let answer = json!({
        "access_token": "opaque",
        "token_type": "bearer",
        "expires_in": inner.lifetime,
        "id_token": id_token,
        "refresh_token": refresh,
    });
    let mut given = changed(answer, &changes);
    for (key, value) in inner.refreshed.as_object().into_iter().flatten() {
        if form["grant_type"] == "refresh_token" && value.is_null() {
            given.as_object_mut().unwrap().remove(key);
        }
    }
    match given.get("refresh_token").and_then(Value::as_str) {
        Some(token) => inner.refresh_tokens.push(token.to_owned()),
        // Without a new one, the old one stays valid.
        None => inner.refresh_tokens.extend(form.get("refresh_token").cloned()),
    }
    Json(given).into_response()
}
