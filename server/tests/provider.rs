//! An OpenID provider on loopback that says whatever a test wants, and a browser that keeps cookies.

use std::{
    collections::{BTreeMap, HashMap},
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
use p521::ecdsa::{Signature as P521Signature, SigningKey as P521Key, signature::Signer as _};
use ring::{
    hmac,
    rand::SystemRandom,
    rsa,
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _,
        RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512, RSA_PSS_SHA256, RSA_PSS_SHA384, RSA_PSS_SHA512,
        RsaEncoding,
    },
};
use serde_json::{Map, Value, json};
use server::auth::Clock;
use sha2::{Digest as _, Sha256};
use url::{Url, form_urlencoded};

use crate::world::{Ask, CONF, Reply, Setup, World};

/// The client that the dashboard is at the provider.
pub const CLIENT: &str = "dashboard";

/// When the tests take place, in seconds since 1970.
pub const NOW: u64 = 1_800_000_000;

/// A clock that stands still until it is moved.
#[derive(Clone, Debug)]
pub struct SetClock(Arc<AtomicU64>);

impl SetClock {
    pub fn new() -> Self {
        Self(Arc::new(AtomicU64::new(NOW)))
    }

    pub fn advance(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A key with which a provider signs.
pub struct Signer {
    algorithm: &'static str,
    id: Option<String>,
    pkcs8: Vec<u8>,
}

const RSA: &[u8] = include_bytes!("keys/rsa-2048.pk8");

impl Signer {
    /// A key for an algorithm. All but those for RSA are new each time.
    pub fn new(algorithm: &'static str, id: Option<&str>) -> Self {
        let random = SystemRandom::new();
        let pkcs8 = match algorithm {
            "ES256" => {
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap().as_ref().to_vec()
            }
            "ES384" => {
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &random).unwrap().as_ref().to_vec()
            }
            "EdDSA" => Ed25519KeyPair::generate_pkcs8(&random).unwrap().as_ref().to_vec(),
            // A number below the order of the curve.
            "ES512" => (0..66).map(|at| if at == 0 { 0 } else { 7 }).collect(),
            _ => RSA.to_vec(),
        };
        Self { algorithm, id: id.map(str::to_owned), pkcs8 }
    }

    pub fn public(&self) -> Value {
        let random = SystemRandom::new();
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let curve = |name: &str, point: &[u8]| {
            let (x, y) = point[1..].split_at(point.len() / 2);
            json!({ "kty": "EC", "crv": name, "x": encode(x), "y": encode(y) })
        };
        let mut key = match self.algorithm {
            "ES256" => {
                let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &self.pkcs8, &random).unwrap();
                curve("P-256", pair.public_key().as_ref())
            }
            "ES384" => {
                let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &self.pkcs8, &random).unwrap();
                curve("P-384", pair.public_key().as_ref())
            }
            "ES512" => {
                let key = P521Key::from_slice(&self.pkcs8).unwrap();
                let point = p521::ecdsa::VerifyingKey::from(&key).to_encoded_point(false);
                curve("P-521", point.as_bytes())
            }
            "EdDSA" => {
                let pair = Ed25519KeyPair::from_pkcs8(&self.pkcs8).unwrap();
                json!({ "kty": "OKP", "crv": "Ed25519", "x": encode(pair.public_key().as_ref()) })
            }
            _ => {
                let pair = rsa::KeyPair::from_pkcs8(&self.pkcs8).unwrap();
                let public = rsa::PublicKeyComponents::<Vec<u8>>::from(pair.public());
                json!({ "kty": "RSA", "n": encode(&public.n), "e": encode(&public.e) })
            }
        };
        if let Some(id) = &self.id {
            key["kid"] = json!(id);
        }
        key
    }

    pub fn sign(&self, message: &str) -> Vec<u8> {
        let random = SystemRandom::new();
        let message = message.as_bytes();
        let rsa = |encoding: &'static dyn RsaEncoding| {
            let pair = rsa::KeyPair::from_pkcs8(&self.pkcs8).unwrap();
            let mut signature = vec![0; pair.public().modulus_len()];
            pair.sign(encoding, &random, message, &mut signature).unwrap();
            signature
        };
        match self.algorithm {
            "ES256" => EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &self.pkcs8, &random)
                .unwrap()
                .sign(&random, message)
                .unwrap()
                .as_ref()
                .to_vec(),
            "ES384" => EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &self.pkcs8, &random)
                .unwrap()
                .sign(&random, message)
                .unwrap()
                .as_ref()
                .to_vec(),
            "ES512" => {
                let signature: P521Signature = P521Key::from_slice(&self.pkcs8).unwrap().sign(message);
                signature.to_bytes().to_vec()
            }
            "EdDSA" => Ed25519KeyPair::from_pkcs8(&self.pkcs8).unwrap().sign(message).as_ref().to_vec(),
            "RS384" => rsa(&RSA_PKCS1_SHA384),
            "RS512" => rsa(&RSA_PKCS1_SHA512),
            "PS256" => rsa(&RSA_PSS_SHA256),
            "PS384" => rsa(&RSA_PSS_SHA384),
            "PS512" => rsa(&RSA_PSS_SHA512),
            _ => rsa(&RSA_PKCS1_SHA256),
        }
    }

    /// A token with these claims.
    pub fn token(&self, claims: &Value) -> String {
        let mut header = json!({ "alg": self.algorithm, "typ": "JWT" });
        if let Some(id) = &self.id {
            header["kid"] = json!(id);
        }
        self.token_with(&header, claims)
    }

    /// A token with this header, whatever it says.
    pub fn token_with(&self, header: &Value, claims: &Value) -> String {
        let message = unsigned(header, claims);
        let signature = self.sign(&message);
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

/// Header and claims of a token.
pub fn unsigned(header: &Value, claims: &Value) -> String {
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", encode(header), encode(claims))
}

/// A token that is "signed" with a public text.
pub fn hmac_token(claims: &Value, key: &[u8]) -> String {
    let message = unsigned(&json!({ "alg": "HS256", "typ": "JWT" }), claims);
    let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// A provider.
#[derive(Clone)]
pub struct Idp {
    pub issuer: String,
    inner: Arc<Mutex<Inner>>,
}

/// What it does.
pub struct Inner {
    /// Its description; null is no JSON at all.
    pub description: Value,
    pub signer: Signer,
    /// The published keys.
    pub keys: Vec<Value>,
    /// What ID tokens hold beyond, or instead of, the usual; null takes a claim away.
    pub claims: Value,
    /// What answers of the token endpoint hold beyond, or instead of, the usual; null takes a field away.
    pub answer: Value,
    /// The answer to a refresh, likewise.
    pub refreshed: Value,
    /// The error of the token endpoint, if it has one.
    pub error: Option<Value>,
    /// Gives tokens to requests of pages only, as Entra does for some clients.
    pub wants_origin: bool,
    /// The time that its answers name.
    pub date: Option<&'static str>,
    /// Its login page does not know the redirect address.
    pub refuses_redirect: bool,
    /// Nothing works.
    pub down: bool,
    /// The paths that were asked for, and the forms that were sent there.
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
            down: false,
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
            .with_state(Arc::clone(&inner));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { issuer, inner }
    }

    pub fn set<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        change(&mut self.inner.lock().unwrap())
    }

    /// How often a path was asked for.
    pub fn count(&self, path: &str) -> usize {
        self.set(|inner| inner.requests.iter().filter(|(asked, _)| asked.ends_with(path)).count())
    }

    /// The last form that was sent to the token endpoint.
    pub fn last_form(&self) -> HashMap<String, String> {
        self.set(|inner| inner.requests.iter().rev().find(|(path, _)| path == "/token").unwrap().1.clone())
    }

    /// Plays the provider's login page: takes the address that the browser was sent to, gives where it is sent back.
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

    /// A token with the usual claims, changed by these; null takes one away.
    pub fn token(&self, changes: Value) -> String {
        self.set(|inner| {
            let claims = changed(inner.usual_claims(), &changes);
            inner.signer.token(&claims)
        })
    }

    /// A config that trusts this provider, with further lines for its block.
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

/// A mapping with changes; null takes a key away.
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
        json!({
            "iss": self.description["issuer"],
            "sub": "u-1",
            "aud": CLIENT,
            "exp": self.clock.now() + 300,
            "iat": self.clock.now(),
            "preferred_username": "carol",
        })
    }

    fn id_token(&self, nonce: Option<&str>) -> String {
        let mut claims = self.usual_claims();
        if let Some(nonce) = nonce {
            claims["nonce"] = json!(nonce);
        }
        self.signer.token(&changed(claims, &self.claims))
    }
}

/// Asked for a sign-in that needs nobody, it says that there is nobody.
async fn authorize(State(inner): Shared, Query(asked): Query<HashMap<String, String>>) -> Response {
    if inner.lock().unwrap().refuses_redirect {
        return (StatusCode::BAD_REQUEST, "unknown redirect_uri").into_response();
    }
    let back = format!("{}?error=login_required&state={}", asked["redirect_uri"], asked["state"]);
    (StatusCode::FOUND, [(header::LOCATION, back)]).into_response()
}

type Shared = State<Arc<Mutex<Inner>>>;

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
        "expires_in": 300,
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
        // Without a new one the old one stays good.
        None => inner.refresh_tokens.extend(form.get("refresh_token").cloned()),
    }
    Json(given).into_response()
}

/// A browser with cookies.
pub struct Browser<'a> {
    world: &'a World,
    pub cookies: BTreeMap<String, String>,
    host: &'static str,
    secure: bool,
}

impl<'a> Browser<'a> {
    pub fn new(world: &'a World) -> Self {
        Self { world, cookies: BTreeMap::new(), host: "dash.lan", secure: false }
    }

    /// Behind a proxy that speaks HTTPS.
    pub fn secure(world: &'a World) -> Self {
        Self { secure: true, ..Self::new(world) }
    }

    pub fn origin(&self) -> String {
        format!("http{}://{}", if self.secure { "s" } else { "" }, self.host)
    }

    fn ask(&self, method: &str, path: &str) -> Ask {
        let mut ask = self.world.ask(method, path).header("host", self.host);
        if self.secure {
            ask = ask.header("x-forwarded-proto", "https");
        }
        if self.cookies.is_empty() {
            return ask;
        }
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        ask.header("cookie", &pairs.join("; "))
    }

    async fn send(&mut self, ask: Ask) -> Reply {
        let reply = ask.send().await;
        for line in reply.headers.get_all(header::SET_COOKIE) {
            let line = line.to_str().unwrap();
            assert!(line.contains("; HttpOnly; SameSite=Lax"), "{line}");
            assert_eq!(line.contains("; Secure"), self.secure, "{line}");
            assert_eq!(line.starts_with("__Host-"), self.secure, "{line}");
            let (name, rest) = line.split_once('=').unwrap();
            let (value, attributes) = rest.split_once(';').unwrap();
            assert!(name.len() + value.len() < 4096);
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        reply
    }

    /// Opens an address.
    pub async fn get(&mut self, path: &str) -> Reply {
        let ask = self.ask("GET", path).header("sec-fetch-mode", "navigate").header("sec-fetch-dest", "document");
        self.send(ask).await
    }

    /// Sends a form of our own page.
    pub async fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let origin = self.origin();
        self.form_from(&origin, path, fields).await
    }

    /// Sends a form of a page with this origin.
    pub async fn form_from(&mut self, origin: &str, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let ask = self.ask("POST", path).header("origin", origin).untyped();
        self.send(ask.header("content-type", "application/x-www-form-urlencoded").body(body)).await
    }

    /// Sends JSON as a script of our own page.
    pub async fn json(&mut self, path: &str, body: &str) -> Reply {
        let ask = self.ask("POST", path).header("origin", &self.origin()).header("sec-fetch-mode", "cors");
        self.send(ask.body(body)).await
    }

    /// Signs in at the provider, from a page; gives the answer to the provider's answer.
    pub async fn sign_in_from(&mut self, idp: &Idp, path: &str) -> Reply {
        let to_provider = self.get(path).await.expect_status(303).header("location");
        let away = self.get(&to_provider).await.expect_status(303).header("location");
        let back = idp.consent(&away);
        self.get(&back).await
    }

    /// Signs in at the provider by the link on a page that guests see, or that is there already.
    pub async fn sign_in_via_link(&mut self, idp: &Idp) {
        let away = self.get("/login/provider?return_to=/").await.expect_status(303).header("location");
        let back = idp.consent(&away);
        self.get(&back).await.expect_status(303);
    }

    /// Signs in at the provider.
    pub async fn sign_in(&mut self, idp: &Idp) {
        let reply = self.sign_in_from(idp, "/").await.expect_status(303);
        assert_eq!(reply.header("location"), "/");
    }
}
